/* place.c — random directions within a domain's affine hull, and points inside it by its oracle alone */
#include "stream/place.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"
#include "vector/vec_arithmetic.h"

#include <stdlib.h>
#include <string.h>

enum { ATOMS = 3 }; /* a point inside is drawn from so many vertices */

void ofw_place_direction(const ofw_domain *K, ofw_rng_key key, double *out)
{
  ofw_rng_direction(key, K->dim, out);
  for (size_t k = 0; k < K->normals; k++) {
    ofw_sum normal = {1, &K->normal[k]};
    ofw_sum_add(normal, -ofw_sum_dot(normal, out), 0, K->dim, out);
  }
  double length = ofw_norm(K->dim, out);
  for (size_t i = 0; i < K->dim; i++)
    out[i] = length > 1e-10 ? out[i] / length : 0.0; /* below that it is rounding */
}

ofw_status ofw_place_inside(const ofw_domain *K, uint64_t seed, double *out, ofw_error *err)
{
  size_t n = K->dim;
  double *d = ofw_doubles(n), *v = ofw_doubles(n);
  ofw_status st = d && v ? OFW_OK : ofw_fail_memory(err, n * sizeof(double));
  memset(out, 0, n * sizeof *out);
  if (st == OFW_OK) {
    ofw_domain_centre(K, v);
    ofw_axpy(n, 1.0 / 3.0, v, out);
  }
  for (uint64_t k = 1; st == OFW_OK && k <= ATOMS; k++) {
    ofw_rng_direction((ofw_rng_key){seed, OFW_RNG_TARGET, k}, n, d);
    st = ofw_domain_minimise(K, d, 1e-9, v, NULL, err);
    if (st == OFW_OK)
      ofw_axpy(n, 2.0 / 3.0 / ATOMS, v, out);
  }
  free(d);
  free(v);
  return st;
}

double ofw_place_square(size_t n, const double *x, const double *y)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}
