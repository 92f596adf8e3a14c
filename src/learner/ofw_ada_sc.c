/* ofw_ada_sc.c — the same for strongly convex losses
 *
 * Problem   losses f_t alpha-strongly convex, constraints g_t convex, over a set K with a linear oracle
 * Feedback  full information
 * Oracle    one call per round
 * Promise   regret O(T^2/3) and violation O(T^3/4) at every T; both bounded while it plays by numbers that it measures
 *           (docs/theory.md)
 * Source    ours; the round is in ada.h
 */
#include "learner/ada.h"

static ofw_status start(ofw_learner *l)
{
  OFW_TRY(ofw_learner_need_alpha(l, "ofw-ada"));
  ofw_ada *s = l->state;
  s->alpha = l->alpha;
  s->cubic = 1;
  return ofw_ada_start(l);
}

static const ofw_option options[] = {OFW_KAPPA_ROW("1"), OFW_FIRST_ROW, OFW_WINDOW_ROW, {0}};

const ofw_method ofw_ofw_ada_sc_method = {
    .type = {.name = "ofw-ada-sc",
             .summary = "ofw-ada for strongly convex losses; only alpha must be known",
             .source = "ours; docs/theory.md",
             .options = options,
             .promise = &ofw_ada_sc_promise},
    .options_size = sizeof(ofw_ada_options),
    .state_size = sizeof(ofw_ada),
    .revision = 1, /* epochs, and constraints by their own lengths */
    .start = start,
    .observe = ofw_ada_observe,
    .fields = ofw_ada_fields,
    .loaded = ofw_ada_report,
};
