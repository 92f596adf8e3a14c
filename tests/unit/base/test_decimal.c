#include "base/decimal.h"
#include "unit/base/check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double from_bits(uint64_t bits)
{
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* ---- printing ---- */

/* As the C library prints it. Returns 1 if it was not left to that. */
static int prints(double x)
{
  char text[OFW_REAL_TEXT + 1], want[64];
  size_t length = ofw_print_decimal(x, text);
  text[length] = 0;
  snprintf(want, sizeof want, "%.17g", x);
  if (length > 0)
    assert_string_equal(text, want);
  return length > 0;
}

static void prints_what_printf_prints(void **state)
{
  (void)state;
  static const double cases[] = {
      0.0,      -0.0,   1.0,   -1.0,   0.1,  10.0,   100.0, 1e-4, 1e-5,      9.9999999999999995e-5,
      0x1p-100, 0x1p56, 1e15,  1e16,   5e16, 123.25, 1e-36, 0.5,  1.0 / 3.0, 2.0 / 3.0,
      1e-10,    12e-7,  1e-37, 9.5e16, 0.3,  1e5,    7e-9,  42.0, 1e-20,     0x1.fffffffffffffp-1};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    assert_true(prints(cases[k]));
  static const double beyond[] = {1e17, 1e300, DBL_MAX, 1e-39, DBL_MIN, 0x1p-1074, INFINITY, -INFINITY, (double)NAN};
  for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++)
    assert_false(prints(beyond[k]));
}

/* Beside each power of ten the number of digits changes, and with it how they are rounded. */
static void prints_powers_of_ten_and_their_neighbours(void **state)
{
  (void)state;
  for (int e = -37; e < 17; e++) {
    double x = pow(10.0, e);
    for (int k = 0; k < 200; k++, x = nextafter(x, 0.0))
      assert_true(prints(x));
    x = pow(10.0, e);
    for (int k = 0; k < 200; k++, x = nextafter(x, INFINITY))
      assert_true(prints(x));
  }
}

/* 1000000000000000.25 has 18 digits, and its last is half of the one before. */
static void rounds_a_half_to_even(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (int k = 0; k < 100000; k++) {
    double whole = 1e15 + (double)any_below(&seed, 1000000);
    for (int quarter = 1; quarter < 8; quarter++)
      assert_true(prints(whole + 0.125 * quarter));
  }
}

static void prints_any_number(void **state)
{
  (void)state;
  uint64_t seed = 5;
  size_t taken = 0;
  for (int k = 0; k < 1000000; k++) {
    assert_true(prints(any_real(&seed) - 0.5));
    taken += (size_t)prints(from_bits(any_word(&seed)));
    taken += (size_t)prints(ldexp(any_real(&seed), (int)any_below(&seed, 200) - 135));
  }
  assert_true(taken > 500000);
}

/* ---- reading ---- */

/* As the C library reads it. Returns 1 if it was not left to that. */
static int reads(const char *text)
{
  double x = 7.0;
  int read = ofw_read_decimal(text, text + strlen(text), &x);
  if (read && memcmp(&x, &(double){strtod(text, NULL)}, sizeof x) != 0)
    fail_msg("'%s' was read as %.17g", text, x);
  return read;
}

static void reads_what_strtod_reads(void **state)
{
  (void)state;
  static const char *const cases[] = {"0",
                                      "-0",
                                      "0.0",
                                      "-0e5",
                                      "1",
                                      "-1",
                                      "3.5",
                                      "1e22",
                                      "1E-22",
                                      "9007199254740992",
                                      "9007199254740993",
                                      "9007199254740993.0",
                                      "9007199254740992.999",
                                      "9007199254740993.001",
                                      "9999999999999999999",
                                      "0.1",
                                      "0.30000000000000004",
                                      "-0.000012345678901234567",
                                      "1.2345678901234567e-05",
                                      "1.2345678901234567E+10",
                                      "12345678.12345678901",
                                      "0.0000000000000000000000001",
                                      "18446744073709551.61"};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    if (!reads(cases[k]))
      fail_msg("'%s' was not read", cases[k]);
  static const char *const beyond[] = {"12345678901234567890",    "1e400",   "1e-400", "1.2345678901234567e300",
                                       "4.9406564584124654e-324", "0.1e-30", "1e99999"};
  for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++)
    assert_false(reads(beyond[k]));
}

/* 19 digits of which the last decide between two doubles: a whole number half way, and its neighbours, whole or in decimals. */
static void reads_what_is_half_way(void **state)
{
  (void)state;
  uint64_t seed = 7;
  for (int k = 0; k < 200000; k++) {
    int more = 1 + (int)any_below(&seed, 8); /* bits that a double has no room for */
    uint64_t m = UINT64_C(1) << 52 | any_word(&seed) >> 12, half = m << more | UINT64_C(1) << (more - 1);
    for (int off = -1; off <= 1; off++) {
      char text[64];
      snprintf(text, sizeof text, "%llu", (unsigned long long)half + (unsigned long long)off);
      assert_true(reads(text));
      snprintf(text, sizeof text, "%llue-%d", (unsigned long long)half + (unsigned long long)off,
               (int)any_below(&seed, 28));
      assert_true(reads(text));
    }
  }
}

static void reads_any_number(void **state)
{
  (void)state;
  uint64_t seed = 9;
  size_t taken = 0;
  for (int k = 0; k < 1000000; k++) {
    char text[64];
    snprintf(text, sizeof text, "%.17g", any_real(&seed) - 0.5);
    taken += (size_t)reads(text);
    snprintf(text, sizeof text, "%.*e", (int)any_below(&seed, 19),
             ldexp(any_real(&seed), (int)any_below(&seed, 120) - 60));
    taken += (size_t)reads(text);
    snprintf(text, sizeof text, "-%llu.%0*llu", (unsigned long long)any_below(&seed, 1000),
             1 + (int)any_below(&seed, 16), (unsigned long long)any_below(&seed, 1000000));
    taken += (size_t)reads(text);
  }
  assert_true(taken > 2500000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prints_what_printf_prints), cmocka_unit_test(prints_powers_of_ten_and_their_neighbours),
      cmocka_unit_test(rounds_a_half_to_even),     cmocka_unit_test(prints_any_number),
      cmocka_unit_test(reads_what_strtod_reads),   cmocka_unit_test(reads_what_is_half_way),
      cmocka_unit_test(reads_any_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
