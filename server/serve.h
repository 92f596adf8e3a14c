/* serve.h — the decision service as the command starts and stops it: sessions over HTTP, durable and bounded
 *
 *     server *s = server_open(&settings, &err);      recovers the sessions of the folder and listens
 *     server_address(s)                              where, with the port that was chosen
 *     server_close(s)                                drains: what was accepted is answered; then checkpoints, and the end
 *
 * The rest of this folder is its inside: http.c and route.c take requests to on_*.c, those to sessions (session.h), whose
 * feedback goes through one log for all of them (journal.h).
 */
#pragma once

#include "base/basics.h"

typedef struct server server;

/* All limits on what clients may ask for; docs/service.md has what each protects. */
typedef struct server_limits {
  uint64_t body;        /* bytes of a request's body */
  uint64_t dim;         /* numbers of a decision */
  uint64_t sessions;    /* that exist */
  uint64_t memory;      /* bytes of the process beyond which no session is made */
  uint64_t connections; /* at a time */
  uint64_t streams;     /* of events, at a time */
  uint64_t rate;        /* requests per second to one session; 0: any number */
  uint64_t timeout;     /* seconds that a client may take for a request and its answer, or be silent */
  uint64_t log;         /* bytes of the log after which sessions are checkpointed and the log begins again */
} server_limits;
extern const server_limits server_default_limits; /* memory is 0: half of the machine's */

typedef struct server_settings {
  const char *folder;     /* the state: roster.db, log-*, checkpoints/ */
  const char *address;    /* "127.0.0.1:8780", "[::1]:0" */
  const char *token_file; /* NULL: none, and then the address must be this machine's own */
  const char *build;      /* what writes the files */
  const char *catalogue;  /* JSON: what sessions can be made of */
  const char *page;       /* HTML at /, which must outlive the server; "": none */
  server_limits limits;
  void (*say)(void *ctx, const char *message); /* what an operator should know: one line, from any thread */
  void *ctx;
} server_settings;

/* NULL after an error. */
server *server_open(const server_settings *settings, ofw_error *err);
/* "http://127.0.0.1:8780" */
const char *server_address(const server *s);
/* How many sessions it has recovered. */
size_t server_sessions(server *s);
/* NULL is accepted. Takes at most the timeout of a client, and the time of a checkpoint of every session. */
void server_close(server *s);
