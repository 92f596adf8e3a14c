/* http.c — libmicrohttpd: two threads with epoll, and the life of a connection and of a request on it
 *
 * libmicrohttpd calls on_request for the head of a request, for each piece of its body, and at its end; again after a
 * suspended exchange was resumed. All of one connection's calls come from one thread.
 */
#include "server/route.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  THREADS = 2,
  HEAD_BYTES = 8192,      /* of a request's head, and of a piece of its body */
  KEPT_BYTES = 256 << 10, /* of a buffer that stays for the next request */
  FIRST_BODY = 4096
};

static uint64_t milliseconds(void)
{
  return (uint64_t)(ofw_now() * 1e3);
}

/* ---- connections ---- */

static void waits_for_client(exchange *x)
{
  atomic_store(&x->since, milliseconds());
  atomic_store(&x->patient, 0);
}

static void open_connection(server *s, struct MHD_Connection *http, void **kept)
{
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(http, MHD_CONNECTION_INFO_CONNECTION_FD);
  exchange *x = calloc(1, sizeof *x);
  *kept = x;
  if (!x)
    return; /* its requests are refused */
  x->of = s;
  x->http = http;
  x->socket = info ? info->connect_fd : -1;
  waits_for_client(x);
  pthread_mutex_lock(&s->connected);
  x->after = s->connections;
  if (x->after)
    x->after->before = x;
  s->connections = x;
  pthread_mutex_unlock(&s->connected);
  gauges_add(&s->gauges.connections, 1);
}

static void close_connection(server *s, exchange *x)
{
  if (!x)
    return;
  pthread_mutex_lock(&s->connected);
  *(x->before ? &x->before->after : &s->connections) = x->after;
  if (x->after)
    x->after->before = x->before;
  pthread_mutex_unlock(&s->connected);
  gauges_sub(&s->gauges.connections, 1);
  free(x->body.chars);
  free(x->reply.chars);
  free(x);
}

static void on_connection(void *ctx, struct MHD_Connection *http, void **kept, enum MHD_ConnectionNotificationCode code)
{
  if (code == MHD_CONNECTION_NOTIFY_STARTED)
    open_connection(ctx, http, kept);
  else
    close_connection(ctx, *kept);
}

void http_shut_slow(server *s)
{
  uint64_t now = milliseconds(), most = s->limits.timeout * 1000;
  pthread_mutex_lock(&s->connected); /* its socket is closed after it has left the list, so that this one is its own */
  for (exchange *x = s->connections; x; x = x->after)
    if (!atomic_load(&x->patient) && now > atomic_load(&x->since) + most && !atomic_exchange(&x->patient, 1)) {
      shutdown(x->socket, SHUT_RDWR);
      gauges_add(&s->gauges.timeouts, 1);
    }
  pthread_mutex_unlock(&s->connected);
}

/* ---- the head of a request ---- */

static const char *header(const exchange *x, const char *name)
{
  return MHD_lookup_connection_value(x->http, MHD_HEADER_KIND, name);
}

/* 1: a Content-Type of this kind, whatever parameters follow. */
static int is_type(const char *given, const char *type)
{
  size_t n = strlen(type);
  return given && strncasecmp(given, type, n) == 0 && (given[n] == 0 || given[n] == ';' || given[n] == ' ');
}

static int check_access(server *s, exchange *x, const route *r, const char *method)
{
  if (s->tokens.count == 0 && !access_host_is_local(header(x, "Host"))) {
    exchange_problem(x, HTTP_FORBIDDEN, 0,
                     "the Host header must name this machine: localhost, 127.0.0.1 or [::1]; for other names start the "
                     "server with --token-file");
    return 0;
  }
  if (r->is_open)
    return 1;
  access_right right = access_allows(&s->tokens, header(x, "Authorization"));
  if (right == ACCESS_NONE) {
    exchange_problem(x, HTTP_UNAUTHORIZED, 0, "expected the header 'Authorization: Bearer TOKEN' with a valid token");
    x->extra_name = "WWW-Authenticate";
    snprintf(x->extra, sizeof x->extra, "Bearer realm=\"ofw\"");
    return 0;
  }
  if (right == ACCESS_READ && strcmp(method, "GET") != 0) {
    exchange_problem(x, HTTP_FORBIDDEN, 0, "this token is for reading, and %s needs one for writing", method);
    return 0;
  }
  return 1;
}

static int check_type(exchange *x, const route *r)
{
  const char *type = header(x, "Content-Type");
  if (r->body == BODY_NONE)
    return 1;
  x->is_ndjson = r->body == BODY_LINES && is_type(type, "application/x-ndjson");
  if (x->is_ndjson || is_type(type, "application/json"))
    return 1;
  exchange_problem(x, HTTP_MEDIA_TYPE, 0, "Content-Type: expected application/json%s, found %s%.60s%s",
                   r->body == BODY_LINES ? " or application/x-ndjson" : "", type ? "'" : "", type ? type : "none",
                   type ? "'" : "");
  return 0;
}

/* Whether the session may have another request now: `rate` per second, and as many at once. */
static int check_rate(server *s, exchange *x)
{
  double now = x->begun, rate = (double)s->limits.rate;
  if (s->limits.rate == 0)
    return 1;
  pthread_mutex_lock(&x->s->lock);
  double tokens = x->s->filled == 0.0 ? rate : x->s->tokens + (now - x->s->filled) * rate;
  x->s->tokens = tokens > rate ? rate : tokens;
  x->s->filled = now;
  int may = x->s->tokens >= 1.0;
  x->s->tokens -= may ? 1.0 : 0.0;
  pthread_mutex_unlock(&x->s->lock);
  if (!may) {
    exchange_problem(x, HTTP_TOO_MANY, 0, "more than %.0f requests per second to this session", rate);
    x->extra_name = "Retry-After";
    snprintf(x->extra, sizeof x->extra, "1");
  }
  return may;
}

static const route *find_route(server *s, exchange *x, const char *method, const char *path)
{
  char id[SESSION_ID + 1], allowed[ROUTE_METHODS];
  const route *r = route_find(method, path, id, allowed);
  if (!r && allowed[0]) {
    exchange_problem(x, HTTP_METHOD, 0, "this path has other methods: %s", allowed);
    x->extra_name = "Allow";
    snprintf(x->extra, sizeof x->extra, "%s", allowed);
  } else if (!r)
    exchange_problem(x, HTTP_NOT_FOUND, 0, "there is no such path; GET /openapi.json lists them");
  if (!r || !check_access(s, x, r, method) || !check_type(x, r))
    return NULL;
  if (!id[0])
    return r;
  x->s = sessions_find(&s->sessions, id);
  if (!x->s)
    exchange_problem(x, HTTP_NOT_FOUND, 0, "there is no session %s", id);
  return x->s && check_rate(s, x) ? r : NULL;
}

/* Where the head of a request leads; what is wrong with it is answered when the body has come. */
static void begin(server *s, exchange *x, const char *method, const char *path)
{
  gauges_add(&s->gauges.requests, 1);
  waits_for_client(x); /* to send the body */
  x->phase = EXCHANGE_READING;
  x->begun = ofw_now();
  x->body.length = x->reply.length = 0;
  x->reply.failed = 0;
  if (atomic_load(&s->stopping)) {
    exchange_problem(x, HTTP_UNAVAILABLE, 0, "the server is stopping");
    x->closes = 1;
    return;
  }
  x->route = find_route(s, x, method, path);
}

/* %XX become bytes, unless one of them is a 0: C would see the end of the text there, and a client another path. */
static size_t unescape(void *ctx, struct MHD_Connection *http, char *text)
{
  (void)ctx, (void)http;
  return strstr(text, "%00") ? strlen(text) : MHD_http_unescape(text);
}

/* ---- its body ---- */

/* 1: so many more bytes are within the limit, and in the buffer if they will be needed. */
static int take_body(server *s, exchange *x, const char *bytes, size_t n)
{
  if (n > s->limits.body - x->body.length) {
    exchange_problem(x, HTTP_TOO_LARGE, 0, "a body of more than %llu bytes", (unsigned long long)s->limits.body);
    x->closes = 1;
    return 0;
  }
  if (x->route && ofw_grow(&x->body.chars, x->body.length, n + FIRST_BODY, &x->body.room, 1, NULL) != OFW_OK) {
    exchange_problem(x, HTTP_UNAVAILABLE, 0, "out of memory for the body");
    x->closes = 1;
    return 0;
  }
  if (x->route)
    memcpy(x->body.chars + x->body.length, bytes, n);
  x->body.length += n;
  return 1;
}

/* 1: a client asks before it sends a body (Expect: 100-continue) that is above the limit. Others send it whatever is said,
 * and would not read an answer before: what they send is dropped. */
static int announces_too_much(server *s, exchange *x)
{
  uint64_t length;
  const char *text = header(x, "Content-Length");
  return text && header(x, "Expect") && ofw_read_count(text, &length) == 1 && length > s->limits.body &&
         !take_body(s, x, "", SIZE_MAX);
}

/* ---- its answer ---- */

static struct MHD_Response *make_response(exchange *x)
{
  struct MHD_Response *r = x->response;
  if (!r)
    r = MHD_create_response_from_buffer(x->reply.length, x->reply.chars, MHD_RESPMEM_PERSISTENT);
  if (!r)
    return NULL;
  if (x->type)
    MHD_add_response_header(r, "Content-Type", x->type);
  MHD_add_response_header(r, "Cache-Control", "no-store");
  MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
  if (x->extra_name)
    MHD_add_response_header(r, x->extra_name, x->extra);
  if (x->closes)
    MHD_add_response_header(r, "Connection", "close");
  return r;
}

static enum MHD_Result send_answer(server *s, exchange *x)
{
  struct MHD_Response *r = make_response(x);
  if (!r)
    return MHD_NO;
  x->phase = EXCHANGE_ANSWERED;
  gauges_add(&s->gauges.answers[x->status / 100 % 6], 1);
  if (!x->response)
    waits_for_client(x); /* to read it */
  x->response = NULL;
  enum MHD_Result queued = MHD_queue_response(x->http, (unsigned)x->status, r);
  MHD_destroy_response(r);
  return queued;
}

static enum MHD_Result handle(server *s, exchange *x)
{
  x->phase = EXCHANGE_HANDLING;
  if (x->route) {
    atomic_store(&x->patient, 1);
    x->route->handle(s, x);
  }
  /* whoever resumes it may have done so already: then it is called again all the same */
  return x->status ? send_answer(s, x) : MHD_YES;
}

static enum MHD_Result on_request(void *ctx, struct MHD_Connection *http, const char *path, const char *method,
                                  const char *version, const char *bytes, size_t *n, void **kept)
{
  server *s = ctx;
  exchange *x = *kept;
  (void)version;
  if (!x) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(http, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    *kept = x = info ? info->socket_context : NULL;
    if (!x)
      return MHD_NO;
    begin(s, x, method, path);
    return announces_too_much(s, x) ? send_answer(s, x) : MHD_YES;
  }
  if (*n == 0)
    return x->phase == EXCHANGE_ANSWERED ? MHD_YES : handle(s, x);
  if (x->phase == EXCHANGE_READING && !x->closes)
    take_body(s, x, bytes, *n);
  if (x->closes)
    x->route = NULL;
  *n = 0;
  return MHD_YES;
}

/* The request is over, whether its answer has reached anybody or not. */
static void on_end(void *ctx, struct MHD_Connection *http, void **kept, enum MHD_RequestTerminationCode code)
{
  server *s = ctx;
  exchange *x = *kept;
  (void)http, (void)code;
  if (!x)
    return;
  if (x->s) {
    pthread_mutex_lock(&x->s->lock);
    feedback_settle(x->s); /* what it brought is on the disk, so it is played */
    pthread_mutex_unlock(&x->s->lock);
    session_release(x->s);
  }
  gauges_time(&s->gauges.request_seconds, ofw_now() - x->begun);
  gauges_sub(&s->gauges.requests, 1);
  x->s = NULL;
  x->route = NULL;
  x->phase = EXCHANGE_IDLE;
  x->status = x->closes = 0;
  x->type = x->extra_name = NULL;
  x->feedback = (feedback){0};
  ofw_text *const buffers[] = {&x->body, &x->reply};
  for (size_t k = 0; k < 2; k++)
    if (buffers[k]->room > KEPT_BYTES) {
      free(buffers[k]->chars);
      *buffers[k] = (ofw_text){0};
    }
  waits_for_client(x);
  *kept = NULL;
}

/* ---- the daemon ---- */

ofw_status http_open(server *s, const char *address, ofw_error *err)
{
  OFW_TRY(listen_open(s, address, err));
  const unsigned flags =
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC | MHD_USE_NO_LISTEN_SOCKET;
  s->daemon = MHD_start_daemon(
      flags, 0, NULL, NULL, on_request, s, MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS, MHD_OPTION_CONNECTION_LIMIT,
      (unsigned)s->limits.connections, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(2 * s->limits.timeout),
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_BYTES, MHD_OPTION_NOTIFY_CONNECTION, on_connection, s,
      MHD_OPTION_NOTIFY_COMPLETED, on_end, s, MHD_OPTION_UNESCAPE_CALLBACK, unescape, s, MHD_OPTION_END);
  if (!s->daemon)
    return ofw_fail(err, OFW_FAILED, "libmicrohttpd cannot be started on %s", s->address);
  return listen_start(s, err);
}

void http_close(server *s)
{
  double end = ofw_now() + (double)s->limits.timeout;
  listen_close(s);
  while (s->daemon && gauges_get(&s->gauges.requests) > 0 && ofw_now() < end)
    usleep(2000);
  if (s->daemon)
    MHD_stop_daemon(s->daemon);
  s->daemon = NULL;
}
