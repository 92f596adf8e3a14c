/* axes_matrix.c — the axes of {x : x' A x <= 1} by the eigenvectors of A */
#include "domain/ball/axes.h"

#include <float.h>
#include <math.h>

#include <lapacke.h>

#define SYMMETRIC_TO 1e-12 /* of what two entries across the diagonal may be: sqrt(a_ii a_jj) */

/* One line more of numbers behind the others; *n: how many it must have, or 0 where it says that. */
static ofw_status read_row(const ofw_source *s, char *line, size_t *n, ofw_numbers *out, ofw_error *err)
{
  size_t before = out->count;
  for (char *word; (word = ofw_source_word(&line)) != NULL;) {
    double x = 0.0;
    OFW_TRY(ofw_source_number(s, word, &x, err));
    OFW_TRY(ofw_numbers_add(out, x, err));
  }
  size_t count = out->count - before;
  *n = *n ? *n : count;
  if (count != *n || count == 0)
    return ofw_source_refuse(s, err, "%zu numbers, not %zu", count, *n ? *n : 1);
  if (s->number > *n)
    return ofw_source_refuse(s, err, "more than %zu lines of %zu numbers", *n, *n);
  return OFW_OK;
}

static ofw_status read_matrix(const char *owner, const char *text, uint32_t *content, size_t *n, ofw_numbers *out,
                              ofw_error *err)
{
  ofw_source s;
  char *line = NULL;
  ofw_status st = ofw_source_open(&s, owner, text, err);
  do {
    if (st == OFW_OK)
      st = ofw_source_next(&s, &line, err);
    if (st == OFW_OK && line)
      st = read_row(&s, line, n, out, err);
  } while (st == OFW_OK && line);
  if (st == OFW_OK && s.number < *n)
    st = ofw_source_refuse(&s, err, "it is the last; there should be %zu", *n);
  ofw_source_close(&s, content);
  return st;
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
    return ofw_fail(err, bad, "%s: a matrix of more than %d lines", owner, OFW_MOST_SIDE);
  if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', order, axes->turn, order, axes->half) != 0)
    return ofw_fail(err, OFW_FAILED, "%s: the eigenvalues of the matrix are not found", owner);
  double low = axes->half[0], high = axes->half[n - 1];
  if (!(low > (double)n * DBL_EPSILON * high))
    return ofw_fail(err, bad, "%s: matrix is not positive definite: its eigenvalues are from %g to %g", owner, low,
                    high);
  for (size_t i = 0; i < n; i++)
    axes->half[i] = 1.0 / sqrt(axes->half[i]);
  return OFW_OK;
}

ofw_status ofw_axes_read(ofw_domain *K, const char *owner, const char *text, size_t *dim, ofw_axes *out, ofw_error *err)
{
  ofw_numbers read = {0};
  ofw_status bad = text[0] == '@' ? OFW_BAD_DATA : OFW_USAGE,
             st = read_matrix(owner, text, &K->content, dim, &read, err);
  *out = (ofw_axes){.n = *dim, .half = ofw_owned_doubles(&K->own, *dim)};
  if (read.x)
    out->turn = ofw_owned_take(&K->own, read.x, read.count * sizeof(double));
  OFW_TRY(st);
  OFW_TRY(ofw_owned_check(&K->own, err));
  OFW_TRY(make_symmetric(out->n, out->turn, owner, bad, err));
  return decompose(out, owner, bad, err);
}
