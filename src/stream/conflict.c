/* conflict.c — losses that pull against the constraints, with a best point at which the constraints bind
 *
 *     f_t(x) = <c_t, x>,               c_t = G ((1 - noise) c + noise w_t),   |c| <= 1
 *     g_t(x) = <b_t, x - x*> - slack_t,   b_t = G ((1 - noise) b + noise u_t),   |b| = 1
 *
 * w_t and u_t are random unit vectors that add up to nothing over the horizon, and so they do over the tight rounds,
 * those with slack_t = 0: a round and its mirror image are tight together, the first always. So x* is the best
 * fixed point where it solves
 *
 *     min <c, x>   over x in K with <b, x> <= s,
 *
 * that is, where x* minimises <c + mu b, .> over K for some mu >= 0 and <b, x*> = s. mu over the share of tight rounds
 * is the multiplier that the configuration tells: what a unit of violation in one of them saves of loss. A learner
 * whose price of violation over that of loss stays below it breaks the limit for ever. c = -(pull b + ..), so the
 * losses pull across the limit; s lies between what <b, .> is where <c, .> is least and its minimum over K, as deep as
 * is asked for.
 */
#include "stream/generator.h"
#include "stream/noise.h"
#include "stream/place.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DRAWS = 100, STEPS = 200 };

typedef struct conflict_options {
  double pull, depth, noise, tight, lipschitz;
} conflict_options;

typedef struct conflict {
  conflict_options o;
  double *c, *b, *best;
  double *loss, *limit; /* c_t and b_t */
  double value;         /* g_t at the decision */
  ofw_vec term[2];
  ofw_sum limit_gradient;
} conflict;

/* out = G ((1 - noise) steady + noise (a unit vector)) */
static void make_vector(const ofw_stream *s, uint32_t purpose, uint64_t t, const double *steady, double *out)
{
  const conflict_options *o = &((const conflict *)s->data)->o;
  size_t n = s->K->dim;
  ofw_noise_direction((ofw_rng_key){s->seed, purpose, t}, s->rounds, o->noise, n, out);
  for (size_t i = 0; i < n; i++)
    out[i] = o->lipschitz * ((1.0 - o->noise) * steady[i] + out[i]);
}

static void make_round(ofw_stream *s, uint64_t t)
{
  const conflict *l = s->data;
  make_vector(s, OFW_RNG_LOSS, t, l->c, l->loss);
  make_vector(s, OFW_RNG_CONSTRAINT, t, l->b, l->limit);
}

static double slack(const ofw_stream *s, uint64_t t)
{
  const conflict_options *o = &((const conflict *)s->data)->o;
  ofw_rng_key key = {s->seed, OFW_RNG_DATA, ofw_mirror(t, s->rounds).round};
  if (key.round == 1 || ofw_rng_unit(key, 0) < o->tight)
    return 0.0;
  return o->lipschitz * s->K->R * ofw_rng_unit(key, 1);
}

static ofw_status reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  conflict *l = s->data;
  double at_x;
  out->loss_gradient = (ofw_sum){1, &l->term[0]};
  OFW_TRY(ofw_point_dot(x, out->loss_gradient, &out->values.loss));
  OFW_TRY(ofw_point_dot(x, l->limit_gradient, &at_x));
  l->value = at_x - ofw_sum_dot(l->limit_gradient, l->best) - slack(s, t); /* at x*: -slack, to the last bit */
  ofw_full_constrain(out, &l->value, &l->limit_gradient);
  return OFW_OK;
}

static ofw_status comparator(ofw_stream *s, uint64_t t, double *loss)
{
  (void)t;
  *loss = ofw_dot(s->K->dim, ((const conflict *)s->data)->loss, s->best);
  return OFW_OK;
}

static const ofw_stream_ops ops = {.make = make_round, .reveal = reveal, .comparator = comparator};

/* ---- where x* is ----
 *
 * In the plane of (<b, v>, <c, v>) K is a convex figure. `loose` and `safe` are points on its lower left edge to either
 * side of s. The mu that gives both the same <c + mu b, .> points the oracle at the edge between them; what it finds
 * replaces one of them, until it finds nothing better: then both minimise <c + mu b, .>, and so does x* between them.
 * A polytope is done after a few steps, a round set when the two have met.
 */
typedef struct search {
  const ofw_domain *K;
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
  return ofw_fail(err, OFW_NUMERICAL, "conflict: no best point found in %d steps", STEPS);
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

/* b, and c = -(pull b + sqrt(1 - pull^2) e) with e orthogonal to b; where K extends along b alone, e is 0. */
static void draw(const ofw_stream *s, uint64_t k)
{
  const conflict *l = s->data;
  size_t n = s->K->dim;
  double pull = l->o.pull, *e = l->loss; /* not in use yet */
  ofw_place_direction(s->K, (ofw_rng_key){s->seed, OFW_RNG_TARGET, 2 * k}, l->b);
  ofw_place_direction(s->K, (ofw_rng_key){s->seed, OFW_RNG_TARGET, 2 * k + 1}, e);
  ofw_axpy(n, -ofw_dot(n, l->b, e), l->b, e);
  double length = ofw_norm(n, e), across = length > 1e-10 ? sqrt(1.0 - pull * pull) / length : 0.0;
  for (size_t i = 0; i < n; i++)
    l->c[i] = -(pull * l->b[i] + across * e[i]);
}

/* Draws until the losses' own minimiser is well across every limit; a set that is a point has no such draw. */
static ofw_status place_comparator(ofw_stream *s, search *q, double *mu, ofw_error *err)
{
  const conflict *l = s->data;
  for (uint64_t k = 0; k < DRAWS; k++) {
    draw(s, k);
    OFW_TRY(ask(q, 1.0, 0.0, q->loose, err));
    OFW_TRY(ask(q, 0.0, 1.0, q->safe, err));
    OFW_TRY(ask(q, 0.0, -1.0, q->found, err));
    double width = between(q, 0.0, 1.0, q->found, q->safe), across = between(q, 0.0, 1.0, q->loose, q->safe);
    double cost = between(q, 1.0, 0.0, q->safe, q->loose);
    if (fmin(width, cost) > 1e-6 * s->K->R && across > 0.1 * width)
      return solve(q, l->o.depth, l->best, mu, err);
  }
  return ofw_fail(err, OFW_USAGE, "conflict: the domain is too thin for losses and constraints to disagree");
}

static double tight_share(const ofw_stream *s)
{
  double tight = 0.0;
  for (uint64_t t = 1; t <= s->rounds; t++)
    tight += slack(s, t) == 0.0;
  return s->rounds ? tight / (double)s->rounds : 1.0;
}

static ofw_status search_best(ofw_stream *s, ofw_error *err)
{
  const conflict *l = s->data;
  size_t n = s->K->dim;
  ofw_owned own = {0};
  search q = {.K = s->K, .c = l->c, .b = l->b};
  q.d = ofw_owned_doubles(&own, n);
  q.loose = ofw_owned_doubles(&own, n);
  q.safe = ofw_owned_doubles(&own, n);
  q.found = ofw_owned_doubles(&own, n);
  ofw_status st = ofw_owned_check(&own, err);
  if (st == OFW_OK)
    st = s->K->ops->open(s->K, s->seed, &q.work, err);
  double mu = 0.0;
  char number[OFW_REAL_TEXT];
  if (st == OFW_OK)
    st = place_comparator(s, &q, &mu, err);
  if (st == OFW_OK)
    snprintf(s->facts, sizeof s->facts, " multiplier=%s", ofw_print_real(mu / tight_share(s), number));
  if (q.work)
    s->K->ops->close(q.work);
  ofw_owned_free(&own);
  return st;
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  conflict *l = s->data;
  l->o = *(const conflict_options *)options;
  size_t n = s->K->dim;
  s->best = l->best = ofw_owned_doubles(&s->own, n);
  l->c = ofw_owned_doubles(&s->own, n);
  l->b = ofw_owned_doubles(&s->own, n);
  l->loss = ofw_owned_doubles(&s->own, n);
  l->limit = ofw_owned_doubles(&s->own, n);
  OFW_TRY(ofw_owned_check(&s->own, err));
  l->term[0] = ofw_vec_dense(n, l->loss);
  l->term[1] = ofw_vec_dense(n, l->limit);
  l->limit_gradient = (ofw_sum){1, &l->term[1]};
  s->constants = (ofw_constants){.lipschitz = l->o.lipschitz, .loss_bound = l->o.lipschitz * s->K->R};
  return search_best(s, err);
}

#define AT(field) offsetof(conflict_options, field)
static const ofw_option options[] = {
    OFW_REAL_ROW(AT(pull), "pull", "0.7", NULL, 0, 1, "the share of the losses that points straight across the limit"),
    OFW_REAL_ROW(AT(depth), "depth", "0.5", NULL, 0.01, 0.99,
                 "where the limit is: 0 at the losses' own minimiser, 1 where only one point keeps it"),
    OFW_REAL_ROW(AT(noise), "noise", "0.3", NULL, 0, 0.99, "the share of losses and constraints that is noise"),
    OFW_TIGHT_OPTION(conflict_options, "1"),
    OFW_LIPSCHITZ_OPTION(conflict_options),
    {0},
};

const ofw_stream_kind ofw_conflict_kind = {
    .type = {.name = "conflict",
             .summary = "linear losses that pull across constraints which bind at the best point; exact comparator",
             .example = "conflict:pull=0.7,tight=0.5",
             .options = options},
    .options_size = sizeof(conflict_options),
    .data_size = sizeof(conflict),
    .ops = &ops,
    .build = build};
