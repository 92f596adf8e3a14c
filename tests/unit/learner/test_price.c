#include "unit/base/check.h"

#include "learner/price.h"

#include <float.h>

static const ofw_lyapunov_kind kinds[] = {OFW_LYAPUNOV_EXP, OFW_LYAPUNOV_QUADRATIC_LINEAR, OFW_LYAPUNOV_QUADRATIC,
                                          OFW_LYAPUNOV_LINEAR};
static const double rates[] = {1e-12, 1e-4, 0.5, 1.0, 30.0};
enum { KINDS = 4, RATES = 5 };

/* Phi'(q), as the table in price.h prints it. */
static double slope(const ofw_lyapunov *phi, double q)
{
  switch (phi->kind) {
  case OFW_LYAPUNOV_EXP:
    return phi->rate * exp(phi->rate * q);
  case OFW_LYAPUNOV_QUADRATIC_LINEAR:
    return 2.0 * q + 1.0;
  case OFW_LYAPUNOV_QUADRATIC:
    return 2.0 * q;
  case OFW_LYAPUNOV_LINEAR:
    break;
  }
  return 1.0;
}

static double value(const ofw_lyapunov *phi, double q)
{
  switch (phi->kind) {
  case OFW_LYAPUNOV_EXP:
    return expm1(phi->rate * q);
  case OFW_LYAPUNOV_QUADRATIC_LINEAR:
    return q * q + q;
  case OFW_LYAPUNOV_QUADRATIC:
    return q * q;
  case OFW_LYAPUNOV_LINEAR:
    break;
  }
  return q;
}

static void test_direct_formulas(void **state)
{
  (void)state;
  size_t checked = 0;
  for (size_t k = 0; k < KINDS; k++)
    for (size_t r = 0; r < RATES; r++)
      for (double beta = 1e-10; beta < 2e10; beta *= 10.0)
        for (double Q = 1e-10; Q < 2e10; Q *= 10.0) {
          ofw_lyapunov phi = ofw_lyapunov_of(kinds[k], rates[r]);
          double direct = slope(&phi, beta * Q);
          if (isfinite(direct)) {
            assert_near(ofw_lyapunov_log_price(&phi, beta, Q), log(direct), 1e-15 * fmax(10.0, fabs(log(direct))));
            checked++;
          }
        }
  assert_true(checked > KINDS * RATES * 21 * 21 * 3 / 4);
}

/* The price is the slope of Phi itself, not only of the table's second column. */
static void test_slope_of_phi(void **state)
{
  (void)state;
  for (size_t k = 0; k < KINDS; k++)
    for (double q = 0.1; q < 20.0; q += 0.7) {
      ofw_lyapunov phi = ofw_lyapunov_of(kinds[k], 0.3);
      double h = 1e-5, numeric = (value(&phi, q + h) - value(&phi, q - h)) / (2.0 * h);
      assert_near(exp(ofw_lyapunov_log_price(&phi, 2.0, q / 2.0)), numeric, 1e-8 * fmax(1.0, numeric));
    }
}

static void test_zero(void **state)
{
  (void)state;
  static const double want[] = {0.0, 0.0, -INFINITY, 0.0};
  for (size_t k = 0; k < KINDS; k++)
    for (size_t r = 0; r < RATES; r++) {
      ofw_lyapunov phi = ofw_lyapunov_of(kinds[k], rates[r]);
      double price = ofw_lyapunov_log_price(&phi, 0.1, 0.0);
      if (kinds[k] == OFW_LYAPUNOV_QUADRATIC)
        assert_bits(price, want[k]);
      else
        assert_near(price, kinds[k] == OFW_LYAPUNOV_EXP ? log(rates[r]) : want[k], 1e-15);
    }
}

/* Any beta in the range of its option and any Q: a number, at most 1e300, never smaller for a larger Q. */
static void test_any_size(void **state)
{
  (void)state;
  static const double betas[] = {1e-300, 1e-100, 1e-10, 1.0, 1e10, 1e100, 1e300};
  static const double extremes[] = {1e-300, 1e-30, 1.0, 1e30, 1e300};
  for (size_t k = 0; k < KINDS; k++)
    for (size_t r = 0; r < sizeof extremes / sizeof *extremes; r++)
      for (size_t b = 0; b < sizeof betas / sizeof *betas; b++) {
        ofw_lyapunov phi = ofw_lyapunov_of(kinds[k], extremes[r]);
        double before = -INFINITY;
        for (double Q = 0x1p-1074; Q < DBL_MAX / 8.0; Q *= 8.0) {
          double price = ofw_lyapunov_log_price(&phi, betas[b], Q);
          assert_true(price >= before); /* false for NaN */
          before = price;
        }
        double top = ofw_lyapunov_log_price(&phi, betas[b], DBL_MAX);
        assert_true(top >= before && top <= 1e300 && isfinite(top));
      }
}

static void test_names(void **state)
{
  (void)state;
  static const char *const names[] = {"exp", "quadratic-linear", "quadratic", "linear"};
  const char *at = OFW_LYAPUNOV_WORDS;
  for (size_t k = 0; k < KINDS; k++) {
    size_t length = strcspn(at, "|");
    assert_int_equal(length, strlen(names[kinds[k]]));
    assert_memory_equal(at, names[kinds[k]], length);
    at += length + (at[length] == '|');
  }
  assert_string_equal(at, "");
}

/* To the last bit those of ldexp, numbers below the normal ones among both what goes in and what comes out. */
static void test_times_two_to(void **state)
{
  (void)state;
  uint64_t any = 8;
  size_t below = 0;
  for (int i = 0; i < 200000; i++) {
    double x = ldexp(any_share(&any) - 0.5, (int)any_below(&any, 2100) - 1074);
    int e = (int)any_below(&any, 4600) - 2300;
    double found = ofw_times_two_to(x, (double)e), wanted = ldexp(x, e);
    assert_true(found == wanted && signbit(found) == signbit(wanted));
    below += fabs(found) > 0.0 && fabs(found) < DBL_MIN;
  }
  assert_true(below > 500);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_direct_formulas), cmocka_unit_test(test_slope_of_phi), cmocka_unit_test(test_zero),
      cmocka_unit_test(test_any_size),        cmocka_unit_test(test_names),        cmocka_unit_test(test_times_two_to),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
