/* fantope.c — {X in R^(n x n) : X = X', eigenvalues in [0, 1], trace k}
 *
 * Oracle  the sum of v v' over the eigenvectors of the k least eigenvalues of (D + D')/2, by a full decomposition; ties:
 *         what LAPACK gives
 * Project a full decomposition of the symmetric part; every eigenvalue less the same amount, within [0, 1]
 * R = sqrt(k)   r = min(k, n-k) / sqrt(n (n-1)) in its hull, 0 beyond n = 916 (spectra.h)   centre (k/n) I
 */
#include "domain/matrix/spectra.h"

#include "linalg/kernels.h"

#include <math.h>

typedef struct fantope_options {
  uint64_t dim, k;
} fantope_options;

typedef struct fantope_work {
  ofw_dense_atom v;
  double *weight; /* 1 for each eigenvector of the atom */
  ofw_eigen eigen;
} fantope_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  OFW_TRY(ofw_dense_work_open(K, sizeof(fantope_work), work, err));
  fantope_work *w = *work;
  w->weight = ofw_owned_doubles(&w->v.own, K->rows);
  OFW_TRY(ofw_owned_check(&w->v.own, err));
  for (size_t l = 0; (double)l < ((const ofw_spectra *)K->data)->total; l++)
    w->weight[l] = 1.0;
  return ofw_eigen_open(&w->v.own, K->rows, 1, "fantope", &w->eigen, err);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  fantope_work *w = work;
  OFW_TRY(ofw_eigen_set(&w->eigen, d->dense, err));
  double sum = ofw_dot(K->rows, w->weight, w->eigen.value);
  ofw_eigen_compose(&w->eigen, w->weight, w->v.value);
  *out = ofw_dense_atom_answer(&w->v, ldexp(sum, w->eigen.exponent));
  return OFW_OK;
}

static double beyond(const ofw_spectra *s, const double *w)
{
  return fmax(ofw_sum_excess(s->n, w, s->total, 0), w[s->n - 1] - 1.0);
}

/* p = max(0, min(z - t, 1)) for z_l = w_l - top; its sum. *inner are strictly between, *left is what the sum lacks to the
 * total once their z are taken for what they are. */
static double clip(const ofw_spectra *s, const double *w, double top, double t, double *p, size_t *inner, double *left)
{
  double sum = 0.0;
  *inner = 0;
  *left = s->total;
  for (size_t l = 0; l < s->n; l++) {
    double z = w[l] - top;
    sum += p[l] = fmax(0.0, fmin(z - t, 1.0));
    *left -= z - t >= 1.0 ? 1.0 : z - t > 0.0 ? z : 0.0;
    *inner += z - t > 0.0 && z - t < 1.0;
  }
  return sum;
}

/* With top the k-th largest of w, the sum is k at some t in [-1, 0], where it falls from k or more to less. Bisection finds
 * which of them lie between the bounds, and these give t to the last digit. */
static int nearest(const ofw_spectra *s, const double *w, double *p, double *shift)
{
  double top = w[s->n - (size_t)s->total], low = -1.0, high = 0.0, left;
  size_t inner;
  for (int i = 0; i < 60; i++) {
    double t = low + (high - low) / 2;
    if (clip(s, w, top, t, p, &inner, &left) >= s->total)
      low = t;
    else
      high = t;
  }
  clip(s, w, top, low, p, &inner, &left);
  if (inner > 0) {
    low = -left / (double)inner;
    clip(s, w, top, low, p, &inner, &left);
  }
  *shift = -(top + low);
  return inner == s->n;
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  return ofw_spectra_project(K, &((fantope_work *)work)->eigen, x, err);
}

static const ofw_spectrum spectrum = {"fantope", beyond, nearest};
static const ofw_domain_ops ops = {
    .open = open, .minimise = minimise, .close = ofw_work_close, .excess = ofw_spectra_excess, .project = project};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const fantope_options *o = options;
  double n = (double)o->dim, k = (double)o->k;
  if (o->k > o->dim)
    return ofw_fail(err, OFW_USAGE, "fantope: k=%llu is more than dim=%llu", (unsigned long long)o->k,
                    (unsigned long long)o->dim);
  K->R = sqrt(k);
  K->r = o->dim > 1 ? fmin(k, n - k) / sqrt(n * (n - 1.0)) : 0.0;
  K->from_centre = 1;
  return ofw_spectra_build(K, &ops, &spectrum, (size_t)o->dim, k, k / n, 1, err);
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(fantope_options, dim), "dim", NULL, NULL, 1, OFW_MOST_SIDE, "rows n"),
    OFW_COUNT_ROW(offsetof(fantope_options, k), "k", NULL, NULL, 1, OFW_MOST_SIDE, "trace k, a whole number up to n"),
    {0},
};

const ofw_domain_kind ofw_fantope_kind = {
    {.name = "fantope",
     .summary = "symmetric matrices with eigenvalues between 0 and 1 and a given trace; coordinates row by row",
     .example = "fantope:dim=3,k=2",
     .options = options},
    build};
