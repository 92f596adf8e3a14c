/* What a power cut leaves, after every change that a checkpoint or a log makes, and by many kinds of luck. */
#include "persist/checkpoint.h"
#include "persist/log.h"
#include "unit/persist/expected_lines.h"
#include "unit/persist/fake_disk.h"

#include <stdio.h>

#ifdef __SANITIZE_ADDRESS__ /* what a sanitizer sees it sees in fewer */
enum { CHANCES = 30, CHANCES_AGAIN = 8 };
#else
enum { CHANCES = 90, CHANCES_AGAIN = 16 };
#endif

static luck nth_luck(int i)
{
  return i < 2 ? (luck){i ? ALL_KEPT : NOTHING_KEPT, 0} : (luck){BY_CHANCE, (uint64_t)i};
}

static size_t cuts;

/* ---- checkpoints ---- */

enum { WRITES = 4 };

/* A state that spans sectors and tells its number. */
static ofw_status write_nth(fake_disk *d, int number)
{
  unsigned char bytes[1400];
  char about[32];
  ofw_disk ops = fake_ops(d);
  memset(bytes, number, sizeof bytes);
  snprintf(about, sizeof about, "number %d\n", number);
  return ofw_checkpoint_write(&ops, "c", &(ofw_state){bytes, sizeof bytes}, about, NULL);
}

/* Its number; 0: there is none. Nothing else may be found. */
static int read_number(fake_disk *d, const char *path)
{
  ofw_checkpoint c = {0};
  ofw_disk ops = fake_ops(d);
  ofw_error err = {0};
  ofw_status st = ofw_checkpoint_read(&ops, path, &c, &err);
  if (st == OFW_END)
    return 0;
  if (st != OFW_OK)
    fail_msg("%s", err.message);
  int number = c.state.bytes[0];
  char about[32];
  assert_int_equal(c.state.size, 1400);
  for (size_t i = 0; i < c.state.size; i++)
    assert_int_equal(c.state.bytes[i], number);
  snprintf(about, sizeof about, "number %d\n", number);
  assert_string_equal(c.about, about);
  ofw_checkpoint_free(&c);
  return number;
}

static void test_checkpoints(void **state)
{
  (void)state;
  fake_disk *d = fake_new();
  size_t written[WRITES + 1] = {0};
  for (int k = 1; k <= WRITES; k++) {
    assert_int_equal(write_nth(d, k), OFW_OK);
    written[k] = d->changes;
    assert_int_equal(read_number(d, "c"), k);
    if (k > 1)
      assert_int_equal(read_number(d, "c.1"), k - 1);
  }
  int last = 0;
  for (size_t done = 0; done <= d->changes; done++) {
    last += last < WRITES && done >= written[last + 1];
    for (int i = 0; i < CHANCES; i++, cuts++) {
      fake_disk *after = power_cut(d, NULL, done, nth_luck(i));
      int found = read_number(after, "c");
      assert_true(found == last || found == last + 1);
      assert_int_equal(write_nth(after, 99), OFW_OK); /* and so on from there */
      assert_int_equal(read_number(after, "c"), 99);
      if (found)
        assert_int_equal(read_number(after, "c.1"), found);
      fake_free(after);
    }
  }
  fake_free(d);
}

/* ---- logs ---- */

enum { LINES = 24, LONGEST = 1300, DROP = 5 };
/* What is appended at first, and what after a cut: a client may have other things to say then. */
static char text[3][LINES][LONGEST + 1];
static const char *line[LINES]; /* what the log is to hold */

static void make_lines(void)
{
  uint64_t seed = 5;
  for (int life = 0; life < 3; life++)
    for (int k = 0; k < LINES; k++) {
      size_t length = (k + life) % 4 == 3 ? LONGEST : 3 + any_below(&seed, 90);
      for (size_t i = 0; i < length; i++)
        text[life][k][i] = (char)('!' + any_below(&seed, 90));
    }
  for (int k = 0; k < LINES; k++)
    line[k] = text[0][k];
}

static ofw_log *open_log(const ofw_disk *ops)
{
  ofw_log_found found;
  ofw_error err = {0};
  expected = line, expected_count = LINES, expected_drops = DROP;
  ofw_log *log = start_log(ops, "a build", "a=1 b=2", &found, &err);
  if (!log)
    fail_msg("%s", err.message);
  ofw_log_found_free(&found);
  return log;
}

/* Lines from..to, in commits of one to three, the first DROP of them dropped on the way; after each line, how many changes
 * there were. */
static void append(fake_disk *d, ofw_log *log, int from, int to, size_t acknowledged[LINES + 1])
{
  for (int k = from; k < to;) {
    int group = 1 + k % 3, first = k;
    for (; group > 0 && k < to; group--, k++)
      assert_int_equal(ofw_log_append(log, line[k], strlen(line[k]), NULL), OFW_OK);
    assert_int_equal(ofw_log_commit(log, NULL), OFW_OK);
    for (int j = first; j < k; j++)
      acknowledged[j + 1] = d->changes;
    if (first < DROP + 3 && k >= DROP + 3) {
      assert_int_equal(ofw_log_drop(log, DROP, NULL), OFW_OK);
      assert_int_equal(ofw_log_dropped(log), DROP);
    }
  }
}

static int acknowledged_by(const size_t acknowledged[LINES + 1], int from, int to, size_t done)
{
  int n = from;
  while (n < to && acknowledged[n + 1] <= done)
    n++;
  return n;
}

/* A log goes on after a cut, and after a cut while it was being mended. */
static void go_on(const fake_disk *found_disk, int least, int depth)
{
  size_t acknowledged[LINES + 1] = {0};
  fake_disk *d = fake_copy(found_disk);
  ofw_disk ops = fake_ops(d);
  ofw_log *log = open_log(&ops);
  int from = found_lines, to = from + 2 < LINES ? from + 2 : LINES;
  assert_true(from >= least);
  const char *told[2] = {line[from], line[to - 1]};
  for (int k = from; k < to; k++)
    line[k] = text[2 - depth][k];
  append(d, log, from, to, acknowledged);
  ofw_log_close(log);
  ofw_log_close(open_log(&ops));
  assert_int_equal(found_lines, to);
  for (size_t done = 0; depth > 0 && done <= d->changes; done++)
    for (int i = 0; i < CHANCES_AGAIN; i++, cuts++) {
      fake_disk *after = power_cut(d, found_disk, done, nth_luck(i));
      go_on(after, acknowledged_by(acknowledged, least, to, done), depth - 1);
      fake_free(after);
    }
  for (int k = from; k < to; k++)
    line[k] = told[k - from];
  fake_free(d);
}

static void test_logs(void **state)
{
  (void)state;
  size_t acknowledged[LINES + 1] = {0};
  fake_disk *d = fake_new();
  ofw_disk ops = fake_ops(d);
  make_lines();
  ofw_log *log = open_log(&ops);
  append(d, log, 0, LINES - 4, acknowledged);
  ofw_log_close(log);
  for (size_t done = 0; done <= d->changes; done++)
    for (int i = 0; i < CHANCES; i++, cuts++) {
      fake_disk *after = power_cut(d, NULL, done, nth_luck(i));
      go_on(after, acknowledged_by(acknowledged, 0, LINES - 4, done), i < 30);
      fake_free(after);
    }
  fake_free(d);
}

/* A line a commit, until the process is killed. */
static void play_until_killed(fake_disk *d)
{
  ofw_disk ops = fake_ops(d);
  ofw_log_found found;
  expected = line, expected_count = LINES, expected_drops = 0;
  ofw_log *log = start_log(&ops, "a build", "a=1 b=2", &found, NULL);
  for (int k = 0; log && k < LINES - 4 && ofw_log_append(log, line[k], strlen(line[k]), NULL) == OFW_OK; k++)
    if (ofw_log_commit(log, NULL) != OFW_OK || (k == DROP + 2 && ofw_log_drop(log, DROP, NULL) != OFW_OK))
      break;
  ofw_log_found_free(&found);
  ofw_log_close(log);
}

/* A process is killed, another one opens the log, and what that has found counts from then on: it prints the decision that
 * follows. Then the power goes. */
static void test_killed_before(void **state)
{
  (void)state;
  size_t calls = SIZE_MAX;
  make_lines();
  for (size_t n = 0; n <= calls; n++) {
    fake_disk *d = fake_new();
    ofw_disk ops = fake_ops(d);
    d->fail_at = n, d->fail_with = EIO, d->killed = 1;
    play_until_killed(d);
    calls = n ? calls : d->calls;
    d->fail_at = 0;
    ofw_log *log = open_log(&ops);
    size_t acknowledged[LINES + 1], opened = d->changes;
    int there = found_lines;
    append(d, log, there, there + 2, acknowledged);
    ofw_log_close(log);
    for (size_t done = opened; done <= d->changes; done++)
      for (int i = 0; i < CHANCES_AGAIN; i++, cuts++) {
        fake_disk *after = power_cut(d, NULL, done, nth_luck(i));
        go_on(after, acknowledged_by(acknowledged, there, there + 2, done), 0);
        fake_free(after);
      }
    fake_free(d);
  }
  assert_true(calls > 2 * (LINES - 4)); /* at least a write and a sync a line */
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_checkpoints), cmocka_unit_test(test_logs),
                                     cmocka_unit_test(test_killed_before)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  print_message("%zu power cuts\n", cuts);
  return failed;
}
