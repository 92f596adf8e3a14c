#include "unit/domain/oracle_check.h"

/* Over the 2^n corners. */
static long double least_corner(size_t n, const double *d, const void *set)
{
  long double radius = *(const double *)set, least = INFINITY;
  for (uint64_t corner = 0; corner < UINT64_C(1) << n; corner++) {
    long double value = 0.0L;
    for (size_t i = 0; i < n; i++)
      value += (corner >> i & 1 ? radius : -radius) * d[i];
    least = fminl(least, value);
  }
  return least;
}

static long double closed_form(size_t n, const double *d, const void *set)
{
  long double sum = 0.0L;
  for (size_t i = 0; i < n; i++)
    sum += fabsl(d[i]);
  return -*(const double *)set * sum;
}

static void the_best_corner(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 5, 8, 33, 64};
  double radius = 1.5;
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    ofw_domain *K = domain_in("linf-ball", dims[k], ",radius=1.5");
    is_least(K, 1500, dims[k] > 8 ? closed_form : least_corner, &radius);
    ofw_domain_free(K);
  }
}

static void a_tie_goes_to_the_lower_bound(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("linf-ball", 5, ",radius=0.1");
  chance c = {1};
  double d[5], v[5];
  for (int t = 0; t < 2000; t++) {
    for (size_t i = 0; i < 5; i++)
      d[i] = copysign((double)chance_below(&c, 2), chance_normal(&c)); /* -1, -0, 0 or 1 */
    ask(K, d, v);
    for (size_t i = 0; i < 5; i++)
      assert_true(v[i] == (d[i] < 0.0 ? 0.1 : -0.1));
  }
  ofw_domain_free(K);
}

static void the_ends_of_the_range(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("linf-ball", 4, ",radius=1e-100");
  double v[4];
  ask(K, (double[]){0x1p-1074, -0x1p-1074, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023}, v);
  assert_true(v[0] == -1e-100 && v[1] == 1e-100 && v[2] == -1e-100 && v[3] == 1e-100);
  ofw_domain_free(K);
}

static void radii_and_centre(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 5, 50};
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    size_t n = dims[k];
    ofw_domain *K = domain_in("linf-ball", n, ",radius=2.5");
    double far[MOST_DIM], tight[MOST_DIM] = {0}, centre[MOST_DIM];
    for (size_t i = 0; i < n; i++)
      far[i] = i % 2 ? 2.5 : -2.5;
    tight[n / 2] = 1.0;
    has_radii(K, 2.5 * sqrt((double)n), 2.5, far, tight, NULL);
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < n; i++)
      assert_true(centre[i] == 0.0);
    ofw_domain_free(K);
  }
}

static void excess_is_the_largest_overshoot(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("linf-ball", 3, "");
  assert_true(ofw_domain_excess(K, (double[]){1.0, -1.0, 0.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){1.25, -1.5, 0.0}) == 0.5);
  ofw_domain_free(K);
}

/* Play may start at the origin, since it is inside. */
static void the_origin_is_inside(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("linf-ball", 3, "");
  assert_int_equal(K->from_centre, 0);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  refuses_bad_specs("linf-ball", "radius");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_corner),
      cmocka_unit_test(a_tie_goes_to_the_lower_bound),
      cmocka_unit_test(the_ends_of_the_range),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(excess_is_the_largest_overshoot),
      cmocka_unit_test(the_origin_is_inside),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
