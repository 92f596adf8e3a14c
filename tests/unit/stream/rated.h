/* rated.h — files of ratings, plain and compressed, for a moment */
#ifndef OFW_TEST_RATED_H
#define OFW_TEST_RATED_H

#include "ratings/ratings.h"
#include "unit/base/gzip.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

#endif
