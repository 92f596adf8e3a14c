#include "unit/domain/capped_check.h"

static ofw_domain *hypersimplex(size_t n, size_t k, const char *rest)
{
  return capped_in("hypersimplex", n, k, rest);
}

static void the_best_vertex(void **state)
{
  (void)state;
  is_least_of_vertices("hypersimplex", 0, 0);
}

static void the_best_of_many_vertices(void **state)
{
  (void)state;
  is_right_in_many_dimensions("hypersimplex", 0, 0);
}

/* Many coordinates: a dense atom, and numbers that differ in their last bit alone. */
static void many_coordinates(void **state)
{
  (void)state;
  enum { N = 3000, K_OF = 1000 };
  ofw_domain *K = hypersimplex(N, K_OF, "");
  double *d = room_for(N), *v = room_for(N);
  size_t from = 1234, ones = 0;
  for (size_t i = 0; i < N; i++) /* the least are at from, from + 1, .. around the end */
    d[i] = 1.0 + 0x1p-52 * (double)((i + N - from) % N);
  ask(K, d, v);
  for (size_t i = 0; i < N; i++) {
    assert_true(v[i] == ((i + N - from) % N < K_OF ? 1.0 : 0.0));
    ones += v[i] == 1.0;
  }
  assert_int_equal(ones, K_OF);
  free(d);
  free(v);
  ofw_domain_free(K);
}

static void radii_and_centre(void **state)
{
  (void)state;
  for (size_t n = 2; n <= 40; n += 3)
    for (size_t k = 1; k < n; k += 2) {
      double a = 1.5, m = (double)n, j = (double)k, far[MOST_DIM] = {0}, tight[MOST_DIM], centre[MOST_DIM];
      ofw_domain *K = hypersimplex(n, k, ",radius=1.5");
      for (size_t i = 0; i < k; i++)
        far[n - 1 - i] = a;
      along_in_hull(n, n / 2, 2 * k <= n ? -1.0 : 1.0, tight); /* towards the nearer bound */
      has_radii(K, a * sqrt(j), a * fmin(j, m - j) / sqrt(m * (m - 1.0)), far, tight, into_hull_of_sum);
      ofw_domain_centre(K, centre);
      for (size_t i = 0; i < n; i++)
        assert_near(centre[i], a * j / m, 1e-15L);
      assert_true(K->from_centre == 1 && K->normals == 1);
      ofw_domain_free(K);
    }
}

/* k = n: nothing can move. */
static void a_single_point(void **state)
{
  (void)state;
  ofw_domain *K = hypersimplex(3, 3, ",radius=2");
  double v[3];
  assert_true(K->r == 0.0);
  assert_true(ask(K, (double[]){1.0, -5.0, 0.0}, v) == -8.0L);
  assert_int_equal(ofw_domain_project(K, (double[]){9.0, -9.0, 1e300}, v, NULL), OFW_OK);
  assert_true(v[0] == 2.0 && v[1] == 2.0 && v[2] == 2.0);
  ofw_domain_free(K);
}

static void excess_looks_at_bounds_and_sum(void **state)
{
  (void)state;
  ofw_domain *K = hypersimplex(3, 2, "");
  assert_true(ofw_domain_excess(K, (double[]){0.5, 0.5, 1.0}) == 0.0);
  assert_near(ofw_domain_excess(K, (double[]){0.0, 0.0, 0.0}), 2.0L / sqrtl(3.0L), 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){1.0, 1.0, 1.0}), 1.0L / sqrtl(3.0L), 1e-15L);
  assert_true(ofw_domain_excess(K, (double[]){1.5, 0.5, 0.0}) == 0.5);
  assert_true(ofw_domain_excess(K, (double[]){1.0, 1.25, -0.25}) == 0.25);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  refuses_bad_capped_specs("hypersimplex");
}

static void the_ends_of_the_range(void **state)
{
  (void)state;
  at_the_ends_of_the_range("hypersimplex");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),       cmocka_unit_test(the_best_of_many_vertices),
      cmocka_unit_test(many_coordinates),      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(a_single_point),        cmocka_unit_test(excess_looks_at_bounds_and_sum),
      cmocka_unit_test(the_ends_of_the_range), cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
