/* session.h — one learner with all that the service keeps about it
 *
 * A session is made from its spec, plays feedback line by line (session_play.c), and is saved with its learner in one state
 * (session_state.c). Whatever is below `lock` is touched only by who has that lock. Feedback that is on its way to the disk
 * is the session's `pending`; nothing of the session changes until it is there (feedback_lines.h).
 *
 * Without a delay a session always has one decision that waits for its feedback. With one, decisions are asked for by lines
 * too, since what a learner decides next depends on how many decisions were open: so those lines are kept and played like
 * feedback.
 */
#pragma once

#include "server/history.h"
#include "server/open_decisions.h"
#include "server/repeats.h"
#include "server/session_id.h"

#include "learner/method.h"
#include "wire/ndjson.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SESSION_NAME = 64 }; /* bytes of a name */

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
  uint64_t delay;  /* decisions that may be open when the next one is asked for; 0: none, there is always one */
  struct session *next;
  _Atomic(uint64_t) users;    /* it is freed by the last one */
  _Atomic(uint64_t) answered; /* rounds that have their feedback; changes under the lock, as the next */
  _Atomic(uint64_t) decided;  /* rounds that have a decision */
  _Atomic(int) gone;          /* it was removed */

  pthread_mutex_t saving; /* while its checkpoint is written or removed; taken before the lock */
  pthread_mutex_t lock;
  ofw_learner *l;
  const ofw_point *x; /* where it is: without a delay the decision; NULL: it has failed */
  size_t dim, rows, cols;
  double *dense; /* room for it; NULL: it is too large to write out */
  ofw_ndjson parser;
  repeats repeats;
  open_decisions open; /* with a delay */
  double loss, constraint, loss_sum;
  history history;
  uint64_t refused;         /* the round of a line that was on the disk and which the learner refused; 0: none */
  _Atomic(uint64_t) kept;   /* session_changes of its checkpoint; 0: there is none */
  struct feedback *pending; /* NULL: none */
  struct exchange *parked;  /* requests that wait until nothing is pending */
  double tokens, filled;    /* how many requests it may have now, and when that was */
} session;

/* `spec` becomes its own, also if it fails: NULL and err. A decision of more than `most_dim` numbers is refused. */
session *session_make(const char id[SESSION_ID + 1], session_spec *spec, uint64_t most_dim, ofw_error *err);
/* One user fewer. NULL is accepted. */
void session_release(session *s);

/* How often it has changed; never 0. */
static inline uint64_t session_changes(const session *s)
{
  return 1 + s->answered + s->decided;
}

/* The round that is next: whose feedback is waited for, or with a delay whose decision may be asked for. */
static inline uint64_t session_next(const session *s)
{
  return s->delay ? s->decided + 1 : s->decided;
}

/* ---- under its lock ---- */

/* 1: arithmetic or an oracle failed; *why is how. */
int session_failed(const session *s, const char **why);

/* A line that a session plays. */
typedef struct session_line {
  const char *text;
  size_t length;
  uint64_t round;
  int decides; /* it asks for the decision of its round; 0: it is the feedback */
  ofw_full fb; /* in the parser's room */
} session_line;

ofw_status session_read(session *s, const char *text, size_t length, session_line *line, ofw_error *err);
/* Whether the learner would accept it when its round is open. */
ofw_status session_admit(session *s, const session_line *line, ofw_error *err);
/* It plays what session_read has read last. OFW_USAGE: the line is not next, and nothing changes. */
ofw_status session_play(session *s, const session_line *line, ofw_error *err);
/* A line of the log, when the server starts: those that its checkpoint has are skipped. */
ofw_status session_replay(session *s, const char *text, size_t length, ofw_error *err);

/* A decision to be read, wherever it is kept. */
typedef struct session_decision {
  uint64_t round;
  const ofw_point *x;
  ofw_point point;
  ofw_copied copy;
} session_decision;
/* That of an open round; round 0: of the newest. OFW_USAGE: there is none. Valid until the session plays or moves. */
ofw_status session_find_decision(const session *s, uint64_t round, session_decision *out, ofw_error *err);
/* {"round":t,"decision":[..]} without its end, for another field. */
ofw_status session_print_decision(session *s, const session_decision *d, ofw_text *out, ofw_error *err);

/* The account after the last round. */
void session_row(const session *s, double row[COLUMNS]);
/* All of it as JSON, if `whole` with the list of open rounds. */
void session_print(const session *s, int whole, ofw_text *out);

/* ---- its state ---- */

/* The learner's state alone, as `ofw pipe` has it. */
ofw_status session_export(session *s, ofw_state *state, ofw_error *err);
ofw_status session_import(session *s, const ofw_state *state, ofw_error *err);
/* With what the service keeps. */
ofw_status session_save(session *s, ofw_state *state, ofw_error *err);
ofw_status session_load(session *s, const ofw_state *state, ofw_error *err);
