/* Every call that a checkpoint or a log makes to its disk fails once, or is short. */
#include "persist/checkpoint.h"
#include "persist/log.h"
#include "unit/persist/expected_lines.h"
#include "unit/persist/fake_disk.h"

static const int faults[] = {EIO, ENOSPC, EINTR, 0}; /* 0: short */
enum { FAULTS = sizeof faults / sizeof *faults };
static size_t injected;

/* A call that was interrupted, or short, is made again, or goes on, and nobody is told. */
static int must_succeed(const fake_disk *d, int fault)
{
  return d->retryable && (fault == EINTR || fault == 0);
}

/* ---- checkpoints ---- */

static ofw_status write_nth(fake_disk *d, int number, ofw_error *err)
{
  unsigned char bytes[700];
  ofw_disk ops = fake_ops(d);
  memset(bytes, number, sizeof bytes);
  return ofw_checkpoint_write(&ops, "c", &(ofw_state){bytes, sizeof bytes}, "about", err);
}

static ofw_status read_number(fake_disk *d, const char *path, int *number, ofw_error *err)
{
  ofw_checkpoint c = {0};
  ofw_disk ops = fake_ops(d);
  ofw_status st = ofw_checkpoint_read(&ops, path, &c, err);
  *number = st == OFW_OK ? c.state.bytes[0] : 0;
  for (size_t i = 0; i < c.state.size; i++)
    assert_int_equal(c.state.bytes[i], *number);
  ofw_checkpoint_free(&c);
  return st;
}

static int whole(fake_disk *d, const char *path)
{
  int number;
  assert_int_equal(read_number(d, path, &number, NULL), OFW_OK);
  return number;
}

static void check_write(int number, ofw_status st, const ofw_error *err, fake_disk *d)
{
  if (st == OFW_OK)
    assert_int_equal(whole(d, "c"), number);
  else {
    assert_int_equal(st, OFW_FAILED);
    assert_true(strncmp(err->message, "cannot write c: ", 16) == 0);
    ofw_checkpoint c = {0}; /* under its own name, without a look for the one before it */
    ofw_disk ops = fake_ops(d);
    assert_int_equal(ofw_checkpoint_read_file(&ops, "c", &c, NULL), OFW_OK);
    int found = c.state.bytes[0]; /* the folder's sync may have failed after all was done */
    assert_true(found == number || found == number - 1);
    ofw_checkpoint_free(&c);
  }
  assert_true(fake_find(d, "c.tmp") < 0);
  for (int i = 0; i < 3; i++) {
    fake_disk *after = power_cut(d, NULL, d->changes, (luck){i, 7});
    int found = whole(after, "c");
    assert_true(found == number || (st != OFW_OK && found == number - 1));
    fake_free(after);
  }
  assert_int_equal(write_nth(d, 9, NULL), OFW_OK);
  assert_int_equal(whole(d, "c"), 9);
  assert_true(whole(d, "c.1") >= number - 1);
}

static void test_writing(void **state)
{
  (void)state;
  size_t calls = 1;
  for (size_t n = 1; n <= calls; n++)
    for (int k = 0; k < FAULTS; k++, injected++) {
      fake_disk *d = fake_new();
      ofw_error err = {0};
      assert_int_equal(write_nth(d, 1, NULL), OFW_OK);
      assert_int_equal(write_nth(d, 2, NULL), OFW_OK);
      size_t before = d->calls;
      d->fail_at = before + n, d->fail_with = faults[k];
      ofw_status st = write_nth(d, 3, &err);
      calls = d->calls - before > calls ? d->calls - before : calls;
      d->fail_at = 0;
      assert_true(st == OFW_OK || !must_succeed(d, faults[k]));
      check_write(3, st, &err, d);
      fake_free(d);
    }
  assert_true(calls >= 8); /* look, open, write, sync, close, two renames, the folder's sync */
}

static void test_reading(void **state)
{
  (void)state;
  fake_disk *d = fake_new();
  size_t calls = 1;
  int number;
  assert_int_equal(write_nth(d, 1, NULL), OFW_OK);
  assert_int_equal(write_nth(d, 2, NULL), OFW_OK);
  for (size_t n = 1; n <= calls; n++)
    for (int k = 0; k < FAULTS; k++, injected++) {
      ofw_error err = {0};
      size_t before = d->calls;
      d->fail_at = before + n, d->fail_with = faults[k];
      ofw_status st = read_number(d, "c", &number, &err);
      calls = d->calls - before > calls ? d->calls - before : calls;
      assert_true(st == OFW_OK || !must_succeed(d, faults[k]));
      d->retryable = 0;
      if (st == OFW_OK)
        assert_int_equal(number, 2); /* never the one before it, unasked */
      else
        assert_true(st == OFW_FAILED && err.message[0]);
    }
  assert_true(calls >= 4);
  fake_free(d);
}

/* ---- logs ---- */

enum { BEFORE = 3, LINES = 7 };
static const char *const line[LINES] = {"one", "two", "three", "four", "five", "six", "seven"};
static ofw_log *open_log(const ofw_disk *ops, ofw_error *err)
{
  ofw_log_found found;
  expected = line, expected_count = LINES, expected_drops = LINES;
  ofw_log *log = start_log(ops, "a build", "a=1", &found, err);
  ofw_log_found_free(&found);
  return log;
}

/* Opens it and appends what it lacks, two lines per commit, and drops the first ones in between, as long as that goes well;
 * how many it has promised to keep. */
static int drops_failed;

static int play(const ofw_disk *ops, ofw_error *err)
{
  int kept = 0;
  ofw_log *log = open_log(ops, err);
  kept = log ? found_lines : 0;
  for (int k = kept; log && k < LINES; k++) {
    if (ofw_log_append(log, line[k], strlen(line[k]), err) != OFW_OK)
      break;
    if (k % 2 == 0 && ofw_log_commit(log, err) == OFW_OK)
      kept = k + 1;
    ofw_error drop = {0};
    if (k == 4 && ofw_log_drop(log, 2, &drop) != OFW_OK) { /* then it goes on, unless nobody knows which file it is */
      assert_true(drop.status == OFW_FAILED && strncmp(drop.message, "log: ", 5) == 0);
      drops_failed = 1;
    }
  }
  if (err->status != OFW_OK && log) { /* it stays as it is */
    assert_int_equal(ofw_log_append(log, "more", 4, NULL), OFW_FAILED);
    assert_int_equal(ofw_log_commit(log, NULL), OFW_FAILED);
  }
  ofw_log_close(log);
  return kept;
}

static int lines_on(const fake_disk *of)
{
  fake_disk *d = fake_copy(of);
  ofw_disk ops = fake_ops(d);
  ofw_error err = {0};
  ofw_log *log = open_log(&ops, &err);
  if (!log)
    fail_msg("%s", err.message);
  ofw_log_close(log);
  fake_free(d);
  return found_lines;
}

/* An empty disk, or one with a few lines and a torn one. */
static fake_disk *begin(int with_lines)
{
  fake_disk *d = fake_new();
  ofw_disk ops = fake_ops(d);
  ofw_log *log = with_lines ? open_log(&ops, NULL) : NULL;
  for (int k = 0; log && k < BEFORE; k++)
    assert_int_equal(ofw_log_append(log, line[k], strlen(line[k]), NULL), OFW_OK);
  if (log) {
    assert_int_equal(ofw_log_commit(log, NULL), OFW_OK);
    size_t whole = d->inode[0]->size;
    ofw_log_close(log);
    int file = ops.open(d, "log", O_RDWR);
    ops.cut(d, file, whole); /* without its end marks */
    assert_int_equal(ops.write(d, file, "12345678=2 4", 12), 12);
    ops.sync(d, file);
    ops.close(d, file);
  }
  return d;
}

static void test_log(void **state)
{
  (void)state;
  for (int with_lines = 0; with_lines < 2; with_lines++) {
    size_t calls = 1;
    for (size_t n = 1; n <= calls; n++)
      for (int k = 0; k < FAULTS; k++, injected++) {
        fake_disk *d = begin(with_lines);
        ofw_disk ops = fake_ops(d);
        ofw_error err = {0};
        size_t before = d->calls;
        d->fail_at = before + n, d->fail_with = faults[k];
        int kept = play(&ops, &err);
        calls = d->calls - before > calls ? d->calls - before : calls;
        d->fail_at = 0;
        assert_true((err.status == OFW_OK && !drops_failed) || !must_succeed(d, faults[k]));
        drops_failed = 0;
        if (err.status != OFW_OK)
          assert_true(err.status == OFW_FAILED && strncmp(err.message, "log: ", 5) == 0);
        else
          assert_int_equal(kept, LINES);
        kept = kept < (with_lines ? BEFORE : 0) ? BEFORE : kept; /* where it could not be opened */
        assert_true(lines_on(d) >= kept);
        for (int i = 0; i < 3; i++) {
          fake_disk *after = power_cut(d, NULL, d->changes, (luck){i, n});
          assert_true(lines_on(after) >= kept);
          fake_free(after);
        }
        fake_free(d);
      }
    assert_true(calls >= 12);
  }
}

static void test_lock(void **state)
{
  (void)state;
  fake_disk *d = begin(1);
  ofw_disk ops = fake_ops(d);
  ofw_error err = {0};
  d->locked = 1;
  assert_null(open_log(&ops, &err));
  assert_string_equal(err.message, "log: another process has it open");
  fake_free(d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_writing), cmocka_unit_test(test_reading),
                                     cmocka_unit_test(test_log), cmocka_unit_test(test_lock)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  print_message("%zu faults\n", injected);
  return failed;
}
