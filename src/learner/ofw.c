/* ofw.c — Online Frank-Wolfe, for losses alone
 *
 * Problem   losses f_t, convex and G-Lipschitz, over a set K with a linear oracle; constraints are not looked at, their
 *           violation is only counted
 * Feedback  full information
 * Oracle    one call per round
 * Promise   regret O(T^3/4) against the best point of K; none for violation
 * Source    Hazan, Kale, "Projection-free Online Learning", ICML 2012, with the constants of Hazan, "Introduction to Online
 *           Convex Optimization": eta = D / (2 G T^3/4), sigma = min(1, 2/sqrt t)
 *
 * Without constraints ofw-tvc is this at half the step, because its guess of the gradient bound doubles once.
 */
#include "learner/frank_wolfe.h"

#include <math.h>

typedef struct plain_options {
  int sigma;
  double step;
} plain_options;

typedef struct plain {
  double eta;
} plain;

/* d = eta sum grad f + 2 (x - x_1), the gradient of F_t at x_t */
static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  const plain_options *o = l->options;
  const plain *s = l->state;
  l->engine->ops->pull(l->engine, 1.0, 0.0, s->eta, now->fb->loss_gradient);
  return ofw_fw_step(l, ofw_learner_tau(l), o->sigma, 0.0);
}

static ofw_status start(ofw_learner *l)
{
  ((plain *)l->state)->eta = ((plain_options *)l->options)->step * l->D / (2.0 * l->G * pow(l->T, 0.75));
  l->info.log_price = -INFINITY;
  return OFW_OK;
}

static const ofw_option options[] = {
    OFW_SIGMA_ROW(offsetof(plain_options, sigma)),
    OFW_POSITIVE_ROW(offsetof(plain_options, step), "step", "1", NULL,
                     "multiplies the learning rate eta = D/(2 G T^(3/4))"),
    {0},
};

static const ofw_promise promise = {.regret = {0.75, 0.0}};

const ofw_method ofw_ofw_method = {
    .type = {.name = "ofw",
             .summary = "online Frank-Wolfe for convex losses; ignores constraints",
             .source = "Hazan, Kale, ICML 2012",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(plain_options),
    .state_size = sizeof(plain),
    .start = start,
    .observe = observe,
};
