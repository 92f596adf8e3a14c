/* expected_lines.h — a log's lines as they are handed out, compared with those that it is to have */
#ifndef OFW_TEST_EXPECTED_LINES_H
#define OFW_TEST_EXPECTED_LINES_H

#include "persist/log.h"
#include "unit/base/check.h"

/* What a log is to hold, how many lines of it may have been dropped, and how many it has handed out or dropped since the
 * test set it to 0. */
static const char *const *expected;
static size_t expected_count, expected_drops;
static int found_lines;

static inline ofw_status see(void *ctx, uint64_t number, const char *bytes, size_t length, uint32_t sum, ofw_error *err)
{
  (void)ctx, (void)sum, (void)err;
  if (found_lines == 0 && number > 1 && number - 1 <= expected_drops)
    found_lines = (int)number - 1;
  assert_int_equal(number, found_lines + 1);
  assert_true(number <= expected_count);
  assert_int_equal(length, strlen(expected[number - 1]));
  assert_memory_equal(bytes, expected[number - 1], length);
  found_lines++;
  return OFW_OK;
}

/* Opened and started, as one who goes on with it does. NULL: refused. */
static inline ofw_log *start_log(const ofw_disk *disk, const char *build, const char *config, ofw_log_found *found,
                                 ofw_error *err)
{
  ofw_log *log;
  found_lines = 0;
  ofw_status st = ofw_log_open(disk, "log", build, config, see, NULL, &log, found, err);
  assert_true((st == OFW_OK) == (log != NULL));
  if (log && found->dropped > 0 && found_lines == 0)
    found_lines = (int)found->dropped; /* none is left */
  if (log)
    assert_int_equal(found->lines, found_lines);
  if (log && ofw_log_start(log, err) != OFW_OK) {
    ofw_log_close(log);
    log = NULL;
  }
  if (!log)
    ofw_log_found_free(found);
  return log;
}

#endif
