/* diamond.c — {x : sum |x_i - c_i| / h_i <= 1}, the convex hull of the points c + h_i e_i and c - h_i e_i, where
 * c = (lower + upper)/2 and h = (upper - lower)/2
 *
 * Oracle  c - sign(d_i) h_i e_i at the lowest i with the largest h_i |d_i|; one read of d, and another if c is not 0
 * Project every |x_i - c_i| less the same amount over h_i, at least 0
 * R = max_i sqrt(|c|^2 + h_i (2 |c_i| + h_i))   r = 1 / sqrt(sum 1/h_i^2)   centre c
 */
#include "base/source.h"
#include "domain/ball/ball.h"
#include "linalg/kernels.h"

#include <math.h>

#define MOST_RATIO 1e100 /* of two h_i: the squares of their ratios are numbers too */

typedef struct diamond {
  double *half; /* h */
  double unit;  /* a power of two that brings the largest h_i into [1/2, 1) */
} diamond;

typedef struct diamond_work {
  ofw_owned own;
  ofw_one_hot axis;
  ofw_vec term[2]; /* of the axis, and c */
  double *room;    /* for projections; NULL: there are none */
} diamond_work;

static double centre_of(const ofw_domain *K, size_t i)
{
  return K->centre ? K->centre[i] : 0.0;
}

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  OFW_TRY(ofw_work_open(sizeof(diamond_work), work, err));
  diamond_work *w = *work;
  w->term[0] = ofw_vec_sparse(1, &w->axis.index, &w->axis.value);
  if (K->centre)
    w->term[1] = ofw_vec_dense(K->dim, K->centre);
  return OFW_OK;
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  const double *half = ((const diamond *)K->data)->half;
  diamond_work *w = work;
  double scale = ofw_unit_scale(d->dim, d->dense), most = 0.0;
  for (size_t i = 0; i < d->dim; i++) {
    double here = scale * fabs(d->dense[i]) * half[i];
    if (here > most) {
      most = here;
      w->axis.index = i;
    }
  }
  size_t best = w->axis.index;
  w->axis.value = -copysign(half[best], d->dense[best]);
  double value = w->axis.value * d->dense[best] + (K->centre ? ofw_dot(K->dim, K->centre, d->dense) : 0.0);
  *out = (ofw_answer){.atom = {K->centre ? 2 : 1, w->term}, .value = value, .proven = 1};
  return OFW_OK;
}

static double gauge(const ofw_domain *K, const double *x)
{
  const double *half = ((const diamond *)K->data)->half;
  double sum = 0.0;
  for (size_t i = 0; i < K->dim; i++)
    sum += fabs(x[i] - centre_of(K, i)) / half[i];
  return sum;
}

/* The distance to the plane of the face that x is beyond. */
static double excess(const ofw_domain *K, const double *x)
{
  return fmax(0.0, (gauge(K, x) - 1.0) * K->r);
}

static ofw_status reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  diamond_work *w = work;
  if (!w->room)
    w->room = ofw_owned_doubles(&w->own, K->dim);
  return ofw_owned_check(&w->own, err);
}

/* With g_i = h_i * unit and b_i = |x_i - c_i| g_i: low_i = (b_i - the largest b) * unit. The products are taken with all
 * their digits, since b_i may be large and only differences count. Gives the g of the largest b. */
static double below_the_largest(const ofw_domain *K, const double *x, double *low)
{
  const diamond *s = K->data;
  size_t best = 0;
  for (size_t i = 0; i < K->dim; i++)
    low[i] = fabs(x[i] - centre_of(K, i));
  double scale = ofw_unit_scale(K->dim, low);
  for (size_t i = 0; i < K->dim; i++) {
    low[i] *= scale;
    if (low[i] * s->half[i] > low[best] * s->half[best])
      best = i;
  }
  double g = s->half[best] * s->unit, top = low[best] * g, rest = fma(low[best], g, -top);
  for (size_t i = 0; i < K->dim; i++)
    low[i] = (fma(low[i], s->half[i] * s->unit, -top) - rest) / scale * s->unit;
  return g;
}

/* The t at which the sum of max(0, low_i - t) / g_i^2 is 1, by Newton's method: that sum is convex in t, so that after the
 * first step t grows and coordinates below it drop out, until none does. */
static double threshold(const ofw_domain *K, const double *low, double t)
{
  const diamond *s = K->data;
  for (size_t step = 0, above = 0, before = 0;; step++, before = above) {
    double total = 0.0, weights = 0.0;
    above = 0;
    for (size_t i = 0; i < K->dim; i++)
      if (low[i] > t) {
        double g = s->half[i] * s->unit;
        total += (low[i] - t) / (g * g);
        weights += 1.0 / (g * g);
        above++;
      }
    if (above == before || (step > 1 && above > before))
      return t;
    t += (total - 1.0) / weights;
  }
}

/* t is found twice: if a g_i is small, its digits do not do until it is taken off the low_i. */
static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  (void)err;
  const diamond *s = K->data;
  double *low = ((diamond_work *)work)->room;
  if (gauge(K, x) <= 1.0)
    return OFW_OK;
  double g = below_the_largest(K, x, low), t = threshold(K, low, -g * g);
  for (size_t i = 0; i < K->dim; i++)
    low[i] -= t;
  t = threshold(K, low, 0.0);
  for (size_t i = 0; i < K->dim; i++) {
    double c = centre_of(K, i), left = low[i] - t;
    x[i] = left > 0.0 ? c + copysign(left / (s->half[i] * s->unit) / s->unit, x[i] - c) : c;
  }
  return OFW_OK;
}

static const ofw_domain_ops ops = {.open = open,
                                   .minimise = minimise,
                                   .close = ofw_work_close,
                                   .excess = excess,
                                   .project = project,
                                   .reserve = reserve};

static ofw_status check_bounds(size_t i, double lower, double upper, ofw_error *err)
{
  if (!(lower < upper))
    return ofw_fail(err, OFW_USAGE,
                    "diamond: coordinate %zu: expected a lower bound below the upper bound, found %g and %g", i + 1,
                    lower, upper);
  if (lower < -OFW_LARGEST_RADIUS || upper > OFW_LARGEST_RADIUS)
    return ofw_fail(err, OFW_USAGE, "diamond: coordinate %zu has a bound larger than %g", i + 1, OFW_LARGEST_RADIUS);
  if (upper / 2 - lower / 2 < OFW_LEAST_RADIUS)
    return ofw_fail(err, OFW_USAGE, "diamond: coordinate %zu has bounds closer than twice %g", i + 1, OFW_LEAST_RADIUS);
  return OFW_OK;
}

/* Bounds become h and c, in their places. */
static ofw_status to_halves(size_t n, double *lower, double *upper, double *least, double *most, ofw_error *err)
{
  *least = INFINITY;
  *most = 0.0;
  for (size_t i = 0; i < n; i++) {
    OFW_TRY(check_bounds(i, lower[i], upper[i], err));
    double half = upper[i] / 2 - lower[i] / 2;
    upper[i] = lower[i] / 2 + upper[i] / 2;
    lower[i] = half;
    *least = fmin(*least, half);
    *most = fmax(*most, half);
  }
  if (*most / *least > MOST_RATIO)
    return ofw_fail(err, OFW_USAGE,
                    "diamond: the widths range from %g to %g; the largest may be at most %g times the smallest",
                    2 * *least, 2 * *most, MOST_RATIO);
  return OFW_OK;
}

/* h and K's centre are there; *least is the least h_i. */
static void set_radii(ofw_domain *K, double least)
{
  const double *half = ((const diamond *)K->data)->half;
  double far = 0.0, close_by = 0.0, centre = K->centre ? ofw_norm(K->dim, K->centre) : 0.0;
  for (size_t i = 0; i < K->dim; i++) {
    far = fmax(far, half[i] * (2 * fabs(centre_of(K, i)) + half[i]));
    close_by += (least / half[i]) * (least / half[i]);
  }
  K->R = sqrt(centre * centre + far);
  K->r = least / sqrt(close_by);
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_bounds *o = options;
  size_t dim = (size_t)o->dim;
  double least, most;
  ofw_list bound[2] = {{.key = "lower", .text = o->lower}, {.key = "upper", .text = o->upper}};
  OFW_TRY(ofw_lists_read("diamond", 2, bound, "neither bound is a list", &K->own, &K->content, &dim, err));
  OFW_TRY(to_halves(dim, bound[0].x, bound[1].x, &least, &most, err));
  diamond fresh = {bound[0].x, ofw_unit_scale(1, &most)};
  OFW_TRY(ofw_domain_set_vector(K, &ops, dim, &fresh, sizeof fresh, err));
  K->centre = ofw_largest(dim, bound[1].x) > 0.0 ? bound[1].x : NULL;
  K->shifts = K->centre != NULL;
  set_radii(K, least);
  return ofw_domain_set_start(K, err);
}

const ofw_domain_kind ofw_diamond_kind = {
    {.name = "diamond",
     .summary = "the hull of a box's middle moved to either bound in one coordinate",
     .example = "diamond:lower=(-1,0.5,-2,-0.5,-1.5),upper=(2,1.5,3,0.5,1)",
     .options = ofw_bounds_options},
    build};
