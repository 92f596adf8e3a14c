/* lpm.c — the Lagrangian-based primal-dual method over close infeasible projections
 *
 * Problem   losses f_t and constraints g_t, convex and G-Lipschitz, over a set K with a linear oracle
 * Feedback  full information
 * Oracle    at most T calls in all, at the ends of blocks
 * Promise   the source's: regret O(T^3/4 sqrt(log T)), violation O(T^7/8)
 * Source    reconstructed: Algorithm 4 of Garber, Kretzu, "Projection-free Online Convex Optimization with Time-Varying
 *           Constraints", 2024, from accounts of it, not from its text; the projection (cip.c) is Garber, Kretzu, COLT 2022
 * Differs   with the block and eps of the theory x never moves for T <= 2025, because 3 eps >= (2R)^2, and does not leave
 *           the origin for T <= 32 400: smaller ones are the default, params=theory gives the theory's. A block's
 *           projection stops when its calls are used up, which is counted
 *
 * lagrangian.h has what a block does.
 */
#include "learner/lagrangian.h"

#include <math.h>

/* y -= eta (grad f + lambda grad g^+), so x - y += it */
static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  const ofw_lagrangian *s = l->state;
  ofw_learner_pull_gradients(l, now, s->eta, fmin(s->eta * s->lambda, ofw_learner_far(l) / l->G));
  return ofw_lagrangian_end_round(l, now);
}

static const ofw_option options[] = {OFW_LAGRANGIAN_ROWS, {0}};

static const ofw_promise promise = {
    .regret = {0.75, 0.5}, .ccv = {7.0 / 8.0, 0.0}, .theorem = "params=theory", .tuned = {"step", "theta-scale"}};

const ofw_method ofw_lpm_method = {
    .type = {.name = "lpm",
             .summary =
                 "Lagrangian method with infeasible projections for convex losses, full information (reconstructed)",
             .source = "reconstructed: Algorithm 4 of Garber, Kretzu, 2024",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(ofw_lagrangian_options),
    .state_size = sizeof(ofw_lagrangian),
    .start = ofw_lagrangian_start,
    .observe = observe,
    .fields = ofw_lagrangian_fields,
};
