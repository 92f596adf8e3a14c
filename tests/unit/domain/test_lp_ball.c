#include "unit/domain/oracle_check.h"

typedef struct norm {
  long double p, radius;
} norm;

static const double exponents[] = {1.0, 1.0 + 1e-9, 1.01, 1.5, 2.0, 2.5, 3.0, 20.0, 1e6, 1e300};
enum { EXPONENTS = sizeof exponents / sizeof *exponents };

static ofw_domain *ball_of(size_t n, double p, double radius)
{
  char spec[TEXT], number[2][OFW_REAL_TEXT];
  say(spec, "lp-ball:dim=%zu,p=%s,radius=%s", n, ofw_print_real(p, number[0]), ofw_print_real(radius, number[1]));
  return domain_of(spec);
}

/* ln(|x| / most) */
static long double log_ratio(double x, long double most)
{
  long double size = fabsl(x);
  return size > most / 2 ? log1pl((size - most) / most) : logl(size / most);
}

/* |x|_p; a long double's range holds the p-th powers of ratios, or they do not count. */
static long double slow_p_norm(size_t n, const double *x, long double p)
{
  long double most = 0.0L, sum = 0.0L;
  for (size_t i = 0; i < n; i++)
    most = fmaxl(most, fabsl(x[i]));
  for (size_t i = 0; i < n && most > 0.0L; i++)
    sum += x[i] != 0.0 ? expl(p * log_ratio(x[i], most)) : 0.0L;
  return most > 0.0L ? most * powl(sum, 1.0L / p) : 0.0L;
}

/* By duality: -a |d|_q; q = infinity is the largest |d_i|. */
static long double dual(size_t n, const double *d, const void *set)
{
  const norm *s = set;
  long double most = 0.0L;
  for (size_t i = 0; i < n; i++)
    most = fmaxl(most, fabsl(d[i]));
  return -s->radius * (s->p == 1.0L ? most : slow_p_norm(n, d, s->p / (s->p - 1.0L)));
}

static void the_dual_norm(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 8, 33};
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++)
    for (size_t e = 0; e < EXPONENTS; e++) {
      norm s = {exponents[e], 1.75L};
      ofw_domain *K = ball_of(dims[k], exponents[e], 1.75);
      is_least(K, 1000, dual, &s);
      ofw_domain_free(K);
    }
}

/* Random points of the sphere and of the ball, not made by the oracle, are no better. */
static void no_point_of_the_ball_is_better(void **state)
{
  (void)state;
  chance c = {2};
  double d[7], v[7], y[7];
  for (size_t e = 0; e < EXPONENTS; e++) {
    ofw_domain *K = ball_of(7, exponents[e], 2.0);
    for (int t = 0; t < 2000; t++) {
      random_direction(&c, 7, d);
      long double got = ask(K, d, v);
      chance_normals(&c, 7, y);
      double stretch = 2.0 / (double)slow_p_norm(7, y, exponents[e]) * (t % 2 ? 1.0 : chance_unit(&c));
      for (size_t i = 0; i < 7; i++)
        y[i] *= stretch;
      assert_at_most(ofw_domain_excess(K, y), 1e-14L);
      assert_at_most(got, slow_dot(7, d, y) + 1e-13L * slow_norm(7, d));
    }
    ofw_domain_free(K);
  }
}

/* The atom itself: for p near 1 a large power of each ratio, for a large p a root of it. */
static void the_formula(void **state)
{
  (void)state;
  static const double near_tie[] = {1.0, 1.0 - 1e-10, -1.0 - 3e-11, 0.5, -1e-3, 0.0};
  static const double far_apart[] = {1e300, -1e-310, 0.0, 1.0, -1e299, 1e-160};
  chance c = {3};
  double d[6], v[6];
  for (size_t e = 1; e < EXPONENTS; e++) {
    ofw_domain *K = ball_of(6, exponents[e], 3.0);
    long double p = exponents[e], q = p / (p - 1.0L);
    for (int t = 0; t < 1000; t++) {
      random_direction(&c, 6, d);
      for (size_t i = 0; i < 6 && t < 2; i++)
        d[i] = (t ? far_apart : near_tie)[i];
      long double most = 0.0L, want[6] = {0}, sum = 0.0L;
      for (size_t i = 0; i < 6; i++)
        most = fmaxl(most, fabsl(d[i]));
      for (size_t i = 0; i < 6; i++)
        if (d[i] != 0.0) {
          want[i] = expl((q - 1.0L) * log_ratio(d[i], most));
          sum += expl(q * log_ratio(d[i], most));
        }
      ask(K, d, v);
      for (size_t i = 0; i < 6; i++)
        assert_near(v[i], most > 0.0L ? -copysignl(3.0L * want[i] / powl(sum, 1.0L / p), d[i]) : 0.0L, 1e-13L);
    }
    ofw_domain_free(K);
  }
}

static void it_is_the_balls_with_names(void **state)
{
  (void)state;
  chance c = {4};
  double d[5], v[5], w[5];
  for (int p = 1; p <= 2; p++) {
    ofw_domain *K = ball_of(5, p, 0.7), *named = domain_in(p == 1 ? "l1-ball" : "l2-ball", 5, ",radius=0.7");
    assert_true(K->R == named->R);
    assert_true(K->r == named->r);
    for (int t = 0; t < 500; t++) {
      random_direction(&c, 5, d);
      ask(K, d, v);
      ask(named, d, w);
      assert_memory_equal(v, w, sizeof v);
      assert_int_equal(ofw_domain_project(K, d, v, NULL), OFW_OK);
      assert_int_equal(ofw_domain_project(named, d, w, NULL), OFW_OK);
      assert_memory_equal(v, w, sizeof v);
    }
    ofw_domain_free(K);
    ofw_domain_free(named);
  }
}

static void other_exponents_have_no_projection(void **state)
{
  (void)state;
  ofw_error err = {0};
  double x[2];
  ofw_domain *K = ball_of(2, 3.0, 1.0);
  assert_int_equal(ofw_domain_project(K, (double[]){1.0, 2.0}, x, &err), OFW_UNSUPPORTED);
  assert_string_equal(err.message, "no projection onto lp-ball:dim=2,p=3,radius=1 is known");
  ofw_domain_free(K);
}

static void zeros(void **state)
{
  (void)state;
  double v[3];
  for (size_t e = 1; e < EXPONENTS; e++) {
    ofw_domain *K = ball_of(3, exponents[e], 2.0);
    assert_true(ask(K, (double[]){0.0, -0.0, 0.0}, v) == 0.0L);
    assert_true(v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0);
    ask(K, (double[]){0.0, -0x1p-1074, 0.0}, v);
    assert_true(v[0] == 0.0 && v[1] == 2.0 && v[2] == 0.0);
    ofw_domain_free(K);
  }
}

/* On an axis and along the diagonal: which is far and which tight depends on whether p is below 2. */
static void radii_and_centre(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 7, 50};
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++)
    for (size_t e = 0; e < EXPONENTS; e++) {
      size_t n = dims[k];
      double p = exponents[e], other = 1.5 * pow((double)n, 0.5 - 1.0 / p), side = 1.0 / sqrt((double)n);
      ofw_domain *K = ball_of(n, p, 1.5);
      double axis[MOST_DIM] = {0}, diagonal[MOST_DIM], far[MOST_DIM];
      axis[n - 1] = -1.0;
      for (size_t i = 0; i < n; i++) {
        diagonal[i] = side;
        far[i] = p < 2.0 ? 1.5 * axis[i] : other * side;
      }
      if (p < 2.0)
        has_radii(K, 1.5, other, far, diagonal, NULL);
      else
        has_radii(K, other, 1.5, far, axis, NULL);
      assert_null(K->centre);
      ofw_domain_free(K);
    }
}

static void excess_is_the_surplus_of_the_norm(void **state)
{
  (void)state;
  ofw_domain *K = ball_of(3, 3.0, 5.0);
  assert_true(ofw_domain_excess(K, (double[]){0.0, 0.0, 0.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){0.0, -5.0, 0.0}) == 0.0);
  assert_near(ofw_domain_excess(K, (double[]){3.0, -4.0, 5.0}), 1.0L, 1e-15L); /* 27 + 64 + 125 = 6^3 */
  assert_near(ofw_domain_excess(K, (double[]){3e300, -4e300, 5e300}), 6e300L, 1e286L);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  refuses_bad_specs_of("lp-ball", "radius", "dim, p, radius");
  misused("lp-ball", ":dim=3", ": p is required (the exponent p of the norm; linf-ball is the limit of large p)");
  misused("lp-ball", ":dim=3,p=0.5", ": p=0.5 is not in [1, 1e+300]");
  misused("lp-ball", ":dim=3,p=-1", ": p=-1 is not in [1, 1e+300]");
  misused("lp-ball", ":dim=3,p=inf", ": p=inf is not a number");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_dual_norm),
      cmocka_unit_test(no_point_of_the_ball_is_better),
      cmocka_unit_test(the_formula),
      cmocka_unit_test(it_is_the_balls_with_names),
      cmocka_unit_test(other_exponents_have_no_projection),
      cmocka_unit_test(zeros),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(excess_is_the_surplus_of_the_norm),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
