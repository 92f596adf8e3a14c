#include "unit/stream/optimal.h"

#include "learner/method.h"
#include "run/run_state.h"

#include <stdio.h>

enum { T = 600 };

static void test_comparator_is_best(void **state)
{
  (void)state;
  static const char *const specs[] = {"conflict", "conflict:pull=0.2,depth=0.2,tight=0.5,lipschitz=7",
                                      "conflict:pull=1,noise=0,tight=0", "conflict:pull=0.05,depth=0.9,noise=0.9"};
  static const uint64_t rounds[] = {1, 2, 7, 600};
  const char *set;
  for (size_t i = 0; (set = some_domain(i)) != NULL; i++)
    for (size_t j = 0; j < sizeof specs / sizeof *specs; j++)
      for (size_t k = 0; k < sizeof rounds / sizeof *rounds; k++)
        is_best_at_a_price(specs[j], set, rounds[k], 30 + i);
  is_best_at_a_price("conflict:pull=0", "l2-ball:dim=4", T, 1);
  is_best_at_a_price("conflict:tight=0.5", "l1-ball:dim=5", LONG_RUN, 1);
}

/* The multiplier is the one that leaves the least residual, found without being told. */
static void test_multiplier(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    ofw_domain *K = domain("l2-ball:dim=10");
    ofw_stream *s = stream("conflict", K, T, seed);
    at_best at = look_at_best(K, s, T);
    assert_near(best_price(K, s, &at, 10.0), told_multiplier(s), 1e-5);
    look_away(&at);
    ofw_stream_free(s);
    ofw_domain_free(K);
  }
}

/* c and b as the means of what is revealed. */
static void means(const ofw_domain *K, ofw_stream *s, double *c, double *b)
{
  size_t n = ofw_domain_dim(K);
  double *a = room(n);
  held h = hold(K);
  for (uint64_t t = 1; t <= T; t++) {
    ofw_full fb = reveal(s, t, &h);
    ofw_sum_dense(fb.loss_gradient, n, a);
    for (size_t i = 0; i < n; i++)
      c[i] += a[i] / T;
    ofw_sum_dense(fb.constraint_gradient[0], n, a);
    for (size_t i = 0; i < n; i++)
      b[i] += a[i] / T;
  }
  free(a);
  let_go(&h);
}

/* The losses point across the limit by the share asked for, and the limit lies as deep. */
static void test_pull_and_depth(void **state)
{
  (void)state;
  const char *set;
  for (size_t i = 0; (set = some_domain(i)) != NULL; i++) {
    ofw_domain *K = domain(set);
    size_t n = ofw_domain_dim(K);
    ofw_stream *s = stream("conflict:pull=0.6,depth=0.25,noise=0.5,lipschitz=3", K, T, 5);
    double *c = room(n), *b = room(n), *v = room(n), R = K->R;
    means(K, s, c, b);
    assert_near(slow_norm(n, b), 3.0 * 0.5, 1e-12);
    assert_near(slow_dot(n, c, b), -0.6 * slow_dot(n, b, b), 1e-11);
    assert_int_equal(ofw_domain_minimise(K, c, 1e-13, v, NULL, NULL), OFW_OK);
    double free_level = slow_dot(n, b, v);
    assert_int_equal(ofw_domain_minimise(K, b, 1e-13, v, NULL, NULL), OFW_OK);
    double least = slow_dot(n, b, v);
    assert_near(slow_dot(n, b, s->best), 0.75 * free_level + 0.25 * least, 1e-11 * R);
    assert_true(free_level - least > 0.0);
    free(c), free(b), free(v);
    ofw_stream_free(s);
    ofw_domain_free(K);
  }
}

/* Which rounds are tight: about the share asked for, the first at any rate, and each with its mirror image. */
static void check_tight(const char *spec, double share)
{
  enum { LONG = 2001 };
  ofw_domain *K = domain("l2-ball:dim=5");
  ofw_stream *s = stream(spec, K, LONG, 3);
  held h = hold(K);
  double slack[LONG + 1], tight = 0.0;
  memcpy(h.x, s->best, 5 * sizeof *h.x);
  for (uint64_t t = 1; t <= LONG; t++) {
    slack[t] = -reveal(s, t, &h).values.constraint[0];
    tight += slack[t] == 0.0;
    assert_true(slack[t] >= 0.0 && slack[t] <= 1.0);
  }
  for (uint64_t t = 1; t <= LONG; t++)
    assert_bits(slack[t], slack[LONG + 1 - t]);
  assert_true(slack[1] == 0.0);
  assert_near(tight / LONG, share, 4.0 * sqrt(2.0 * share * (1.0 - share) / LONG) + 2.0 / LONG);
  let_go(&h);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

static void test_tight(void **state)
{
  (void)state;
  check_tight("conflict", 1.0);
  check_tight("conflict:tight=0.3", 0.3);
  check_tight("conflict:tight=0", 0.0);
}

static void test_every_domain(void **state)
{
  (void)state;
  for (size_t i = 0; i < ofw_domain_types(); i++) {
    ofw_domain *K = domain(ofw_domain_type(i)->example);
    ofw_stream *s = stream("conflict:noise=0.8,tight=0.5,lipschitz=3", K, T, 10 + i);
    check_slopes(K, s, 60);
    check_same_rounds("conflict", K, 30);
    ofw_stream_free(s);
    ofw_domain_free(K);
  }
}

static double violation(const char *set, const char *option)
{
  enum { ROUNDS = 5000 };
  ofw_domain *K = domain(set);
  ofw_stream *s = stream("conflict", K, ROUNDS, 1);
  ofw_learner_settings settings = {
      .size = sizeof settings, .horizon = ROUNDS, .lipschitz = 1.0, .options = option != NULL, .option = &option};
  ofw_learner *l = ofw_learner_create_over("ofw-tvc", K, &settings, NULL);
  ofw_run *run = ofw_run_create(l, s, NULL);
  assert_int_equal(ofw_run_play(run, ROUNDS, NULL, NULL), OFW_OK);
  double ccv = ofw_run_account(run)->ccv;
  ofw_run_free(run);
  ofw_learner_free(l);
  ofw_stream_free(s);
  ofw_domain_free(K);
  return ccv / ROUNDS;
}

/* What the stream is for: constants under which the constraints weigh nothing show in the violation. */
static void test_separates(void **state)
{
  (void)state;
  static const char *const sets[] = {"l2-ball:dim=10", "l1-ball:dim=10", "simplex:dim=10"};
  for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
    double theorem = violation(sets[k], NULL), tight = violation(sets[k], "preset=tight");
    assert_true(theorem > 0.1 && tight < 0.25 * theorem);
  }
}

static void test_constants(void **state)
{
  (void)state;
  ofw_domain *K = domain("l1-ball:dim=9,radius=3"), *dot = domain("simplex:dim=1"), *line = domain("l2-ball:dim=1");
  ofw_stream *s = stream("conflict:lipschitz=7", K, T, 1);
  const ofw_constants *c = ofw_stream_constants(s);
  assert_bits(c->lipschitz, 7.0);
  assert_bits(c->loss_bound, 21.0);
  assert_bits(c->strong_convexity, 0.0);
  double loss;
  assert_int_equal(ofw_stream_target(s, 1, &loss), OFW_UNSUPPORTED);
  ofw_stream_free(s);
  stream_refused("conflict", NULL, "conflict: the stream needs a domain");
  stream_refused("conflict:depth=1", K, "conflict: depth=1 is not in [0.01, 0.99]");
  stream_refused("conflict:pul=1", K, "conflict: no option 'pul'; did you mean 'pull'?");
  static const char thin[] =
      "conflict: the domain is too thin for a conflict of losses and constraints; choose another";
  stream_refused("conflict", dot, thin);
  stream_refused("conflict:pull=0", line, thin); /* no losses at all */
  ofw_domain_free(K), ofw_domain_free(dot), ofw_domain_free(line);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comparator_is_best), cmocka_unit_test(test_multiplier),
      cmocka_unit_test(test_pull_and_depth),     cmocka_unit_test(test_tight),
      cmocka_unit_test(test_every_domain),       cmocka_unit_test(test_separates),
      cmocka_unit_test(test_constants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
