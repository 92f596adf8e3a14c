/* Which texts may be shown: against a list by hand, and every character of Unicode by a slow encoder. */
#include "unit/base/check.h"

#include "base/plain.h"

#include <stdio.h>

static size_t encode(unsigned c, char out[5])
{
  memset(out, 0, 5);
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  if (c < 0x800) {
    out[0] = (char)(0xc0 | c / 64);
    out[1] = (char)(0x80 | c % 64);
    return 2;
  }
  if (c < 0x10000) {
    out[0] = (char)(0xe0 | c / 4096);
    out[1] = (char)(0x80 | c / 64 % 64);
    out[2] = (char)(0x80 | c % 64);
    return 3;
  }
  out[0] = (char)(0xf0 | c / 262144);
  out[1] = (char)(0x80 | c / 4096 % 64);
  out[2] = (char)(0x80 | c / 64 % 64);
  out[3] = (char)(0x80 | c % 64);
  return 4;
}

static void test_every_character(void **state)
{
  (void)state;
  char text[5];
  for (unsigned c = 0; c < 0x120000; c++) {
    int shown =
        c >= 32 && !(c >= 127 && c <= 159) && !(c >= 0xd800 && c <= 0xdfff) && c % 65536 < 65534 && c <= 0x10ffff;
    size_t length = encode(c, text);
    if (ofw_plain_length(text) != (shown ? length : 0))
      fail_msg("U+%04X: %zu", c, ofw_plain_length(text));
    for (size_t cut = 1; cut < length; cut++) { /* its beginning alone */
      text[length - cut] = 0;
      assert_int_equal(ofw_plain_length(text), 0);
    }
  }
}

static void test_what_is_no_utf8(void **state)
{
  (void)state;
  static const char *const bad[] = {"\x80",     "\xbf",         "\xc0\x80",         "\xc1\xbf", "\xc3",
                                    "\xc3(",    "\xe0\x80\x80", "\xe0\x9f\xbf",     "\xe2\x82", "\xed\xa0\x80",
                                    "\xff\xfe", "\xf0\x80\x80", "\xf0\x8f\xbf\xbf", "\xfe",     "\xf5\x80\x80\x80"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(ofw_plain_length(bad[i]), 0);
}

static void test_texts(void **state)
{
  (void)state;
  assert_string_equal(ofw_plain_end("caf\xc3\xa9 <b>'\"`", ""), "");
  assert_string_equal(ofw_plain_end("a\tb\nc", "\t"), "\nc");
  assert_string_equal(ofw_plain_end("a\tb\nc", "\t\n"), "");
  assert_string_equal(ofw_plain_end("a\xc2\x9b"
                                    "31m",
                                    ""),
                      "\xc2\x9b"
                      "31m");
  char text[] = "a\n\x1b[1m \xff\xc3\xa9\xc3";
  ofw_make_plain(text, "");
  assert_string_equal(text, "a??[1m ?\xc3\xa9?");
  ofw_make_plain(NULL, "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_character), cmocka_unit_test(test_what_is_no_utf8),
                                     cmocka_unit_test(test_texts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
