#include "base/threads.h"
#include "unit/base/check.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST = 300 };

typedef struct tally {
  atomic_int times[MOST];
  atomic_int strangers; /* parts that another thread did */
  pthread_t caller;
  int slow;
} tally;

static void count(void *ctx, size_t part)
{
  tally *t = ctx;
  atomic_fetch_add(&t->times[part], 1);
  if (!pthread_equal(pthread_self(), t->caller))
    atomic_fetch_add(&t->strangers, 1);
  if (t->slow)
    usleep(2000);
}

static ofw_pool *open(size_t threads)
{
  ofw_error err = {0};
  ofw_pool *p = NULL;
  assert_int_equal(ofw_pool_open(threads, &p, &err), OFW_OK);
  assert_true((p != NULL) == (threads > 1));
  return p;
}

static void each_once(ofw_pool *p, size_t parts)
{
  tally t = {.caller = pthread_self()};
  ofw_pool_run(p, parts, count, &t);
  for (size_t i = 0; i < MOST; i++)
    assert_int_equal(atomic_load(&t.times[i]), i < parts);
}

static void test_each_part_once(void **state)
{
  (void)state;
  static const size_t parts[] = {0, 1, 2, 3, 16, 17, MOST};
  for (size_t threads = 0; threads <= 5; threads++) {
    ofw_pool *p = open(threads);
    for (int again = 0; again < 200; again++)
      for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        each_once(p, parts[k]);
    ofw_pool_close(p);
  }
}

/* Long after the last job, when everyone sleeps, the next is shared as well. */
static void test_after_a_rest(void **state)
{
  (void)state;
  ofw_pool *p = open(3);
  for (int again = 0; again < 3; again++) {
    usleep(20000);
    tally t = {.caller = pthread_self(), .slow = 1};
    ofw_pool_run(p, 20, count, &t);
    for (size_t i = 0; i < 20; i++)
      assert_int_equal(atomic_load(&t.times[i]), 1);
    assert_true(atomic_load(&t.strangers) > 0);
  }
  ofw_pool_close(p);
}

static void test_open_and_close(void **state)
{
  (void)state;
  for (int again = 0; again < 50; again++)
    ofw_pool_close(open(1 + (size_t)again % 4)); /* also where a worker has not yet begun */
  ofw_pool_close(NULL);
}

static atomic_int in_worker;
static pthread_t caller;

static void on_signal(int number)
{
  (void)number;
  if (!pthread_equal(pthread_self(), caller))
    atomic_store(&in_worker, 1);
}

static void test_signals_are_the_callers(void **state)
{
  (void)state;
  struct sigaction action = {.sa_handler = on_signal}, before;
  sigset_t mask, after;
  caller = pthread_self();
  sigaction(SIGUSR1, &action, &before);
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  ofw_pool *p = open(4);
  pthread_sigmask(SIG_SETMASK, NULL, &after);
  assert_int_equal(sigismember(&after, SIGUSR1), sigismember(&mask, SIGUSR1)); /* as it was */
  for (int again = 0; again < 100; again++) {
    kill(getpid(), SIGUSR1);
    each_once(p, 7);
  }
  ofw_pool_close(p);
  sigaction(SIGUSR1, &before, NULL);
  assert_false(atomic_load(&in_worker));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_part_once),
      cmocka_unit_test(test_after_a_rest),
      cmocka_unit_test(test_open_and_close),
      cmocka_unit_test(test_signals_are_the_callers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
