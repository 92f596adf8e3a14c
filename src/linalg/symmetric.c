/* symmetric.c — S = (D + D')/2, packed from the diagonal on, and LAPACK's dsyevd
 *
 * D and its mirror image are read in tiles, so that both stay in the cache.
 */
#include "linalg/symmetric.h"

#include "linalg/kernels.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { TILE = 32 }; /* rows and columns of d that are read together with their mirror image */

/* Where row i is from which the entry j is counted: with skip 1 the rows from the diagonal on are packed one after the
 * other, with skip 0 they are where a whole matrix has them. */
static double *row_at(double *out, size_t n, size_t skip, size_t i)
{
  return out + i * n - skip * (i * (i + 1) / 2);
}

/* out = 2 S from the diagonal on, times `down`; the largest of it */
static double add_mirrored(size_t n, const double *d, double down, size_t skip, double *out)
{
  double largest = 0.0;
  for (size_t top = 0; top < n; top += TILE)
    for (size_t left = top; left < n; left += TILE)
      for (size_t i = top; i < n && i < top + TILE; i++) {
        double *row = row_at(out, n, skip, i);
        for (size_t j = i > left ? i : left; j < n && j < left + TILE; j++) {
          row[j] = down * d[i * n + j] + down * d[j * n + i];
          largest = fabs(row[j]) > largest ? fabs(row[j]) : largest;
        }
      }
  return largest;
}

/* out = 2^-exponent S from the diagonal on; gives the exponent. */
static int fill(size_t n, const double *d, size_t skip, double *out)
{
  enum { DOWN = 64 };
  int high = ofw_largest(n * n, d) > 0x1p1000;
  int e = ofw_safe_exponent(add_mirrored(n, d, high ? ldexp(1.0, -DOWN) : 1.0, skip, out));
  for (size_t i = 0; i < n && e != 0; i++)
    for (size_t j = i; j < n; j++)
      row_at(out, n, skip, i)[j] = ldexp(row_at(out, n, skip, i)[j], -e);
  return e + (high ? DOWN : 0) - 1;
}

static size_t packed(size_t n)
{
  return n * (n + 1) / 2;
}

ofw_status ofw_symmetric_open(ofw_owned *own, size_t n, ofw_symmetric *out, ofw_error *err)
{
  *out = (ofw_symmetric){.n = n, .row = ofw_owned_take(own, ofw_doubles_unset(packed(n)), packed(n) * sizeof(double))};
  return ofw_owned_check(own, err);
}

/* |S|_F^2 is twice the square of what is stored, less that of the diagonal, which is stored once and counts once. */
void ofw_symmetric_set(ofw_symmetric *s, const double *d)
{
  size_t n = s->n;
  s->exponent = fill(n, d, 1, s->row);
  double norm = ofw_norm(packed(n), s->row), share = 0.0;
  s->trace = 0.0;
  for (size_t i = 0, at = 0; i < n && norm > 0.0; at += n - i++) {
    s->trace += s->row[at];
    share += s->row[at] / norm * (s->row[at] / norm);
  }
  s->size = norm * sqrt(2.0 - fmin(share, 1.0));
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

ofw_status ofw_eigen_open(ofw_owned *own, size_t n, int vectors, const char *owner, ofw_eigen *out, ofw_error *err)
{
  double m = (double)n, length = vectors ? 1.0 + 6.0 * m + 2.0 * m * m : 1.0 + 2.0 * m;
  *out = (ofw_eigen){.owner = owner, .n = n, .vectors = vectors};
  if (length > INT_MAX || m * m > INT_MAX)
    return ofw_fail(err, OFW_UNSUPPORTED, "%s: %zu x %zu is too large to decompose", owner, n, n);
  out->length = (lapack_int)length;
  out->count = vectors ? 3 + 5 * (lapack_int)n : 1;
  out->value = ofw_owned_doubles(own, n);
  out->vector = ofw_owned_doubles(own, n * n);
  out->work = ofw_owned_doubles(own, (size_t)out->length);
  out->integers = ofw_owned_array(own, (size_t)out->count, sizeof *out->integers);
  return ofw_owned_check(own, err);
}

/* By rows the upper half is what LAPACK, which goes by columns, calls the lower one. */
ofw_status ofw_eigen_set(ofw_eigen *e, const double *d, ofw_error *err)
{
  lapack_int n = (lapack_int)e->n;
  if (ofw_first_not_finite(e->n * e->n, d) < e->n * e->n) /* LAPACK may go on for ever */
    return ofw_fail(err, OFW_NUMERICAL, "%s: cannot compute eigenvalues: the matrix has a number that is not finite",
                    e->owner);
  e->exponent = fill(e->n, d, 0, e->vector);
  if (LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, e->vectors ? 'V' : 'N', 'L', n, e->vector, n, e->value, e->work, e->length,
                          e->integers, e->count) != 0)
    return ofw_fail(err, OFW_NUMERICAL, "%s: the eigenvalue decomposition does not converge", e->owner);
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
