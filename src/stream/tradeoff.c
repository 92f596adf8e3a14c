/* tradeoff.c — draws c and b, and searches for x* and its multiplier by the domain's oracle alone
 *
 * In the plane of (<b, v>, <c, v>) K is a convex figure. `loose` and `safe` are points on its lower left edge to either
 * side of s. The mu that gives both the same <c + mu b, .> points the oracle at the edge between them; what it finds
 * replaces one of them, until it finds nothing better: then both minimise <c + mu b, .>, and so does x* between them.
 * A polytope is done after a few steps, a round set when the two have met.
 */
#include "stream/tradeoff.h"

#include "stream/place.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 100, STEPS = 200 };

typedef struct search {
  const ofw_domain *K;
  const char *name; /* of the stream, for messages */
  void *work;
  const double *c, *b;
  double *d, *loose, *safe, *found;
} search;

/* out = argmin over K of <on_c c + on_b b, .> */
static ofw_status ask(search *q, double on_c, double on_b, double *out, ofw_error *err)
{
  size_t n = q->K->dim;
  ofw_answer answer;
  ofw_direction d = ofw_direction_dense(q->K, q->d, (ofw_accuracy){1e-13, INFINITY, 0});
  for (size_t i = 0; i < n; i++)
    q->d[i] = on_c * q->c[i] + on_b * q->b[i];
  OFW_TRY(q->K->ops->minimise(q->K, q->work, &d, &answer, err));
  ofw_sum_dense(answer.atom, n, out);
  return OFW_OK;
}

/* <on_c c + on_b b, x - y> */
static double between(const search *q, double on_c, double on_b, const double *x, const double *y)
{
  double sum = 0.0;
  for (size_t i = 0; i < q->K->dim; i++)
    sum += (on_c * q->c[i] + on_b * q->b[i]) * (x[i] - y[i]);
  return sum;
}

/* Goes on until loose and safe are as said; *mu is what they share. */
static ofw_status close_in(search *q, double s, double *mu, ofw_error *err)
{
  size_t n = q->K->dim;
  for (int k = 0; k < STEPS; k++) {
    *mu = between(q, 1.0, 0.0, q->safe, q->loose) / between(q, 0.0, 1.0, q->loose, q->safe);
    OFW_TRY(ask(q, 1.0, *mu, q->found, err));
    if (between(q, 1.0, *mu, q->loose, q->found) <= 1e-13 * (1.0 + *mu) * q->K->R)
      return OFW_OK;
    memcpy(ofw_dot(n, q->b, q->found) > s ? q->loose : q->safe, q->found, n * sizeof *q->found);
  }
  return ofw_fail(err, OFW_NUMERICAL, "%s: no best point found in %d steps", q->name, STEPS);
}

static ofw_status solve(search *q, double depth, double *best, double *mu, ofw_error *err)
{
  size_t n = q->K->dim;
  double high = ofw_dot(n, q->b, q->loose), s = high - depth * (high - ofw_dot(n, q->b, q->safe));
  OFW_TRY(close_in(q, s, mu, err));
  high = ofw_dot(n, q->b, q->loose);
  double share = (high - s) / (high - ofw_dot(n, q->b, q->safe));
  for (size_t i = 0; i < n; i++)
    best[i] = (1.0 - share) * q->loose[i] + share * q->safe[i];
  return OFW_OK;
}

/* b, and c = -(pull b + sqrt(1 - pull^2) e) with e orthogonal to b; if K extends along b alone, e is 0. */
static void draw(const search *q, const ofw_tradeoff *f, double pull, uint64_t seed, uint64_t k)
{
  size_t n = q->K->dim;
  double *e = q->found; /* not in use yet */
  ofw_place_direction(q->K, (ofw_rng_key){seed, OFW_RNG_TARGET, 2 * k}, f->b);
  ofw_place_direction(q->K, (ofw_rng_key){seed, OFW_RNG_TARGET, 2 * k + 1}, e);
  ofw_axpy(n, -ofw_dot(n, f->b, e), f->b, e);
  double length = ofw_norm(n, e), across = length > 1e-10 ? sqrt(1.0 - pull * pull) / length : 0.0;
  for (size_t i = 0; i < n; i++)
    f->c[i] = -(pull * f->b[i] + across * e[i]);
}

/* Draws until the losses' own minimiser is well across every limit; a set that is a point has no such draw. */
static ofw_status place(search *q, ofw_tradeoff *f, uint64_t seed, double pull, double depth, ofw_error *err)
{
  for (uint64_t k = 0; k < DRAWS; k++) {
    draw(q, f, pull, seed, k);
    OFW_TRY(ask(q, 1.0, 0.0, q->loose, err));
    OFW_TRY(ask(q, 0.0, 1.0, q->safe, err));
    OFW_TRY(ask(q, 0.0, -1.0, q->found, err));
    double width = between(q, 0.0, 1.0, q->found, q->safe), across = between(q, 0.0, 1.0, q->loose, q->safe);
    double cost = between(q, 1.0, 0.0, q->safe, q->loose);
    if (fmin(width, cost) > 1e-6 * q->K->R && across > 0.1 * width)
      return solve(q, depth, f->best, &f->mu, err);
  }
  return ofw_fail(err, OFW_USAGE, "%s: the domain is too thin for a conflict of losses and constraints; choose another",
                  q->name);
}

ofw_status ofw_tradeoff_open(ofw_tradeoff *f, ofw_stream *s, const char *name, double pull, double depth,
                             ofw_error *err)
{
  size_t n = s->K->dim;
  ofw_owned own = {0};
  s->best = f->best = ofw_owned_doubles(&s->own, n);
  f->c = ofw_owned_doubles(&s->own, n);
  f->b = ofw_owned_doubles(&s->own, n);
  OFW_TRY(ofw_owned_check(&s->own, err));
  search q = {.K = s->K, .name = name, .c = f->c, .b = f->b};
  q.d = ofw_owned_doubles(&own, n);
  q.loose = ofw_owned_doubles(&own, n);
  q.safe = ofw_owned_doubles(&own, n);
  q.found = ofw_owned_doubles(&own, n);
  ofw_status st = ofw_owned_check(&own, err);
  if (st == OFW_OK)
    st = s->K->ops->open(s->K, s->seed, &q.work, err);
  if (st == OFW_OK)
    st = place(&q, f, s->seed, pull, depth, err);
  if (q.work)
    s->K->ops->close(q.work);
  ofw_owned_free(&own);
  return st;
}
