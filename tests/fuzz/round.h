/* round.h — a round's feedback that bytes choose: good, too long, not finite, repeated, enormous
 *
 * It says itself whether it must be refused, so that a target can hold the learner to that.
 */
#ifndef OFW_TEST_FUZZ_ROUND_H
#define OFW_TEST_FUZZ_ROUND_H

#include "fuzz.h"

#include <float.h>
#include <math.h>

enum { ROUND_CONSTRAINTS = 3, ROUND_NUMBERS = 80 };

typedef struct round_feedback {
  ofw_full full;
  int bad_values, bad_gradients; /* 1: they must be refused */
  double largest;                /* of all its numbers, in size */
  double value[ROUND_CONSTRAINTS];
  ofw_sum sum[ROUND_CONSTRAINTS];
  ofw_vec vec[1 + ROUND_CONSTRAINTS]; /* the loss's, then the constraints' */
  double number[1 + ROUND_CONSTRAINTS][2 * ROUND_NUMBERS];
  size_t index[1 + ROUND_CONSTRAINTS][ROUND_NUMBERS];
} round_feedback;

/* Seldom not finite: most rounds should be played. */
static inline double round_number(fuzz_bytes *b, int *bad, double *largest)
{
  static const double rare[] = {1e-300, 5e-324, 1e30, -1e30, 1e100, 1e200, -1e300, DBL_MAX, NAN, INFINITY, -INFINITY};
  uint8_t byte = fuzz_byte(b);
  if (byte < 245)
    return ((double)byte - 122.0) / 100.0;
  double x = rare[byte - 245];
  *bad |= !isfinite(x);
  *largest = fmax(*largest, fabs(x));
  return x;
}

static inline void round_dense(round_feedback *f, fuzz_bytes *b, size_t k, size_t dim, uint8_t shape)
{
  size_t n = shape / 4 % 16 == 1 ? dim + 1 : shape / 4 % 16 == 2 ? dim / 2 : dim;
  for (size_t i = 0; i < n; i++)
    f->number[k][i] = round_number(b, &f->bad_gradients, &f->largest);
  f->vec[k] = ofw_vec_dense(n, f->number[k]);
  f->bad_gradients |= n != dim;
}

static inline void round_sparse(round_feedback *f, fuzz_bytes *b, size_t k, size_t dim, uint8_t shape)
{
  size_t nnz = shape / 4 % 4;
  for (size_t i = 0; i < nnz; i++) {
    f->index[k][i] = fuzz_below(b, dim + 1); /* the last is one too many */
    f->number[k][i] = round_number(b, &f->bad_gradients, &f->largest);
    f->bad_gradients |= f->index[k][i] == dim;
    for (size_t j = 0; j < i; j++)
      f->bad_gradients |= f->index[k][j] == f->index[k][i];
  }
  f->vec[k] = ofw_vec_sparse(nnz, f->index[k], f->number[k]);
}

static inline void round_rank_one(round_feedback *f, fuzz_bytes *b, size_t k, size_t dim)
{
  size_t rows = 1 + fuzz_below(b, 4), cols = dim / rows ? dim / rows : 1;
  for (size_t i = 0; i < rows + cols; i++)
    f->number[k][i] = round_number(b, &f->bad_gradients, &f->largest);
  f->vec[k] = ofw_vec_rank_one(rows, cols, f->number[k], f->number[k] + rows);
  f->bad_gradients |= rows * cols > dim;
}

static inline void round_vec(round_feedback *f, fuzz_bytes *b, size_t k, size_t dim)
{
  uint8_t shape = fuzz_byte(b);
  if (shape % 4 == 0)
    round_dense(f, b, k, dim, shape);
  else if (shape % 4 == 1)
    round_sparse(f, b, k, dim, shape);
  else if (shape % 4 == 2)
    round_rank_one(f, b, k, dim);
  else
    f->vec[k] = ofw_vec_random(dim, (ofw_rng_key){shape, 1, 9}, shape / 4 % 2 ? OFW_NORMAL : OFW_UNIFORM);
  if (shape >= 250)
    f->vec[k].scale = round_number(b, &f->bad_gradients, &f->largest);
  if (shape == 255) {
    f->vec[k].offset = SIZE_MAX - 1;
    f->bad_gradients = 1;
  }
}

/* dim is at most ROUND_NUMBERS - 1. */
static inline void round_make(round_feedback *f, fuzz_bytes *b, size_t dim)
{
  MUST(dim < ROUND_NUMBERS);
  memset(f, 0, sizeof *f);
  f->full.values.loss = round_number(b, &f->bad_values, &f->largest);
  f->full.values.constraints = fuzz_below(b, ROUND_CONSTRAINTS + 1);
  f->full.values.constraint = f->value;
  f->full.constraint_gradient = f->sum;
  for (size_t k = 0; k <= f->full.values.constraints; k++) {
    round_vec(f, b, k, dim);
    if (k > 0) {
      f->value[k - 1] = round_number(b, &f->bad_values, &f->largest);
      f->sum[k - 1] = (ofw_sum){1, &f->vec[k]};
    }
  }
  f->full.loss_gradient = (ofw_sum){1, &f->vec[0]};
}

/* Whether a factored learner over rows x cols takes it. */
static inline int round_structured(const round_feedback *f, size_t rows, size_t cols)
{
  int is = 1;
  for (size_t k = 0; k <= f->full.values.constraints; k++) {
    const ofw_vec *v = &f->vec[k];
    is &= v->kind == OFW_VEC_SPARSE ||
          (v->kind == OFW_VEC_RANK_ONE && v->offset == 0 && v->as.rank_one.rows == rows && v->as.rank_one.cols == cols);
  }
  return is;
}

/* As the learner takes it: if it has a delay, for this round. In some rounds its constraints are also what is told of the next
 * ones. */
static inline ofw_status round_tell(ofw_learner *l, uint64_t round, const ofw_full *fb)
{
  if (l->open)
    return ofw_learner_observe_round(l, round, fb);
  ofw_hint hint = {sizeof hint, fb->values.constraints, fb->values.constraint, fb->constraint_gradient};
  int told = fb->values.loss > 0.0 || fb->values.constraints > 1;
  return l->method->bandit ? ofw_learner_observe_values(l, &fb->values)
                           : ofw_learner_observe_hinted(l, fb, told ? &hint : NULL);
}

#endif
