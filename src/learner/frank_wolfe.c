/* frank_wolfe.c — the two steps of online Frank-Wolfe that methods share; frank_wolfe.h has their sums F
 *
 * The oracle needs to know how long the step will be, since its error enters x times that: a printed step is known
 * beforehand, of a line search only the last one is.
 */
#include "learner/frank_wolfe.h"

#include "learner/price.h"

#include <float.h>
#include <math.h>

ofw_status ofw_fw_step(ofw_learner *l, uint64_t n, int sigma, double exponent)
{
  double one = ofw_two_to(-exponent), unit = ofw_at_most(ofw_two_to(exponent), DBL_MAX);
  double printed = ofw_at_most(2.0 / sqrt((double)n), 1.0);
  double allowed = printed * l->D * l->D / 8.0 * one, curvature = 2.0 * one;
  int searches = sigma == OFW_SIGMA_LINE_SEARCH;
  ofw_move move;
  OFW_TRY(ofw_learner_minimise(l, searches ? l->sigma : printed, allowed, unit, searches ? curvature : 0.0, &move));
  ofw_learner_step(l, &move, searches ? ofw_line_search(&move, curvature) : printed, curvature);
  return OFW_OK;
}

ofw_status ofw_fw_step_sc(ofw_learner *l, double exponent, double unit)
{
  double t = (double)ofw_learner_tau(l), one = ofw_two_to(-exponent), curvature = l->alpha * t * one;
  ofw_move move;
  double allowed = 8.0 * l->alpha * l->D * l->D * cbrt(t) * one;
  OFW_TRY(
      ofw_learner_minimise(l, l->sigma, allowed, ofw_at_most(unit * ofw_two_to(exponent), DBL_MAX), curvature, &move));
  ofw_learner_step(l, &move, ofw_line_search(&move, curvature), curvature);
  return OFW_OK;
}
