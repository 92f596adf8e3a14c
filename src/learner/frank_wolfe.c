#include "learner/frank_wolfe.h"

#include <float.h>
#include <math.h>

ofw_status ofw_fw_step(ofw_learner *l, uint64_t n, int sigma, double exponent)
{
  double one = exp2(-exponent), unit = fmin(exp2(exponent), DBL_MAX);
  double printed = fmin(1.0, 2.0 / sqrt((double)n));
  ofw_move move;
  if (sigma == OFW_SIGMA_PRINTED)
    l->info.sigma = printed; /* known beforehand */
  double curvature = sigma == OFW_SIGMA_PRINTED ? 0.0 : 2.0 * one;
  OFW_TRY(ofw_learner_minimise(l, printed * l->D * l->D / 8.0 * one, unit, curvature, &move));
  ofw_learner_step(l, &move, sigma == OFW_SIGMA_LINE_SEARCH ? ofw_line_search(&move, 2.0 * one) : printed, 2.0 * one);
  return OFW_OK;
}

ofw_status ofw_fw_step_sc(ofw_learner *l, double exponent, double unit)
{
  double t = (double)ofw_learner_tau(l), one = exp2(-exponent), curvature = l->alpha * t * one;
  ofw_move move;
  OFW_TRY(ofw_learner_minimise(l, 8.0 * l->alpha * l->D * l->D * cbrt(t) * one, fmin(unit * exp2(exponent), DBL_MAX),
                               curvature, &move));
  ofw_learner_step(l, &move, ofw_line_search(&move, curvature), curvature);
  return OFW_OK;
}
