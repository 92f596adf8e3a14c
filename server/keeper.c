/* keeper.c — the thread that looks after a server: streams, slow clients, a failed log, and a log that has grown long
 *
 * A long log is cut: another file is begun, every session that has played since its checkpoint gets a new one, and then the
 * files before the cut hold nothing that is not in a checkpoint, and go.
 */
#include "server/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TICK_MILLISECONDS = 50, MOST_FILES = 16, SOME_SESSIONS = 64 };
static const double slow_check = 0.5, revive_check = 1.0, shorten_pause = 2.0;

void server_say(server *s, const char *format, ...)
{
  char message[sizeof((ofw_error *)0)->message + 128];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  s->say(s->ctx, message);
}

/* ---- checkpoints ---- */

/* Since its checkpoint. A line that is on the disk and waits to be played is a change: it may be in a file that is about to go. */
static int has_changed(session *one)
{
  pthread_mutex_lock(&one->lock);
  feedback_settle(one);
  int changed = one->kept != session_changes(one);
  pthread_mutex_unlock(&one->lock);
  return changed;
}

static int save(server *s, session *one, ofw_error *err)
{
  uint64_t round;
  if (atomic_load(&one->gone) || !has_changed(one))
    return 1;
  ofw_status st = store_save(&s->store, one, &round, err);
  if (st != OFW_END)
    gauges_add(st == OFW_OK ? &s->gauges.checkpoints : &s->gauges.checkpoint_failures, 1);
  return st == OFW_OK || st == OFW_END; /* which says that it was removed */
}

int keeper_save_all(server *s)
{
  session *some[SOME_SESSIONS];
  uint64_t after = 0;
  size_t n;
  int all = 1;
  ofw_error err = {0};
  while ((n = sessions_list(&s->sessions, after, some, SOME_SESSIONS)) > 0)
    for (size_t k = 0; k < n; k++) {
      after = some[k]->number;
      all = all && save(s, some[k], &err);
      session_release(some[k]);
    }
  if (!all)
    server_say(s, "warning: %s; the log stays as it is", err.message);
  return all;
}

/* 1: the log is so long, or of so many files, that it should begin again. */
static int is_long(server *s)
{
  uint64_t bytes, files;
  journal_size(s->journal, &bytes, &files);
  return bytes > s->limits.log || files > MOST_FILES;
}

void keeper_shorten_log(server *s)
{
  uint64_t segment;
  ofw_error err = {0};
  if (!is_long(s))
    return;
  if (journal_cut(s->journal, &segment, &err) != OFW_OK ||
      (keeper_save_all(s) && journal_drop(s->journal, segment, &err) != OFW_OK))
    server_say(s, "warning: %s", err.message);
}

/* ---- the thread ---- */

/* When each of its duties was last done, and what it has said. */
typedef struct duties {
  double slow, revive, shorten;
  int failed;
} duties;

static void look_after_log(server *s, duties *d, double now)
{
  ofw_error why = {0};
  uint64_t segment;
  int failed = journal_failed(s->journal, &why);
  if (failed && !d->failed)
    server_say(s, "%s; feedback is answered by 507 until there is room", why.message);
  if (failed && now > d->revive + revive_check) {
    d->revive = now;
    (void)journal_cut(s->journal, &segment, &why);
    failed = journal_failed(s->journal, &why);
  }
  if (!failed && d->failed)
    server_say(s, "the log takes feedback again");
  d->failed = failed;
  if (!failed && now > d->shorten + shorten_pause) {
    keeper_shorten_log(s);
    d->shorten = ofw_now();
  }
}

/* 0: it is to stop. */
static int rest(server *s)
{
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += TICK_MILLISECONDS * 1000000L;
  until.tv_sec += until.tv_nsec / 1000000000L;
  until.tv_nsec %= 1000000000L;
  pthread_mutex_lock(&s->resting);
  if (!s->keeper_stops)
    pthread_cond_timedwait(&s->rest, &s->resting, &until);
  int stops = s->keeper_stops;
  pthread_mutex_unlock(&s->resting);
  return !stops;
}

static void *run(void *ctx)
{
  server *s = ctx;
  duties d = {.slow = ofw_now()};
  while (rest(s)) {
    double now = ofw_now();
    events_wake(s);
    if (now > d.slow + slow_check) {
      d.slow = now;
      http_shut_slow(s);
    }
    look_after_log(s, &d, now);
  }
  events_wake(s);
  return NULL;
}

ofw_status keeper_open(server *s, ofw_error *err)
{
  s->has_keeper = pthread_create(&s->keeper, NULL, run, s) == 0;
  return s->has_keeper ? OFW_OK : ofw_fail(err, OFW_FAILED, "no thread can be started");
}

void keeper_close(server *s)
{
  if (!s->has_keeper)
    return;
  pthread_mutex_lock(&s->resting);
  s->keeper_stops = 1;
  pthread_cond_signal(&s->rest);
  pthread_mutex_unlock(&s->resting);
  pthread_join(s->keeper, NULL);
  s->has_keeper = 0;
}
