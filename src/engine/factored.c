/* factored.c — the factored engine's operations; factored.h has what x and d are made of
 *
 * They work on the small cores and on an atom's coordinates in the bases: the matrix is never formed, but for its readers.
 */
#include "engine/factored.h"

#include "base/limits.h"
#include "linalg/norm_over.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  SYNC = 256, /* changes of S after which inner products with it are computed again */
  SLACK = 8   /* columns from one compression to the next, at least */
};

/* ---- cores ---- */

double ofw_core_inner(const ofw_factored *e, const double *a, const double *b)
{
  double sum = 0.0;
  for (size_t i = 0; i < e->left.count; i++)
    sum += ofw_dot(e->right.count, a + i * e->right.room, b + i * e->right.room);
  return sum;
}

/* to = a to + b from */
static void blend(const ofw_factored *e, double a, double *to, double b, const double *from)
{
  const ofw_kernels *kernels = ofw_kernels_chosen();
  for (size_t i = 0; i < e->left.count; i++)
    kernels->blend(e->right.count, a, to + i * e->right.room, b, from + i * e->right.room);
}

/* hu' C hv of what is placed */
static double at_placed(const ofw_factored *e, const double *core)
{
  double sum = 0.0;
  for (size_t i = 0; i < e->left.count; i++)
    sum += e->placed.hu[i] * ofw_dot(e->right.count, core + i * e->right.room, e->placed.hv);
  return sum;
}

/* C += c hu hv' */
static void add_placed(const ofw_factored *e, double c, double *core)
{
  for (size_t i = 0; i < e->left.count; i++)
    ofw_axpy(e->right.count, c * e->placed.hu[i], e->placed.hv, core + i * e->right.room);
}

/* ---- the operations ---- */

/* The only kind of atom there is: c u v', or 0. */
static double weight(ofw_sum v)
{
  return v.n > 0 ? v.term->scale : 0.0;
}

static const char *kind_of(const ofw_vec *t)
{
  return t->kind == OFW_VEC_DENSE ? "a dense vector" : t->kind == OFW_VEC_RANDOM ? "a random one" : "a block of one";
}

static ofw_status admit_sum(const ofw_factored *e, ofw_sum terms, const char *what, size_t *sparse, ofw_error *err)
{
  for (size_t k = 0; k < terms.n; k++) {
    const ofw_vec *t = &terms.term[k];
    if (!ofw_factored_holds(e, t))
      return ofw_fail(err, OFW_UNSUPPORTED,
                      "%s: storage=factored takes sparse vectors and whole matrices of rank one, found %s", what,
                      kind_of(t));
    *sparse += t->kind == OFW_VEC_SPARSE ? t->as.sparse.nnz : 0;
  }
  return OFW_OK;
}

static ofw_status admit(ofw_engine *E, const ofw_full *fb, ofw_error *err)
{
  ofw_factored *e = (ofw_factored *)E;
  size_t sparse = 0;
  OFW_TRY(admit_sum(e, fb->loss_gradient, "loss_gradient", &sparse, err));
  for (size_t i = 0; i < fb->values.constraints; i++)
    OFW_TRY(admit_sum(e, fb->constraint_gradient[i], "constraint_gradient", &sparse, err));
  return ofw_ranks_agree(e->split ? e->split->ranks : NULL, ofw_sparse_reserve(&e->sparse, sparse, err), err);
}

/* S += c times the entries of one part; what <S, x>, <S, U D V'> and |S|^2 grow by, and how many entries are new. */
static void pull_part(ofw_factored *e, double c, const ofw_vec *t, size_t part, double found[OFW_BAND_SUMS])
{
  const size_t *index = t->as.sparse.index;
  const double *value = t->as.sparse.value;
  size_t from = ofw_split_cut(e->split, e->cols, t->as.sparse.nnz, index, t->offset, part);
  size_t n = ofw_split_cut(e->split, e->cols, t->as.sparse.nnz, index, t->offset, part + 1) - from;
  size_t before = e->sparse.queued;
  ofw_factored_grown(e, c, n, index + from, t->offset, value + from, found);
  found[2] = ofw_sparse_add(&e->sparse, c, n, index + from, t->offset, value + from);
  found[3] = (double)(e->sparse.queued - before);
}

static void pull_sparse(ofw_factored *e, double c, const ofw_vec *t)
{
  double by[OFW_BAND_SUMS];
  for (size_t part = 0; part < ofw_split_parts(e->split); part++)
    pull_part(e, c * t->scale, t, part, e->found + part * OFW_BAND_SUMS);
  ofw_split_add(e->split, OFW_BAND_SUMS, e->found, OFW_BAND_SUMS, by);
  e->sx += by[0];
  e->sd += by[1];
  e->ss += by[2];
  ofw_sparse_complete(&e->sparse, (size_t)by[3]);
  e->placed.there = 0;
  if (++e->changes == SYNC)
    ofw_factored_sync(e);
}

static void pull_rank_one(ofw_factored *e, double c, const ofw_vec *t)
{
  c *= t->scale;
  ofw_factored_place(e, t);
  ofw_factored_append(e);
  add_placed(e, c, e->core[OFW_CORE_D]);
  e->sd += c * e->placed.cross;
  e->lost[OFW_CORE_D] += fabs(c) * ofw_factored_outside(e);
  e->placed.there = 0;
  ofw_factored_tidy(e);
}

static void pull(ofw_engine *E, double a, double b, double c, ofw_sum terms)
{
  ofw_factored *e = (ofw_factored *)E;
  if (a != 1.0 || b != 0.0) {
    blend(e, a, e->core[OFW_CORE_D], b, e->core[OFW_CORE_X]);
    ofw_sparse_scale(&e->sparse, a);
    e->sd = a == 0.0 ? 0.0 : a * (a * e->sd + b * e->sx);
    e->sx = a == 0.0 ? 0.0 : a * e->sx;
    e->ss = a == 0.0 ? 0.0 : a * a * e->ss;
    e->lost[OFW_CORE_D] = (a == 0.0 ? 0.0 : fabs(a) * e->lost[OFW_CORE_D]) + fabs(b) * e->lost[OFW_CORE_X];
    e->placed.there = 0;
  }
  for (size_t k = 0; k < terms.n && c != 0.0; k++) {
    const ofw_vec *t = &terms.term[k];
    if (t->kind == OFW_VEC_SPARSE)
      pull_sparse(e, c, t);
    else
      pull_rank_one(e, c, t);
  }
}

static void segment(ofw_engine *E, ofw_sum v, double *slope, double *length2)
{
  ofw_factored *e = (ofw_factored *)E;
  const double *X = e->core[OFW_CORE_X], *D = e->core[OFW_CORE_D];
  double c = weight(v), dx = ofw_core_inner(e, X, D) + e->sx, xx = ofw_core_inner(e, X, X), dv = 0.0, vx = 0.0,
         vv = 0.0;
  if (c != 0.0) {
    ofw_factored_place(e, v.term);
    dv = c * (at_placed(e, D) + e->placed.cross);
    vx = c * at_placed(e, X);
    vv = c * c * e->placed.length_u * e->placed.length_u * e->placed.length_v * e->placed.length_v;
  }
  *slope = e->broken ? NAN : dv - dx;
  *length2 = fmax(0.0, vv - 2.0 * vx + xx);
}

/* core += by e, for e = v - x; v is placed if it is not 0. */
static void go(ofw_factored *e, size_t which, double by, double c)
{
  double *core = e->core[which];
  blend(e, which == OFW_CORE_X ? 1.0 - by : 1.0, core, which == OFW_CORE_X ? 0.0 : -by, e->core[OFW_CORE_X]);
  if (c != 0.0)
    add_placed(e, by * c, core);
  e->lost[which] = (which == OFW_CORE_X ? 1.0 - by : 1.0) * e->lost[which] +
                   (which == OFW_CORE_X ? 0.0 : fabs(by) * e->lost[OFW_CORE_X]) +
                   (c != 0.0 ? fabs(by * c) * ofw_factored_outside(e) : 0.0);
}

static void step(ofw_engine *E, ofw_sum v, double sig, double curv)
{
  ofw_factored *e = (ofw_factored *)E;
  double c = weight(v), se = -e->sx; /* <S, e> */
  if (c != 0.0) {
    ofw_factored_place(e, v.term);
    ofw_factored_append(e);
    se += c * e->placed.cross;
  }
  go(e, OFW_CORE_D, curv * sig, c);
  go(e, OFW_CORE_X, sig, c);
  e->sd += curv * sig * se;
  e->sx += sig * se;
  e->placed.there = 0;
  ofw_factored_tidy(e);
}

static ofw_status dot(const ofw_engine *E, ofw_sum a, double *out)
{
  const ofw_factored *e = (const ofw_factored *)E;
  return ofw_factored_dot(e, e->core[OFW_CORE_X], a, out);
}

static ofw_status entries(const ofw_engine *E, ofw_sum probe, size_t n, const size_t *index, double *out)
{
  const ofw_factored *e = (const ofw_factored *)E;
  ofw_factored_values(e, e->core[OFW_CORE_X], n, index, 0, out);
  for (size_t k = 0; k < n && probe.n > 0; k++)
    out[k] += ofw_sum_entry(probe, index[k]);
  return OFW_OK;
}

static void write_row(const ofw_factored *e, size_t i, double *out)
{
  const double *u = ofw_basis_row(&e->left, i);
  memset(e->y, 0, e->right.count * sizeof *e->y);
  for (size_t k = 0; k < e->left.count; k++)
    ofw_axpy(e->right.count, u[k], e->core[OFW_CORE_X] + k * e->right.room, e->y);
  for (size_t j = 0; j < e->cols; j++)
    out[j] = ofw_dot(e->right.count, e->y, ofw_basis_row(&e->right, j));
}

/* More than anybody reads is not written out. */
static ofw_status dense(const ofw_engine *E, double *out)
{
  const ofw_factored *e = (const ofw_factored *)E;
  if (E->dim > OFW_MOST_WRITTEN)
    return OFW_UNSUPPORTED;
  for (size_t i = 0; i < e->rows && out; i++)
    write_row(e, i, out + i * e->cols);
  return OFW_OK;
}

/* To its readers a matrix of one column is a row. */
static ofw_status row(const ofw_engine *E, size_t row, double *out)
{
  const ofw_factored *e = (const ofw_factored *)E;
  if (E->cols != e->cols)
    return dense(E, out);
  write_row(e, row, out);
  return OFW_OK;
}

/* Whether the two parts of d cancel but for rounding: if their squares do, a product with it tells. */
static int still(const ofw_engine *E)
{
  const ofw_factored *e = (const ofw_factored *)E;
  double dd = ofw_core_inner(e, e->core[OFW_CORE_D], e->core[OFW_CORE_D]), size = sqrt(dd) + sqrt(fmax(0.0, e->ss));
  if (e->broken || !(dd + 2.0 * e->sd + e->ss <= 1e-12 * size * size))
    return 0;
  for (size_t j = 0; j < e->cols; j++)
    e->trial_v[j] = cos((double)j + 1.0);
  ofw_factored_pass(&e->direction, 0, e->trial_v, e->trial_u, e->trial_w);
  return ofw_norm_over(e->split, e->rows, e->trial_u) <= 1e-14 * size * ofw_norm(e->cols, e->trial_v);
}

static double norm(const ofw_engine *E)
{
  const ofw_factored *e = (const ofw_factored *)E;
  const double *D = e->core[OFW_CORE_D];
  return e->broken ? NAN : sqrt(fmax(0.0, ofw_core_inner(e, D, D) + 2.0 * e->sd + e->ss));
}

static double apart(const ofw_engine *E)
{
  const ofw_factored *e = (const ofw_factored *)E;
  const double *X = e->core[OFW_CORE_X], *D = e->core[OFW_CORE_D];
  double sum = 0.0; /* of the squares of D - X */
  for (size_t i = 0; i < e->left.count; i++)
    for (size_t j = i * e->right.room; j < i * e->right.room + e->right.count; j++)
      sum += (D[j] - X[j]) * (D[j] - X[j]);
  return e->broken ? NAN : sqrt(fmax(0.0, sum + 2.0 * (e->sd - e->sx) + e->ss));
}

static ofw_status lead_keep(ofw_engine *E, ofw_error *err)
{
  ofw_factored *e = (ofw_factored *)E;
  e->core[OFW_CORE_Y] = ofw_owned_doubles(&e->own, e->left.room * e->right.room);
  e->cores = OFW_CORES;
  return ofw_owned_check(&e->own, err);
}

static double lead_step(ofw_engine *E, ofw_sum v, double sig, double keep)
{
  ofw_factored *e = (ofw_factored *)E;
  double c = weight(v), *Y = e->core[OFW_CORE_Y];
  if (c != 0.0) {
    ofw_factored_place(e, v.term);
    ofw_factored_append(e);
  }
  blend(e, keep, Y, 0.0, Y);
  e->lost[OFW_CORE_Y] *= keep;
  go(e, OFW_CORE_Y, sig, c);
  double square = ofw_core_inner(e, Y, Y);
  e->placed.there &= sig > 0.0; /* a step by as much follows */
  ofw_factored_tidy(e);
  return e->broken ? NAN : square;
}

static double lead_dot(const ofw_engine *E, ofw_sum a)
{
  const ofw_factored *e = (const ofw_factored *)E;
  double out = NAN;
  (void)ofw_factored_dot(e, e->core[OFW_CORE_Y], a, &out); /* a has been admitted */
  return out;
}

static ofw_extent extent(const ofw_engine *E)
{
  const ofw_factored *e = (const ofw_factored *)E;
  return (ofw_extent){.left = e->left.count,
                      .right = e->right.count,
                      .entries = e->sparse.all_settled + e->sparse.all_recent,
                      .compressions = e->compressions,
                      .lost_x = e->lost[OFW_CORE_X],
                      .lost_d = e->lost[OFW_CORE_D]};
}

static double length(const ofw_engine *E, ofw_sum a)
{
  return ofw_factored_length((const ofw_factored *)E, a);
}

static const ofw_direction *direction(const ofw_engine *E)
{
  return still(E) ? NULL : &((const ofw_factored *)E)->direction;
}

static void close_engine(ofw_engine *E)
{
  ofw_factored *e = (ofw_factored *)E;
  ofw_sparse_close(&e->sparse);
  ofw_pool_close(e->pool);
  ofw_owned_free(&e->own);
  free(e);
}

static const ofw_engine_view view = {.dot = dot, .entries = entries, .row = row, .dense = dense};
static const ofw_engine_lead lead = {.keep = lead_keep, .step = lead_step, .dot = lead_dot};
const ofw_engine_ops ofw_factored_ops = {.pull = pull,
                                         .direction = direction,
                                         .segment = segment,
                                         .step = step,
                                         .visit = ofw_factored_visit,
                                         .close = close_engine,
                                         .view = &view,
                                         .lead = &lead,
                                         .admit = admit,
                                         .norm = norm,
                                         .length = length,
                                         .apart = apart,
                                         .extent = extent};

/* ---- creation ---- */

static ofw_status open_room(ofw_factored *e, ofw_error *err)
{
  size_t m = e->left.room, n = e->right.room;
  e->core[OFW_CORE_X] = ofw_owned_doubles(&e->own, m * n);
  e->core[OFW_CORE_D] = ofw_owned_doubles(&e->own, m * n);
  e->placed.u = ofw_owned_doubles(&e->own, e->rows);
  e->placed.v = ofw_owned_doubles(&e->own, e->cols);
  e->placed.hu = ofw_owned_doubles(&e->own, m);
  e->placed.hv = ofw_owned_doubles(&e->own, n);
  e->placed.rest_u = ofw_owned_doubles(&e->own, e->rows);
  e->placed.rest_v = ofw_owned_doubles(&e->own, e->cols);
  e->z = ofw_owned_doubles(&e->own, m);
  e->y = ofw_owned_doubles(&e->own, n);
  e->shares = ofw_owned_doubles(&e->own, e->left.bands * (e->cols + m));
  e->found = ofw_owned_doubles(&e->own, ofw_split_parts(e->split) * OFW_BAND_SUMS);
  e->crossed = ofw_owned_doubles(&e->own, e->left.bands);
  e->gathered = ofw_owned_doubles(&e->own, OFW_GATHER * m);
  e->products = ofw_owned_doubles(&e->own, OFW_GATHER * n);
  e->sandwich = ofw_owned_doubles(&e->own, m * n);
  e->trial_u = ofw_owned_doubles(&e->own, e->rows);
  e->trial_v = ofw_owned_doubles(&e->own, e->cols);
  e->trial_w = ofw_owned_doubles(&e->own, e->cols);
  return ofw_owned_check(&e->own, err);
}

/* Large matrices have it, by the size of all of a matrix that ranks share. */
static void open_copy(ofw_factored *e)
{
  if (e->left.whole <= (OFW_LARGE - 1) / e->cols)
    return;
  e->direction.copy = ofw_factored_copy;
  e->direction.rough = ofw_factored_rough;
}

static ofw_status open_engine(ofw_factored *e, size_t room, size_t threads, ofw_error *err)
{
  OFW_TRY(ofw_pool_open(e->base.dim < OFW_LARGE ? 1 : threads, &e->pool, err));
  OFW_TRY(ofw_basis_open(&e->own, &e->left, e->rows, room, e->split, NULL, e->pool, err));
  const ofw_ranks *ranks = e->split ? e->split->ranks : NULL;
  OFW_TRY(ofw_basis_open(&e->own, &e->right, e->cols, room, NULL, ranks, e->pool, err));
  OFW_TRY(ofw_sparse_open(&e->sparse, e->rows, e->cols, e->split != NULL, err));
  OFW_TRY(open_room(e, err));
  open_copy(e);
  return ofw_factored_open_compress(e, err);
}

ofw_engine *ofw_engine_open_factored(const ofw_domain *K, size_t rank, size_t threads, ofw_error *err)
{
  ofw_factored *e = calloc(1, sizeof *e);
  if (!e) {
    ofw_fail_memory(err, sizeof *e);
    return NULL;
  }
  e->base = (ofw_engine){.ops = &ofw_factored_ops, .dim = K->dim};
  ofw_domain_rows(K, &e->base.rows, &e->base.cols);
  e->rows = K->rows;
  e->cols = K->cols;
  e->split = K->split;
  e->cores = OFW_CORE_Y;
  e->kept = rank;
  e->direction = (ofw_direction){
      .dim = K->dim, .rows = K->rows, .cols = K->cols, .pass = ofw_factored_pass, .size = ofw_factored_size, .ctx = e};
  if (open_engine(e, rank + rank / 2 + SLACK, threads, err) != OFW_OK) {
    close_engine(&e->base);
    return NULL;
  }
  return &e->base;
}
