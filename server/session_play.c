/* session_play.c — a session's rounds: a line is read, admitted, played; the same for lines of the log when the server starts */
#include "server/round_plan.h"

#include "wire/ask.h"

#include <inttypes.h>
#include <math.h>

/* {"ask":{"decide":{"round":t}}}, as `ofw pipe` takes it. */
static ofw_status read_decide(session *s, session_line *line, ofw_error *err)
{
  ofw_ask ask;
  OFW_TRY(ofw_ask_read(&s->parser, line->text, line->length, &ask, err));
  if (ask.kind != OFW_ASK_DECIDE || ask.round == 0)
    return ofw_fail(err, OFW_BAD_DATA, "expected feedback, or {\"ask\":{\"decide\":{\"round\":t}}}");
  line->round = ask.round;
  line->decides = 1;
  return OFW_OK;
}

ofw_status session_read(session *s, const char *text, size_t length, session_line *line, ofw_error *err)
{
  ofw_ndjson_mode mode = s->l->method->bandit ? OFW_NDJSON_VALUES : OFW_NDJSON_FULL;
  *line = (session_line){.text = text, .length = length};
  if (s->delay && ofw_is_ask(text, length))
    return read_decide(s, line, err);
  OFW_TRY(ofw_ndjson_read(&s->parser, text, length, mode, &line->fb, err));
  line->round = s->parser.round;
  return line->round > 0 ? OFW_OK : ofw_fail(err, OFW_BAD_DATA, "field 'round' is missing");
}

static const ofw_hint *hint_of(const session *s)
{
  return s->parser.hint.size > 0 ? &s->parser.hint : NULL;
}

ofw_status session_admit(session *s, const session_line *line, ofw_error *err)
{
  const ofw_full *fb = &line->fb;
  if (line->decides)
    return OFW_OK;
  ofw_status st = ofw_learner_admit(s->l, &fb->values, s->l->method->bandit ? NULL : fb, hint_of(s));
  return st == OFW_OK ? st : ofw_fail(err, st, "%s", ofw_learner_error(s->l));
}

/* The learner's next decision. */
static ofw_status decide(session *s, ofw_error *err)
{
  if (ofw_learner_decide(s->l, &s->x) != OFW_OK) {
    s->x = NULL;
    return ofw_fail(err, OFW_NUMERICAL, "%s", ofw_learner_error(s->l));
  }
  if (s->delay)
    open_decisions_add(&s->open, s->decided + 1, s->x);
  return OFW_OK;
}

static ofw_status play_decide(session *s, ofw_error *err)
{
  OFW_TRY(decide(s, err));
  s->decided++;
  return OFW_OK;
}

static ofw_status observe(session *s, const session_line *line)
{
  if (s->delay)
    return ofw_learner_observe_round(s->l, line->round, &line->fb);
  return s->l->method->bandit ? ofw_learner_observe_values(s->l, &line->fb.values)
                              : ofw_learner_observe_hinted(s->l, &line->fb, hint_of(s));
}

/* What the service keeps of a round that was answered. */
static void take_account(session *s, const session_line *line)
{
  const ofw_values *values = &line->fb.values;
  s->loss = values->loss;
  s->loss_sum += s->loss;
  s->constraint = values->constraints ? ofw_learner_combine(s->l, values).constraint : NAN;
  repeats_add(&s->repeats, s->answered++, line->round, line->text, line->length);
  if (s->delay)
    open_decisions_drop(&s->open, line->round);
  else
    s->decided = s->answered + 1;
  if (history_due(&s->history, s->answered)) {
    double row[COLUMNS];
    session_row(s, row);
    history_add(&s->history, row);
  }
}

static ofw_status play_feedback(session *s, const session_line *line, ofw_error *err)
{
  ofw_status st = observe(s, line);
  if (st != OFW_OK) {
    s->x = s->l->failed ? NULL : s->x;
    return ofw_fail(err, st, "%s", ofw_learner_error(s->l));
  }
  take_account(s, line);
  if (s->delay)
    return OFW_OK;
  s->refused = 0;
  return decide(s, err);
}

ofw_status session_play(session *s, const session_line *line, ofw_error *err)
{
  round_plan plan;
  round_plan_open(&plan, s);
  round_fit fit = round_plan_sort(&plan, line);
  if (fit != ROUND_IS_NEXT) {
    round_plan_explain(&plan, line, fit, err);
    return OFW_USAGE;
  }
  ofw_status st = line->decides ? play_decide(s, err) : play_feedback(s, line, err);
  if (st != OFW_OK)
    s->refused = line->round;
  return st;
}

/* A gap before a line that comes too early is damage, unless a line before it was refused: its client was told so, and what
 * followed in the same request was refused too. */
ofw_status session_replay(session *s, const char *text, size_t length, ofw_error *err)
{
  session_line line;
  round_plan plan;
  ofw_error why = {0};
  OFW_TRY(session_read(s, text, length, &line, err));
  round_plan_open(&plan, s);
  round_fit fit = round_plan_sort(&plan, &line);
  if (fit == ROUND_IS_NEXT)
    (void)session_play(s, &line, &why); /* it does now what it did then */
  if ((fit != ROUND_IS_LATER && fit != ROUND_IS_BEYOND) || s->refused)
    return OFW_OK;
  round_plan_explain(&plan, &line, fit, err);
  return OFW_BAD_DATA;
}
