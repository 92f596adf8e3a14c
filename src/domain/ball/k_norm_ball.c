/* k_norm_ball.c — {x : the k largest |x_i| sum to at most a}, the convex hull of the l1-ball of radius a and the
 * linf-ball of radius a/k
 *
 * Oracle  the better of  -a sign(d_i) e_i at the lowest i with the largest |d_i|  and  -a/k if d_i >= 0, else a/k;
 *         the first if they tie to rounding. At most two reads and a write of n numbers
 * R = a max(1, sqrt(n)/k)   r = a / sqrt(min(k, n))   centre 0
 *
 * It is the linf-ball for k = 1 and the l1-ball from k = n on.
 */
#include "domain/set.h"

#include "linalg/kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct k_norm_ball {
  uint64_t dim, k;
  double radius;
} k_norm_ball;

typedef struct k_norm_work {
  ofw_dense_atom signs;
  ofw_one_hot axis;
} k_norm_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  return ofw_dense_work_open(K, sizeof(k_norm_work), work, err);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  const k_norm_ball *ball = K->data;
  k_norm_work *w = work;
  size_t best = ofw_steepest(d->dim, d->dense);
  double k = (double)ball->k, most = fabs(d->dense[best]), scale = ofw_unit_scale(1, &most), sum = 0.0;
  for (size_t i = 0; i < d->dim && ball->k < d->dim; i++)
    sum += scale * fabs(d->dense[i]);
  if (sum <= k * (scale * most)) {
    *out = ofw_one_hot_answer(&w->axis, best, -copysign(ball->radius, d->dense[best]), -ball->radius * most);
    return OFW_OK;
  }
  for (size_t i = 0; i < d->dim; i++)
    w->signs.value[i] = d->dense[i] >= 0.0 ? -ball->radius / k : ball->radius / k;
  *out = ofw_dense_atom_answer(&w->signs, -fmin(ball->radius / k * (sum / scale), DBL_MAX));
  return OFW_OK;
}

/* The k-th largest |x_i|, bit by bit: numbers that are not negative are in the order of their bits. */
static double kth_largest(size_t n, const double *x, size_t k)
{
  uint64_t bits = 0;
  double found = 0.0;
  for (int b = 62; b >= 0; b--) {
    uint64_t more = bits | UINT64_C(1) << b;
    double trial;
    size_t count = 0;
    memcpy(&trial, &more, sizeof trial);
    for (size_t i = 0; i < n; i++)
      count += fabs(x[i]) >= trial;
    if (count >= k) {
      bits = more;
      found = trial;
    }
  }
  return found;
}

/* By 64 reads of x: a check, not a step of any method. */
static double excess(const ofw_domain *K, const double *x)
{
  const k_norm_ball *ball = K->data;
  size_t k = ball->k < K->dim ? (size_t)ball->k : K->dim, above = 0;
  double least = kth_largest(K->dim, x, k), sum = 0.0;
  for (size_t i = 0; i < K->dim; i++)
    if (fabs(x[i]) > least) {
      sum += fabs(x[i]);
      above++;
    }
  return fmax(0.0, sum + (double)(k - above) * least - ball->radius);
}

static const ofw_domain_ops ops = {.open = open, .minimise = minimise, .close = ofw_work_close, .excess = excess};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const k_norm_ball *ball = options;
  double n = (double)ball->dim, k = (double)ball->k;
  K->R = ball->radius * fmax(1.0, sqrt(n) / k);
  K->r = ball->radius / sqrt(fmin(k, n));
  return ofw_domain_set_vector(K, &ops, (size_t)ball->dim, ball, sizeof *ball, err);
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(k_norm_ball, dim), "dim", NULL, NULL, 1, OFW_MOST_DIM, "dimension n"),
    OFW_COUNT_ROW(offsetof(k_norm_ball, k), "k", NULL, NULL, 1, OFW_MOST_DIM,
                  "k, the number of largest values that count"),
    OFW_RADIUS_ROW(offsetof(k_norm_ball, radius), "radius", "radius a"),
    {0},
};

const ofw_domain_kind ofw_k_norm_ball_kind = {
    {.name = "k-norm-ball",
     .summary = "vectors whose k largest absolute values sum to at most the radius",
     .example = "k-norm-ball:dim=10,k=3,radius=2",
     .options = options},
    build};
