/* on_decisions.c — decisions that are open are read, whole or in parts */
#include "server/route.h"

#include "wire/ask.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* The query as a request of the pipe (wire/ask.h), empty if the whole decision is wanted; 0 after a problem. */
static int read_query(exchange *x, ofw_text *ask)
{
  const char *entries = exchange_query(x, "entries"), *row = exchange_query(x, "row"), *top = exchange_query(x, "top");
  uint64_t r, k;
  if (!entries && !row && !top)
    return 1;
  if (!exchange_query_count(x, "row", 0, OFW_MOST_ROWS, 0, &r) ||
      !exchange_query_count(x, "top", 0, OFW_MOST_ASKED, 0, &k))
    return 0;
  if (entries && (row || top || !add_entries(ask, entries))) {
    exchange_problem(x, HTTP_BAD_REQUEST, 0, "entries: expected i,.. or row:column,.. alone, found '%.100s'", entries);
    return 0;
  }
  if (top && row)
    ofw_text_add(ask, "{\"ask\":{\"top\":{\"row\":%" PRIu64 ",\"k\":%" PRIu64 "}}}", r, k);
  else if (top)
    ofw_text_add(ask, "{\"ask\":{\"top\":{\"k\":%" PRIu64 "}}}", k);
  else if (row)
    ofw_text_add(ask, "{\"ask\":{\"row\":%" PRIu64 "}}", r);
  if (ask->failed)
    exchange_problem(x, HTTP_UNAVAILABLE, 0, "out of memory for the query");
  return !ask->failed;
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

static ofw_status answer_part(session *s, const session_decision *d, const ofw_text *question, ofw_text *reply,
                              ofw_error *err)
{
  ofw_ask ask;
  ofw_info info = {.size = sizeof info};
  ofw_ndjson room = {.rows = s->rows, .cols = s->cols};
  ofw_learner_info(s->l, &info);
  info.round = d->round;
  ofw_status st = ofw_ask_read(&room, question->chars, question->length, &ask, err);
  if (st == OFW_OK)
    st = ofw_ask_answer(&ask, &info, d->x, reply, err);
  ofw_ndjson_free(&room);
  rename_cells(reply);
  return st;
}

static ofw_status answer_whole(session *s, const session_decision *d, ofw_text *reply, ofw_error *err)
{
  OFW_TRY(session_print_decision(s, d, reply, err));
  ofw_text_add(reply, "}\n");
  return OFW_OK;
}

/* Under the session's lock; `question` is empty if the whole decision is wanted. */
static void answer(exchange *x, uint64_t round, const ofw_text *question)
{
  session_decision d;
  ofw_error err = {0};
  ofw_status st = session_find_decision(x->s, round, &d, &err);
  if (st != OFW_OK) {
    exchange_problem(x, st == OFW_NUMERICAL ? HTTP_FAILED : HTTP_CONFLICT, session_next(x->s), "%s", err.message);
    return;
  }
  st = question->length ? answer_part(x->s, &d, question, &x->reply, &err) : answer_whole(x->s, &d, &x->reply, &err);
  if (st == OFW_OK)
    exchange_answer(x, 200, "application/json");
  else
    exchange_problem(x, problem_of(st), 0, "%s", err.message);
}

void on_decision(server *of, exchange *x)
{
  ofw_text question = {0};
  uint64_t round;
  (void)of;
  if (exchange_query_count(x, "round", 1, UINT64_MAX, 0, &round) && read_query(x, &question)) {
    pthread_mutex_lock(&x->s->lock);
    feedback_settle(x->s);
    answer(x, round, &question);
    pthread_mutex_unlock(&x->s->lock);
  }
  free(question.chars);
}
