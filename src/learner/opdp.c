/* opdp.c — a primal-dual method over online Frank-Wolfe
 *
 * Problem   losses f_t and constraints g_t, convex and G-Lipschitz, over a set K with a linear oracle
 * Feedback  full information
 * Oracle    one call per round
 * Promise   the source's: regret O(T^(5/6 + a)), sum of g_t, not of g_t^+, O(T^(11/12 - a/2)). With the Frank-Wolfe of this
 *           file as its oracle the argument gives regret O(T^(11/12 + a)) only
 * Source    reconstructed: Algorithm 1 of Lee, Ho-Nguyen, Lee, "Projection-free Online Convex Optimization with Stochastic
 *           Constraints", 2023, from accounts of it, not from its text
 *
 *     p = grad f_t(x_t) + lambda_t grad g_t(x_t);   a step of ofw.c on p
 *     lambda_{t+1} = max(0, (1 - theta mu) lambda_t + mu g_t(x_t))
 *
 * lambda is no larger than G D / theta if |g_t| <= G D, which is what eta allows for. Nothing keeps it there if g_t
 * is larger, so d is kept over a power of two.
 */
#include "learner/frank_wolfe.h"
#include "learner/price.h"

#include <math.h>

typedef struct opdp_options {
  int sigma;
  double step, a, theta, mu, mu_scale;
} opdp_options;

typedef struct opdp {
  /* constants */
  double eta, mu;
  /* state */
  double lambda;
  double exponent; /* d is kept over 2^exponent */
} opdp;

/* d += eta p. Of several constraints the largest counts, kept or not. */
static void pull_lagrangian(ofw_learner *l, const ofw_round *now)
{
  opdp *s = l->state;
  ofw_engine *E = l->engine;
  double lambda = ofw_scaled(l, log(s->lambda), &s->exponent);
  E->ops->pull(E, 1.0, 0.0, s->eta * exp2(-s->exponent), now->fb->loss_gradient);
  for (size_t i = now->first; i < now->last; i++)
    if (l->common.constraints == OFW_MAX || now->fb->values.constraint[i] > 0.0)
      E->ops->pull(E, 1.0, 0.0, s->eta * lambda, now->fb->constraint_gradient[i]);
}

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  const opdp_options *o = l->options;
  opdp *s = l->state;
  l->info.log_price = log(s->lambda);
  pull_lagrangian(l, now);
  OFW_TRY(ofw_fw_step(l, ofw_learner_tau(l), o->sigma, s->exponent));
  s->lambda = ofw_multiplier(s->lambda, o->theta * s->mu, s->mu * now->constraint);
  return OFW_OK;
}

static ofw_status start(ofw_learner *l)
{
  opdp_options *o = l->options;
  opdp *s = l->state;
  double GD = l->G * l->D;
  ofw_resolve(&o->theta, GD * pow(l->T, -1.0 / 6.0 - o->a));
  ofw_resolve(&o->mu, 1.0 / (GD * sqrt(l->T)));
  s->mu = o->mu * o->mu_scale;
  s->eta = o->step * l->D / (2.0 * l->G * (1.0 + GD / o->theta) * pow(l->T, 0.75));
  l->info.log_price = -INFINITY;
  return OFW_OK;
}

static const ofw_field fields[] = {{OFW_SAME(opdp, lambda)}, {OFW_SAME(opdp, exponent)}, {0}};

#define AT(field) offsetof(opdp_options, field)
static const ofw_option options[] = {
    OFW_POSITIVE_ROW(AT(step), "step", "1", NULL, "multiplies the learning rate eta = D/(2 G (1 + G D/theta) T^(3/4))"),
    OFW_POSITIVE_ROW(AT(mu_scale), "mu-scale", "1", NULL, "multiplies mu"),
    OFW_REAL_ROW(AT(a), "a", "0", NULL, 0, 1, "trades regret for violation through theta"),
    OFW_POSITIVE_ROW(AT(theta), "theta", NULL, "G D T^(-1/6 - a)", "how fast the multiplier decays"),
    OFW_POSITIVE_ROW(AT(mu), "mu", NULL, "1/(G D sqrt T)", "the multiplier's learning rate"),
    OFW_SIGMA_ROW(AT(sigma)),
    {0},
};

/* the source's; its violation is the sum of g_t, not of g_t^+ */
static const ofw_promise promise = {
    .regret = {5.0 / 6.0, 0.0}, .ccv = {11.0 / 12.0, 0.0}, .tuned = {"step", "mu-scale"}};

const ofw_method ofw_opdp_method = {
    .type = {.name = "opdp",
             .summary =
                 "primal-dual method over online Frank-Wolfe for convex losses, full information (reconstructed)",
             .source = "reconstructed: Algorithm 1 of Lee, Ho-Nguyen, Lee, 2023, with online Frank-Wolfe as its oracle",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(opdp_options),
    .state_size = sizeof(opdp),
    .start = start,
    .observe = observe,
    .fields = fields,
};
