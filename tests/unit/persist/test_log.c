#include "persist/log.h"
#include "persist/log_format.h"
#include "unit/persist/expected_lines.h"
#include "unit/persist/fake_disk.h"

enum { LINES = 4 };
static const char *const line[LINES] = {"{\"loss\":1}", "", "a line with spaces and \"quotes\"", "the last one"};
static const char build[] = "ofw 9", config[] = "a=1 b=2";
static ofw_log *open_as(fake_disk *d, const char *as, ofw_log_found *found, ofw_error *err)
{
  static ofw_disk ops; /* which the log keeps */
  ops = fake_ops(d);
  expected = line, expected_count = LINES;
  return start_log(&ops, build, as, found, err);
}

/* Two commits of two lines, and closed. */
static fake_disk *written(void)
{
  fake_disk *d = fake_new();
  ofw_log_found found;
  ofw_log *log = open_as(d, config, &found, NULL);
  assert_non_null(log);
  assert_null(found.build);
  for (int k = 0; k < LINES; k++) {
    assert_int_equal(ofw_log_append(log, line[k], strlen(line[k]), NULL), OFW_OK);
    assert_true(ofw_log_pending(log) > 0);
    if (k % 2)
      assert_int_equal(ofw_log_commit(log, NULL), OFW_OK);
  }
  assert_int_equal(ofw_log_pending(log), 0);
  ofw_log_close(log);
  return d;
}

static inode *file_of(fake_disk *d)
{
  return d->inode[d->name[fake_find(d, "log")].inode];
}

/* The commits' beginnings, as the marks that are read off the bytes tell, and behind the last one. */
static size_t begin_of_commit(const inode *f, int k)
{
  size_t at = strlen(ofw_log_first_line);
  ofw_log_mark mark;
  for (; k > 0; k--) {
    size_t length = ofw_log_mark_read((const char *)f->bytes + at, f->size - at, &mark);
    assert_true(length > 0 && mark.kind == OFW_LOG_COMMIT);
    at += length + mark.bytes;
  }
  return at;
}

/* Opened, with so many lines and so many bytes torn off, which are kept. */
static void opened(fake_disk *d, int lines, uint64_t torn)
{
  ofw_log_found found;
  ofw_error err = {0};
  inode before = *file_of(d);
  fake_unlink(d, "log.torn");
  ofw_log *log = open_as(d, config, &found, &err);
  if (!log)
    fail_msg("%s", err.message);
  assert_int_equal(found_lines, lines);
  assert_int_equal(found.torn, torn);
  int kept = fake_find(d, "log.torn");
  assert_int_equal(kept >= 0, torn > 0);
  if (torn > 0) {
    const inode *f = d->inode[d->name[kept].inode];
    assert_int_equal(f->size, torn);
    assert_memory_equal(f->bytes, before.bytes + before.size - torn, torn);
  }
  ofw_log_found_free(&found);
  ofw_log_close(log);
}

/* Refused for that reason (NULL: any), and not one byte has changed. */
static void refused(fake_disk *d, const char *message)
{
  ofw_log_found found;
  ofw_error err = {0};
  inode before = *file_of(d);
  fake_unlink(d, "log.torn");
  assert_null(open_as(d, config, &found, &err));
  assert_int_equal(err.status, OFW_BAD_DATA);
  if (message)
    assert_string_equal(err.message, message);
  assert_memory_equal(file_of(d), &before, sizeof before);
  assert_true(fake_find(d, "log.torn") < 0);
}

static void test_round_trip(void **state)
{
  (void)state;
  fake_disk *d = written();
  opened(d, LINES, 0);
  opened(d, LINES, 0); /* opening changes nothing */
  ofw_log_found found;
  ofw_disk ops = fake_ops(d);
  found_lines = 0;
  assert_int_equal(ofw_log_read(&ops, "log", see, NULL, &found, NULL), OFW_OK);
  assert_int_equal(found_lines, LINES);
  assert_string_equal(found.build, build);
  assert_string_equal(found.config, config);
  assert_int_equal(found.version, 2);
  assert_int_equal(found.commits, 2);
  assert_int_equal(found.closed, 1);
  assert_int_equal(found.bytes, begin_of_commit(file_of(d), 3));
  assert_int_equal(found.bytes + OFW_LOG_MARK * OFW_LOG_END_MARKS, file_of(d)->size);
  ofw_log_found_free(&found);
  fake_free(d);
}

static void test_another_configuration(void **state)
{
  (void)state;
  fake_disk *d = written();
  ofw_log_found found;
  ofw_error err = {0};
  assert_null(open_as(d, "a=1 b=3", &found, &err));
  assert_string_equal(err.message, "log: a log written with 'b=2', but this play has 'b=3'; use the same options");
  assert_int_equal(found_lines, 0);
  fake_free(d);
}

/* Every byte by every mask. An end mark that is damaged costs nothing, as long as one is left. */
static void test_flipped(void **state)
{
  (void)state;
  fake_disk *d = written();
  inode *f = file_of(d), whole = *f;
  size_t end = begin_of_commit(f, 3);
  for (size_t at = 0; at < end; at++)
    for (unsigned mask = 1; mask < 256; mask++) {
      f->bytes[at] = (unsigned char)(f->bytes[at] ^ mask);
      refused(d, NULL);
      f->bytes[at] = (unsigned char)(f->bytes[at] ^ mask);
    }
  for (size_t at = end; at < whole.size; at += 7) {
    fake_disk *copy = fake_copy(d);
    file_of(copy)->bytes[at] ^= 4;
    opened(copy, LINES, 0);
    assert_memory_equal(file_of(copy), &whole, sizeof whole); /* it was closed anew */
    fake_free(copy);
  }
  f->bytes[0] = 'O';
  refused(d, "log: not a log of ofw");
  f->bytes[0] = 'o', f->bytes[7] = '3';
  refused(d, "log: has another format; this ofw reads format 2");
  f->bytes[7] = '2';
  size_t second = begin_of_commit(f, 2);
  char message[128];
  f->bytes[second] ^= 1;
  snprintf(message, sizeof message, "log: damaged at byte %zu: expected the mark of a commit", second);
  refused(d, message);
  f->bytes[second] ^= 1;
  size_t its_line = second + (size_t)(strchr((char *)f->bytes + second, '\n') - (char *)f->bytes - (long)second) + 1;
  f->bytes[its_line + 20] ^= 1;
  snprintf(message, sizeof message, "log: damaged at byte %zu: this line does not match its checksum", its_line);
  refused(d, message);
  fake_free(d);
}

/* Cut at every length: whole commits are there, what is behind them is kept elsewhere. */
static void test_cut(void **state)
{
  (void)state;
  fake_disk *d = written();
  inode whole = *file_of(d);
  for (size_t size = 0; size <= whole.size; size++) {
    int commits = 0;
    while (commits < 3 && size >= begin_of_commit(&whole, commits + 1))
      commits++;
    size_t end = commits > 0 ? begin_of_commit(&whole, commits) : 0;
    /* within the first end mark nobody knows whether it was one */
    uint64_t torn = commits == 0 || (commits == 3 && size >= end + OFW_LOG_MARK) ? 0 : size - end;
    fake_disk *copy = fake_copy(d);
    memset(file_of(copy)->bytes + size, 0, whole.size - size);
    file_of(copy)->size = size;
    opened(copy, commits > 1 ? 2 * (commits - 1) : 0, torn);
    if (commits > 0)
      assert_memory_equal(file_of(copy)->bytes, whole.bytes, end);
    fake_free(copy);
  }
  fake_free(d);
}

/* A commit lost, doubled or moved, each with a mark that was right where it was. */
static void test_moved(void **state)
{
  (void)state;
  fake_disk *d = written();
  inode whole = *file_of(d), *f = file_of(d);
  size_t from = begin_of_commit(&whole, 1), to = begin_of_commit(&whole, 2), end = begin_of_commit(&whole, 3);
  memmove(f->bytes + from, f->bytes + to, whole.size - to);
  f->size -= to - from;
  refused(d, NULL);
  *f = whole;
  memcpy(f->bytes + end, whole.bytes + from, to - from);
  f->size = end + to - from;
  refused(d, NULL);
  fake_free(d);
}

/* Zeros are a sector that was never written, or damage. */
static void test_zeros(void **state)
{
  (void)state;
  fake_disk *d = written();
  inode whole = *file_of(d), *f = file_of(d);
  size_t second = begin_of_commit(&whole, 2), end = begin_of_commit(&whole, 3);
  memset(f->bytes + end, 0, whole.size - end); /* a file that grew, whose new bytes were not written */
  opened(d, LINES, whole.size - end);
  *f = whole;
  memset(f->bytes + second, 0, end - second); /* closed after that: it was there once */
  refused(d, NULL);
  memset(f->bytes + second, 0, SECTOR - second % SECTOR); /* as if never written, but for the end marks behind it */
  refused(d, NULL);
  *f = whole;
  memset(f->bytes + second, 0, end - second);
  f->size = end;
  opened(d, LINES - 2, end - second);
  *f = whole;
  f->size = end;
  memset(f->bytes + second, 0, 20); /* not all that its sector has of it */
  refused(d, NULL);
  *f = whole;
  f->size = end;
  f->bytes[end - 3] = 0;
  refused(d, NULL);
  fake_free(d);
}

/* What another program does to the file while it is open is seen before anybody is told that a line was kept. */
static void test_taken_away(void **state)
{
  (void)state;
  static const char *const why[] = {"it was removed or replaced while it was open",
                                    "it was removed or replaced while it was open",
                                    "another program has changed its size while it was open",
                                    "another program has changed its size while it was open"};
  for (int how = 0; how < 4; how++) {
    fake_disk *d = written();
    ofw_log_found found;
    ofw_error err = {0};
    char message[128];
    ofw_log *log = open_as(d, config, &found, &err);
    assert_int_equal(ofw_log_append(log, "one more", 8, &err), OFW_OK);
    inode *f = file_of(d);
    if (how < 2)
      fake_unlink(d, "log");
    if (how == 1)
      fake_link(d, "log", fake_inode(d));
    if (how == 2)
      f->size = 100;
    if (how == 3)
      f->size += 1;
    assert_int_equal(ofw_log_commit(log, &err), OFW_FAILED);
    snprintf(message, sizeof message, "log: cannot be written: %s", why[how]);
    assert_string_equal(err.message, message);
    assert_int_equal(ofw_log_append(log, "one more", 8, NULL), OFW_FAILED);
    ofw_log_found_free(&found);
    ofw_log_close(log);
    fake_free(d);
  }
}

/* Lines are dropped, the others keep their numbers and sums, and a log that cannot be written anew goes on as it is. */
static void test_dropped(void **state)
{
  (void)state;
  fake_disk *d = written();
  ofw_log_found found;
  ofw_error err = {0};
  ofw_log *log = open_as(d, config, &found, &err);
  uint32_t sum = ofw_log_sum(log);
  d->fail_at = d->calls + 2, d->fail_with = ENOSPC;
  assert_int_equal(ofw_log_drop(log, 3, &err), OFW_FAILED);
  assert_string_equal(err.message, "log: cannot be rewritten: No space left on device");
  d->fail_at = 0;
  assert_int_equal(ofw_log_dropped(log), 0);
  for (uint64_t upto = 0; upto <= 3; upto += 3)
    assert_int_equal(ofw_log_drop(log, upto, &err), OFW_OK);
  assert_int_equal(ofw_log_dropped(log), 3);
  assert_int_equal(ofw_log_sum(log), sum);
  assert_true(fake_find(d, "log.tmp") < 0);
  assert_int_equal(ofw_log_drop(log, 1, &err), OFW_OK); /* which is gone already */
  ofw_log_found_free(&found);
  ofw_log_close(log);
  expected_drops = 3;
  opened(d, LINES, 0);
  log = open_as(d, config, &found, &err);
  assert_int_equal(found.dropped, 3);
  assert_int_equal(ofw_log_sum(log), sum);
  assert_int_equal(ofw_log_drop(log, 4, &err), OFW_OK); /* all of them */
  assert_int_equal(ofw_log_sum(log), sum);
  ofw_log_found_free(&found);
  ofw_log_close(log);
  expected_drops = 4;
  opened(d, LINES, 0);
  expected_drops = 0;
  fake_free(d);
}

/* Version 1, by hand: read as it is, and written anew when it is started. */
static fake_disk *written_by_version_1(const char *more)
{
  fake_disk *d = fake_new();
  const char *text[2 + LINES] = {build, config, line[0], line[1], line[2], line[3]};
  uint32_t sum = ofw_log_chain(0, "ofwlog 1", 8);
  ofw_disk ops = fake_ops(d);
  int file = ops.open(d, "log", O_RDWR | O_CREAT);
  inode *f = file_of(d);
  f->size = (size_t)sprintf((char *)f->bytes, "ofwlog 1\n");
  for (int k = 0; k < 2 + LINES; k++) {
    sum = ofw_log_chain(sum, text[k], strlen(text[k]));
    f->size += (size_t)sprintf((char *)f->bytes + f->size, "%08x %s\n", sum, text[k]);
  }
  f->size += (size_t)sprintf((char *)f->bytes + f->size, "%s", more);
  ops.close(d, file);
  return d;
}

static void test_version_1(void **state)
{
  (void)state;
  static char long_tail[2000]; /* longer than all that is whole */
  static const char *const tails[] = {"", "12345678 fo", long_tail};
  memset(long_tail, 'x', sizeof long_tail - 1);
  for (int k = 0; k < 3; k++) {
    fake_disk *d = written_by_version_1(tails[k]);
    ofw_disk ops = fake_ops(d);
    ofw_log_found found;
    found_lines = 0, expected = line, expected_count = LINES;
    assert_int_equal(ofw_log_read(&ops, "log", see, NULL, &found, NULL), OFW_OK);
    assert_int_equal(found.version, 1);
    assert_int_equal(found.lines, LINES);
    uint32_t from = found.from_sum;
    ofw_log_found_free(&found);
    opened(d, LINES, strlen(tails[k]));
    opened(d, LINES, 0);
    assert_memory_equal(file_of(d)->bytes, ofw_log_first_line, strlen(ofw_log_first_line));
    assert_int_equal(ofw_log_read(&ops, "log", NULL, NULL, &found, NULL), OFW_OK);
    assert_int_equal(found.from_sum, from); /* so that a checkpoint still goes with it */
    assert_string_equal(found.build, build);
    ofw_log_found_free(&found);
    fake_free(d);
  }
  fake_disk *d = written_by_version_1("");
  fake_disk *copy = fake_copy(d);
  inode whole = *file_of(d), *f = file_of(d);
  file_of(copy)->size -= 1; /* a newline is all that is missing */
  opened(copy, LINES, 0);
  fake_free(copy);
  for (size_t at = 0; at < whole.size; at++) {
    *f = whole;
    f->bytes[at] ^= 32;
    refused(d, NULL);
    *f = whole;
    memset(f->bytes + at, 0, whole.size - at > 60 ? 60 : whole.size - at);
    if (at < whole.size - strlen("12345678 the last one\n"))
      refused(d, NULL);
  }
  fake_free(d);
}

static ofw_status stop_at_two(void *ctx, uint64_t number, const char *text, size_t length, uint32_t sum, ofw_error *err)
{
  (void)ctx, (void)text, (void)length, (void)sum;
  return number == 2 ? ofw_fail(err, OFW_NUMERICAL, "enough") : OFW_OK;
}

static void test_a_line_that_is_not_taken(void **state)
{
  (void)state;
  fake_disk *d = written();
  ofw_disk ops = fake_ops(d);
  ofw_log *log;
  ofw_log_found found;
  ofw_error err = {0};
  expected = line, expected_count = LINES;
  assert_int_equal(ofw_log_open(&ops, "log", build, config, stop_at_two, NULL, &log, &found, &err), OFW_NUMERICAL);
  assert_string_equal(err.message, "log: enough");
  ofw_log_found_free(&found);
  assert_null(log);
  opened(d, LINES, 0);
  ofw_log_close(NULL);
  assert_int_equal(ofw_log_pending(NULL), 0);
  fake_free(d);
}

static void test_not_there(void **state)
{
  (void)state;
  ofw_log *log;
  ofw_log_found found;
  ofw_error err = {0};
  fake_disk *d = fake_new();
  ofw_disk ops = fake_ops(d);
  assert_int_equal(ofw_log_read(&ops, "log", NULL, NULL, &found, &err), OFW_FAILED);
  assert_string_equal(err.message, "log: No such file or directory");
  assert_int_equal(ofw_log_open(&ofw_real_disk, "/dev/null", build, config, NULL, NULL, &log, &found, &err),
                   OFW_BAD_DATA);
  assert_string_equal(err.message, "/dev/null: expected a regular file");
  assert_int_equal(ofw_log_open(&ofw_real_disk, "/no/where", build, config, NULL, NULL, &log, &found, &err), OFW_OK);
  assert_int_equal(ofw_log_start(log, &err), OFW_FAILED);
  assert_string_equal(err.message, "/no/where: No such file or directory");
  ofw_log_close(log);
  fake_free(d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip), cmocka_unit_test(test_another_configuration),
      cmocka_unit_test(test_flipped),    cmocka_unit_test(test_cut),
      cmocka_unit_test(test_moved),      cmocka_unit_test(test_zeros),
      cmocka_unit_test(test_taken_away), cmocka_unit_test(test_dropped),
      cmocka_unit_test(test_version_1),  cmocka_unit_test(test_a_line_that_is_not_taken),
      cmocka_unit_test(test_not_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
