/* scofw.c — the strongly convex variant of online Frank-Wolfe, for losses alone
 *
 * Problem   losses f_t, alpha-strongly convex and G-Lipschitz, over a set K with a linear oracle; constraints are not
 *           looked at, their violation is only counted
 * Feedback  full information
 * Oracle    one call per round
 * Promise   regret O(T^2/3) against the best point of K; none for violation
 * Source    Wan, Zhang, "Projection-free Online Learning over Strongly Convex Sets", AAAI 2021
 *
 * It is scofw-tvc if there are no constraints, and needs neither G nor T.
 */
#include "learner/frank_wolfe.h"

#include <math.h>

/* d = sum grad f + alpha (t x_t - sum x_tau), the gradient of F_t at x_t */
static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  l->engine->ops->pull(l->engine, 1.0, 0.0, 1.0, now->fb->loss_gradient);
  return ofw_fw_step_sc(l, 0.0, 1.0);
}

static ofw_status start(ofw_learner *l)
{
  OFW_TRY(ofw_learner_need_alpha(l, "ofw"));
  l->info.log_price = -INFINITY;
  return OFW_OK;
}

static const ofw_option options[] = {{0}}; /* alpha is all that there is to set */

static const ofw_promise promise = {.regret = {2.0 / 3.0, 0.0}};

const ofw_method ofw_scofw_method = {
    .type = {.name = "scofw",
             .summary = "online Frank-Wolfe for strongly convex losses; ignores constraints",
             .source = "Wan, Zhang, AAAI 2021",
             .options = options,
             .promise = &promise},
    .start = start,
    .observe = observe,
};
