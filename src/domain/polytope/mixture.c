/* mixture.c — Wolfe's method, with distances that stay exact when the point is far away or nearly inside
 *
 * Whether a step helps is decided by differences, and the direction to the point with twice the digits: from the squares
 * of distances rounding leaves nothing to decide by.
 */
#include "domain/polytope/mixture.h"

#include "linalg/kernels.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 100 };     /* for each point that a mixture may have: far more than are ever needed */
static const double FAR = 1e15; /* of what is farther, in units of `reach`, only the direction counts */

/* Columns that the least squares have: the points beyond the first. */
static size_t most_columns(const ofw_points *p)
{
  return p->count - 1 < p->dim ? p->count - 1 : p->dim;
}

static lapack_int least_squares(const ofw_points *p, ofw_mixture *n, size_t columns, double *work, lapack_int length)
{
  lapack_int dim = (lapack_int)p->dim;
  return LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', dim, (lapack_int)columns, 1, n->matrix, dim, n->rhs, dim, work,
                            length);
}

ofw_status ofw_mixture_make(ofw_owned *own, const ofw_points *p, ofw_mixture *out, ofw_error *err)
{
  size_t dim = p->dim, columns = most_columns(p);
  double length = 1.0;
  *out = (ofw_mixture){0};
  if (columns && (least_squares(p, out, columns, &length, -1) != 0 || length >= INT_MAX))
    return ofw_fail(err, OFW_UNSUPPORTED, "hull: too large for a projection; choose a learner that does not project");
  out->length = (lapack_int)length;
  out->at = ofw_owned_doubles(own, dim);
  out->before = ofw_owned_doubles(own, dim);
  out->y = ofw_owned_doubles(own, dim);
  out->away = ofw_owned_doubles(own, dim);
  out->which = ofw_owned_array(own, columns + 2, sizeof *out->which);
  out->weight = ofw_owned_doubles(own, columns + 2);
  out->wanted = ofw_owned_doubles(own, columns + 2);
  out->matrix = ofw_owned_doubles(own, dim * (columns + 1));
  out->rhs = ofw_owned_doubles(own, dim);
  out->work = ofw_owned_doubles(own, (size_t)out->length);
  return ofw_owned_check(own, err);
}

static const double *point(const ofw_points *p, size_t i)
{
  return p->x + i * p->dim;
}

/* Nothing is lost that rounding would have left. */
static void bring_nearer(const ofw_points *p, ofw_mixture *n, const double *y)
{
  double largest = ofw_largest(p->dim, y), far = FAR * p->reach;
  memcpy(n->y, y, p->dim * sizeof *y);
  if (largest <= far / sqrt((double)p->dim))
    return;
  for (size_t i = 0; i < p->dim; i++)
    n->y[i] = y[i] / largest;
  double norm = ofw_norm(p->dim, n->y);
  if (norm * (largest / far) <= 1.0)
    memcpy(n->y, y, p->dim * sizeof *y);
  for (size_t i = 0; i < p->dim && norm * (largest / far) > 1.0; i++)
    n->y[i] = n->y[i] / norm * far;
}

/* A sum of twice a double's digits. */
typedef struct fine {
  double high, low;
} fine;

static void add(fine *sum, double x)
{
  double high = sum->high + x, part = high - sum->high;
  sum->low += (sum->high - (high - part)) + (x - part);
  sum->high = high;
}

static void add_product(fine *sum, double a, double b)
{
  double product = a * b;
  add(sum, product);
  sum->low += fma(a, b, -product);
}

/* What the other weights leave of 1. */
static fine first_weight(const ofw_mixture *n)
{
  fine rest = {1.0, 0.0};
  for (size_t k = 1; k < n->in; k++)
    add(&rest, -n->weight[k]);
  return rest;
}

/* |at - y|^2 < |before - y|^2, by their difference: of the squares nothing is left if y is far. */
static int is_nearer(const ofw_points *p, const ofw_mixture *n)
{
  double change = 0.0;
  for (size_t i = 0; i < p->dim; i++)
    change += (n->at[i] - n->before[i]) * ((n->at[i] - n->y[i]) + (n->before[i] - n->y[i]));
  return change < 0.0;
}

/* The points beyond the first, less the first. */
static void fill_matrix(const ofw_points *p, ofw_mixture *n)
{
  const double *first = point(p, n->which[0]);
  for (size_t k = 1; k < n->in; k++)
    for (size_t i = 0; i < p->dim; i++)
      n->matrix[(k - 1) * p->dim + i] = point(p, n->which[k])[i] - first[i];
}

/* The nearest point of the affine hull, less y, and its length. The mixture is that up to the rounding of its weights, which
 * would turn a short difference any way; so it is worked out with twice the digits, and what is not normal to the hull is
 * taken away. */
static double measure(const ofw_points *p, ofw_mixture *n)
{
  fine first = first_weight(n);
  for (size_t i = 0; i < p->dim; i++) {
    fine sum = {-n->y[i], 0.0};
    add_product(&sum, first.high, point(p, n->which[0])[i]);
    sum.low += first.low * point(p, n->which[0])[i];
    for (size_t k = 1; k < n->in; k++)
      add_product(&sum, n->weight[k], point(p, n->which[k])[i]);
    n->rhs[i] = n->away[i] = sum.high + sum.low;
  }
  fill_matrix(p, n);
  if (n->in > 1 && least_squares(p, n, n->in - 1, n->work, n->length) == 0) {
    fill_matrix(p, n);
    for (size_t k = 1; k < n->in; k++)
      ofw_axpy(p->dim, -n->rhs[k - 1], n->matrix + (k - 1) * p->dim, n->away);
  }
  return ofw_norm(p->dim, n->away);
}

static void mix(const ofw_points *p, ofw_mixture *n)
{
  memset(n->at, 0, p->dim * sizeof *n->at);
  for (size_t k = 0; k < n->in; k++)
    ofw_axpy(p->dim, n->weight[k], point(p, n->which[k]), n->at);
}

static int is_in(const ofw_mixture *n, size_t i)
{
  size_t k = 0;
  while (k < n->in && n->which[k] != i)
    k++;
  return k < n->in;
}

/* Of those that are not in it: along at - y, what is has no slope but rounding. */
static size_t lowest_along(const ofw_points *p, const ofw_mixture *n)
{
  size_t best = n->which[0];
  double least = INFINITY;
  for (size_t i = 0; i < p->count; i++) {
    double here = ofw_dot(p->dim, n->away, point(p, i));
    if (here < least && !is_in(n, i)) {
      least = here;
      best = i;
    }
  }
  return best;
}

/* Weights of the nearest point in the affine hull, from the first of them on. 0: they are not independent. */
static int want_weights(const ofw_points *p, ofw_mixture *n)
{
  const double *first = point(p, n->which[0]);
  double rest = 1.0;
  fill_matrix(p, n);
  for (size_t i = 0; i < p->dim; i++)
    n->rhs[i] = n->y[i] - first[i];
  if (n->in > 1 && least_squares(p, n, n->in - 1, n->work, n->length) != 0)
    return 0;
  for (size_t k = 1; k < n->in; k++) {
    n->wanted[k] = n->rhs[k - 1];
    rest -= n->wanted[k];
  }
  n->wanted[0] = rest;
  return 1;
}

/* From the weights towards the wanted ones, as far as none is below 0; those that get there leave, but not one that has just joined
 * and has no weight yet because another had none to lose. 1: arrived. */
static int approach(ofw_mixture *n)
{
  double share = 1.0;
  size_t left = 0, first = SIZE_MAX;
  for (size_t k = 0; k < n->in; k++)
    if (n->wanted[k] <= 0.0) {
      double here = n->weight[k] / (n->weight[k] - n->wanted[k]);
      if (!(here >= share)) {
        share = n->weight[k] > 0.0 ? here : 0.0;
        first = k;
      }
    }
  for (size_t k = 0; k < n->in; k++) {
    double weight = n->weight[k] + share * (n->wanted[k] - n->weight[k]);
    if (k == first || (first != SIZE_MAX && weight <= 0.0 && n->wanted[k] <= 0.0))
      continue;
    n->which[left] = n->which[k];
    n->weight[left++] = weight;
  }
  n->in = left;
  return first == SIZE_MAX;
}

/* One more point joins, and the nearest point of the hull of some of them is gone to. 0: that cannot be done. */
static int take_in(const ofw_points *p, ofw_mixture *n, size_t joining)
{
  if (is_in(n, joining) || n->in == most_columns(p) + 1)
    return 0;
  n->which[n->in] = joining;
  n->weight[n->in++] = 0.0;
  do
    if (n->in == 0 || !want_weights(p, n))
      return 0;
  while (!approach(n));
  mix(p, n);
  return 1;
}

/* The nearest of the points themselves. */
static void begin(const ofw_points *p, ofw_mixture *n)
{
  double least = INFINITY;
  size_t best = 0;
  n->in = 1;
  n->weight[0] = 1.0;
  for (size_t i = 0; i < p->count; i++) {
    n->which[0] = i;
    double here = measure(p, n);
    if (here < least) {
      least = here;
      best = i;
    }
  }
  n->which[0] = best;
  mix(p, n);
}

double ofw_mixture_nearest(const ofw_points *p, ofw_mixture *n, const double *y)
{
  double rounding = ((double)p->dim + 8.0) * DBL_EPSILON * p->reach, least;
  bring_nearer(p, n, y);
  begin(p, n);
  least = measure(p, n);
  for (size_t round = 0; round < MOST_ROUNDS * (most_columns(p) + 1) && least > rounding; round++) {
    size_t next = lowest_along(p, n);
    double gap = ofw_dot(p->dim, n->away, n->at) - ofw_dot(p->dim, n->away, point(p, next));
    if (!(gap > rounding / 2 * least))
      break;
    memcpy(n->before, n->at, p->dim * sizeof *n->at);
    if (!take_in(p, n, next))
      break;
    double now = measure(p, n);
    if (!(now < least) && !is_nearer(p, n)) { /* rounding is all that is left */
      memcpy(n->at, n->before, p->dim * sizeof *n->at);
      break;
    }
    least = now;
  }
  return least > rounding ? least : 0.0;
}
