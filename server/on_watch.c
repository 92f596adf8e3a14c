/* on_watch.c — how sessions and the server are doing: traces, events, health, metrics, the page, and the interface itself */
#include "server/events.h"
#include "server/openapi.h"
#include "server/route.h"

#include <stdio.h>

static const char text_type[] = "text/plain; charset=utf-8";

void on_trace(server *of, exchange *x)
{
  uint64_t points;
  double now[COLUMNS];
  (void)of;
  if (!exchange_query_count(x, "points", 2, HISTORY_MOST + 1, HISTORY_MOST / 2, &points))
    return;
  pthread_mutex_lock(&x->s->lock);
  feedback_settle(x->s);
  session_row(x->s, now);
  history_print(&x->s->history, now, (size_t)points, &x->reply);
  pthread_mutex_unlock(&x->s->lock);
  exchange_answer(x, 200, "application/json");
}

void on_events(server *of, exchange *x)
{
  if (events_open(of, x))
    exchange_answer(x, 200, "text/event-stream");
}

void on_health(server *of, exchange *x)
{
  (void)of;
  ofw_text_add(&x->reply, "ok\n");
  exchange_answer(x, 200, text_type);
}

void on_ready(server *of, exchange *x)
{
  ofw_error why = {0};
  if (journal_failed(of->journal, &why)) {
    exchange_problem(x, HTTP_NO_STORAGE, 0, "%s", why.message);
    return;
  }
  ofw_text_add(&x->reply, "ready\n");
  exchange_answer(x, 200, text_type);
}

void on_metrics(server *of, exchange *x)
{
  ofw_error why;
  gauges_seen seen = {.sessions = sessions_count(&of->sessions),
                      .open_rounds = sessions_open_rounds(&of->sessions),
                      .storage_failed = journal_failed(of->journal, &why)};
  journal_size(of->journal, &seen.log_bytes, &seen.log_files);
  gauges_print(&of->gauges, &seen, &x->reply);
  exchange_answer(x, 200, "text/plain; version=0.0.4; charset=utf-8");
}

void on_openapi(server *of, exchange *x)
{
  (void)of;
  ofw_text_add(&x->reply, "%s", openapi_document);
  exchange_answer(x, 200, "application/json");
}

/* What the page may load it says itself, by hashes; that no other page may show it within itself, only a header can say. */
void on_page(server *of, exchange *x)
{
  if (!*of->page) {
    exchange_problem(x, HTTP_NOT_FOUND, 0, "this ofw was built without its pages; the interface is at /openapi.json");
    return;
  }
  ofw_text_add(&x->reply, "%s", of->page);
  x->extra_name = "Content-Security-Policy";
  snprintf(x->extra, sizeof x->extra, "frame-ancestors 'none'");
  exchange_answer(x, 200, "text/html; charset=utf-8");
}
