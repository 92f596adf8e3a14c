/* capped_simplex.c — {x : 0 <= x_i <= u_i, sum x_i = s}
 *
 * Oracle  coordinates are filled in the order of d_i, of equal ones the lowest index first, until s is used up (capped.h)
 * Project every x_i less the same amount, from 0 to u_i
 * R       of the vector that fills the largest caps first: it majorises every other of the set
 * r = t / sqrt(1 - 1/n) in its hull, the largest, with t = min(s/n, (sum u_i - s)/n, min u_i/2), which each c_i is from
 *         0 and from u_i at least
 * centre  c_i = t + (u_i - 2t) (s - n t) / (sum u_i - 2 n t)
 */
#include "base/source.h"
#include "domain/set.h"
#include "domain/simplex/capped.h"
#include "linalg/kernels.h"

#include <float.h>
#include <math.h>

typedef struct capped_simplex_options {
  uint64_t dim;
  char *caps;
  double sum;
} capped_simplex_options;

/* The caps' sum, or a refusal of one of them. */
static ofw_status check_caps(size_t dim, const double *caps, double *total, ofw_error *err)
{
  *total = 0.0;
  for (size_t i = 0; i < dim; i++) {
    if (!(caps[i] >= OFW_LEAST_RADIUS && caps[i] <= OFW_LARGEST_RADIUS))
      return ofw_fail(err, OFW_USAGE, "capped-simplex: cap %zu is %g, which is not in [%g, %g]", i + 1, caps[i],
                      OFW_LEAST_RADIUS, OFW_LARGEST_RADIUS);
    *total += caps[i];
  }
  return OFW_OK;
}

static ofw_status centre_and_inner_radius(ofw_domain *K, const double *caps, double s, double total, ofw_error *err)
{
  double n = (double)K->dim, t = fmin(s / n, (total - s) / n), around = 0.0;
  for (size_t i = 0; i < K->dim; i++)
    t = fmin(t, caps[i] / 2.0);
  if (total - s <= n * DBL_EPSILON * total)
    t = 0.0; /* a single point, but for rounding */
  K->r = K->dim > 1 ? t / sqrt(1.0 - 1.0 / n) : 0.0;
  OFW_TRY(ofw_domain_set_even_centre(K, t, err));
  for (size_t i = 0; i < K->dim; i++)
    around += caps[i] - 2.0 * t;
  for (size_t i = 0; i < K->dim && around > 0.0; i++)
    K->centre[i] += (caps[i] - 2.0 * t) * ((s - n * t) / around);
  return OFW_OK;
}

/* One call, with the caps as what there is to gain. */
static ofw_status outer_radius(ofw_domain *K, const double *caps, ofw_error *err)
{
  double *d = ofw_owned_doubles(&K->room, K->dim), *v = ofw_owned_doubles(&K->room, K->dim);
  OFW_TRY(ofw_owned_check(&K->room, err));
  for (size_t i = 0; i < K->dim; i++)
    d[i] = -caps[i];
  OFW_TRY(ofw_domain_minimise(K, d, 1e-9, v, NULL, err));
  K->R = ofw_norm(K->dim, v);
  return OFW_OK;
}

static ofw_status build_from(ofw_domain *K, size_t dim, const double *caps, double s, ofw_error *err)
{
  double total;
  OFW_TRY(check_caps(dim, caps, &total, err));
  if (s > total * (1.0 + (double)dim * DBL_EPSILON))
    return ofw_fail(err, OFW_USAGE, "capped-simplex: sum=%g is more than the caps allow, %g", s, total);
  s = fmin(s, total);
  K->from_centre = 1;
  OFW_TRY(ofw_capped_build(K, dim, (ofw_capped){.unit = 1.0, .sum = s, .caps = caps}, err));
  OFW_TRY(centre_and_inner_radius(K, caps, s, total, err));
  return outer_radius(K, caps, err);
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const capped_simplex_options *o = options;
  size_t dim = (size_t)o->dim;
  ofw_list caps = {.key = "caps", .text = o->caps};
  OFW_TRY(ofw_lists_read("capped-simplex", 1, &caps, "caps is not a list", &K->own, &K->content, &dim, err));
  return build_from(K, dim, caps.x, o->sum, err);
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(capped_simplex_options, dim), "dim", NULL, "the length of the list of caps", 1, OFW_MOST_DIM,
                  "dimension n"),
    OFW_TEXT_ROW(offsetof(capped_simplex_options, caps), "caps",
                 "the caps u_i: a number for all coordinates, (a,b,..), or @FILE with one per line"),
    OFW_RADIUS_ROW(offsetof(capped_simplex_options, sum), "sum", "sum s"),
    {0},
};

const ofw_domain_kind ofw_capped_simplex_kind = {
    {.name = "capped-simplex",
     .summary = "non-negative vectors with a given sum and a cap on each coordinate",
     .example = "capped-simplex:caps=(0.5,1.25,0.75,2,1,1.5),sum=2.5",
     .options = options},
    build};
