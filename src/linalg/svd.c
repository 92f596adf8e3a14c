/* svd.c — LAPACK's dgesdd, with its room allocated once
 *
 * Numbers are scaled by a power of two first. What is not finite is refused, since LAPACK may not return.
 */
#include "linalg/svd.h"

#include "linalg/kernels.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t rank_of(size_t rows, size_t cols)
{
  return rows < cols ? rows : cols;
}

/* X by rows is X' by columns, which is what LAPACK takes without copying. With length -1 it only asks for the room. */
static lapack_int decompose(ofw_svd *svd, double *work, lapack_int length)
{
  lapack_int m = (lapack_int)svd->rows, n = (lapack_int)svd->cols, k = m < n ? m : n;
  return LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'S', n, m, svd->x, n, svd->s, svd->v, n, svd->u, k, work, length,
                             svd->integers);
}

ofw_status ofw_svd_open(ofw_owned *own, size_t rows, size_t cols, const char *owner, ofw_svd *svd, ofw_error *err)
{
  size_t k = rank_of(rows, cols);
  double length = 0.0;
  *svd = (ofw_svd){.owner = owner, .rows = rows, .cols = cols};
  if (decompose(svd, &length, -1) != 0 || length >= INT_MAX)
    return ofw_fail(err, OFW_UNSUPPORTED, "%s: %zu x %zu is too large to decompose", owner, rows, cols);
  svd->length = (lapack_int)length;
  svd->x = ofw_owned_doubles(own, rows * cols);
  svd->s = ofw_owned_doubles(own, k);
  svd->v = ofw_owned_doubles(own, k * cols);
  svd->u = ofw_owned_doubles(own, k * rows);
  svd->work = ofw_owned_doubles(own, (size_t)svd->length);
  svd->integers = ofw_owned_array(own, 8 * k, sizeof *svd->integers);
  return ofw_owned_check(own, err);
}

ofw_status ofw_svd_set(ofw_svd *svd, const double *x, ofw_error *err)
{
  size_t dim = svd->rows * svd->cols;
  if (ofw_first_not_finite(dim, x) < dim) /* LAPACK may go on for ever */
    return ofw_fail(err, OFW_NUMERICAL,
                    "%s: cannot compute singular values: the matrix has a number that is not finite", svd->owner);
  svd->exponent = ofw_safe_exponent(ofw_largest(dim, x));
  for (size_t i = 0; i < dim; i++)
    svd->x[i] = ldexp(x[i], -svd->exponent);
  if (decompose(svd, svd->work, svd->length) != 0)
    return ofw_fail(err, OFW_NUMERICAL, "%s: the singular value decomposition does not converge", svd->owner);
  return OFW_OK;
}

void ofw_svd_compose(const ofw_svd *svd, size_t count, const double *weight, double *x)
{
  size_t k = rank_of(svd->rows, svd->cols);
  memset(x, 0, svd->rows * svd->cols * sizeof *x);
  for (size_t l = 0; l < count; l++)
    for (size_t i = 0; i < svd->rows; i++)
      ofw_axpy(svd->cols, weight[l] * svd->u[l + i * k], svd->v + l * svd->cols, x + i * svd->cols);
}

double ofw_singular_values(size_t rows, size_t cols, const double *x, double (*measure)(size_t n, const double *s))
{
  size_t rank = rank_of(rows, cols), dim = rows * cols;
  double *copy = ofw_doubles(dim), *values = ofw_doubles(rank), unused = 0.0, out = -1.0;
  if (copy && values) {
    memcpy(copy, x, dim * sizeof *x);
    if (LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'N', (lapack_int)rows, (lapack_int)cols, copy, (lapack_int)cols, values,
                       &unused, (lapack_int)rows, &unused, (lapack_int)cols) == 0)
      out = measure(rank, values);
  }
  free(copy);
  free(values);
  return out;
}
