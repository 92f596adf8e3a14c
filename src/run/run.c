/* run.c — plays a learner on a stream: decide, reveal, observe, account
 *
 * The run owns the round's number and the clock, and is the only place in which a learner and a stream meet. Its account is
 * a row of the trace, saved with both of them. To a learner with a delay it tells feedback late, and counts every round when
 * it is played, by its own decision.
 */
#include "run/run_state.h"

#include "learner/method.h"
#include "linalg/rng.h"
#include "persist/walk.h"
#include "run/late.h"
#include "run/trace.h"
#include "stream/generator.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

struct ofw_run {
  ofw_learner *l;
  ofw_stream *s;
  ofw_trace_row account;
  ofw_point at;          /* where the learner is, without a probe */
  ofw_lateness how_late; /* of a learner with a delay, here and below */
  ofw_late late;
  ofw_accounts accounts; /* what its constraints add up to, with those that it has not heard of */
  ofw_error err;
};

ofw_run *ofw_run_create(ofw_learner *l, ofw_stream *s, ofw_error *err)
{
  if (l->K->dim != s->K->dim) {
    ofw_fail(err, OFW_USAGE, "the learner's dimension is %zu, but the stream's is %zu", l->K->dim, s->K->dim);
    return NULL;
  }
  if (s->terms == OFW_TERMS_DENSE && l->engine->ops->admit) {
    ofw_fail(err, OFW_UNSUPPORTED,
             "storage=factored needs gradients that are sparse or of rank one, and this stream has others");
    return NULL;
  }
  ofw_run *run = calloc(1, sizeof *run);
  if (!run) {
    ofw_fail_memory(err, sizeof *run);
    return NULL;
  }
  run->l = l;
  run->s = s;
  s->gradients = !l->method->bandit;
  run->accounts = (ofw_accounts){.credit = l->accounts && l->accounts->credit};
  if (l->open && ofw_late_open(&run->late, l->open->most, err) != OFW_OK) {
    ofw_run_free(run);
    return NULL;
  }
  return run;
}

void ofw_run_free(ofw_run *run)
{
  if (!run)
    return;
  ofw_late_close(&run->late);
  ofw_accounts_close(&run->accounts);
  free(run);
}

void ofw_run_set_late(ofw_run *run, ofw_lateness how)
{
  run->how_late = how;
}

const ofw_trace_row *ofw_run_account(const ofw_run *run)
{
  return &run->account;
}

const char *ofw_run_error(const ofw_run *run)
{
  return run->err.message;
}

/* f_t at a point that the stream may not know: then NaN, which stays NaN in a sum. */
static ofw_status known_loss(ofw_status st, double *loss)
{
  if (st == OFW_UNSUPPORTED)
    *loss = NAN;
  return st == OFW_UNSUPPORTED ? OFW_OK : st;
}

/* What the stream says of round t at x. Nothing has changed if it fails. */
static ofw_status ask_stream(ofw_run *run, uint64_t t, const ofw_point *x, ofw_full *fb, ofw_hint *hint,
                             double *at_comparator, double *at_target)
{
  ofw_status st = ofw_stream_reveal(run->s, t, x, fb);
  if (st == OFW_OK)
    st = ofw_stream_hint(run->s, t, x, hint);
  if (st == OFW_OK)
    st = known_loss(ofw_stream_comparator(run->s, t, at_comparator), at_comparator);
  if (st == OFW_OK)
    st = known_loss(ofw_stream_target(run->s, t, at_target), at_target);
  if (st == OFW_END) /* which is no round's fault */
    return ofw_fail(&run->err, st, "%s", run->s->err.message);
  return st == OFW_OK ? st : ofw_fail(&run->err, st, "round %llu: %s", (unsigned long long)t, run->s->err.message);
}

/* After how many more decisions the feedback of round t comes. */
static uint64_t lateness(const ofw_run *run, uint64_t t)
{
  uint64_t delay = run->l->common.delay;
  ofw_rng_key key = {run->l->seed, OFW_RNG_DELAY, t};
  if (run->how_late == OFW_LATE_NEVER)
    return 0;
  return run->how_late == OFW_LATE_FIXED ? delay : (uint64_t)(ofw_rng_unit(key, 0) * ((double)delay + 1.0));
}

/* Holds this round's feedback back and tells what is due. */
static ofw_status tell_late(ofw_run *run, uint64_t t, const ofw_full *fb)
{
  ofw_held *held;
  OFW_TRY(ofw_late_hold(&run->late, t, t + lateness(run, t), fb, &run->l->err));
  while ((held = ofw_late_due(&run->late, t))) {
    ofw_status st = ofw_learner_observe_round(run->l, held->round, &held->full);
    ofw_late_drop(held);
    OFW_TRY(st);
  }
  return OFW_OK;
}

/* CCV with this round in it: the learner's own account, unless it has not heard of all rounds. */
static ofw_status add_violation(ofw_run *run, uint64_t t, const ofw_values *values, double known, double *ccv)
{
  ofw_learner *l = run->l;
  if (!l->open)
    *ccv = known;
  else if (!l->accounts)
    *ccv = fmin(*ccv + ofw_learner_combine(l, values).violation, DBL_MAX);
  else {
    OFW_TRY(ofw_accounts_admit(&run->accounts, l->method->type.name, values->constraints, &l->err));
    ofw_accounts_add(&run->accounts, t, values);
    *ccv = ofw_accounts_worst(&run->accounts);
  }
  return OFW_OK;
}

static ofw_status play_round(ofw_run *run)
{
  ofw_trace_row *a = &run->account;
  uint64_t t = a->round + 1;
  const ofw_point *x;
  ofw_full fb = {0};
  ofw_hint hint;
  double at_comparator = 0.0, at_target = 0.0;
  ofw_status st = ofw_learner_decide(run->l, &x);
  if (st == OFW_OK) {
    OFW_TRY(ask_stream(run, t, x, &fb, &hint, &at_comparator, &at_target));
    st = run->l->method->bandit ? ofw_learner_observe_values(run->l, &fb.values)
         : run->l->open         ? tell_late(run, t, &fb)
                                : ofw_learner_observe_hinted(run->l, &fb, hint.size > 0 ? &hint : NULL);
  }
  ofw_info info = {.size = sizeof info};
  ofw_learner_info(run->l, &info);
  if (st == OFW_OK)
    st = add_violation(run, t, &fb.values, info.violation, &a->ccv);
  if (st != OFW_OK)
    return ofw_fail(&run->err, st, "round %llu: %s", (unsigned long long)t, run->l->err.message);

  a->round = t;
  a->loss = fb.values.loss;
  a->loss_sum += fb.values.loss;
  a->comparator_loss_sum += at_comparator;
  a->target_loss_sum += at_target;
  a->constraint = fb.values.constraints ? ofw_learner_combine(run->l, &fb.values).constraint : NAN;
  a->price = fmin(exp(info.log_price), DBL_MAX);
  a->sigma = info.sigma;
  a->gap = info.gap;
  a->oracle_calls = info.oracle_calls;
  a->passes = info.oracle_passes;
  a->oracle_error = info.oracle_error;
  return OFW_OK;
}

ofw_status ofw_run_play(ofw_run *run, uint64_t rounds, ofw_run_watch watch, void *ctx)
{
  double begun = ofw_now(), before = run->account.seconds;
  run->err = (ofw_error){0};
  for (uint64_t k = 0; k < rounds; k++) {
    OFW_TRY(play_round(run));
    run->account.seconds = before + (ofw_now() - begun);
    if (watch && watch(ctx, &run->account))
      break;
  }
  return OFW_OK;
}

const ofw_point *ofw_run_decision(ofw_run *run)
{
  run->at = (ofw_point){.at = run->l->engine}; /* again: each epoch has its own */
  return &run->at;
}

ofw_status ofw_run_held_out(ofw_run *run, double *rmse)
{
  ofw_status st = ofw_stream_held_out(run->s, ofw_run_decision(run), rmse);
  run->err = run->s->err;
  return st;
}

/* Its account, which is a row of its trace; with a delay also what the learner has not heard of. */
static ofw_status visit(void *object, ofw_visitor *v)
{
  ofw_run *run = object;
  for (size_t i = 0; i < ofw_trace_columns_count; i++)
    OFW_TRY(v->words(v->ctx, ofw_trace_columns[i].name, (char *)&run->account + ofw_trace_columns[i].offset, 1));
  if (!run->l->open)
    return OFW_OK;
  OFW_TRY(ofw_late_visit(&run->late, v));
  return run->l->accounts ? ofw_accounts_visit(&run->accounts, v) : OFW_OK;
}

/* How late feedback comes is part of what a run is. */
static ofw_saved saved(ofw_run *run)
{
  static const char *const texts[] = {
      [OFW_LATE_FIXED] = "run late=fixed", [OFW_LATE_RANDOM] = "run late=random", [OFW_LATE_NEVER] = "run late=never"};
  return (ofw_saved){run, visit, run->l->open ? texts[run->how_late] : "run"};
}

ofw_status ofw_run_save(ofw_run *run, ofw_state *state)
{
  run->err = (ofw_error){0};
  ofw_saved parts[] = {saved(run), ofw_stream_saved(run->s)};
  return ofw_learner_save_with(run->l, parts, 2, state, &run->err);
}

ofw_status ofw_run_load(ofw_run *run, const ofw_state *state)
{
  run->err = (ofw_error){0};
  ofw_saved parts[] = {saved(run), ofw_stream_saved(run->s)};
  return ofw_learner_load_with(run->l, parts, 2, state, &run->err);
}
