/* The front against its definition, also with ties and unknown costs; the hypervolume against three other ways to it. */
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

/* ---- hypervolume ---- */

static double area(size_t n, const double *x, const double *y, double right, double top)
{
  double found;
  assert_int_equal(ofw_hypervolume(n, x, y, (double[]){right, top}, &found), OFW_OK);
  return found;
}

static void test_area_by_hand(void **state)
{
  (void)state;
  assert_near(area(0, NULL, NULL, 1.0, 1.0), 0.0, 0.0);
  assert_near(area(1, (double[]){-1.0}, (double[]){2.0}, 3.0, 5.0), 12.0, 0.0);
  assert_near(area(1, (double[]){3.0}, (double[]){2.0}, 3.0, 5.0), 0.0, 0.0); /* on the edge, and beyond it */
  assert_near(area(1, (double[]){1.0}, (double[]){6.0}, 3.0, 5.0), 0.0, 0.0);
  assert_near(area(1, (double[]){4.0}, (double[]){6.0}, 3.0, 5.0), 0.0, 0.0);
  const double x[] = {0.0, 1.0, 1.0, 2.0, 0.5, (double)NAN, -INFINITY}, y[] = {2.0, 1.0, 1.0, 0.0, 9.0, 0.0, 0.0};
  assert_near(area(7, x, y, 3.0, 3.0), 3.0 + 2.0 + 1.0, 0.0);
}

/* Whole numbers: squares of side 1 are dominated or not, by their lower left corner. */
static void test_area_on_a_grid(void **state)
{
  (void)state;
  uint64_t seed = 2;
  for (int trial = 0; trial < 2000; trial++) {
    enum { SIDE = 12 };
    size_t n = any_below(&seed, MOST + 1), squares = 0;
    double x[MOST], y[MOST];
    for (size_t i = 0; i < n; i++) {
      x[i] = (double)any_below(&seed, SIDE + 3) - 2.0;
      y[i] = (double)any_below(&seed, SIDE + 3) - 2.0;
    }
    for (int u = -2; u < SIDE; u++)
      for (int v = -2; v < SIDE; v++) {
        int dominated = 0;
        for (size_t i = 0; i < n; i++)
          dominated |= x[i] <= u && y[i] <= v;
        squares += (size_t)dominated;
      }
    assert_near(area(n, x, y, SIDE, SIDE), (double)squares, 0.0);
  }
}

/* Real numbers: the areas of all subsets' common rectangles, added and subtracted in turn. */
static void test_area_by_inclusion_and_exclusion(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (int trial = 0; trial < 300; trial++) {
    size_t n = 1 + any_below(&seed, 9);
    double x[10], y[10], wanted = 0.0;
    for (size_t i = 0; i < n; i++)
      x[i] = any_real(&seed), y[i] = any_real(&seed);
    for (size_t subset = 1; subset < (size_t)1 << n; subset++) {
      double left = -INFINITY, low = -INFINITY, sign = -1.0;
      for (size_t i = 0; i < n; i++)
        if (subset >> i & 1)
          left = fmax(left, x[i]), low = fmax(low, y[i]), sign = -sign;
      wanted += sign * fmax(0.0, 0.5 - left) * fmax(0.0, 0.75 - low);
    }
    assert_near(area(n, x, y, 0.5, 0.75), wanted, 1e-11);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_definition),
      cmocka_unit_test(test_area_by_hand),
      cmocka_unit_test(test_area_on_a_grid),
      cmocka_unit_test(test_area_by_inclusion_and_exclusion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
