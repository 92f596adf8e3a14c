#include "base/lines.h"
#include "unit/base/check.h"

#include <errno.h>
#include <stdlib.h>

/* Every limit around the length of a line, with an end and without, in a fresh buffer and in one that has grown. */
static void test_limits(void **state)
{
  (void)state;
  char *text = NULL;
  size_t room = 0, got;
  for (size_t length = 0; length < 300; length++)
    for (size_t limit = length < 2 ? 0 : length - 2; limit < length + 3; limit++)
      for (int ended = 0; ended < 2; ended++) {
        char bytes[302];
        memset(bytes, 'a', length);
        bytes[length] = '\n';
        if (length + (size_t)ended == 0)
          continue;
        FILE *in = fmemopen(bytes, length + (size_t)ended, "r");
        assert_non_null(in);
        if (length % 2) {
          free(text);
          text = NULL;
          room = 0;
        }
        ofw_line st = ofw_line_read(in, limit, &text, &room, &got);
        assert_int_equal(st, length > limit ? OFW_LINE_LONG : OFW_LINE);
        if (st == OFW_LINE) {
          assert_int_equal(got, length + (size_t)ended);
          assert_memory_equal(text, bytes, got);
          assert_int_equal(text[got], 0);
          assert_int_equal(ofw_line_read(in, limit, &text, &room, &got), OFW_LINE_END);
        }
        fclose(in);
      }
  free(text);
}

static void test_failures(void **state)
{
  (void)state;
  char *text = NULL;
  size_t room = 0, got;
  FILE *in = fopen("/", "r");
  assert_non_null(in);
  assert_int_equal(ofw_line_read(in, 10, &text, &room, &got), OFW_LINE_FAILED);
  assert_int_equal(errno, EISDIR);
  fclose(in);
  in = fopen("/dev/zero", "r");
  assert_non_null(in);
  assert_int_equal(ofw_line_read(in, 1000, &text, &room, &got), OFW_LINE_LONG);
  assert_true(room <= 1002);
  fclose(in);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
