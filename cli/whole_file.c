/* whole_file.c — a file is written beside its place and renamed, so that nobody finds a part of it under its name */
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int open_result(const command *self, const char *path, FILE **out)
{
  char *part = path ? ofw_format("%s.part", path) : NULL;
  *out = part ? fopen(part, "w") : path ? NULL : stdout;
  free(part);
  return *out ? 0 : complain(self, EXIT_FAILED, "cannot write %s: %s", path, strerror(errno));
}

int close_result(const command *self, const char *path, FILE *file)
{
  if (!path)
    return 0; /* main looks after stdout */
  char *part = ofw_format("%s.part", path);
  int failed = ferror(file);
  errno = 0;
  failed |= fclose(file) != 0;
  failed = failed || !part || rename(part, path) != 0;
  int why = errno;
  if (failed && part)
    (void)remove(part);
  free(part);
  return failed ? complain(self, EXIT_FAILED, "cannot write %s: %s", path, strerror(why ? why : EIO)) : 0;
}

void drop_result(const char *path, FILE *file)
{
  if (!path)
    return;
  char *part = ofw_format("%s.part", path);
  (void)fclose(file);
  if (part)
    (void)remove(part);
  free(part);
}
