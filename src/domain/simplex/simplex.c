/* simplex.c — {x >= 0 : sum x_i = s}
 *
 * Oracle  s e_i at the lowest i with the smallest d_i; one read of d
 * Project every x_i less the same amount, at least 0
 * R = s   r = s / sqrt(n (n-1)) in its hull   centre (s/n, .., s/n)
 */
#include "domain/set.h"

#include "linalg/kernels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  const ofw_sum_options *s = K->data;
  size_t best = ofw_lowest(d->dim, d->dense);
  *out = ofw_one_hot_answer(work, best, s->sum, s->sum * d->dense[best]);
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  return ofw_sum_excess(K->dim, x, ((const ofw_sum_options *)K->data)->sum, 0);
}

/* Inside is what a sum of n numbers cannot tell from it. */
static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  (void)work, (void)err;
  double sum = ((const ofw_sum_options *)K->data)->sum, below = 0.0;
  for (size_t i = 0; i < K->dim; i++)
    below = fmin(below, x[i]);
  if (below < 0.0 || excess(K, x) > (double)K->dim * (DBL_EPSILON / 2) * sum)
    ofw_sum_nearest(K->dim, x, sum, 0, x);
  return OFW_OK;
}

static const ofw_domain_ops ops = {
    .open = ofw_one_hot_open, .minimise = minimise, .close = free, .excess = excess, .project = project};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_sum_options *o = options;
  double n = (double)o->dim;
  K->R = o->sum;
  K->r = o->dim > 1 ? o->sum / sqrt(n * (n - 1.0)) : 0.0;
  K->from_centre = 1;
  OFW_TRY(ofw_domain_set_vector(K, &ops, (size_t)o->dim, o, sizeof *o, err));
  OFW_TRY(ofw_domain_set_even_centre(K, o->sum / n, err));
  return ofw_domain_set_sum_hull(K, err);
}

const ofw_option ofw_sum_table[] = {
    OFW_COUNT_ROW(offsetof(ofw_sum_options, dim), "dim", NULL, NULL, 1, OFW_MOST_DIM, "dimension n"),
    OFW_RADIUS_ROW(offsetof(ofw_sum_options, sum), "sum", "sum s"),
    {0},
};

const ofw_domain_kind ofw_simplex_kind = {{.name = "simplex",
                                           .summary = "non-negative vectors with a given sum",
                                           .example = "simplex:dim=8,sum=2.5",
                                           .options = ofw_sum_table},
                                          build};
