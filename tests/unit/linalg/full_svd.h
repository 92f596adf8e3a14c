/* full_svd.h — the slow, full decomposition that iterative ones are held against, and matrices with a chosen spectrum */
#ifndef OFW_TEST_SVD_H
#define OFW_TEST_SVD_H

#include "unit/linalg/chance.h"

#include <string.h>

#include <lapacke.h>

static inline size_t lesser(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* a = u diag(s) vt, all by rows, with k = min(m, n) columns of u and rows of vt; u and vt NULL: only s */
static inline void svd(size_t m, size_t n, const double *a, double *s, double *u, double *vt)
{
  double *copy = room_for(m * n), unused[1];
  lapack_int rows = (lapack_int)m, cols = (lapack_int)n, k = (lapack_int)lesser(m, n);
  memcpy(copy, a, m * n * sizeof *a);
  assert_int_equal(LAPACKE_dgesdd(LAPACK_ROW_MAJOR, u ? 'S' : 'N', rows, cols, copy, cols, s, u ? u : unused,
                                  u ? k : rows, vt ? vt : unused, cols),
                   0);
  free(copy);
}

static inline double largest_singular(size_t m, size_t n, const double *a)
{
  double *s = room_for(lesser(m, n));
  svd(m, n, a, s, NULL, NULL);
  double top = s[0];
  free(s);
  return top;
}

/* k random orthonormal rows of n numbers, by Gram and Schmidt, twice */
static inline void orthonormal_rows(chance *c, size_t k, size_t n, double *q)
{
  for (size_t i = 0; i < k; i++) {
    double *row = q + i * n;
    chance_normals(c, n, row);
    for (int again = 0; again < 2; again++) {
      for (size_t j = 0; j < i; j++) {
        double along = (double)slow_dot(n, q + j * n, row);
        for (size_t l = 0; l < n; l++)
          row[l] -= along * q[j * n + l];
      }
      double length = (double)slow_norm(n, row);
      for (size_t l = 0; l < n; l++)
        row[l] /= length;
    }
  }
}

/* a = sum_i s_i u_i v_i' with random orthonormal u_i, v_i */
static inline void with_spectrum(chance *c, size_t m, size_t n, const double *s, double *a)
{
  size_t k = lesser(m, n);
  double *u = room_for(k * m), *v = room_for(k * n);
  orthonormal_rows(c, k, m, u);
  orthonormal_rows(c, k, n, v);
  memset(a, 0, m * n * sizeof *a);
  for (size_t l = 0; l < k; l++)
    for (size_t i = 0; i < m && s[l] != 0.0; i++)
      for (size_t j = 0; j < n; j++)
        a[i * n + j] += s[l] * u[l * m + i] * v[l * n + j];
  free(u);
  free(v);
}

static inline void diagonal(size_t m, size_t n, const double *s, double *a)
{
  memset(a, 0, m * n * sizeof *a);
  for (size_t i = 0; i < lesser(m, n); i++)
    a[i * n + i] = s[i];
}

#endif
