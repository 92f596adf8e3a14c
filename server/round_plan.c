/* round_plan.c — lines are sorted by their rounds: with feedback after each decision, or with a delay */
#include "server/round_plan.h"

#include <inttypes.h>

void round_plan_open(round_plan *p, const session *s)
{
  p->s = s;
  p->lines = p->answered = p->constraints = 0;
}

/* Rounds that will have a decision. */
static uint64_t decided(const round_plan *p)
{
  return p->s->decided + (p->s->delay ? p->lines - p->answered : p->answered);
}

/* The only round, without a delay, that feedback is expected of. */
static uint64_t expected(const round_plan *p)
{
  return p->s->answered + p->answered + 1;
}

static uint64_t open_count(const round_plan *p)
{
  return decided(p) - p->s->answered - p->answered;
}

/* With a delay: whether the round will have a decision and no feedback. */
static int is_open(const round_plan *p, uint64_t round)
{
  const ofw_open_rounds *open = p->s->l->open;
  for (size_t k = 0; k < p->answered; k++)
    if (p->round[k] == round)
      return 0;
  return round <= decided(p) && (round > p->s->decided || ofw_open_rounds_find(open, round) < open->count);
}

static round_fit sort_passed(const round_plan *p, const session_line *line)
{
  if (p->lines > 0)
    return ROUND_IS_TAKEN;
  return line->decides || repeats_find(&p->s->repeats, line->round, line->text, line->length) == 1 ? ROUND_IS_REPEAT
                                                                                                   : ROUND_IS_TAKEN;
}

static round_fit sort(const round_plan *p, const session_line *line)
{
  uint64_t round = line->round;
  if (!p->s->delay)
    return round == expected(p) ? ROUND_IS_NEXT : round > expected(p) ? ROUND_IS_LATER : sort_passed(p, line);
  if (line->decides && round == decided(p) + 1)
    return open_count(p) <= p->s->delay ? ROUND_IS_NEXT : ROUND_IS_BEYOND;
  if (round > decided(p))
    return ROUND_IS_LATER;
  return !line->decides && is_open(p, round) ? ROUND_IS_NEXT : sort_passed(p, line);
}

round_fit round_plan_sort(round_plan *p, const session_line *line)
{
  round_fit fit = sort(p, line);
  if (fit != ROUND_IS_NEXT)
    return fit;
  p->lines++;
  if (!line->decides)
    p->round[p->answered++] = line->round;
  return fit;
}

/* If each constraint has its account, the first feedback that has any fixes how many there are. */
ofw_status round_plan_admit(round_plan *p, const session_line *line, ofw_error *err)
{
  size_t found = line->decides ? 0 : line->fb.values.constraints;
  if (!p->s->l->accounts || found == 0)
    return OFW_OK;
  if (p->constraints && found != p->constraints)
    return ofw_fail(err, OFW_BAD_DATA, "expected %zu constraints, as in the lines before, found %zu", p->constraints,
                    found);
  p->constraints = found;
  return OFW_OK;
}

/* ---- messages ---- */

static void explain_delayed(const round_plan *p, const session_line *line, round_fit fit, ofw_error *err)
{
  uint64_t round = line->round;
  if (fit == ROUND_IS_BEYOND)
    ofw_fail(err, OFW_USAGE,
             "round %" PRIu64 ": delay=%" PRIu64 ": %" PRIu64
             " decisions wait for their feedback; send the feedback of one of them first",
             round, p->s->delay, open_count(p));
  else if (fit == ROUND_IS_LATER)
    ofw_fail(err, OFW_USAGE, "round %" PRIu64 ": %s; the next decision is of round %" PRIu64, round,
             line->decides ? "decisions are asked for in the order of their rounds" : "feedback without a decision",
             decided(p) + 1);
  else if (line->decides)
    ofw_fail(err, OFW_USAGE, "round %" PRIu64 " is decided already, and lines that come again come before new ones",
             round);
  else
    ofw_fail(err, OFW_USAGE, "round %" PRIu64 " has its feedback already%s", round,
             repeats_find(&p->s->repeats, round, line->text, line->length) == 0 ? ", which was another" : "");
}

void round_plan_explain(const round_plan *p, const session_line *line, round_fit fit, ofw_error *err)
{
  if (p->s->delay)
    explain_delayed(p, line, fit, err);
  else if (fit == ROUND_IS_TAKEN && p->lines == 0 &&
           repeats_find(&p->s->repeats, line->round, line->text, line->length) == 0)
    ofw_fail(err, OFW_USAGE, "round %" PRIu64 " has had other feedback; expected the feedback of round %" PRIu64,
             line->round, expected(p));
  else
    ofw_fail(err, OFW_USAGE, "round %" PRIu64 ": expected the feedback of round %" PRIu64, line->round, expected(p));
}
