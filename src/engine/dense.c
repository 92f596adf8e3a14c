/* dense.c — x and d as two arrays, of doubles or of floats
 *
 * An atom is never stored whole. A dense one meets x and d as it is, a matrix of rank one row by row as a multiple of
 * its v; any other is written out by chunks that stay in the first-level cache, next to those of x and d that it meets.
 */
#include "engine/dense.h"

#include "base/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND = 96 }; /* rows: a band of a matrix has no fewer, so that its share of w is small beside it */

static void pull_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  (void)found;
  const ofw_dense *e = t->e;
  const ofw_kernels *kernels = e->kernels;
  size_t near = t->copies && ofw_dense_is_drawn(e, t->sum) ? e->direction.cols
                                                           : e->near; /* a row stays in the first-level cache */
  for (size_t n; from < to; from += n) {
    n = ofw_least(to - from, near);
    if (t->a != 1.0 || t->b != 0.0)
      kernels->blend(n, t->a, ofw_d_at(e, from), t->b, ofw_x_at(e, from));
    for (size_t k = 0; k < t->sum.n; k++) {
      const ofw_vec *v = &t->sum.term[k];
      if (v->kind != OFW_VEC_SPARSE)
        ofw_dense_add(e, kernels, v, t->c, from, n, ofw_d_at(e, from));
    }
    if (t->copies)
      ofw_dense_copy_rows(e, from, n);
  }
}

/* Sparse terms come last, by one thread: a part cannot tell which of their numbers are its own without looking at all
 * of them. */
static void pull(ofw_engine *E, double a, double b, double c, ofw_sum terms)
{
  ofw_dense *e = (ofw_dense *)E;
  size_t sparse = 0;
  if (a == 1.0 && b == 0.0 && c != 0.0 && terms.n == 1 && ofw_dense_is_small(e, terms.term)) {
    e->kernels->axpy(E->dim, c * terms.term->scale, terms.term->as.dense.value, e->d);
    return;
  }
  if (c == 0.0)
    terms.n = 0;
  for (size_t k = 0; k < terms.n; k++)
    sparse += terms.term[k].kind == OFW_VEC_SPARSE;
  if (a == 0.0 && b == 0.0) {
    memset(e->d, 0, E->dim * e->kernels->size);
    ofw_dense_stale(e);
  }
  int blends = !(a == 0.0 && b == 0.0) && !(a == 1.0 && b == 0.0);
  if (blends || sparse < terms.n) {
    ofw_task t = {.e = e, .over = pull_over, .sum = terms, .a = blends ? a : 1.0, .b = b, .c = c};
    t.copies = ofw_dense_copies(e);
    ofw_task_sum(&t, NULL);
  }
  for (size_t k = 0; k < terms.n && sparse > 0; k++)
    if (terms.term[k].kind == OFW_VEC_SPARSE) {
      ofw_vec_add(e->kernels, &terms.term[k], c, 0, E->dim, e->d);
      ofw_dense_stale_at(e, &terms.term[k]);
    }
}

static void dot_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  found[0] = ofw_vec_dot(t->e->kernels, t->one, from, to - from, ofw_x_at(t->e, from));
}

static double dot_one(const ofw_dense *e, const ofw_vec *v)
{
  if (v->kind == OFW_VEC_SPARSE)
    return ofw_vec_dot(e->kernels, v, 0, e->base.dim, e->x);
  if (ofw_dense_is_small(e, v))
    return e->kernels->dot(e->base.dim, e->x, v->as.dense.value);
  if (ofw_dense_draws(e, v, OFW_UNIFORM))
    return ofw_dense_meet(e, v);
  ofw_task t = {e, dot_over, .one = v};
  return ofw_task_sum(&t, NULL);
}

static ofw_status dot(const ofw_engine *E, ofw_sum a, double *out)
{
  *out = 0.0;
  for (size_t k = 0; k < a.n; k++)
    *out += a.term[k].scale * dot_one((const ofw_dense *)E, &a.term[k]);
  return OFW_OK;
}

/* The normals stay where they are drawn. */
static void inner_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  double a[OFW_CHUNK], b[OFW_CHUNK];
  int same = t->sum.term == t->other.term && t->sum.n == t->other.n;
  for (size_t n; from < to; from += n) {
    n = ofw_least(to - from, OFW_CHUNK);
    if (t->one)
      ofw_rng_normal(t->one->as.random.key, from, n, t->e->kept->normal + from);
    ofw_dense_write(t->e, t->sum, from, n, a);
    if (!same)
      ofw_dense_write(t->e, t->other, from, n, b);
    found[0] += ofw_dot(n, a, same ? a : b);
  }
}

static double inner(const ofw_engine *E, ofw_sum a, ofw_sum b)
{
  const ofw_dense *e = (const ofw_dense *)E;
  ofw_task t = {e, inner_over, .sum = a, .other = b};
  if (e->kept->normal && a.n > 0 && ofw_dense_draws(e, a.term, OFW_NORMAL) && !ofw_dense_has_normals(e, a.term)) {
    t.one = a.term;
    e->kept->normals_of = a.term->as.random.key;
    e->kept->has_normals = 1;
  }
  return ofw_task_sum(&t, NULL);
}

/* No part of it overflows if the whole does not. */
static void apart_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  double x[OFW_CHUNK], d[OFW_CHUNK];
  for (size_t n; from < to; from += n) {
    n = ofw_least(to - from, OFW_CHUNK);
    t->e->kernels->read(n, ofw_x_at(t->e, from), x);
    t->e->kernels->read(n, ofw_d_at(t->e, from), d);
    for (size_t i = 0; i < n; i++)
      x[i] -= d[i];
    found[0] = hypot(found[0], ofw_norm(n, x));
  }
}

static double apart(const ofw_engine *E)
{
  double found[OFW_PARTS][OFW_FOUND], total = 0.0;
  ofw_task t = {(const ofw_dense *)E, apart_over, .a = 0.0};
  ofw_task_run(&t, found);
  for (size_t part = 0; part < t.e->parts; part++)
    total = hypot(total, found[part][0]);
  return total;
}

static ofw_status project(ofw_engine *E, const ofw_domain *K, void *work, ofw_error *err)
{
  ofw_dense *e = (ofw_dense *)E;
  ofw_dense_forget(e);
  memcpy(e->x, e->d, E->dim * sizeof(double));
  return K->ops->project(K, work, e->x, err);
}

/* d = 0 */
static int still(const ofw_engine *E)
{
  const ofw_dense *e = (const ofw_dense *)E;
  if (ofw_number(e->kernels, e->d, 0) != 0.0) /* almost always the first tells */
    return 0;
  for (size_t from = 0; from < E->dim; from += OFW_NEAR) {
    double largest, square; /* NaN shows in the second alone, the least numbers in the first */
    e->kernels->measure(ofw_least(E->dim - from, OFW_NEAR), ofw_d_at(e, from), &largest, &square);
    if (largest != 0.0 || square != 0.0)
      return 0;
  }
  return 1;
}

/* ---- as others see it ---- */

static ofw_status entries(const ofw_engine *E, ofw_sum probe, size_t n, const size_t *index, double *out)
{
  const ofw_dense *e = (const ofw_dense *)E;
  double more;
  for (size_t k = 0; k < n; k++) {
    if (k + OFW_AHEAD < n)
      ofw_fetch(e->kernels, e->x, index[k + OFW_AHEAD]);
    out[k] = ofw_number(e->kernels, e->x, index[k]);
  }
  for (size_t k = 0; k < n && probe.n > 0; k++) {
    ofw_dense_write(e, probe, index[k], 1, &more);
    out[k] += more;
  }
  return OFW_OK;
}

static ofw_status row(const ofw_engine *E, size_t row, double *out)
{
  const ofw_dense *e = (const ofw_dense *)E;
  e->kernels->read(E->cols, ofw_x_at(e, row * E->cols), out);
  return OFW_OK;
}

static ofw_status dense(const ofw_engine *E, double *out)
{
  const ofw_dense *e = (const ofw_dense *)E;
  if (out)
    e->kernels->read(E->dim, e->x, out);
  return OFW_OK;
}

static void restart(ofw_engine *E, const double *x)
{
  ofw_dense *e = (ofw_dense *)E;
  ofw_dense_forget(e);
  ofw_dense_stale(e);
  e->kernels->write(E->dim, x, e->x);
  memset(e->d, 0, E->dim * e->kernels->size);
  if (e->y)
    memset(e->y, 0, E->dim * e->y_kernels->size);
}

static const ofw_field fields[] = {
    {OFW_ARRAY("x", ofw_dense, x, words)},
    {OFW_ARRAY("d", ofw_dense, d, words)},
    {OFW_ARRAY("y", ofw_dense, y, y_words)},
    {0},
};

static ofw_status visit(ofw_engine *E, ofw_visitor *v)
{
  const ofw_dense *e = (ofw_dense *)E;
  ofw_dense_forget(e); /* it may be a load */
  ofw_dense_stale(e);
  return ofw_visit_fields(fields, E, v);
}

static void close(ofw_engine *E)
{
  ofw_dense *e = (ofw_dense *)E;
  ofw_pool_close(e->pool);
  ofw_owned_free(&e->own);
  free(e);
}

static const ofw_direction *direction(const ofw_engine *E)
{
  return still(E) ? NULL : &((const ofw_dense *)E)->direction;
}

static double norm(const ofw_engine *E)
{
  double largest, length;
  ofw_dense_size(&((const ofw_dense *)E)->direction, &largest, &length);
  return length;
}

static const ofw_engine_view view = {.dot = dot, .entries = entries, .row = row, .dense = dense};
static const ofw_engine_ops ops = {.pull = pull,
                                   .direction = direction,
                                   .segment = ofw_dense_segment,
                                   .step = ofw_dense_step,
                                   .visit = visit,
                                   .close = close,
                                   .view = &view,
                                   .lead = &ofw_dense_lead,
                                   .norm = norm,
                                   .apart = apart,
                                   .inner = inner,
                                   .restart = restart,
                                   .project = project};

void *ofw_dense_words(ofw_dense *e, size_t n)
{
  size_t doubles = n / 2 + n % 2;
  return ofw_owned_take(&e->own, ofw_doubles_unset(doubles), doubles * sizeof(double));
}

static void open_kept(ofw_dense *e, size_t dim)
{
  ofw_kept *kept = e->kept = ofw_owned_take(&e->own, calloc(1, sizeof *kept), sizeof *kept);
  if (!kept)
    return;
  kept->word = ofw_dense_words(e, dim);
  kept->normal = dim <= OFW_KEPT_NORMALS ? ofw_owned_array(&e->own, dim, sizeof *kept->normal) : NULL;
}

static ofw_status open_arrays(ofw_dense *e, const ofw_domain *K, ofw_error *err)
{
  size_t in_one = sizeof(uint64_t) / e->kernels->size;
  e->words = K->dim / in_one + (K->dim % in_one > 0);
  e->parts = K->dim < OFW_LARGE ? 1 : OFW_PARTS;
  e->bands = K->dim < OFW_LARGE || K->rows < (size_t)2 * BAND ? 1 : ofw_least(K->rows / BAND, OFW_PARTS);
  e->x = ofw_owned_doubles(&e->own, e->words);
  e->d = ofw_owned_doubles(&e->own, e->words);
  e->shares = e->bands > 1 ? ofw_owned_doubles(&e->own, e->bands * K->cols) : NULL;
  e->row = ofw_dense_is_floats(e) ? ofw_dense_words(e, K->cols) : NULL;
  open_kept(e, K->dim);
  e->near = OFW_NEAR;
  OFW_TRY(ofw_owned_check(&e->own, err));
  if (e->parts == 1 || !K->passes_only || K->cols <= OFW_LANCZOS_SMALL)
    return OFW_OK;
  e->near = OFW_ROWS * K->cols;
  if (e->near < OFW_NEAR)
    e->near *= OFW_NEAR / e->near;
  if (K->cols > OFW_NEAR)
    e->near = K->cols;
  return ofw_dense_open_copy(e, err);
}

ofw_engine *ofw_engine_open_dense(const ofw_domain *K, int from_centre, int floats, size_t threads, ofw_error *err)
{
  ofw_dense *e = calloc(1, sizeof *e);
  if (!e) {
    ofw_fail_memory(err, sizeof *e);
    return NULL;
  }
  e->base = (ofw_engine){.ops = &ops, .dim = K->dim};
  e->radius = K->R;
  ofw_domain_rows(K, &e->base.rows, &e->base.cols);
  e->kernels = floats ? ofw_kernels_chosen()->floats : ofw_kernels_chosen();
  e->direction = (ofw_direction){.dim = K->dim,
                                 .rows = K->rows,
                                 .cols = K->cols,
                                 .pass = ofw_dense_pass,
                                 .size = ofw_dense_size,
                                 .rough = ofw_dense_rough,
                                 .ctx = e};
  if (open_arrays(e, K, err) != OFW_OK || ofw_pool_open(e->parts > 1 ? threads : 1, &e->pool, err) != OFW_OK) {
    close(&e->base);
    return NULL;
  }
  if (from_centre && K->centre)
    e->kernels->write(K->dim, K->centre, e->x);
  e->direction.dense = floats ? NULL : e->d;
  e->direction.copy = e->copy ? ofw_dense_copy : NULL;
  return &e->base;
}
