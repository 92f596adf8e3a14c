/* factored_direction.c — d as oracles read it */
#include "engine/factored.h"

#include "linalg/kernels.h"

#include <math.h>
#include <string.h>

/* The sharpest answer that the copies are good for. */
static const double LEAST = 2e-4;

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
  int copy; /* of the bases' copies, at exponent 0 */
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

/* u = S v + U z, S' u and U' u, of some rows: each row of U is read once. */
static void some_rows(const passing *t, size_t from, size_t n, double *w, double *y)
{
  const ofw_factored *e = t->e;
  const ofw_basis *left = &e->left;
  double *u = t->u + from;
  ofw_sparse_times(&e->sparse, from, n, t->v, u);
  if (t->copy)
    ofw_panels_chosen()->pass(left->copy, from, n, e->z, u, y);
  for (size_t i = 0; i < n && !t->copy; i++) {
    const double *row = ofw_basis_row(left, from + i);
    u[i] = scaled(u[i] + ofw_dot(left->count, row, e->z), t->exponent);
    ofw_axpy(left->count, u[i], row, y);
  }
  ofw_sparse_add_turned(&e->sparse, from, n, u, w);
}

static void rows_share(void *ctx, size_t band, double *w)
{
  const passing *t = ctx;
  const ofw_factored *e = t->e;
  double *y = w + e->cols;
  size_t i = ofw_basis_band(&e->left, band), end = ofw_basis_band(&e->left, band + 1);
  memset(w, 0, (e->cols + e->left.count) * sizeof *w);
  for (size_t n; i < end; i += n) {
    n = end - i < OFW_SPARSE_ROWS ? end - i : OFW_SPARSE_ROWS;
    some_rows(t, i, n, w, y);
  }
}

static void rows_band(void *ctx, size_t band)
{
  const ofw_factored *e = ((const passing *)ctx)->e;
  rows_share(ctx, band, e->shares + band * share_length(e));
}

/* All bands' shares; of rows that are shared among ranks, added up as far as this rank can. */
static void all_rows(passing *t)
{
  const ofw_factored *e = t->e;
  size_t n = e->cols + e->left.count;
  if (e->split && !e->pool) {
    ofw_split_fill(e->split, n, e->shares, share_length(e), rows_share, t);
    return;
  }
  ofw_pool_run(e->pool, e->left.bands, rows_band, t);
  if (e->split)
    ofw_split_fold(e->split, n, e->shares, share_length(e));
}

/* e->z = U' u */
static void add_coordinates(const ofw_factored *e)
{
  if (e->split) {
    ofw_split_add_folded(e->split, e->left.count, e->shares + e->cols, share_length(e), e->z);
    return;
  }
  memset(e->z, 0, e->left.count * sizeof *e->z);
  for (size_t band = 0; band < e->left.bands; band++)
    ofw_axpy(e->left.count, 1.0, e->shares + band * share_length(e) + e->cols, e->z);
}

/* w = V y, of n columns from `from` on. */
static void some_cols(const passing *t, size_t from, size_t n, double *w)
{
  const ofw_basis *right = &t->e->right;
  memset(w, 0, n * sizeof *w);
  if (t->copy)
    ofw_panels_chosen()->times(right->copy, from, n, t->e->y, w);
  for (size_t j = 0; j < n && !t->copy; j++)
    w[j] = ofw_dot(right->count, ofw_basis_row(right, from + j), t->e->y);
}

/* w = V y + the `shares` of S' u, for columns from..to - 1; t->w begins with column t->first. */
static void cols_between(const passing *t, size_t from, size_t to, const double *share, size_t shares)
{
  enum { RUN = 512 };
  double w[RUN];
  for (size_t n; from < to; from += n) {
    n = to - from < RUN ? to - from : RUN;
    some_cols(t, from, n, w);
    for (size_t j = 0, at = from - t->first; j < n; j++, at++) {
      for (size_t k = 0; k < shares; k++)
        w[j] += share[k * share_length(t->e) + at];
      t->w[at] = scaled(w[j], t->exponent);
    }
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

static void pass(passing t)
{
  const ofw_factored *e = t.e;
  const double *core = e->core[OFW_CORE_D];
  (t.copy ? ofw_basis_project_copy : ofw_basis_project)(&e->right, t.v, e->y);
  core_times(e, core, 0, e->y, e->z);
  all_rows(&t);
  add_coordinates(e);
  core_times(e, core, 1, e->z, e->y);
  if (e->split)
    ofw_split_add_own(e->split, e->cols, e->shares, share_length(e), finish_cols, &t, t.w);
  else
    ofw_pool_run(e->pool, e->right.bands, cols_band, &t);
}

void ofw_factored_pass(const ofw_direction *d, int exponent, const double *v, double *u, double *w)
{
  pass((passing){.e = d->ctx, .exponent = exponent, .v = v, .u = u, .w = w});
}

/* ---- over the copies of the bases ---- */

/* With B the copies' d: the columns of U are of length 1, so the copy of U is off by 2^-24 sqrt(k), V's likewise, and
 *
 *     |d - B| <= |U - U~| |D| + |U~| |D| |V - V~| <= 2^-24 (sqrt(k) + sqrt(l)) |D|_F
 *
 * but for what is much smaller. S is not rounded. Sharp answers are for the bases themselves. */
int ofw_factored_copy(const ofw_direction *d, int better, ofw_rough *off, double *norm)
{
  const ofw_factored *e = d->ctx;
  const double *D = e->core[OFW_CORE_D];
  double largest, columns = sqrt((double)e->left.count) + sqrt((double)e->right.count);
  if (better)
    return 0;
  ofw_factored_size(d, &largest, norm);
  *off = (ofw_rough){.apart = 0x1.02p-24 * columns * sqrt(ofw_core_inner(e, D, D)) / *norm};
  if (!(*norm > 0x1p-100 && *norm < 0x1p100 && d->wanted.relative >= LEAST && d->wanted.relative >= 128.0 * off->apart))
    return 0;
  ofw_basis_copy(&e->left);
  ofw_basis_copy(&e->right);
  return 1;
}

void ofw_factored_rough(const ofw_direction *d, const double *v, double *u, double *w)
{
  pass((passing){.e = d->ctx, .copy = 1, .v = v, .u = u, .w = w});
}
