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
  OFW_EACH_ITEM(at, l, a->n * a->length)
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
 * u has the first blocks, v those from `split` on. The block that comes last divides, or, if there are many, another kernel.
 */

typedef struct ofw_pair_args {
  uint32_t k, rows, cols, split;
  int at_once; /* the last block divides */
  const double *image, *basis;
  double y[OFW_STRIDE];
  double *u, *v, *squares;
  double *here_u, *here_v; /* the same in memory that both see */
  ofw_report to;
} ofw_pair_args;

enum { OFW_COMPOSE_PHASES = 7, OFW_NORMALISE_PHASES = 4, OFW_PAIR_AT_ONCE = 64 /* blocks */ };

/* The squares of the blocks first .. end - 1, in phase 0; then their sum, from phase 2 on. */
static inline OFW_BOTH void ofw_pair_squares(const ofw_pair_args *a, uint32_t which, uint32_t first, uint32_t end,
                                             uint32_t thread, ofw_sums *s)
{
  double sum = 0.0;
  for (uint32_t block = first + thread; block < end; block += OFW_THREADS)
    sum += ofw_fresh(a->squares + block);
  s->value[which][thread] = sum;
}

/* A thread's numbers of u or v: its own and every so many after it, of which it asks for several before it divides one. */
static inline OFW_BOTH void ofw_pair_divide(const ofw_pair_args *a, int right, uint32_t first, uint32_t apart,
                                            double length)
{
  enum { AT_ONCE = 4 };
  double *out = right ? a->v : a->u, *here = right ? a->here_v : a->here_u;
  const uint32_t n = right ? a->cols : a->rows;
  for (uint32_t from = first; from < n; from += AT_ONCE * apart) {
    double number[AT_ONCE];
    for (uint32_t i = 0; i < AT_ONCE; i++)
      number[i] = from + i * apart < n ? ofw_fresh(out + from + i * apart) : 0.0;
    for (uint32_t i = 0; i < AT_ONCE && from + i * apart < n; i++)
      out[from + i * apart] = here[from + i * apart] = number[i] / length;
  }
}

/* What both see is seen before the reply, by the fence. */
static inline OFW_BOTH void ofw_pair_end(const ofw_pair_args *a, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase == 0) {
    ofw_pair_squares(a, 0, 0, a->split, l.thread, s);
    ofw_pair_squares(a, 1, a->split, l.blocks, l.thread, s);
  }
  if (phase == 1)
    ofw_fold_groups(&a->to, 2, l.thread, s);
  if (phase == 2) {
    for (int right = 0; right < 2; right++)
      ofw_pair_divide(a, right, l.thread, OFW_THREADS, sqrt(ofw_fold_parts(&a->to, (uint32_t)right, s)));
    ofw_fence_all();
  }
  if (phase == 3 && l.thread == 0)
    ofw_answer_now(a->to.reply, 0.0, 0.0, a->to.ticket);
}

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
    ofw_fence();
  }
  if (phase == 1)
    ofw_fold_groups(&a->to, 1, l.thread, s);
  if (phase == 2 && l.thread == 0) {
    a->squares[l.block] = ofw_fold_parts(&a->to, 0, s);
    ofw_fence();
    s->last = a->at_once && ofw_is_last(a->to.counter, l.blocks);
  }
  if (phase >= 3 && s->last)
    ofw_pair_end(a, l, s, phase - 3);
}

static inline OFW_BOTH void ofw_normalise(const ofw_pair_args *a, ofw_lane l, ofw_sums *s, int phase)
{
  int right = l.block >= a->split;
  uint32_t first = right ? a->split : 0, blocks = right ? l.blocks - a->split : a->split;
  if (phase == 0)
    ofw_pair_squares(a, 0, first, first + blocks, l.thread, s);
  if (phase == 1)
    ofw_fold_groups(&a->to, 1, l.thread, s);
  if (phase == 2) {
    ofw_pair_divide(a, right, (l.block - first) * OFW_THREADS + l.thread, blocks * OFW_THREADS,
                    sqrt(ofw_fold_parts(&a->to, 0, s)));
    ofw_fence_all();
  }
  if (phase == 3 && l.thread == 0 && ofw_is_last(a->to.counter, l.blocks))
    ofw_answer_now(a->to.reply, 0.0, 0.0, a->to.ticket);
}
