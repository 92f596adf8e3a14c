/* zipped.h — folders and zip files for a moment */
#ifndef OFW_TEST_ZIPPED_H
#define OFW_TEST_ZIPPED_H

#include "unit/base/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zip.h>

static char folder[] = "/tmp/ofw-import-XXXXXX";

/* A path in the folder; valid for the next three. */
static inline const char *in_folder(const char *name)
{
  static char path[4][200];
  static size_t turn;
  turn = (turn + 1) % 4;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  return path[turn];
}

static inline void write_as(const char *name, const char *text, size_t n)
{
  FILE *file = fopen(in_folder(name), "w");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

/* A zip file with one entry; method is ZIP_CM_STORE or ZIP_CM_DEFLATE. */
static inline void zip_as(const char *name, const char *entry, const char *text, int method)
{
  int code;
  zip_t *zip = zip_open(in_folder(name), ZIP_CREATE | ZIP_TRUNCATE, &code);
  assert_non_null(zip);
  zip_int64_t at = zip_file_add(zip, entry, zip_source_buffer(zip, text, strlen(text), 0), 0);
  assert_true(at >= 0);
  assert_int_equal(zip_set_file_compression(zip, (zip_uint64_t)at, method, 0), 0);
  assert_int_equal(zip_close(zip), 0);
}

#endif
