/* Every decision of every learner is in K, whatever the feedback: ordinary streams, and prices beyond all bounds. */
#include "linalg/rng.h"
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

/* `first` looks at the learner before its first round; NULL: nobody does. */
static void play_rounds(const setting *s, uint64_t rounds, void (*first)(const setting *, ofw_learner *))
{
  ofw_domain *K = make_domain(s->domain);
  ofw_stream *stream = make_stream(stream_for(s, "quadratic"), K, rounds, 3);
  ofw_constants c = *ofw_stream_constants(stream);
  c.strong_convexity = c.strong_convexity > 0.0 ? c.strong_convexity : 0.5; /* for learners that ask for it */
  ofw_learner *l = make_learner(s, K, rounds, &c, 0, NULL);
  if (first)
    first(s, l);
  for (uint64_t t = 1; t <= rounds; t++) {
    const ofw_point *x;
    ofw_full fb = {0};
    check_decision(s, l, K, t);
    assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
    assert_int_equal(ofw_stream_reveal(stream, t, x, &fb), OFW_OK);
    assert_int_equal(tell(l, &fb), OFW_OK);
    check_info(s, l);
  }
  check_decision(s, l, K, rounds + 1);
  ofw_learner_free(l);
  ofw_stream_free(stream);
  ofw_domain_free(K);
}

static void on_stream(const setting *s)
{
  play_rounds(s, 150, NULL);
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

/* The direction that start=vertex asks about with the seed 7, as docs/algorithms.md has it. */
static double *start_direction(const setting *s, const ofw_domain *K)
{
  size_t dim = ofw_domain_dim(K), rows, cols;
  ofw_rng_key key = {7, OFW_RNG_START, 0};
  ofw_domain_shape(K, &rows, &cols);
  double *d = calloc(dim, sizeof *d), *factor = calloc(rows + cols, sizeof *factor);
  assert_true(d && factor);
  ofw_rng_normal(key, 0, rows + cols, factor);
  if (strstr(s->domain, "trace-ball") && K->passes_only)
    for (size_t i = 0; i < dim; i++)
      d[i] = factor[i / cols] * factor[rows + i % cols];
  else
    ofw_rng_normal(key, 0, dim, d);
  free(factor);
  return d;
}

/* x_1, or the y_1 that a bandit learner probes about, minimises <d, x> over K, or over K shrunk about its centre by
 * delta/r; and no call of the oracle is counted for it. */
static void at_a_vertex(const setting *s, ofw_learner *l)
{
  ofw_domain *K = make_domain(s->domain);
  size_t dim = ofw_domain_dim(K);
  double *d = start_direction(s, K), *v = calloc(dim, sizeof *v), *centre = calloc(dim, sizeof *centre);
  double R, r, least = 0.0, at_x = 0.0, size = 0.0;
  const ofw_point *x;
  ofw_info info = {.size = sizeof info};
  assert_true(v && centre);
  ofw_domain_balls(K, &R, &r, centre);
  assert_int_equal(ofw_domain_minimise(K, d, 1e-12, v, NULL, NULL), OFW_OK);
  assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
  assert_true(info.oracle_calls == 0 && info.oracle_passes == 0);
  double shrunk = l->method->bandit ? info.delta / r : 0.0;
  for (size_t i = 0; i < dim; i++)
    least += d[i] * ((1.0 - shrunk) * v[i] + shrunk * centre[i]);
  assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
  assert_int_equal(ofw_point_centre(x, v), OFW_OK);
  for (size_t i = 0; i < dim; i++) {
    at_x += d[i] * v[i];
    size += fabs(d[i]) * R;
  }
  if (!(fabs(at_x - least) <= 1e-8 * size))
    fail_msg("%s %s: <d, x_1> is %.17g, its minimum %.17g", s->learner, s->domain, at_x, least);
  free(d);
  free(v);
  free(centre);
  ofw_domain_free(K);
}

static void from_a_vertex(const setting *s)
{
  play_rounds(s, 20, at_a_vertex);
}

static void test_from_vertices(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_learner_types(); i++)
    for (size_t k = i % one_in(); k < ofw_domain_types(); k += one_in())
      if_offered(&(setting){ofw_learner_type(i)->name, "start=vertex", ofw_domain_type(k)->example, 0}, from_a_vertex);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_on_streams),
      cmocka_unit_test(test_beyond_bounds),
      cmocka_unit_test(test_from_vertices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
