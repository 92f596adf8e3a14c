/* body_pair.h — sums over the vectors of a search: those that a restart keeps, and the singular pair */
#pragma once

#include "body_search.h"

/* ---- out_i = sum_j y_ij x_j for n vectors of `length` numbers; y_i begins at y + (n - 1 - i) k ---- */

typedef struct ofw_rotate_args {
  uint32_t k, n, length;
  const double *x, *y;
  double *out;
} ofw_rotate_args;

static inline OFW_BOTH void ofw_rotate(const ofw_rotate_args *a, ofw_lane l)
{
  OFW_EACH_QUAD(at, l, a->n * a->length)
  {
    uint32_t i = at / a->length, c = at % a->length;
    double sum = 0.0;
    for (uint32_t j = 0; j < a->k; j++)
      sum += a->y[(a->n - 1 - i) * a->k + j] * a->x[(size_t)j * a->length + c];
    a->out[at] = sum;
  }
}

/* ---- u and v of a singular pair: sums over the two bases, with the squares of each block; then divided by their lengths ----
 *
 * u has the first blocks, v those from `split` on.
 */

typedef struct ofw_pair_args {
  uint32_t k, rows, cols, split;
  const double *image, *basis;
  double y[OFW_STRIDE];
  double *u, *v, *squares;
  double *here_u, *here_v; /* the same in memory that both see */
  ofw_report to;
} ofw_pair_args;

enum { OFW_COMPOSE_PHASES = 3, OFW_NORMALISE_PHASES = 4 };

static inline OFW_BOTH void ofw_compose(const ofw_pair_args *a, ofw_lane l, ofw_sums *s, int phase)
{
  int right = l.block >= a->split;
  uint32_t length = right ? a->cols : a->rows, at = (l.block - (right ? a->split : 0)) * OFW_THREADS + l.thread;
  const double *x = right ? a->basis : a->image;
  double sum = 0.0;
  if (phase == 0) {
    for (uint32_t j = 0; at < length && j < a->k; j++)
      sum += a->y[j] * x[(size_t)j * length + at];
    if (at < length)
      (right ? a->v : a->u)[at] = sum;
    s->value[0][l.thread] = sum * sum;
  }
  if (phase == 1 && l.thread < OFW_LANES)
    ofw_fold_lanes(&a->to, l.thread, s);
  if (phase == 2 && l.thread == 0)
    a->squares[l.block] = ofw_fold_parts(&a->to, 0, s);
}

static inline OFW_BOTH void ofw_normalise(const ofw_pair_args *a, ofw_lane l, ofw_sums *s, int phase)
{
  int right = l.block >= a->split;
  uint32_t first = right ? a->split : 0, end = right ? l.blocks : a->split;
  uint32_t length = right ? a->cols : a->rows, at = (l.block - first) * OFW_THREADS + l.thread;
  if (phase == 0) {
    s->value[0][l.thread] = 0.0;
    for (uint32_t block = first + l.thread; block < end; block += OFW_THREADS)
      s->value[0][l.thread] += a->squares[block];
  }
  if (phase == 1 && l.thread < OFW_LANES)
    ofw_fold_lanes(&a->to, l.thread, s);
  if (phase == 2 && at < length) {
    double *out = right ? a->v : a->u, *here = right ? a->here_v : a->here_u;
    out[at] /= sqrt(ofw_fold_parts(&a->to, 0, s));
    here[at] = out[at];
    ofw_fence_all();
  }
  if (phase == 3 && l.thread == 0 && ofw_is_last(a->to.counter, l.blocks))
    ofw_answer_now(a->to.reply, 0.0, 0.0, a->to.ticket);
}
