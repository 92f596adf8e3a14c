/* lyapunov.c — ln Phi'(beta Q): the price itself overflows, its logarithm does not */
#include "learner/lyapunov.h"

#include <float.h>
#include <math.h>

double ofw_lyapunov_log_price(const ofw_lyapunov *phi, double beta, double Q)
{
  double q = fmin(beta * Q, DBL_MAX);
  switch (phi->kind) {
  case OFW_LYAPUNOV_EXP:
    return fmin(log(phi->rate) + phi->rate * q, 1e300);
  case OFW_LYAPUNOV_QUADRATIC_LINEAR:
    return M_LN2 + log(q + 0.5); /* 2 q + 1 */
  case OFW_LYAPUNOV_QUADRATIC:
    return M_LN2 + log(q);
  case OFW_LYAPUNOV_LINEAR:
    break;
  }
  return 0.0;
}
