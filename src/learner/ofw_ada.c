/* ofw_ada.c — parameter-free online Frank-Wolfe: no horizon, no bounds, no unit, no constants
 *
 * Problem   losses f_t and constraints g_t, convex, over a set K with a linear oracle
 * Feedback  full information
 * Oracle    one call per round
 * Promise   regret O(T^3/4) and violation O(T^3/4 log T) at every T; both bounded while it plays by numbers that it
 *           measures (docs/theory.md)
 * Source    ours, in the frame of Wang, Wan, Zhang, "Revisiting Projection-Free Online Learning with Time-Varying
 *           Constraints", AAAI 2025; the round is in ada.h
 */
#include "learner/ada.h"

static int has_budgets(const ofw_learner *l)
{
  return l->common.constraints == OFW_BUDGETS;
}

static ofw_status start(ofw_learner *l)
{
  if (has_budgets(l) && ((const ofw_ada_options *)l->options)->window)
    return ofw_fail(&l->err, OFW_USAGE, "ofw-ada: window does not work with constraints=budgets; use period");
  if (l->open && ((const ofw_ada_options *)l->options)->window == OFW_ADA_WATCH)
    return ofw_fail(&l->err, OFW_USAGE, "ofw-ada: delay does not work with window=auto; give the window's rounds");
  OFW_TRY(ofw_ada_start(l));
  return ofw_learner_open_accounts(l, 0.25, 1);
}

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  return has_budgets(l) ? ofw_ada_budgets_observe(l, now) : ofw_ada_observe(l, now);
}

static void loaded(ofw_learner *l)
{
  if (!has_budgets(l)) /* which measure no bounds */
    ofw_ada_report(l);
}

static const ofw_option options[] = {OFW_KAPPA_ROW("50"), OFW_FIRST_ROW, OFW_WINDOW_ROW, {0}};

const ofw_method ofw_ofw_ada_method = {
    .type = {.name = "ofw-ada",
             .summary =
                 "parameter-free online Frank-Wolfe, full information: no horizon, no bounds, no tuning, any units",
             .source = "ours; docs/theory.md",
             .options = options,
             .promise = &ofw_ada_promise},
    .options_size = sizeof(ofw_ada_options),
    .state_size = sizeof(ofw_ada),
    .hinted = 1,
    .revision = 1, /* epochs, and constraints by their own lengths */
    .accounts = 1,
    .delays = 1,
    .start = start,
    .observe = observe,
    .fields = ofw_ada_fields,
    .loaded = loaded,
};
