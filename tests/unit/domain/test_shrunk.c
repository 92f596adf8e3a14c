#include "unit/domain/oracle_check.h"

typedef struct shrunk_set {
  double factor, size; /* of a simplex, an l1-ball or the box [0, size]^n */
} shrunk_set;

static ofw_domain *shrunk_in(const char *inner, size_t n, const char *rest, double factor)
{
  char spec[TEXT];
  say(spec, "shrunk:factor=%.17g,of=(%s:dim=%zu%s)", factor, inner, n, rest);
  return domain_of(spec);
}

/* Over the vertices (1 - f) c + f s e_i. */
static long double least_of_simplex(size_t n, const double *d, const void *set)
{
  const shrunk_set *s = set;
  long double least = INFINITY, sum = 0.0L;
  for (size_t i = 0; i < n; i++)
    sum += d[i];
  for (size_t i = 0; i < n; i++)
    least = fminl(least, (1.0L - s->factor) * s->size / (long double)n * sum + (long double)s->factor * s->size * d[i]);
  return least;
}

static long double least_of_l1_ball(size_t n, const double *d, const void *set)
{
  const shrunk_set *s = set;
  long double most = 0.0L;
  for (size_t i = 0; i < n; i++)
    most = fmaxl(most, fabsl(d[i]));
  return -(long double)s->factor * s->size * most;
}

static long double least_of_box(size_t n, const double *d, const void *set)
{
  const shrunk_set *s = set;
  long double sum = 0.0L, half = s->size / 2.0L;
  for (size_t i = 0; i < n; i++)
    sum += half * d[i] - s->factor * half * fabsl(d[i]);
  return sum;
}

static void the_best_vertex(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 8, 40};
  static const double factors[] = {1.0, 0.75, 0.3, 1e-3, 1e-12};
  for (size_t k = 0; k < 5; k++)
    for (size_t f = 0; f < 5; f++) {
      shrunk_set s = {factors[f], 2.0};
      ofw_domain *K[] = {shrunk_in("simplex", dims[k], ",sum=2", s.factor),
                         shrunk_in("l1-ball", dims[k], ",radius=2", s.factor),
                         shrunk_in("box", dims[k], ",lower=0,upper=2", s.factor)};
      least_value *least[] = {least_of_simplex, least_of_l1_ball, least_of_box};
      for (size_t i = 0; i < 3; i++) {
        is_least(K[i], 300, least[i], &s);
        ofw_domain_free(K[i]);
      }
    }
}

static void into_hull(size_t n, double *u)
{
  double mean = 0.0;
  for (size_t i = 0; i < n; i++)
    mean += u[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    u[i] -= mean;
}

/* At another factor its oracle is that of the set shrunk so. */
static void another_factor(void **state)
{
  (void)state;
  ofw_domain *of = domain_of("simplex:dim=5,sum=2"), *K = ofw_domain_create_shrunk(of, 0.75, NULL);
  shrunk_set s = {0.25, 2.0};
  assert_non_null(K);
  ofw_domain_reshrink(K, s.factor);
  is_least(K, 300, least_of_simplex, &s);
  ofw_domain_free(K);
  ofw_domain_free(of);
}

static void radii_of_a_shrunk_simplex(void **state)
{
  (void)state;
  static const size_t dims[] = {2, 3, 8, 50};
  for (size_t k = 0; k < 4; k++) {
    size_t n = dims[k];
    double f = 0.6, s = 2.5, m = (double)n, far[MOST_DIM], tight[MOST_DIM], centre[MOST_DIM];
    ofw_domain *K = shrunk_in("simplex", n, ",sum=2.5", f);
    for (size_t i = 0; i < n; i++) {
      far[i] = (1.0 - f) * s / m + (i == 1 ? f * s : 0.0);
      tight[i] = (i == 0 ? 1.0 / m - 1.0 : 1.0 / m) / sqrt((m - 1.0) / m);
    }
    has_radii(K, (double)slow_norm(n, far), f * s / sqrt(m * (m - 1.0)), far, tight, into_hull);
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < n; i++)
      assert_true(centre[i] == s / m);
    ofw_domain_free(K);
  }
}

static void radii_of_a_shrunk_box_and_ball(void **state)
{
  (void)state;
  ofw_domain *box = domain_of("shrunk:factor=0.5,of=(box:dim=3,lower=1,upper=5)");
  has_radii(box, 4.0 * sqrt(3.0), 1.0, (double[]){4.0, 4.0, 4.0}, (double[]){0.0, -1.0, 0.0}, NULL);
  ofw_domain *ball = domain_of("shrunk:factor=0.25,of=(l2-ball:dim=2,radius=8)");
  has_radii(ball, 2.0, 2.0, (double[]){0.0, -2.0}, (double[]){1.0, 0.0}, NULL);
  ofw_domain_free(box);
  ofw_domain_free(ball);
}

/* Boxes as large and as small as they may be. */
static void radii_at_the_ends_of_their_range(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("shrunk:factor=0.5,of=(box:dim=2,lower=0,upper=1e100)");
  assert_near(K->R, 0.75e100L * sqrtl(2.0L), 1e86L);
  ofw_domain_free(K);
  K = domain_of("shrunk:factor=0.5,of=(box:dim=2,lower=0,upper=1e-99)");
  assert_near(K->R, 0.75e-99L * sqrtl(2.0L), 1e-113L);
  ofw_domain_free(K);
}

/* Shrinking twice is shrinking by the product; by 1 is not at all. */
static void shrinking_twice(void **state)
{
  (void)state;
  ofw_domain *twice = domain_of("shrunk:factor=0.5,of=(shrunk:factor=0.5,of=(simplex:dim=4,sum=2))");
  ofw_domain *once = domain_of("shrunk:factor=0.25,of=(simplex:dim=4,sum=2)");
  ofw_domain *plain = domain_of("simplex:dim=4,sum=2"), *not_at_all = ofw_domain_create_shrunk(plain, 1.0, NULL);
  chance c = {4};
  double d[4], v[4], w[4];
  assert_near(twice->R, once->R, 1e-15L);
  assert_near(twice->r, once->r, 1e-15L);
  for (int t = 0; t < 500; t++) {
    chance_normals(&c, 4, d);
    assert_near(ask(twice, d, v), ask(once, d, w), 1e-14L);
    for (size_t i = 0; i < 4; i++)
      assert_near(v[i], w[i], 1e-15L);
    assert_true(ask(plain, d, v) == ask(not_at_all, d, w));
  }
  ofw_domain *all[] = {twice, once, plain, not_at_all};
  for (size_t i = 0; i < 4; i++)
    ofw_domain_free(all[i]);
}

/* Of an oracle with an error: value and error are the factor times the inner ones, for the same start; and an absolute
 * accuracy means the shrunk set's value. */
static void the_error_shrinks_too(void **state)
{
  (void)state;
  ofw_domain *of = domain_of("trace-ball:rows=60,cols=50,radius=2");
  ofw_domain *K = ofw_domain_create_shrunk(of, 0.125, NULL);
  double *d = room_for(3000);
  opened inner = open_seeded(of, 3), outer = open_seeded(K, 3);
  chance c = {6};
  size_t passes[2] = {0};
  for (int t = 0; t < 100; t++) {
    ofw_answer a, b;
    double absolute = t % 2 ? 0.01 : INFINITY;
    chance_normals(&c, 3000, d);
    assert_int_equal(answer(inner, d, 0.05, absolute * 8.0, &a), OFW_OK);
    assert_int_equal(answer(outer, d, 0.05, absolute, &b), OFW_OK);
    assert_true(b.value == 0.125 * a.value && b.error == 0.125 * a.error && b.error > 0.0);
    assert_true(b.passes == a.passes && b.proven == a.proven && b.error <= absolute);
    passes[t % 2] += b.passes;
  }
  assert_true(passes[1] > passes[0]);
  shut(inner);
  shut(outer);
  free(d);
}

static void excess_is_in_the_shrunk_sets_units(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("shrunk:factor=0.5,of=(box:dim=2,lower=0,upper=4)"); /* [1, 3]^2 */
  assert_true(ofw_domain_excess(K, (double[]){1.0, 3.0}) == 0.0);
  assert_near(ofw_domain_excess(K, (double[]){1.0, 3.5}), 0.5L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){0.0, 3.0}), 1.0L, 1e-15L);
  ofw_domain_free(K);
}

/* [1, 3] has lost the origin that [0, 4] holds on its edge; about a centre at 0 it cannot be lost. */
static void where_play_starts(void **state)
{
  (void)state;
  static const char *const spec[] = {
      "shrunk:factor=0.5,of=(box:dim=2,lower=-1,upper=1)", "shrunk:factor=0.5,of=(l2-ball:dim=2)",
      "shrunk:factor=0.5,of=(box:dim=2,lower=0,upper=4)", "shrunk:factor=0.5,of=(simplex:dim=2)"};
  for (int i = 0; i < 4; i++) {
    ofw_domain *K = domain_of(spec[i]);
    assert_int_equal(K->from_centre, i >= 2);
    ofw_domain_free(K);
  }
}

/* Whatever can be made by a call can be made again by its spec. */
static void the_spec_makes_it_again(void **state)
{
  (void)state;
  static const double factors[] = {1.0, 0.1, 1.0 / 3.0, 1e-12};
  for (size_t i = 0; i < 4; i++) {
    ofw_domain *of = domain_of("simplex:dim=3,sum=2"), *K = ofw_domain_create_shrunk(of, factors[i], NULL);
    ofw_domain_free(of); /* K keeps its own */
    ofw_domain *again = domain_of(K->spec);
    double v[3], w[3];
    assert_true(again->R == K->R);
    assert_true(ask(K, (double[]){1.0, 3.0, -2.0}, v) == ask(again, (double[]){1.0, 3.0, -2.0}, w));
    ofw_domain_free(again);
    ofw_domain_free(K);
  }
}

static int fails(void *ctx, const double *d, double *v)
{
  (void)ctx, (void)d, (void)v;
  return 7;
}

static void refusals(void **state)
{
  (void)state;
  static const double out[] = {0.0, -0.5, 1.5, NAN, 1e-13};
  static const char *const text[] = {"0", "-0.5", "1.5", "nan", "1e-13"};
  ofw_domain *of = domain_of("simplex:dim=3");
  ofw_error err = {0};
  char words[TEXT];
  for (size_t i = 0; i < 5; i++) {
    assert_null(ofw_domain_create_shrunk(of, out[i], &err));
    say(words, "shrunk: factor=%s is not in [1e-12, 1]", text[i]);
    assert_string_equal(err.message, words);
    assert_int_equal(err.status, OFW_USAGE);
  }
  ofw_domain_free(of);
  double centre[] = {1.0};
  ofw_domain_callbacks own = {.size = sizeof own, .dim = 1, .R = 2.0, .r = 1.0, .centre = centre, .minimise = fails};
  of = ofw_domain_create_own(&own, NULL);
  assert_null(ofw_domain_create_shrunk(of, 0.5, &err)); /* its R needs one call of the oracle */
  assert_string_equal(err.message, "the domain's own minimise returned 7, expected 0");
  assert_int_equal(err.status, OFW_NUMERICAL);
  ofw_domain_free(of);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("shrunk", "", ": factor is required (the factor f)");
  misused("shrunk", ":factor=0.5", ": of is required (the set K, as (spec))");
  misused("shrunk", ":factor=0,of=(l1-ball:dim=2)", ": factor=0 is not in [1e-12, 1]");
  misused("shrunk", ":factor=1.01,of=(l1-ball:dim=2)", ": factor=1.01 is not in [1e-12, 1]");
  misused("shrunk", ":factor=half,of=(l1-ball:dim=2)", ": factor=half is not a number");
  misused("shrunk", ":of=(l1-ball:dim=2),fctor=1", ": no option 'fctor'; did you mean 'factor'?");
  misused("shrunk", ":factor=0.5,of=l1-ball:dim=2,radius=3", ": no option 'radius'; its options: factor, of");
  misused("shrunk", ":factor=0.5,of=(l1-ball:dim=0)", ": l1-ball: dim=0 is not in [1, 1e+12]");
  misused("shrunk", ":factor=0.5,of=(l1-bal:dim=1)", ": no domain 'l1-bal'; did you mean 'l1-ball'?");
  misused("shrunk", ":factor=0.5,of=()", ": no domain ''; see 'ofw list'");
  misused("shrunk", ":factor=0.5,of=(shrunk:factor=0.5,of=(box:dim=2,lower=1,upper=0))",
          ": shrunk: box: coordinate 1 has lower bound 1 above its upper bound 0");
  refused("shrunk:factor=0.5,of=(box:lower=@/no/such/file,upper=1)", OFW_BAD_DATA,
          "shrunk: box: cannot read /no/such/file: No such file or directory");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),
      cmocka_unit_test(another_factor),
      cmocka_unit_test(radii_of_a_shrunk_simplex),
      cmocka_unit_test(radii_of_a_shrunk_box_and_ball),
      cmocka_unit_test(radii_at_the_ends_of_their_range),
      cmocka_unit_test(shrinking_twice),
      cmocka_unit_test(the_error_shrinks_too),
      cmocka_unit_test(excess_is_in_the_shrunk_sets_units),
      cmocka_unit_test(where_play_starts),
      cmocka_unit_test(the_spec_makes_it_again),
      cmocka_unit_test(refusals),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
