/* linear.c — linear losses over any domain, with a comparator that is known exactly
 *
 *     f_t(x) = <a_t, x>,   a_t = G (drift m + (1 - drift) u_t),   m and u_t random unit vectors, so |a_t| <= G
 *
 * x* minimises sum_t a_t over K (one oracle call when the stream is made), and every half-space holds it: so no point
 * that keeps all constraints has a smaller total loss.
 */
#include "stream/half_space.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"

#include <stdlib.h>
#include <string.h>

typedef struct linear_options {
  double drift, tight, lipschitz;
} linear_options;

typedef struct linear {
  linear_options o;
  ofw_half_space half;
  double *m, *a;  /* a: this round's */
  uint64_t ready; /* the round that a belongs to */
  ofw_vec term;
} linear;

static void make_loss(ofw_stream *s, uint64_t t)
{
  linear *l = s->data;
  if (l->ready == t)
    return;
  double drift = l->o.drift;
  ofw_rng_direction((ofw_rng_key){s->seed, OFW_RNG_LOSS, t}, s->K->dim, l->a);
  for (size_t i = 0; i < s->K->dim; i++)
    l->a[i] = l->o.lipschitz * (drift * l->m[i] + (1.0 - drift) * l->a[i]);
  l->ready = t;
}

static ofw_status reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  linear *l = s->data;
  make_loss(s, t);
  out->loss_gradient = (ofw_sum){1, &l->term};
  OFW_TRY(ofw_point_dot(x, out->loss_gradient, &out->values.loss));
  return ofw_half_space_reveal(&l->half, t, x, out);
}

static ofw_status comparator(ofw_stream *s, uint64_t t, double *loss)
{
  linear *l = s->data;
  make_loss(s, t);
  *loss = ofw_dot(s->K->dim, l->a, l->half.point);
  return OFW_OK;
}

static void destroy(void *data)
{
  linear *l = data;
  if (l) {
    ofw_half_space_close(&l->half);
    free(l->m);
    free(l->a);
    free(l);
  }
}

static const ofw_stream_ops ops = {reveal, comparator, NULL, NULL, NULL, NULL, destroy};

/* x* = argmin over K of <sum_t a_t, x> */
static ofw_status place_comparator(ofw_stream *s, ofw_error *err)
{
  linear *l = s->data;
  double *total = ofw_doubles(s->K->dim);
  if (!total)
    return ofw_fail_memory(err, s->K->dim * sizeof(double));
  for (uint64_t t = 1; t <= s->rounds; t++) {
    make_loss(s, t);
    ofw_axpy(s->K->dim, 1.0, l->a, total);
  }
  ofw_status st = ofw_domain_minimise(s->K, total, 1e-13, l->half.point, NULL, err);
  free(total);
  return st;
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  if (!s->K)
    return ofw_fail(err, OFW_USAGE, "linear: a domain is needed");
  linear *l = calloc(1, sizeof *l);
  if (!l)
    return ofw_fail_memory(err, sizeof *l);
  s->ops = &ops;
  s->data = l;
  l->o = *(const linear_options *)options;
  l->m = ofw_doubles(s->K->dim);
  l->a = ofw_doubles(s->K->dim);
  if (!l->m || !l->a)
    return ofw_fail_memory(err, s->K->dim * sizeof(double));
  l->term = ofw_vec_dense(s->K->dim, l->a);
  ofw_rng_direction((ofw_rng_key){s->seed, OFW_RNG_TARGET, 0}, s->K->dim, l->m);
  s->constants = (ofw_constants){.lipschitz = l->o.lipschitz, .loss_bound = l->o.lipschitz * s->K->R};
  OFW_TRY(ofw_half_space_open(&l->half, s->K, l->o.lipschitz, l->o.tight, s->seed, err));
  s->best = l->half.point;
  return place_comparator(s, err);
}

static const ofw_option options[] = {
    OFW_REAL_ROW(offsetof(linear_options, drift), "drift", "0.8", NULL, 0, 1,
                 "the share of the loss that is the same in all rounds; 0 is pure noise"),
    OFW_TIGHT_OPTION(linear_options, "0.5"),
    OFW_LIPSCHITZ_OPTION(linear_options),
    {0},
};

const ofw_stream_kind ofw_linear_kind = {
    {.name = "linear",
     .summary = "linear losses and half-spaces on any domain, with an exact comparator",
     .example = "linear",
     .options = options},
    sizeof(linear_options),
    build};
