#include "unit/domain/oracle_check.h"
#include "vector/vec_arithmetic.h"

typedef struct scaled_simplex {
  double factor, size;
} scaled_simplex;

static long double least_of_simplex(size_t n, const double *d, const void *set)
{
  const scaled_simplex *s = set;
  long double least = INFINITY;
  for (size_t i = 0; i < n; i++)
    least = fminl(least, (long double)s->factor * s->size * d[i]);
  return least;
}

static long double least_of_l1_ball(size_t n, const double *d, const void *set)
{
  const scaled_simplex *s = set;
  long double most = 0.0L;
  for (size_t i = 0; i < n; i++)
    most = fmaxl(most, fabsl(d[i]));
  return -fabsl(s->factor) * s->size * most;
}

static ofw_domain *scaled_in(const char *inner, size_t n, const char *rest, double factor)
{
  char spec[TEXT];
  say(spec, "scaled:factor=%.17g,of=(%s:dim=%zu%s)", factor, inner, n, rest);
  return domain_of(spec);
}

static void the_best_vertex(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 8, 40};
  static const double factors[] = {1.0, -1.0, 0.3, -2.5, 1e-60, -1e60};
  for (size_t k = 0; k < 5; k++)
    for (size_t f = 0; f < 6; f++) {
      scaled_simplex s = {factors[f], 2.0};
      ofw_domain *simplex = scaled_in("simplex", dims[k], ",sum=2", s.factor);
      ofw_domain *ball = scaled_in("l1-ball", dims[k], ",radius=2", s.factor);
      is_least(simplex, 400, least_of_simplex, &s);
      is_least(ball, 400, least_of_l1_ball, &s);
      ofw_domain_free(simplex);
      ofw_domain_free(ball);
    }
}

/* Of -d, so that a tie goes where K's rule takes it there. */
static void ties(void **state)
{
  (void)state;
  ofw_domain *K = scaled_in("box", 3, ",lower=-1,upper=2", -2.0); /* [-4, 2]^3 */
  double v[3];
  ask(K, (double[]){0.0, 1.0, -1.0}, v);
  assert_true(v[0] == 2.0 && v[1] == -4.0 && v[2] == 2.0);
  ofw_domain_free(K);
}

static void radii_and_centre(void **state)
{
  (void)state;
  ofw_domain *K = scaled_in("box", 2, ",lower=0,upper=4", -0.5); /* [-2, 0]^2 */
  double centre[2];
  has_radii(K, 2.0 * sqrt(2.0), 1.0, (double[]){-2.0, -2.0}, (double[]){0.0, 1.0}, NULL);
  ofw_domain_centre(K, centre);
  assert_true(centre[0] == -1.0 && centre[1] == -1.0 && K->from_centre == 0);
  ofw_domain_free(K);
  K = scaled_in("simplex", 4, ",sum=2", -3.0);
  assert_true(K->from_centre == 1 && K->normals == 1);
  assert_near(K->R, 6.0L, 1e-15L);
  assert_near(K->r, 6.0L / sqrtl(12.0L), 1e-15L);
  ofw_domain_free(K);
}

/* Value, error and the accuracy that is asked for are in the scaled set's units; an iterative oracle reads -d too, by
 * passes alone. */
static void the_error_scales_too(void **state)
{
  (void)state;
  for (int sign = -1; sign <= 1; sign += 2) {
    ofw_domain *of = domain_of("trace-ball:rows=40,cols=30,radius=2");
    ofw_domain *K = domain_of(sign < 0 ? "scaled:factor=-4,of=(trace-ball:rows=40,cols=30,radius=2)"
                                       : "scaled:factor=4,of=(trace-ball:rows=40,cols=30,radius=2)");
    opened inner = open_seeded(of, 3), outer = open_seeded(K, 3);
    double *d = room_for(1200), *minus = room_for(1200), *v = room_for(1200), *w = room_for(1200);
    chance c = {6};
    assert_int_equal(K->passes_only, 1);
    for (int t = 0; t < 30; t++) {
      ofw_answer a, b;
      double absolute = t % 2 ? 0.02 : INFINITY;
      chance_normals(&c, 1200, d);
      for (size_t i = 0; i < 1200; i++)
        minus[i] = sign * d[i];
      assert_int_equal(answer(inner, minus, 0.05, absolute / 4.0, &a), OFW_OK);
      assert_int_equal(answer(outer, d, 0.05, absolute, &b), OFW_OK);
      assert_true(b.value == 4.0 * a.value && b.error == 4.0 * a.error && b.error > 0.0 && b.error <= absolute);
      assert_true(b.passes == a.passes && b.proven == a.proven);
      ofw_sum_dense(a.atom, 1200, v);
      ofw_sum_dense(b.atom, 1200, w);
      for (size_t i = 0; i < 1200; i++)
        assert_near(w[i], sign * 4.0 * v[i], 1e-15L);
      assert_near(slow_dot(1200, d, w), b.value, 1e-9L);
    }
    free(d), free(minus), free(v), free(w);
    shut(inner);
    shut(outer);
  }
}

static void excess_is_in_the_scaled_sets_units(void **state)
{
  (void)state;
  ofw_domain *K = scaled_in("box", 2, ",lower=0,upper=4", -0.5);
  assert_true(ofw_domain_excess(K, (double[]){-2.0, 0.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){-2.5, 0.0}) == 0.5);
  assert_true(ofw_domain_excess(K, (double[]){-1.0, 0.25}) == 0.25);
  ofw_domain_free(K);
}

/* What the projection does not move, it leaves as it is to the last bit. */
static void projections(void **state)
{
  (void)state;
  ofw_domain *K = scaled_in("l2-ball", 3, "", -1.0 / 3.0);
  chance c = {8};
  double y[3], x[3];
  for (int t = 0; t < 1000; t++) {
    double norm = 0.0;
    for (size_t i = 0; i < 3; i++)
      y[i] = 0.3 * chance_normal(&c);
    norm = (double)slow_norm(3, y);
    assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
    for (size_t i = 0; i < 3; i++)
      assert_near(x[i], norm < 0.333 ? y[i] : y[i] * fmin(1.0, 1.0 / 3.0 / norm), norm < 0.333 ? 0.0L : 1e-15L);
  }
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("scaled", "", ": factor is required (the factor f, not 0)");
  misused("scaled", ":factor=2", ": of is required (the set K, as (spec))");
  misused("scaled", ":factor=0,of=(l1-ball:dim=2)", ": factor=0 times the radius 1 is not in [1e-100, 1e+100]");
  misused("scaled", ":factor=-1e101,of=(l1-ball:dim=2)", ": factor=-1e101 is not in [-1e+100, 1e+100]");
  misused("scaled", ":factor=1e60,of=(l1-ball:dim=2,radius=1e60)",
          ": factor=1e+60 times the radius 1e+60 is not in [1e-100, 1e+100]");
  misused("scaled", ":factor=-1e-60,of=(l1-ball:dim=2,radius=1e-60)",
          ": factor=-1e-60 times the radius 1e-60 is not in [1e-100, 1e+100]");
  misused("scaled", ":factor=nan,of=(l1-ball:dim=2)", ": factor=nan is not a number");
  misused("scaled", ":factor=1,of=(l1-ball:dim=0)", ": l1-ball: dim=0 is not in [1, 1e+12]");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),
      cmocka_unit_test(ties),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(the_error_scales_too),
      cmocka_unit_test(excess_is_in_the_scaled_sets_units),
      cmocka_unit_test(projections),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
