/* owl_ball.c — {x : w_1 |x|_(1) + .. + w_n |x|_(n) <= a}, where |x|_(1) >= .. >= |x|_(n) are the |x_i| in order and
 * w_1 >= .. >= w_n >= 0, w_1 > 0: the ball of an ordered weighted l1 norm
 *
 * Oracle  -a sign(d_i) / (w_1 + .. + w_k) on the k largest |d_i|, for the least k that makes
 *         (|d|_(1) + .. + |d|_(k)) / (w_1 + .. + w_k) largest; of equal |d_i| the lowest i come first. A sort
 * R = max_k a sqrt(k) / (w_1 + .. + w_k)   r = a / |w|   centre 0
 */
#include "base/sort.h"
#include "base/source.h"
#include "domain/set.h"
#include "linalg/kernels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct owl_ball {
  double radius, *weight, *total; /* total[k-1] = w_1 + .. + w_k */
} owl_ball;

typedef struct owl_work {
  ofw_dense_atom v;
  uint64_t *key, *room;
} owl_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  OFW_TRY(ofw_dense_work_open(K, sizeof(owl_work), work, err));
  owl_work *w = *work;
  w->key = ofw_owned_array(&w->v.own, K->dim, sizeof *w->key);
  w->room = ofw_owned_array(&w->v.own, K->dim, sizeof *w->room);
  return ofw_owned_check(&w->v.own, err);
}

/* The keys of scale |x_i| in order, the least first: numbers that are not negative are in the order of their bits. */
static void sort_sizes(size_t n, const double *x, double scale, uint64_t *key, uint64_t *room)
{
  for (size_t i = 0; i < n; i++) {
    double size = scale * fabs(x[i]);
    memcpy(&key[i], &size, sizeof size);
  }
  ofw_sort_within(n, key, NULL, room, NULL);
}

static double size_of(uint64_t key)
{
  double size;
  memcpy(&size, &key, sizeof size);
  return size;
}

/* How many coordinates the best vertex has; *ratio is their sum over that of their weights. */
static size_t best_count(const owl_ball *ball, size_t n, const uint64_t *key, double *ratio)
{
  size_t best = 1;
  double sum = 0.0;
  *ratio = -1.0;
  for (size_t k = 1; k <= n; k++) {
    sum += size_of(key[n - k]);
    if (sum / ball->total[k - 1] > *ratio) {
      *ratio = sum / ball->total[k - 1];
      best = k;
    }
  }
  return best;
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  const owl_ball *ball = K->data;
  owl_work *w = work;
  size_t n = d->dim;
  double scale = ofw_unit_scale(n, d->dense), ratio;
  sort_sizes(n, d->dense, scale, w->key, w->room);
  size_t best = best_count(ball, n, w->key, &ratio), equal = best;
  double least = size_of(w->key[n - best]), size = ball->radius / ball->total[best - 1];
  while (equal > 0 && size_of(w->key[n - best + equal - 1]) > least)
    equal--; /* so many of those that are `least` belong to the vertex */
  for (size_t i = 0; i < n; i++) {
    double here = scale * fabs(d->dense[i]);
    int taken = here > least || (here == least && equal > 0);
    equal -= taken && here == least;
    w->v.value[i] = taken ? -copysign(size, d->dense[i]) : 0.0;
  }
  *out = ofw_dense_atom_answer(&w->v, -fmin(ball->radius * ratio / scale, DBL_MAX));
  return OFW_OK;
}

/* In units of x: as if the largest weight were 1. */
static double excess(const ofw_domain *K, const double *x)
{
  const owl_ball *ball = K->data;
  size_t n = K->dim;
  uint64_t *key = ofw_array(n, sizeof *key), *room = ofw_array(n, sizeof *room);
  double sum = 0.0;
  if (key && room) {
    sort_sizes(n, x, 1.0, key, room);
    for (size_t k = 0; k < n; k++)
      sum += ball->weight[k] * size_of(key[n - 1 - k]);
  }
  int failed = !key || !room;
  free(key);
  free(room);
  return failed ? OFW_NO_MEMORY : fmax(0.0, (sum - ball->radius) / ball->weight[0]);
}

static const ofw_domain_ops ops = {.open = open, .minimise = minimise, .close = ofw_work_close, .excess = excess};

static ofw_status check_weights(size_t n, const double *weight, ofw_error *err)
{
  if (!(weight[0] >= OFW_LEAST_RADIUS && weight[0] <= OFW_LARGEST_RADIUS))
    return ofw_fail(err, OFW_USAGE, "owl-ball: weight 1 is %g, which is not in [%g, %g]", weight[0], OFW_LEAST_RADIUS,
                    OFW_LARGEST_RADIUS);
  for (size_t i = 1; i < n; i++) {
    if (weight[i] > weight[i - 1])
      return ofw_fail(err, OFW_USAGE, "owl-ball: weight %zu is %g, larger than the previous one, %g; sort the weights",
                      i + 1, weight[i], weight[i - 1]);
    if (!(weight[i] >= 0.0))
      return ofw_fail(err, OFW_USAGE, "owl-ball: weight %zu is %g, which is negative", i + 1, weight[i]);
  }
  return OFW_OK;
}

static ofw_status set_radii(ofw_domain *K, const owl_ball *ball, ofw_error *err)
{
  double sum = 0.0;
  for (size_t k = 0; k < K->dim; k++) {
    ball->total[k] = sum += ball->weight[k];
    K->R = fmax(K->R, ball->radius * (sqrt((double)(k + 1)) / sum));
  }
  K->r = ball->radius / ofw_norm(K->dim, ball->weight);
  if (!(K->R >= OFW_LEAST_RADIUS && K->R <= OFW_LARGEST_RADIUS))
    return ofw_fail(err, OFW_USAGE, "owl-ball: its farthest point is %g away from the origin, which is not in [%g, %g]",
                    K->R, OFW_LEAST_RADIUS, OFW_LARGEST_RADIUS);
  return OFW_OK;
}

typedef struct owl_options {
  uint64_t dim;
  char *weights;
  double radius;
} owl_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const owl_options *o = options;
  size_t dim = (size_t)o->dim;
  ofw_list weights = {.key = "weights", .text = o->weights};
  OFW_TRY(ofw_lists_read("owl-ball", 1, &weights, "weights is not a list", &K->own, &K->content, &dim, err));
  owl_ball ball = {o->radius, weights.x, ofw_owned_doubles(&K->own, dim)};
  OFW_TRY(ofw_owned_check(&K->own, err));
  OFW_TRY(check_weights(dim, ball.weight, err));
  OFW_TRY(ofw_domain_set_vector(K, &ops, dim, &ball, sizeof ball, err));
  return set_radii(K, &ball, err);
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(owl_options, dim), "dim", NULL, "the length of the list of weights", 1, OFW_MOST_DIM,
                  "dimension n"),
    OFW_TEXT_ROW(offsetof(owl_options, weights), "weights",
                 "the weights w, in decreasing order: a number for all, (a,b,..), or @FILE with one per line"),
    OFW_RADIUS_ROW(offsetof(owl_options, radius), "radius", "radius a"),
    {0},
};

const ofw_domain_kind ofw_owl_ball_kind = {
    {.name = "owl-ball",
     .summary = "vectors whose sorted absolute values, with decreasing weights, sum to at most the radius",
     .example = "owl-ball:weights=(2,1.5,1.25,0.75,0.5,0.25,0),radius=4",
     .options = options},
    build};
