/* point.c — a decision as its readers see it: what the engine holds, with the probe of a bandit learner on top
 *
 * The probe is a sum of terms and not part of x, so each way of reading adds it at the places that are read.
 */
#include "engine/engine.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdlib.h>

void ofw_point_shape(const ofw_point *x, size_t *rows, size_t *cols)
{
  *rows = x->at->rows;
  *cols = x->at->cols;
}

ofw_status ofw_point_entries(const ofw_point *x, size_t n, const size_t *index, double *out)
{
  for (size_t k = 0; k < n; k++)
    if (index[k] >= x->at->dim)
      return OFW_USAGE;
  return x->at->ops->view->entries(x->at, x->probe, n, index, out);
}

ofw_status ofw_point_dot(const ofw_point *x, ofw_sum sum, double *out)
{
  for (size_t k = 0; k < sum.n; k++)
    if (sum.term[k].offset > x->at->dim || ofw_vec_extent(&sum.term[k]) > x->at->dim - sum.term[k].offset)
      return OFW_USAGE;
  OFW_TRY(x->at->ops->view->dot(x->at, sum, out));
  if (x->probe.n > 0)
    *out += x->at->ops->inner(x->at, sum, x->probe);
  return OFW_OK;
}

ofw_status ofw_point_row(const ofw_point *x, size_t row, double *out)
{
  if (row >= x->at->rows)
    return OFW_USAGE;
  OFW_TRY(x->at->ops->view->row(x->at, row, out));
  ofw_sum_add(x->probe, 1.0, row * x->at->cols, x->at->cols, out);
  return OFW_OK;
}

ofw_status ofw_point_top(const ofw_point *x, size_t row, size_t k, size_t n_excluded, const size_t *excluded,
                         size_t *index_out, double *value_out, size_t *found)
{
  size_t cols = x->at->cols;
  for (size_t i = 0; i < n_excluded; i++)
    if (excluded[i] >= cols)
      return OFW_USAGE;
  double *number = ofw_array(cols, sizeof *number);
  ofw_status st = number ? ofw_point_row(x, row, number) : OFW_FAILED;
  if (st == OFW_OK) {
    for (size_t i = 0; i < n_excluded; i++)
      number[excluded[i]] = NAN; /* which no entry of a decision is */
    *found = ofw_top(cols, number, k, index_out, value_out);
  }
  free(number);
  return st;
}

ofw_status ofw_point_dense(const ofw_point *x, double *out)
{
  OFW_TRY(x->at->ops->view->dense(x->at, out));
  if (out)
    ofw_sum_add(x->probe, 1.0, 0, x->at->dim, out);
  return OFW_OK;
}

ofw_status ofw_point_centre(const ofw_point *x, double *out)
{
  return x->moved ? ofw_point_dense(x, out) : x->at->ops->view->dense(x->at, out);
}
