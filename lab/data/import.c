/* import.c — a data set is unpacked into memory, checked, and put in place by rename
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

typedef struct unpacked {
  char *bytes;
  size_t size, room;
} unpacked;

static ofw_status add(unpacked *u, const char *bytes, size_t n, const char *called, ofw_error *err)
{
  if (u->size + n > OFW_MOST_UNPACKED) /* a small zip file may hold a huge one */
    return ofw_fail(err, OFW_BAD_DATA, "%.300s has more than %d bytes", called, OFW_MOST_UNPACKED);
  OFW_TRY(ofw_grow(&u->bytes, u->size, n, &u->room, 1, err));
  memcpy(u->bytes + u->size, bytes, n);
  u->size += n;
  return OFW_OK;
}

static ofw_status copy_file(const char *called, unpacked *out, ofw_error *err)
{
  char bytes[8192];
  size_t n;
  FILE *in = fopen(called, "r");
  if (!in)
    return cannot_read(called, strerror(errno), err);
  ofw_status st = OFW_OK;
  while (st == OFW_OK && (n = fread(bytes, 1, sizeof bytes, in)) > 0)
    st = add(out, bytes, n, called, err);
  if (st == OFW_OK && ferror(in))
    st = cannot_read(called, strerror(errno), err);
  (void)fclose(in);
  return st;
}

static ofw_status copy_entry(zip_file_t *in, unpacked *out, const char *called, ofw_error *err)
{
  char bytes[8192];
  zip_int64_t n;
  while ((n = zip_fread(in, bytes, sizeof bytes)) > 0)
    OFW_TRY(add(out, bytes, (size_t)n, called, err));
  return n < 0 ? cannot_read(called, zip_error_strerror(zip_file_get_error(in)), err) : OFW_OK;
}

static ofw_status copy_from(zip_t *zip, const char *path, const char *name, unpacked *out, char **called,
                            ofw_error *err)
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

static ofw_status unzip(const char *path, const char *name, unpacked *out, char **called, ofw_error *err)
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
 * from the folder `path`, which may have u.data or ml-100k/u.data, or `path` itself if it is neither. *called becomes
 * what messages call it; the caller frees it, also after a failure. */
static ofw_status unpack(const char *path, const char *file, unpacked *out, char **called, ofw_error *err)
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

/* As a new file would have it. */
static int open_to_all(int file)
{
  mode_t mask = umask(0);
  umask(mask);
  return fchmod(file, 0666 & ~mask) == 0;
}

/* As `part`, a name that mkstemp completes, which then becomes `to`. */
static int put(const unpacked *u, char *part, const char *to)
{
  int file = mkstemp(part);
  if (file < 0)
    return 0;
  int done = ofw_disk_write(&ofw_real_disk, file, u->bytes, u->size) == 0 && open_to_all(file) &&
             ofw_disk_sync(&ofw_real_disk, file) == 0,
      why = errno;
  if (close(file) != 0) {
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

static ofw_status write_file(const unpacked *u, const char *to, ofw_error *err)
{
  char *part = ofw_format("%s.XXXXXX", to);
  if (!part)
    return ofw_fail_memory(err, strlen(to));
  int done = make_folders(part) && put(u, part, to), why = errno;
  free(part);
  return done ? OFW_OK : ofw_fail(err, OFW_FAILED, "cannot write %.300s: %s", to, strerror(why));
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
  unpacked u = {0};
  *out = (data_imported){0};
  ofw_status st = unpack(from, set->file, &u, &called, err);
  FILE *in = st == OFW_OK ? fmemopen(u.bytes, u.size, "r") : NULL;
  if (st == OFW_OK)
    st = in ? data_set_check(set, in, called, &out->duplicates, err) : ofw_fail_memory(err, u.size);
  if (in)
    (void)fclose(in);
  out->was_there = st == OFW_OK && is_there(set, to);
  if (st == OFW_OK && !out->was_there)
    st = write_file(&u, to, err);
  free(u.bytes);
  free(called);
  return st;
}
