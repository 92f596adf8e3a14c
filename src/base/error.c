/* error.c — status names, the version, and how an error is filled in */
#include "base/basics.h"

#include <stdio.h>

const char *ofw_version(void)
{
  return OFW_VERSION;
}

const char *ofw_status_name(ofw_status status)
{
  static const char *const name[] = {"ok", "failed", "usage", "bad data", "numerical failure", "unsupported", "end"};
  return (size_t)status < sizeof name / sizeof *name ? name[status] : "unknown";
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
