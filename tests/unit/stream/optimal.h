/* optimal.h — is x* the best fixed point of K that keeps every constraint? By the conditions for it, over all rounds:
 *
 *     x* in K,   g_t(x*) <= 0,   mu_t >= 0,   mu_t g_t(x*) = 0,   <N, v - x*> <= 0 for every v of K,
 *     N = -sum_t grad f_t(x*) - sum_t mu_t grad g_t(x*)
 *
 * For convex f_t and g_t no more is needed. The sums are made anew from what is revealed at x*; the v that makes
 * <N, v> largest is the oracle's.
 */
#ifndef OFW_TEST_OPTIMAL_H
#define OFW_TEST_OPTIMAL_H

#include "stream/generator.h"
#include "unit/stream/generated.h"

#include <stdio.h>

/* Every registered set, and some at the ends of what a set may be. */
static inline const char *some_domain(size_t i)
{
  static const char *const odd[] = {"l2-ball:dim=1",
                                    "l1-ball:dim=2,radius=1e-3",
                                    "linf-ball:dim=1,radius=40",
                                    "simplex:dim=2",
                                    "box:dim=3,lower=1,upper=2",
                                    "shrunk:factor=0.5,of=(trace-ball:rows=3,cols=5,radius=2)",
                                    "trace-ball:rows=2,cols=9,radius=1e3"};
  size_t n = ofw_domain_types();
  if (i < n)
    return ofw_domain_type(i)->example;
  return i - n < sizeof odd / sizeof *odd ? odd[i - n] : NULL;
}

/* -sum of grad f_t(x*); sum of grad g_t(x*) over the tight rounds, and how many these are. */
typedef struct at_best {
  size_t n;
  double *pull, *push, tight, unit; /* unit: G R T, what a residual is measured in */
} at_best;

/* x* is in K and keeps every constraint, in floating point too; its losses are those that the comparator names. */
static inline at_best look_at_best(const ofw_domain *K, ofw_stream *s, uint64_t T)
{
  size_t n = ofw_domain_dim(K);
  const ofw_constants *c = ofw_stream_constants(s);
  double R = K->R, *a = room(n);
  at_best at = {n, room(n), room(n), 0.0, c->lipschitz * R * (double)T};
  held h = hold(K);
  assert_non_null(s->best);
  memcpy(h.x, s->best, n * sizeof *h.x);
  assert_at_most(ofw_domain_excess(K, h.x), 1e-13 * R);
  for (uint64_t t = 1; t <= T; t++) {
    double loss;
    ofw_full now = reveal(s, t, &h);
    int any = now.values.constraints > 0;
    assert_in_range(now.values.constraints, 0, 1);
    double g = any ? now.values.constraint[0] : 0.0;
    assert_at_most(g, 0.0);
    ofw_sum_dense(now.loss_gradient, n, a);
    for (size_t i = 0; i < n; i++)
      at.pull[i] -= a[i];
    ofw_sum_dense(any ? now.constraint_gradient[0] : (ofw_sum){0}, n, a);
    at.tight += any && g == 0.0;
    for (size_t i = 0; i < n && g == 0.0; i++)
      at.push[i] += a[i];
    double revealed = now.values.loss;
    assert_int_equal(ofw_stream_comparator(s, t, &loss), OFW_OK);
    assert_near(loss, revealed, 1e-13 * c->loss_bound);
  }
  free(a);
  let_go(&h);
  return at;
}

static inline void look_away(at_best *at)
{
  free(at->pull), free(at->push);
}

/* max over K of <N, v - x*> with the same mu in every tight round, over G R T. */
static inline double residual(const ofw_domain *K, const ofw_stream *s, const at_best *at, double mu)
{
  double *d = room(at->n), *v = room(at->n), error = 0.0;
  for (size_t i = 0; i < at->n; i++)
    d[i] = mu * at->push[i] - at->pull[i]; /* -N, which the oracle minimises */
  assert_int_equal(ofw_domain_minimise(K, d, 1e-13, v, &error, NULL), OFW_OK);
  double most = slow_dot(at->n, d, s->best) - slow_dot(at->n, d, v) + error;
  free(d), free(v);
  return most / at->unit;
}

/* The mu of least residual: <N, v - x*> is linear in mu for each v, so their maximum is convex. */
static inline double best_price(const ofw_domain *K, const ofw_stream *s, const at_best *at, double most)
{
  double low = 0.0, high = most;
  for (int k = 0; k < 200; k++) {
    double third = (high - low) / 3.0, a = low + third, b = high - third;
    if (residual(K, s, at, a) <= residual(K, s, at, b))
      high = b;
    else
      low = a;
  }
  return (low + high) / 2.0;
}

/* x* is the best already where the constraints ask nothing of it: mu = 0. */
static inline void is_best_without_price(const char *spec, const char *set, uint64_t T, uint64_t seed)
{
  ofw_domain *K = domain(set);
  ofw_stream *s = stream(spec, K, T, seed);
  at_best at = look_at_best(K, s, T);
  double off = residual(K, s, &at, 0.0);
  if (!(off <= 1e-12))
    fail_msg("%s over %s, %d rounds: residual %g", spec, set, (int)T, off);
  look_away(&at);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

/* The mu of a tight round, as the configuration has it. */
static inline double told_multiplier(const ofw_stream *s)
{
  double said;
  const char *at = strstr(ofw_stream_config(s), " multiplier=");
  assert_non_null(at);
  assert_int_equal(sscanf(at, " multiplier=%lf", &said), 1);
  return said;
}

/* With the multiplier that the configuration tells the conditions hold; with none they do not: the constraints bind. */
static inline void is_best_at_a_price(const char *spec, const char *set, uint64_t T, uint64_t seed)
{
  ofw_domain *K = domain(set);
  ofw_stream *s = stream(spec, K, T, seed);
  at_best at = look_at_best(K, s, T);
  double mu = told_multiplier(s), with = residual(K, s, &at, mu), without = residual(K, s, &at, 0.0);
  if (!(mu > 0.0 && with <= 1e-12 && (without > 1e-6 || at.tight == 0.0)))
    fail_msg("%s over %s, %d rounds: multiplier %g, residual %g, %g without", spec, set, (int)T, mu, with, without);
  look_away(&at);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

enum { LONG_RUN = 100000 }; /* rounding adds up over it */

/* So on every set, for horizons of every size. */
static inline void is_best_everywhere(const char *spec)
{
  static const uint64_t rounds[] = {1, 2, 7, 600};
  const char *set;
  is_best_without_price(spec, "l2-ball:dim=5", LONG_RUN, 1);
  for (size_t i = 0; (set = some_domain(i)) != NULL; i++)
    for (size_t k = 0; k < sizeof rounds / sizeof *rounds; k++)
      is_best_without_price(spec, set, rounds[k], 20 + i);
}

#endif
