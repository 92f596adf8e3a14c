/* unpack.c — one file out of a zip file, a folder or itself, of bounded size */
#include "lab/data/unpack.h"

#include "base/limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <zip.h>

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

static ofw_status finish(FILE *out, ofw_error *err)
{
  return fflush(out) == 0 ? OFW_OK : ofw_fail(err, OFW_FAILED, "cannot write a temporary file: %s", strerror(errno));
}

/* ---- a file ---- */

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
  return st == OFW_OK ? finish(out, err) : st;
}

/* ---- a zip file ---- */

static ofw_status copy_entry(zip_file_t *in, FILE *out, const char *called, ofw_error *err)
{
  char bytes[8192];
  size_t size = 0;
  zip_int64_t n;
  while ((n = zip_fread(in, bytes, sizeof bytes)) > 0)
    OFW_TRY(add(bytes, (size_t)n, out, &size, called, err));
  if (n < 0)
    return cannot_read(called, zip_error_strerror(zip_file_get_error(in)), err);
  return finish(out, err);
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

/* ---- a folder ---- */

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

ofw_status data_unpack(const char *path, const char *file, FILE *out, char **called, ofw_error *err)
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
