/* conflict.c — losses that pull against the constraints, with a best point at which the constraints bind
 *
 *     f_t(x) = <c_t, x>,               c_t = G ((1 - noise) c + noise w_t),   |c| <= 1
 *     g_t(x) = <b_t, x - x*> - slack_t,   b_t = G ((1 - noise) b + noise u_t),   |b| = 1
 *
 * w_t and u_t are random unit vectors that add up to nothing over the horizon, and so they do over the tight rounds,
 * those with slack_t = 0: a round and its mirror image are tight together, the first always. So x* is the best
 * fixed point if it solves
 *
 *     min <c, x>   over x in K with <b, x> <= s,
 *
 * that is, if x* minimises <c + mu b, .> over K for some mu >= 0 and <b, x*> = s. mu over the share of tight rounds
 * is the multiplier that the configuration tells: what a unit of violation in one of them saves of loss. A learner
 * whose price of violation over that of loss stays below it breaks the limit for ever. tradeoff.h says what c, b and s
 * are.
 */
#include "stream/noise.h"
#include "stream/scene.h"
#include "stream/tradeoff.h"

#include "linalg/rng.h"
#include "vector/vec_arithmetic.h"

#include <stdio.h>

typedef struct conflict_options {
  double pull, depth, noise, tight, lipschitz;
} conflict_options;

typedef struct conflict {
  ofw_loss loss; /* c_t */
  conflict_options o;
  ofw_tradeoff f;
  double *limit; /* b_t */
  double value;  /* g_t at the decision */
  ofw_vec term;
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
  make_vector(s, OFW_RNG_LOSS, t, l->f.c, l->loss.a);
  make_vector(s, OFW_RNG_CONSTRAINT, t, l->f.b, l->limit);
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
  OFW_TRY(ofw_loss_reveal(&l->loss, x, out));
  OFW_TRY(ofw_point_dot(x, l->limit_gradient, &at_x));
  l->value = at_x - ofw_sum_dot(l->limit_gradient, l->f.best) - slack(s, t); /* at x*: -slack, to the last bit */
  ofw_full_constrain(out, &l->value, &l->limit_gradient);
  return OFW_OK;
}

static const ofw_stream_ops ops = {.make = make_round, .reveal = reveal, .comparator = ofw_loss_comparator};

static double tight_share(const ofw_stream *s)
{
  double tight = 0.0;
  for (uint64_t t = 1; t <= s->rounds; t++)
    tight += slack(s, t) == 0.0;
  return s->rounds ? tight / (double)s->rounds : 1.0;
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  conflict *l = s->data;
  l->o = *(const conflict_options *)options;
  char number[OFW_REAL_TEXT];
  l->limit = ofw_owned_doubles(&s->own, s->K->dim);
  OFW_TRY(ofw_loss_open(&l->loss, s, 0.0, l->o.lipschitz, err));
  l->term = ofw_vec_dense(s->K->dim, l->limit);
  l->limit_gradient = (ofw_sum){1, &l->term};
  OFW_TRY(ofw_tradeoff_open(&l->f, s, "conflict", l->o.pull, l->o.depth, err));
  snprintf(s->facts, sizeof s->facts, " multiplier=%s", ofw_print_real(l->f.mu / tight_share(s), number));
  return OFW_OK;
}

static const ofw_option options[] = {
    OFW_PULL_OPTION(conflict_options, "0.7"),
    OFW_DEPTH_OPTION(conflict_options, "0.5"),
    OFW_REAL_ROW(offsetof(conflict_options, noise), "noise", "0.3", NULL, 0, 0.99,
                 "the share of noise in losses and constraints"),
    OFW_TIGHT_OPTION(conflict_options, "1"),
    OFW_LIPSCHITZ_OPTION(conflict_options),
    {0},
};

const ofw_stream_kind ofw_conflict_kind = {
    .type = {.name = "conflict",
             .summary =
                 "linear losses that pull across constraints, which are tight at the best point; exact comparator",
             .example = "conflict:pull=0.7,tight=0.5",
             .options = options},
    .data_size = sizeof(conflict),
    .ops = &ops,
    .build = build};
