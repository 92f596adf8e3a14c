/* feedback_lines.c — what becomes of the lines of a request */
#include "server/feedback_lines.h"

#include "server/exchange.h"
#include "server/round_plan.h"

#include <stddef.h>

/* ---- answers ---- */

/* The line that it is at was played, now or before: {"round":t}. Feedback is answered by the round that is next, and with a
 * delay by its own; the decision of that round is there if it is wanted, open, and can be written out. */
static void answer(feedback *f, session *s)
{
  uint64_t round = f->line.round + (s->delay ? 0 : 1);
  session_decision d;
  int shows = (f->decide || f->line.decides) && session_find_decision(s, round, &d, NULL) == OFW_OK &&
              session_print_decision(s, &d, f->out, NULL) == OFW_OK;
  if (!shows) {
    ofw_text_add(f->out, "{\"round\":");
    ofw_text_add_count(f->out, round);
  }
  if (s->parser.id[0])
    ofw_text_add(f->out, ",\"id\":%s", s->parser.id);
  ofw_text_add(f->out, "}\n");
  f->answered++;
}

/* The line that it is at is refused. */
static void refuse(feedback *f, int status, const ofw_error *why)
{
  f->status = status;
  if (f->batch)
    ofw_fail(&f->err, why->status, "line %zu: %s", f->at, why->message);
  else
    f->err = *why;
}

static void refuse_failed(feedback *f, const char *message)
{
  ofw_error why = {0};
  ofw_fail(&why, OFW_NUMERICAL, "the learner has failed: %s", message);
  refuse(f, HTTP_FAILED, &why);
}

/* ---- what the lines are ---- */

/* The next line, in the session's parser. 1: it is new; 0: it was answered or refused. */
static int sort_line(feedback *f, session *s, const char *text, size_t length, round_plan *plan)
{
  ofw_error why = {0};
  if (session_read(s, text, length, &f->line, &why) != OFW_OK) {
    refuse(f, HTTP_BAD_REQUEST, &why);
    return 0;
  }
  round_fit fit = round_plan_sort(plan, &f->line);
  if (fit == ROUND_IS_REPEAT)
    answer(f, s);
  else if (fit != ROUND_IS_NEXT) {
    round_plan_explain(plan, &f->line, fit, &why);
    refuse(f, HTTP_CONFLICT, &why);
  } else if (session_admit(s, &f->line, &why) != OFW_OK || round_plan_admit(plan, &f->line, &why) != OFW_OK)
    refuse(f, HTTP_BAD_REQUEST, &why);
  else
    return 1;
  return 0;
}

/* The lines up to the first that is refused; how many of them are new, which the entry then has. */
static size_t sort_lines(feedback *f, session *s)
{
  const char *at = f->text, *end = f->text + f->length, *line;
  size_t length, new = 0;
  round_plan plan;
  round_plan_open(&plan, s);
  while (f->status == 0 && journal_next_line(&at, end, &line, &length)) {
    ofw_error most = {0};
    if (++f->at > FEEDBACK_MOST_LINES) {
      ofw_fail(&most, OFW_BAD_DATA, "a request has at most %d lines", FEEDBACK_MOST_LINES);
      refuse(f, HTTP_BAD_REQUEST, &most);
    } else if (sort_line(f, s, line, length, &plan)) {
      f->entry.text = new ++? f->entry.text : line;
      f->entry.length = (size_t)(line + length - f->entry.text);
    }
  }
  return new;
}

feedback_next feedback_offer(feedback *f, session *s)
{
  const char *why;
  feedback_settle(s);
  if (s->pending)
    return FEEDBACK_PARKED;
  if (session_failed(s, &why)) {
    refuse_failed(f, why);
    return FEEDBACK_READY;
  }
  size_t new = sort_lines(f, s);
  f->is_read = f->at == 1;
  if (f->at == 0)
    refuse(f, HTTP_BAD_REQUEST, &(ofw_error){OFW_BAD_DATA, "expected feedback, found an empty body"});
  if (new == 0)
    return FEEDBACK_READY;
  f->entry.id = s->id;
  s->pending = f;
  return FEEDBACK_WAITS;
}

/* ---- when they are on the disk ---- */

/* One of them. 0: it was refused. */
static int play_line(feedback *f, session *s, const char *text, size_t length, ofw_error *why)
{
  uint64_t before = s->answered;
  ofw_status st = f->is_read ? OFW_OK : session_read(s, text, length, &f->line, why);
  if (st == OFW_OK)
    st = session_play(s, &f->line, why);
  gauges_add(&f->g->rounds, s->answered - before);
  return st == OFW_OK;
}

/* All of them, also behind one at which the learner fails: when the server starts, nobody knows which lines came together. */
static void play_lines(feedback *f, session *s)
{
  const char *at = f->entry.text, *end = at + f->entry.length, *line, *failure;
  size_t length;
  int all = 1;
  while (journal_next_line(&at, end, &line, &length)) {
    ofw_error why = {0};
    int played = play_line(f, s, line, length, &why);
    if (all && played)
      answer(f, s);
    else if (all) {
      f->at = f->answered + 1;
      if (session_failed(s, &failure))
        refuse_failed(f, failure);
      else
        refuse(f, HTTP_BAD_REQUEST, &why);
    }
    all = all && played;
  }
}

void feedback_settle(session *s)
{
  feedback *f = s->pending;
  int outcome = f ? atomic_load_explicit(&f->entry.outcome, memory_order_acquire) : JOURNAL_WAITS;
  if (outcome == JOURNAL_WAITS)
    return;
  s->pending = NULL;
  if (outcome == JOURNAL_KEPT)
    play_lines(f, s);
  else
    f->status = HTTP_NO_STORAGE;
  exchange_wake_parked(s);
}
