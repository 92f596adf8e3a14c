/* learner_play.c — a learner's rounds: a decision is given out, feedback comes in, the account is kept
 *
 * Feedback is checked as a whole before anything changes, and several constraints become one here, so that a method sees
 * rounds that are finite and have one constraint. A method that fails leaves a learner that only says so.
 */
#include "learner/epochs.h"
#include "learner/hint.h"
#include "learner/method.h"
#include "learner/probe.h"
#include "vector/vec_arithmetic.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static ofw_status check_alive(ofw_learner *l)
{
  ofw_learner_clear_error(l);
  if (l->failed && !l->err.message[0])
    ofw_fail(&l->err, OFW_NUMERICAL, "%s: the learner had failed before this state was saved; load an earlier state",
             l->method->type.name);
  return l->failed ? OFW_NUMERICAL : OFW_OK;
}

ofw_status ofw_learner_decide(ofw_learner *l, const ofw_point **x)
{
  OFW_TRY(check_alive(l));
  if (l->open && l->open->count == l->open->most)
    return ofw_fail(&l->err, OFW_USAGE,
                    "%s: delay=%llu: %zu decisions wait for their feedback; tell the feedback of one of them first",
                    l->method->type.name, (unsigned long long)l->common.delay, l->open->count);
  OFW_TRY(ofw_epochs_advance(l));
  if (l->probe)
    ofw_probe_make(l, l->t + 1);
  if (l->open)
    ofw_open_rounds_add(l->open, l->t + l->open->count + 1);
  l->asked = 1;
  *x = &l->point;
  return OFW_OK;
}

static ofw_status check_values(ofw_learner *l, const ofw_values *v)
{
  if (!isfinite(v->loss))
    return ofw_fail(&l->err, OFW_BAD_DATA, "loss is not a finite number");
  for (size_t i = 0; i < v->constraints; i++)
    if (!isfinite(v->constraint[i]))
      return ofw_fail(&l->err, OFW_BAD_DATA, "constraint: number %zu is not finite", i + 1);
  return OFW_OK;
}

/* A list of gradients, one of which a message names by its number if there are several. *longest becomes the norm of the
 * longest, if it is less. */
static ofw_status check_list(ofw_learner *l, const ofw_sum *list, size_t count, const char *what, double *longest)
{
  double norm;
  for (size_t i = 0; i < count; i++) {
    ofw_status st = ofw_sum_measure(list[i], l->K->dim, what, &norm, &l->err);
    if (st != OFW_OK && st != OFW_FAILED && count > 1) { /* if memory ran out, it may be there the second time */
      char which[64];
      snprintf(which, sizeof which, "%s: vector %zu", what, i + 1);
      st = ofw_sum_check(list[i], l->K->dim, which, &l->err);
    }
    OFW_TRY(st);
    if (l->engine->ops->length) /* the rest of it is elsewhere */
      norm = ofw_engine_length(l->engine, list[i]);
    *longest = ofw_at_least(norm, *longest);
  }
  return OFW_OK;
}

/* The norms of the loss's gradient, and of the longest of the constraints'. */
typedef struct lengths {
  double loss, constraint;
} lengths;

static ofw_status check_gradients(ofw_learner *l, const ofw_full *fb, lengths *norm)
{
  OFW_TRY(check_list(l, &fb->loss_gradient, 1, "loss_gradient", &norm->loss));
  return check_list(l, fb->constraint_gradient, fb->values.constraints, "constraint_gradient", &norm->constraint);
}

static ofw_status check_hint(ofw_learner *l, const ofw_hint *hint)
{
  double longest = 0.0;
  for (size_t i = 0; i < hint->constraints; i++)
    if (!isfinite(hint->constraint[i]))
      return ofw_fail(&l->err, OFW_BAD_DATA, "next_constraint: number %zu is not finite", i + 1);
  return check_list(l, hint->constraint_gradient, hint->constraints, "next_constraint_gradient", &longest);
}

ofw_round ofw_learner_combine(const ofw_learner *l, const ofw_values *v)
{
  ofw_round now = {.loss = v->loss, .Q_before = l->Q, .last = v->constraints};
  const double *g = v->constraint;
  if (l->common.constraints == OFW_SUM) {
    for (size_t i = 0; i < now.last; i++)
      now.violation += ofw_at_least(g[i], 0.0);
    now.constraint = now.violation;
  } else if (now.last > 0) {
    for (size_t i = 1; i < now.last; i++)
      if (g[i] > g[now.first])
        now.first = i;
    now.constraint = g[now.first];
    now.violation = ofw_at_least(g[now.first], 0.0);
    if (l->accounts)
      now.first = 0;
    else
      now.last = now.first + 1;
  }
  return now;
}

/* Gradients longer than G void the guarantees, but not the play: they are counted. */
static int is_steep(const ofw_learner *l, double longest)
{
  return !ofw_method_anytime(l->method) && longest > l->G * (1.0 + 1e-9); /* the others know no G */
}

/* Which decision is answered: its place among the open ones. `round` is NULL if none is named. */
static ofw_status find_round(ofw_learner *l, const uint64_t *round, size_t *at)
{
  size_t count = l->open ? l->open->count : l->asked;
  unsigned long long decided = l->t + count, named = round ? *round : decided;
  if (!round && count == 0)
    return ofw_fail(&l->err, OFW_USAGE, "feedback without a decision: ask for the decision of round %llu first",
                    decided + 1);
  if (!round && count > 1)
    return ofw_fail(&l->err, OFW_USAGE, "feedback must name its round: %zu decisions wait for theirs", count);
  if (named == 0 || named > decided)
    return ofw_fail(&l->err, OFW_USAGE, "round %llu: feedback without a decision; the next decision is of round %llu",
                    named, decided + 1);
  *at = l->open && round ? ofw_open_rounds_find(l->open, named) : 0;
  if (l->open ? *at == count : named <= l->t)
    return ofw_fail(&l->err, OFW_USAGE, "round %llu has its feedback already", named);
  return OFW_OK;
}

/* Whether the learner takes feedback of this kind. */
static ofw_status check_kind(ofw_learner *l, const ofw_full *fb)
{
  OFW_TRY(check_alive(l));
  if (l->method->bandit && fb)
    return ofw_fail(&l->err, OFW_USAGE, "%s is a bandit learner: it takes numbers, not gradients",
                    l->method->type.name);
  return l->method->bandit || fb
             ? OFW_OK
             : ofw_fail(&l->err, OFW_USAGE, "%s needs gradients, found numbers only", l->method->type.name);
}

/* Whether feedback of the right kind can be accepted. *norm, which is 0, becomes the lengths of its gradients. */
static ofw_status admit(ofw_learner *l, const ofw_values *values, const ofw_full *fb, const ofw_hint *hint,
                        lengths *norm)
{
  OFW_TRY(check_values(l, values));
  if (fb)
    OFW_TRY(check_gradients(l, fb, norm));
  if (hint)
    OFW_TRY(check_hint(l, hint));
  if (hint && l->open)
    return ofw_fail(&l->err, OFW_USAGE, "%s: a hint about the coming round does not work with delay",
                    l->method->type.name);
  if (fb && l->engine->ops->admit)
    OFW_TRY(l->engine->ops->admit(l->engine, fb, &l->err));
  if (l->engine->ops->alive)
    OFW_TRY(l->engine->ops->alive(l->engine, &l->err));
  return l->accounts ? ofw_accounts_admit(l->accounts, l->method->type.name, values->constraints, &l->err) : OFW_OK;
}

ofw_status ofw_learner_admit(ofw_learner *l, const ofw_values *values, const ofw_full *fb, const ofw_hint *hint)
{
  lengths norm = {0};
  OFW_TRY(check_kind(l, fb));
  return admit(l, values, fb, hint, &norm);
}

static ofw_status observe(ofw_learner *l, const uint64_t *round, const ofw_values *values, const ofw_full *fb,
                          const ofw_hint *hint)
{
  size_t at = 0;
  lengths norm = {0};
  OFW_TRY(check_kind(l, fb));
  OFW_TRY(find_round(l, round, &at));
  OFW_TRY(admit(l, values, fb, hint, &norm));
  if (hint || l->hinted)
    OFW_TRY(ofw_hint_open(l, values->constraints, hint));
  ofw_round now = ofw_learner_combine(l, values);
  now.fb = fb;
  now.loss_length = norm.loss;
  now.constraint_length = norm.constraint;
  if (l->open)
    ofw_open_rounds_close(l->open, at, l->D);
  l->asked = l->open && l->open->count;
  l->t++;
  if (l->accounts) {
    ofw_accounts_add(l->accounts, l->t, values);
    l->Q = ofw_accounts_worst(l->accounts);
    now.weight = l->accounts->weight;
  } else
    l->Q = ofw_at_most(l->Q + now.violation, DBL_MAX);
  l->info.steep += (uint64_t)is_steep(l, ofw_at_least(norm.loss, norm.constraint));
  if (l->probe)
    ofw_probe_make(l, l->t); /* it is there already, but for a learner loaded since it decided */
  ofw_status st = l->hinted ? ofw_hint_see(l, &now, hint) : OFW_OK;
  if (st == OFW_OK)
    st = l->method->observe(l, &now);
  if (st == OFW_OK && l->hinted)
    ofw_hint_use(l, hint);
  l->failed = st != OFW_OK;
  return st;
}

ofw_status ofw_learner_observe(ofw_learner *l, const ofw_full *feedback)
{
  return observe(l, NULL, &feedback->values, feedback, NULL);
}

ofw_status ofw_learner_observe_round(ofw_learner *l, uint64_t round, const ofw_full *feedback)
{
  return observe(l, &round, &feedback->values, feedback, NULL);
}

ofw_status ofw_learner_observe_hinted(ofw_learner *l, const ofw_full *feedback, const ofw_hint *given)
{
  ofw_hint hint = {0};
  if (given)
    OFW_TRY(ofw_take_sized(&hint, sizeof hint, given, "ofw_hint", l->failed ? NULL : &l->err));
  return observe(l, NULL, &feedback->values, feedback, given ? &hint : NULL);
}

ofw_status ofw_learner_observe_values(ofw_learner *l, const ofw_values *values)
{
  return observe(l, NULL, values, NULL, NULL);
}

ofw_status ofw_learner_sample(ofw_learner *l, double *vertex)
{
  OFW_TRY(check_alive(l));
  if (!l->vertex)
    return ofw_fail(&l->err, OFW_UNSUPPORTED, "%s keeps no vertex to sample; set sample=yes", l->method->type.name);
  memcpy(vertex, l->vertex, l->dim * sizeof *vertex);
  return OFW_OK;
}
