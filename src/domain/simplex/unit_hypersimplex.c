/* unit_hypersimplex.c — {x : 0 <= x_i <= a, sum x_i <= k a}, the mixtures of all choices of up to k coordinates
 *
 * Oracle  a at the k smallest d_i, of those that are negative; of equal ones those of the lowest index (capped.h)
 * Project max(0, min(x_i, a)) if that sums up to k a at most, else every x_i less the same amount, from 0 to a
 * R = a sqrt(k)   r = a min(k / (n + sqrt(n)), 1/2), the largest   centre (r, .., r)
 */
#include "domain/simplex/capped.h"

#include <math.h>

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_capped_options *o = options;
  double n = (double)o->dim, k = (double)o->k;
  OFW_TRY(ofw_capped_check("unit-hypersimplex", o, err));
  K->R = o->radius * sqrt(k);
  K->r = o->radius * fmin(k / (n + sqrt(n)), 0.5);
  OFW_TRY(ofw_capped_build(K, (size_t)o->dim, (ofw_capped){.unit = o->radius, .sum = k, .at_most = 1}, err));
  return ofw_domain_set_even_centre(K, K->r, err);
}

const ofw_domain_kind ofw_unit_hypersimplex_kind = {
    {.name = "unit-hypersimplex",
     .summary = "vectors from 0 to the radius in each coordinate, with a sum of at most k radii",
     .example = "unit-hypersimplex:dim=7,k=3,radius=2",
     .options = ofw_capped_table},
    build};
