/* feedback_lines.c — what becomes of the lines of a request */
#include "server/feedback_lines.h"

#include "server/exchange.h"

#include <inttypes.h>
#include <stddef.h>

/* ---- answers ---- */

/* {"round":t} with the decision if it is asked for and can be written out. */
static void answer(feedback *f, session *s, uint64_t round)
{
  int shows = f->decide && round == s->waits_for && s->x && session_print_decision(s, f->out, NULL) == OFW_OK;
  if (!shows)
    ofw_text_add(f->out, "{\"round\":%" PRIu64, round);
  ofw_text_add(f->out, "%s%s}\n", s->parser.id[0] ? ",\"id\":" : "", s->parser.id);
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

static void refuse_round(feedback *f, session *s, uint64_t expected, int other)
{
  ofw_error why = {0};
  uint64_t round = s->parser.round;
  if (other)
    ofw_fail(&why, OFW_USAGE, "round %" PRIu64 " has had other feedback; expected the feedback of round %" PRIu64,
             round, expected);
  else
    ofw_fail(&why, OFW_USAGE, "round %" PRIu64 ": expected the feedback of round %" PRIu64, round, expected);
  refuse(f, HTTP_CONFLICT, &why);
}

static void refuse_failed(feedback *f, const char *message)
{
  ofw_error why = {0};
  ofw_fail(&why, OFW_NUMERICAL, "the learner has failed: %s", message);
  refuse(f, HTTP_FAILED, &why);
}

/* ---- what the lines are ---- */

/* The next line, in the session's parser. 1: it is the first or another new one; 0: it was answered or refused. */
static int sort_line(feedback *f, session *s, const char *line, size_t length, uint64_t expected, int none_new)
{
  ofw_error why = {0};
  if (session_read(s, line, length, &f->fb, &why) != OFW_OK) {
    refuse(f, HTTP_BAD_REQUEST, &why);
    return 0;
  }
  uint64_t round = s->parser.round;
  if (round == expected) {
    if (session_admit(s, &f->fb, &why) == OFW_OK)
      return 1;
    refuse(f, HTTP_BAD_REQUEST, &why);
    return 0;
  }
  int repeats = none_new && round < expected ? session_repeats(s, round, line, length) : -1;
  if (repeats == 1)
    answer(f, s, round + 1);
  else
    refuse_round(f, s, expected, repeats == 0);
  return 0;
}

feedback_next feedback_offer(feedback *f, session *s)
{
  const char *at = f->text, *end = f->text + f->length, *line, *why;
  size_t length, lines = 0, new = 0;
  feedback_settle(s);
  if (s->pending)
    return FEEDBACK_PARKED;
  if (session_failed(s, &why)) {
    refuse_failed(f, why);
    return FEEDBACK_READY;
  }
  f->is_read = 1;
  while (f->status == 0 && journal_next_line(&at, end, &line, &length)) {
    ofw_error most = {0};
    f->at = ++lines;
    if (lines > FEEDBACK_MOST_LINES) {
      ofw_fail(&most, OFW_BAD_DATA, "a request has at most %d lines", FEEDBACK_MOST_LINES);
      refuse(f, HTTP_BAD_REQUEST, &most);
    } else if (sort_line(f, s, line, length, s->waits_for + new, new == 0)) {
      f->entry.text = new ++? f->entry.text : line;
      f->entry.length = (size_t)(line + length - f->entry.text);
    }
  }
  if (lines == 0)
    refuse(f, HTTP_BAD_REQUEST, &(ofw_error){OFW_BAD_DATA, "expected feedback, found an empty body"});
  if (new == 0)
    return FEEDBACK_READY;
  f->is_read = lines == 1;
  f->entry.id = s->id;
  s->pending = f;
  return FEEDBACK_WAITS;
}

/* ---- when they are on the disk ---- */

static void play_lines(feedback *f, session *s)
{
  const char *at = f->entry.text, *end = at + f->entry.length, *line;
  size_t length;
  while (journal_next_line(&at, end, &line, &length)) {
    ofw_error why = {0};
    uint64_t before = s->waits_for;
    f->at = f->answered + 1;
    ofw_status st = f->is_read ? OFW_OK : session_read(s, line, length, &f->fb, &why);
    if (st == OFW_OK)
      st = session_play(s, line, length, &f->fb, &why);
    gauges_add(&f->g->rounds, s->waits_for - before);
    if (st != OFW_OK) {
      const char *failure;
      s->refused = s->waits_for;
      if (session_failed(s, &failure))
        refuse_failed(f, failure);
      else
        refuse(f, HTTP_BAD_REQUEST, &why);
      return;
    }
    answer(f, s, s->waits_for);
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
