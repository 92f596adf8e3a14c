/* ofw_ada.c — online Frank-Wolfe that is told nothing: no horizon, no bounds, no unit, no constants
 *
 * Problem   losses f_t and constraints g_t, convex, over a set K with a linear oracle
 * Feedback  full information
 * Oracle    one call a round
 * Promise   regret 2 Gf b + A+ D^2/2 and violation 1.5 Gg b ln(5 + 2 (D T + A+ D^2/(2 Gf))/b) by numbers b and A+ that it
 *           measures while it plays; A+ D^2 <= 64 Gf D T^3/4, and b = O(T^3/4) while the price is bounded (docs/theory.md)
 * Source    ours, in the frame of Wang, Wan, Zhang, "Revisiting Projection-Free Online Learning with Time-Varying
 *           Constraints", AAAI 2025; the round is in ada.h
 */
#include "learner/ada.h"

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  return ofw_ada_observe(l, now, 0.0);
}

static const ofw_option options[] = {OFW_KAPPA_ROW("50"), OFW_FIRST_ROW, {0}};

/* No rate: what is proved is a bound by b, and of b only while the price is bounded. */
static const ofw_promise promise = {.anytime = 1};

const ofw_method ofw_ofw_ada_method = {
    .type = {.name = "ofw-ada",
             .summary = "online Frank-Wolfe in any units: no horizon, no bounds, no tuning; full information",
             .source = "ours; docs/theory.md",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(ofw_ada_options),
    .state_size = sizeof(ofw_ada),
    .start = ofw_ada_start,
    .observe = observe,
    .fields = ofw_ada_fields,
};
