#include "unit/domain/oracle_check.h"

static long double least_vertex(size_t n, const double *d, const void *set)
{
  long double sum = *(const double *)set, least = INFINITY;
  for (size_t i = 0; i < n; i++)
    least = fminl(least, sum * d[i]);
  return least;
}

static void the_best_vertex(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 5, 8, 33, 64};
  double sum = 2.25;
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    ofw_domain *K = domain_in("simplex", dims[k], ",sum=2.25");
    is_least(K, 2000, least_vertex, &sum);
    ofw_domain_free(K);
  }
}

static void a_tie_goes_to_the_lowest_index(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("simplex", 6, ",sum=0.7");
  chance c = {5};
  double d[6], v[6];
  for (int t = 0; t < 3000; t++) {
    size_t first = 0;
    for (size_t i = 0; i < 6; i++) {
      d[i] = copysign((double)chance_below(&c, 3), chance_normal(&c)); /* also -0, which ties with 0 */
      first = d[i] < d[first] ? i : first;
    }
    ask(K, d, v);
    for (size_t i = 0; i < 6; i++)
      assert_true(v[i] == (i == first ? 0.7 : 0.0));
  }
  ask(K, (double[6]){0}, v);
  assert_true(v[0] == 0.7);
  ofw_domain_free(K);
}

static void the_ends_of_the_range(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("simplex", 3, ",sum=1e100");
  double v[3];
  ask(K, (double[]){0x1p-1074, 0.0, -0x1p-1074}, v);
  assert_true(v[0] == 0.0 && v[1] == 0.0 && v[2] == 1e100);
  ask(K, (double[]){0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, -1e300}, v);
  assert_true(v[0] == 0.0 && v[1] == 1e100 && v[2] == 0.0);
  ofw_domain_free(K);
}

static void into_hull(size_t n, double *u)
{
  double mean = 0.0;
  for (size_t i = 0; i < n; i++)
    mean += u[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    u[i] -= mean;
}

/* The ball touches a face in its middle: straight away from a vertex. */
static void radii_and_centre(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 8, 50};
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    size_t n = dims[k];
    double s = 2.5, m = (double)n, r = n > 1 ? s / sqrt(m * (m - 1.0)) : 0.0;
    ofw_domain *K = domain_in("simplex", n, ",sum=2.5");
    double far[MOST_DIM] = {0}, tight[MOST_DIM] = {0}, centre[MOST_DIM];
    far[n - 1] = s;
    for (size_t i = 0; i < n && n > 1; i++)
      tight[i] = (i == n / 2 ? 1.0 / m - 1.0 : 1.0 / m) / sqrt((m - 1.0) / m);
    has_radii(K, s, r, far, tight, n > 1 ? into_hull : NULL);
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < n; i++)
      assert_true(centre[i] == s / m);
    assert_int_equal(K->from_centre, 1);
    ofw_domain_free(K);
  }
}

/* Too much, too little, or a negative coordinate. */
static void excess_looks_at_the_sum_and_the_signs(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("simplex", 3, ",sum=2");
  assert_true(ofw_domain_excess(K, (double[]){0.5, 0.5, 1.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){0.0, 0.0, 0.0}) == 2.0);
  assert_true(ofw_domain_excess(K, (double[]){1.0, 1.0, 1.0}) == 1.0);
  assert_true(ofw_domain_excess(K, (double[]){1.5, 1.0, -0.5}) == 0.5);
  ofw_domain_free(K);
}

static void the_default_sum_is_1(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("simplex", 4, "");
  double v[4];
  assert_true(K->R == 1.0);
  assert_true(ask(K, (double[]){3.0, 1.0, 2.0, 4.0}, v) == 1.0L);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  refuses_bad_specs("simplex", "sum");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),
      cmocka_unit_test(a_tie_goes_to_the_lowest_index),
      cmocka_unit_test(the_ends_of_the_range),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(excess_looks_at_the_sum_and_the_signs),
      cmocka_unit_test(the_default_sum_is_1),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
