# cmake -DFROM=FOLDER -DUPLOT=FOLDER -DTO=FILE -P assemble.cmake: one page of page.html, the style, uPlot and the modules
#
# In page.html @NAME@ is replaced: @licence@, @uplot@, @style@, @script@. The modules become one: a line that imports
# another of them is left out, and so is the word export. So names at their top level must differ, and none but main.js,
# which comes last, may need at once what another has computed.
file(READ ${UPLOT}/LICENSE licence)
file(READ ${UPLOT}/dist/uPlot.iife.min.js uplot)
file(READ ${UPLOT}/dist/uPlot.min.css style)
file(READ ${FROM}/page.css own_style)
string(APPEND style "\n" "${own_style}")

file(GLOB modules ${FROM}/*.js)
list(REMOVE_ITEM modules ${FROM}/main.js)
set(script "")
foreach(module ${modules} ${FROM}/main.js)
  file(READ ${module} text)
  string(REGEX REPLACE "import {[^}]*} from \"./[a-z_]+.js\";\n" "" text "${text}")
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  string(APPEND script "${text}\n")
endforeach()

file(READ ${FROM}/page.html page)
foreach(part licence style uplot script)
  string(REPLACE "@${part}@" "${${part}}" page "${page}")
endforeach()
file(WRITE ${TO} "${page}")
