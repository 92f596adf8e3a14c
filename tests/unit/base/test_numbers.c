#include "base/basics.h"
#include "unit/base/check.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

static void reads(const char *text, double want)
{
  double x = 0.0;
  assert_true(ofw_read_real(text, &x));
  assert_bits(x, want);
}

static void test_reads(void **state)
{
  (void)state;
  reads("0", 0.0);
  reads("-0", -0.0);
  reads("1", 1.0);
  reads("+1.5", 1.5);
  reads("-2.25e-3", -2.25e-3);
  reads(".5", 0.5);
  reads("5.", 5.0);
  reads("1E5", 1e5);
  reads("0.1", 0.1);
  reads("1.7976931348623157e308", DBL_MAX);
  reads("4.9406564584124654e-324", 0x1p-1074);
  reads("1e-400", 0.0);
  reads("9007199254740993", 9007199254740992.0);
}

static void test_refuses(void **state)
{
  (void)state;
  static const char *const bad[] = {
      "",     " ",    " 1",     "1 ",    "\t1",    "1\n",     "1,5",  "1.5.2", "--1",      "+-1",       "+",   "-",
      ".",    "e5",   "1e",     "1e+",   "0x10",   "0X1p3",   "-0x1", "inf",   "-inf",     "+inf",      "INF", "nan",
      "-nan", "+NaN", "nan(1)", "1e999", "-1e999", "1.8e308", "1f",   "one",   "infinity", "-infinity", "1 2", "1x",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double x = 7.0;
    if (ofw_read_real(bad[i], &x))
      fail_msg("'%s' was read as %g", bad[i], x);
    assert_bits(x, 7.0); /* untouched */
  }
}

static double from_bits(uint64_t bits)
{
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void goes_round(double x)
{
  char text[OFW_REAL_TEXT];
  double again = 0.0;
  assert_ptr_equal(ofw_print_real(x, text), text);
  assert_true(strlen(text) < OFW_REAL_TEXT);
  assert_null(strchr(text, ','));
  assert_true(ofw_read_real(text, &again));
  assert_bits(again, x);
}

static void all_go_round(void)
{
  static const double special[] = {0.0,
                                   -0.0,
                                   1.0,
                                   -1.0,
                                   DBL_MAX,
                                   -DBL_MAX,
                                   DBL_MIN,
                                   0x1p-1074,
                                   -0x1p-1074,
                                   DBL_EPSILON,
                                   0.1,
                                   1.0 / 3,
                                   0x1.fffffffffffffp-1023,
                                   1e22,
                                   1e23};
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    goes_round(special[i]);
  uint64_t seed = 1, sign = 1ull << 63, denormal = (1ull << 52) - 1;
  for (int k = 0; k < 100000; k++) {
    uint64_t bits = any_word(&seed);
    if (k % 10 == 0)
      bits &= sign | denormal; /* exponent 0 */
    if (isfinite(from_bits(bits)))
      goes_round(from_bits(bits));
  }
}

static void test_round_trip(void **state)
{
  (void)state;
  all_go_round();
}

static void test_round_trip_with_decimal_comma(void **state)
{
  (void)state;
  locale_t comma = comma_locale();
  if (!comma)
    skip();
  locale_t before = uselocale(comma);
  char text[OFW_REAL_TEXT];
  snprintf(text, sizeof text, "%.1f", 1.5);
  assert_string_equal(text, "1,5"); /* the locale is in force */
  assert_string_equal(ofw_print_real(1.5, text), "1.5");
  assert_ptr_equal(uselocale((locale_t)0), comma); /* and stays so */
  double x;
  assert_false(ofw_read_real("1,5", &x));
  all_go_round();
  uselocale(before);
  freelocale(comma);
}

static void test_not_finite(void **state)
{
  (void)state;
  char text[OFW_REAL_TEXT];
  double x;
  assert_string_equal(ofw_print_real(INFINITY, text), "inf");
  assert_string_equal(ofw_print_real(-INFINITY, text), "-inf");
  assert_false(ofw_read_real(ofw_print_real((double)NAN, text), &x));
}

static void test_counts(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int read;
    uint64_t n;
  } cases[] = {
      {"0", 1, 0},
      {"42", 1, 42},
      {"007", 1, 7},
      {"18446744073709551615", 1, UINT64_MAX},
      {"1e3", 1, 1000},
      {"+5", 1, 5},
      {"2.50e1", 1, 25},
      {"9007199254740993", 1, 9007199254740993},
      {"18446744073709551616", -1, 0},
      {"1e16", -1, 0},
      {"1e300", -1, 0},
      {"", 0, 0},
      {"-1", 0, 0},
      {"1.5", 0, 0},
      {"1e-3", 0, 0},
      {" 1", 0, 0},
      {"1 ", 0, 0},
      {"0x10", 0, 0},
      {"inf", 0, 0},
      {"nan", 0, 0},
      {"1e999", 0, 0},
      {"12a", 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t n = 0;
    assert_int_equal(ofw_read_count(cases[i].text, &n), cases[i].read);
    if (cases[i].read == 1)
      assert_true(n == cases[i].n);
  }
}

/* What is plain, and what is left behind it; as strtod has it to the last bit. */
static void test_plain(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int length; /* of the number; 0: it is not taken */
  } cases[] = {{"0", 1},
               {"-0", 2},
               {"007", 3},
               {"3.5", 3},
               {"-3.5,7", 4},
               {"0.1 ", 3},
               {"4::5", 1},
               {"123456789012345", 15},
               {"0.00000000000001", 16},
               {"9.e", 0},
               {"1.5e3", 3},
               {"1.2.3", 3},
               {"", 0},
               {"-", 0},
               {"+1", 0},
               {".5", 0},
               {"5.", 0},
               {"-.5", 0},
               {"x", 0},
               {"--1", 0},
               {" 1", 0},
               {"1234567890123456", 0},
               {"0.000000000000001", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *at = cases[i].text;
    double x = 7.0;
    assert_int_equal(ofw_read_plain(&at, &x), cases[i].length > 0);
    assert_int_equal(at - cases[i].text, cases[i].length);
    char copy[32];
    snprintf(copy, sizeof copy, "%.*s", cases[i].length, cases[i].text);
    assert_bits(x, cases[i].length ? strtod(copy, NULL) : 7.0);
  }
  uint64_t seed = 11;
  for (int k = 0; k < 200000; k++) {
    char text[40];
    int whole = 1 + (int)any_below(&seed, 9), decimals = (int)any_below(&seed, 7);
    double x, size = pow(10.0, whole);
    snprintf(text, sizeof text, "%.*f", decimals, size * any_real(&seed));
    const char *at = text;
    assert_true(ofw_read_plain(&at, &x) && !*at);
    assert_bits(x, strtod(text, NULL));
  }
}

static void test_growing_text(void **state)
{
  (void)state;
  enum { WORDS = 1000 };
  ofw_text text = {0};
  for (int i = 0; i < WORDS; i++)
    ofw_text_add(&text, "%d,", i);
  assert_false(text.failed);
  assert_int_equal(text.length, strlen(text.chars));
  const char *at = text.chars;
  for (int i = 0; i < WORDS; i++) {
    char *end;
    assert_int_equal(strtol(at, &end, 10), i);
    assert_int_equal(*end, ',');
    at = end + 1;
  }
  assert_int_equal(*at, 0);
  free(text.chars);
}

static void test_counts_as_text(void **state)
{
  (void)state;
  uint64_t seed = 2;
  for (int k = 0; k < 10000; k++) {
    char want[32];
    ofw_text text = {0};
    uint64_t n = k == 0 ? 0 : k == 1 ? UINT64_MAX : any_word(&seed) >> any_below(&seed, 64);
    snprintf(want, sizeof want, "%llu", (unsigned long long)n);
    ofw_text_add_count(&text, n);
    assert_string_equal(text.chars, want);
    free(text.chars);
  }
}

/* JSON, which a locale with another point must not change. */
static void test_numbers_as_json(void **state)
{
  (void)state;
  static const double x[] = {0.1, -0.0, 1e300, INFINITY, -5e-324, (double)NAN, 3};
  for (int other = 0; other < 2; other++) {
    ofw_text text = {0};
    locale_t comma = other ? comma_locale() : (locale_t)0, before = comma ? uselocale(comma) : (locale_t)0;
    ofw_text_add_numbers(&text, 0, NULL);
    ofw_text_add_numbers(&text, 7, x);
    ofw_text_add_number(&text, 1.5);
    ofw_text_add_number(&text, -INFINITY);
    if (comma) {
      uselocale(before);
      freelocale(comma);
    }
    assert_false(text.failed);
    assert_string_equal(text.chars,
                        "[][0.10000000000000001,-0,1.0000000000000001e+300,null,-4.9406564584124654e-324,null,3]"
                        "1.5null");
    assert_int_equal(text.length, strlen(text.chars));
    free(text.chars);
  }
}

static void test_memory(void **state)
{
  (void)state;
  for (size_t n = 0; n < 40; n++) {
    double *x = ofw_doubles(n);
    assert_non_null(x);
    assert_int_equal((uintptr_t)x % 64, 0);
    for (size_t i = 0; i < n; i++)
      assert_bits(x[i], 0.0);
    free(x);
  }
  assert_null(ofw_doubles(SIZE_MAX));
  assert_null(ofw_doubles(SIZE_MAX / 8 + 1));
  assert_null(ofw_array(SIZE_MAX / 4, 8));
  void *none = ofw_array(0, 8);
  assert_non_null(none);
  free(none);
}

/* More than is there is refused, even where the system would lend it. */
static void test_memory_that_is_there(void **state)
{
  (void)state;
  unsigned long long kib = 0;
  char line[128];
  FILE *in = fopen("/proc/meminfo", "r");
  while (in && !kib && fgets(line, sizeof line, in))
    sscanf(line, "MemAvailable: %llu", &kib);
  if (in)
    fclose(in);
  if (kib < 3u << 20)
    skip(); /* nobody tells, or it is too little to be looked at */
  double *x = ofw_doubles((size_t)(kib + (1u << 20)) * 1024 / sizeof *x);
  assert_null(x);
  assert_null(ofw_array((size_t)(kib + (1u << 20)), 1024));
}

static void test_errors(void **state)
{
  (void)state;
  ofw_error err = {0};
  assert_int_equal(ofw_fail(&err, OFW_BAD_DATA, "%s %d", "line", 7), OFW_BAD_DATA);
  assert_int_equal(err.status, OFW_BAD_DATA);
  assert_string_equal(err.message, "line 7");
  assert_int_equal(ofw_fail(NULL, OFW_USAGE, "x"), OFW_USAGE);
  ofw_fail(&err, OFW_USAGE, "'%s'", "a\nb\t\x7f\xc3\xa9"); /* one line, whatever it quotes */
  assert_string_equal(err.message, "'a?b??\xc3\xa9'");
  ofw_fail(&err, OFW_FAILED, "%1000d", 1); /* cut, not overrun */
  assert_int_equal(strlen(err.message), sizeof err.message - 1);
  assert_int_equal(ofw_fail_memory(&err, 12), OFW_FAILED);
  assert_string_equal(err.message, "out of memory (12 bytes wanted)");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reads),          cmocka_unit_test(test_refuses),
      cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_round_trip_with_decimal_comma),
      cmocka_unit_test(test_not_finite),     cmocka_unit_test(test_counts),
      cmocka_unit_test(test_plain),          cmocka_unit_test(test_growing_text),
      cmocka_unit_test(test_counts_as_text), cmocka_unit_test(test_numbers_as_json),
      cmocka_unit_test(test_memory),         cmocka_unit_test(test_memory_that_is_there),
      cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
