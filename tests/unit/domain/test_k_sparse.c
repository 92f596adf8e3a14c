#include "unit/domain/capped_check.h"

static ofw_domain *k_sparse(size_t n, size_t k, const char *rest)
{
  return capped_in("k-sparse", n, k, rest);
}

static void the_best_vertex(void **state)
{
  (void)state;
  is_least_of_vertices("k-sparse", 1, 1);
}

static void the_best_of_many_vertices(void **state)
{
  (void)state;
  is_right_in_many_dimensions("k-sparse", 1, 1);
}

/* k = 1 is the l1-ball, k = n the box. */
static void between_a_ball_and_a_box(void **state)
{
  (void)state;
  ofw_domain *pair[2][2] = {{k_sparse(6, 1, ",radius=1.5"), domain_in("l1-ball", 6, ",radius=1.5")},
                            {k_sparse(6, 6, ",radius=1.5"), domain_in("linf-ball", 6, ",radius=1.5")}};
  chance c = {4};
  double d[6], v[6], w[6];
  for (size_t k = 0; k < 2; k++) {
    assert_near(pair[k][0]->R, pair[k][1]->R, 1e-15L);
    assert_near(pair[k][0]->r, pair[k][1]->r, 1e-15L);
    for (int t = 0; t < 500; t++) {
      chance_normals(&c, 6, d);
      ask(pair[k][0], d, v);
      ask(pair[k][1], d, w);
      assert_memory_equal(v, w, sizeof v);
      assert_int_equal(ofw_domain_project(pair[k][0], d, v, NULL), OFW_OK);
      assert_int_equal(ofw_domain_project(pair[k][1], d, w, NULL), OFW_OK);
      for (size_t i = 0; i < 6; i++)
        assert_near(v[i], w[i], 1e-15L);
    }
    ofw_domain_free(pair[k][0]);
    ofw_domain_free(pair[k][1]);
  }
}

static void radii(void **state)
{
  (void)state;
  for (size_t n = 1; n <= 40; n += 3)
    for (size_t k = 1; k <= n; k += 2) {
      double a = 1.5, m = (double)n, j = (double)k, far[MOST_DIM] = {0}, tight[MOST_DIM] = {0};
      ofw_domain *K = k_sparse(n, k, ",radius=1.5");
      for (size_t i = 0; i < k; i++)
        far[n - 1 - i] = i % 2 ? a : -a;
      for (size_t i = 0; i < n; i++)
        tight[i] = j * j < m ? 1.0 / sqrt(m) : i == 0;
      has_radii(K, a * sqrt(j), a * fmin(1.0, j / sqrt(m)), far, tight, NULL);
      assert_true(!K->centre && K->from_centre == 0);
      ofw_domain_free(K);
    }
}

static void excess_looks_at_sizes_and_sum(void **state)
{
  (void)state;
  ofw_domain *K = k_sparse(3, 2, "");
  assert_true(ofw_domain_excess(K, (double[]){-0.5, 0.5, -1.0}) == 0.0);
  assert_near(ofw_domain_excess(K, (double[]){-1.0, 1.0, 1.0}), 1.0L / sqrtl(3.0L), 1e-15L);
  assert_true(ofw_domain_excess(K, (double[]){-1.5, 0.25, 0.0}) == 0.5);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  refuses_bad_capped_specs("k-sparse");
}

static void the_ends_of_the_range(void **state)
{
  (void)state;
  ofw_domain *K = k_sparse(4, 2, ",radius=1e100");
  double v[4];
  ask(K, (double[]){0x1p-1074, -0x1p-1073, 0.0, -0x1p-1074}, v); /* the first two: of equal sizes the lowest index */
  assert_true(v[0] == -1e100 && v[1] == 1e100 && v[2] == 0.0 && v[3] == 0.0);
  ask(K, (double[]){-1e300, 0x1.fffffffffffffp1023, -0x1.ffffffffffffep1023, 1.0}, v);
  assert_true(v[0] == 0.0 && v[1] == -1e100 && v[2] == 1e100 && v[3] == 0.0);
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),
      cmocka_unit_test(the_best_of_many_vertices),
      cmocka_unit_test(between_a_ball_and_a_box),
      cmocka_unit_test(radii),
      cmocka_unit_test(excess_looks_at_sizes_and_sum),
      cmocka_unit_test(the_ends_of_the_range),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
