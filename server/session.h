/* session.h — one learner with all that the service keeps about it
 *
 * A session is made from its spec, plays feedback line by line (session_play.c), and is saved with its learner in one state
 * (session_state.c). Whatever is below `lock` is touched only by who has that lock. Feedback that is on its way to the disk
 * is the session's `pending`; nothing of the session changes until it is there (feedback_lines.h).
 */
#pragma once

#include "server/history.h"
#include "server/session_id.h"

#include "learner/method.h"
#include "wire/ndjson.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SESSION_REPEATS = 256, SESSION_NAME = 64 }; /* rounds that may come again; bytes of a name */

/* What a session is made from; all texts are its own. */
typedef struct session_spec {
  char *name;    /* any */
  char *learner; /* its name */
  char *domain;  /* a spec */
  char *options; /* as JSON, {"key":value,..} */
  char *pairs;   /* the same as a spec has them, "key=value,.." */
  uint64_t seed;
  int64_t created; /* Unix time */
} session_spec;
void session_spec_free(session_spec *spec);

struct feedback;
struct exchange;

typedef struct session {
  char id[SESSION_ID + 1];
  session_spec spec;
  uint64_t number; /* in the order of creation */
  struct session *next;
  _Atomic(uint64_t) users;     /* it is freed by the last one */
  _Atomic(uint64_t) waits_for; /* the round whose feedback is next; changes under the lock */
  _Atomic(int) gone;           /* it was removed */

  pthread_mutex_t saving; /* while its checkpoint is written or removed; taken before the lock */
  pthread_mutex_t lock;
  ofw_learner *l;
  const ofw_point *x; /* the decision; NULL: the learner has failed */
  size_t dim, rows, cols;
  double *dense; /* room for it; NULL: it is too large to write out */
  ofw_ndjson parser;
  uint64_t digest[SESSION_REPEATS]; /* of the last lines that were played; that of round t at t modulo their number */
  double loss, constraint, loss_sum;
  history history;
  uint64_t refused;         /* the round of a line that was on the disk and which the learner refused; 0: none */
  _Atomic(uint64_t) kept;   /* waits_for of its checkpoint; 0: there is none */
  struct feedback *pending; /* NULL: none */
  struct exchange *parked;  /* requests that wait until nothing is pending */
  double tokens, filled;    /* how many requests it may have now, and when that was */
} session;

/* `spec` becomes its own, also if it fails: NULL and err. A decision of more than `most_dim` numbers is refused. */
session *session_make(const char id[SESSION_ID + 1], session_spec *spec, uint64_t most_dim, ofw_error *err);
/* One user fewer. NULL is accepted. */
void session_release(session *s);

/* ---- under its lock ---- */

/* 1: arithmetic or an oracle failed; *why is how. */
int session_failed(const session *s, const char **why);
/* A line of feedback goes into fb, in the parser's room. */
ofw_status session_read(session *s, const char *line, size_t length, ofw_full *fb, ofw_error *err);
/* Whether the learner would accept it. */
ofw_status session_admit(session *s, const ofw_full *fb, ofw_error *err);
/* It plays what session_read has read from this line, for the round that it waits for. */
ofw_status session_play(session *s, const char *line, size_t length, const ofw_full *fb, ofw_error *err);
/* A line of the log, when the server starts: those that its checkpoint has are skipped. */
ofw_status session_replay(session *s, const char *line, size_t length, ofw_error *err);
/* 1: this line was played in that round; 0: another one was; -1: nobody knows any more. */
int session_repeats(const session *s, uint64_t round, const char *line, size_t length);

/* The account after the last round. */
void session_row(const session *s, double row[COLUMNS]);
/* {"round":t,"decision":[..]} without its end, for another field. */
ofw_status session_print_decision(session *s, ofw_text *out, ofw_error *err);
/* All of it as JSON. */
void session_print(const session *s, ofw_text *out);

/* ---- its state ---- */

/* The learner's state alone, as `ofw pipe` has it. */
ofw_status session_export(session *s, ofw_state *state, ofw_error *err);
ofw_status session_import(session *s, const ofw_state *state, ofw_error *err);
/* With what the service keeps. */
ofw_status session_save(session *s, ofw_state *state, ofw_error *err);
ofw_status session_load(session *s, const ofw_state *state, ofw_error *err);
