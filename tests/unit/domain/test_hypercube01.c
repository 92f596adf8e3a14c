#include "unit/domain/oracle_check.h"

/* Over the 2^n corners in few dimensions, else coordinate by coordinate. */
static long double least_corner(size_t n, const double *d, const void *set)
{
  (void)set;
  long double least = INFINITY, apart = 0.0L;
  for (size_t i = 0; i < n; i++)
    apart += fminl(d[i], 0.0L);
  for (uint64_t corner = 0; n <= 8 && corner < UINT64_C(1) << n; corner++) {
    long double value = 0.0L;
    for (size_t i = 0; i < n; i++)
      value += corner >> i & 1 ? d[i] : 0.0;
    least = fminl(least, value);
  }
  return n <= 8 ? least : apart;
}

static void the_best_corner(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 5, 8, 33, 64};
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    ofw_domain *K = domain_in("hypercube01", dims[k], "");
    is_least(K, 2000, least_corner, NULL);
    ofw_domain_free(K);
  }
}

static void a_tie_goes_to_0(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("hypercube01", 4, "");
  double v[4];
  ask(K, (double[]){0.0, -0.0, 0x1p-1074, -0x1p-1074}, v);
  assert_true(v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0 && v[3] == 1.0);
  ofw_domain_free(K);
}

static void radii_and_centre(void **state)
{
  (void)state;
  for (size_t n = 1; n <= 40; n += 3) {
    double far[MOST_DIM], tight[MOST_DIM] = {0}, centre[MOST_DIM];
    ofw_domain *K = domain_in("hypercube01", n, "");
    for (size_t i = 0; i < n; i++)
      far[i] = 1.0;
    tight[n / 2] = -1.0;
    has_radii(K, sqrt((double)n), 0.5, far, tight, NULL);
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < n; i++)
      assert_true(centre[i] == 0.5);
    assert_int_equal(K->from_centre, 0);
    ofw_domain_free(K);
  }
}

static void excess_is_the_largest_overshoot(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("hypercube01", 2, "");
  assert_true(ofw_domain_excess(K, (double[]){0.0, 1.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){-0.25, 1.5}) == 0.5);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("hypercube01", "", ": dim is required (dimension n)");
  misused("hypercube01", ":dim=0", ": dim=0 is not in [1, 1e+12]");
  misused("hypercube01", ":dim=2,radius=1", ": no option 'radius'; its options: dim");
  misused("hypercube01", ":dim=two", ": dim=two is not a whole number >= 0");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_corner),  cmocka_unit_test(a_tie_goes_to_0),
      cmocka_unit_test(radii_and_centre), cmocka_unit_test(excess_is_the_largest_overshoot),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
