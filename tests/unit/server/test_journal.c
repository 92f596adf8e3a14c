/* Group commit: everything that is added has one outcome, whoever adds it, and what was kept comes back. */
#include "server/journal.h"
#include "unit/server/folder.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ENTRIES = 200 };
static const char id[] = "fedcba9876543210";
static gauges counted;

typedef struct waiting {
  journal_entry entry; /* first */
  pthread_mutex_t lock;
  pthread_cond_t done;
  int is_done;
} waiting;

static void on_done(journal_entry *e)
{
  waiting *w = (waiting *)e;
  pthread_mutex_lock(&w->lock);
  w->is_done++;
  pthread_cond_signal(&w->done);
  pthread_mutex_unlock(&w->lock);
}

/* By the journal's thread, or `alone` by this one, if the files are free. */
static int add(journal *j, const char *text, int alone)
{
  waiting w = {.entry = {.id = id, .text = text, .length = strlen(text), .done = on_done}};
  pthread_mutex_init(&w.lock, NULL);
  pthread_cond_init(&w.done, NULL);
  if (!alone || !journal_try(j, &w.entry))
    journal_add(j, &w.entry);
  pthread_mutex_lock(&w.lock);
  while (!w.is_done)
    pthread_cond_wait(&w.done, &w.lock);
  assert_int_equal(w.is_done, 1);
  pthread_mutex_unlock(&w.lock);
  pthread_cond_destroy(&w.done);
  pthread_mutex_destroy(&w.lock);
  return atomic_load(&w.entry.outcome);
}

static ofw_status count_line(void *ctx, const char *session, const char *line, size_t length, ofw_error *err)
{
  (void)err;
  assert_string_equal(session, id);
  assert_true(length >= 2 && line[0] == 'x');
  ++*(size_t *)ctx;
  return OFW_OK;
}

static journal *open_in(const ofw_disk *disk, const test_folder *f, size_t *lines)
{
  journal *j;
  ofw_error err = {0};
  *lines = 0;
  if (journal_open(disk, f->path, "b", count_line, lines, &counted, &j, &err) != OFW_OK)
    fail_msg("%s", err.message);
  return j;
}

static void *add_many(void *ctx)
{
  for (int k = 0; k < ENTRIES; k++)
    assert_int_equal(add(ctx, k % 3 ? "x1" : "x1\n\nx2\r\nx3", k % 2), JOURNAL_KEPT);
  return NULL;
}

static void test_many_threads(void **state)
{
  (void)state;
  test_folder f = folder_make();
  pthread_t thread[THREADS];
  size_t lines;
  uint64_t segment, bytes, files;
  journal *j = open_in(&ofw_real_disk, &f, &lines);
  for (int k = 0; k < THREADS; k++)
    assert_int_equal(pthread_create(&thread[k], NULL, add_many, j), 0);
  assert_int_equal(journal_cut(j, &segment, NULL), OFW_OK);
  assert_int_equal(segment, 2);
  for (int k = 0; k < THREADS; k++)
    pthread_join(thread[k], NULL);
  journal_size(j, &bytes, &files);
  assert_true(files == 2 && bytes > 0);
  journal_close(j);
  j = open_in(&ofw_real_disk, &f, &lines);
  assert_int_equal(lines, THREADS * (ENTRIES + 2 * ((ENTRIES + 2) / 3)));
  assert_int_equal(journal_cut(j, &segment, NULL), OFW_OK);
  assert_int_equal(journal_drop(j, segment, NULL), OFW_OK);
  journal_close(j);
  j = open_in(&ofw_real_disk, &f, &lines);
  assert_int_equal(lines, 0);
  journal_close(j);
  folder_remove(&f);
}

/* A commit that the disk refuses is lost, and said to be; later ones are kept. */
static void fails_and_recovers(int alone)
{
  test_folder f = folder_make();
  failing_disk d = {.why = ENOSPC};
  ofw_disk ops = failing_ops(&d);
  ofw_error why;
  size_t lines, kept = 0, lost = 0;
  journal *j = open_in(&ops, &f, &lines);
  d.fail_at = d.calls + 3;
  for (int k = 0; k < 2000 && (lost == 0 || journal_failed(j, &why)); k++) {
    if (add(j, "xa", alone) == JOURNAL_KEPT)
      kept++;
    else {
      lost++;
      assert_true(journal_failed(j, &why));
      assert_non_null(strstr(why.message, "No space left on device"));
      usleep(20000);
    }
  }
  assert_true(lost > 0);
  kept += add(j, "xb", alone) == JOURNAL_KEPT;
  assert_false(journal_failed(j, &why));
  journal_close(j);
  j = open_in(&ofw_real_disk, &f, &lines);
  assert_int_equal(lines, kept);
  journal_close(j);
  folder_remove(&f);
}

static void test_failure_and_recovery(void **state)
{
  (void)state;
  fails_and_recovers(0);
  fails_and_recovers(1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_many_threads),
      cmocka_unit_test(test_failure_and_recovery),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
