/* The files of the sessions' log: what was committed comes back in order, whichever call of the disk fails. */
#include "server/segments.h"
#include "unit/server/folder.h"

#include <stdio.h>
#include <string.h>

enum { LINES = 8 };
static const char id[] = "0123456789abcdef";

/* Lines as they come back: the numbers that were appended. */
typedef struct found {
  size_t count;
  int number[4 * LINES];
} found;

static ofw_status take(void *ctx, const char *session, const char *line, size_t length, ofw_error *err)
{
  found *f = ctx;
  (void)err;
  assert_string_equal(session, id);
  assert_true(f->count < 4 * LINES && length > 0 && length < 8);
  f->number[f->count++] = atoi(line);
  return OFW_OK;
}

static ofw_status add(segments *s, int number, ofw_error *err)
{
  char line[16];
  snprintf(line, sizeof line, "%d", number);
  OFW_TRY(segments_append(s, id, line, strlen(line), err));
  return segments_commit(s, err);
}

static void read_back(const test_folder *f, found *out)
{
  segments s;
  ofw_error err = {0};
  *out = (found){0};
  if (segments_open(&s, &ofw_real_disk, f->path, "b", take, out, &err) != OFW_OK)
    fail_msg("%s", err.message);
  segments_close(&s);
}

static void test_grows_and_begins_again(void **state)
{
  (void)state;
  test_folder f = folder_make();
  segments s;
  found all = {0};
  assert_int_equal(segments_open(&s, &ofw_real_disk, f.path, "b", take, &all, NULL), OFW_OK);
  for (int k = 1; k <= LINES; k++) {
    assert_int_equal(add(&s, k, NULL), OFW_OK);
    if (k % 3 == 0)
      assert_int_equal(segments_next(&s, NULL), OFW_OK);
  }
  assert_true(s.first == 1 && s.last == 3 && s.bytes > 0);
  segments_close(&s);
  read_back(&f, &all);
  assert_int_equal(all.count, LINES);
  for (int k = 0; k < LINES; k++)
    assert_int_equal(all.number[k], k + 1);
  all = (found){0};
  assert_int_equal(segments_open(&s, &ofw_real_disk, f.path, "b", take, &all, NULL), OFW_OK);
  assert_int_equal(add(&s, 9, NULL), OFW_OK); /* the last file grows */
  assert_int_equal(segments_drop(&s, 2, NULL), OFW_OK);
  assert_true(s.first == 2 && s.last == 3);
  segments_close(&s);
  read_back(&f, &all);
  assert_int_equal(all.count, 6);
  assert_true(all.number[0] == 4 && all.number[5] == 9);
  folder_remove(&f);
}

static void test_a_missing_file_is_refused(void **state)
{
  (void)state;
  test_folder f = folder_make();
  segments s;
  found all = {0};
  ofw_error err = {0};
  assert_int_equal(segments_open(&s, &ofw_real_disk, f.path, "b", take, &all, NULL), OFW_OK);
  assert_int_equal(segments_next(&s, NULL), OFW_OK);
  assert_int_equal(segments_next(&s, NULL), OFW_OK);
  segments_close(&s);
  char *middle = ofw_format("%s/log-00000002", f.path);
  assert_int_equal(unlink(middle), 0);
  free(middle);
  assert_int_equal(segments_open(&s, &ofw_real_disk, f.path, "b", take, &all, &err), OFW_BAD_DATA);
  assert_non_null(strstr(err.message, "found 2 of them"));
  segments_close(&s);
  folder_remove(&f);
}

/* Adds lines as a server does: after a failure another file is begun until that succeeds, and the line is sent again with
 * another content. `told` has the numbers that were acknowledged; 0: the files could not even be opened. */
static int play(const ofw_disk *disk, const test_folder *f, found *told)
{
  segments s;
  found before = {0};
  *told = (found){0};
  if (segments_open(&s, disk, f->path, "b", take, &before, NULL) != OFW_OK) {
    segments_close(&s);
    return 0;
  }
  for (int k = 1; k <= LINES; k++) {
    int number = k * 10;
    while (add(&s, number, NULL) != OFW_OK) {
      while (segments_next(&s, NULL) != OFW_OK)
        ;
      number++;
    }
    told->number[told->count++] = number;
    if (k == 5)
      (void)segments_next(&s, NULL); /* which may fail, too */
  }
  segments_close(&s);
  return 1;
}

static void test_every_call_fails_once(void **state)
{
  static const int whys[] = {ENOSPC, EIO};
  size_t calls = 0, hits = 0;
  (void)state;
  for (size_t n = 0; n <= calls; n++) { /* 0: none fails */
    test_folder f = folder_make();
    failing_disk d = {.fail_at = n, .why = whys[n % 2]};
    ofw_disk ops = failing_ops(&d);
    found told, there;
    int opened = play(&ops, &f, &told);
    calls = d.calls > calls ? d.calls : calls;
    hits += (size_t)d.hit;
    if (opened) {
      read_back(&f, &there);
      assert_int_equal(there.count, told.count); /* none that was refused: it came again with another content */
      for (size_t i = 0; i < told.count; i++)
        assert_int_equal(there.number[i], told.number[i]);
    }
    folder_remove(&f);
  }
  assert_true(calls > 20 && hits > 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_grows_and_begins_again),
      cmocka_unit_test(test_a_missing_file_is_refused),
      cmocka_unit_test(test_every_call_fails_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
