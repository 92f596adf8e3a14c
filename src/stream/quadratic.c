/* quadratic.c — strongly convex losses over any domain, with a comparator that is known exactly
 *
 *     f_t(x) = (alpha/2) |x - z_t|^2,   z_t = x* + n_t - mean of all n,   n_t = spread R u_t
 *
 * with u_t a random unit vector.
 *
 * The z_t average to x*, a point inside K, so x* minimises the total loss; every half-space holds it.
 * With |x - x*| <= 2R:  G = alpha (2 + 2 spread) R.
 */
#include "stream/place.h"
#include "stream/scene.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"

typedef struct quadratic_options {
  double strength, spread, tight;
} quadratic_options;

typedef struct quadratic {
  ofw_scene scene;
  quadratic_options o;
  double *mean;
} quadratic;

static void make_noise(ofw_stream *s, uint64_t t, double *out)
{
  const quadratic *q = s->data;
  ofw_rng_direction((ofw_rng_key){s->seed, OFW_RNG_LOSS, t}, s->K->dim, out);
  for (size_t i = 0; i < s->K->dim; i++)
    out[i] *= q->o.spread * s->K->R;
}

static void make_loss(ofw_stream *s, uint64_t t)
{
  const quadratic *q = s->data;
  double *z = q->scene.loss.a;
  make_noise(s, t, z);
  for (size_t i = 0; i < s->K->dim; i++)
    z[i] += q->scene.half.point[i] - q->mean[i];
}

static const ofw_stream_ops ops = {.make = make_loss, .reveal = ofw_scene_reveal, .comparator = ofw_loss_comparator};

static void centre_noise(ofw_stream *s)
{
  quadratic *q = s->data;
  for (uint64_t t = 1; t <= s->rounds; t++) {
    make_noise(s, t, q->scene.loss.a);
    ofw_axpy(s->K->dim, 1.0 / (double)s->rounds, q->scene.loss.a, q->mean);
  }
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  quadratic *q = s->data;
  q->o = *(const quadratic_options *)options;
  q->mean = ofw_owned_doubles(&s->own, s->K->dim);
  double G = q->o.strength * (2.0 + 2.0 * q->o.spread) * s->K->R;
  OFW_TRY(ofw_scene_open(s, q->o.strength, G, q->o.tight, err));
  centre_noise(s);
  return ofw_place_inside(s->K, s->seed, q->scene.half.point, err);
}

static const ofw_option options[] = {
    OFW_STRENGTH_OPTION(quadratic_options),
    OFW_REAL_ROW(offsetof(quadratic_options, spread), "spread", "0.5", NULL, 0, 1e6,
                 "length of the noise in z_t, in units of R"),
    OFW_TIGHT_OPTION(quadratic_options, "0.5"),
    {0},
};

const ofw_stream_kind ofw_quadratic_kind = {
    .type = {.name = "quadratic",
             .summary = "strongly convex losses and half-spaces on any domain, with an exact comparator",
             .example = "quadratic",
             .options = options},
    .data_size = sizeof(quadratic),
    .ops = &ops,
    .build = build};
