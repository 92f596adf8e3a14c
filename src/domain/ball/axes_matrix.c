/* axes_matrix.c — the axes of {x : x' A x <= 1} by the eigenvectors of A */
#include "domain/ball/axes.h"

#include <float.h>
#include <math.h>

#include <lapacke.h>

#define SYMMETRIC_TO 1e-12 /* of what two entries across the diagonal may be: sqrt(a_ii a_jj) */

typedef struct matrix {
  size_t n; /* numbers of a line, and lines; 0: the first says it */
  ofw_numbers read;
} matrix;

static ofw_status read_row(void *ctx, const ofw_source *s, char *line, ofw_error *err)
{
  matrix *m = ctx;
  size_t before = m->read.count;
  if (!line)
    return s->number < m->n ? ofw_source_refuse(s, err, "the matrix ends here; expected %zu lines", m->n) : OFW_OK;
  for (char *word; (word = ofw_source_word(&line)) != NULL;) {
    double x = 0.0;
    OFW_TRY(ofw_source_number(s, word, &x, err));
    OFW_TRY(ofw_numbers_add(&m->read, x, err));
  }
  size_t count = m->read.count - before;
  m->n = m->n ? m->n : count;
  if (count != m->n || count == 0)
    return ofw_source_refuse(s, err, "found %zu numbers, expected %zu", count, m->n ? m->n : 1);
  if (s->number > m->n)
    return ofw_source_refuse(s, err, "expected %zu lines of %zu numbers, found more", m->n, m->n);
  return OFW_OK;
}

/* Entries across the diagonal may differ by the rounding of who wrote them; both become their mean. */
static ofw_status make_symmetric(size_t n, double *a, const char *owner, ofw_status bad, ofw_error *err)
{
  for (size_t i = 0; i < n; i++)
    if (!(a[i * n + i] > 0.0))
      return ofw_fail(err, bad, "%s: matrix is not positive definite: entry %zu of line %zu is %g", owner, i + 1, i + 1,
                      a[i * n + i]);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      double *low = &a[i * n + j], *high = &a[j * n + i];
      if (!(fabs(*low - *high) <= SYMMETRIC_TO * sqrt(a[i * n + i]) * sqrt(a[j * n + j])))
        return ofw_fail(err, bad, "%s: matrix is not symmetric: entry %zu of line %zu is %g, entry %zu of line %zu %g",
                        owner, j + 1, i + 1, *low, i + 1, j + 1, *high);
      *low = *high = *low / 2 + *high / 2;
    }
  return OFW_OK;
}

/* A by columns is A by rows, so that the eigenvectors come one after the other. */
static ofw_status decompose(ofw_axes *axes, const char *owner, ofw_status bad, ofw_error *err)
{
  size_t n = axes->n;
  lapack_int order = (lapack_int)n;
  if (n > OFW_MOST_SIDE)
    return ofw_fail(err, bad, "%s: the matrix has more than %d lines", owner, OFW_MOST_SIDE);
  if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', order, axes->turn, order, axes->half) != 0)
    return ofw_fail(err, OFW_FAILED, "%s: cannot compute the eigenvalues of the matrix", owner);
  double low = axes->half[0], high = axes->half[n - 1];
  if (!(low > (double)n * DBL_EPSILON * high))
    return ofw_fail(err, bad, "%s: matrix is not positive definite: its eigenvalues range from %g to %g", owner, low,
                    high);
  for (size_t i = 0; i < n; i++)
    axes->half[i] = 1.0 / sqrt(axes->half[i]);
  return OFW_OK;
}

ofw_status ofw_axes_read(ofw_domain *K, const char *owner, const char *text, size_t *dim, ofw_axes *out, ofw_error *err)
{
  matrix m = {.n = *dim};
  ofw_status bad = text[0] == '@' ? OFW_BAD_DATA : OFW_USAGE,
             st = ofw_source_read(owner, text, &K->content, read_row, &m, err);
  *dim = m.n;
  *out = (ofw_axes){.n = *dim, .half = ofw_owned_doubles(&K->own, *dim)};
  if (m.read.x)
    out->turn = ofw_owned_take(&K->own, m.read.x, m.read.count * sizeof(double));
  OFW_TRY(st);
  OFW_TRY(ofw_owned_check(&K->own, err));
  OFW_TRY(make_symmetric(out->n, out->turn, owner, bad, err));
  return decompose(out, owner, bad, err);
}
