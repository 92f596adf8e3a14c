#include "unit/stream/optimal.h"

enum { T = 600 };

static void test_comparator_is_best(void **state)
{
  (void)state;
  static const char *const priced[] = {"ball-constraint", "ball-constraint:pull=3,tight=1,ball=0.2,strength=7",
                                       "ball-constraint:swings=40,tight=0.1,spread=0"};
  static const uint64_t rounds[] = {1, 2, 7, 600};
  const char *set;
  for (size_t i = 0; (set = some_domain(i)) != NULL; i++)
    for (size_t j = 0; j < sizeof priced / sizeof *priced; j++)
      for (size_t k = 0; k < sizeof rounds / sizeof *rounds; k++)
        is_best_at_a_price(priced[j], set, rounds[k], 40 + i);
  is_best_at_a_price("ball-constraint", "l1-ball:dim=5", LONG_RUN, 1);
  is_best_everywhere("ball-constraint:pull=0");
  is_best_everywhere("ball-constraint:tight=0,pull=2"); /* what is never tight has no say */
}

/* c_t from the gradient at x*: its distance is as was said, and wherever it is asked g_t is that ball's function. */
static void check_balls(const ofw_domain *K, const char *spec, double ball)
{
  size_t n = ofw_domain_dim(K);
  ofw_stream *s = stream(spec, K, T, 5);
  double G = ofw_stream_constants(s)->lipschitz, R = K->R, kappa = G / ((2.0 + ball) * R);
  double *centre = room(n), *a = room(n), *off = room(n);
  held x = hold(K), best = hold(K);
  uint64_t seed = 3;
  memcpy(best.x, s->best, n * sizeof *best.x);
  for (uint64_t t = 1; t <= T; t++) {
    double held_by = reveal(s, t, &best).values.constraint[0];
    ofw_sum_dense(reveal(s, t, &best).constraint_gradient[0], n, a);
    for (size_t i = 0; i < n; i++) {
      centre[i] = s->best[i] - a[i] / kappa;
      off[i] = centre[i] - s->best[i];
    }
    double far = slow_norm(n, off);
    assert_at_most(far, ball * R * (1.0 + 1e-12));
    if (n > 2)
      assert_near(far, ball * R, 1e-12 * R); /* on a line the circle is seen from the side */
    any_point(&seed, K, t % 2 == 0, x.x);
    ofw_full fb = reveal(s, t, &x);
    ofw_sum_dense(fb.constraint_gradient[0], n, a);
    for (size_t i = 0; i < n; i++) {
      off[i] = x.x[i] - centre[i];
      assert_near(a[i], kappa * off[i], 1e-12 * G);
    }
    double square = slow_dot(n, off, off) - far * far;
    assert_near(fb.values.constraint[0], held_by + kappa / 2.0 * square, 1e-12 * G * R);
  }
  free(centre), free(a), free(off);
  let_go(&x), let_go(&best);
  ofw_stream_free(s);
}

/* |gradients| <= G and |f_t| <= M at vertices and mixtures; f_t(y) is what the gradient and alpha at x make of it. */
static void check_bounds(const ofw_domain *K, const char *spec)
{
  size_t n = ofw_domain_dim(K);
  ofw_stream *s = stream(spec, K, T, 6);
  const ofw_constants *c = ofw_stream_constants(s);
  double *a = room(n), *b = room(n);
  held x = hold(K), y = hold(K);
  uint64_t seed = 4;
  for (uint64_t t = 1; t <= T; t++) {
    any_point(&seed, K, t % 2 == 0, x.x);
    any_point(&seed, K, t % 3 == 0, y.x);
    double there = reveal(s, t, &y).values.loss;
    ofw_full fb = reveal(s, t, &x);
    ofw_sum_dense(fb.loss_gradient, n, a);
    ofw_sum_dense(fb.constraint_gradient[0], n, b);
    assert_at_most(slow_norm(n, a), c->lipschitz * (1.0 + 1e-12));
    assert_at_most(slow_norm(n, b), c->lipschitz * (1.0 + 1e-12));
    assert_at_most(fabs(fb.values.loss), c->loss_bound * (1.0 + 1e-12));
    for (size_t i = 0; i < n; i++)
      b[i] = y.x[i] - x.x[i];
    double curved = c->strong_convexity / 2.0 * slow_dot(n, b, b);
    assert_near(there, fb.values.loss + slow_dot(n, a, b) + curved, 1e-12 * c->loss_bound);
  }
  free(a), free(b);
  let_go(&x), let_go(&y);
  ofw_stream_free(s);
}

static void test_every_domain(void **state)
{
  (void)state;
  const char *set;
  for (size_t i = 0; (set = some_domain(i)) != NULL; i++) {
    ofw_domain *K = domain(set);
    check_balls(K, "ball-constraint", 1.0);
    check_balls(K, "ball-constraint:ball=0.25,swings=7,strength=3,pull=0,tight=0.2", 0.25);
    check_bounds(K, "ball-constraint:pull=2");
    check_bounds(K, "ball-constraint:spread=0,strength=9,ball=30");
    if (i < ofw_domain_types()) /* in one dimension two seeds may well agree */
      check_same_rounds("ball-constraint", K, 30);
    ofw_domain_free(K);
  }
}

static void test_finite_differences(void **state)
{
  (void)state;
  check_central_differences("ball-constraint", "linf-ball:dim=5,radius=1.5", T);
}

/* The centre is p away at first, swings by a quarter turn to either side, so many times, and its steps are small. */
static void test_swings(void **state)
{
  (void)state;
  enum { N = 6, SWINGS = 5 };
  ofw_domain *K = domain("l2-ball:dim=6");
  ofw_stream *s = stream("ball-constraint:swings=5", K, T, 1);
  held h = hold(K);
  double first[N], last[N], now[N], lowest = 1.0;
  int returns = 0;
  memcpy(h.x, s->best, sizeof first);
  ofw_sum_dense(reveal(s, 1, &h).constraint_gradient[0], N, first);
  double length = slow_norm(N, first);
  memcpy(last, first, sizeof last);
  for (uint64_t t = 2; t <= T; t++) {
    double by[N];
    ofw_sum_dense(reveal(s, t, &h).constraint_gradient[0], N, now);
    for (size_t i = 0; i < N; i++)
      by[i] = now[i] - last[i];
    assert_at_most(slow_norm(N, by), 0.1 * length);
    double cosine = slow_dot(N, now, first) / length / length;
    lowest = fmin(lowest, cosine);
    returns += cosine > 1.0 - 1e-12;
    memcpy(last, now, sizeof last);
  }
  assert_near(lowest, 0.0, 1e-3);
  assert_int_equal(returns, 2 * SWINGS - 1); /* through the middle twice a swing */
  let_go(&h);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

static void test_tight(void **state)
{
  (void)state;
  enum { LONG = 3000 };
  ofw_domain *K = domain("l2-ball:dim=5");
  static const double share[] = {0.0, 0.3, 1.0};
  static const char *const spec[] = {"ball-constraint:tight=0", "ball-constraint:tight=0.3", "ball-constraint:tight=1"};
  for (size_t k = 0; k < 3; k++) {
    ofw_stream *s = stream(spec[k], K, LONG, 1);
    at_best at = look_at_best(K, s, LONG);
    assert_near(at.tight / LONG, share[k], 4.0 * sqrt(share[k] * (1.0 - share[k]) / LONG));
    look_away(&at);
    ofw_stream_free(s);
  }
  ofw_domain_free(K);
}

static void test_constants(void **state)
{
  (void)state;
  ofw_domain *K = domain("l1-ball:dim=9,radius=3");
  ofw_stream *s = stream("ball-constraint:strength=2,spread=0.5,pull=1", K, T, 1);
  const ofw_constants *c = ofw_stream_constants(s);
  assert_near(c->lipschitz, 2 * (2 + 1 + 0.5) * 3, 1e-12);
  assert_near(c->loss_bound, 2.0 / 2.0 * 10.5 * 10.5, 1e-12);
  assert_bits(c->strong_convexity, 2.0);
  double loss;
  assert_int_equal(ofw_stream_target(s, 1, &loss), OFW_UNSUPPORTED);
  ofw_stream_free(s);
  stream_refused("ball-constraint", NULL, "ball-constraint: the stream needs a domain");
  stream_refused("ball-constraint:ball=0", K, "ball-constraint: ball=0 is not in [1e-06, 1e+06]");
  stream_refused("ball-constraint:swing=2", K, "ball-constraint: no option 'swing'; did you mean 'swings'?");
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comparator_is_best),
      cmocka_unit_test(test_every_domain),
      cmocka_unit_test(test_finite_differences),
      cmocka_unit_test(test_swings),
      cmocka_unit_test(test_tight),
      cmocka_unit_test(test_constants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
