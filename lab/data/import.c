/* import.c — a data set is unpacked into a nameless file, checked, and put in place by rename
 *
 * What is checked is what is written, whatever happens to the source meanwhile.
 */
#include "lab/data/import.h"

#include "lab/data/unpack.h"
#include "persist/disk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ofw_status cannot_write(const char *path, ofw_error *err)
{
  return ofw_fail(err, OFW_FAILED, "cannot write %.300s: %s", path, strerror(errno));
}

/* The folder that `path` is in, and those above it. */
static int make_folders(char *path)
{
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    int failed = mkdir(path, 0777) != 0 && errno != EEXIST;
    *slash = '/';
    if (failed)
      return 0;
  }
  return 1;
}

static int copy(FILE *in, FILE *out)
{
  char bytes[8192];
  size_t n;
  while ((n = fread(bytes, 1, sizeof bytes, in)) > 0)
    if (fwrite(bytes, 1, n, out) != n)
      return 0;
  return !ferror(in) && fflush(out) == 0;
}

/* As a new file would have it. */
static int open_to_all(int file)
{
  mode_t mask = umask(0);
  umask(mask);
  return fchmod(file, 0666 & ~mask) == 0;
}

/* All of `in` as `part`, a name that mkstemp completes, which then becomes `to`. */
static int put(FILE *in, char *part, const char *to)
{
  int file = mkstemp(part);
  if (file < 0)
    return 0;
  FILE *out = fdopen(file, "w");
  int done = out && copy(in, out) && open_to_all(file) && ofw_disk_sync(&ofw_real_disk, file) == 0, why = errno;
  if (out ? fclose(out) != 0 : close(file) != 0) {
    why = done ? errno : why;
    done = 0;
  }
  if (done && rename(part, to) == 0)
    return ofw_real_disk.sync_folder(NULL, to) == 0;
  why = done ? errno : why;
  unlink(part);
  errno = why;
  return 0;
}

static ofw_status write_file(FILE *in, const char *to, ofw_error *err)
{
  char *part = ofw_format("%s.XXXXXX", to);
  if (!part)
    return ofw_fail_memory(err, strlen(to));
  ofw_status st = make_folders(part) && put(in, part, to) ? OFW_OK : cannot_write(to, err);
  free(part);
  return st;
}

/* Whether the set is there, whole. */
static int is_there(const data_set *set, const char *to)
{
  size_t duplicates;
  FILE *file = fopen(to, "r");
  int is = file && data_set_check(set, file, to, &duplicates, NULL) == OFW_OK;
  if (file)
    (void)fclose(file);
  return is;
}

ofw_status data_import(const data_set *set, const char *from, const char *to, data_imported *out, ofw_error *err)
{
  char *called;
  FILE *copied = tmpfile(); /* so what is checked is what is written, whatever happens to `from` */
  *out = (data_imported){0};
  if (!copied)
    return ofw_fail(err, OFW_FAILED, "cannot make a temporary file: %s", strerror(errno));
  ofw_status st = data_unpack(from, set->file, copied, &called, err);
  if (st == OFW_OK) {
    rewind(copied);
    st = data_set_check(set, copied, called, &out->duplicates, err);
  }
  out->was_there = st == OFW_OK && is_there(set, to);
  if (st == OFW_OK && !out->was_there) {
    rewind(copied);
    st = write_file(copied, to, err);
  }
  (void)fclose(copied);
  free(called);
  return st;
}
