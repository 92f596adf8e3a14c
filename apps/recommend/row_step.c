/* row_step.c — the normal equations of a row, and their solution by Cholesky */
#include "row_step.h"

#include <math.h>
#include <string.h>

void row_add(size_t n, double *row, double g, const double *f, double z)
{
  double *y = row + n * (n + 1) / 2;
  for (size_t i = 0; i < n; i++, row += i)
    for (size_t j = 0; j <= i; j++)
      row[j] = g * row[j] + f[i] * f[j];
  for (size_t i = 0; i < n; i++)
    y[i] = g * y[i] + z * f[i];
}

/* Where row i of a lower triangle begins. */
static size_t row_at(size_t i)
{
  return i * (i + 1) / 2;
}

/* A + L = C C', C lower, in place of A. A is a sum of squares and L > 0, so no pivot is below the ridge but by rounding. */
static void factor(size_t n, double *C, double l0, double l)
{
  for (size_t j = 0; j < n; j++) {
    double *Cj = C + row_at(j), ridge = j ? l : l0, pivot = Cj[j] + ridge;
    for (size_t k = 0; k < j; k++)
      pivot -= Cj[k] * Cj[k];
    pivot = sqrt(fmax(pivot, 0.5 * ridge));
    Cj[j] = pivot;
    for (size_t i = j + 1; i < n; i++) {
      double *Ci = C + row_at(i), c = Ci[j];
      for (size_t k = 0; k < j; k++)
        c -= Ci[k] * Cj[k];
      Ci[j] = c / pivot;
    }
  }
}

void row_solve(size_t n, const double *row, double l0, double l, double *x)
{
  double C[ROW_MOST * (ROW_MOST + 1) / 2];
  const double *y = row + row_at(n);
  memcpy(C, row, row_at(n) * sizeof *C);
  factor(n, C, l0, l);
  for (size_t i = 0; i < n; i++) {
    const double *Ci = C + row_at(i);
    x[i] = y[i];
    for (size_t k = 0; k < i; k++)
      x[i] -= Ci[k] * x[k];
    x[i] /= Ci[i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++)
      x[i] -= C[row_at(k) + i] * x[k];
    x[i] /= C[row_at(i) + i];
  }
}
