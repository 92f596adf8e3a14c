#include "persist/log.h"
#include "unit/persist/expected_lines.h"
#include "unit/persist/fake_disk.h"

enum { LINES = 4 };
static const char *const line[LINES] = {"{\"loss\":1}", "", "a line with spaces and \"quotes\"", "the last one"};
static const char build[] = "ofw 9", config[] = "a=1 b=2";
static ofw_status open_as(fake_disk *d, const char *as, ofw_log **log, ofw_log_found *found, ofw_error *err)
{
  static ofw_disk ops; /* which the log keeps */
  ops = fake_ops(d);
  expected = line, expected_count = LINES, found_lines = 0;
  return ofw_log_open(&ops, "log", build, as, see, NULL, log, found, err);
}

static fake_disk *written(void)
{
  fake_disk *d = fake_new();
  ofw_log *log;
  ofw_log_found found;
  assert_int_equal(open_as(d, config, &log, &found, NULL), OFW_OK);
  assert_null(found.build);
  for (int k = 0; k < LINES; k++)
    assert_int_equal(ofw_log_append(log, line[k], strlen(line[k]), NULL), OFW_OK);
  assert_true(ofw_log_pending(log) > 0);
  assert_int_equal(ofw_log_commit(log, NULL), OFW_OK);
  assert_int_equal(ofw_log_pending(log), 0);
  ofw_log_close(log);
  return d;
}

static inode *file_of(fake_disk *d)
{
  return d->inode[d->name[fake_find(d, "log")].inode];
}

/* Opened, with so many lines and so many bytes torn off. */
static void opened(fake_disk *d, int lines, uint64_t torn)
{
  ofw_log *log;
  ofw_log_found found;
  ofw_error err = {0};
  if (open_as(d, config, &log, &found, &err) != OFW_OK)
    fail_msg("%s", err.message);
  assert_int_equal(found_lines, lines);
  assert_int_equal(found.torn, torn);
  ofw_log_found_free(&found);
  ofw_log_close(log);
}

/* Refused for that reason (NULL: any), and not one byte has changed. */
static void refused(fake_disk *d, const char *message)
{
  ofw_log *log;
  ofw_log_found found;
  ofw_error err = {0};
  inode before = *file_of(d);
  assert_int_equal(open_as(d, config, &log, &found, &err), OFW_BAD_DATA);
  if (message)
    assert_string_equal(err.message, message);
  assert_null(log);
  assert_memory_equal(file_of(d), &before, sizeof before);
}

static void test_round_trip(void **state)
{
  (void)state;
  fake_disk *d = written();
  opened(d, LINES, 0);
  opened(d, LINES, 0); /* opening changes nothing */
  ofw_log_found found;
  ofw_disk ops = fake_ops(d);
  expected = line, expected_count = LINES, found_lines = 0;
  assert_int_equal(ofw_log_read(&ops, "log", see, NULL, &found, NULL), OFW_OK);
  assert_int_equal(found_lines, LINES);
  assert_string_equal(found.build, build);
  assert_string_equal(found.config, config);
  assert_int_equal(found.bytes, file_of(d)->size);
  ofw_log_found_free(&found);
  fake_free(d);
}

static void test_another_configuration(void **state)
{
  (void)state;
  fake_disk *d = written();
  ofw_log *log;
  ofw_log_found found;
  ofw_error err = {0};
  assert_int_equal(open_as(d, "a=1 b=3", &log, &found, &err), OFW_BAD_DATA);
  assert_string_equal(err.message, "log: a log written with 'b=2', where this has 'b=3'");
  assert_int_equal(found_lines, 0);
  fake_free(d);
}

/* Every byte by every mask. */
static void test_flipped(void **state)
{
  (void)state;
  fake_disk *d = written();
  inode *f = file_of(d);
  for (size_t at = 0; at < f->size; at++)
    for (unsigned mask = 1; mask < 256; mask++) {
      f->bytes[at] = (unsigned char)(f->bytes[at] ^ mask);
      refused(d, NULL);
      f->bytes[at] = (unsigned char)(f->bytes[at] ^ mask);
    }
  f->bytes[0] = 'O';
  refused(d, "log: not a log of ofw");
  f->bytes[0] = 'o', f->bytes[7] = '2';
  refused(d, "log: of another format than this ofw reads, which is 1");
  f->bytes[7] = '1', f->bytes[f->size - 3] = '?';
  refused(d, "log: damaged: line 7, at byte 112, does not fit its checksum");
  fake_free(d);
}

static size_t begin_of_line(const inode *f, int k)
{
  const unsigned char *at = f->bytes;
  for (; k > 0; k--)
    at = (const unsigned char *)memchr(at, '\n', MOST_BYTES) + 1;
  return (size_t)(at - f->bytes);
}

/* Cut at every length: what is whole is there, and the newline that a line lacks is written again. */
static void test_cut(void **state)
{
  (void)state;
  fake_disk *d = written();
  inode whole = *file_of(d);
  size_t header = begin_of_line(&whole, 3);
  for (size_t size = 0; size < whole.size; size++) {
    int lines = 0;
    size_t end = header;
    for (int k = 1; k <= LINES; k++)
      if (size + 1 >= begin_of_line(&whole, 3 + k)) {
        lines = k;
        end = begin_of_line(&whole, 3 + k);
      }
    memset(file_of(d), 0, sizeof whole);
    memcpy(file_of(d)->bytes, whole.bytes, size);
    file_of(d)->size = size;
    opened(d, lines, size > header && size > end ? size - end : 0);
    assert_int_equal(file_of(d)->size, end);
    assert_memory_equal(file_of(d)->bytes, whole.bytes, end);
  }
  fake_free(d);
}

/* A line lost, doubled or moved, each with a checksum that fitted where it was. */
static void test_moved(void **state)
{
  (void)state;
  fake_disk *d = written();
  inode whole = *file_of(d), *f = file_of(d);
  size_t from = begin_of_line(&whole, 4), to = begin_of_line(&whole, 5);
  memmove(f->bytes + from, f->bytes + to, whole.size - to);
  f->size -= to - from;
  refused(d, NULL);
  *f = whole;
  memcpy(f->bytes + whole.size, whole.bytes + from, to - from);
  f->size += to - from;
  refused(d, NULL);
  fake_free(d);
}

/* Zeros are a torn sector where they fill one, and damage where they do not. */
static void test_zeros(void **state)
{
  (void)state;
  fake_disk *d = written();
  inode whole = *file_of(d), *f = file_of(d);
  f->size = whole.size + 300; /* a file that grew, whose new bytes were not written */
  opened(d, LINES, 300);
  *f = whole;
  f->bytes[whole.size - 3] = 0;
  refused(d, NULL);
  size_t last = begin_of_line(&whole, 6);
  *f = whole;
  memset(f->bytes + last, 0, 5);
  refused(d, NULL);
  *f = whole;
  memset(f->bytes + last, 0, whole.size - last);
  opened(d, LINES - 1, whole.size - last);
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
  assert_int_equal(ofw_log_open(&ops, "log", build, config, stop_at_two, NULL, &log, &found, &err), OFW_NUMERICAL);
  assert_string_equal(err.message, "log: enough");
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
  assert_string_equal(err.message, "/dev/null: not a regular file");
  assert_int_equal(ofw_log_open(&ofw_real_disk, "/no/where", build, config, NULL, NULL, &log, &found, &err),
                   OFW_FAILED);
  assert_string_equal(err.message, "/no/where: No such file or directory");
  fake_free(d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_another_configuration),
      cmocka_unit_test(test_flipped),
      cmocka_unit_test(test_cut),
      cmocka_unit_test(test_moved),
      cmocka_unit_test(test_zeros),
      cmocka_unit_test(test_a_line_that_is_not_taken),
      cmocka_unit_test(test_not_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
