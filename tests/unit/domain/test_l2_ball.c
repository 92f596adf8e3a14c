#include "unit/domain/oracle_check.h"

static long double closed_form(size_t n, const double *d, const void *set)
{
  return -*(const double *)set * slow_norm(n, d);
}

static void the_closed_form(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 5, 8, 33, 64};
  double radius = 0.75;
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    ofw_domain *K = domain_in("l2-ball", dims[k], ",radius=0.75");
    is_least(K, 2000, closed_form, &radius);
    ofw_domain_free(K);
  }
}

/* Random points of the sphere and of the ball, not made by the oracle, are no better. */
static void no_point_of_the_ball_is_better(void **state)
{
  (void)state;
  chance c = {2};
  double d[7], v[7], y[7];
  ofw_domain *K = domain_in("l2-ball", 7, ",radius=2");
  for (int t = 0; t < 4000; t++) {
    random_direction(&c, 7, d);
    long double got = ask(K, d, v);
    chance_normals(&c, 7, y);
    double stretch = 2.0 / (double)slow_norm(7, y) * (t % 2 ? 1.0 : chance_unit(&c));
    for (size_t i = 0; i < 7; i++)
      y[i] *= stretch;
    assert_true(ofw_domain_excess(K, y) <= 1e-15);
    assert_at_most(got, slow_dot(7, d, y) + 1e-13L * slow_norm(7, d));
  }
  ofw_domain_free(K);
}

/* v = -a d/|d| itself, not only a point with the same value. */
static void the_atom_is_opposite_to_d(void **state)
{
  (void)state;
  chance c = {3};
  double d[9], v[9];
  ofw_domain *K = domain_in("l2-ball", 9, ",radius=5");
  for (int t = 0; t < 3000; t++) {
    random_direction(&c, 9, d);
    if (slow_norm(9, d) == 0.0L)
      continue;
    ask(K, d, v);
    for (size_t i = 0; i < 9; i++)
      assert_near(v[i], -5.0L * d[i] / slow_norm(9, d), 1e-12L);
  }
  ofw_domain_free(K);
}

static void the_zero_direction_gives_the_centre(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("l2-ball", 3, "");
  double v[3];
  assert_true(ask(K, (double[]){0.0, -0.0, 0.0}, v) == 0.0L);
  assert_true(v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0);
  ofw_domain_free(K);
}

/* |d| is a whole number of the least denormal, so it cannot be right to more than one digit; v must still be in K. */
static void the_least_denormals_stay_in_the_ball(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("l2-ball", 2, "");
  double v[2];
  assert_near(ask(K, (double[]){0x1p-1074, 0x1p-1074}, v), -sqrtl(2.0L) * 0x1p-1074L, 1e-13L * 0x1p-1074L);
  ask(K, (double[]){0x1p-1074, -0x1p-1071}, v);
  ofw_domain_free(K);
}

/* Finite numbers whose length is not: v is still on the sphere, not at the centre. */
static void a_length_beyond_the_range(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("l2-ball", 2, "");
  double v[2];
  ask(K, (double[]){1.7e308, -1.7e308}, v);
  assert_near(v[0], -sqrt(0.5), 1e-14L);
  assert_near(v[1], sqrt(0.5), 1e-14L);
  ofw_domain_free(K);
}

static void radii_and_centre(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 7, 50};
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    size_t n = dims[k];
    ofw_domain *K = domain_in("l2-ball", n, ",radius=1.5");
    double far[MOST_DIM], tight[MOST_DIM] = {0}, centre[MOST_DIM];
    for (size_t i = 0; i < n; i++)
      far[i] = 1.5 / sqrt((double)n);
    tight[n - 1] = -1.0;
    has_radii(K, 1.5, 1.5, far, tight, NULL);
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < n; i++)
      assert_true(centre[i] == 0.0);
    ofw_domain_free(K);
  }
}

static void excess_is_the_surplus_of_the_norm(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("l2-ball", 2, ",radius=4");
  assert_true(ofw_domain_excess(K, (double[]){0.0, -4.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){3.0, -4.0}) == 1.0);
  assert_near(ofw_domain_excess(K, (double[]){3e200, -4e200}), 5e200L, 1e186L);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  refuses_bad_specs("l2-ball", "radius");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_closed_form),
      cmocka_unit_test(no_point_of_the_ball_is_better),
      cmocka_unit_test(the_atom_is_opposite_to_d),
      cmocka_unit_test(the_zero_direction_gives_the_centre),
      cmocka_unit_test(the_least_denormals_stay_in_the_ball),
      cmocka_unit_test(a_length_beyond_the_range),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(excess_is_the_surplus_of_the_norm),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
