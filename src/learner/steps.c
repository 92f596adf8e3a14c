/* steps.c — the steps of the methods: pull, minimise, search the segment, step */
#include "learner/method.h"
#include "linalg/rng.h"
#include "vector/vec_arithmetic.h"

#include <float.h>
#include <math.h>

/* In radii, so that floats hold it, or doubles its square. */
double ofw_learner_far(const ofw_learner *l)
{
  double most = ofw_storage_has_floats(l) ? 1e15 : l->common.storage == OFW_STORE_FACTORED ? 1e60 : 1e150;
  return most * (l->D / 2.0);
}

ofw_status ofw_learner_need_alpha(ofw_learner *l, const char *instead)
{
  return l->alpha > 0.0 ? OFW_OK
                        : ofw_fail(&l->err, OFW_USAGE,
                                   "%s: expected a strong convexity above 0, found none; for other losses use %s",
                                   l->method->type.name, instead);
}

void ofw_learner_pull_gradients(ofw_learner *l, const ofw_round *now, double cf, double cg)
{
  ofw_engine *E = l->engine;
  E->ops->pull(E, 1.0, 0.0, cf, now->fb->loss_gradient);
  for (size_t i = now->first; i < now->last; i++)
    if (ofw_round_weight(now, i) > 0.0)
      E->ops->pull(E, 1.0, 0.0, cg * ofw_round_weight(now, i), now->fb->constraint_gradient[i]);
}

void ofw_learner_pull_back(ofw_learner *l, double a, double b)
{
  ofw_engine *E = l->engine;
  ofw_vec room;
  int rests = b != 0.0 && l->common.start == OFW_START_VERTEX && !E->ops->direction(E);
  E->ops->pull(E, a, b, -b, ofw_first_decision(l, &room));
  if (rests && E->ops->norm(E) <= 1e-13 * b * l->D) /* x is at x_1 still, and this is what rounding left */
    E->ops->pull(E, 0.0, 0.0, 0.0, (ofw_sum){0, NULL});
}

/* What v is off by goes into x times the step. */
static double accuracy_for(double sigma)
{
  return ofw_at_most(pow(1e-3 / sigma, 2.0), 1e-2);
}

/* What is asked for first, if a search along the line chooses a step that is likely to be this long. An answer is good enough for steps
 * that need half of its error; so one that takes more digits than most is asked for twice as laxly as is likely to be needed. */
static double likely_accuracy_for(double sigma)
{
  double likely = accuracy_for(sigma);
  return likely < 1e-3 ? ofw_at_most(2.0 * likely, 1e-3) : likely;
}

/* A number of d's in the method's own units, which may be beyond all doubles if the number is 0. */
static double in_units(double x, double unit)
{
  return x == 0.0 ? 0.0 : ofw_at_least(ofw_at_most(x * unit, DBL_MAX), -DBL_MAX);
}

static ofw_status ask(ofw_learner *l, const ofw_direction *d, double unit, ofw_move *move, double *value)
{
  ofw_engine *E = l->engine;
  ofw_answer answer = {0};
  OFW_TRY(l->K->ops->minimise(l->K, l->work, d, &answer, &l->err));
  E->ops->segment(E, answer.atom, &move->slope, &move->length2);
  move->v = answer.atom;
  move->error = answer.error;
  move->chances += answer.chances;
  *value = answer.value;
  if (!isfinite(move->slope) || !isfinite(move->length2))
    return ofw_fail(&l->err, OFW_NUMERICAL, "%s: the direction is not finite", l->method->type.name);
  l->info.gap = in_units(-move->slope, unit);
  l->info.oracle_error = in_units(answer.error, unit);
  l->info.oracle_proven = answer.proven;
  return OFW_OK;
}

ofw_status ofw_learner_minimise(ofw_learner *l, double sigma, double allowed, double unit, double curv, ofw_move *move)
{
  double value, sharper;
  *move = (ofw_move){0};
  l->info.gap = l->info.oracle_error = 0.0;
  l->info.oracle_proven = 1;
  const ofw_direction *kept = l->engine->ops->direction(l->engine);
  if (!kept)
    return OFW_OK;
  ofw_direction d = *kept;
  d.wanted = (ofw_accuracy){l->common.oracle_tolerance, INFINITY, 0};
  if (!isnan(l->common.oracle_tolerance))
    return ask(l, &d, unit, move, &value);
  d.wanted = (ofw_accuracy){curv == 0.0 ? accuracy_for(sigma) : likely_accuracy_for(sigma), allowed, 0};
  OFW_TRY(ask(l, &d, unit, move, &value));
  if (curv == 0.0 || move->error == 0.0 ||
      (sharper = accuracy_for(ofw_line_search(move, curv))) > d.wanted.relative / 2.0 ||
      move->error <= sharper * fabs(value))
    return OFW_OK;
  d.wanted = (ofw_accuracy){sharper, allowed, 1};
  return ask(l, &d, unit, move, &value);
}

/* What else a step changes; whether it moves x. */
static int begin_step(ofw_learner *l, const ofw_move *move, double sig)
{
  int moves = move->length2 > 0.0;
  l->sigma = moves ? sig : 0.0;
  if (l->open)
    l->open->path += l->sigma * sqrt(move->length2);
  if (moves && l->vertex) { /* z = v with probability sigma, so that E[z] goes the way of x */
    ofw_rng_key draw = {l->seed, OFW_RNG_SAMPLE, l->steps++};
    if (ofw_rng_unit(draw, 0) < sig)
      ofw_sum_dense(move->v, l->dim, l->vertex);
  }
  return moves && sig > 0.0;
}

void ofw_learner_step(ofw_learner *l, const ofw_move *move, double sig, double curv)
{
  if (begin_step(l, move, sig))
    l->engine->ops->step(l->engine, move->v, sig, curv);
}

double ofw_learner_step_leading(ofw_learner *l, const ofw_move *move, double sig, double curv, double keep)
{
  ofw_engine *E = l->engine;
  int moves = begin_step(l, move, sig);
  if (moves && E->ops->lead->step_both)
    return E->ops->lead->step_both(E, move->v, sig, keep, curv);
  double lead2 = E->ops->lead->step(E, move->v, sig, keep);
  if (moves)
    E->ops->step(E, move->v, sig, curv);
  return lead2;
}
