/* l2_ball.c — {x : |x|_2 <= a}
 *
 * Oracle  -a d / |d|; a read and a write of n numbers
 * Project a x / |x| if |x| > a
 * R = a   r = a   centre 0
 */
#include "domain/ball/ball.h"

#include "linalg/kernels.h"

#include <float.h>
#include <math.h>

/* out = c d / |d|; out may be d. With |c| in [1e-100, 1e100], as radii are, c / |d| is a normal number; at the ends of
 * the range d is first multiplied by a power of two, because |d| itself may overflow or have no digits left. */
static void set_length(size_t n, const double *d, double norm, double c, double *out)
{
  if (norm > 1e-200 && norm < 1e200) {
    double scale = c / norm;
    if (out != d)
      ofw_kernels_chosen()->blend(n, 0.0, out, scale, d);
    for (size_t i = 0; i < n && out == d; i++)
      out[i] *= scale;
    return;
  }
  int e;
  frexp(ofw_largest(n, d), &e);
  for (size_t i = 0; i < n; i++)
    out[i] = ldexp(d[i], -e);
  double scaled = ofw_norm(n, out), divisor = scaled > 0.0 ? scaled : 1.0;
  for (size_t i = 0; i < n; i++)
    out[i] = c * (out[i] / divisor);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  const ofw_ball *ball = K->data;
  ofw_dense_atom *w = work;
  double norm = ofw_norm(d->dim, d->dense);
  set_length(d->dim, d->dense, norm, -ball->radius, w->value);
  *out = ofw_dense_atom_answer(w, -ofw_at_most(ball->radius * norm, DBL_MAX));
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  return fmax(0.0, ofw_norm(K->dim, x) - ((const ofw_ball *)K->data)->radius);
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  (void)work, (void)err;
  double norm = ofw_norm(K->dim, x), radius = ((const ofw_ball *)K->data)->radius;
  if (norm > radius)
    set_length(K->dim, x, norm, radius, x);
  return OFW_OK;
}

static const ofw_domain_ops ops = {
    .open = ofw_dense_atom_open, .minimise = minimise, .close = ofw_work_close, .excess = excess, .project = project};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_ball *ball = options;
  K->R = K->r = ball->radius;
  return ofw_domain_set_vector(K, &ops, (size_t)ball->dim, ball, sizeof *ball, err);
}

const ofw_option ofw_ball_options[] = {
    OFW_COUNT_ROW(offsetof(ofw_ball, dim), "dim", NULL, NULL, 1, OFW_MOST_DIM, "dimension n"),
    OFW_RADIUS_ROW(offsetof(ofw_ball, radius), "radius", "radius a"),
    {0},
};

const ofw_domain_kind ofw_l2_ball_kind = {{.name = "l2-ball",
                                           .summary = "vectors of Euclidean length at most the radius",
                                           .example = "l2-ball:dim=7,radius=2",
                                           .options = ofw_ball_options},
                                          build};
