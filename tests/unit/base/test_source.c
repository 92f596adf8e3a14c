/* test_source.c — lines of a spec in place and in a file, what they count as, and how they are refused */
#include "base/source.h"
#include "unit/base/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_at(char path[32], const char *text)
{
  strcpy(path, "@/tmp/ofw-source-XXXXXX");
  int file = mkstemp(path + 1);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), strlen(text));
  assert_int_equal(close(file), 0);
}

/* All lines, with '|' behind each. */
static void lines_are(const char *text, uint32_t *content, const char *expected)
{
  ofw_source s;
  char got[200] = "", *line;
  assert_int_equal(ofw_source_open(&s, "test", text, NULL), OFW_OK);
  do {
    assert_int_equal(ofw_source_next(&s, &line, NULL), OFW_OK);
    if (line)
      strcat(strcat(got, line), "|");
  } while (line);
  ofw_source_close(&s, content);
  assert_string_equal(got, expected);
}

static void lines_in_place(void **state)
{
  (void)state;
  uint32_t content = 7;
  lines_are("(a b; c;;(d;e) f )", &content, "a b|c||(d;e) f|");
  lines_are("a;b", &content, "a|b|");
  lines_are("()", &content, "|");
  assert_int_equal(content, 7); /* a spec is known by its text */
}

static uint32_t content_of(const char *first, const char *second)
{
  uint32_t content = 0;
  char path[2][32];
  write_at(path[0], first);
  write_at(path[1], second);
  for (int k = 0; k < 2; k++) {
    ofw_numbers read;
    assert_int_equal(ofw_numbers_read("test", "x", path[k], &content, &read, NULL), OFW_OK);
    ofw_numbers_free(&read);
    unlink(path[k] + 1);
  }
  return content;
}

/* What two files hold and in which order, and not where they are. */
static void files_count_by_what_they_hold(void **state)
{
  (void)state;
  uint32_t content = content_of("1\n2\n", "3\n");
  assert_true(content != 0);
  assert_int_equal(content_of("1\n2\n", "3\n"), content);
  assert_int_not_equal(content_of("3\n", "1\n2\n"), content);
  assert_int_not_equal(content_of("1\n2.0\n", "3\n"), content);
  uint32_t sum = 5;
  ofw_content_add(&sum, (uint32_t)-31 * 5); /* would be 0, which is that of no file */
  assert_int_equal(sum, 1);
}

static void refusals_name_the_place(void **state)
{
  (void)state;
  char path[32], expected[80];
  uint32_t content = 0;
  ofw_numbers read;
  ofw_error err = {0};
  write_at(path, "1\n2\nthree\n");
  assert_int_equal(ofw_numbers_read("test", "x", path, &content, &read, &err), OFW_BAD_DATA);
  snprintf(expected, sizeof expected, "%s:3: 'three' is not a finite number", path + 1);
  assert_string_equal(err.message, expected);
  ofw_numbers_free(&read);
  unlink(path + 1);
  assert_int_equal(ofw_numbers_read("test", "x", "(1,inf)", &content, &read, &err), OFW_USAGE);
  assert_string_equal(err.message, "test: line 1: 'inf' is not a finite number");
  ofw_numbers_free(&read);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_in_place),
      cmocka_unit_test(files_count_by_what_they_hold),
      cmocka_unit_test(refusals_name_the_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
