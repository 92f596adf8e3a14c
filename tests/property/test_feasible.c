/* Every decision of every learner is in K, whatever the feedback: ordinary streams, and prices beyond all bounds. */
#include "property/everything.h"

#include <math.h>
#include <stdlib.h>

static void check_decision(const setting *s, ofw_learner *l, const ofw_domain *K, uint64_t round)
{
  const ofw_point *x;
  size_t dim = ofw_domain_dim(K);
  double *at = calloc(dim, sizeof *at);
  assert_non_null(at);
  if (ofw_learner_decide(l, &x) != OFW_OK)
    fail_msg("%s %s %s round %d: %s", s->learner, s->option, s->domain, (int)round, ofw_learner_error(l));
  assert_int_equal(ofw_point_dense(x, at), OFW_OK);
  for (size_t i = 0; i < dim; i++)
    if (!isfinite(at[i]))
      fail_msg("%s %s %s round %d: coordinate %d is not finite", s->learner, s->option, s->domain, (int)round, (int)i);
  double out = ofw_domain_excess(K, at), slack = strstr(s->option, "storage=float") ? 1e-6 : 1e-11;
  if (!(out >= 0.0 && out <= slack * K->R))
    fail_msg("%s %s %s round %d: outside K by %g", s->learner, s->option, s->domain, (int)round, out);
  free(at);
}

static void check_info(const setting *s, ofw_learner *l)
{
  ofw_info info = {.size = sizeof info};
  assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
  if (!(info.sigma >= 0.0 && info.sigma <= 1.0) || !isfinite(info.gap) || !isfinite(info.oracle_error) ||
      isnan(info.log_price) || !isfinite(info.violation))
    fail_msg("%s %s %s round %d: sigma %g gap %g error %g ln price %g violation %g", s->learner, s->option, s->domain,
             (int)info.round - 1, info.sigma, info.gap, info.oracle_error, info.log_price, info.violation);
}

static void on_stream(const setting *s)
{
  enum { ROUNDS = 150 };
  ofw_domain *K = make_domain(s->domain);
  ofw_stream *stream = make_stream(stream_for(s, "quadratic"), K, ROUNDS, 3);
  ofw_constants c = *ofw_stream_constants(stream);
  c.strong_convexity = c.strong_convexity > 0.0 ? c.strong_convexity : 0.5; /* for learners that ask for it */
  ofw_learner *l = make_learner(s, K, ROUNDS, &c, 0, NULL);
  for (uint64_t t = 1; t <= ROUNDS; t++) {
    const ofw_point *x;
    ofw_full fb = {0};
    check_decision(s, l, K, t);
    assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
    assert_int_equal(ofw_stream_reveal(stream, t, x, &fb), OFW_OK);
    assert_int_equal(tell(l, &fb), OFW_OK);
    check_info(s, l);
  }
  check_decision(s, l, K, ROUNDS + 1);
  ofw_learner_free(l);
  ofw_stream_free(stream);
  ofw_domain_free(K);
}

static void test_on_streams(void **unused)
{
  (void)unused;
  for_each_setting(on_stream);
}

/* Gradients from a small generator of the test's own. */
static double uniform(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

/* With one more option. */
static void play_violations(const setting *s, const char *constant, double largest)
{
  enum { ROUNDS = 40 };
  ofw_constants c = {.lipschitz = 1.0, .loss_bound = 1.0, .strong_convexity = 0.1};
  ofw_domain *K = make_domain(s->domain);
  ofw_learner *l = make_learner(s, K, ROUNDS, &c, 1, &constant);
  size_t dim = ofw_domain_dim(K);
  double *f = calloc(dim, sizeof *f), *g = calloc(dim, sizeof *g);
  size_t *all = calloc(dim, sizeof *all);
  uint64_t state = 11;
  assert_true(f && g && all);
  for (size_t i = 0; i < dim; i++)
    all[i] = i;
  for (uint64_t t = 1; t <= ROUNDS; t++) {
    ofw_vec vf = is_factored(s) ? ofw_vec_sparse(dim, all, f) : ofw_vec_dense(dim, f);
    ofw_vec vg = is_factored(s) ? ofw_vec_sparse(dim, all, g) : ofw_vec_dense(dim, g);
    ofw_sum grad_g = {1, &vg};
    /* violations from 1e-300 to `largest`, with pauses */
    double value = t % 5 == 0 ? -1.0 : largest * pow(10.0, -(double)(ROUNDS - t) * 15.0 * fabs(uniform(&state)));
    for (size_t i = 0; i < dim; i++) {
      f[i] = uniform(&state) / (double)dim;
      g[i] = uniform(&state) / (double)dim;
    }
    ofw_full fb = {{uniform(&state), 1, &value}, {1, &vf}, &grad_g};
    check_decision(s, l, K, t);
    if (tell(l, &fb) != OFW_OK)
      fail_msg("%s %s %s %s round %d: %s", s->learner, s->option, s->domain, constant, (int)t, ofw_learner_error(l));
    check_info(s, l);
  }
  check_decision(s, l, K, ROUNDS + 1);
  free(f);
  free(g);
  free(all);
  ofw_learner_free(l);
  ofw_domain_free(K);
}

static const ofw_option *options_of(const char *learner)
{
  for (size_t i = 0; i < ofw_learner_types(); i++)
    if (strcmp(ofw_learner_type(i)->name, learner) == 0)
      return ofw_learner_type(i)->options;
  return NULL;
}

/* A constant that may be anything; c may not, since a probe has to stay in the set. */
static int is_free(const ofw_option *o)
{
  return o->kind == OFW_REAL && o->lower <= 1e-10 && o->upper >= 1e10 && strcmp(o->name, "c") != 0;
}

/* Q up to 1e300, and the constant from 1e-10 to 1e10. */
static void over_decades(const setting *s, const char *name, int step)
{
  for (int decade = -10; decade <= 10; decade += step) {
    char constant[64];
    snprintf(constant, sizeof constant, "%s=1e%d", name, decade);
    play_violations(s, constant, 1e300);
    play_violations(s, constant, 1.0);
  }
}

/* beta next to every word; the others at both ends, next to the learner's defaults, on one domain in four. */
static void beyond_bounds(const setting *s)
{
  play_violations(s, "oracle-tolerance=1e-9", 1e300);
  if (s->turn % 4 && !all_levels())
    return;
  for (const ofw_option *o = options_of(s->learner); o->name; o++)
    if (strcmp(o->name, "beta") == 0)
      over_decades(s, o->name, 4);
    else if (is_free(o) && !s->option[0])
      over_decades(s, o->name, 20);
}

static void test_beyond_bounds(void **unused)
{
  (void)unused;
  for_each_setting(beyond_bounds);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_on_streams),
      cmocka_unit_test(test_beyond_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
