/* linear.c — linear losses over any domain, with a comparator that is known exactly
 *
 *     f_t(x) = <a_t, x>,   a_t = G (drift m + (1 - drift) u_t),   m and u_t random unit vectors, so |a_t| <= G
 *
 * x* minimises sum_t a_t over K (one oracle call when the stream is made), and every half-space holds it: so no point
 * that keeps all constraints has a smaller total loss.
 */
#include "stream/scene.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"

typedef struct linear_options {
  double drift, tight, lipschitz;
} linear_options;

typedef struct linear {
  ofw_scene scene;
  linear_options o;
  double *m;
} linear;

static void make_loss(ofw_stream *s, uint64_t t)
{
  const linear *l = s->data;
  double drift = l->o.drift, *a = l->scene.loss.a;
  ofw_rng_direction((ofw_rng_key){s->seed, OFW_RNG_LOSS, t}, s->K->dim, a);
  for (size_t i = 0; i < s->K->dim; i++)
    a[i] = l->o.lipschitz * (drift * l->m[i] + (1.0 - drift) * a[i]);
}

static const ofw_stream_ops ops = {.make = make_loss, .reveal = ofw_scene_reveal, .comparator = ofw_loss_comparator};

/* x* = argmin over K of <sum_t a_t, x> */
static ofw_status place_comparator(ofw_stream *s, ofw_error *err)
{
  const ofw_scene *scene = s->data;
  double *total = scene->half.b; /* 0, and not in use yet */
  for (uint64_t t = 1; t <= s->rounds; t++) {
    make_loss(s, t);
    ofw_axpy(s->K->dim, 1.0, scene->loss.a, total);
  }
  return ofw_domain_minimise(s->K, total, 1e-13, scene->half.point, NULL, err);
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  linear *l = s->data;
  l->o = *(const linear_options *)options;
  l->m = ofw_owned_doubles(&s->own, s->K->dim);
  OFW_TRY(ofw_scene_open(s, 0.0, l->o.lipschitz, l->o.tight, err));
  ofw_rng_direction((ofw_rng_key){s->seed, OFW_RNG_TARGET, 0}, s->K->dim, l->m);
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
    .type = {.name = "linear",
             .summary = "linear losses and half-spaces on any domain, with an exact comparator",
             .example = "linear",
             .options = options},
    .data_size = sizeof(linear),
    .ops = &ops,
    .build = build};
