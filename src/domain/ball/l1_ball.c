/* l1_ball.c — {x : |x|_1 <= a}
 *
 * Oracle  -a sign(d_i) e_i at the lowest i with the largest |d_i|; one read of d
 * Project every |x_i| less the same amount, at least 0
 * R = a   r = a / sqrt(n)   centre 0
 */
#include "domain/ball/ball.h"

#include "linalg/kernels.h"

#include <math.h>
#include <stdlib.h>

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  const ofw_ball *ball = K->data;
  size_t best = ofw_steepest(d->dim, d->dense);
  double steepest = d->dense[best];
  *out = ofw_one_hot_answer(work, best, -copysign(ball->radius, steepest), -ball->radius * fabs(steepest));
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  const ofw_ball *ball = K->data;
  double norm = 0.0;
  for (size_t i = 0; i < K->dim; i++)
    norm += fabs(x[i]);
  return fmax(0.0, norm - ball->radius);
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  (void)work, (void)err;
  if (excess(K, x) == 0.0)
    return OFW_OK;
  double top, t = ofw_threshold(K->dim, x, 1, ((const ofw_ball *)K->data)->radius, &top);
  for (size_t i = 0; i < K->dim; i++) {
    double left = (fabs(x[i]) - top) - t;
    x[i] = left > 0.0 ? copysign(left, x[i]) : 0.0;
  }
  return OFW_OK;
}

static const ofw_domain_ops ops = {
    .open = ofw_one_hot_open, .minimise = minimise, .close = free, .excess = excess, .project = project};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_ball *ball = options;
  K->R = ball->radius;
  K->r = ball->radius / sqrt((double)ball->dim);
  return ofw_domain_set_vector(K, &ops, (size_t)ball->dim, ball, sizeof *ball, err);
}

const ofw_domain_kind ofw_l1_ball_kind = {{.name = "l1-ball",
                                           .summary = "vectors whose absolute values sum to at most the radius",
                                           .example = "l1-ball:dim=9,radius=3",
                                           .options = ofw_ball_options},
                                          build};
