#include "linalg/kernels.h"

#include <math.h>
#include <string.h>

const char *ofw_kernel_name(void)
{
  return "portable";
}

/* Four accumulators: the compiler may keep them in vector registers without changing the order of the sums. */
double ofw_dot(size_t n, const double *a, const double *b)
{
  double s[4] = {0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k++)
      s[k] += a[i + k] * b[i + k];
  for (; i < n; i++)
    s[i % 4] += a[i] * b[i];
  return (s[0] + s[2]) + (s[1] + s[3]);
}

void ofw_axpy(size_t n, double c, const double *restrict a, double *restrict y)
{
  for (size_t i = 0; i < n; i++)
    y[i] += c * a[i];
}

double ofw_largest(size_t n, const double *a)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++)
    most = fabs(a[i]) > most ? fabs(a[i]) : most;
  return most;
}

double ofw_norm(size_t n, const double *a)
{
  double square = ofw_dot(n, a, a);
  if (square > 0x1p-900 && square < 0x1p1000)
    return sqrt(square);
  double most = ofw_largest(n, a);
  if (most == 0.0 || !isfinite(most))
    return most;
  int e;
  frexp(most, &e);
  square = 0.0;
  for (size_t i = 0; i < n; i++) {
    double scaled = ldexp(a[i], -e);
    square += scaled * scaled;
  }
  return ldexp(sqrt(square), e);
}

size_t ofw_first_not_finite(size_t n, const double *a)
{
  double zero = 0.0; /* 0 * a_i is 0 but for NaN and infinity, which make the whole sum NaN */
  for (size_t i = 0; i < n; i++)
    zero += 0.0 * a[i];
  if (zero == 0.0)
    return n;
  size_t i = 0;
  while (i < n && isfinite(a[i]))
    i++;
  return i;
}

void ofw_segment(size_t n, const double *x, const double *d, const double *v, double *slope, double *length2)
{
  double s = 0.0, l = 0.0;
  for (size_t i = 0; i < n; i++) {
    double e = v[i] - x[i];
    s += d[i] * e;
    l += e * e;
  }
  *slope += s;
  *length2 += l;
}

void ofw_step(size_t n, double *restrict x, double *restrict d, const double *restrict v, double sig, double curv)
{
  for (size_t i = 0; i < n; i++) {
    double e = v[i] - x[i];
    x[i] += sig * e;
    d[i] += curv * e;
  }
}

/* The exponent is applied in two halves, so that no product leaves the range of doubles on the way. */
void ofw_pass(size_t rows, size_t cols, const double *a, int exponent, const double *v, double *u, double *w)
{
  double half = ldexp(1.0, -(exponent / 2)), rest = ldexp(1.0, -(exponent - exponent / 2));
  memset(w, 0, cols * sizeof *w);
  for (size_t i = 0; i < rows; i++) {
    const double *row = a + i * cols;
    if (exponent == 0)
      u[i] = ofw_dot(cols, row, v);
    else {
      double sum = 0.0;
      for (size_t j = 0; j < cols; j++)
        sum += row[j] * half * v[j];
      u[i] = sum * rest;
    }
    if (exponent == 0)
      ofw_axpy(cols, u[i], row, w);
    else
      for (size_t j = 0; j < cols; j++)
        w[j] += row[j] * half * (rest * u[i]);
  }
}
