/* lbpm.c — the Lagrangian-based primal-dual method if only numbers are seen
 *
 * Problem   losses f_t and constraints g_t, convex and G-Lipschitz, over a set K with a linear oracle
 * Feedback  bandit: the numbers f_t(x_t) and g_t(x_t) at the point that was played
 * Oracle    at most T calls in all, at the ends of blocks
 * Promise   the source's: expected regret O(T^3/4 sqrt(log T)), violation O(T^7/8 log T)
 * Source    reconstructed: Algorithm 5 of Garber, Kretzu, "Projection-free Online Convex Optimization with Time-Varying
 *           Constraints", 2024, from accounts of it, not from its text
 * Differs   as lpm.c; K_delta is about the set's centre, in its affine hull
 *
 * It is lpm.c over K_delta: it plays x + delta u and has (n/delta) (f_t + lambda g_t^+) u for grad_x L_t. It probes
 * as far as bfw-tvc does, so that what tells the two apart is not their probes.
 */
#include "learner/lagrangian.h"
#include "learner/probe.h"

#include <math.h>

typedef struct lbpm_options {
  ofw_lagrangian_options base;
  double c;
} lbpm_options;

/* y -= eta (n/delta) (f + lambda g^+) u, by a probe that is delta u */
static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  const ofw_lagrangian *s = l->state;
  double far = ofw_learner_far(l);
  double length = s->eta * (l->n / l->delta) * (now->loss + s->lambda * now->violation);
  l->engine->ops->pull(l->engine, 1.0, 0.0, fmax(-far, fmin(length, far)) / l->delta, l->point.probe);
  return ofw_lagrangian_end_round(l, now);
}

static ofw_status start(ofw_learner *l)
{
  lbpm_options *o = l->options;
  OFW_TRY(ofw_lagrangian_start(l));
  ofw_resolve(&o->c, ofw_probe_balanced(l, fmax(l->M / l->G, l->D)));
  return ofw_probe_reach(l, o->c, o->c * pow(l->T, -0.25));
}

static const ofw_option options[] = {
    OFW_POSITIVE_ROW(offsetof(lbpm_options, c), "c", NULL,
                     "min(r T^(1/4)/2, sqrt(n m D / (D/r + 3 + 2D/(n m)))), m = max(M/G, D)",
                     "the probe's length is delta = c T^(-1/4), which must be below r"),
    OFW_LAGRANGIAN_ROWS,
    {0},
};

static const ofw_promise promise = {
    .regret = {0.75, 0.5}, .ccv = {7.0 / 8.0, 1.0}, .theorem = "params=theory", .tuned = {"step", "theta-scale"}};

const ofw_method ofw_lbpm_method = {
    .type = {.name = "lbpm",
             .summary =
                 "Lagrangian method with infeasible projections for convex losses, from numbers alone (reconstructed)",
             .source = "reconstructed: Algorithm 5 of Garber, Kretzu, 2024",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(lbpm_options),
    .state_size = sizeof(ofw_lagrangian),
    .bandit = 1,
    .start = start,
    .observe = observe,
    .fields = ofw_lagrangian_fields,
};
