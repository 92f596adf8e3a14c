#include "unit/stream/optimal.h"

#include <stdio.h>

enum { T = 600 };

/* s_t for t = 1 .. by walking: a step of 1 each way, back wherever the sum has come half a block from 0. */
static void walk(uint64_t block, uint64_t rounds, double *s)
{
  double sum = 0.0, way = 1.0, half = (double)block / 2.0;
  for (uint64_t t = 0; t < rounds; t++) {
    s[t] = t == 0 && block % 2 == 1 ? way / 2.0 : way;
    sum += s[t];
    if (fabs(sum) == half)
      way = sum > 0.0 ? -1.0 : 1.0;
  }
}

/* All gradients are G (drift m + (1 - drift) s_t w) with one m and one w, found from the round where s first is -1. */
static void check_sides(uint64_t block, double drift, double G)
{
  enum { N = 6 };
  char spec[120];
  snprintf(spec, sizeof spec, "alternating:block=%d,drift=%g,lipschitz=%g", (int)block, drift, G);
  ofw_domain *K = domain("l2-ball:dim=6");
  ofw_stream *s = stream(spec, K, T, 5);
  held h = hold(K);
  double side[T], a[N], m[N], w[N];
  walk(block, T, side);
  uint64_t up = block % 2 ? block / 2 + 1 + block : 0, down = (block + 1) / 2; /* whole rounds of either side, from 0 */
  ofw_sum_dense(reveal(s, up + 1, &h).loss_gradient, N, m);
  ofw_sum_dense(reveal(s, down + 1, &h).loss_gradient, N, a);
  assert_true(side[up] == 1.0 && side[down] == -1.0);
  for (size_t i = 0; i < N; i++) {
    w[i] = (m[i] - a[i]) / 2.0;
    m[i] = (m[i] + a[i]) / 2.0;
  }
  assert_near(slow_norm(N, m), G * drift, 1e-12 * G);
  assert_near(slow_norm(N, w), G * (1.0 - drift), 1e-12 * G);
  for (uint64_t t = 1; t <= T; t++) {
    ofw_sum_dense(reveal(s, t, &h).loss_gradient, N, a);
    for (size_t i = 0; i < N; i++)
      assert_near(a[i], m[i] + side[t - 1] * w[i], 1e-12 * G);
  }
  let_go(&h);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

static void test_sides(void **state)
{
  (void)state;
  static const uint64_t blocks[] = {1, 2, 3, 8, 25, 300};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
    check_sides(blocks[k], 0.0, 1.0);
    check_sides(blocks[k], 0.25, 7.0);
  }
}

static void test_comparator_is_best(void **state)
{
  (void)state;
  is_best_everywhere("alternating");
  is_best_everywhere("alternating:block=2");
  is_best_everywhere("alternating:block=7,drift=0.3,tight=1,lipschitz=7");
  is_best_everywhere("alternating:block=1000,tight=0");
  is_best_everywhere("alternating:drift=1");
}

/* However the horizon cuts the blocks. */
static void test_every_horizon(void **state)
{
  (void)state;
  for (uint64_t rounds = 1; rounds <= 40; rounds++) {
    is_best_without_price("alternating:block=6", "l1-ball:dim=4", rounds, rounds);
    is_best_without_price("alternating:block=5,drift=0.01", "l2-ball:dim=4", rounds, rounds);
  }
}

/* Where the losses cancel, every point is best; x* is not where play starts, which would make the constraints idle. */
static void test_cancelled(void **state)
{
  (void)state;
  ofw_domain *K = domain("l2-ball:dim=7,radius=2");
  ofw_stream *s = stream("alternating:block=100", K, T, 1);
  assert_near(slow_norm(7, s->best), 2.0, 1e-12);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

static void test_every_domain(void **state)
{
  (void)state;
  for (size_t i = 0; i < ofw_domain_types(); i++) {
    ofw_domain *K = domain(ofw_domain_type(i)->example);
    ofw_stream *s = stream("alternating:block=9,drift=0.2,tight=0.25,lipschitz=3", K, T, 10 + i);
    check_half_spaces(K, s, s->best, 0.25, T);
    check_slopes(K, s, 60);
    check_same_rounds("alternating:block=4", K, 30);
    ofw_stream_free(s);
    ofw_domain_free(K);
  }
}

/* The regret of who plays the best point of the past, and of who never moves. */
static void regrets(const char *set, const char *spec, double *follower, double *idler)
{
  ofw_domain *K = domain(set);
  size_t n = ofw_domain_dim(K);
  ofw_stream *s = stream(spec, K, T, 3);
  double *total = room(n), *a = room(n), loss;
  held x = hold(K), still = hold(K);
  *follower = *idler = 0.0;
  for (uint64_t t = 1; t <= T; t++) {
    ofw_full fb = reveal(s, t, &x);
    *follower += fb.values.loss;
    *idler += reveal(s, t, &still).values.loss;
    ofw_sum_dense(fb.loss_gradient, n, a);
    for (size_t i = 0; i < n; i++)
      total[i] += a[i];
    assert_int_equal(ofw_domain_minimise(K, total, 1e-12, x.x, NULL, NULL), OFW_OK);
    assert_int_equal(ofw_stream_comparator(s, t, &loss), OFW_OK);
    *follower -= loss;
    *idler -= loss;
  }
  free(total), free(a);
  let_go(&x), let_go(&still);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

/* Follow-the-leader loses max <w, v> in every round, or once a block; who sits still loses half a block at most. */
static void test_punishes_followers(void **state)
{
  (void)state;
  static const char *const sets[] = {"l2-ball:dim=10", "l1-ball:dim=10", "box:dim=4,lower=-1,upper=1", "simplex:dim=5"};
  double follower, idler;
  for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
    regrets(sets[k], "alternating", &follower, &idler);
    assert_true(follower > 0.25 * T && fabs(idler) < 2.0);
    regrets(sets[k], "alternating:block=20", &follower, &idler);
    assert_true(follower > 0.25 * T / 20.0 && follower < 4.0 * T / 20.0 && fabs(idler) < 21.0);
  }
}

static void test_tight_is_independent(void **state)
{
  (void)state;
  check_tight_is_independent("alternating:tight=0.25", "alternating:tight=1", "l2-ball:dim=4", 3000);
}

static void test_constants(void **state)
{
  (void)state;
  ofw_domain *K = domain("l1-ball:dim=9,radius=3");
  ofw_stream *s = stream("alternating:lipschitz=7", K, T, 1);
  const ofw_constants *c = ofw_stream_constants(s);
  assert_bits(c->lipschitz, 7.0);
  assert_bits(c->loss_bound, 21.0);
  assert_bits(c->strong_convexity, 0.0);
  assert_string_equal(ofw_stream_config(s),
                      "stream=alternating rounds=600 seed=1 block=1 drift=0 tight=0.5 lipschitz=7");
  double loss;
  assert_int_equal(ofw_stream_target(s, 1, &loss), OFW_UNSUPPORTED);
  ofw_stream_free(s);
  stream_refused("alternating", NULL, "alternating: the stream needs a domain");
  stream_refused("alternating:block=0", K, "alternating: block=0 is not in [1, 1e+12]");
  stream_refused("alternating:drift=-0.1", K, "alternating: drift=-0.1 is not in [0, 1]");
  stream_refused("alternating:blocks=2", K, "alternating: no option 'blocks'; did you mean 'block'?");
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sides),
      cmocka_unit_test(test_comparator_is_best),
      cmocka_unit_test(test_every_horizon),
      cmocka_unit_test(test_cancelled),
      cmocka_unit_test(test_every_domain),
      cmocka_unit_test(test_punishes_followers),
      cmocka_unit_test(test_tight_is_independent),
      cmocka_unit_test(test_constants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
