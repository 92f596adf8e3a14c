#include "linalg/lanczos.h"

#include "base/rng.h"
#include "linalg/kernels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

enum {
  MOST_STEPS = 320, /* then the basis is begun anew from the best vector so far */
  SMALL = 32,       /* so few steps are always taken to the end: exactness costs next to nothing */
  MOST_RESTARTS = 4,
  EVERY_STEP = 40 /* after so many steps T is looked at only now and then: that costs more each time */
};

struct ofw_lanczos {
  size_t rows, cols, room;      /* room: basis vectors */
  int whole;                    /* so many that they span the space */
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
  l->rows = rows;
  l->cols = cols;
  l->whole = cols <= MOST_STEPS;
  l->room = l->whole ? cols : MOST_STEPS;
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

/* One search for the top pair, as far as it has come. */
typedef struct search {
  ofw_lanczos *l;
  void (*pass)(const void *ctx, const double *v, double *u, double *w);
  const void *ctx;
  ofw_rng_key start; /* of the next random vector */
  size_t passes;
  double square; /* |A|_F^2 */
  double unseen; /* what is left of it outside the basis */
  size_t k;      /* basis vectors */
  size_t from;   /* where the current Krylov sequence began in the basis */
  int restarts;
  double theta; /* the largest singular value seen, and its vector in the basis */
  const double *y;
} search;

/* Makes w orthogonal to the basis, twice for safety; its length then. */
static double orthogonalise(search *s, double *w)
{
  const ofw_lanczos *l = s->l;
  for (int again = 0; again < 2; again++)
    for (size_t j = 0; j < s->k; j++) {
      const double *q = l->basis + j * l->cols;
      ofw_axpy(l->cols, -ofw_dot(l->cols, q, w), q, w);
    }
  return ofw_norm(l->cols, w);
}

static void divide(size_t n, const double *x, double by, double *out)
{
  for (size_t i = 0; i < n; i++)
    out[i] = x[i] / by;
}

/* The first vector of a Krylov sequence, behind the k that the basis has: uniform at random; after a restart next to
 * the best vector so far, where its part along any fixed direction is at least half as long as alone, which costs the
 * second bound a factor 2 in c. 0: there is nothing new to reach. */
static int begin(search *s)
{
  ofw_lanczos *l = s->l;
  double *v = l->basis + s->k * l->cols;
  ofw_rng_direction(s->start, l->cols, v);
  s->start.purpose += 1u << 8; /* other numbers the next time */
  if (s->restarts > 0)
    ofw_axpy(l->cols, 1.0, l->v, v);
  double length = orthogonalise(s, v);
  if (length < 1e-8)
    return 0;
  divide(l->cols, v, length, v);
  s->from = s->k;
  return 1;
}

/* One more step: w = A'A v_k, orthogonal to the basis; b_k = |w|. */
static void extend(search *s)
{
  ofw_lanczos *l = s->l;
  double *u = l->image + s->k * l->rows;
  s->pass(s->ctx, l->basis + s->k * l->cols, u, l->w);
  s->passes++;
  l->a[s->k] = ofw_dot(l->rows, u, u);
  s->unseen = fmax(s->unseen - l->a[s->k], 8.0 * DBL_EPSILON * s->square);
  s->k++;
  l->b[s->k - 1] = orthogonalise(s, l->w);
}

/* The largest eigenvalue of T, theta^2; its vector is the last column of eig. */
static ofw_status top_of_T(search *s, ofw_error *err)
{
  ofw_lanczos *l = s->l;
  size_t k = s->k;
  memcpy(l->diagonal, l->a, k * sizeof *l->a);
  memcpy(l->off, l->b, k * sizeof *l->b);
  lapack_int n = (lapack_int)k;
  lapack_int info = LAPACKE_dstev_work(LAPACK_COL_MAJOR, 'V', n, l->diagonal, l->off, l->eig, n, l->work);
  if (info != 0)
    return ofw_fail(err, OFW_NUMERICAL, "the tridiagonal eigenproblem did not converge (dstev %d)", (int)info);
  s->theta = sqrt(fmax(l->diagonal[k - 1], 0.0));
  s->y = l->eig + (k - 1) * k;
  if (!(s->theta > 0.0) || !isfinite(s->theta))
    return ofw_fail(err, OFW_NUMERICAL, "the singular value is not a positive number");
  return OFW_OK;
}

/* b as far as it can be known: below this only rounding is left of it. */
static double known_b(const search *s, double b)
{
  return fmax(b, 4.0 * DBL_EPSILON * s->theta * s->theta);
}

/* ln p(x) of the current sequence for x above every root: p_j b_j = (x - a_j) p_{j-1} - b_{j-1} p_{j-2}, by ratios p_j
 * / p_{j-1}. -infinity where x is not above them. */
static double log_polynomial(const search *s, double x)
{
  const ofw_lanczos *l = s->l;
  double sum = 0.0, ratio = INFINITY;
  for (size_t j = s->from; j < s->k; j++) {
    double before = j > s->from ? l->b[j - 1] / ratio : 0.0;
    ratio = ((x - l->a[j]) - before) / known_b(s, l->b[j]);
    if (!(ratio > 0.0))
      return -INFINITY;
    sum += log(ratio);
  }
  return sum;
}

/* The second bound: the e for which p((theta + e)^2) = 1/c. Where that is above `wanted`, any number above it will do.
 */
static double probable_excess(const search *s, double wanted)
{
  double theta = s->theta, n = (double)(s->l->cols - s->from);
  double limit = -log(OFW_LANCZOS_DELTA * sqrt(M_PI / (2.0 * n))) + (s->restarts > 0 ? M_LN2 : 0.0);
  double low = 0.0, high = 4.0 * DBL_EPSILON * theta;
  while (log_polynomial(s, (theta + high) * (theta + high)) < limit) {
    low = high;
    high *= 4.0;
    if (low > wanted)
      return high;
  }
  for (int i = 0; i < 30; i++) {
    double middle = low / 2 + high / 2;
    if (log_polynomial(s, (theta + middle) * (theta + middle)) < limit)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* The better of the two bounds on sigma_1 - theta, and what rounding leaves of either. */
static double excess(const search *s, double wanted, int *proven)
{
  double theta = s->theta, floor = 16.0 * DBL_EPSILON * theta;
  double certain = sqrt(theta * theta + s->unseen) - theta + floor;
  double probable = probable_excess(s, wanted) + floor;
  *proven = certain <= probable;
  return fmin(certain, probable);
}

/* v = V y, u = A v / theta */
static void ritz_pair(search *s)
{
  ofw_lanczos *l = s->l;
  memset(l->v, 0, l->cols * sizeof *l->v);
  memset(l->u, 0, l->rows * sizeof *l->u);
  for (size_t j = 0; j < s->k; j++) {
    ofw_axpy(l->cols, s->y[j], l->basis + j * l->cols, l->v);
    ofw_axpy(l->rows, s->y[j], l->image + j * l->rows, l->u);
  }
  divide(l->cols, l->v, ofw_norm(l->cols, l->v), l->v);
  divide(l->rows, l->u, ofw_norm(l->rows, l->u), l->u);
}

static ofw_status finish(search *s, double above, int proven, ofw_singular *out)
{
  ritz_pair(s);
  *out = (ofw_singular){s->theta, s->l->u, s->l->v, above, proven, s->passes};
  return OFW_OK;
}

ofw_status ofw_lanczos_top(ofw_lanczos *l, void (*pass)(const void *ctx, const double *v, double *u, double *w),
                           const void *ctx, double square, ofw_rng_key start, double relative, double absolute,
                           ofw_singular *out, ofw_error *err)
{
  double whole_square = square * (1.0 + 8.0 * DBL_EPSILON);
  search s = {.l = l, .pass = pass, .ctx = ctx, .start = start, .square = square, .unseen = whole_square};
  int to_the_end = l->whole && l->room <= SMALL, proven, more = begin(&s);
  while (more) {
    extend(&s);
    double b = l->b[s.k - 1];
    if (s.k > EVERY_STEP && s.k % 8 != 0 && s.k < l->room && b > 64.0 * DBL_EPSILON * s.theta * s.theta) {
      divide(l->cols, l->w, b, l->basis + s.k * l->cols);
      continue;
    }
    OFW_TRY(top_of_T(&s, err));
    double theta = s.theta;
    int full = s.k == l->room, last = full && (l->whole || s.restarts == MOST_RESTARTS);
    int ended = b <= 64.0 * DBL_EPSILON * theta * theta; /* the sequence leads nowhere new */
    int near = b * fabs(s.y[s.k - 1]) / theta <= fmax(relative, 64.0 * DBL_EPSILON) * theta;
    if (last)
      break;
    if (near && !to_the_end) {
      double wanted = fmax(fmin(relative * theta, absolute), 32.0 * DBL_EPSILON * theta);
      double above = excess(&s, wanted, &proven);
      if (above <= wanted)
        return finish(&s, above, proven, out);
    }
    if (full) {
      ritz_pair(&s);
      s.restarts++;
      s.k = 0;
      s.unseen = whole_square;
      more = begin(&s);
    } else if (ended) {
      l->b[s.k - 1] = 0.0;
      more = begin(&s);
    } else
      divide(l->cols, l->w, b, l->basis + s.k * l->cols);
  }
  double above = excess(&s, INFINITY, &proven);
  return finish(&s, above, proven, out);
}
