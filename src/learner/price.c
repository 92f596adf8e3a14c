/* price.c — prices by their logarithms, and d kept over a power of two that follows them */
#include "learner/price.h"

#include <float.h>
#include <math.h>

ofw_lyapunov ofw_lyapunov_of(ofw_lyapunov_kind kind, double rate)
{
  return (ofw_lyapunov){kind, rate, log(rate)};
}

double ofw_lyapunov_log_price(const ofw_lyapunov *phi, double beta, double Q)
{
  double q = ofw_at_most(beta * Q, DBL_MAX);
  switch (phi->kind) {
  case OFW_LYAPUNOV_EXP:
    return ofw_at_most(phi->log_rate + phi->rate * q, 1e300);
  case OFW_LYAPUNOV_QUADRATIC_LINEAR:
    return M_LN2 + log(q + 0.5); /* 2 q + 1 */
  case OFW_LYAPUNOV_QUADRATIC:
    return M_LN2 + log(q);
  case OFW_LYAPUNOV_LINEAR:
    break;
  }
  return 0.0;
}

ofw_price ofw_price_of(int lyapunov, double lambda, double beta, double gamma)
{
  return (ofw_price){ofw_lyapunov_of((ofw_lyapunov_kind)lyapunov, lambda), beta, gamma, log(gamma)};
}

double ofw_price_at(ofw_learner *l, const ofw_price *p, double Q)
{
  l->info.log_price = ofw_lyapunov_log_price(&p->phi, p->beta, Q);
  return l->info.log_price - p->log_gamma;
}

void ofw_shares_at(ofw_shares *s, double log_rho)
{
  if (log_rho == s->log_rho && s->f + s->g > 0.0)
    return;
  double small = exp(-fabs(log_rho));
  double large = 1.0 / (1.0 + small);
  s->log_rho = log_rho;
  s->f = log_rho > 0.0 ? small * large : large;
  s->g = log_rho > 0.0 ? large : small * large;
  s->log2_total = (ofw_at_least(log_rho, 0.0) + log1p(small)) / M_LN2;
}

static double bounded(double x)
{
  return fmax(-DBL_MAX, fmin(x, DBL_MAX));
}

double ofw_multiplier(double lambda, double decay, double rise)
{
  return fmax(0.0, bounded(bounded((1.0 - bounded(decay)) * lambda) + bounded(rise)));
}

double ofw_scale_room(const ofw_learner *l)
{
  return ofw_storage_has_floats(l) ? 48.0 : 256.0;
}

double ofw_scaled(ofw_learner *l, double log_size, double *exponent)
{
  double log2_size = log_size / M_LN2;
  if (log2_size - *exponent > ofw_scale_room(l)) {
    double higher = ceil(log2_size);
    ofw_learner_pull_back(l, exp2(*exponent - higher), 0.0);
    *exponent = higher;
  }
  return exp2(log2_size - *exponent);
}
