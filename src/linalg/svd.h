/* svd.h — a full singular value decomposition by LAPACK, and the room that it takes */
#pragma once

#include "base/owned.h"

#include <lapacke.h>

/* Room for X = sum_l s_l u_l v_l', of min(m, n) terms; not opened if x is NULL. */
typedef struct ofw_svd {
  const char *owner; /* whose name begins messages */
  size_t rows, cols;
  double *x, *s, *v, *u; /* X, overwritten; the v_l one after the other; the l-th entries of a row of X together */
  int exponent;          /* of what was decomposed: 2^-exponent X */
  double *work;
  lapack_int *integers, length; /* of work */
} ofw_svd;

/* The room is own's. */
ofw_status ofw_svd_open(ofw_owned *own, size_t rows, size_t cols, const char *owner, ofw_svd *out, ofw_error *err);
/* x is divided by a power of two if squares of its numbers are not safe; s is of what is left. */
ofw_status ofw_svd_set(ofw_svd *svd, const double *x, ofw_error *err);
/* x = sum_l weight_l u_l v_l' over the first `count` terms */
void ofw_svd_compose(const ofw_svd *svd, size_t count, const double *weight, double *x);

/* The min(m, n) singular values alone, as a number; negative if there is no memory or no convergence. For checks: it
 * takes and returns its room. */
double ofw_singular_values(size_t rows, size_t cols, const double *x, double (*measure)(size_t n, const double *s));
