/* threads.c — a pool of workers that take the parts of a loop one by one
 *
 * A round has several short loops, so workers spin for a while before they sleep, and the caller never waits for a worker
 * that has not joined. Job number, "open" and the count of workers share one atomic word for that reason.
 */
#include "base/threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A thread looks for work, or for the others' end, so many times before it sleeps: some tens of microseconds, longer
 * than what lies between two loops of a round. */
enum { LOOKS = 2000 };

/* The job's number, whether it may still be joined, and how many workers are at it, in one word: the caller ends a job
 * without waiting for those who never came. */
enum { INSIDE = 0xff, OPEN = 0x100, NEXT_JOB = 0x200 };

struct ofw_pool {
  void (*work)(void *ctx, size_t part);
  void *ctx;
  size_t parts;
  atomic_size_t next; /* the first part that nobody has */
  _Atomic uint64_t job;
  atomic_int sleepers, waiting, stop; /* workers that sleep; whether the caller does; whether to end */
  pthread_mutex_t lock;
  pthread_cond_t wake, idle;
  size_t workers;
  pthread_t thread[];
};

static void look_again(void)
{
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

static void work_along(ofw_pool *p)
{
  size_t part;
  while ((part = atomic_fetch_add(&p->next, 1)) < p->parts)
    p->work(p->ctx, part);
}

/* A job that is open and not the one seen last, or the end. */
static int has_news(ofw_pool *p, uint64_t seen)
{
  uint64_t job = atomic_load(&p->job);
  return atomic_load(&p->stop) || ((job & OPEN) && job / NEXT_JOB != seen);
}

static void wait_for_news(ofw_pool *p, uint64_t seen)
{
  for (int i = 0; i < LOOKS; i++) {
    if (has_news(p, seen))
      return;
    look_again();
  }
  pthread_mutex_lock(&p->lock);
  atomic_fetch_add(&p->sleepers, 1);
  while (!has_news(p, seen))
    pthread_cond_wait(&p->wake, &p->lock);
  atomic_fetch_sub(&p->sleepers, 1);
  pthread_mutex_unlock(&p->lock);
}

/* Leaving, the last one wakes the caller if it sleeps. */
static void leave(ofw_pool *p)
{
  if ((atomic_fetch_sub(&p->job, 1) & INSIDE) == 1 && atomic_load(&p->waiting)) {
    pthread_mutex_lock(&p->lock);
    pthread_cond_signal(&p->idle);
    pthread_mutex_unlock(&p->lock);
  }
}

static void *worker(void *pool)
{
  ofw_pool *p = pool;
  uint64_t seen = 0;
  while (!atomic_load(&p->stop)) {
    wait_for_news(p, seen);
    uint64_t job = atomic_load(&p->job);
    if (!(job & OPEN) || job / NEXT_JOB == seen || !atomic_compare_exchange_strong(&p->job, &job, job + 1))
      continue;
    seen = job / NEXT_JOB;
    work_along(p);
    leave(p);
  }
  return NULL;
}

static void wait_for_workers(ofw_pool *p)
{
  for (int i = 0; i < LOOKS; i++) {
    if (!(atomic_load(&p->job) & INSIDE))
      return;
    look_again();
  }
  pthread_mutex_lock(&p->lock);
  atomic_store(&p->waiting, 1);
  while (atomic_load(&p->job) & INSIDE)
    pthread_cond_wait(&p->idle, &p->lock);
  atomic_store(&p->waiting, 0);
  pthread_mutex_unlock(&p->lock);
}

void ofw_pool_run(ofw_pool *p, size_t parts, void (*work)(void *ctx, size_t part), void *ctx)
{
  if (!p || parts < 2) {
    for (size_t part = 0; part < parts; part++)
      work(ctx, part);
    return;
  }
  p->work = work;
  p->ctx = ctx;
  p->parts = parts;
  atomic_store(&p->next, 0);
  atomic_store(&p->job, (atomic_load(&p->job) / NEXT_JOB + 1) * NEXT_JOB + OPEN);
  if (atomic_load(&p->sleepers)) {
    pthread_mutex_lock(&p->lock);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
  }
  work_along(p);
  atomic_fetch_and(&p->job, ~(uint64_t)OPEN);
  wait_for_workers(p);
}

/* With every signal blocked, which a thread inherits. */
static ofw_status start_workers(ofw_pool *p, size_t workers, ofw_error *err)
{
  sigset_t all, before;
  int failed = 0;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (p->workers < workers && !failed) {
    failed = pthread_create(&p->thread[p->workers], NULL, worker, p);
    p->workers += !failed;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failed ? ofw_fail(err, OFW_FAILED, "cannot start %zu threads: %s", workers, strerror(failed)) : OFW_OK;
}

ofw_status ofw_pool_open(size_t threads, ofw_pool **out, ofw_error *err)
{
  *out = NULL;
  if (threads < 2)
    return OFW_OK;
  size_t bytes = sizeof(ofw_pool) + (threads - 1) * sizeof(pthread_t);
  ofw_pool *p = calloc(1, bytes);
  if (!p)
    return ofw_fail_memory(err, bytes);
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->wake, NULL);
  pthread_cond_init(&p->idle, NULL);
  ofw_status st = start_workers(p, threads - 1, err);
  if (st == OFW_OK)
    *out = p;
  else
    ofw_pool_close(p);
  return st;
}

void ofw_pool_close(ofw_pool *p)
{
  if (!p)
    return;
  pthread_mutex_lock(&p->lock);
  atomic_store(&p->stop, 1);
  pthread_cond_broadcast(&p->wake);
  pthread_mutex_unlock(&p->lock);
  for (size_t i = 0; i < p->workers; i++)
    pthread_join(p->thread[i], NULL);
  pthread_cond_destroy(&p->idle);
  pthread_cond_destroy(&p->wake);
  pthread_mutex_destroy(&p->lock);
  free(p);
}
