#include "unit/stream/optimal.h"

enum { T = 600 };

/* total = sum of the gradients */
static void add_up(ofw_stream *s, const held *h, size_t n, double *total)
{
  double *a = room(n);
  memset(total, 0, n * sizeof *total);
  for (uint64_t t = 1; t <= T; t++) {
    ofw_sum_dense(reveal(s, t, h).loss_gradient, n, a);
    for (size_t i = 0; i < n; i++)
      total[i] += a[i];
  }
  free(a);
}

/* x* is the oracle's answer to the summed gradients; the losses said to be its own are; no other point of K is better.
 */
static void check_comparator(const ofw_domain *K, ofw_stream *s, double *best)
{
  size_t n = ofw_domain_dim(K);
  double *total = room(n), *a = room(n), *y = room(n), sum = 0.0;
  double unit = ofw_stream_constants(s)->lipschitz * K->R;
  held h = hold(K);
  add_up(s, &h, n, total);
  assert_int_equal(ofw_domain_minimise(K, total, 1e-13, best, NULL, NULL), OFW_OK);
  assert_at_most(ofw_domain_excess(K, best), 1e-12 * unit);
  for (uint64_t t = 1; t <= T; t++) {
    double loss;
    ofw_sum_dense(reveal(s, t, &h).loss_gradient, n, a);
    assert_int_equal(ofw_stream_comparator(s, t, &loss), OFW_OK);
    assert_near(loss, slow_dot(n, a, best), 1e-9 * unit);
    sum += loss;
  }
  uint64_t seed = 2;
  for (int k = 0; k < 200; k++) {
    any_point(&seed, K, k % 2, y);
    assert_at_most(sum, slow_dot(n, total, y) + 1e-9 * unit * T);
  }
  free(total), free(a), free(y);
  let_go(&h);
}

static void test_every_domain(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    double tight;
  } cases[] = {{"linear", 0.5}, {"linear:drift=0,tight=1,lipschitz=7", 1.0}, {"linear:drift=1,tight=0", 0.0}};
  for (size_t i = 0; i < ofw_domain_types(); i++)
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
      ofw_domain *K = domain(ofw_domain_type(i)->example);
      ofw_stream *s = stream(cases[k].spec, K, T, 10 + k);
      double *best = room(ofw_domain_dim(K));
      check_comparator(K, s, best);
      check_half_spaces(K, s, best, cases[k].tight, T);
      check_slopes(K, s, 60);
      check_same_rounds("linear", K, 30);
      free(best);
      ofw_stream_free(s);
      ofw_domain_free(K);
    }
}

static void test_comparator_is_best(void **state)
{
  (void)state;
  is_best_everywhere("linear");
  is_best_everywhere("linear:drift=0,tight=1,lipschitz=7");
  is_best_everywhere("linear:drift=1,tight=0");
}

static void test_constants(void **state)
{
  (void)state;
  ofw_domain *K = domain("l1-ball:dim=9,radius=3");
  ofw_stream *s = stream("linear:lipschitz=7", K, T, 1);
  const ofw_constants *c = ofw_stream_constants(s);
  assert_bits(c->lipschitz, 7.0);
  assert_bits(c->loss_bound, 21.0);
  assert_bits(c->strong_convexity, 0.0);
  assert_ptr_equal(ofw_stream_domain(s), K);
  assert_string_equal(ofw_stream_config(s),
                      "stream=linear rounds=600 seed=1 drift=0.80000000000000004 tight=0.5 lipschitz=7");
  double loss;
  assert_int_equal(ofw_stream_target(s, 1, &loss), OFW_UNSUPPORTED);
  ofw_domain_free(K); /* the stream keeps its own */
  assert_int_equal(ofw_domain_dim(ofw_stream_domain(s)), 9);
  ofw_stream_free(s);
}

/* drift m + (1 - drift) u_t: constant at 1, at 0 without a mean. */
static void test_drift(void **state)
{
  (void)state;
  enum { N = 6 };
  ofw_domain *K = domain("l2-ball:dim=6");
  held h = hold(K);
  double first[N], a[N], total[N];
  ofw_stream *s = stream("linear:drift=1", K, T, 1);
  ofw_sum_dense(reveal(s, 1, &h).loss_gradient, N, first);
  for (uint64_t t = 2; t <= T; t++) {
    ofw_sum_dense(reveal(s, t, &h).loss_gradient, N, a);
    assert_memory_equal(a, first, sizeof a);
  }
  ofw_stream_free(s);
  s = stream("linear:drift=0", K, T, 1);
  add_up(s, &h, N, total);
  assert_at_most(slow_norm(N, total), 3.0 * sqrt(T)); /* a random walk of unit steps */
  ofw_stream_free(s);
  s = stream("linear:drift=0.8", K, T, 1);
  add_up(s, &h, N, total);
  assert_near(slow_norm(N, total) / T, 0.8, 0.05);
  assert_near(slow_dot(N, total, first), slow_norm(N, total), 0.01 * T); /* along the same m */
  ofw_stream_free(s);
  let_go(&h);
  ofw_domain_free(K);
}

static void test_tight_is_independent(void **state)
{
  (void)state;
  check_tight_is_independent("linear:tight=0.25", "linear:tight=1", "l2-ball:dim=4", 3000);
  check_tight_is_independent("linear:tight=0.25", "linear:tight=1", "l2-ball:dim=5", 3000);
}

static void test_refusals(void **state)
{
  (void)state;
  ofw_domain *K = domain("l2-ball:dim=3"), *other = domain("l2-ball:dim=4");
  stream_refused("linear", NULL, "linear: the stream needs a domain");
  stream_refused("linear:drift=2", K, "linear: drift=2 is not in [0, 1]");
  stream_refused("linear:tight=-1", K, "linear: tight=-1 is not in [0, 1]");
  stream_refused("linear:drfit=1", K, "linear: no option 'drfit'; did you mean 'drift'?");
  stream_refused("liner", K, "no stream 'liner'; did you mean 'linear'?");
  ofw_stream *s = stream("linear", K, T, 1);
  held fits = hold(K), wrong = hold(other);
  ofw_full out = {0};
  assert_int_equal(ofw_stream_reveal(s, 0, &fits.at, &out), OFW_USAGE);
  assert_string_equal(ofw_stream_error(s), "expected a round >= 1, found 0");
  assert_int_equal(ofw_stream_reveal(s, 1, &wrong.at, &out), OFW_USAGE);
  assert_string_equal(ofw_stream_error(s), "the decision has dimension 4, but the stream has 3");
  reveal(s, 1, &fits);
  assert_string_equal(ofw_stream_error(s), "");
  ofw_stream_free(s);
  ofw_stream_free(NULL);
  let_go(&fits), let_go(&wrong);
  ofw_domain_free(K), ofw_domain_free(other);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_domain),
      cmocka_unit_test(test_comparator_is_best),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_drift),
      cmocka_unit_test(test_tight_is_independent),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
