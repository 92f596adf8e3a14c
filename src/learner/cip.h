/* cip.h — close infeasible projection: of a point y that has left K, by calls of the linear oracle alone
 *
 *     SH(x, y, eps)   Frank-Wolfe on |x - y|^2/2 with line search until <x - y, x - v> <= eps or |x - y|^2 <= 3 eps
 *     CIP(x, y, eps)  y = y / max(1, |y|/R)
 *                     repeat  x = SH(x, y, eps);  end if |x - y|^2 <= 3 eps;  y -= (2/3)(y - x)
 *
 * (Garber, Kretzu, COLT 2022, Algorithms 2 and 3.) x stays in K, y comes within sqrt(3 eps) of it, and for every z in K y
 * is afterwards no farther from z than before. Of y the engine holds x - y, as d.
 */
#ifndef OFW_SRC_CIP_H
#define OFW_SRC_CIP_H

#include "learner/method.h"

/* Makes at most *calls calls of the oracle, and takes those made off it. Where they do not suffice, x and y are as far as
 * they came, all of the above but |x - y|^2 <= 3 eps holds, and l->info.capped counts it. */
ofw_status ofw_cip(ofw_learner *l, double eps, uint64_t *calls);

#endif
