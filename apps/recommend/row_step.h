/* row_step.h — a ridge regression that is solved again after each observation
 *
 *     minimise over x    sum_s g^(age of s) (z_s - <f_s, x>)^2 + l_0 x_0^2 + l (x_1^2 + .. + x_k^2)
 *
 * f_s = (1, factors). A = sum g^age f f' and y = sum g^age z f are kept, so an observation is one rank-one step on A; the ridge is
 * no part of A and is not forgotten. Then (A + L) x = y by Cholesky.
 */
#pragma once

#include <stddef.h>

enum { ROW_MOST = 65 }; /* numbers of x, at most */

/* Doubles of one regression with n numbers: the lower triangle of A row by row, then y. */
static inline size_t row_words(size_t n)
{
  return n * (n + 1) / 2 + n;
}
/* One observation: A = g A + f f', y = g y + z f. */
void row_add(size_t n, double *row, double g, const double *f, double z);
/* x, which solves it. */
void row_solve(size_t n, const double *row, double l0, double l, double *x);
