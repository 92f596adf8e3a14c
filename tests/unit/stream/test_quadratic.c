#include "unit/stream/optimal.h"

enum { T = 600 };

/* mean = (1/T) sum of the gradients at h's point */
static void mean_gradient(ofw_stream *s, const held *h, size_t n, double *mean)
{
  double *a = room(n);
  memset(mean, 0, n * sizeof *mean);
  for (uint64_t t = 1; t <= T; t++) {
    ofw_sum_dense(reveal(s, t, h).loss_gradient, n, a);
    for (size_t i = 0; i < n; i++)
      mean[i] += a[i] / T;
  }
  free(a);
}

/* x* is where the mean gradient vanishes: found from the gradients at the start, then tried. It is in K, its losses are
 * those that the stream names, and no other point of K is better. */
static void check_comparator(const ofw_domain *K, ofw_stream *s, double *best)
{
  size_t n = ofw_domain_dim(K);
  const ofw_constants *c = ofw_stream_constants(s);
  double alpha = c->strong_convexity, sum = 0.0, *mean = room(n), *centre = room(n);
  held h = hold(K);
  mean_gradient(s, &h, n, mean);
  for (size_t i = 0; i < n; i++)
    h.x[i] = best[i] = h.x[i] - mean[i] / alpha;
  mean_gradient(s, &h, n, mean);
  assert_at_most(slow_norm(n, mean), 1e-10 * c->lipschitz);
  assert_at_most(ofw_domain_excess(K, best), 1e-12 * K->R);
  ofw_domain_centre(K, centre);
  for (size_t i = 0; i < n; i++)
    centre[i] = best[i] + 0.01 * (best[i] - centre[i]); /* strictly inside: a little further out is still in K */
  assert_at_most(ofw_domain_excess(K, centre), 1e-12 * K->R);
  for (uint64_t t = 1; t <= T; t++) {
    double loss;
    assert_int_equal(ofw_stream_comparator(s, t, &loss), OFW_OK);
    assert_near(loss, reveal(s, t, &h).values.loss, 1e-12 * c->loss_bound);
    sum += loss;
  }
  uint64_t seed = 2;
  for (int k = 0; k < 5; k++) {
    double total = 0.0;
    any_point(&seed, K, k % 2, h.x);
    for (uint64_t t = 1; t <= T; t++)
      total += reveal(s, t, &h).values.loss;
    assert_at_most(sum, total);
  }
  free(mean), free(centre);
  let_go(&h);
}

static void test_every_domain(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    double tight;
  } cases[] = {
      {"quadratic", 0.5}, {"quadratic:strength=30,spread=2,tight=1", 1.0}, {"quadratic:spread=0,tight=0", 0.0}};
  for (size_t i = 0; i < ofw_domain_types(); i++)
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
      ofw_domain *K = domain(ofw_domain_type(i)->example);
      ofw_stream *s = stream(cases[k].spec, K, T, 10 + k);
      double *best = room(ofw_domain_dim(K));
      check_comparator(K, s, best);
      check_half_spaces(K, s, best, cases[k].tight, T);
      check_slopes(K, s, 60);
      check_same_rounds("quadratic", K, 30);
      free(best);
      ofw_stream_free(s);
      ofw_domain_free(K);
    }
}

static void test_comparator_is_best(void **state)
{
  (void)state;
  is_best_everywhere("quadratic");
  is_best_everywhere("quadratic:strength=30,spread=2,tight=1");
  is_best_everywhere("quadratic:spread=0,tight=0");
}

static void test_constants(void **state)
{
  (void)state;
  ofw_domain *K = domain("l1-ball:dim=9,radius=3");
  ofw_stream *s = stream("quadratic:strength=2,spread=0.5", K, T, 1);
  const ofw_constants *c = ofw_stream_constants(s);
  assert_near(c->lipschitz, 2 * (2 + 2 * 0.5) * 3, 1e-12);  /* alpha (2 + 2 spread) R */
  assert_near(c->loss_bound, 2.0 / 2.0 * 9.0 * 9.0, 1e-12); /* alpha/2 of the longest |x - z|, squared */
  assert_bits(c->strong_convexity, 2.0);
  double loss;
  assert_int_equal(ofw_stream_target(s, 1, &loss), OFW_UNSUPPORTED);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

static void test_finite_differences(void **state)
{
  (void)state;
  check_central_differences("quadratic", "linf-ball:dim=5,radius=1.5", T);
}

/* |z_t - x*| is about spread R: with spread 0 all losses are the same. */
static void test_spread(void **state)
{
  (void)state;
  ofw_domain *K = domain("l2-ball:dim=7,radius=2");
  static const double spread[] = {0.0, 0.5, 3.0};
  static const char *const spec[] = {"quadratic:spread=0", "quadratic:spread=0.5", "quadratic:spread=3"};
  for (size_t k = 0; k < 3; k++) {
    ofw_stream *s = stream(spec[k], K, T, 1);
    double loss, sum = 0.0, length = 2.0 * spread[k];
    for (uint64_t t = 1; t <= T; t++) {
      assert_int_equal(ofw_stream_comparator(s, t, &loss), OFW_OK);
      sum += loss;
    }
    assert_near(sum / T, length * length / 2.0, 0.02 * length * length + 1e-15);
    ofw_stream_free(s);
  }
  ofw_domain_free(K);
}

static void test_tight_is_independent(void **state)
{
  (void)state;
  check_tight_is_independent("quadratic:tight=0.25", "quadratic:tight=1", "l2-ball:dim=4", 3000);
  check_tight_is_independent("quadratic:tight=0.25", "quadratic:tight=1", "l2-ball:dim=5", 3000);
}

static void test_round_zero(void **state)
{
  (void)state;
  ofw_domain *K = domain("l2-ball:dim=3");
  ofw_stream *s = stream("quadratic", K, T, 1);
  double loss = 0.0;
  assert_int_equal(ofw_stream_comparator(s, 0, &loss), OFW_USAGE); /* rounds are counted from 1 */
  ofw_stream_free(s);
  ofw_domain_free(K);
}

static void test_refusals(void **state)
{
  (void)state;
  ofw_domain *K = domain("l2-ball:dim=3");
  stream_refused("quadratic", NULL, "quadratic: the stream needs a domain");
  stream_refused("quadratic:strength=0", K, "quadratic: strength=0 is not in [1e-100, 1e+100]");
  stream_refused("quadratic:spread=-1", K, "quadratic: spread=-1 is not in [0, 1e+06]");
  stream_refused("quadratic:strenght=1", K, "quadratic: no option 'strenght'; did you mean 'strength'?");
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_domain), cmocka_unit_test(test_comparator_is_best),
      cmocka_unit_test(test_constants),    cmocka_unit_test(test_finite_differences),
      cmocka_unit_test(test_spread),       cmocka_unit_test(test_tight_is_independent),
      cmocka_unit_test(test_round_zero),   cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
