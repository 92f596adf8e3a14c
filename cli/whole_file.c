/* whole_file.c — a file is written beside its place and renamed, so that nobody finds a part of it under its name
 *
 * A device, a pipe or a terminal is written to as it is: a rename would put a file into its place, for root even in /dev.
 */
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where it is written to, which free() returns. NULL: no memory. */
static char *place_of(const char *path)
{
  struct stat about;
  int is_special = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
  return ofw_format("%s%s", path, is_special ? "" : ".part");
}

int open_result(const command *self, const char *path, FILE **out)
{
  char *part = path ? place_of(path) : NULL;
  *out = part ? fopen(part, "w") : path ? NULL : stdout;
  free(part);
  return *out ? 0 : complain(self, EXIT_FAILED, "cannot write %s: %s", path, strerror(errno));
}

int close_result(const command *self, const char *path, FILE *file)
{
  if (!path)
    return 0;                                          /* main looks after stdout */
  int failed = ferror(file), why = failed ? errno : 0; /* of the last write, which the buffer tries again and again */
  char *part = place_of(path);
  int is_special = part && strcmp(part, path) == 0;
  errno = 0;
  failed |= fclose(file) != 0;
  failed = failed || !part || (!is_special && rename(part, path) != 0);
  why = why ? why : errno;
  if (failed && part && !is_special)
    (void)remove(part);
  free(part);
  return failed ? complain(self, EXIT_FAILED, "cannot write %s: %s", path, strerror(why ? why : EIO)) : 0;
}

void drop_result(const char *path, FILE *file)
{
  if (!path)
    return;
  char *part = place_of(path);
  (void)fclose(file);
  if (part && strcmp(part, path) != 0)
    (void)remove(part);
  free(part);
}
