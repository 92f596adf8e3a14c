/* cip.c — close infeasible projection: of a point y that has left K, by calls of the linear oracle alone
 *
 *     SH(x, y, eps)   Frank-Wolfe on |x - y|^2/2 with line search until <x - y, x - v> <= eps or |x - y|^2 <= 3 eps
 *     CIP(x, y, eps)  y = y / max(1, |y|/R)
 *                     repeat  x = SH(x, y, eps);  end if |x - y|^2 <= 3 eps;  y -= (2/3)(y - x)
 *
 * (Garber, Kretzu, COLT 2022, Algorithms 2 and 3.) x stays in K, y comes within sqrt(3 eps) of it, and for every z in K y
 * is afterwards no farther from z than before. Of y the engine holds x - y, as d.
 */
#include "learner/lagrangian.h"

#include <math.h>

static const ofw_sum nothing = {0, NULL};

/* If <x - y, x - v> <= eps for all v in K and |x - y|^2 > 3 eps, then <y - z, y - x> >= (2/3) |x - y|^2 for all z in K,
 * and y - (2/3)(y - x) is nearer to each z. (The source goes by 2 eps/|x - y|^2 instead of 2/3.) x - y keeps its direction
 * and with it its v, so SH would end at once, again and again: all of those steps are taken together, without a call. */
static void draw_near(ofw_engine *E, double apart, double near)
{
  double left = 1.0;
  while (left * apart > near)
    left /= 3.0;
  E->ops->pull(E, left, 0.0, 0.0, nothing);
}

ofw_status ofw_cip(ofw_learner *l, double eps, uint64_t *calls)
{
  ofw_engine *E = l->engine;
  double k = E->ops->apart(E) / (l->D / 2.0), near = sqrt(3.0 * eps), apart;
  if (k > 1.0)
    E->ops->pull(E, 1.0 / k, 1.0 - 1.0 / k, 0.0, nothing); /* x - y/k */
  while ((apart = E->ops->norm(E)) > near) {
    if (*calls == 0) {
      l->info.capped++;
      return OFW_OK;
    }
    ofw_move move;
    OFW_TRY(ofw_learner_minimise(l, l->sigma, eps / 4.0, 1.0, 1.0, &move));
    --*calls;
    if (-move.slope + move.error <= eps) {
      draw_near(E, apart, near);
      return OFW_OK;
    }
    ofw_learner_step(l, &move, ofw_line_search(&move, 1.0), 1.0);
  }
  return OFW_OK;
}
