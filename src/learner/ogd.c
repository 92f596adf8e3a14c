/* ogd.c — projected online gradient descent, for losses alone
 *
 * Problem   losses f_t, convex and G-Lipschitz, over a set K that can be projected on; constraints are not looked at,
 *           their violation is only counted
 * Feedback  full information
 * Oracle    none: one projection a round
 * Promise   regret at most (3/2) G D sqrt T against the best point of K; if the losses are alpha-strongly convex,
 *           (G^2 / 2 alpha) (1 + ln T). None for violation
 * Source    Zinkevich, ICML 2003; strongly convex: Hazan, Agarwal, Kale, Machine Learning 69, 2007
 *
 * It is to scale: what the losses alone would have cost a learner for which projections are cheap. It needs no horizon, so
 * that an unknown one changes nothing.
 */
#include "learner/projected.h"

#include <math.h>

typedef struct ogd_options {
  int losses;
  double step;
} ogd_options;

/* x_{t+1} = P(x_t - eta_t grad f_t) */
static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  const ogd_options *o = l->options;
  double t = (double)l->t;
  double eta = o->step * (o->losses == OFW_LOSSES_CONVEX ? l->D / (l->G * sqrt(t)) : 1.0 / (l->alpha * t));
  l->engine->ops->pull(l->engine, 0.0, 1.0, -fmin(eta, ofw_learner_far(l) / l->G), now->fb->loss_gradient);
  return ofw_project(l);
}

static ofw_status start(ofw_learner *l)
{
  l->info.log_price = -INFINITY;
  return ofw_projected_start(l, &((ogd_options *)l->options)->losses);
}

static const ofw_option options[] = {
    OFW_LOSSES_ROW(offsetof(ogd_options, losses)),
    OFW_POSITIVE_ROW(offsetof(ogd_options, step), "step", "1", NULL,
                     "multiplies the learning rate, D/(G sqrt t) or 1/(alpha t)"),
    {0},
};

static const ofw_promise promise = {.regret = {0.5, 0.0}};

const ofw_method ofw_ogd_method = {
    .type = {.name = "ogd",
             .summary = "projected gradient descent for the losses; ignores constraints; needs a projection",
             .source = "Zinkevich, ICML 2003; Hazan, Agarwal, Kale, 2007",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(ogd_options),
    .start = start,
    .observe = observe,
};
