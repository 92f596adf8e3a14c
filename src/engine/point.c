#include "base/vec.h"
#include "engine/engine.h"

size_t ofw_point_dim(const ofw_point *x)
{
  return x->at->dim;
}

ofw_status ofw_point_entries(const ofw_point *x, size_t n, const size_t *index, double *out)
{
  OFW_TRY(x->at->ops->entries(x->at, n, index, out));
  for (size_t k = 0; k < n && x->probe.n > 0; k++)
    out[k] += ofw_sum_entry(x->probe, index[k]);
  return OFW_OK;
}

ofw_status ofw_point_dot(const ofw_point *x, ofw_sum sum, double *out)
{
  for (size_t k = 0; k < sum.n; k++)
    if (sum.term[k].offset > x->at->dim || ofw_vec_extent(&sum.term[k]) > x->at->dim - sum.term[k].offset)
      return OFW_USAGE;
  OFW_TRY(x->at->ops->dot(x->at, sum, out));
  if (x->probe.n > 0)
    *out += x->at->ops->inner(x->at, sum, x->probe);
  return OFW_OK;
}

ofw_status ofw_point_dense(const ofw_point *x, double *out)
{
  OFW_TRY(x->at->ops->dense(x->at, out));
  ofw_sum_add(x->probe, 1.0, 0, x->at->dim, out);
  return OFW_OK;
}

ofw_status ofw_point_centre(const ofw_point *x, double *out)
{
  return x->at->ops->dense(x->at, out);
}
