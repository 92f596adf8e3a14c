/* ofw_ada_sc.c — the same for strongly convex losses
 *
 * Problem   losses f_t alpha-strongly convex, constraints g_t convex, over a set K with a linear oracle
 * Feedback  full information
 * Oracle    one call a round
 * Promise   as ofw-ada's; b also counts nothing of what alpha pays for (docs/theory.md)
 * Source    ours; the round is in ada.h
 */
#include "learner/ada.h"

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  return ofw_ada_observe(l, now, l->alpha);
}

static ofw_status start(ofw_learner *l)
{
  if (!(l->alpha > 0.0))
    return ofw_fail(&l->err, OFW_USAGE,
                    "ofw-ada-sc: a strong convexity above 0 is needed; for other losses use ofw-ada");
  return ofw_ada_start(l);
}

static const ofw_option options[] = {OFW_KAPPA_ROW("1"), OFW_FIRST_ROW, {0}};

/* No rate: what is proved is a bound by b, and of b only while the price is bounded. */
static const ofw_promise promise = {.anytime = 1};

const ofw_method ofw_ofw_ada_sc_method = {
    .type = {.name = "ofw-ada-sc",
             .summary = "the same for strongly convex losses, of which alpha alone must be known",
             .source = "ours; docs/theory.md",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(ofw_ada_options),
    .state_size = sizeof(ofw_ada),
    .start = start,
    .observe = observe,
    .fields = ofw_ada_fields,
};
