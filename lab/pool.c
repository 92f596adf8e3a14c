#include "lab/pool.h"

#include "base/basics.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

/* What the workers share, under one lock. */
typedef struct work {
  const lab_pool *pool;
  lab_cell *const *cell;
  size_t n, next;
  ofw_status status; /* of the first that failed: the others stop */
  ofw_error err;
  pthread_mutex_t lock;
} work;

static int is_final(const lab_result *r)
{
  return r && r->status != OFW_FAILED;
}

static void fail(work *w, ofw_status st, const ofw_error *err)
{
  if (w->status != OFW_OK)
    return;
  w->status = st;
  w->err = *err;
}

/* The next cell that has to be played, after those that are known; NULL: none is left. Under the lock. */
static lab_cell *next_cell(work *w, char **key)
{
  while (w->next < w->n && w->status == OFW_OK) {
    lab_cell *c = w->cell[w->next++];
    ofw_error err = {0};
    *key = lab_cell_key(c);
    if (!*key) {
      fail(w, ofw_fail_memory(&err, sizeof *c), &err);
      return NULL;
    }
    const lab_result *known = lab_journal_find(w->pool->journal, *key);
    if (!is_final(known))
      return c;
    free(*key);
    c->result = known;
    if (w->pool->done)
      w->pool->done(w->pool->ctx, c, 1);
  }
  return NULL;
}

/* Under the lock, but for the wait for the disk. */
static ofw_status keep(work *w, const char *key, lab_result *r, ofw_error *err)
{
  OFW_TRY(lab_journal_add(w->pool->journal, key, r, err));
  pthread_mutex_unlock(&w->lock);
  ofw_status st = lab_journal_sync(w->pool->journal, err);
  pthread_mutex_lock(&w->lock);
  return st;
}

/* What playing a cell came to. Under the lock. */
static void settle(work *w, lab_cell *c, const char *key, ofw_status st, lab_result *r)
{
  ofw_error err = {0};
  if (st == OFW_OK)
    st = keep(w, key, r, &err);
  else
    ofw_fail(&err, st, st == OFW_END ? "stopped" : "out of memory");
  lab_result_free(r); /* what the journal has not taken */
  if (st != OFW_OK) {
    fail(w, st, &err);
    return;
  }
  c->result = lab_journal_find(w->pool->journal, key);
  if (w->pool->done)
    w->pool->done(w->pool->ctx, c, 0);
}

static void *work_on(void *arg)
{
  work *w = arg;
  const atomic_int *stop = w->pool->stop;
  pthread_mutex_lock(&w->lock);
  for (;;) {
    char *key = NULL;
    lab_result r = {0};
    lab_cell *c = next_cell(w, &key);
    if (!c)
      break;
    pthread_mutex_unlock(&w->lock);
    ofw_status st = stop && *stop ? OFW_END : lab_cell_play(c, stop, &r);
    pthread_mutex_lock(&w->lock);
    settle(w, c, key, st, &r);
    free(key);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

ofw_status lab_pool_play(const lab_pool *pool, lab_cell *const *cell, size_t n, ofw_error *err)
{
  work w = {.pool = pool, .cell = cell, .n = n};
  size_t helpers = pool->jobs < n ? pool->jobs - 1 : n > 0 ? n - 1 : 0, started = 0;
  pthread_t *thread = ofw_array(helpers, sizeof *thread);
  if (!thread)
    return ofw_fail_memory(err, helpers * sizeof *thread);
  pthread_mutex_init(&w.lock, NULL);
  while (started < helpers && pthread_create(&thread[started], NULL, work_on, &w) == 0)
    started++; /* where the system has no more threads to give, fewer do */
  work_on(&w);
  for (size_t i = 0; i < started; i++)
    pthread_join(thread[i], NULL);
  pthread_mutex_destroy(&w.lock);
  free(thread);
  return w.status == OFW_OK ? OFW_OK : ofw_fail(err, w.status, "%s", w.err.message);
}

size_t lab_processors(void)
{
  cpu_set_t set;
  int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return n > 0 ? (size_t)n : 1;
}
