#include "unit/domain/oracle_check.h"

/* Over the 2n vertices +-a e_i. */
static long double least_vertex(size_t n, const double *d, const void *set)
{
  long double radius = *(const double *)set, least = INFINITY;
  for (size_t i = 0; i < n; i++)
    for (int sign = -1; sign <= 1; sign += 2)
      least = fminl(least, sign * radius * d[i]);
  return least;
}

static void the_best_vertex(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 5, 8, 33, 64};
  double radius = 3.25;
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    ofw_domain *K = domain_in("l1-ball", dims[k], ",radius=3.25");
    assert_int_equal(ofw_domain_dim(K), dims[k]);
    is_least(K, 2000, least_vertex, &radius);
    ofw_domain_free(K);
  }
}

/* The atom is one coordinate, +-a to the last bit, at the first of the largest |d_i|. */
static void a_tie_goes_to_the_lowest_index(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("l1-ball", 6, ",radius=0.3");
  chance c = {5};
  double d[6], v[6];
  for (int t = 0; t < 3000; t++) {
    size_t first = 0;
    for (size_t i = 0; i < 6; i++) {
      d[i] = (double)chance_below(&c, 7) - 3.0;
      first = fabs(d[i]) > fabs(d[first]) ? i : first;
    }
    ask(K, d, v);
    for (size_t i = 0; i < 6; i++)
      assert_true(i == first ? (d[i] == 0.0 ? fabs(v[i]) == 0.3 : v[i] == (d[i] > 0.0 ? -0.3 : 0.3)) : v[i] == 0.0);
  }
  ofw_domain_free(K);
}

static void the_zero_direction_gives_a_vertex(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("l1-ball", 3, "");
  double d[3] = {0}, v[3];
  assert_true(ask(K, d, v) == 0.0L);
  assert_true(fabs(v[0]) == 1.0 && v[1] == 0.0 && v[2] == 0.0);
  ofw_domain_free(K);
}

/* The smallest and the largest doubles there are. */
static void the_ends_of_the_range(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("l1-ball", 3, ",radius=1e100");
  double v[3];
  ask(K, (double[]){0x1p-1074, -0x1p-1073, 0.0}, v);
  assert_true(v[0] == 0.0 && v[1] == 1e100 && v[2] == 0.0);
  ask(K, (double[]){-1.0, 0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023}, v);
  assert_true(v[0] == 0.0 && v[1] == -1e100 && v[2] == 0.0);
  ofw_domain_free(K);
}

static void radii_and_centre(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 9, 50};
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    size_t n = dims[k];
    ofw_domain *K = domain_in("l1-ball", n, ",radius=2.5");
    double far[MOST_DIM] = {0}, tight[MOST_DIM], centre[MOST_DIM];
    far[n / 2] = -2.5;
    for (size_t i = 0; i < n; i++)
      tight[i] = (i % 2 ? 1.0 : -1.0) / sqrt((double)n);
    has_radii(K, 2.5, 2.5 / sqrt((double)n), far, tight, NULL);
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < n; i++)
      assert_true(centre[i] == 0.0);
    ofw_domain_free(K);
  }
}

static void excess_is_the_surplus_of_the_norm(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("l1-ball", 3, ",radius=2");
  assert_true(ofw_domain_excess(K, (double[]){1.0, -1.0, 0.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){0.0, 0.0, 0.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){1.0, -1.5, 0.25}) == 0.75);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  refuses_bad_specs("l1-ball", "radius");
  refused("", OFW_USAGE, "no domain ''; see 'ofw list'");
  refused("klein-bottle:dim=3", OFW_USAGE, "no domain 'klein-bottle'; see 'ofw list'");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),
      cmocka_unit_test(a_tie_goes_to_the_lowest_index),
      cmocka_unit_test(the_zero_direction_gives_a_vertex),
      cmocka_unit_test(the_ends_of_the_range),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(excess_is_the_surplus_of_the_norm),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
