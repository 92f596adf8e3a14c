/* exchange.c — an exchange waits, wakes, and is answered */
#include "server/exchange.h"

#include <inttypes.h>
#include <microhttpd.h>
#include <stdio.h>

int exchange_suspend(exchange *x)
{
  if (atomic_exchange(&x->suspended, 1))
    return 0;
  MHD_suspend_connection(x->http);
  return 1;
}

void exchange_resume(exchange *x)
{
  if (atomic_exchange(&x->suspended, 0))
    MHD_resume_connection(x->http);
}

void exchange_park(exchange *x, session *s)
{
  if (!exchange_suspend(x))
    return;
  x->next_parked = s->parked;
  s->parked = x;
}

void exchange_wake_parked(session *s)
{
  exchange *x = s->parked;
  s->parked = NULL;
  while (x) {
    exchange *next = x->next_parked; /* when it is awake it is no longer ours */
    exchange_resume(x);
    x = next;
  }
}

/* ---- the query ---- */

const char *exchange_query(const exchange *x, const char *name)
{
  return MHD_lookup_connection_value(x->http, MHD_GET_ARGUMENT_KIND, name);
}

int exchange_query_count(exchange *x, const char *name, uint64_t least, uint64_t most, uint64_t fallback, uint64_t *out)
{
  const char *text = exchange_query(x, name);
  *out = fallback;
  if (!text || (ofw_read_count(text, out) == 1 && *out >= least && *out <= most))
    return 1;
  exchange_problem(x, HTTP_BAD_REQUEST, 0, "%s: expected a whole number from %" PRIu64 " to %" PRIu64 ", found '%.40s'",
                   name, least, most, text);
  return 0;
}

/* ---- the answer ---- */

void exchange_answer(exchange *x, int status, const char *type)
{
  x->status = status;
  x->type = type;
  if (x->reply.failed)
    exchange_problem(x, HTTP_UNAVAILABLE, 0, "out of memory for the answer");
}

void exchange_problem(exchange *x, problem_kind kind, uint64_t round, const char *format, ...)
{
  char detail[sizeof((ofw_error *)0)->message + 64];
  va_list args;
  va_start(args, format);
  vsnprintf(detail, sizeof detail, format, args);
  va_end(args);
  x->reply.length = 0;
  x->reply.failed = 0;
  problem_print(kind, detail, round, -1, &x->reply);
  x->status = problem_status(kind);
  x->type = "application/problem+json";
}
