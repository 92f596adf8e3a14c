#include "unit/domain/oracle_check.h"

static long double least_vertex(size_t n, const double *d, const void *set)
{
  long double sum = *(const double *)set, least = 0.0L;
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
    ofw_domain *K = domain_in("unit-simplex", dims[k], ",sum=2.25");
    is_least(K, 2000, least_vertex, &sum);
    ofw_domain_free(K);
  }
}

/* The lowest index; the origin where no coordinate is worth it. */
static void ties(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("unit-simplex", 6, ",sum=0.7");
  chance c = {5};
  double d[6], v[6];
  for (int t = 0; t < 3000; t++) {
    size_t first = 0;
    for (size_t i = 0; i < 6; i++) {
      d[i] = t ? copysign((double)chance_below(&c, 3), chance_normal(&c)) : 0.0;
      first = d[i] < d[first] ? i : first;
    }
    ask(K, d, v);
    for (size_t i = 0; i < 6; i++)
      assert_true(v[i] == (i == first && d[i] < 0.0 ? 0.7 : 0.0));
  }
  ofw_domain_free(K);
}

static void the_ends_of_the_range(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("unit-simplex", 3, ",sum=1e100");
  double v[3];
  ask(K, (double[]){0x1p-1074, 0.0, -0x1p-1074}, v);
  assert_true(v[0] == 0.0 && v[1] == 0.0 && v[2] == 1e100);
  ask(K, (double[]){0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, -1e300}, v);
  assert_true(v[0] == 0.0 && v[1] == 1e100 && v[2] == 0.0);
  ofw_domain_free(K);
}

/* The ball touches every facet. */
static void radii_and_centre(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 8, 50};
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    size_t n = dims[k];
    double s = 2.5, m = (double)n, r = s / (m + sqrt(m)), far[MOST_DIM] = {0}, tight[MOST_DIM] = {0};
    double centre[MOST_DIM];
    ofw_domain *K = domain_in("unit-simplex", n, ",sum=2.5");
    far[n - 1] = s;
    tight[n / 2] = -1.0;
    has_radii(K, s, r, far, tight, NULL);
    for (size_t i = 0; i < n; i++)
      tight[i] = 1.0 / sqrt(m);
    has_radii(K, s, r, far, tight, NULL);
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < n; i++)
      assert_true(centre[i] == r);
    assert_true(K->from_centre == 0 && K->normals == 0);
    ofw_domain_free(K);
  }
}

static void excess_looks_at_the_sum_and_the_signs(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("unit-simplex", 3, ",sum=2");
  assert_true(ofw_domain_excess(K, (double[]){0.5, 0.5, 1.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){0.0, 0.0, 0.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){1.0, 1.0, 1.0}) == 1.0);
  assert_true(ofw_domain_excess(K, (double[]){0.5, 1.0, -0.5}) == 0.5);
  ofw_domain_free(K);
}

/* Into the orthant where that is enough, else onto the simplex. */
static void projections(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("unit-simplex", 4, ",sum=2"), *simplex = domain_in("simplex", 4, ",sum=2");
  chance c = {9};
  double y[4], x[4], want[4];
  for (int t = 0; t < 2000; t++) {
    double sum = 0.0;
    for (size_t i = 0; i < 4; i++) {
      y[i] = t % 3 ? chance_normal(&c) * (t % 5) : (double)chance_below(&c, 5) - 2.0;
      sum += want[i] = fmax(0.0, y[i]);
    }
    if (sum > 2.0)
      assert_int_equal(ofw_domain_project(simplex, y, want, NULL), OFW_OK);
    assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
    for (size_t i = 0; i < 4; i++)
      assert_near(x[i], want[i], 1e-15L);
  }
  ofw_domain_free(K);
  ofw_domain_free(simplex);
}

static void bad_specs(void **state)
{
  (void)state;
  refuses_bad_specs("unit-simplex", "sum");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),
      cmocka_unit_test(ties),
      cmocka_unit_test(the_ends_of_the_range),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(excess_looks_at_the_sum_and_the_signs),
      cmocka_unit_test(projections),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
