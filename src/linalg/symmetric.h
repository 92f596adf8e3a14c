/* symmetric.h — the symmetric part S = (D + D')/2 of an n x n matrix D, and its eigenvalues
 *
 * <D, X> = <S, X> for every symmetric X, so this is all that matters of a direction to a set of such matrices. S is kept
 * divided by a power of two that keeps squares and sums of its numbers within the range of doubles.
 */
#pragma once

#include "base/owned.h"

#include <lapacke.h>

/* S by its rows, each from the diagonal on: products with it then read half of a matrix. */
typedef struct ofw_symmetric {
  size_t n;
  double *row;
  int exponent; /* the numbers below and those of the rows are 2^-exponent times what they are of S */
  double size;  /* at least every |eigenvalue|; 0: S = 0 */
  double trace;
} ofw_symmetric;

/* The room is own's. */
ofw_status ofw_symmetric_open(ofw_owned *own, size_t n, ofw_symmetric *out, ofw_error *err);
/* S of d. d_ij + d_ji is rounded once, so that nothing is lost to a large antisymmetric part. */
void ofw_symmetric_set(ofw_symmetric *s, const double *d);
/* w = S v; `s` is an ofw_symmetric */
void ofw_symmetric_times(const void *s, const double *v, double *w);

/* max |d_ij - d_ji| / 2 */
double ofw_asymmetry(size_t n, const double *d);

/* Room for a full decomposition 2^-exponent S = sum_l value_l v_l v_l'. */
typedef struct ofw_eigen {
  const char *owner; /* whose name begins messages */
  size_t n;
  int vectors;    /* 0: the values alone */
  double *value;  /* ascending */
  double *vector; /* the v_l one after the other */
  int exponent;
  double *work;
  lapack_int *integers, length, count; /* of work and integers */
} ofw_eigen;

/* The room is own's. */
ofw_status ofw_eigen_open(ofw_owned *own, size_t n, int vectors, const char *owner, ofw_eigen *out, ofw_error *err);
/* Of the symmetric part of d, by LAPACK. */
ofw_status ofw_eigen_set(ofw_eigen *e, const double *d, ofw_error *err);
/* An eigenvalue of S itself, or the nearest double. */
double ofw_eigen_value(const ofw_eigen *e, size_t l);
/* x = sum_l weight_l v_l v_l', symmetric bit for bit */
void ofw_eigen_compose(const ofw_eigen *e, const double *weight, double *x);
