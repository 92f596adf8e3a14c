/* sparse_products.c — products with a sparse matrix, some rows at a time
 *
 * Short rows are not taken one by one: to guess where each ends takes longer than to multiply. Entry by entry, a product is
 * added to the number of its row. Of long rows the sums stay in registers. Which of the two it is depends on the rows alone.
 */
#include "engine/sparse.h"

#include <string.h>

enum { LONG = 12 }; /* entries per row from which on rows are taken one by one */

static double row_dot(const ofw_csr *part, size_t i, const double *v)
{
  double sum[4] = {0};
  size_t k = part->start[i], end = part->start[i + 1];
  for (; k + 4 <= end; k += 4)
    for (size_t l = 0; l < 4; l++)
      sum[l] += part->value[k + l] * v[part->col[k + l]];
  for (; k < end; k++)
    sum[0] += part->value[k] * v[part->col[k]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void times(const ofw_csr *part, size_t from, size_t n, const double *v, double *u)
{
  size_t begin = part->start[from], end = part->start[from + n];
  if (end - begin < LONG * n)
    for (size_t k = begin; k < end; k++)
      u[part->row[k] - from] += part->value[k] * v[part->col[k]];
  else
    for (size_t i = 0; i < n; i++)
      u[i] += row_dot(part, from + i, v);
}

void ofw_sparse_times(const ofw_sparse *s, size_t from, size_t n, const double *v, double *u)
{
  memset(u, 0, n * sizeof *u);
  times(&s->settled, from, n, v, u);
  times(&s->recent, from, n, v, u);
  for (size_t i = 0; i < n; i++)
    u[i] *= s->scale;
}

static void add_turned(const ofw_csr *part, size_t from, size_t n, const double *u, double *w)
{
  size_t begin = part->start[from], end = part->start[from + n];
  if (end - begin < LONG * n)
    for (size_t k = begin; k < end; k++)
      w[part->col[k]] += part->value[k] * u[part->row[k] - from];
  else
    for (size_t i = 0; i < n; i++)
      for (size_t k = part->start[from + i]; k < part->start[from + i + 1]; k++)
        w[part->col[k]] += part->value[k] * u[i];
}

void ofw_sparse_add_turned(const ofw_sparse *s, size_t from, size_t n, const double *u, double *w)
{
  double scaled[OFW_SPARSE_ROWS];
  for (size_t i = 0; i < n; i++)
    scaled[i] = u[i] * s->scale;
  add_turned(&s->settled, from, n, scaled, w);
  add_turned(&s->recent, from, n, scaled, w);
}

static double part_square(const ofw_csr *part, size_t from, size_t to)
{
  double total = 0.0;
  for (size_t i = from; i < to; i++) { /* row by row, so that rounding does not add up over all of them */
    double sum = 0.0;
    for (size_t k = part->start[i]; k < part->start[i + 1]; k++)
      sum += part->value[k] * part->value[k];
    total += sum;
  }
  return total;
}

double ofw_sparse_square(const ofw_sparse *s, size_t from, size_t to)
{
  return s->scale * s->scale * (part_square(&s->settled, from, to) + part_square(&s->recent, from, to));
}
