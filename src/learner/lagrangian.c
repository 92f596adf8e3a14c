/* lagrangian.c — the constants and the ends of blocks of LPM and LBPM; lagrangian.h has the formulas */
#include "learner/lagrangian.h"

#include "learner/price.h"

#include <float.h>
#include <math.h>

ofw_status ofw_lagrangian_start(ofw_learner *l)
{
  ofw_lagrangian_options *o = l->options;
  ofw_lagrangian *s = l->state;
  int theory = o->params == OFW_PARAMS_THEORY;
  double root = sqrt(l->T), T34 = pow(l->T, 0.75), R = l->D / 2.0, G = l->G;
  ofw_resolve_count(&o->block, theory ? 5.0 * root : root);
  ofw_resolve_count(&o->budget, (double)o->block);
  ofw_resolve(&o->eps, (theory ? 60.0 : 1.0) * R * R / root);
  ofw_resolve(&o->theta, 4.0 * (double)o->block * G * G);
  ofw_resolve(&o->mu, 1.0 / (20.0 * G * R * T34));
  s->eta = o->step * R / (G * T34);
  s->rho = o->theta * o->theta_scale * s->eta;
  l->info.log_price = -INFINITY;
  return OFW_OK;
}

static ofw_status end_block(ofw_learner *l)
{
  const ofw_lagrangian_options *o = l->options;
  ofw_lagrangian *s = l->state;
  s->calls += o->budget;
  OFW_TRY(ofw_cip(l, o->eps, &s->calls));
  s->lambda = ofw_multiplier(s->lambda, o->mu * s->rho * (double)o->block, o->mu * s->violation);
  s->violation = 0.0;
  return OFW_OK;
}

ofw_status ofw_lagrangian_end_round(ofw_learner *l, const ofw_round *now)
{
  ofw_lagrangian *s = l->state;
  l->info.log_price = log(s->lambda);
  s->violation = fmin(s->violation + now->violation, DBL_MAX);
  return ofw_learner_tau(l) % ((ofw_lagrangian_options *)l->options)->block == 0 ? end_block(l) : OFW_OK;
}

const ofw_field ofw_lagrangian_fields[] = {
    {OFW_SAME(ofw_lagrangian, lambda)},
    {OFW_WORD("block-violation", ofw_lagrangian, violation)},
    {OFW_SAME(ofw_lagrangian, calls)},
    {0},
};
