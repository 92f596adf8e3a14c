/* import.c — a data set is unpacked into a nameless file, checked, and put in place by rename
 *
 * What is checked is what is written, whatever happens to the source meanwhile.
 */
#include "lab/data/import.h"

#include "base/limits.h"
#include "persist/disk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zip.h>

/* ---- out of a zip file, a folder or itself, of bounded size ---- */

static ofw_status cannot_read(const char *called, const char *why, ofw_error *err)
{
  return ofw_fail(err, OFW_BAD_DATA, "cannot read %.300s: %s", called, why);
}

static ofw_status not_in(const char *path, const char *name, ofw_error *err)
{
  return ofw_fail(err, OFW_BAD_DATA, "%.300s: there is no %s in it", path, name);
}

static const char *base_name(const char *file)
{
  const char *slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

/* Adds to `out`, which holds *size bytes. */
static ofw_status add(const char *bytes, size_t n, FILE *out, size_t *size, const char *called, ofw_error *err)
{
  *size += n;
  if (*size > OFW_MOST_UNPACKED) /* a small zip file may hold a huge one */
    return ofw_fail(err, OFW_BAD_DATA, "%.300s has more than %d bytes", called, OFW_MOST_UNPACKED);
  if (fwrite(bytes, 1, n, out) != n)
    return ofw_fail(err, OFW_FAILED, "cannot write a temporary file: %s", strerror(errno));
  return OFW_OK;
}

static ofw_status copy_file(const char *called, FILE *out, ofw_error *err)
{
  char bytes[8192];
  size_t n, size = 0;
  FILE *in = fopen(called, "r");
  if (!in)
    return cannot_read(called, strerror(errno), err);
  ofw_status st = OFW_OK;
  while (st == OFW_OK && (n = fread(bytes, 1, sizeof bytes, in)) > 0)
    st = add(bytes, n, out, &size, called, err);
  if (st == OFW_OK && ferror(in))
    st = cannot_read(called, strerror(errno), err);
  (void)fclose(in);
  return st;
}

static ofw_status copy_entry(zip_file_t *in, FILE *out, const char *called, ofw_error *err)
{
  char bytes[8192];
  size_t size = 0;
  zip_int64_t n;
  while ((n = zip_fread(in, bytes, sizeof bytes)) > 0)
    OFW_TRY(add(bytes, (size_t)n, out, &size, called, err));
  return n < 0 ? cannot_read(called, zip_error_strerror(zip_file_get_error(in)), err) : OFW_OK;
}

static ofw_status copy_from(zip_t *zip, const char *path, const char *name, FILE *out, char **called, ofw_error *err)
{
  zip_int64_t at = zip_name_locate(zip, name, ZIP_FL_NODIR);
  if (at < 0)
    return not_in(path, name, err);
  *called = ofw_format("%s:%s", path, zip_get_name(zip, (zip_uint64_t)at, 0));
  if (!*called)
    return ofw_fail_memory(err, strlen(path));
  zip_file_t *in = zip_fopen_index(zip, (zip_uint64_t)at, 0);
  if (!in)
    return cannot_read(*called, zip_error_strerror(zip_get_error(zip)), err);
  ofw_status st = copy_entry(in, out, *called, err);
  zip_fclose(in);
  return st;
}

static ofw_status unzip(const char *path, const char *name, FILE *out, char **called, ofw_error *err)
{
  int code;
  zip_t *zip = zip_open(path, ZIP_RDONLY, &code);
  if (!zip) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    ofw_status st = cannot_read(path, zip_error_strerror(&error), err);
    zip_error_fini(&error);
    return st;
  }
  ofw_status st = copy_from(zip, path, name, out, called, err);
  zip_discard(zip);
  return st;
}

static int is_zip(const char *path)
{
  char head[2] = {0};
  FILE *file = fopen(path, "r");
  int is = file && fread(head, 1, 2, file) == 2 && memcmp(head, "PK", 2) == 0;
  if (file)
    (void)fclose(file);
  return is;
}

static int is_file(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* path/u.data or path/ml-100k/u.data. NULL: neither is there. */
static char *find_in(const char *path, const char *file)
{
  char *found = ofw_format("%s/%s", path, base_name(file));
  if (found && !is_file(found)) {
    free(found);
    found = ofw_format("%s/%s", path, file);
  }
  if (!found || is_file(found))
    return found;
  free(found);
  return NULL;
}

/* Copies `file`, for instance ml-100k/u.data, to `out`: from the zip file `path`, which may have u.data in any folder,
 * from the folder `path`, which may have u.data or ml-100k/u.data, or `path` itself where it is neither. *called becomes
 * what messages call it; the caller frees it, also after a failure. */
static ofw_status unpack(const char *path, const char *file, FILE *out, char **called, ofw_error *err)
{
  struct stat st;
  *called = NULL;
  if (stat(path, &st) != 0)
    return cannot_read(path, strerror(errno), err);
  if (!S_ISDIR(st.st_mode) && is_zip(path))
    return unzip(path, base_name(file), out, called, err);
  *called = S_ISDIR(st.st_mode) ? find_in(path, file) : ofw_copy_text(path);
  return *called ? copy_file(*called, out, err) : not_in(path, base_name(file), err);
}

/* ---- to its place ---- */

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
  ofw_status st = unpack(from, set->file, copied, &called, err);
  if (st == OFW_OK && fflush(copied) != 0)
    st = ofw_fail(err, OFW_FAILED, "cannot write a temporary file: %s", strerror(errno));
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
