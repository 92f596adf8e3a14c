/* unit_simplex.c — {x >= 0 : sum x_i <= s}
 *
 * Oracle  s e_i at the lowest i with the smallest d_i if that is negative, else 0; one read of d
 * Project max(0, x_i) if that sums up to s at most, else every x_i less the same amount, at least 0
 * R = s   r = s / (n + sqrt(n)), the largest   centre (r, .., r)
 */
#include "domain/set.h"

#include "linalg/kernels.h"

#include <math.h>
#include <stdlib.h>

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  size_t best = ofw_lowest(d->dim, d->dense);
  double sum = d->dense[best] < 0.0 ? ((const ofw_sum_options *)K->data)->sum : 0.0;
  *out = ofw_one_hot_answer(work, best, sum, sum * d->dense[best]);
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  return ofw_sum_excess(K->dim, x, ((const ofw_sum_options *)K->data)->sum, 1);
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  (void)work, (void)err;
  if (excess(K, x) > 0.0)
    ofw_sum_nearest(K->dim, x, ((const ofw_sum_options *)K->data)->sum, 1, x);
  return OFW_OK;
}

static const ofw_domain_ops ops = {
    .open = ofw_one_hot_open, .minimise = minimise, .close = free, .excess = excess, .project = project};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_sum_options *s = options;
  double n = (double)s->dim;
  K->R = s->sum;
  K->r = s->sum / (n + sqrt(n));
  OFW_TRY(ofw_domain_set_vector(K, &ops, (size_t)s->dim, s, sizeof *s, err));
  return ofw_domain_set_even_centre(K, K->r, err);
}

const ofw_domain_kind ofw_unit_simplex_kind = {{.name = "unit-simplex",
                                                .summary = "non-negative vectors with at most a given sum",
                                                .example = "unit-simplex:dim=8,sum=2",
                                                .options = ofw_sum_table},
                                               build};
