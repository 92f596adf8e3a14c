#include "unit/base/check.h"

#include "base/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static FILE *file_of(const char *bytes, size_t n)
{
  FILE *in = tmpfile();
  assert_non_null(in);
  assert_int_equal(fwrite(bytes, 1, n, in), n);
  rewind(in);
  return in;
}

/* Each line of a text in turn, whatever room there was before. */
static void test_lines(void **state)
{
  (void)state;
  static const char text[] = "one\n\ntwo\0three\n  \r\nlast";
  static const struct {
    const char *bytes;
    size_t n;
    int whole;
  } wanted[] = {{"one", 3, 1}, {"", 0, 1}, {"two\0three", 9, 1}, {"  \r", 3, 1}, {"last", 4, 0}};
  FILE *in = file_of(text, sizeof text - 1);
  ofw_line line = {0};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    assert_int_equal(ofw_line_read(in, 9, &line), OFW_LINE_READ);
    assert_int_equal(line.length, wanted[i].n);
    assert_memory_equal(line.text, wanted[i].bytes, wanted[i].n + 1); /* and the 0 behind it */
    assert_int_equal(line.whole, wanted[i].whole);
  }
  assert_int_equal(ofw_line_read(in, 9, &line), OFW_LINE_NONE);
  assert_int_equal(ofw_line_read(in, 9, &line), OFW_LINE_NONE);
  free(line.text);
  fclose(in);
}

/* At its limit a line is read, one byte longer it is not; no more memory than that is taken. */
static void test_longest(void **state)
{
  (void)state;
  for (size_t most = 1; most < 2000; most += 1 + most / 3)
    for (int newline = 0; newline < 2; newline++)
      for (size_t length = most > 2 ? most - 2 : 1; length <= most + 3; length++) {
        char bytes[2100];
        ofw_line line = {0};
        memset(bytes, 'a', sizeof bytes);
        bytes[length] = '\n';
        FILE *in = file_of(bytes, length + (size_t)newline);
        assert_int_equal(ofw_line_read(in, most, &line), length <= most ? OFW_LINE_READ : OFW_LINE_LONG);
        if (length <= most) {
          assert_int_equal(line.length, length);
          assert_int_equal(line.text[length], 0);
          assert_int_equal(line.whole, newline);
        }
        assert_true(line.room <= most + 1 || line.room <= 128);
        free(line.text);
        fclose(in);
      }
}

static void test_a_folder_is_no_file(void **state)
{
  (void)state;
  ofw_line line = {0};
  FILE *in = fopen("/tmp", "r");
  assert_non_null(in);
  assert_int_equal(ofw_line_read(in, 100, &line), OFW_LINE_FAILED);
  assert_int_equal(errno, EISDIR);
  free(line.text);
  fclose(in);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_longest),
      cmocka_unit_test(test_a_folder_is_no_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
