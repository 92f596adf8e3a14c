/* simplex.c — {x >= 0 : sum x_i = s}
 *
 * Oracle  s e_i at the lowest i with the smallest d_i; one read of d
 * R = s   r = s / sqrt(n (n-1)) in its hull   centre (s/n, .., s/n)
 */
#include "domain/domain.h"

#include <math.h>
#include <stdlib.h>

typedef struct simplex {
  uint64_t dim;
  double sum;
} simplex;

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_accuracy wanted,
                           ofw_answer *out, ofw_error *err)
{
  (void)wanted, (void)err;
  const simplex *s = K->data;
  size_t best = 0;
  for (size_t i = 1; i < d->dim; i++)
    if (d->dense[i] < d->dense[best])
      best = i;
  *out = ofw_one_hot_answer(work, best, s->sum, s->sum * d->dense[best]);
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  const simplex *s = K->data;
  double sum = 0.0, below = 0.0;
  for (size_t i = 0; i < K->dim; i++) {
    sum += x[i];
    below = fmax(below, -x[i]);
  }
  return fmax(below, fabs(sum - s->sum));
}

static const ofw_domain_ops ops = {ofw_one_hot_open, minimise, NULL, free, excess, NULL};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const simplex *s = options;
  double n = (double)s->dim;
  K->R = s->sum;
  K->r = s->dim > 1 ? s->sum / sqrt(n * (n - 1.0)) : 0.0;
  K->from_centre = 1;
  OFW_TRY(ofw_domain_set_vector(K, &ops, (size_t)s->dim, s, sizeof *s, err));
  K->centre = ofw_doubles(K->dim);
  if (!K->centre)
    return ofw_fail_memory(err, K->dim * sizeof(double));
  for (size_t i = 0; i < K->dim; i++)
    K->centre[i] = s->sum / n;
  return OFW_OK;
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(simplex, dim), "dim", NULL, NULL, 1, 1e12, "dimension n"),
    OFW_RADIUS_ROW(offsetof(simplex, sum), "sum", "sum s"),
    {0},
};

const ofw_domain_kind ofw_simplex_kind = {{.name = "simplex",
                                           .summary = "non-negative vectors with a given sum",
                                           .example = "simplex:dim=8,sum=2.5",
                                           .options = options},
                                          sizeof(simplex),
                                          build};
