/* factored_direction.c — d as oracles read it */
#include "engine/factored.h"

#include "linalg/kernels.h"

#include <math.h>
#include <string.h>

/* A bound from above, closer than oracles can tell: an oracle's proof must not rest on what rounding took from a sum of
 * parts that nearly cancel. The largest entry is not known, and its bound serves: who asks wants to know the size. */
void ofw_factored_size(const ofw_direction *d, double *largest, double *norm)
{
  const ofw_factored *e = d->ctx;
  double dd = ofw_core_inner(e, e->core[OFW_CORE_D], e->core[OFW_CORE_D]);
  double square = dd + 2.0 * e->sd + e->ss;
  *norm = sqrt(fmax(square, 0.0) + 1e-13 * (dd + e->ss));
  *largest = *norm;
}

typedef struct passing {
  const ofw_factored *e;
  int exponent;
  const double *v;
  double *u, *w;
  size_t first, cols; /* those of w */
} passing;

static double scaled(double x, int exponent)
{
  return exponent == 0 ? x : ldexp(x, -exponent);
}

/* out = C a, or C' a if `turned` */
static void core_times(const ofw_factored *e, const double *core, int turned, const double *a, double *out)
{
  if (turned) {
    memset(out, 0, e->right.count * sizeof *out);
    for (size_t i = 0; i < e->left.count; i++)
      ofw_axpy(e->right.count, a[i], core + i * e->right.room, out);
  } else
    for (size_t i = 0; i < e->left.count; i++)
      out[i] = ofw_dot(e->right.count, core + i * e->right.room, a);
}

/* A band's share: cols numbers of w, then what U' u may have. */
static size_t share_length(const ofw_factored *e)
{
  return e->cols + e->left.room;
}

/* u = S v + U z, S' u and U' u, of a band of rows: each row of S and U is read once. */
static void rows_band(void *ctx, size_t band)
{
  const passing *t = ctx;
  const ofw_factored *e = t->e;
  const ofw_basis *left = &e->left;
  double *w = e->shares + band * share_length(e), *y = w + e->cols;
  memset(w, 0, (e->cols + left->count) * sizeof *w);
  for (size_t i = ofw_basis_band(left, band), end = ofw_basis_band(left, band + 1); i < end; i++) {
    const double *row = ofw_basis_row(left, i);
    double u = scaled(ofw_sparse_row_dot(&e->sparse, i, t->v) + ofw_dot(left->count, row, e->z), t->exponent);
    ofw_sparse_row_add(&e->sparse, i, u, w);
    ofw_axpy(left->count, u, row, y);
    t->u[i] = u;
  }
}

/* e->z = U' u */
static void add_coordinates(const ofw_factored *e)
{
  if (e->split) {
    ofw_split_add(e->split, e->left.count, e->shares + e->cols, share_length(e), e->z);
    return;
  }
  memset(e->z, 0, e->left.count * sizeof *e->z);
  for (size_t band = 0; band < e->left.bands; band++)
    ofw_axpy(e->left.count, 1.0, e->shares + band * share_length(e) + e->cols, e->z);
}

/* w = V y + the `shares` of S' u, for columns from..to - 1; t->w begins with column t->first. */
static void cols_between(const passing *t, size_t from, size_t to, const double *share, size_t shares)
{
  const ofw_factored *e = t->e;
  for (size_t j = from; j < to; j++) {
    double w = ofw_dot(e->right.count, ofw_basis_row(&e->right, j), e->y);
    for (size_t k = 0; k < shares; k++)
      w += share[k * share_length(e) + j - t->first];
    t->w[j - t->first] = scaled(w, t->exponent);
  }
}

static void cols_band(void *ctx, size_t band)
{
  const passing *t = ctx;
  const ofw_factored *e = t->e;
  cols_between(t, ofw_basis_band(&e->right, band), ofw_basis_band(&e->right, band + 1), e->shares, e->left.bands);
}

/* The same of the columns that this rank finishes, whose shares are added up. */
static void finish_band(void *ctx, size_t band)
{
  const passing *t = ctx;
  size_t bands = t->e->right.bands;
  cols_between(t, t->first + t->cols * band / bands, t->first + t->cols * (band + 1) / bands, t->w, 1);
}

static void finish_cols(void *ctx, size_t from, size_t n, double *sum)
{
  passing t = *(const passing *)ctx;
  t.first = from;
  t.cols = n;
  t.w = sum;
  ofw_pool_run(t.e->pool, t.e->right.bands, finish_band, &t);
}

void ofw_factored_pass(const ofw_direction *d, int exponent, const double *v, double *u, double *w)
{
  const ofw_factored *e = d->ctx;
  const double *core = e->core[OFW_CORE_D];
  passing t = {.e = e, .exponent = exponent, .v = v, .u = u, .w = w};
  ofw_basis_project(&e->right, v, e->y);
  core_times(e, core, 0, e->y, e->z);
  ofw_pool_run(e->pool, e->left.bands, rows_band, &t);
  add_coordinates(e);
  core_times(e, core, 1, e->z, e->y);
  if (e->split)
    ofw_split_add_own(e->split, e->cols, e->shares, share_length(e), finish_cols, &t, w);
  else
    ofw_pool_run(e->pool, e->right.bands, cols_band, &t);
}
