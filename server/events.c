/* events.c — streams of events: opened, woken, read by libmicrohttpd, freed by it */
#include "server/events.h"

#include <inttypes.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };
static const double silence = 10.0; /* seconds after which a comment shows that the stream is alive */

typedef struct event_stream {
  server *of;
  session *s;
  struct MHD_Connection *http;
  struct event_stream *before, *after; /* under the server's lock of streams, as all that follows */
  int suspended;
  uint64_t sent;   /* session_changes of the last row; 0: none yet */
  double last;     /* when something was last written */
  int ended;       /* the last event is written */
  ofw_text out;    /* an event */
  size_t out_used; /* of it */
} event_stream;

static int has_news(const event_stream *e)
{
  return e->sent != session_changes(e->s) || e->s->gone || atomic_load(&e->of->stopping) ||
         ofw_now() > e->last + silence;
}

/* The next event; "" if there is none. */
static void compose(event_stream *e)
{
  e->out.length = e->out_used = 0;
  if (e->ended || !has_news(e))
    return;
  if (e->s->gone || atomic_load(&e->of->stopping)) {
    ofw_text_add(&e->out, "event: end\ndata: {}\n\n");
    e->ended = 1;
  } else if (e->sent != session_changes(e->s)) {
    double row[COLUMNS];
    pthread_mutex_lock(&e->s->lock);
    feedback_settle(e->s);
    session_row(e->s, row);
    e->sent = session_changes(e->s);
    pthread_mutex_unlock(&e->s->lock);
    ofw_text_add(&e->out, "event: row\nid: %.0f\ndata: ", row[COLUMN_ROUND]);
    history_print_row(row, &e->out);
    ofw_text_add(&e->out, "\n\n");
  } else
    ofw_text_add(&e->out, ":\n\n");
  e->last = ofw_now();
}

/* libmicrohttpd asks for more. */
static ssize_t read_stream(void *ctx, uint64_t at, char *to, size_t most)
{
  event_stream *e = ctx;
  ssize_t result = 0;
  (void)at;
  pthread_mutex_lock(&e->of->streaming);
  if (e->out_used == e->out.length)
    compose(e);
  size_t n = e->out.length - e->out_used;
  if (n > 0) {
    n = n < most ? n : most;
    memcpy(to, e->out.chars + e->out_used, n);
    e->out_used += n;
    result = (ssize_t)n;
  } else if (e->ended || e->out.failed)
    result = MHD_CONTENT_READER_END_OF_STREAM;
  else if (!e->suspended) {
    e->suspended = 1;
    MHD_suspend_connection(e->http);
  }
  pthread_mutex_unlock(&e->of->streaming);
  return result;
}

static void free_stream(void *ctx)
{
  event_stream *e = ctx;
  server *s = e->of;
  pthread_mutex_lock(&s->streaming);
  *(e->before ? &e->before->after : &s->streams) = e->after;
  if (e->after)
    e->after->before = e->before;
  pthread_mutex_unlock(&s->streaming);
  gauges_sub(&s->gauges.streams, 1);
  session_release(e->s);
  free(e->out.chars);
  free(e);
}

void events_wake(server *s)
{
  pthread_mutex_lock(&s->streaming);
  for (event_stream *e = s->streams; e; e = e->after)
    if (e->suspended && has_news(e)) {
      e->suspended = 0;
      MHD_resume_connection(e->http);
    }
  pthread_mutex_unlock(&s->streaming);
}

static void link_stream(server *s, event_stream *e)
{
  pthread_mutex_lock(&s->streaming);
  e->after = s->streams;
  if (e->after)
    e->after->before = e;
  s->streams = e;
  pthread_mutex_unlock(&s->streaming);
}

int events_open(server *s, exchange *x)
{
  uint64_t before = atomic_fetch_add(&s->gauges.streams, 1);
  event_stream *e = before < s->limits.streams ? calloc(1, sizeof *e) : NULL;
  x->response = e ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, e, free_stream) : NULL;
  if (!x->response) {
    free(e);
    gauges_sub(&s->gauges.streams, 1);
    exchange_problem(x, HTTP_UNAVAILABLE, 0, "the limit of %" PRIu64 " streams of events is reached",
                     s->limits.streams);
    return 0;
  }
  atomic_fetch_add(&x->s->users, 1);
  e->of = s;
  e->s = x->s;
  e->http = x->http;
  e->last = ofw_now();
  link_stream(s, e);
  return 1;
}
