/* k_sparse.c — {x : |x_i| <= a, sum |x_i| <= k a}, the mixtures of all vectors of k entries a or -a
 *
 * Oracle  -a sign(d_i) at the k largest |d_i|, of equal ones those of the lowest index, of 0 none (capped.h)
 * Project |x_i| cut to a if that sums up to k a at most, else every |x_i| less the same amount, from 0 to a
 * R = a sqrt(k)   r = a min(1, k / sqrt(n)), the largest   centre 0
 */
#include "domain/simplex/capped.h"

#include <math.h>

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_capped_options *o = options;
  double k = (double)o->k;
  OFW_TRY(ofw_capped_check("k-sparse", o, err));
  K->R = o->radius * sqrt(k);
  K->r = o->radius * fmin(1.0, k / sqrt((double)o->dim));
  ofw_capped c = {.unit = o->radius, .sum = k, .at_most = 1, .signs = 1};
  return ofw_capped_build(K, (size_t)o->dim, c, err);
}

const ofw_domain_kind ofw_k_sparse_kind = {
    {.name = "k-sparse",
     .summary = "vectors whose entries are at most the radius in size and k radii in sum",
     .example = "k-sparse:dim=10,k=3,radius=1.5",
     .options = ofw_capped_table},
    build};
