/* journal.c — the thread that writes the sessions' log: it takes all that waits, commits it at once, and says so */
#include "server/journal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_BYTES = 8 << 20 }; /* of one commit, and so of the memory that it takes */
static const double retry_seconds = 0.1;

struct journal {
  segments files; /* of whoever is `writing` */
  gauges *g;
  pthread_t thread;
  int started;
  double tried; /* when another file was last begun after a failure; as `files` */

  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t work, cut;
  int writing; /* the thread is at the files, or a caller of journal_try */
  journal_entry *first, **last;
  int stopping;
  uint64_t cuts_asked, cuts_done;
  ofw_status cut_status;
  ofw_error cut_error;
  int failed;
  ofw_error why;
  uint64_t drop; /* files below this number are to go */
  ofw_status drop_status;
  uint64_t bytes, count, newest; /* of the files, for those who ask */
};

int journal_next_line(const char **text, const char *end, const char **line, size_t *length)
{
  while (*text < end) {
    const char *newline = memchr(*text, '\n', (size_t)(end - *text)), *stop = newline ? newline : end;
    *line = *text;
    *text = newline ? newline + 1 : end;
    while (stop > *line && (stop[-1] == '\r' || stop[-1] == ' '))
      stop--;
    *length = (size_t)(stop - *line);
    if (*length > 0)
      return 1;
  }
  return 0;
}

/* ---- commits ---- */

static void note_state(journal *j, const ofw_error *why)
{
  pthread_mutex_lock(&j->lock);
  if (why)
    j->why = *why;
  j->failed = why != NULL;
  j->bytes = j->files.bytes;
  j->count = j->files.last - j->files.first + 1;
  j->newest = j->files.last;
  pthread_mutex_unlock(&j->lock);
}

static int is_failed(journal *j)
{
  pthread_mutex_lock(&j->lock);
  int failed = j->failed;
  pthread_mutex_unlock(&j->lock);
  return failed;
}

/* Another file is begun, after which lines are taken again. */
static ofw_status begin_file(journal *j, ofw_error *err)
{
  j->tried = ofw_now();
  ofw_status st = segments_next(&j->files, err);
  if (st == OFW_OK)
    note_state(j, NULL);
  return st;
}

static ofw_status append(journal *j, const journal_entry *e, ofw_error *err)
{
  const char *at = e->text, *line;
  size_t length;
  while (journal_next_line(&at, e->text + e->length, &line, &length))
    OFW_TRY(segments_append(&j->files, e->id, line, length, err));
  return OFW_OK;
}

/* All that the entries up to `end` hold, onto the disk. */
static ofw_status commit(journal *j, const journal_entry *from, const journal_entry *end, ofw_error *err)
{
  if (is_failed(j)) {
    if (ofw_now() - j->tried < retry_seconds || begin_file(j, err) != OFW_OK)
      return OFW_FAILED;
  }
  double begun = ofw_now();
  ofw_status st = OFW_OK;
  for (const journal_entry *e = from; e != end && st == OFW_OK; e = e->next)
    st = append(j, e, err);
  if (st == OFW_OK)
    st = segments_commit(&j->files, err);
  if (st == OFW_OK)
    gauges_time(&j->g->commit_seconds, ofw_now() - begun);
  else
    gauges_add(&j->g->commit_failures, 1);
  note_state(j, st == OFW_OK ? NULL : err);
  return st;
}

/* The entries of a list, as many per commit as its limit allows. */
static void commit_all(journal *j, journal_entry *list)
{
  while (list) {
    size_t bytes = 0;
    ofw_error err = {0};
    journal_entry *end = list;
    do {
      bytes += end->length;
      end = end->next;
    } while (end && bytes + end->length < GROUP_BYTES);
    int outcome = commit(j, list, end, &err) == OFW_OK ? JOURNAL_KEPT : JOURNAL_LOST;
    while (list != end) {
      journal_entry *e = list;
      list = e->next;
      atomic_store_explicit(&e->outcome, outcome, memory_order_release);
      e->done(e);
    }
  }
}

/* ---- the thread ---- */

static void do_cut(journal *j)
{
  ofw_error err = {0};
  ofw_status st = begin_file(j, &err);
  pthread_mutex_lock(&j->lock);
  j->cut_status = st;
  j->cut_error = err;
  j->cuts_done = j->cuts_asked;
  pthread_cond_broadcast(&j->cut);
  pthread_mutex_unlock(&j->lock);
}

static void do_drop(journal *j, uint64_t below)
{
  ofw_error err = {0};
  ofw_status st = segments_drop(&j->files, below, &err);
  pthread_mutex_lock(&j->lock);
  j->drop = 0;
  j->drop_status = st;
  j->cut_error = err;
  j->bytes = j->files.bytes;
  j->count = j->files.last - j->files.first + 1;
  pthread_cond_broadcast(&j->cut);
  pthread_mutex_unlock(&j->lock);
}

/* Under the lock: whether there is anything for the thread to do. */
static int has_work(const journal *j)
{
  return j->first || j->stopping || j->drop || j->cuts_done != j->cuts_asked;
}

/* The files are free for the next. */
static void end_writing(journal *j)
{
  pthread_mutex_lock(&j->lock);
  j->writing = 0;
  int wakes = has_work(j);
  pthread_mutex_unlock(&j->lock);
  if (wakes)
    pthread_cond_signal(&j->work);
}

static void *run(void *ctx)
{
  journal *j = ctx;
  for (;;) {
    pthread_mutex_lock(&j->lock);
    while (j->writing || !has_work(j))
      pthread_cond_wait(&j->work, &j->lock);
    j->writing = 1;
    journal_entry *list = j->first;
    int cuts = j->cuts_done != j->cuts_asked, stops = j->stopping;
    uint64_t drop = j->drop;
    j->first = NULL;
    j->last = &j->first;
    pthread_mutex_unlock(&j->lock);
    if (list)
      commit_all(j, list);
    if (cuts)
      do_cut(j);
    if (drop)
      do_drop(j, drop);
    end_writing(j);
    if (stops && !list)
      return NULL;
  }
}

/* ---- its callers ---- */

static void open_entry(journal_entry *e)
{
  e->next = NULL;
  atomic_store_explicit(&e->outcome, JOURNAL_WAITS, memory_order_relaxed);
}

int journal_try(journal *j, journal_entry *e)
{
  pthread_mutex_lock(&j->lock);
  int idle = !j->writing && !has_work(j);
  j->writing |= idle;
  pthread_mutex_unlock(&j->lock);
  if (!idle)
    return 0;
  open_entry(e);
  commit_all(j, e);
  end_writing(j);
  return 1;
}

void journal_add(journal *j, journal_entry *e)
{
  open_entry(e);
  pthread_mutex_lock(&j->lock);
  int idle = !j->first;
  *j->last = e;
  j->last = &e->next;
  pthread_mutex_unlock(&j->lock);
  if (idle)
    pthread_cond_signal(&j->work);
}

ofw_status journal_cut(journal *j, uint64_t *segment, ofw_error *err)
{
  pthread_mutex_lock(&j->lock);
  uint64_t ticket = ++j->cuts_asked;
  pthread_cond_signal(&j->work);
  while (j->cuts_done < ticket)
    pthread_cond_wait(&j->cut, &j->lock);
  ofw_status st = j->cut_status == OFW_OK ? OFW_OK : ofw_fail(err, j->cut_status, "%s", j->cut_error.message);
  *segment = j->newest;
  pthread_mutex_unlock(&j->lock);
  return st;
}

ofw_status journal_drop(journal *j, uint64_t segment, ofw_error *err)
{
  pthread_mutex_lock(&j->lock);
  j->drop = segment;
  pthread_cond_signal(&j->work);
  while (j->drop)
    pthread_cond_wait(&j->cut, &j->lock);
  ofw_status st = j->drop_status == OFW_OK ? OFW_OK : ofw_fail(err, j->drop_status, "%s", j->cut_error.message);
  pthread_mutex_unlock(&j->lock);
  return st;
}

void journal_size(journal *j, uint64_t *bytes, uint64_t *files)
{
  pthread_mutex_lock(&j->lock);
  *bytes = j->bytes;
  *files = j->count;
  pthread_mutex_unlock(&j->lock);
}

int journal_failed(journal *j, ofw_error *why)
{
  pthread_mutex_lock(&j->lock);
  int failed = j->failed;
  *why = j->why;
  pthread_mutex_unlock(&j->lock);
  return failed;
}

ofw_status journal_open(const ofw_disk *disk, const char *folder, const char *build, segments_line each, void *ctx,
                        gauges *g, journal **out, ofw_error *err)
{
  journal *j = calloc(1, sizeof *j);
  if (!j)
    return ofw_fail_memory(err, sizeof *j);
  j->g = g;
  j->last = &j->first;
  pthread_mutex_init(&j->lock, NULL);
  pthread_cond_init(&j->work, NULL);
  pthread_cond_init(&j->cut, NULL);
  ofw_status st = segments_open(&j->files, disk, folder, build, each, ctx, err);
  if (st == OFW_OK) {
    note_state(j, NULL);
    j->started = pthread_create(&j->thread, NULL, run, j) == 0;
    st = j->started ? OFW_OK : ofw_fail(err, OFW_FAILED, "no thread can be started for the log");
  }
  if (st != OFW_OK)
    journal_close(j);
  *out = st == OFW_OK ? j : NULL;
  return st;
}

void journal_close(journal *j)
{
  if (!j)
    return;
  if (j->started) {
    pthread_mutex_lock(&j->lock);
    j->stopping = 1;
    pthread_cond_signal(&j->work);
    pthread_mutex_unlock(&j->lock);
    pthread_join(j->thread, NULL);
  }
  segments_close(&j->files);
  pthread_cond_destroy(&j->work);
  pthread_cond_destroy(&j->cut);
  pthread_mutex_destroy(&j->lock);
  free(j);
}
