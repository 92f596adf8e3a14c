/* on_rounds.c — decisions are asked for and feedback comes: the requests that there are many of */
#include "server/route.h"

#include "wire/ask.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char json_type[] = "application/json", lines_type[] = "application/x-ndjson";

/* ---- parts of a decision ---- */

/* "i,j" or "r:c,r:c" becomes the pipe's request for entries or cells; 0: it is neither. */
static int add_entries(ofw_text *ask, const char *entries)
{
  int cells = strchr(entries, ':') != NULL;
  if (!entries[0] || entries[strspn(entries, "0123456789:,")])
    return 0;
  ofw_text_add(ask, cells ? "{\"ask\":{\"cells\":[[" : "{\"ask\":{\"entries\":[");
  for (const char *at = entries; *at; at++)
    ofw_text_add(ask, *at == ':' ? "," : *at == ',' && cells ? "],[" : "%c", *at);
  ofw_text_add(ask, cells ? "]]}}" : "]}}");
  return 1;
}

/* The query as a request of the pipe (wire/ask.h). 1: there is one; 0: the whole decision is wanted; -1: a problem. */
static int read_query(exchange *x, ofw_text *ask)
{
  const char *entries = exchange_query(x, "entries"), *row = exchange_query(x, "row"), *top = exchange_query(x, "top");
  uint64_t r, k;
  if (!entries && !row && !top)
    return 0;
  if (!exchange_query_count(x, "row", 0, OFW_MOST_SIDE, 0, &r) ||
      !exchange_query_count(x, "top", 0, OFW_MOST_ASKED, 0, &k))
    return -1;
  if (entries && (row || top || !add_entries(ask, entries))) {
    exchange_problem(x, HTTP_BAD_REQUEST, 0, "entries: expected i,.. or row:column,.. alone, found '%.100s'", entries);
    return -1;
  }
  if (top && row)
    ofw_text_add(ask, "{\"ask\":{\"top\":{\"row\":%" PRIu64 ",\"k\":%" PRIu64 "}}}", r, k);
  else if (top)
    ofw_text_add(ask, "{\"ask\":{\"top\":{\"k\":%" PRIu64 "}}}", k);
  else if (row)
    ofw_text_add(ask, "{\"ask\":{\"row\":%" PRIu64 "}}", r);
  return ask->failed ? -1 : 1;
}

/* The answer calls cells entries, as the query does. */
static void rename_cells(ofw_text *reply)
{
  static const char from[] = ",\"cells\":", to[] = ",\"entries\":";
  char *at = reply->length ? strstr(reply->chars, from) : NULL;
  size_t more = strlen(to) - strlen(from);
  if (!at)
    return;
  size_t offset = (size_t)(at - reply->chars);
  if (ofw_grow(&reply->chars, reply->length, more + 1, &reply->room, 1, NULL) != OFW_OK) {
    reply->failed = 1;
    return;
  }
  at = reply->chars + offset;
  memmove(at + strlen(to), at + strlen(from), reply->length - offset - strlen(from) + 1);
  memcpy(at, to, strlen(to));
  reply->length += more;
}

static ofw_status answer_part(session *s, const ofw_text *question, ofw_text *reply, ofw_error *err)
{
  ofw_ask ask;
  ofw_info info = {.size = sizeof info};
  ofw_ndjson room = {.rows = s->rows, .cols = s->cols};
  ofw_learner_info(s->l, &info);
  info.round = s->waits_for;
  ofw_status st = ofw_ask_read(&room, question->chars, question->length, &ask, err);
  if (st == OFW_OK)
    st = ofw_ask_answer(&ask, &info, s->x, reply, err);
  ofw_ndjson_free(&room);
  rename_cells(reply);
  return st;
}

static ofw_status answer_whole(session *s, ofw_text *reply, ofw_error *err)
{
  OFW_TRY(session_print_decision(s, reply, err));
  ofw_text_add(reply, "}\n");
  return OFW_OK;
}

void on_decision(server *of, exchange *x)
{
  ofw_text question = {0};
  ofw_error err = {0};
  const char *why;
  (void)of;
  int part = read_query(x, &question);
  if (part >= 0) {
    pthread_mutex_lock(&x->s->lock);
    feedback_settle(x->s);
    if (session_failed(x->s, &why))
      exchange_problem(x, HTTP_FAILED, x->s->waits_for, "the learner has failed: %s", why);
    else {
      ofw_status st = part ? answer_part(x->s, &question, &x->reply, &err) : answer_whole(x->s, &x->reply, &err);
      if (st == OFW_OK)
        exchange_answer(x, 200, json_type);
      else
        exchange_problem(x, problem_of(st), 0, "%s", err.message);
    }
    pthread_mutex_unlock(&x->s->lock);
  }
  free(question.chars);
}

/* ---- feedback ---- */

/* In the journal's thread: the lines have their outcome. */
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

/* The body as lines of feedback; 0 after a problem. */
static int open_feedback(server *of, exchange *x)
{
  uint64_t decide;
  if (!exchange_query_count(x, "decide", 0, 1, 0, &decide))
    return 0;
  if (!x->is_ndjson)
    join_lines(&x->body);
  x->feedback = (feedback){.text = x->body.length ? x->body.chars : "",
                           .length = x->body.length,
                           .batch = x->is_ndjson,
                           .decide = (int)decide,
                           .out = &x->reply,
                           .g = &of->gauges,
                           .entry = {.done = on_outcome}};
  return 1;
}

/* Its lines are sorted; new ones go to the journal. 1: the exchange waits, and may be resumed at any moment; 0: it is ready. */
static int offer(server *of, exchange *x)
{
  session *s = x->s;
  pthread_mutex_lock(&s->lock);
  feedback_next next = feedback_offer(&x->feedback, s);
  if (next == FEEDBACK_PARKED)
    exchange_park(x, s);
  else if (next == FEEDBACK_WAITS)
    exchange_suspend(x);
  pthread_mutex_unlock(&s->lock);
  if (next == FEEDBACK_WAITS)
    journal_add(of->journal, &x->feedback.entry);
  return next != FEEDBACK_READY;
}

static void refuse(server *of, exchange *x)
{
  const feedback *f = &x->feedback;
  ofw_error why = f->err;
  if (f->status == HTTP_NO_STORAGE)
    journal_failed(of->journal, &why);
  x->reply.length = 0;
  problem_print((problem_kind)f->status, why.message, x->s->waits_for, f->batch ? (long)f->answered : -1, &x->reply);
  exchange_answer(x, problem_status((problem_kind)f->status), "application/problem+json");
}

void on_feedback(server *of, exchange *x)
{
  feedback *f = &x->feedback;
  if (!f->out && !open_feedback(of, x))
    return;
  if (!f->entry.id && offer(of, x)) /* it has an id if it comes back from the journal */
    return;
  pthread_mutex_lock(&x->s->lock);
  feedback_settle(x->s);
  pthread_mutex_unlock(&x->s->lock);
  if (f->status)
    refuse(of, x);
  else
    exchange_answer(x, 200, f->batch ? lines_type : json_type);
}
