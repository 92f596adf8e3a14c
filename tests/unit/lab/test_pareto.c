/* The front against its definition, also with ties and unknown costs. */
#include "unit/base/check.h"

#include "lab/pareto.h"

enum { MOST = 40 };

static int beats(double x, double y, double u, double v)
{
  return x <= u && y <= v && (x < u || y < v);
}

static void test_against_definition(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int trial = 0; trial < 5000; trial++) {
    size_t n = any_below(&seed, MOST + 1), grid = trial % 2 ? 6 : 1000; /* few values: many ties */
    double x[MOST], y[MOST];
    unsigned char front[MOST];
    for (size_t i = 0; i < n; i++) {
      x[i] = any_below(&seed, 20) ? (double)any_below(&seed, grid) : (double)NAN;
      y[i] = any_below(&seed, 20) ? (double)any_below(&seed, grid) - 3.0 : any_below(&seed, 2) ? INFINITY : (double)NAN;
    }
    assert_int_equal(ofw_pareto(n, x, y, front), OFW_OK);
    for (size_t i = 0; i < n; i++) {
      int want = !isnan(x[i]) && !isnan(y[i]);
      for (size_t k = 0; k < n; k++)
        want = want && !beats(x[k], y[k], x[i], y[i]);
      assert_int_equal(front[i], want);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_definition)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
