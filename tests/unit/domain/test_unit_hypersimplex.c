#include "unit/domain/capped_check.h"

static ofw_domain *unit_hypersimplex(size_t n, size_t k, const char *rest)
{
  return capped_in("unit-hypersimplex", n, k, rest);
}

static void the_best_vertex(void **state)
{
  (void)state;
  is_least_of_vertices("unit-hypersimplex", 1, 0);
}

static void the_best_of_many_vertices(void **state)
{
  (void)state;
  is_right_in_many_dimensions("unit-hypersimplex", 1, 0);
}

/* The ball touches the axes' planes, and with them the slanted facet or the caps. */
static void radii_and_centre(void **state)
{
  (void)state;
  for (size_t n = 1; n <= 40; n += 3)
    for (size_t k = 1; k <= n; k += 2) {
      double a = 1.5, m = (double)n, j = (double)k, far[MOST_DIM] = {0}, tight[MOST_DIM] = {0}, centre[MOST_DIM];
      double slanted = a * j / (m + sqrt(m)), r = fmin(slanted, a / 2.0);
      ofw_domain *K = unit_hypersimplex(n, k, ",radius=1.5");
      for (size_t i = 0; i < k; i++)
        far[n - 1 - i] = a;
      tight[n / 2] = -1.0;
      has_radii(K, a * sqrt(j), r, far, tight, NULL);
      tight[n / 2] = slanted < a / 2.0 ? 0.0 : 1.0;
      for (size_t i = 0; i < n && slanted < a / 2.0; i++)
        tight[i] = 1.0 / sqrt(m);
      has_radii(K, a * sqrt(j), r, far, tight, NULL);
      ofw_domain_centre(K, centre);
      for (size_t i = 0; i < n; i++)
        assert_near(centre[i], r, 1e-15L);
      assert_true(K->from_centre == 0 && K->normals == 0);
      ofw_domain_free(K);
    }
}

static void excess_looks_at_bounds_and_sum(void **state)
{
  (void)state;
  ofw_domain *K = unit_hypersimplex(3, 2, "");
  assert_true(ofw_domain_excess(K, (double[]){0.5, 0.5, 1.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){0.0, 0.0, 0.0}) == 0.0);
  assert_near(ofw_domain_excess(K, (double[]){1.0, 1.0, 1.0}), 1.0L / sqrtl(3.0L), 1e-15L);
  assert_true(ofw_domain_excess(K, (double[]){1.5, 0.25, 0.0}) == 0.5);
  assert_true(ofw_domain_excess(K, (double[]){1.0, 0.5, -0.25}) == 0.25);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  refuses_bad_capped_specs("unit-hypersimplex");
}

static void the_ends_of_the_range(void **state)
{
  (void)state;
  at_the_ends_of_the_range("unit-hypersimplex");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),       cmocka_unit_test(the_best_of_many_vertices),
      cmocka_unit_test(radii_and_centre),      cmocka_unit_test(excess_looks_at_bounds_and_sum),
      cmocka_unit_test(the_ends_of_the_range), cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
