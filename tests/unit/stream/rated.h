/* rated.h — files of ratings, plain and compressed, for a moment */
#ifndef OFW_TEST_RATED_H
#define OFW_TEST_RATED_H

#include "stream/ratings.h"
#include "unit/base/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <zlib.h>

static char path[64]; /* of the last file written */

static inline void write_bytes(const void *bytes, size_t n)
{
  snprintf(path, sizeof path, "/tmp/ofw-ratings-XXXXXX");
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, bytes, n), (ssize_t)n);
  close(fd);
}

static inline void write_text(const char *text)
{
  write_bytes(text, strlen(text));
}

/* The text compressed, into `out`; how long that is. */
static inline size_t compressed(const char *text, size_t n, unsigned char *out, size_t room)
{
  z_stream z = {.next_in = (Bytef *)(uintptr_t)text, .avail_in = (uInt)n, .next_out = out, .avail_out = (uInt)room};
  assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK); /* 16: gzip's frame */
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  assert_int_equal(deflateEnd(&z), Z_OK);
  return room - z.avail_out;
}

#endif
