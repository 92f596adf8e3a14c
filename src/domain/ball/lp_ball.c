/* lp_ball.c — {x : |x|_p <= a} for a real p >= 1; the one for p = infinity is linf-ball
 *
 * Oracle  -a sign(d_i) (|d_i| / |d|_q)^(q-1) with 1/p + 1/q = 1, which is 0 if d_i is and one point if p > 1; two
 *         reads and a write of n numbers
 * Project only for p = 1 and p = 2, which are the l1-ball and the l2-ball
 * R = a max(1, n^(1/2 - 1/p))   r = a min(1, n^(1/2 - 1/p))   centre 0
 */
#include "domain/ball/ball.h"

#include "linalg/kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct lp_ball {
  uint64_t dim;
  double p, radius;
} lp_ball;

/* ln(x / most) for 0 < x <= most, to the last digits: q may be large and multiplies it. */
static double log_ratio(double x, double most)
{
  double ratio = x / most;
  if (ratio > 0.5)
    return log1p((x - most) / most); /* the difference is exact */
  return ratio > 1e-300 ? log(ratio) : log(x) - log(most);
}

/* u_i = (|d_i| / max |d|)^(q-1): then |u|_p^p is the sum of (|d_i| / max |d|)^q. */
static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  const lp_ball *ball = K->data;
  ofw_dense_atom *w = work;
  double most = ofw_largest(d->dim, d->dense), power = 1.0 / (ball->p - 1.0), sum = 0.0;
  memset(w->value, 0, d->dim * sizeof *w->value);
  for (size_t i = 0; i < d->dim; i++)
    if (d->dense[i] != 0.0) {
      double log_of = log_ratio(fabs(d->dense[i]), most);
      w->value[i] = exp(power * log_of);
      sum += exp(power * log_of + log_of);
    }
  double scale = sum > 0.0 ? ball->radius * pow(sum, -1.0 / ball->p) : 0.0;
  for (size_t i = 0; i < d->dim; i++)
    w->value[i] = -copysign(scale * w->value[i], d->dense[i]);
  *out = ofw_dense_atom_answer(w, -fmin(scale * sum * most, DBL_MAX));
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  const lp_ball *ball = K->data;
  double most = ofw_largest(K->dim, x), sum = 0.0;
  for (size_t i = 0; i < K->dim && most > 0.0; i++)
    sum += pow(fabs(x[i]) / most, ball->p);
  return fmax(0.0, most * pow(sum, 1.0 / ball->p) - ball->radius);
}

static const ofw_domain_ops ops = {
    .open = ofw_dense_atom_open, .minimise = minimise, .close = ofw_work_close, .excess = excess};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const lp_ball *ball = options;
  const ofw_domain_kind *known = ball->p == 1.0 ? &ofw_l1_ball_kind : ball->p == 2.0 ? &ofw_l2_ball_kind : NULL;
  if (known)
    return known->build(K, &(ofw_ball){ball->dim, ball->radius}, err);
  double ratio = pow((double)ball->dim, 0.5 - 1.0 / ball->p);
  K->R = ball->radius * fmax(1.0, ratio);
  K->r = ball->radius * fmin(1.0, ratio);
  return ofw_domain_set_vector(K, &ops, (size_t)ball->dim, ball, sizeof *ball, err);
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(lp_ball, dim), "dim", NULL, NULL, 1, OFW_MOST_DIM, "dimension n"),
    OFW_REAL_ROW(offsetof(lp_ball, p), "p", NULL, NULL, 1, 1e300,
                 "the exponent p of the norm; linf-ball is the limit of large p"),
    OFW_RADIUS_ROW(offsetof(lp_ball, radius), "radius", "radius a"),
    {0},
};

const ofw_domain_kind ofw_lp_ball_kind = {{.name = "lp-ball",
                                           .summary = "vectors whose p-norm is at most the radius",
                                           .example = "lp-ball:dim=8,p=1.5,radius=2",
                                           .options = options},
                                          build};
