/* factored_inner.c — entries of what is over the bases, and inner products with S */
#include "engine/factored.h"

#include "linalg/norm_over.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <string.h>

#include <cblas.h>

/* ---- M = U' S V, from rows of S, gathered so that the products are with many at a time ---- */

typedef struct gathering {
  const ofw_factored *e;
  size_t n; /* rows gathered */
} gathering;

static void empty(gathering *g)
{
  const ofw_factored *e = g->e;
  if (g->n > 0)
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)e->left.count, (int)e->right.count, (int)g->n, 1.0,
                e->gathered, (int)e->left.room, e->products, (int)e->right.room, 1.0, e->sandwich, (int)e->right.room);
  g->n = 0;
}

/* The row (S V)_i to come, of 0; U_i is next to it. */
static double *gather(gathering *g, size_t i)
{
  const ofw_factored *e = g->e;
  if (g->n == OFW_GATHER)
    empty(g);
  double *at = e->products + g->n * e->right.room;
  memcpy(e->gathered + g->n * e->left.room, ofw_basis_row(&e->left, i), e->left.count * sizeof(double));
  memset(at, 0, e->right.count * sizeof *at);
  g->n++;
  return at;
}

static gathering begin(const ofw_factored *e)
{
  memset(e->sandwich, 0, e->left.count * e->right.room * sizeof *e->sandwich);
  return (gathering){e, 0};
}

static void add_part(const ofw_factored *e, const ofw_csr *part, size_t i, double *sv)
{
  for (size_t k = part->start[i]; k < part->start[i + 1]; k++)
    ofw_axpy(e->right.count, part->value[k] * e->sparse.scale, ofw_basis_row(&e->right, part->col[k]), sv);
}

static int has_row(const ofw_csr *part, size_t i)
{
  return part->start[i + 1] > part->start[i];
}

/* <S, x>, <S, U D V'> and |S|^2 of one part of the rows. */
static void sync_part(const ofw_factored *e, size_t part, double found[OFW_BAND_SUMS])
{
  gathering g = begin(e);
  const ofw_csr *settled = &e->sparse.settled, *recent = &e->sparse.recent;
  size_t from = ofw_split_begin(e->split, e->rows, part), to = ofw_split_begin(e->split, e->rows, part + 1);
  for (size_t i = from; i < to; i++)
    if (has_row(settled, i) || has_row(recent, i)) {
      double *sv = gather(&g, i);
      add_part(e, settled, i, sv);
      add_part(e, recent, i, sv);
    }
  empty(&g);
  found[0] = ofw_core_inner(e, e->sandwich, e->core[OFW_CORE_X]);
  found[1] = ofw_core_inner(e, e->sandwich, e->core[OFW_CORE_D]);
  found[2] = ofw_sparse_square(&e->sparse, from, to);
}

void ofw_factored_sync(ofw_factored *e)
{
  double now[OFW_BAND_SUMS];
  for (size_t part = 0; part < ofw_split_parts(e->split); part++)
    sync_part(e, part, e->found + part * OFW_BAND_SUMS);
  ofw_split_add(e->split, 3, e->found, OFW_BAND_SUMS, now);
  e->sx = now[0];
  e->sd = now[1];
  e->ss = now[2];
  e->changes = 0;
}

void ofw_factored_grown(const ofw_factored *e, double c, size_t n, const size_t *index, size_t offset,
                        const double *value, double by[2])
{
  by[0] = by[1] = 0.0;
  if (n == 0)
    return;
  gathering g = begin(e);
  double *sv = NULL;
  for (size_t k = 0, row = 0; k < n; k++) {
    size_t at = index[k] + offset;
    if (!sv || at / e->cols != row)
      sv = gather(&g, row = at / e->cols);
    ofw_axpy(e->right.count, c * value[k], ofw_basis_row(&e->right, at % e->cols), sv);
  }
  empty(&g);
  by[0] = ofw_core_inner(e, e->sandwich, e->core[OFW_CORE_X]);
  by[1] = ofw_core_inner(e, e->sandwich, e->core[OFW_CORE_D]);
}

/* ---- <S, u v'> ---- */

typedef struct crossing {
  const ofw_factored *e;
  const double *u, *v;
} crossing;

static void cross_band(void *ctx, size_t band)
{
  const crossing *t = ctx;
  double sum = 0.0, row[OFW_SPARSE_ROWS];
  size_t i = ofw_basis_band(&t->e->left, band), end = ofw_basis_band(&t->e->left, band + 1);
  for (size_t n; i < end; i += n) {
    n = end - i < OFW_SPARSE_ROWS ? end - i : OFW_SPARSE_ROWS;
    ofw_sparse_times(&t->e->sparse, i, n, t->v, row);
    sum += ofw_dot(n, t->u + i, row);
  }
  t->e->crossed[band] = sum;
}

double ofw_factored_cross(const ofw_factored *e, const double *u, const double *v)
{
  crossing t = {.e = e, .u = u, .v = v};
  double sum = 0.0;
  ofw_pool_run(e->pool, e->left.bands, cross_band, &t);
  if (e->split)
    ofw_split_add(e->split, 1, e->crossed, 1, &sum);
  for (size_t band = 0; band < e->left.bands && !e->split; band++)
    sum += e->crossed[band];
  return sum;
}

/* ---- entries ---- */

/* Those from `from` on whose rows, each counted again when it changes, are OFW_GATHER at most and in one part: U's rows are
 * gathered, and products = U_i C. The first that is left. */
static size_t gather_rows(const ofw_factored *e, const double *core, size_t n, const size_t *index, size_t offset,
                          size_t from)
{
  size_t rows = 0, last = 0, k = from, part = ofw_split_part(e->split, (index[from] + offset) / e->cols);
  for (; k < n; k++) {
    size_t i = (index[k] + offset) / e->cols;
    if (rows > 0 && i == last)
      continue;
    if (rows == OFW_GATHER || ofw_split_part(e->split, i) != part)
      break;
    memcpy(e->gathered + rows++ * e->left.room, ofw_basis_row(&e->left, i), e->left.count * sizeof(double));
    last = i;
  }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, (int)e->right.count, (int)e->left.count, 1.0,
              e->gathered, (int)e->left.room, core, (int)e->right.room, 0.0, e->products, (int)e->right.room);
  return k;
}

void ofw_factored_values(const ofw_factored *e, const double *core, size_t n, const size_t *index, size_t offset,
                         double *out)
{
  for (size_t from = 0, to; from < n; from = to) {
    const double *product = e->products;
    size_t last = (index[from] + offset) / e->cols;
    to = gather_rows(e, core, n, index, offset, from);
    for (size_t k = from; k < to; k++) {
      size_t at = index[k] + offset;
      if (at / e->cols != last) {
        last = at / e->cols;
        product += e->right.room;
      }
      out[k] = ofw_dot(e->right.count, product, ofw_basis_row(&e->right, at % e->cols));
    }
  }
}

/* ---- linear forms ---- */

int ofw_factored_holds(const ofw_factored *e, const ofw_vec *t)
{
  return t->kind == OFW_VEC_SPARSE || (t->kind == OFW_VEC_RANK_ONE && t->offset == 0 &&
                                       t->as.rank_one.rows == e->rows && t->as.rank_one.cols == e->cols);
}

static double dot_part(const ofw_factored *e, const double *core, const ofw_vec *t, size_t from, size_t to)
{
  enum { CHUNK = 512 };
  double entry[CHUNK], sum = 0.0;
  for (; from < to; from += CHUNK) {
    size_t n = to - from < CHUNK ? to - from : CHUNK;
    ofw_factored_values(e, core, n, t->as.sparse.index + from, t->offset, entry);
    sum += ofw_dot(n, entry, t->as.sparse.value + from);
  }
  return sum;
}

static double dot_sparse(const ofw_factored *e, const double *core, const ofw_vec *t)
{
  double sum;
  size_t from = 0, to;
  for (size_t part = 0; part < ofw_split_parts(e->split); part++, from = to) {
    to = ofw_split_cut(e->split, e->cols, t->as.sparse.nnz, t->as.sparse.index, t->offset, part + 1);
    e->found[part] = dot_part(e, core, t, from, to);
  }
  ofw_split_add(e->split, 1, e->found, 1, &sum);
  return sum;
}

static double dot_rank_one(const ofw_factored *e, const double *core, const ofw_vec *t)
{
  double sum = 0.0;
  ofw_basis_project(&e->left, t->as.rank_one.u, e->z);
  ofw_basis_project(&e->right, t->as.rank_one.v, e->y);
  for (size_t i = 0; i < e->left.count; i++)
    sum += e->z[i] * ofw_dot(e->right.count, core + i * e->right.room, e->y);
  return sum;
}

ofw_status ofw_factored_dot(const ofw_factored *e, const double *core, ofw_sum a, double *out)
{
  for (size_t k = 0; k < a.n; k++)
    if (!ofw_factored_holds(e, &a.term[k]))
      return OFW_UNSUPPORTED;
  *out = 0.0;
  for (size_t k = 0; k < a.n; k++) {
    const ofw_vec *t = &a.term[k];
    *out += t->scale * (t->kind == OFW_VEC_SPARSE ? dot_sparse(e, core, t) : dot_rank_one(e, core, t));
  }
  return OFW_OK;
}

/* ---- lengths ---- */

static double sparse_length(const ofw_factored *e, const ofw_vec *t)
{
  double square;
  size_t from = 0, to;
  for (size_t part = 0; part < ofw_split_parts(e->split); part++, from = to) {
    to = ofw_split_cut(e->split, e->cols, t->as.sparse.nnz, t->as.sparse.index, t->offset, part + 1);
    e->found[part] = ofw_dot(to - from, t->as.sparse.value + from, t->as.sparse.value + from);
  }
  ofw_split_add(e->split, 1, e->found, 1, &square);
  return sqrt(square);
}

double ofw_factored_length(const ofw_factored *e, ofw_sum a)
{
  double sum = 0.0;
  if (!e->split)
    return ofw_sum_norm(a);
  for (size_t k = 0; k < a.n; k++) {
    const ofw_vec *t = &a.term[k];
    sum += fabs(t->scale) * (t->kind == OFW_VEC_SPARSE ? sparse_length(e, t)
                                                       : ofw_norm_over(e->split, e->rows, t->as.rank_one.u) *
                                                             ofw_norm(e->cols, t->as.rank_one.v));
  }
  return sum;
}
