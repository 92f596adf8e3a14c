#include "base/lines.h"
#include "unit/base/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Bytes that come in pieces of some size; then an end, or an error. */
typedef struct source {
  const char *bytes;
  size_t left, piece;
  int fails;
} source;

static ssize_t give(void *ctx, void *bytes, size_t n)
{
  source *s = ctx;
  if (s->left == 0 && s->fails) {
    errno = s->fails;
    return -1;
  }
  n = n < s->piece ? n : s->piece;
  n = n < s->left ? n : s->left;
  memcpy(bytes, s->bytes, n);
  s->bytes += n;
  s->left -= n;
  return (ssize_t)n;
}

static void expect(ofw_lines *in, const char *text, int ended)
{
  char *line;
  size_t length;
  assert_int_equal(ofw_lines_next(in, &line, &length), OFW_LINE);
  assert_int_equal(length, strlen(text));
  assert_memory_equal(line, text, length + 1); /* with a 0 at its end */
  assert_int_equal(in->ended, ended);
}

static void test_lines(void **state)
{
  (void)state;
  const char *text = "one\n\nthree is longer\nfour";
  char *line;
  size_t length;
  for (size_t piece = 1; piece <= strlen(text); piece++) {
    source s = {text, strlen(text), piece, 0};
    ofw_lines in = {.read = give, .ctx = &s, .limit = 15};
    expect(&in, "one", 1);
    expect(&in, "", 1);
    expect(&in, "three is longer", 1);
    expect(&in, "four", 0);
    assert_int_equal(in.number, 4);
    assert_int_equal(ofw_lines_next(&in, &line, &length), OFW_NO_LINE);
    ofw_lines_free(&in);
  }
}

/* One byte too many, with its end in sight or not; and the one that just fits. */
static void test_limit(void **state)
{
  (void)state;
  static const char *const texts[] = {"1234567\n", "1234567", "12345678\n", "12345678",
                                      "123456789012345678901234567890"};
  for (size_t k = 0; k < 5; k++)
    for (size_t piece = 1; piece < 40; piece++) {
      source s = {texts[k], strlen(texts[k]), piece, 0};
      ofw_lines in = {.read = give, .ctx = &s, .limit = 7};
      char *line;
      size_t length;
      assert_int_equal(ofw_lines_next(&in, &line, &length), k < 2 ? OFW_LINE : OFW_LINE_TOO_LONG);
      assert_int_equal(in.number, 1);
      assert_true(in.room <= 8); /* no more memory than a line may have */
      ofw_lines_free(&in);
    }
}

static void test_waiting(void **state)
{
  (void)state;
  const char *text = "one\ntwo\nthr";
  source s = {text, strlen(text), 100, 0};
  ofw_lines in = {.read = give, .ctx = &s, .limit = 100};
  assert_false(ofw_lines_waiting(&in));
  expect(&in, "one", 1);
  assert_true(ofw_lines_waiting(&in));
  expect(&in, "two", 1);
  assert_false(ofw_lines_waiting(&in));
  ofw_lines_free(&in);
}

static void test_errors(void **state)
{
  (void)state;
  const char *text = "one\ntw";
  char *line;
  size_t length;
  source s = {text, strlen(text), 100, EIO};
  ofw_lines in = {.read = give, .ctx = &s, .limit = 100};
  expect(&in, "one", 1);
  assert_int_equal(ofw_lines_next(&in, &line, &length), OFW_LINE_UNREAD); /* half a line is none */
  assert_int_equal(errno, EIO);
  assert_int_equal(in.number, 2);
  ofw_lines_free(&in);
}

static void test_files(void **state)
{
  (void)state;
  char *line, text[] = "a\nb";
  size_t length;
  FILE *in = fmemopen(text, 3, "r");
  assert_non_null(in);
  ofw_lines lines = {.read = ofw_lines_from_file, .ctx = in, .limit = 10};
  for (int again = 0; again < 2; again++) {
    expect(&lines, "a", 1);
    rewind(in);
    ofw_lines_restart(&lines);
  }
  expect(&lines, "a", 1);
  expect(&lines, "b", 0);
  fclose(in);
  ofw_lines_free(&lines);
  in = fopen("/", "r");
  assert_non_null(in);
  lines.ctx = in;
  assert_int_equal(ofw_lines_next(&lines, &line, &length), OFW_LINE_UNREAD);
  assert_int_equal(errno, EISDIR);
  fclose(in);
  ofw_lines_free(&lines);
  in = fopen("/dev/zero", "r");
  assert_non_null(in);
  lines = (ofw_lines){.read = ofw_lines_from_file, .ctx = in, .limit = 1000};
  assert_int_equal(ofw_lines_next(&lines, &line, &length), OFW_LINE_TOO_LONG);
  assert_true(lines.room <= 1001);
  fclose(in);
  ofw_lines_free(&lines);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_limit),
                                     cmocka_unit_test(test_waiting), cmocka_unit_test(test_errors),
                                     cmocka_unit_test(test_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
