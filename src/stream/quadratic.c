/* quadratic.c — strongly convex losses over any domain, with a comparator that is known exactly
 *
 *     f_t(x) = (alpha/2) |x - z_t|^2,   z_t = x* + n_t - mean of all n,   n_t = spread R u_t
 *
 * with u_t a random unit vector.
 *
 * The z_t average to x*, a point inside K, so x* minimises the total loss; every half-space holds it.
 * With |x - x*| <= 2R:  G = alpha (2 + 2 spread) R.
 */
#include "stream/half_space.h"
#include "stream/place.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"

#include <math.h>
#include <stdlib.h>

typedef struct quadratic_options {
  double strength, spread, tight;
} quadratic_options;

typedef struct quadratic {
  quadratic_options o;
  ofw_half_space half;
  double *mean, *z, *gradient; /* z: this round's */
  uint64_t ready;              /* the round that z belongs to */
  ofw_vec term;
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
  quadratic *q = s->data;
  if (q->ready == t)
    return;
  make_noise(s, t, q->z);
  for (size_t i = 0; i < s->K->dim; i++)
    q->z[i] += q->half.point[i] - q->mean[i];
  q->ready = t;
}

static double loss_at(const quadratic *q, size_t n, const double *x)
{
  double square = 0.0;
  for (size_t i = 0; i < n; i++)
    square += (x[i] - q->z[i]) * (x[i] - q->z[i]);
  return q->o.strength / 2.0 * square;
}

static ofw_status reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  quadratic *q = s->data;
  make_loss(s, t);
  OFW_TRY(ofw_point_dense(x, q->gradient));
  out->values.loss = loss_at(q, s->K->dim, q->gradient);
  for (size_t i = 0; i < s->K->dim; i++)
    q->gradient[i] = q->o.strength * (q->gradient[i] - q->z[i]);
  out->loss_gradient = (ofw_sum){1, &q->term};
  return ofw_half_space_reveal(&q->half, t, x, out);
}

static ofw_status comparator(ofw_stream *s, uint64_t t, double *loss)
{
  quadratic *q = s->data;
  make_loss(s, t);
  *loss = loss_at(q, s->K->dim, q->half.point);
  return OFW_OK;
}

static void destroy(void *data)
{
  quadratic *q = data;
  if (q) {
    ofw_half_space_close(&q->half);
    free(q->mean);
    free(q->z);
    free(q->gradient);
    free(q);
  }
}

static const ofw_stream_ops ops = {reveal, comparator, NULL, NULL, NULL, NULL, destroy};

static void centre_noise(ofw_stream *s)
{
  quadratic *q = s->data;
  for (uint64_t t = 1; t <= s->rounds; t++) {
    make_noise(s, t, q->z);
    ofw_axpy(s->K->dim, 1.0 / (double)s->rounds, q->z, q->mean);
  }
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  if (!s->K)
    return ofw_fail(err, OFW_USAGE, "quadratic: a domain is needed");
  quadratic *q = calloc(1, sizeof *q);
  if (!q)
    return ofw_fail_memory(err, sizeof *q);
  s->ops = &ops;
  s->data = q;
  q->o = *(const quadratic_options *)options;
  size_t n = s->K->dim;
  q->mean = ofw_doubles(n);
  q->z = ofw_doubles(n);
  q->gradient = ofw_doubles(n);
  if (!q->mean || !q->z || !q->gradient)
    return ofw_fail_memory(err, n * sizeof(double));
  q->term = ofw_vec_dense(n, q->gradient);
  double G = q->o.strength * (2.0 + 2.0 * q->o.spread) * s->K->R;
  s->constants =
      (ofw_constants){.lipschitz = G, .loss_bound = G * G / (2.0 * q->o.strength), .strong_convexity = q->o.strength};
  OFW_TRY(ofw_half_space_open(&q->half, s->K, G, q->o.tight, s->seed, err));
  s->best = q->half.point;
  centre_noise(s);
  return ofw_place_inside(s->K, s->seed, q->half.point, err);
}

static const ofw_option options[] = {
    OFW_STRENGTH_OPTION(quadratic_options),
    OFW_REAL_ROW(offsetof(quadratic_options, spread), "spread", "0.5", NULL, 0, 1e6,
                 "length of the noise in z_t, in units of R"),
    OFW_TIGHT_OPTION(quadratic_options, "0.5"),
    {0},
};

const ofw_stream_kind ofw_quadratic_kind = {
    {.name = "quadratic",
     .summary = "strongly convex losses and half-spaces on any domain, with an exact comparator",
     .example = "quadratic",
     .options = options},
    sizeof(quadratic_options),
    build};
