/* Every aligned range of a byte, 64 bytes, a sector and a page of logs and checkpoints is zeroed, flipped, turned, taken out
 * or doubled. What comes of it is all that was written, or a refusal. A log whose writer was killed may lose its last commit,
 * if the damage is in that: then it looks as if it was never finished. */
#define FAKE_BYTES 32768
#include "persist/checkpoint.h"
#include "persist/log.h"
#include "persist/log_format.h"
#include "unit/persist/expected_lines.h"
#include "unit/persist/fake_disk.h"

#include <stdio.h>

enum { LINES = 40, LONGEST = 1600 };
static char text[LINES][LONGEST + 1];
static const char *line[LINES];

typedef struct shape {
  size_t shortest, longest;
  int group;  /* lines per commit */
  int drop;   /* so many of the first lines */
  int killed; /* not closed */
} shape;

static const shape shapes[] = {{3, 60, 1, 0, 0},      {3, 60, 1, 0, 1},     {40, 400, 3, 0, 0},   {40, 400, 3, 0, 1},
                               {100, 1600, 2, 0, 0},  {100, 1600, 2, 0, 1}, {200, 420, 1, 13, 0}, {200, 420, 1, 13, 1},
                               {1500, 1600, 5, 0, 0}, {1500, 1600, 5, 0, 1}};

static inode *file_of(fake_disk *d, const char *name)
{
  return d->inode[d->name[fake_find(d, name)].inode];
}

/* A log of that shape, not quite as large as a fake file can be; *lines: how many it has, *before: without its last commit,
 * which begins at *last. */
static fake_disk *write_log(const shape *s, int *lines, int *before, size_t *last)
{
  fake_disk *d = fake_new();
  ofw_disk ops = fake_ops(d);
  ofw_log_found found;
  uint64_t seed = s->longest + (uint64_t)s->group;
  const size_t most =
      MOST_BYTES - 4096 - OFW_LOG_MARK * (OFW_LOG_END_MARKS + 1) - (size_t)s->group * (s->longest + 200);
  expected = line, expected_count = LINES, expected_drops = (size_t)s->drop;
  ofw_log *log = start_log(&ops, "a build", "a=1 b=2", &found, NULL);
  assert_non_null(log);
  for (*lines = 0; *lines + s->group <= LINES && file_of(d, "log")->size < most;) {
    *before = *lines;
    *last = file_of(d, "log")->size;
    for (int k = 0; k < s->group; k++, ++*lines) {
      size_t n = s->shortest + any_below(&seed, s->longest - s->shortest + 1);
      for (size_t i = 0; i < n; i++)
        text[*lines][i] = (char)(' ' + any_below(&seed, 95));
      text[*lines][n] = 0;
      line[*lines] = text[*lines];
      assert_int_equal(ofw_log_append(log, text[*lines], n, NULL), OFW_OK);
    }
    assert_int_equal(ofw_log_commit(log, NULL), OFW_OK);
    if (*lines == s->drop + 5)
      assert_int_equal(ofw_log_drop(log, (uint64_t)s->drop, NULL), OFW_OK);
  }
  size_t whole = file_of(d, "log")->size;
  ofw_log_found_free(&found);
  ofw_log_close(log);
  if (s->killed) {
    memset(file_of(d, "log")->bytes + whole, 0, MOST_BYTES - whole);
    file_of(d, "log")->size = whole;
  }
  return d;
}

/* ---- damage ---- */

enum { ZEROED, INVERTED, FLIPPED, TURNED, TAKEN_OUT, DOUBLED, KINDS };

/* 0: nothing has changed. */
static int damage(inode *f, int kind, size_t at, size_t n)
{
  inode before = *f;
  size_t end = at + n < f->size ? at + n : f->size;
  for (size_t k = at; k < end && kind < TURNED; k++)
    f->bytes[k] = (unsigned char)(kind == ZEROED ? 0 : kind == INVERTED ? ~f->bytes[k] : f->bytes[k] ^ 1);
  if (kind == TURNED) {
    memmove(f->bytes + at, f->bytes + at + 1, end - at - 1);
    f->bytes[end - 1] = before.bytes[at];
  } else if (kind == TAKEN_OUT) {
    memmove(f->bytes + at, f->bytes + end, f->size - end);
    f->size -= end - at;
    memset(f->bytes + f->size, 0, end - at);
  } else if (kind == DOUBLED) {
    memmove(f->bytes + end, before.bytes + at, f->size - at);
    f->size += end - at;
  }
  return memcmp(f, &before, sizeof before) != 0;
}

static const size_t lengths[] = {1, 64, 512, 4096};
#ifdef __SANITIZE_ADDRESS__ /* what a sanitizer sees it sees in fewer */
enum { BYTES_APART = 7 };
#else
enum { BYTES_APART = 1 };
#endif
static size_t tried, unharmed, mended;

/* 1: all of it is there; 0: refused; -1: the last commit is gone; -2: more is. */
static int read_damaged(fake_disk *d, int lines, int before)
{
  ofw_log_found found;
  ofw_error err = {0};
  ofw_disk ops = fake_ops(d);
  found_lines = 0;
  ofw_status st = ofw_log_read(&ops, "log", see, NULL, &found, &err);
  uint64_t torn = found.torn;
  int there = (int)found.lines;
  ofw_log_found_free(&found);
  if (st != OFW_OK) {
    assert_int_equal(st, OFW_BAD_DATA);
    return 0;
  }
  assert_int_equal(there, found_lines);
  if (there == lines)
    return 1;
  return there == before && torn > 0 ? -1 : -2;
}

static void damage_log(const shape *s)
{
  int lines = 0, before = 0;
  size_t last = 0;
  fake_disk *d = write_log(s, &lines, &before, &last);
  inode *f = file_of(d, "log"), whole = *f;
  assert_int_equal(read_damaged(d, lines, before), 1);
  assert_true(lines >= 2 * s->group && whole.size > 2 * 512);
  for (int kind = 0; kind < KINDS; kind++)
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
      for (size_t n = lengths[k], at = 0; at < whole.size; at += n == 1 ? BYTES_APART : n) {
        *f = whole;
        if (!damage(f, kind, at, n))
          continue;
        if (s->killed && kind == TAKEN_OUT && at + n >= whole.size && at < last)
          continue; /* cut short, as if what came later had not been written: nothing could tell */
        int found = read_damaged(d, lines, before);
        tried++;
        unharmed += found == 1;
        mended += found < 0;
        if (found == -2 || (found == -1 && !(s->killed && at + n > last)))
          fail_msg("shape %d, kind %d, %zu bytes at %zu of %zu: lines are gone; the last commit was at %zu",
                   (int)(s - shapes), kind, n, at, whole.size, last);
      }
  fake_free(d);
}

static void test_logs(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    damage_log(&shapes[k]);
  assert_true(tried > 100000 / BYTES_APART && unharmed > 0 && mended > 0);
  print_message("%zu ranges, %zu of them harmless, %zu in a commit that looks unfinished\n", tried, unharmed, mended);
}

static void test_checkpoints(void **state)
{
  (void)state;
  fake_disk *d = fake_new();
  ofw_disk ops = fake_ops(d);
  static unsigned char bytes[9000];
  uint64_t seed = 3;
  for (size_t k = 0; k < sizeof bytes; k++)
    bytes[k] = (unsigned char)any_below(&seed, 256);
  assert_int_equal(ofw_checkpoint_write(&ops, "c", &(ofw_state){bytes, sizeof bytes}, "about", NULL), OFW_OK);
  inode *f = file_of(d, "c"), whole = *f;
  for (int kind = 0; kind < KINDS; kind++)
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
      for (size_t n = lengths[k], at = 0; at < whole.size; at += n) {
        ofw_checkpoint c = {0};
        *f = whole;
        int changed = damage(f, kind, at, n);
        ofw_status st = ofw_checkpoint_read_file(&ops, "c", &c, NULL);
        assert_int_equal(st, changed ? OFW_BAD_DATA : OFW_OK);
        ofw_checkpoint_free(&c);
      }
  fake_free(d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_logs), cmocka_unit_test(test_checkpoints)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
