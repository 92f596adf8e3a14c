/* error.c — status names, the version, and how an error is filled in */
#include "base/basics.h"

#include <stdio.h>
#include <string.h>

const char *ofw_version(void)
{
  return OFW_VERSION;
}

/* The parentheses keep the macros of the same names in basics.h out. */
ofw_status(ofw_fail)(ofw_error *err, ofw_status status, const char *format, ...)
{
  if (err) {
    va_list args;
    va_start(args, format);
    err->status = status;
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    for (char *c = err->message; *c; c++) /* names and texts of any bytes are quoted; a message is one line */
      if ((unsigned char)*c < ' ' || *c == 127)
        *c = '?';
  }
  return status;
}

ofw_status(ofw_fail_memory)(ofw_error *err, size_t bytes)
{
  return ofw_fail(err, OFW_FAILED, "out of memory (%zu bytes wanted)", bytes);
}

ofw_status ofw_take_sized(void *out, size_t size, const void *given, const char *what, ofw_error *err)
{
  size_t given_size = 0;
  if (given)
    memcpy(&given_size, given, sizeof given_size);
  if (given_size < sizeof given_size || given_size % sizeof given_size) /* each is a whole number of words */
    return ofw_fail(err, OFW_USAGE, "%s: size is %zu; set it to sizeof(%s)", what, given_size, what);
  if (given_size > size)
    return ofw_fail(err, OFW_USAGE, "%s: size is %zu, but ofw %s knows only %zu bytes of it; update the library", what,
                    given_size, OFW_VERSION, size);
  memset(out, 0, size);
  memcpy(out, given, given_size);
  return OFW_OK;
}
