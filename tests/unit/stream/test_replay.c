#include "persist/log.h"
#include "unit/stream/generated.h"

#include <stdio.h>
#include <unistd.h>

static char path[64], spec[80], message[200];
static ofw_domain *K;
static held x;

/* A file with this text, and a stream over it. */
static ofw_stream *recorded(const char *text)
{
  snprintf(path, sizeof path, "/tmp/ofw-replay-XXXXXX");
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  snprintf(spec, sizeof spec, "replay:file=%s", path);
  return stream(spec, K, 0, 0);
}

static void gone(ofw_stream *s)
{
  ofw_stream_free(s);
  unlink(path);
}

static int open_domain(void **state)
{
  (void)state;
  K = domain("l2-ball:dim=2");
  x = hold(K);
  return 0;
}

static int close_domain(void **state)
{
  (void)state;
  let_go(&x);
  ofw_domain_free(K);
  return 0;
}

static const char three[] =
    "{\"loss\":1,\"loss_gradient\":[1,-1]}\n"
    "{\"loss\":2.5,\"loss_gradient\":[0.5,2],\"constraint\":0.25,\"constraint_gradient\":[3,4]}\r\n"
    "{\"loss\":-3,\"loss_gradient\":{\"index\":[1],\"value\":[9]}}"; /* no newline */

static void is_round(ofw_stream *s, uint64_t t)
{
  static const double loss[] = {1, 2.5, -3}, gradient[][2] = {{1, -1}, {0.5, 2}, {0, 9}};
  double a[2];
  ofw_full fb = reveal(s, t, &x);
  assert_bits(fb.values.loss, loss[t - 1]);
  ofw_sum_dense(fb.loss_gradient, 2, a);
  assert_bits(a[0], gradient[t - 1][0]);
  assert_bits(a[1], gradient[t - 1][1]);
  assert_int_equal(fb.values.constraints, t == 2);
  if (t == 2) {
    assert_bits(fb.values.constraint[0], 0.25);
    ofw_sum_dense(fb.constraint_gradient[0], 2, a);
    assert_true(a[0] == 3.0 && a[1] == 4.0);
  }
}

static void ends(ofw_stream *s, uint64_t t, uint64_t before)
{
  ofw_full fb;
  assert_int_equal(ofw_stream_reveal(s, t, &x.at, &fb), OFW_END);
  snprintf(message, sizeof message, "%s ends before round %d", path, (int)before);
  assert_string_equal(ofw_stream_error(s), message);
}

static void test_rounds(void **state)
{
  (void)state;
  ofw_stream *s = recorded(three);
  for (uint64_t t = 1; t <= 3; t++)
    is_round(s, t);
  ends(s, 4, 4);
  ends(s, 4, 4);
  double loss;
  assert_int_equal(ofw_stream_comparator(s, 1, &loss), OFW_UNSUPPORTED);
  assert_int_equal(ofw_stream_target(s, 1, &loss), OFW_UNSUPPORTED);
  assert_bits(ofw_stream_constants(s)->lipschitz, 0.0); /* not known */
  gone(s);
}

static void test_any_order(void **state)
{
  (void)state;
  static const uint64_t order[] = {3, 1, 1, 2, 3, 3, 2, 1, 3};
  ofw_stream *s = recorded(three);
  for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
    is_round(s, order[k]);
    if (k % 3 == 0)
      ends(s, 4, 4);
  }
  ends(s, 9, 4);
  is_round(s, 2);
  gone(s);
}

static void test_decision_does_not_matter(void **state)
{
  (void)state;
  ofw_stream *s = recorded(three);
  x.x[0] = 0.6;
  is_round(s, 2);
  x.x[0] = -0.3;
  is_round(s, 2);
  gone(s);
}

static void test_empty_file(void **state)
{
  (void)state;
  ofw_stream *s = recorded("");
  ends(s, 1, 1);
  ends(s, 2, 1);
  gone(s);
}

static void is_loss(ofw_stream *s, uint64_t t, double loss)
{
  assert_bits(reveal(s, t, &x).values.loss, loss);
}

static void bad_line(ofw_stream *s, uint64_t t, const char *what)
{
  ofw_full fb;
  assert_int_equal(ofw_stream_reveal(s, t, &x.at, &fb), OFW_BAD_DATA);
  snprintf(message, sizeof message, "%s:%d: %s", path, (int)t, what);
  assert_string_equal(ofw_stream_error(s), message);
}

static void test_bad_lines(void **state)
{
  (void)state;
  ofw_stream *s = recorded("{\"loss\":1,\"loss_gradient\":[1,-1]}\n"
                           "{\"loss\":nan,\"loss_gradient\":[1,-1]}\n"
                           "\n"
                           "{\"loss\":1}\n"
                           "{\"loss\":2.5,\"loss_gradient\":[0.5,2],\"constraint\":0.25,\"constraint_gradi");
  is_round(s, 1);
  bad_line(s, 2, "loss, column 9: expected a number, found 'nan'");
  bad_line(s, 3, "column 1: expected a JSON object, found the end of the line");
  bad_line(s, 4, "field 'loss_gradient' is missing");
  bad_line(s, 5, "column 56: expected a name with its closing quote, found 'constraint_gradi'");
  bad_line(s, 2, "loss, column 9: expected a number, found 'nan'");
  is_round(s, 1); /* a bad line elsewhere spoils nothing */
  assert_string_equal(ofw_stream_error(s), "");
  gone(s);
}

/* The longest line there may be, and one byte more; it can be asked for again, and others with it. */
static void test_longest_line(void **state)
{
  (void)state;
  enum { LONGEST = 65536 + 64 * 2 };
  static const char begin[] = "{\"loss\":1,", end[] = "\"loss_gradient\":[1,-1]}\n";
  char *text = malloc(3 * LONGEST);
  for (int over = 0; over < 2; over++) {
    int blanks = LONGEST + 1 + over - (int)(strlen(begin) + strlen(end));
    sprintf(text, "%s%s%s%*s%s", begin, end, begin, blanks, "", end);
    ofw_stream *s = recorded(text);
    for (int again = 0; again < 2; again++) {
      char what[60];
      snprintf(what, sizeof what, "the line is longer than %d bytes", LONGEST);
      if (over)
        bad_line(s, 2, what);
      else
        is_loss(s, 2, 1.0);
      is_loss(s, 1, 1.0);
    }
    gone(s);
  }
  free(text);
}

/* What went through a pipe cannot be had again. */
static void test_pipe(void **state)
{
  (void)state;
  ofw_full fb;
  int end[2];
  assert_int_equal(pipe(end), 0);
  assert_int_equal(write(end[1], three, sizeof three - 1), (ssize_t)sizeof three - 1);
  close(end[1]);
  snprintf(spec, sizeof spec, "replay:file=/dev/fd/%d", end[0]);
  ofw_stream *s = stream(spec, K, 0, 0);
  is_round(s, 1);
  is_round(s, 3); /* over round 2 */
  assert_int_equal(ofw_stream_reveal(s, 2, &x.at, &fb), OFW_BAD_DATA);
  snprintf(message, sizeof message, "/dev/fd/%d: cannot read it again: Illegal seek", end[0]);
  assert_string_equal(ofw_stream_error(s), message);
  ofw_stream_free(s);
  close(end[0]);
}

/* Lines far longer than any buffer's first size. */
static void test_long_file(void **state)
{
  (void)state;
  enum { LINES = 300 };
  char *text = malloc(LINES * 3000), *at = text;
  assert_non_null(text);
  for (int t = 1; t <= LINES; t++) {
    at += sprintf(at, "{\"loss\":%d,%*s\"loss_gradient\":[%d,0]}\n", t, t * 9, "", -t);
  }
  ofw_stream *s = recorded(text);
  uint64_t seed = 1;
  for (int k = 0; k < 500; k++) {
    uint64_t t = 1 + any_below(&seed, LINES);
    double a[2];
    ofw_full fb = reveal(s, t, &x);
    assert_bits(fb.values.loss, (double)t);
    ofw_sum_dense(fb.loss_gradient, 2, a);
    assert_bits(a[0], -(double)t);
  }
  ends(s, LINES + 1, LINES + 1);
  gone(s);
  free(text);
}

static void test_refusals(void **state)
{
  (void)state;
  ofw_error err = {0};
  stream_refused("replay", K,
                 "replay: file is required (file of feedback, one JSON object per line, or a log of 'ofw pipe --log')");
  stream_refused("replay:file=/tmp", NULL, "replay: the stream needs a domain");
  assert_null(ofw_stream_create("replay:file=/nowhere/at-all", K, 1, 1, &err));
  assert_int_equal(err.status, OFW_BAD_DATA);
  assert_string_equal(err.message, "replay: cannot read /nowhere/at-all: No such file or directory");
  ofw_stream *s = ofw_stream_create("replay:file=/tmp", K, 1, 1, &err); /* a folder: refused now or when it is read */
  if (s) {
    ofw_full fb;
    assert_int_equal(ofw_stream_reveal(s, 1, &x.at, &fb), OFW_BAD_DATA);
    assert_string_equal(ofw_stream_error(s), "/tmp: Is a directory");
    ofw_stream_free(s);
  }
}

/* What a line tells of the next round is there after that line, and not after the next. */
static void test_hints(void **state)
{
  (void)state;
  ofw_stream *s =
      recorded("{\"loss\":1,\"loss_gradient\":[1,-1],\"next_constraint\":0.5,\"next_constraint_gradient\":[2,3]}\n"
               "{\"loss\":2,\"loss_gradient\":[1,1]}\n");
  ofw_hint hint;
  double a[2];
  reveal(s, 1, &x);
  assert_int_equal(ofw_stream_hint(s, 1, &x.at, &hint), OFW_OK);
  assert_true(hint.size == sizeof hint && hint.constraints == 1 && hint.constraint[0] == 0.5);
  ofw_sum_dense(hint.constraint_gradient[0], 2, a);
  assert_true(a[0] == 2.0 && a[1] == 3.0);
  reveal(s, 2, &x);
  assert_int_equal(ofw_stream_hint(s, 2, &x.at, &hint), OFW_OK);
  assert_int_equal(hint.size, 0);
  gone(s);
}

#define LATE(round, loss) "{\"round\":" #round ",\"loss\":" #loss ",\"loss_gradient\":[1,2]}\n"
#define ASKS              "{\"ask\":{\"decide\":{}}}\n"

/* Feedback that came late, with the requests for decisions between: in the order of its rounds, and not. */
static void test_a_play_with_a_delay(void **state)
{
  (void)state;
  ofw_stream *s = recorded(ASKS ASKS LATE(4, 1.5) "{\"id\":1,\"ask\":{\"decide\":{\"round\":6}}}\n" LATE(5, 2.5)
                               ASKS LATE(6, 3.5) ASKS);
  static const uint64_t order[] = {1, 2, 3, 2, 1};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    assert_bits(reveal(s, order[i], &x).values.loss, (double)order[i] + 0.5);
  ends(s, 4, 4);
  gone(s);
  ofw_full fb;
  s = recorded(ASKS ASKS LATE(1, 1.5) ASKS LATE(3, 2.5));
  reveal(s, 1, &x);
  assert_int_equal(ofw_stream_reveal(s, 2, &x.at, &fb), OFW_BAD_DATA);
  snprintf(message, sizeof message,
           "%s:5: expected the feedback of round 2, found that of round 3; a replay needs the order of the rounds",
           path);
  assert_string_equal(s->err.message, message);
  gone(s);
}

/* The same three rounds, as a log has them; the first `dropped` are no longer there. */
static ofw_stream *logged(uint64_t dropped)
{
  ofw_log *log;
  ofw_log_found found;
  char copy[sizeof three], *rest = copy;
  ofw_error err = {0};
  snprintf(path, sizeof path, "/tmp/ofw-replay-XXXXXX");
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  unlink(path);
  memcpy(copy, three, sizeof three);
  assert_int_equal(ofw_log_open(&ofw_real_disk, path, "a build", "a config", NULL, NULL, &log, &found, &err), OFW_OK);
  ofw_log_found_free(&found);
  assert_int_equal(ofw_log_start(log, &err), OFW_OK);
  for (char *line; (line = strsep(&rest, "\n"));) {
    assert_int_equal(ofw_log_append(log, line, strlen(line), &err), OFW_OK);
    assert_int_equal(ofw_log_commit(log, &err), OFW_OK);
  }
  if (dropped)
    assert_int_equal(ofw_log_drop(log, dropped, &err), OFW_OK);
  ofw_log_close(log);
  snprintf(spec, sizeof spec, "replay:file=%s", path);
  return stream(spec, K, 0, 0);
}

/* In any order, as from the lines themselves. */
static void test_a_log(void **state)
{
  (void)state;
  static const uint64_t order[] = {1, 2, 3, 1, 3, 2};
  ofw_stream *s = logged(0);
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    is_round(s, order[i]);
  ends(s, 4, 4);
  assert_string_equal(ofw_stream_note(s), "");
  gone(s);
}

static void test_a_log_that_begins_later(void **state)
{
  (void)state;
  ofw_stream *s = logged(1);
  ofw_full fb = reveal(s, 1, &x);
  assert_bits(fb.values.loss, 2.5);
  ends(s, 3, 3);
  snprintf(message, sizeof message, "%s has dropped its first 1 rounds: round 1 of the replay is its round 2", path);
  assert_string_equal(ofw_stream_note(s), message);
  gone(s);
}

static void test_a_damaged_log(void **state)
{
  (void)state;
  ofw_error err = {0};
  gone(recorded("ofwlog")); /* not a log: its first line will be refused */
  ofw_stream *s = logged(0);
  FILE *file = fopen(path, "r+");
  assert_non_null(file);
  assert_int_equal(fseek(file, 60, SEEK_SET), 0);
  putc('#', file);
  (void)fclose(file);
  assert_null(ofw_stream_create(spec, K, 0, 0, &err));
  assert_int_equal(err.status, OFW_BAD_DATA);
  snprintf(message, sizeof message, "%s: damaged at byte ", path);
  assert_true(strncmp(err.message, message, strlen(message)) == 0);
  gone(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_log),
      cmocka_unit_test(test_a_log_that_begins_later),
      cmocka_unit_test(test_a_play_with_a_delay),
      cmocka_unit_test(test_a_damaged_log),
      cmocka_unit_test(test_rounds),
      cmocka_unit_test(test_any_order),
      cmocka_unit_test(test_hints),
      cmocka_unit_test(test_decision_does_not_matter),
      cmocka_unit_test(test_empty_file),
      cmocka_unit_test(test_bad_lines),
      cmocka_unit_test(test_longest_line),
      cmocka_unit_test(test_pipe),
      cmocka_unit_test(test_long_file),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, open_domain, close_domain);
}
