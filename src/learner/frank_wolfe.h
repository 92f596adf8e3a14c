/* frank_wolfe.h — one round's step of online Frank-Wolfe, for the methods that share it
 *
 *     v = LMO(d),   x += sigma (v - x),   d += F'' sigma (v - x)
 *
 * where d is the gradient at x of a regularised sum F of the rounds so far. It may be kept over 2^exponent.
 */
#pragma once

#include "learner/method.h"

/* F = eta sum <p, x> + |x - c|^2. The step is min(1, 2/sqrt(n)) in the n-th round of the sum, or the minimiser of F on
 * the segment. */
enum { OFW_SIGMA_PRINTED, OFW_SIGMA_LINE_SEARCH };
ofw_status ofw_fw_step(ofw_learner *l, uint64_t n, int sigma, double exponent);

/* F = sum over the rounds of <p, x> + (alpha/2) |x - x_tau|^2, by line search; `unit` times d, if it were not kept over
 * 2^exponent, is the gradient of the method's own sum. */
ofw_status ofw_fw_step_sc(ofw_learner *l, double exponent, double unit);

#define OFW_SIGMA_ROW(at)                                             \
  OFW_CHOICE_ROW(at, "sigma", "printed", NULL, "printed|line-search", \
                 "printed: the step min(1, 2/sqrt t); line-search: the exact minimiser on the segment")
