/* hypersimplex.c — {x : 0 <= x_i <= a, sum x_i = k a}, the mixtures of all choices of k coordinates
 *
 * Oracle  a at the k smallest d_i, of equal ones those of the lowest index (capped.h)
 * Project every x_i less the same amount, from 0 to a
 * R = a sqrt(k)   r = a min(k, n-k) / sqrt(n (n-1)) in its hull, the largest   centre (a k/n, .., a k/n)
 */
#include "domain/simplex/capped.h"

#include <math.h>

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_capped_options *o = options;
  double n = (double)o->dim, k = (double)o->k;
  OFW_TRY(ofw_capped_check("hypersimplex", o, err));
  K->R = o->radius * sqrt(k);
  K->r = o->dim > 1 ? o->radius * fmin(k, n - k) / sqrt(n * (n - 1.0)) : 0.0;
  K->from_centre = 1;
  OFW_TRY(ofw_capped_build(K, (size_t)o->dim, (ofw_capped){.unit = o->radius, .sum = k}, err));
  return ofw_domain_set_even_centre(K, o->radius * (k / n), err);
}

const ofw_domain_kind ofw_hypersimplex_kind = {
    {.name = "hypersimplex",
     .summary = "vectors from 0 to the radius in each coordinate, with a sum of k radii",
     .example = "hypersimplex:dim=9,k=4,radius=1.5",
     .options = ofw_capped_table},
    build};
