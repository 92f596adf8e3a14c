/* gzip.h — what gzip makes of a text */
#ifndef OFW_TEST_GZIP_H
#define OFW_TEST_GZIP_H

#include "unit/base/check.h"

#include <zlib.h>

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
