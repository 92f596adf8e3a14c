/* Ranges hold their numbers; ticks are 1, 2 or 5 times a power of ten, apart, and say the number at which they stand. */
#include "unit/base/check.h"

#include "lab/figure/ticks.h"

#include <stdlib.h>
#include <string.h>

static const figure_axis linear = {"x", 0, 0}, from_zero = {"x", 0, 1}, logarithmic = {"x", 1, 0};

/* The number that a text says, read by other rules than it was written by. */
static double said(const char *text)
{
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char mantissa[TICK_TEXT] = "", power[TICK_TEXT] = "";
  int after = 0;
  for (const char *at = text; *at;) {
    size_t k = 0;
    while (k < 10 && strncmp(at, raised[k], strlen(raised[k])) != 0)
      k++;
    if (k < 10) {
      strncat(power, &"0123456789"[k], 1);
      at += strlen(raised[k]);
      after = 1;
    } else if (strncmp(at, "⁻", 3) == 0)
      strcat(power, "-"), at += 3;
    else if (strncmp(at, "−", 3) == 0)
      strcat(mantissa, "-"), at += 3;
    else if (strncmp(at, "\u2009", 3) == 0)
      at += 3;
    else if (strncmp(at, "×", 2) == 0)
      at += 2;
    else
      strncat(mantissa, at++, 1);
  }
  if (!after)
    return strtod(mantissa, NULL);
  size_t length = strlen(mantissa); /* "…10" of the power */
  assert_true(length >= 2 && strcmp(mantissa + length - 2, "10") == 0);
  mantissa[length - 2] = 0;
  return (*mantissa ? strtod(mantissa, NULL) : 1.0) * pow(10.0, strtod(power, NULL));
}

static void texts_of_numbers(void **state)
{
  (void)state;
  static const struct {
    double x;
    int digits;
    const char *text;
  } cases[] = {{0.0, 4, "0"},
               {1.0, 4, "1"},
               {-2.5, 4, "−2.5"},
               {1234.0, 4, "1\u2009234"},
               {999999.0, 6, "999\u2009999"},
               {1e6, 3, "10⁶"},
               {2e6, 3, "2×10⁶"},
               {-2.5e8, 3, "−2.5×10⁸"},
               {0.001, 3, "0.001"},
               {0.00025, 3, "2.5×10⁻⁴"},
               {1e-12, 3, "10⁻¹²"},
               {0.1234567, 3, "0.123"},
               {12345.0, 3, "12\u2009345"},
               {1e300, 3, "10³⁰⁰"},
               {5e-324, 3, "4.94×10⁻³²⁴"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[TICK_TEXT];
    assert_string_equal(number_text(cases[i].x, cases[i].digits, text), cases[i].text);
  }
  char text[TICK_TEXT];
  assert_string_equal(power_text(-307, text), "10⁻³⁰⁷");
}

/* Whether x is 1, 2 or 5 times a power of ten. */
static int is_nice(double x)
{
  double part = x / pow(10.0, floor(log10(x) + 1e-9));
  return fabs(part - 1.0) < 1e-6 || fabs(part - 2.0) < 1e-6 || fabs(part - 5.0) < 1e-6;
}

/* Every tick is in the range, and its text says its number in units of the exponent. */
static void ticks_hold(const scale_range *r, const scale_ticks *t)
{
  double unit = pow(10.0, t->exponent);
  for (size_t i = 0; i < t->n; i++) {
    double share = scale_share(r, t->at[i]);
    assert_true(share >= -1e-6 && share <= 1.0 + 1e-6);
    double number = said(t->text[i]) * unit,
           off = 5e-3 * fmax(fabs(number), i > 0 ? fabs(t->at[i] - t->at[i - 1]) : 0.0);
    assert_near(number, t->at[i], off + 1e-12 * unit);
    assert_true(i == 0 || (t->at[i] > t->at[i - 1] && strcmp(t->text[i], t->text[i - 1]) != 0));
  }
}

static void linear_ticks_are_nice(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (int trial = 0; trial < 20000; trial++) {
    double middle = (any_share(&seed) - 0.5) * pow(10.0, (double)any_below(&seed, 40) - 20.0);
    double span = fmax(fabs(middle), 1e-18) * pow(10.0, -(double)any_below(&seed, 5)) * (0.1 + any_share(&seed));
    const double x[] = {middle, middle + span};
    scale_range r = scale_cover(trial % 2 ? &linear : &from_zero, x, 2, trial % 3 == 0);
    size_t most = 2 + any_below(&seed, 9);
    scale_ticks t;
    scale_ticks_of(&r, most, &t);
    if (t.n < 2 || t.n > most + 3)
      fail_msg("%zu ticks, at most %zu wanted, from %g to %g", t.n, most, r.low, r.high);
    ticks_hold(&r, &t);
    for (size_t i = 1; i < t.n; i++)
      assert_true(is_nice(t.at[i] - t.at[i - 1]) || fabs(t.at[i] - t.at[i - 1]) < 1e-6 * fabs(t.at[i]));
  }
}

static void log_ticks_are_powers_or_few(void **state)
{
  (void)state;
  uint64_t seed = 5;
  for (int trial = 0; trial < 20000; trial++) {
    double low = pow(10.0, 30.0 * (any_share(&seed) - 0.5)),
           high = low * pow(10.0, any_share(&seed) * (trial % 2 ? 3.0 : 30.0));
    scale_range r = scale_cover(&logarithmic, (double[]){low, high}, 2, 0);
    scale_ticks t;
    size_t most = 2 + any_below(&seed, 8);
    scale_ticks_of(&r, most, &t);
    assert_true(t.n >= 2 && t.n <= MOST_TICKS && (t.n <= most + 1 || high < 1e3 * low));
    ticks_hold(&r, &t);
  }
}

static void ranges_hold_their_numbers(void **state)
{
  (void)state;
  static const double hard[] = {0.0, -0.0, 5e-324, -5e-324, 1e-300, 1e300, -1e300, 1.0, -1.0, 1e15, 1.0000000001};
  for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
    for (size_t k = 0; k < sizeof hard / sizeof *hard; k++)
      for (int kind = 0; kind < 3; kind++) {
        const figure_axis *axis = kind == 0 ? &linear : kind == 1 ? &from_zero : &logarithmic;
        const double x[] = {hard[i], NAN, hard[k], INFINITY, -INFINITY, 1e301};
        scale_range r = scale_cover(axis, x, 6, 0);
        assert_true(isfinite(r.low) && isfinite(r.high) && r.low < r.high);
        for (int n = 0; n < 6; n++)
          if (scale_shows(axis->log, x[n]))
            assert_true(scale_share(&r, x[n]) >= 0.0 && scale_share(&r, x[n]) <= 1.0);
        scale_ticks t;
        scale_ticks_of(&r, 6, &t);
        assert_true(t.n <= MOST_TICKS);
        for (size_t n = 0; n < t.n; n++)
          assert_true(isfinite(t.at[n]) && *t.text[n]);
      }
}

static void ranges_by_hand(void **state)
{
  (void)state;
  scale_range r = scale_cover(&linear, NULL, 0, 0);
  assert_true(r.low == 0.0 && r.high == 1.0);
  r = scale_cover(&from_zero, (double[]){80.0, 100.0}, 2, 1);
  assert_true(r.low == 0.0 && r.high == 100.0);
  r = scale_cover(&linear, (double[]){80.0, 100.0}, 2, 1);
  assert_true(r.low == 80.0 && r.high == 100.0);
  r = scale_cover(&from_zero, (double[]){-1.0, 100.0}, 2, 1);
  assert_true(r.low == -1.0);
  r = scale_cover(&logarithmic, (double[]){0.0, 1.0, 1000.0, -5.0}, 4, 1);
  assert_near(r.low, 0.0, 1e-12);
  assert_near(r.high, 3.0, 1e-12);
  assert_int_equal(scale_shows(1, 0.0) || scale_shows(0, NAN) || scale_shows(0, INFINITY) || scale_shows(0, 1e301), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_of_numbers),
      cmocka_unit_test(linear_ticks_are_nice),
      cmocka_unit_test(log_ticks_are_powers_or_few),
      cmocka_unit_test(ranges_hold_their_numbers),
      cmocka_unit_test(ranges_by_hand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
