/* exchange.h — a connection of a client, and the request that it is at
 *
 * Its buffers serve one request after the other. A handler (route.h) answers at once, or suspends the exchange before it
 * hands it to somebody who will resume it; then it is called again. To suspend twice, or to resume what is not suspended, is
 * undefined in libmicrohttpd: the flag here makes both do nothing.
 */
#pragma once

#include "server/feedback_lines.h"
#include "server/problem.h"
#include "server/server.h"

struct MHD_Connection;

typedef enum exchange_phase {
  EXCHANGE_IDLE,     /* between requests */
  EXCHANGE_READING,  /* the body comes */
  EXCHANGE_HANDLING, /* a handler has it */
  EXCHANGE_ANSWERED  /* the answer is on its way */
} exchange_phase;

typedef struct exchange {
  server *of;
  struct MHD_Connection *http;
  int socket;
  struct exchange *before, *after; /* all connections, under the server's lock of them */
  _Atomic(uint64_t) since;         /* milliseconds: when the client was last waited for */
  _Atomic(int) patient;            /* 1: the server works, or streams: the client is not waited for */
  _Atomic(int) suspended;

  /* the request */
  exchange_phase phase;
  const struct route *route; /* NULL: refused already */
  session *s;                /* that it is about, with a user for it; NULL: none */
  double begun;
  ofw_text body;
  int is_ndjson;
  feedback feedback;
  struct exchange *next_parked;

  /* the answer */
  int status;
  const char *type; /* of its content */
  ofw_text reply;
  const char *extra_name; /* one more header; NULL: none */
  char extra[64];
  int closes;     /* the connection ends with it */
  void *response; /* a struct MHD_Response that is not made of `reply`; NULL: it is */
} exchange;

/* 1: it is suspended now, and the caller hands it on; 0: it was already. */
int exchange_suspend(exchange *x);
void exchange_resume(exchange *x);
/* Waits until nothing is pending in the session, whose lock the caller has. */
void exchange_park(exchange *x, session *s);
/* Those that do so wake up. */
void exchange_wake_parked(session *s);

/* A value of the query; NULL: it is not there. */
const char *exchange_query(const exchange *x, const char *name);
/* A whole number in the query; 0 after a problem. */
int exchange_query_count(exchange *x, const char *name, uint64_t least, uint64_t most, uint64_t fallback,
                         uint64_t *out);
/* The answer is what `reply` holds, or nothing with 204. */
void exchange_answer(exchange *x, int status, const char *type);
/* The answer is a problem (problem.h); `round` is 0 if it has none. */
void exchange_problem(exchange *x, problem_kind kind, uint64_t round, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
