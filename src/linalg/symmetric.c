#include "linalg/symmetric.h"

#include "linalg/kernels.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 32 }; /* rows and columns of d that are read together with their mirror image */

/* 2^-exponent in two factors, of which each is a double whatever the exponent. */
typedef struct power {
  double half, rest;
} power;

static power power_of(int exponent)
{
  return (power){ldexp(1.0, -(exponent / 2)), ldexp(1.0, -(exponent - exponent / 2))};
}

/* The entry i, j of 2^-exponent S */
static inline double entry(const double *d, size_t n, size_t i, size_t j, power p)
{
  return 0.5 * (d[i * n + j] * p.half * p.rest + d[j * n + i] * p.half * p.rest);
}

/* Every entry from the diagonal on: with skip 1 the rows are packed one after the other, with skip 0 they are where a
 * whole matrix has them. */
static void fill(size_t n, const double *d, int exponent, size_t skip, double *out)
{
  power p = power_of(exponent);
  for (size_t top = 0; top < n; top += TILE)
    for (size_t left = top; left < n; left += TILE)
      for (size_t i = top; i < n && i < top + TILE; i++) {
        double *row = out + i * n - skip * (i * (i + 1) / 2);
        for (size_t j = i > left ? i : left; j < n && j < left + TILE; j++)
          row[j] = entry(d, n, i, j, p);
      }
}

static size_t packed(size_t n)
{
  return n * (n + 1) / 2;
}

ofw_status ofw_symmetric_open(size_t n, ofw_symmetric *out, ofw_error *err)
{
  *out = (ofw_symmetric){.n = n, .row = ofw_doubles_unset(packed(n))};
  return out->row ? OFW_OK : ofw_fail_memory(err, packed(n) * sizeof(double));
}

void ofw_symmetric_close(ofw_symmetric *s)
{
  free(s->row);
  *s = (ofw_symmetric){0};
}

void ofw_symmetric_set(ofw_symmetric *s, const double *d)
{
  size_t n = s->n, all = packed(n);
  s->exponent = ofw_safe_exponent(ofw_largest(n * n, d));
  fill(n, d, s->exponent, 1, s->row);
  int again = ofw_safe_exponent(ofw_largest(all, s->row)); /* S may be far smaller than D */
  for (size_t k = 0; k < all && again != 0; k++)
    s->row[k] = ldexp(s->row[k], -again);
  s->exponent += again;
  s->size = M_SQRT2 * ofw_norm(all, s->row); /* |S|_F counts twice what is off the diagonal */
  s->trace = 0.0;
  for (size_t i = 0, at = 0; i < n; at += n - i++)
    s->trace += s->row[at];
}

void ofw_symmetric_times(const void *symmetric, const double *v, double *w)
{
  const ofw_symmetric *s = symmetric;
  const double *row = s->row;
  memset(w, 0, s->n * sizeof *w);
  for (size_t i = 0; i < s->n; row += s->n - i++) {
    w[i] += ofw_dot(s->n - i, row, v + i);
    ofw_axpy(s->n - i - 1, v[i], row + 1, w + i + 1);
  }
}

double ofw_asymmetry(size_t n, const double *d)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      most = fmax(most, fabs(d[i * n + j] / 2 - d[j * n + i] / 2));
  return most;
}

ofw_status ofw_eigen_open(size_t n, int vectors, ofw_eigen *out, ofw_error *err)
{
  double m = (double)n, length = vectors ? 1.0 + 6.0 * m + 2.0 * m * m : 1.0 + 2.0 * m;
  *out = (ofw_eigen){.n = n, .vectors = vectors};
  if (length > INT_MAX || m * m > INT_MAX)
    return ofw_fail(err, OFW_UNSUPPORTED, "a matrix of %zu rows is too large to be decomposed", n);
  out->length = (lapack_int)length;
  out->count = vectors ? 3 + 5 * (lapack_int)n : 1;
  out->value = ofw_doubles(n);
  out->vector = ofw_doubles(n * n);
  out->work = ofw_doubles((size_t)out->length);
  out->integers = ofw_array((size_t)out->count, sizeof *out->integers);
  if (out->value && out->vector && out->work && out->integers)
    return OFW_OK;
  ofw_eigen_close(out);
  return ofw_fail_memory(err, 3 * n * n * sizeof(double));
}

void ofw_eigen_close(ofw_eigen *e)
{
  free(e->value), free(e->vector), free(e->work), free(e->integers);
  *e = (ofw_eigen){0};
}

/* By rows the upper half is what LAPACK, which goes by columns, calls the lower one. */
ofw_status ofw_eigen_set(ofw_eigen *e, const double *d, ofw_error *err)
{
  lapack_int n = (lapack_int)e->n;
  e->exponent = ofw_safe_exponent(ofw_largest(e->n * e->n, d));
  fill(e->n, d, e->exponent, 0, e->vector);
  if (LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, e->vectors ? 'V' : 'N', 'L', n, e->vector, n, e->value, e->work, e->length,
                          e->integers, e->count) != 0)
    return ofw_fail(err, OFW_NUMERICAL, "the eigenvalue decomposition does not converge");
  return OFW_OK;
}

double ofw_eigen_value(const ofw_eigen *e, size_t l)
{
  return fmax(-DBL_MAX, fmin(ldexp(e->value[l], e->exponent), DBL_MAX));
}

void ofw_eigen_compose(const ofw_eigen *e, const double *weight, double *x)
{
  size_t n = e->n;
  memset(x, 0, n * n * sizeof *x);
  for (size_t l = 0; l < n; l++) {
    const double *v = e->vector + l * n;
    for (size_t i = 0; i < n && weight[l] != 0.0; i++)
      ofw_axpy(n - i, weight[l] * v[i], v + i, x + i * n + i);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      x[i * n + j] = x[j * n + i];
}
