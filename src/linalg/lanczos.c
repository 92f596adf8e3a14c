#include "linalg/lanczos.h"

#include "base/rng.h"
#include "linalg/kernels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

enum {
  MOST_STEPS = 320, /* then the basis is restarted from the best vector so far */
  SMALL = 32,       /* so few steps are always taken to the end: exactness costs next to nothing */
  MOST_RESTARTS = 20
};

struct ofw_lanczos {
  size_t rows, cols, room;      /* room: basis vectors */
  int whole;                    /* so many that they span all that A can reach */
  double *basis, *image;        /* v_j and A v_j, one after the other */
  double *a, *b;                /* T_k */
  double *diagonal, *off, *eig; /* what LAPACK overwrites, and its eigenvectors */
  double *work, *w, *u, *v;
};

ofw_status ofw_lanczos_open(size_t rows, size_t cols, ofw_lanczos **out, ofw_error *err)
{
  ofw_lanczos *l = calloc(1, sizeof *l);
  *out = l;
  if (!l)
    return ofw_fail_memory(err, sizeof *l);
  size_t rank = rows < cols ? rows : cols;
  l->rows = rows;
  l->cols = cols;
  size_t span = rows < cols ? rank + 1 : rank; /* one more for the part of the start that A maps to 0 */
  l->whole = span <= MOST_STEPS;
  l->room = l->whole ? span : MOST_STEPS;
  size_t k = l->room;
  struct {
    double **at;
    size_t n;
  } need[] = {{&l->basis, k * cols}, {&l->image, k * rows}, {&l->a, k},       {&l->b, k},
              {&l->diagonal, k},     {&l->off, k},          {&l->eig, k * k}, {&l->work, 2 * k},
              {&l->w, cols},         {&l->u, rows},         {&l->v, cols}};
  for (size_t i = 0; i < sizeof need / sizeof *need; i++) {
    *need[i].at = ofw_doubles(need[i].n);
    if (!*need[i].at)
      return ofw_fail_memory(err, need[i].n * sizeof(double));
  }
  return OFW_OK;
}

void ofw_lanczos_close(ofw_lanczos *l)
{
  if (!l)
    return;
  double *all[] = {l->basis, l->image, l->a, l->b, l->diagonal, l->off, l->eig, l->work, l->w, l->u, l->v};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]);
  free(l);
}

/* Step k: one pass, then w = A'A v_k made orthogonal to the basis twice; b_k = |w|. */
static void extend(ofw_lanczos *l, size_t k, void (*pass)(const void *, const double *, double *, double *),
                   const void *ctx)
{
  double *v = l->basis + k * l->cols, *u = l->image + k * l->rows;
  pass(ctx, v, u, l->w);
  l->a[k] = ofw_dot(l->rows, u, u);
  for (int again = 0; again < 2; again++)
    for (size_t j = 0; j <= k; j++) {
      const double *q = l->basis + j * l->cols;
      ofw_axpy(l->cols, -ofw_dot(l->cols, q, l->w), q, l->w);
    }
  l->b[k] = ofw_norm(l->cols, l->w);
}

/* The largest eigenvalue of the leading k x k part of T; its vector is the last column of eig. */
static ofw_status top_of_T(ofw_lanczos *l, size_t k, double *top, const double **y, ofw_error *err)
{
  memcpy(l->diagonal, l->a, k * sizeof *l->a);
  memcpy(l->off, l->b, k * sizeof *l->b);
  lapack_int n = (lapack_int)k;
  lapack_int info = LAPACKE_dstev_work(LAPACK_COL_MAJOR, 'V', n, l->diagonal, l->off, l->eig, n, l->work);
  if (info != 0)
    return ofw_fail(err, OFW_NUMERICAL, "the tridiagonal eigenproblem did not converge (dstev %d)", (int)info);
  *top = l->diagonal[k - 1];
  *y = l->eig + (k - 1) * k;
  return OFW_OK;
}

/* ln p_k(x) for x above every root: p_j b_j = (x - a_j) p_{j-1} - b_{j-1} p_{j-2}, by ratios p_j / p_{j-1}. -infinity
 * where x is not above them. */
static double log_polynomial(const ofw_lanczos *l, size_t k, double x)
{
  double sum = 0.0, ratio = INFINITY;
  for (size_t j = 0; j < k; j++) {
    double before = j ? l->b[j - 1] / ratio : 0.0;
    ratio = ((x - l->a[j]) - before) / l->b[j];
    if (!(ratio > 0.0))
      return -INFINITY;
    sum += log(ratio);
  }
  return sum;
}

/* By how much sigma_1 can be above theta, probably: the s where p_k((theta + s)^2) = 1/c. */
static double probable_excess(const ofw_lanczos *l, size_t k, double theta, double wanted, int restarted)
{
  double limit = -log(OFW_LANCZOS_DELTA * sqrt(M_PI / (2.0 * (double)l->cols))) + (restarted ? M_LN2 : 0.0);
  double low = 0.0, high = 4.0 * DBL_EPSILON * theta;
  while (log_polynomial(l, k, (theta + high) * (theta + high)) < limit) {
    low = high;
    high *= 4.0;
    if (low > wanted)
      return high; /* not near enough yet; no need to know by how much */
  }
  for (int i = 0; i < 30; i++) {
    double middle = low / 2 + high / 2;
    if (log_polynomial(l, k, (theta + middle) * (theta + middle)) < limit)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* v = V_k y, u = A v / theta */
static void ritz_pair(ofw_lanczos *l, size_t k, const double *y)
{
  memset(l->v, 0, l->cols * sizeof *l->v);
  memset(l->u, 0, l->rows * sizeof *l->u);
  for (size_t j = 0; j < k; j++) {
    ofw_axpy(l->cols, y[j], l->basis + j * l->cols, l->v);
    ofw_axpy(l->rows, y[j], l->image + j * l->rows, l->u);
  }
  double v = ofw_norm(l->cols, l->v), u = ofw_norm(l->rows, l->u);
  for (size_t i = 0; i < l->cols; i++)
    l->v[i] /= v;
  for (size_t i = 0; i < l->rows; i++)
    l->u[i] /= u;
}

/* A uniform random unit vector, after a restart added to the best vector so far: its part along any fixed direction is
 * at least half as long as alone, which costs the second bound a factor 2 in c. */
static void first_vector(ofw_lanczos *l, ofw_rng_key start, int restarted)
{
  ofw_rng_direction(start, l->cols, l->basis);
  if (restarted)
    ofw_axpy(l->cols, 1.0, l->v, l->basis);
  double length = ofw_norm(l->cols, l->basis);
  for (size_t i = 0; i < l->cols; i++)
    l->basis[i] /= length;
}

/* The better of the two bounds on sigma_1 - theta; `floor` is what rounding leaves of either. */
static double excess(const ofw_lanczos *l, size_t k, double top, double unseen, double wanted, int exhausted,
                     int restarted, int *proven)
{
  double theta = sqrt(top), floor = 8.0 * DBL_EPSILON * theta;
  double certain = sqrt(top + unseen) - theta + floor;
  double probable = exhausted ? floor : probable_excess(l, k, theta, wanted, restarted);
  *proven = certain <= probable;
  return fmin(certain, probable);
}

ofw_status ofw_lanczos_top(ofw_lanczos *l, void (*pass)(const void *ctx, const double *v, double *u, double *w),
                           const void *ctx, double square, ofw_rng_key start, double relative, double absolute,
                           ofw_singular *out, ofw_error *err)
{
  size_t passes = 0;
  for (int restart = 0;; restart++) {
    double unseen = square * (1.0 + 8.0 * DBL_EPSILON);
    first_vector(l, start, restart > 0);
    start.purpose += 1u << 8; /* other numbers for the next start */
    for (size_t k = 1; k <= l->room; k++) {
      double top = 0.0;
      const double *y = NULL;
      extend(l, k - 1, pass, ctx);
      passes++;
      unseen = fmax(unseen - l->a[k - 1], 8.0 * DBL_EPSILON * square);
      OFW_TRY(top_of_T(l, k, &top, &y, err));
      double theta = sqrt(fmax(top, 0.0));
      if (!isfinite(theta))
        return ofw_fail(err, OFW_NUMERICAL, "the singular value is not finite");
      int full = k == l->room;
      int exhausted = (full && l->whole) || l->b[k - 1] <= 64.0 * DBL_EPSILON * theta * theta;
      int last = exhausted || (full && restart == MOST_RESTARTS);
      double residual = theta > 0.0 ? l->b[k - 1] * fabs(y[k - 1]) / theta : INFINITY;
      int near = residual <= fmax(relative, 64.0 * DBL_EPSILON) * theta && !(l->whole && l->room <= SMALL);
      if (last || near) {
        double wanted = fmax(fmin(relative * theta, absolute), 16.0 * DBL_EPSILON * theta);
        int proven;
        double above = excess(l, k, top, unseen, last ? INFINITY : wanted, exhausted, restart > 0, &proven);
        if (last || above <= wanted) {
          ritz_pair(l, k, y);
          *out = (ofw_singular){theta, l->u, l->v, above, proven, passes};
          return OFW_OK;
        }
      }
      if (full) {
        ritz_pair(l, k, y);
        break;
      }
      for (size_t i = 0; i < l->cols; i++)
        l->basis[k * l->cols + i] = l->w[i] / l->b[k - 1];
    }
  }
}
