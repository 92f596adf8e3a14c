/* dense_direction.c — the dense engine's d as oracles read it: its size, and passes; dense_copy.c has those that need not be sharp
 *
 * A pass goes by bands of rows, and the bands' shares are added in their order, so that threads change no bit.
 */
#include "engine/dense.h"

#include <math.h>
#include <string.h>

static void size_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  t->e->kernels->measure(to - from, ofw_d_at(t->e, from), &found[0], &found[1]);
}

void ofw_dense_size(const ofw_direction *d, double *largest, double *norm)
{
  const ofw_dense *e = d->ctx;
  double found[OFW_PARTS][OFW_FOUND], square = 0.0;
  ofw_task t = {e, size_over, .a = 0.0};
  ofw_task_run(&t, found);
  *largest = 0.0;
  for (size_t part = 0; part < e->parts; part++) {
    *largest = fmax(*largest, found[part][0]);
    square += found[part][1];
  }
  *norm = ofw_norm_measured(e->kernels, e->base.dim, e->d, *largest, square);
}

size_t ofw_dense_row_of(const ofw_dense *e, size_t band)
{
  size_t blocks = (e->direction.rows + OFW_PASS_ROWS - 1) / OFW_PASS_ROWS;
  return ofw_least(blocks * band / e->bands * OFW_PASS_ROWS, e->direction.rows);
}

void ofw_dense_add_shares(const ofw_dense *e, double *w)
{
  size_t cols = e->direction.cols;
  if (e->shares)
    memcpy(w, e->shares, cols * sizeof *w);
  for (size_t band = 1; band < e->bands; band++)
    ofw_axpy(cols, 1.0, e->shares + band * cols, w);
}

typedef struct pass_task {
  const ofw_dense *e;
  const double *v;
  double *u, *w;
} pass_task;

static void pass_band(void *ctx, size_t band)
{
  const pass_task *t = ctx;
  const ofw_dense *e = t->e;
  size_t from = ofw_dense_row_of(e, band), to = ofw_dense_row_of(e, band + 1), cols = e->direction.cols;
  double *w = e->shares ? e->shares + band * cols : t->w;
  e->kernels->pass(to - from, cols, ofw_d_at(e, from * cols), t->v, t->u + from, w);
}

/* A float needs no scaling on the way: its square is a double. */
static void scale_pass(const ofw_direction *d, int exponent, double *u, double *w)
{
  for (size_t i = 0; i < d->rows; i++)
    u[i] = ldexp(u[i], -exponent);
  for (size_t j = 0; j < d->cols; j++)
    w[j] = ldexp(w[j], -2 * exponent);
}

void ofw_dense_pass(const ofw_direction *d, int exponent, const double *v, double *u, double *w)
{
  const ofw_dense *e = d->ctx;
  if (exponent != 0 && d->dense) {
    ofw_pass(d->rows, d->cols, d->dense, exponent, v, u, w);
    return;
  }
  ofw_pool_run(e->pool, e->bands, pass_band, &(pass_task){e, v, u, w});
  ofw_dense_add_shares(e, w);
  if (exponent != 0)
    scale_pass(d, exponent, u, w);
}
