/* expected_lines.h — a log's lines as they are handed out, held against those that it is to have */
#ifndef OFW_TEST_EXPECTED_LINES_H
#define OFW_TEST_EXPECTED_LINES_H

#include "persist/log.h"
#include "unit/base/check.h"

/* What a log is to hold, and how many of that it has handed out since the test set it to 0. */
static const char *const *expected;
static size_t expected_count;
static int found_lines;

static inline ofw_status see(void *ctx, uint64_t number, const char *bytes, size_t length, uint32_t sum, ofw_error *err)
{
  (void)ctx, (void)sum, (void)err;
  assert_int_equal(number, found_lines + 1);
  assert_true(number <= expected_count);
  assert_int_equal(length, strlen(expected[number - 1]));
  assert_memory_equal(bytes, expected[number - 1], length);
  found_lines++;
  return OFW_OK;
}

#endif
