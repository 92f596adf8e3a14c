/* standard_io.h — stdin and stdout of a command that answers line by line, and that a signal can end at any moment */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* As read(2), for ofw_lines. -1 and EINTR: a signal has come. */
ssize_t read_stdin(void *ctx, void *bytes, size_t n);
/* 0: not all of it, and errno: EINTR if a signal has come and nobody reads. */
int write_stdout(const char *bytes, size_t n);
