#include "stream/half_space.h"

#include "base/rng.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>

ofw_status ofw_half_space_open(ofw_half_space *h, const ofw_domain *K, double G, double tight, uint64_t seed,
                               ofw_error *err)
{
  *h = (ofw_half_space){.dim = K->dim, .G = G, .R = K->R, .tight = tight, .seed = seed};
  h->point = ofw_doubles(K->dim);
  h->b = ofw_doubles(K->dim);
  if (!h->point || !h->b)
    return ofw_fail_memory(err, K->dim * sizeof(double));
  h->term = ofw_vec_dense(K->dim, h->b);
  h->term.scale = G;
  return OFW_OK;
}

void ofw_half_space_close(ofw_half_space *h)
{
  free(h->point);
  free(h->b);
}

ofw_status ofw_half_space_reveal(ofw_half_space *h, uint64_t t, const ofw_point *x, ofw_full *out)
{
  ofw_rng_key key = {h->seed, OFW_RNG_CONSTRAINT, t};
  ofw_rng_direction(key, h->dim, h->b);
  double slack = 0.0, at_x, limit;
  size_t unused = (h->dim + 3) / 4 * 4; /* the direction's draws end before this one */
  if (ofw_rng_unit(key, unused) >= h->tight)
    slack = h->G * h->R * ofw_rng_unit(key, unused + 1);
  h->gradient = (ofw_sum){1, &h->term};
  OFW_TRY(ofw_point_dot(x, h->gradient, &at_x));
  limit = ofw_sum_dot(h->gradient, h->point);
  if (h->also)
    limit = fmax(limit, ofw_sum_dot(h->gradient, h->also));
  h->value = at_x - limit - slack;
  out->values.constraints = 1;
  out->values.constraint = &h->value;
  out->constraint_gradient = &h->gradient;
  return OFW_OK;
}
