/* dense_copy.c — d in 16 bits per number or in floats, for searches that need not be sharp: a quarter or half of the bytes
 *
 * Floats are copied when an oracle asks for them. So is a row of shorts, if it has changed, or, if oracles ask after every change, while it
 * is near: when a pull has just written it. A row of shorts depends on the row alone, so it makes no difference to it.
 */
#include "engine/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ofw_status ofw_dense_open_copy(ofw_dense *e, ofw_error *err)
{
  size_t rows = e->direction.rows, cols = e->direction.cols;
  size_t stride = (cols + OFW_ROUGH_EDGE - 1) / OFW_ROUGH_EDGE * OFW_ROUGH_EDGE;
  size_t floats = sizeof(double) / sizeof(float);
  ofw_copy *copy = e->copy = ofw_owned_take(&e->own, calloc(1, sizeof *copy), sizeof *copy);
  OFW_TRY(ofw_owned_check(&e->own, err));
  copy->shorts = (ofw_shorts){cols, stride, ofw_dense_words(e, rows * (stride / 2)), ofw_owned_doubles(&e->own, rows)};
  copy->floats = (ofw_floats){cols, stride, ofw_dense_words(e, rows * stride)};
  copy->square = ofw_owned_doubles(&e->own, rows);
  copy->stale = ofw_owned_array(&e->own, rows, sizeof *copy->stale);
  copy->narrow = (void *)ofw_owned_doubles(&e->own, stride / floats);
  copy->room = (void *)ofw_owned_doubles(&e->own, e->bands * (stride / floats));
  OFW_TRY(ofw_owned_check(&e->own, err));
  ofw_dense_stale(e);
  return OFW_OK;
}

void ofw_dense_stale(const ofw_dense *e)
{
  if (e->copy)
    memset(e->copy->stale, 1, e->direction.rows);
}

void ofw_dense_stale_at(const ofw_dense *e, const ofw_vec *v)
{
  for (size_t k = 0; e->copy && k < v->as.sparse.nnz; k++)
    e->copy->stale[(v->offset + v->as.sparse.index[k]) / e->direction.cols] = 1;
}

int ofw_dense_copies(const ofw_dense *e)
{
  if (!e->copy || !e->copy->wanted) {
    ofw_dense_stale(e);
    return 0;
  }
  e->copy->wanted = 0;
  return 1;
}

void ofw_dense_copy_rows(const ofw_dense *e, size_t from, size_t n)
{
  ofw_copy *copy = e->copy;
  ofw_shorts *p = &copy->shorts;
  for (size_t row = from / p->cols; row < (from + n) / p->cols; row++) {
    copy->square[row] =
        e->kernels->pack(p->cols, ofw_d_at(e, row * p->cols), p->word + row * (p->stride / 2), &p->c[row]);
    copy->stale[row] = 0;
  }
}

static void copy_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  (void)found;
  size_t cols = t->e->direction.cols;
  for (; from < to; from += cols)
    if (t->e->copy->stale[from / cols])
      ofw_dense_copy_rows(t->e, from, cols);
}

/* |d|^2, and the square of what whole numbers are off by at most. */
static double copy_shorts(const ofw_dense *e, double *lost)
{
  double square = 0.0, *c = e->copy->shorts.c;
  ofw_task t = {e, copy_over, .a = 0.0};
  ofw_task_sum(&t, NULL);
  e->copy->wanted = 1;
  *lost = 0.0;
  for (size_t row = 0; row < e->direction.rows; row++) {
    square += e->copy->square[row];
    *lost += c[row] * c[row];
  }
  *lost *= OFW_SHORTS_APART * OFW_SHORTS_APART * (double)e->direction.cols;
  return square;
}

static void narrow_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  const ofw_kernels *kernels = t->e->kernels;
  const ofw_floats *floats = &t->e->copy->floats;
  for (; from < to; from += floats->cols) {
    double largest, square;
    float *row = floats->number + from / floats->cols * floats->stride;
    if (kernels->floats)
      kernels->floats->write(floats->cols, ofw_d_at(t->e, from), row);
    else
      memcpy(row, ofw_d_at(t->e, from), floats->cols * sizeof *row);
    memset(row + floats->cols, 0, (floats->stride - floats->cols) * sizeof *row);
    kernels->measure(floats->cols, ofw_d_at(t->e, from), &largest, &square);
    found[0] += square;
  }
}

/* Sharper answers than these, which long steps ask for, take more digits: docs/performance.md has what was tried. */
#define SHORTS_FROM 1e-3
#define FLOATS_FROM 1e-4

/* Numbers of this size and all that count beside them are as near to d as the copies say, and so are their products and sums
 * in floats, of which none is above |d|^2. */
int ofw_dense_copy(const ofw_direction *d, int better, ofw_rough *off, double *norm)
{
  const ofw_dense *e = d->ctx;
  int fine = better || d->wanted.relative < SHORTS_FROM;
  double square, lost;
  ofw_task t = {e, narrow_over, .a = 0.0};
  if (d->wanted.relative < FLOATS_FROM)
    return 0;
  square = fine ? ofw_task_sum(&t, NULL) : copy_shorts(e, &lost);
  *norm = sqrt(square);
  *off = (ofw_rough){fine ? OFW_FLOATS_APART : sqrt(lost / square), OFW_ROUGH_GRAIN};
  e->copy->fine = fine;
  return *norm > 0x1p-30 && *norm < 0x1p60 ? 2 - fine : 0;
}

typedef struct rough_task {
  const ofw_dense *e;
  double *u, *w;
} rough_task;

static void rough_band(void *ctx, size_t band)
{
  const rough_task *t = ctx;
  const ofw_dense *e = t->e;
  const ofw_copy *copy = e->copy;
  size_t from = ofw_dense_row_of(e, band), to = ofw_dense_row_of(e, band + 1);
  double *w = e->shares ? e->shares + band * e->direction.cols : t->w;
  float *room = copy->room + band * copy->shorts.stride;
  if (copy->fine)
    e->kernels->rough_floats(&copy->floats, from, to, copy->narrow, room, t->u + from, w);
  else
    e->kernels->rough(&copy->shorts, from, to, copy->narrow, room, t->u + from, w);
}

void ofw_dense_rough(const ofw_direction *d, const double *v, double *u, double *w)
{
  const ofw_dense *e = d->ctx;
  for (size_t j = 0; j < d->cols; j++)
    e->copy->narrow[j] = (float)v[j];
  ofw_pool_run(e->pool, e->bands, rough_band, &(rough_task){e, u, w});
  ofw_dense_add_shares(e, w);
}
