/* birkhoff.c — {X in R^(n x n) : X >= 0, every row and every column sums to 1}, the convex hull of permutation matrices
 *
 * Oracle  the permutation matrix of the cheapest assignment of rows to columns, at the costs d (assignment.h); O(n^3) at
 *         worst. Ties, also those that rounding cannot tell from one: the lowest column for the first row, then the second,
 *         and so on.
 * Project there is none
 * R = sqrt(n)   r = 1 / (n-1) in its hull, 0 beyond n = 512   centre 1/n everywhere
 *
 * The hull's normals are the n rows of ones, and of the columns the n-1 combinations by Helmert's vectors h_k, which are
 * orthogonal to ones: 1 h_k'/sqrt(n), as matrices. Beyond n = 512 they are left out, and bandit learners are refused.
 */
#include "domain/matrix/assignment.h"
#include "domain/set.h"

#include <math.h>

enum { MOST_NORMAL = 512 };

typedef struct birkhoff_options {
  uint64_t dim;
} birkhoff_options;

typedef struct birkhoff_work {
  ofw_owned own;
  ofw_assignment assignment;
  ofw_sparse_atom atom;
} birkhoff_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  OFW_TRY(ofw_work_open(sizeof(birkhoff_work), work, err));
  birkhoff_work *w = *work;
  OFW_TRY(ofw_sparse_atom_make(&w->own, K->rows, &w->atom, err));
  for (size_t i = 0; i < K->rows; i++)
    w->atom.value[i] = 1.0;
  w->atom.count = K->rows;
  return ofw_assignment_open(&w->own, K->rows, &w->assignment, err);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  birkhoff_work *w = work;
  double value = 0.0;
  if (!ofw_assignment_solve(&w->assignment, d->dense))
    return ofw_fail(err, OFW_NUMERICAL, "birkhoff: no permutation has a finite cost");
  for (size_t i = 0; i < K->rows; i++) {
    w->atom.index[i] = i * K->cols + w->assignment.to[i];
    value += d->dense[w->atom.index[i]];
  }
  *out = ofw_sparse_atom_answer(&w->atom, value);
  return OFW_OK;
}

/* By signs, rows and columns. */
static double excess(const ofw_domain *K, const double *x)
{
  size_t n = K->rows;
  double most = 0.0;
  for (size_t i = 0; i < n; i++) {
    double row = -1.0, col = -1.0;
    for (size_t j = 0; j < n; j++) {
      row += x[i * n + j];
      col += x[j * n + i];
      most = fmax(most, -x[i * n + j]);
    }
    most = fmax(most, fmax(fabs(row), fabs(col)));
  }
  return most;
}

static const ofw_domain_ops ops = {.open = open, .minimise = minimise, .close = ofw_work_close, .excess = excess};

/* h_k has 1/sqrt(k (k+1)) k times, then -k times that, then 0. */
static ofw_status make_normals(ofw_domain *K, ofw_error *err)
{
  size_t n = K->rows;
  double *even = ofw_owned_doubles(&K->own, n);              /* 1/sqrt(n), n times */
  double *helmert = ofw_owned_doubles(&K->own, (n - 1) * n); /* h_1, h_2, .. one after the other */
  ofw_vec *normal = ofw_owned_array(&K->own, 2 * n - 1, sizeof *normal);
  OFW_TRY(ofw_owned_check(&K->own, err));
  for (size_t i = 0; i < n; i++) {
    even[i] = 1.0 / sqrt((double)n);
    normal[i] = ofw_vec_dense(n, even);
    normal[i].offset = i * n;
  }
  for (size_t k = 1; k < n; k++) {
    double *h = helmert + (k - 1) * n, part = 1.0 / sqrt((double)k * ((double)k + 1.0));
    for (size_t j = 0; j < k; j++)
      h[j] = part;
    h[k] = -(double)k * part;
    normal[n + k - 1] = ofw_vec_rank_one(n, n, even, h);
  }
  K->normals = 2 * n - 1;
  K->normal = normal;
  return OFW_OK;
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  size_t n = (size_t)((const birkhoff_options *)options)->dim;
  OFW_TRY(ofw_domain_set_vector(K, &ops, n * n, NULL, 0, err));
  K->rows = K->cols = n;
  K->R = sqrt((double)n);
  K->r = n > 1 && n <= MOST_NORMAL ? 1.0 / ((double)n - 1.0) : 0.0;
  K->from_centre = 1;
  OFW_TRY(ofw_domain_set_even_centre(K, 1.0 / (double)n, err));
  return n <= MOST_NORMAL ? make_normals(K, err) : OFW_OK;
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(birkhoff_options, dim), "dim", NULL, NULL, 1, OFW_MOST_SIDE, "rows n"),
    {0},
};

const ofw_domain_kind ofw_birkhoff_kind = {
    {.name = "birkhoff",
     .summary = "doubly stochastic matrices: not negative, rows and columns sum to 1; coordinates row by row",
     .example = "birkhoff:dim=3",
     .options = options},
    build};
