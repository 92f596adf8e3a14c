/* l2_ball.c — {x : |x|_2 <= a}
 *
 * Oracle  -a d / |d|; a read and a write of n numbers
 * R = a   r = a   centre 0
 */
#include "domain/domain.h"

#include "linalg/kernels.h"

#include <math.h>

/* d / |d| is formed first and then scaled: a / |d| alone may overflow. */
static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_accuracy wanted,
                           ofw_answer *out, ofw_error *err)
{
  (void)wanted, (void)err;
  const ofw_ball *ball = K->data;
  ofw_dense_atom *w = work;
  double norm = ofw_norm(d->dim, d->dense);
  double divisor = norm > 0.0 ? norm : 1.0;
  for (size_t i = 0; i < d->dim; i++)
    w->value[i] = -ball->radius * (d->dense[i] / divisor);
  *out = ofw_dense_atom_answer(w, -ball->radius * norm);
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  return fmax(0.0, ofw_norm(K->dim, x) - ((const ofw_ball *)K->data)->radius);
}

static const ofw_domain_ops ops = {ofw_dense_atom_open, minimise, NULL, ofw_dense_atom_close, excess, NULL};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_ball *ball = options;
  K->R = K->r = ball->radius;
  return ofw_domain_set_vector(K, &ops, (size_t)ball->dim, ball, sizeof *ball, err);
}

const ofw_domain_kind ofw_l2_ball_kind = {{.name = "l2-ball",
                                           .summary = "vectors of Euclidean length at most the radius",
                                           .example = "l2-ball:dim=7,radius=2",
                                           .options = ofw_ball_options},
                                          sizeof(ofw_ball),
                                          build};
