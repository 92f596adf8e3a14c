# cmake -DFROM=FILE -DTO=FILE -DNAME=NAME -P embed.cmake: a text as a C array
file(READ ${FROM} bytes HEX)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE ${TO} "extern const char ${NAME}[];\nconst char ${NAME}[] = {${bytes}0};\n")
