/* drifting.c — strongly convex losses whose minimiser moves through K, with both comparators known exactly
 *
 *     f_t(x) = (alpha/2) |x - u_t - n_t|^2
 *     u_t = sum_k lambda_k v_k,   lambda_k = (1 + reach cos(a_t + 2 pi k/3)) / 3,   k = 0, 1, 2
 *
 * v_0, v_1, v_2 are vertices of K, so u_t runs through K on an ellipse in their triangle: so many whole turns over the
 * horizon, evenly or by jumps from stop to stop. n_t is noise of length spread R that adds up to nothing
 * over the horizon; without it u_t is the minimiser of f_t.
 *
 *   x*   the mean of all u_t, which is in K and where the summed gradients vanish: the best fixed point
 *   u_t  the moving comparator, revealed as the target: loss_sum - target_loss_sum is the dynamic regret against it.
 *        Its path length P_T = sum |u_(t+1) - u_t| is in the configuration as path-length
 *
 * The half-space of round t holds both x* and u_t.  With |x - u_t| <= 2R:  G = alpha (2 + spread) R.
 */
#include "stream/noise.h"
#include "stream/scene.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"

#include <math.h>
#include <stdio.h>

enum { CORNERS = 3 };

typedef struct drifting_options {
  uint64_t turns, stops;
  double reach, strength, spread, tight;
} drifting_options;

typedef struct drifting {
  ofw_scene scene; /* whose loss is about u + noise */
  drifting_options o;
  double *corner[CORNERS];
  double *u; /* this round's */
} drifting;

/* a_t; rounds beyond the horizon go on round. */
static double angle(const ofw_stream *s, uint64_t t)
{
  const drifting_options *o = &((const drifting *)s->data)->o;
  uint64_t of = s->rounds ? s->rounds : 1, at = (t - 1) % of * o->turns % of; /* at / of: the part of a turn */
  if (o->stops) {
    at = at * o->stops / of;
    of = o->stops;
  }
  return 2.0 * M_PI * (double)at / (double)of;
}

static void weights(const ofw_stream *s, uint64_t t, double lambda[CORNERS])
{
  double reach = ((const drifting *)s->data)->o.reach, a = angle(s, t);
  for (int k = 0; k < CORNERS; k++)
    lambda[k] = (1.0 + reach * cos(a + 2.0 * M_PI * k / CORNERS)) / CORNERS;
}

/* out = sum_k lambda_k v_k */
static void mix(const drifting *d, size_t n, const double lambda[CORNERS], double *out)
{
  for (size_t i = 0; i < n; i++)
    out[i] = lambda[0] * d->corner[0][i] + lambda[1] * d->corner[1][i] + lambda[2] * d->corner[2][i];
}

static void make_loss(ofw_stream *s, uint64_t t)
{
  const drifting *d = s->data;
  double lambda[CORNERS];
  size_t n = s->K->dim;
  weights(s, t, lambda);
  mix(d, n, lambda, d->u);
  ofw_noise_direction((ofw_rng_key){s->seed, OFW_RNG_LOSS, t}, s->rounds, d->o.spread * s->K->R, n, d->scene.loss.a);
  ofw_axpy(n, 1.0, d->u, d->scene.loss.a);
}

static ofw_status target(ofw_stream *s, uint64_t t, double *loss)
{
  (void)t;
  *loss = ofw_loss_at(s->data, ((const drifting *)s->data)->u);
  return OFW_OK;
}

static const ofw_stream_ops ops = {
    .make = make_loss, .reveal = ofw_scene_reveal, .comparator = ofw_loss_comparator, .target = target};

/* Two opposite vertices, so that u_t moves wherever K has two points, and a third. */
static ofw_status choose_corners(ofw_stream *s, ofw_error *err)
{
  drifting *d = s->data;
  size_t n = s->K->dim;
  double *direction = d->scene.loss.gradient; /* not in use yet */
  ofw_rng_direction((ofw_rng_key){s->seed, OFW_RNG_TARGET, 1}, n, direction);
  OFW_TRY(ofw_domain_minimise(s->K, direction, 1e-9, d->corner[0], NULL, err));
  for (size_t i = 0; i < n; i++)
    direction[i] = -direction[i];
  OFW_TRY(ofw_domain_minimise(s->K, direction, 1e-9, d->corner[1], NULL, err));
  ofw_rng_direction((ofw_rng_key){s->seed, OFW_RNG_TARGET, 2}, n, direction);
  return ofw_domain_minimise(s->K, direction, 1e-9, d->corner[2], NULL, err);
}

/* <v_i - v_0, v_j - v_0> */
static double product(const drifting *d, size_t n, int i, int j)
{
  double sum = 0.0;
  for (size_t k = 0; k < n; k++)
    sum += (d->corner[i][k] - d->corner[0][k]) * (d->corner[j][k] - d->corner[0][k]);
  return sum;
}

/* x* and P_T by a walk over the weights alone: u_(t+1) - u_t is a combination of v_1 - v_0 and v_2 - v_0. */
static void place_comparators(ofw_stream *s)
{
  drifting *d = s->data;
  size_t n = s->K->dim;
  uint64_t T = s->rounds ? s->rounds : 1;
  double p11 = product(d, n, 1, 1), p12 = product(d, n, 1, 2), p22 = product(d, n, 2, 2), path = 0.0;
  double sum[CORNERS] = {0}, now[CORNERS], last[CORNERS];
  char number[OFW_REAL_TEXT];
  weights(s, 1, last);
  for (uint64_t t = 1; t <= T; t++) {
    weights(s, t, now);
    double by1 = now[1] - last[1], by2 = now[2] - last[2];
    path += sqrt(fmax(0.0, by1 * by1 * p11 + 2.0 * by1 * by2 * p12 + by2 * by2 * p22));
    for (int k = 0; k < CORNERS; k++) {
      sum[k] += now[k];
      last[k] = now[k];
    }
  }
  for (int k = 0; k < CORNERS; k++)
    sum[k] /= (double)T;
  mix(d, n, sum, d->scene.half.point);
  snprintf(s->facts, sizeof s->facts, " path-length=%s", ofw_print_real(path, number));
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  drifting *d = s->data;
  size_t n = s->K->dim;
  d->o = *(const drifting_options *)options;
  for (int k = 0; k < CORNERS; k++)
    d->corner[k] = ofw_owned_doubles(&s->own, n);
  d->u = ofw_owned_doubles(&s->own, n);
  OFW_TRY(ofw_scene_open(s, d->o.strength, d->o.strength * (2.0 + d->o.spread) * s->K->R, d->o.tight, err));
  d->scene.half.also = d->u;
  OFW_TRY(choose_corners(s, err));
  place_comparators(s);
  return OFW_OK;
}

#define AT(field) offsetof(drifting_options, field)
static const ofw_option options[] = {
    OFW_COUNT_ROW(AT(turns), "turns", "1", NULL, 1, 1e6,
                  "how often the minimiser goes round its triangle over the horizon"),
    OFW_COUNT_ROW(AT(stops), "stops", "0", NULL, 0, 1e6,
                  "places per turn where the minimiser rests, jumping from one to the next; 0: it never rests"),
    OFW_REAL_ROW(AT(reach), "reach", "1", NULL, 0, 1,
                 "how far the minimiser goes: 0 nowhere, 1 to the sides of its triangle"),
    OFW_STRENGTH_OPTION(drifting_options),
    OFW_REAL_ROW(AT(spread), "spread", "0", NULL, 0, 1e6,
                 "length of the noise around the moving point, in units of R; 0: the point itself is the minimiser"),
    OFW_TIGHT_OPTION(drifting_options, "0.5"),
    {0},
};

const ofw_stream_kind ofw_drifting_kind = {
    .type = {.name = "drifting",
             .summary = "strongly convex losses whose minimiser moves, for dynamic regret (column target_loss_sum)",
             .example = "drifting:turns=2,spread=0.1",
             .options = options},
    .data_size = sizeof(drifting),
    .ops = &ops,
    .build = build};
