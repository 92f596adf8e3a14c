/* on_rounds.c — feedback comes, and with a delay decisions are asked for: the requests that there are many of */
#include "server/route.h"

#include "wire/cursor.h"

#include <stddef.h>
#include <string.h>

/* In the thread that has committed the lines: they have their outcome. If that is the exchange's own, it was not suspended. */
static void on_outcome(journal_entry *e)
{
  feedback *f = (feedback *)(void *)((char *)e - offsetof(feedback, entry));
  exchange_resume((exchange *)(void *)((char *)f - offsetof(exchange, feedback)));
}

/* One document may be spread over lines; in the log it is one. Nothing but blanks between its parts changes. */
static void join_lines(ofw_text *body)
{
  char *const end = body->chars + body->length;
  for (char *at = body->chars; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
    *at = ' ';
  for (char *at = body->chars; at < end && (at = memchr(at, '\r', (size_t)(end - at))); at++)
    *at = ' ';
}

/* The body as lines for the session. */
static void open_lines(server *of, exchange *x, int decide)
{
  if (!x->is_ndjson)
    join_lines(&x->body);
  x->feedback = (feedback){.text = x->body.length ? x->body.chars : "",
                           .length = x->body.length,
                           .batch = x->is_ndjson,
                           .decide = decide,
                           .out = &x->reply,
                           .g = &of->gauges,
                           .entry = {.done = on_outcome}};
}

/* 0 after a problem. */
static int open_feedback(server *of, exchange *x)
{
  uint64_t decide;
  if (!exchange_query_count(x, "decide", 0, 1, 0, &decide))
    return 0;
  if (decide && x->s->delay) {
    exchange_problem(x, HTTP_BAD_REQUEST, 0,
                     "decide: a session with a delay has decisions by their rounds: POST .../decide, or a line "
                     "{\"ask\":{\"decide\":{\"round\":t}}} behind the feedback");
    return 0;
  }
  open_lines(of, x, (int)decide);
  return 1;
}

/* 1: nobody else has asked for anything, so that nobody waits while this thread syncs the log. Streams of events rest. */
static int is_alone(const server *of)
{
  return gauges_get(&of->gauges.requests) <= 1 + gauges_get(&of->gauges.streams);
}

/* Its lines are sorted; new ones go to the journal. 1: the exchange waits, and may be resumed at any moment; 0: it is ready. */
static int offer(server *of, exchange *x)
{
  session *s = x->s;
  pthread_mutex_lock(&s->lock);
  feedback_next next = feedback_offer(&x->feedback, s);
  if (next == FEEDBACK_PARKED)
    exchange_park(x, s);
  pthread_mutex_unlock(&s->lock);
  if (next == FEEDBACK_WAITS && is_alone(of) && journal_try(of->journal, &x->feedback.entry))
    return 0;
  if (next == FEEDBACK_WAITS) {
    exchange_suspend(x);
    journal_add(of->journal, &x->feedback.entry);
  }
  return next != FEEDBACK_READY;
}

static void refuse(server *of, exchange *x)
{
  const feedback *f = &x->feedback;
  ofw_error why = f->err;
  if (f->status == HTTP_NO_STORAGE)
    journal_failed(of->journal, &why);
  x->reply.length = 0;
  problem_print((problem_kind)f->status, why.message, session_next(x->s), f->batch ? (long)f->answered : -1, &x->reply);
  exchange_answer(x, problem_status((problem_kind)f->status), "application/problem+json");
}

/* Its lines are on their way, or they are answered. */
static void play(server *of, exchange *x)
{
  feedback *f = &x->feedback;
  if (!f->entry.id && offer(of, x)) /* it has an id if it comes back from the journal */
    return;
  pthread_mutex_lock(&x->s->lock);
  feedback_settle(x->s);
  pthread_mutex_unlock(&x->s->lock);
  if (f->status)
    refuse(of, x);
  else
    exchange_answer(x, 200, f->batch ? "application/x-ndjson" : "application/json");
}

void on_feedback(server *of, exchange *x)
{
  if (x->feedback.out || open_feedback(of, x))
    play(of, x);
}

/* ---- decisions of a session with a delay ---- */

/* {"round":t}, and an "id" that the answer repeats. */
static ofw_status read_round(ofw_cursor *c, size_t *round)
{
  static const char *const fields[] = {"round", "id"};
  int which;
  do {
    c->field = NULL;
    OFW_TRY(ofw_cursor_field(c, fields, 2, &which));
    c->field = fields[which];
    if (which == 0 && *round)
      return ofw_fail(c->err, OFW_BAD_DATA, "field 'round' appears twice");
    OFW_TRY(which == 0 ? ofw_cursor_index(c, "the round", round) : ofw_cursor_id(c));
    if (*round == 0 && which == 0)
      return ofw_fail(c->err, OFW_BAD_DATA, "field 'round': rounds are counted from 1, found 0");
  } while (ofw_cursor_accept(c, ','));
  return OFW_OK;
}

/* The body becomes the line that `ofw pipe` asks for a decision by. */
static ofw_status write_line(ofw_text *body, ofw_error *err)
{
  ofw_cursor c;
  ofw_ndjson room = {0};
  int empty = 0;
  size_t round = 0;
  ofw_status st = ofw_cursor_open(&c, &room, body->length ? body->chars : "", body->length, err, &empty);
  if (st == OFW_OK && !empty)
    st = read_round(&c, &round);
  if (st == OFW_OK)
    st = ofw_cursor_close(&c);
  if (st == OFW_OK && round == 0)
    st = ofw_fail(err, OFW_BAD_DATA, "field 'round' is missing");
  if (st == OFW_OK) {
    body->length = 0;
    ofw_text_add(body, "{\"ask\":{\"decide\":{\"round\":%zu}}%s%s}", round, room.id[0] ? ",\"id\":" : "", room.id);
    st = body->failed ? ofw_fail_memory(err, 64) : OFW_OK;
  }
  ofw_ndjson_free(&room);
  return st;
}

void on_decide(server *of, exchange *x)
{
  ofw_error err = {0};
  if (!x->feedback.out) {
    if (!x->s->delay)
      ofw_fail(&err, OFW_USAGE, "this session has no delay: its decision is always open, and GET .../decision has it");
    if (err.status != OFW_OK || write_line(&x->body, &err) != OFW_OK) {
      exchange_problem(x, problem_of(err.status), 0, "%s", err.message);
      return;
    }
    open_lines(of, x, 0);
  }
  play(of, x);
}
