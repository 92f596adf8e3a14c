/* Exponents of series whose growth is known, their intervals, and the verdicts. */
#include "unit/base/check.h"

#include "lab/fit.h"
#include "lab/quantile.h"

enum { HORIZONS = 5, SEEDS = 8 };
static const double T[HORIZONS] = {1000, 3162, 10000, 31623, 100000};

/* By Box and Muller. */
static double any_normal(uint64_t *seed)
{
  double u = 0.5 + 0.5 * any_real(seed), v = any_real(seed);
  return sqrt(-2.0 * log(fmax(u, 1e-300))) * cos(M_PI * v);
}

/* value = scale T^power, disturbed by noise: of the seed at all T, and of each cell */
typedef struct law {
  double scale, power, of_seed, of_cell;
} law;

static void make(const law *l, uint64_t *seed, size_t seeds, double *value)
{
  for (size_t k = 0; k < seeds; k++) {
    double all = l->of_seed * any_normal(seed);
    for (size_t i = 0; i < HORIZONS; i++)
      value[i * seeds + k] = l->scale * pow(T[i], l->power) * exp(all + l->of_cell * any_normal(seed));
  }
}

static ofw_exponent fit(const double *value, size_t seeds, double floor, uint64_t seed)
{
  ofw_exponent e;
  ofw_series s = {HORIZONS, seeds, T, value};
  assert_int_equal(ofw_exponent_fit(&s, floor, seed, &e), OFW_OK);
  return e;
}

static void test_exact_power_laws(void **state)
{
  (void)state;
  uint64_t seed = 1;
  double value[HORIZONS * SEEDS];
  for (double power = -1.0; power <= 1.5; power += 0.125)
    for (double scale = 1e-6; scale < 1e7; scale *= 1000.0) {
      make(&(law){scale, power, 0.0, 0.0}, &seed, SEEDS, value);
      ofw_exponent e = fit(value, SEEDS, 0.0, 1);
      assert_int_equal(e.growth, OFW_GROWTH_FITTED);
      assert_near(e.fit, power, 1e-12);
      assert_near(e.low, power, 1e-12);
      assert_near(e.high, power, 1e-12);
    }
}

/* The line by the textbook's normal equations. */
static void test_slope(void **state)
{
  (void)state;
  uint64_t seed = 2;
  for (int trial = 0; trial < 100; trial++) {
    double value[HORIZONS], n = HORIZONS, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < HORIZONS; i++) {
      value[i] = exp(3.0 * any_real(&seed));
      x += log(T[i]), y += log(value[i]), xx += log(T[i]) * log(T[i]), xy += log(T[i]) * log(value[i]);
    }
    assert_near(ofw_slope(HORIZONS, T, value), (n * xy - x * y) / (n * xx - x * x), 1e-10);
  }
}

/* At a share of the way along the numbers; between two of them in proportion. */
static void test_quantile(void **state)
{
  (void)state;
  const double sorted[] = {1.0, 2.0, 4.0, 10.0, 11.0};
  const double wanted[][2] = {{0.0, 1.0},    {0.125, 1.5}, {0.25, 2.0}, {0.5, 4.0},
                              {0.6875, 8.5}, {0.75, 10.0}, {1.0, 11.0}};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
    assert_near(ofw_quantile(sorted, 5, wanted[k][0]), wanted[k][1], 1e-14);
  assert_near(ofw_quantile(sorted, 1, 0.7), 1.0, 0.0);
}

static void test_slope_leaves_out(void **state)
{
  (void)state;
  double value[HORIZONS] = {-1, 3162, 10000, 31623, 100000};
  assert_near(ofw_slope(HORIZONS, T, value), 1.0, 1e-12);
  value[3] = 0.0;
  assert_near(ofw_slope(HORIZONS, T, value), 1.0, 1e-12);
  value[2] = (double)NAN;
  assert_true(isnan(ofw_slope(HORIZONS, T, value)));
}

/* The interval holds the exponent about as often as it says, with few seeds and with many. */
static void test_coverage(void **state)
{
  (void)state;
  static const struct {
    size_t seeds;
    law of;
  } cases[] = {{8, {3.0, 0.75, 0.0, 0.2}}, {8, {100.0, 0.5, 0.5, 0.1}}, {20, {0.01, 0.875, 0.1, 0.3}}};
  enum { TRIALS = 400 };
  uint64_t seed = 3;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    double value[HORIZONS * 20];
    int held = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      make(&cases[c].of, &seed, cases[c].seeds, value);
      ofw_exponent e = fit(value, cases[c].seeds, 0.0, (uint64_t)trial);
      assert_true(e.low <= e.fit && e.fit <= e.high);
      held += e.low <= cases[c].of.power && cases[c].of.power <= e.high;
    }
    print_message("%zu seeds: %.1f%% of %d intervals hold the exponent\n", cases[c].seeds, 100.0 * held / TRIALS,
                  TRIALS);
    assert_true(held >= 0.91 * TRIALS && held <= 0.985 * TRIALS);
  }
}

static void test_resamples_follow_the_seed(void **state)
{
  (void)state;
  uint64_t seed = 4;
  double value[HORIZONS * SEEDS];
  make(&(law){1.0, 0.7, 0.1, 0.1}, &seed, SEEDS, value);
  ofw_exponent a = fit(value, SEEDS, 0.0, 5), again = fit(value, SEEDS, 0.0, 5), other = fit(value, SEEDS, 0.0, 6);
  assert_bits(a.low, again.low);
  assert_bits(a.high, again.high);
  assert_true(a.low != other.low && a.high != other.high);
  assert_bits(a.fit, other.fit); /* no chance in that */
  assert_near(a.low, other.low, 0.05);
}

/* Student's quantiles from a table. */
static void test_tail(void **state)
{
  (void)state;
  static const struct {
    size_t seeds;
    double t;
  } table[] = {{2, 12.7062}, {3, 4.30265}, {4, 3.18245}, {8, 2.36462}, {9, 2.30600}, {16, 2.13145}, {31, 2.04227}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    double n = (double)table[i].seeds;
    assert_near(ofw_fit_tail(table[i].seeds), 0.5 * erfc(sqrt(n / (n - 1.0)) * table[i].t / sqrt(2.0)), 1e-6);
  }
  assert_near(ofw_fit_tail(100000), 0.025, 1e-4);
}

static void test_size_at_the_largest_horizon(void **state)
{
  (void)state;
  uint64_t seed = 5;
  double value[HORIZONS * SEEDS];
  make(&(law){1.0, 0.5, 0.0, 0.1}, &seed, SEEDS, value);
  double last = 0.0;
  for (size_t k = 0; k < SEEDS; k++)
    last += value[(HORIZONS - 1) * SEEDS + k] / SEEDS;
  assert_int_equal(fit(value, SEEDS, 0.999999 * last, 1).growth, OFW_GROWTH_FITTED);
  ofw_exponent small = fit(value, SEEDS, 1.000001 * last, 1), large = fit(value, SEEDS, 0.0, 1);
  assert_int_equal(small.growth, OFW_GROWTH_NEGLIGIBLE);
  assert_true(small.low < 0.5 && small.high > 0.5); /* small, and still it grows like sqrt(T) */
  assert_bits(small.fit, large.fit);
  assert_bits(small.low, large.low);
  assert_bits(small.high, large.high);
  /* the last horizon decides, whatever the others are */
  for (size_t k = 0; k < SEEDS; k++)
    value[(HORIZONS - 1) * SEEDS + k] = k % 2 ? 1.0 : -1.0;
  assert_int_equal(fit(value, SEEDS, 0.0, 1).growth, OFW_GROWTH_NEGLIGIBLE); /* 0 is as little as can be */
  value[(HORIZONS - 1) * SEEDS] = 0.0;
  assert_int_equal(fit(value, SEEDS, 0.0, 1).growth, OFW_GROWTH_FITTED);
  for (size_t i = 0; i < HORIZONS * SEEDS; i++)
    value[i] = -value[i];
  last = 1.0 / SEEDS;
  assert_int_equal(fit(value, SEEDS, 0.999999 * last, 1).growth, OFW_GROWTH_NEGATIVE);
  assert_int_equal(fit(value, SEEDS, 1.000001 * last, 1).growth, OFW_GROWTH_NEGLIGIBLE);
  /* of what ends below 0 no slope is told, though most of it is above */
  make(&(law){1.0, 0.5, 0.0, 0.1}, &seed, SEEDS, value);
  for (size_t k = 0; k < SEEDS; k++)
    value[(HORIZONS - 1) * SEEDS + k] = -1.0;
  for (int is_small = 0; is_small < 2; is_small++) {
    ofw_exponent below = fit(value, SEEDS, is_small ? 2.0 : 0.5, 1);
    assert_int_equal(below.growth, is_small ? OFW_GROWTH_NEGLIGIBLE : OFW_GROWTH_NEGATIVE);
    assert_true(isnan(below.fit) && isnan(below.low) && isnan(below.high));
  }
}

static void test_unknown(void **state)
{
  (void)state;
  uint64_t seed = 6;
  double value[HORIZONS * SEEDS];
  make(&(law){1.0, 0.5, 0.0, 0.1}, &seed, SEEDS, value);
  value[17] = (double)NAN;
  assert_int_equal(fit(value, SEEDS, 0.0, 1).growth, OFW_GROWTH_UNKNOWN);
  assert_int_equal(fit(value, SEEDS, 1e9, 1).growth, OFW_GROWTH_UNKNOWN);
  make(&(law){1.0, 0.5, 0.0, 0.1}, &seed, SEEDS, value);
  for (size_t i = 0; i < 3 * SEEDS; i++)
    value[i] = -1.0; /* two horizons are left */
  assert_int_equal(fit(value, SEEDS, 0.0, 1).growth, OFW_GROWTH_UNKNOWN);
}

static void test_verdicts(void **state)
{
  (void)state;
  const double nothing = (double)NAN, edge = 0.75 + OFW_FIT_SLACK;
  static const struct {
    ofw_exponent e;
    double proved; /* 0: nothing */
    ofw_verdict want;
    const char *name;
  } cases[] = {
      {{OFW_GROWTH_FITTED, 0.5, 0.6, 0.7}, 0.75, OFW_HOLDS, "holds"},
      {{OFW_GROWTH_FITTED, 0.7, 0.74, 0.79}, 0.75, OFW_HOLDS, "holds"},
      {{OFW_GROWTH_FITTED, 0.7, 0.74, 0.81}, 0.75, OFW_NOT_DECIDED, "not decided"},
      {{OFW_GROWTH_FITTED, 0.79, 0.9, 1.0}, 0.75, OFW_NOT_DECIDED, "not decided"},
      {{OFW_GROWTH_FITTED, 0.81, 0.9, 1.0}, 0.75, OFW_EXCEEDS, "exceeds"},
      {{OFW_GROWTH_FITTED, 0.81, 0.9, 1.0}, 0.0, OFW_NO_VERDICT, "-"},
      {{OFW_GROWTH_NEGLIGIBLE, 0.8, 0.9, 1.0}, 0.75, OFW_IS_NEGLIGIBLE, "negligible"},
      {{OFW_GROWTH_NEGLIGIBLE, 0, 0, 0}, 0.0, OFW_IS_NEGLIGIBLE, "negligible"},
      {{OFW_GROWTH_NEGATIVE, 0, 0, 0}, 0.75, OFW_IS_NEGATIVE, "negative"},
      {{OFW_GROWTH_NEGATIVE, 0, 0, 0}, 0.0, OFW_IS_NEGATIVE, "negative"},
      {{OFW_GROWTH_UNKNOWN, 0, 0, 0}, 0.75, OFW_NOT_DECIDED, "not decided"},
      {{OFW_GROWTH_UNKNOWN, 0, 0, 0}, 0.0, OFW_NO_VERDICT, "-"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ofw_verdict v = ofw_verdict_of(&cases[i].e, cases[i].proved > 0.0 ? cases[i].proved : nothing);
    assert_int_equal(v, cases[i].want);
    assert_string_equal(ofw_verdict_name(v), cases[i].name);
  }
  assert_int_equal(ofw_verdict_of(&(ofw_exponent){OFW_GROWTH_FITTED, 0.7, 0.7, edge}, 0.75), OFW_HOLDS);
  assert_int_equal(ofw_verdict_of(&(ofw_exponent){OFW_GROWTH_FITTED, edge, 0.9, 0.9}, 0.75), OFW_NOT_DECIDED);
}

static void test_rates(void **state)
{
  (void)state;
  static const struct {
    ofw_rate rate;
    const char *text;
  } cases[] = {
      {{0.75, 0.0}, "T^(3/4)"},
      {{0.75, 1.0}, "T^(3/4) log T"},
      {{0.75, 0.5}, "T^(3/4) sqrt(log T)"},
      {{2.0 / 3.0, 1.0}, "T^(2/3) log T"},
      {{5.0 / 6.0, 0.0}, "T^(5/6)"},
      {{11.0 / 12.0, 0.0}, "T^(11/12)"},
      {{7.0 / 8.0, 1.0}, "T^(7/8) log T"},
      {{0.5, 2.0}, "T^(1/2) (log T)^2"},
      {{1.0, 0.0}, "T^1"},
      {{0.712, 0.0}, "T^0.712"},
      {{0.5, 1.5}, "T^(1/2) (log T)^(3/2)"},
  };
  char text[OFW_RATE_TEXT];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(ofw_rate_text(cases[i].rate, text), cases[i].text);
  assert_near(ofw_rate_slope((ofw_rate){0.75, 0.0}, HORIZONS, T), 0.75, 1e-12);
  assert_true(isnan(ofw_rate_slope((ofw_rate){0.0, 1.0}, HORIZONS, T)));
  /* a logarithm adds about 1/ln T */
  double slope = ofw_rate_slope((ofw_rate){0.75, 1.0}, HORIZONS, T);
  assert_true(slope > 0.75 + 1.0 / log(T[HORIZONS - 1]) && slope < 0.75 + 1.0 / log(T[0]));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exact_power_laws),
      cmocka_unit_test(test_quantile),
      cmocka_unit_test(test_slope),
      cmocka_unit_test(test_slope_leaves_out),
      cmocka_unit_test(test_coverage),
      cmocka_unit_test(test_resamples_follow_the_seed),
      cmocka_unit_test(test_tail),
      cmocka_unit_test(test_size_at_the_largest_horizon),
      cmocka_unit_test(test_unknown),
      cmocka_unit_test(test_verdicts),
      cmocka_unit_test(test_rates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
