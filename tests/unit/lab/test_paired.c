/* The paired test against every choice of signs taken one by one, numbers known from tables, and Holm's rule */
#include "unit/base/check.h"

#include "lab/paired.h"

enum { MOST = 40 };

static ofw_paired paired(size_t n, const double *a, const double *b)
{
  ofw_paired out;
  assert_int_equal(ofw_paired_of(n, a, b, 7, &out), OFW_OK);
  return out;
}

/* Integers, whose sums are exact. */
static double by_definition(size_t n, const double *a, const double *b)
{
  size_t all = (size_t)1 << n, count = 0;
  double seen = 0.0;
  for (size_t k = 0; k < n; k++)
    seen += a[k] - b[k];
  for (size_t signs = 0; signs < all; signs++) {
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
      sum += signs >> k & 1 ? b[k] - a[k] : a[k] - b[k];
    count += fabs(sum) >= fabs(seen);
  }
  return (double)count / (double)all;
}

static void test_against_definition(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int trial = 0; trial < 400; trial++) {
    size_t n = 1 + any_below(&seed, 12), most = trial % 2 ? 4 : 1000;
    double a[MOST], b[MOST];
    for (size_t k = 0; k < n; k++) {
      a[k] = (double)any_below(&seed, most);
      b[k] = (double)any_below(&seed, most);
    }
    ofw_paired got = paired(n, a, b), back = paired(n, b, a);
    assert_near(got.p, by_definition(n, a, b), 1e-15);
    assert_int_equal(got.n, n);
    assert_bits(got.p, back.p);
    assert_near(got.mean, -back.mean, 0.0);
  }
}

static void test_all_on_one_side(void **state)
{
  (void)state;
  double a[10], b[10];
  for (int k = 0; k < 10; k++) {
    a[k] = 1.0 + 0.1 * k;
    b[k] = 3.0 + 0.3 * k;
  }
  ofw_paired got = paired(10, a, b);
  assert_near(got.p, 2.0 / 1024.0, 1e-15);
  assert_near(got.mean, -2.9, 1e-14);
  assert_near(got.deviation, 0.2 * sqrt(82.5 / 9.0), 1e-14);
  assert_near(got.effect, got.mean / got.deviation, 1e-14);
}

static void test_nothing_differs(void **state)
{
  (void)state;
  double a[] = {1.0, 2.0, NAN}, b[] = {1.0, 2.0, 5.0};
  ofw_paired got = paired(3, a, b), none = paired(0, a, b), unknown = paired(1, a + 2, b + 2);
  assert_int_equal(got.n, 2);
  assert_near(got.p, 1.0, 0.0);
  assert_near(got.effect, 0.0, 0.0);
  assert_true(none.n == 0 && unknown.n == 0 && none.p == 1.0 && unknown.p == 1.0);
  assert_true(isnan(none.mean) && isnan(unknown.mean) && isnan(unknown.effect));
}

/* More games than are taken one by one: the same p but for what 100 000 choices can tell. */
static void test_many_games(void **state)
{
  (void)state;
  uint64_t seed = 3;
  double a[MOST], b[MOST] = {0}, spread = 0.0, sum = 0.0;
  for (size_t k = 0; k < MOST; k++) {
    a[k] = any_real(&seed) + 0.15;
    sum += a[k];
    spread += a[k] * a[k];
  }
  ofw_paired got = paired(MOST, a, b);
  double normal = erfc(fabs(sum) / sqrt(2.0 * spread));
  assert_near(got.p, normal, 0.02);
  for (size_t k = 0; k < MOST; k++)
    a[k] = 1.0;
  assert_near(paired(MOST, a, b).p, 1.0 / 100001.0, 1e-12);
}

static void test_holm(void **state)
{
  (void)state;
  double p[] = {0.01, 0.04, 0.03, 0.005}, one[] = {0.2}, large[] = {0.9, 0.6};
  const double want[] = {0.03, 0.06, 0.06, 0.02}; /* 3 * 0.01, .., 2 * 0.03, 4 * 0.005 */
  assert_int_equal(ofw_holm(4, p), OFW_OK);
  for (int i = 0; i < 4; i++)
    assert_near(p[i], want[i], 1e-15);
  assert_int_equal(ofw_holm(1, one), OFW_OK);
  assert_near(one[0], 0.2, 0.0);
  assert_int_equal(ofw_holm(2, large), OFW_OK);
  assert_true(large[0] == 1.0 && large[1] == 1.0);
  assert_int_equal(ofw_holm(0, NULL), OFW_OK);
}

/* All differences on one side: no p is below it. One seed fewer than are said to do cannot decide. */
static void test_how_many_games_decide(void **state)
{
  (void)state;
  double a[MOST], b[MOST] = {0};
  for (size_t k = 0; k < MOST; k++)
    a[k] = 1.0;
  for (size_t n = 0; n <= 24; n++)
    assert_near(ofw_paired_least(n), paired(n, a, b).p, 1e-15);
  static const struct {
    size_t tests, games;
  } cases[] = {{1, 6}, {2, 7}, {9, 9}, {25, 10}, {26, 11}, {250, 14}, {26214, 20}, {26215, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(ofw_paired_games(cases[i].tests), cases[i].games);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_definition),
      cmocka_unit_test(test_all_on_one_side),
      cmocka_unit_test(test_nothing_differs),
      cmocka_unit_test(test_many_games),
      cmocka_unit_test(test_holm),
      cmocka_unit_test(test_how_many_games_decide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
