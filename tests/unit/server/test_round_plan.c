/* A plan foresees what playing does: lines of any rounds are sorted at once by one session, and played one by one by its twin. */
#include "linalg/rng.h"
#include "server/round_plan.h"
#include "unit/base/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { REQUESTS = 3000, MOST_LINES = 12, LINE = 128 };

static session *make(const char *pairs)
{
  session_spec spec = {ofw_copy_text(""),
                       ofw_copy_text("ofw-ada"),
                       ofw_copy_text("l2-ball:dim=2"),
                       ofw_copy_text("{}"),
                       ofw_copy_text(pairs),
                       1,
                       0};
  session *s = session_make("0123456789abcdef", &spec, 1000, NULL);
  assert_non_null(s);
  return s;
}

/* A round near those that are next; feedback, or a request for its decision. */
static void draw_line(const session *s, uint64_t request, uint64_t number, char *text)
{
  const ofw_rng_key key = {4, OFW_RNG_ORDER, request};
  double where = ofw_rng_unit(key, 2 * number);
  int decides = s->delay && ofw_rng_unit(key, 2 * number + 1) < 0.5;
  uint64_t next = session_next(s), round = where < 0.4 ? next + number / 2 : next + 2 - (uint64_t)(8.0 * where);
  round = round > next + MOST_LINES || round == 0 ? 1 : round;
  if (decides)
    snprintf(text, LINE, "{\"ask\":{\"decide\":{\"round\":%" PRIu64 "}}}", round);
  else
    snprintf(text, LINE, "{\"round\":%" PRIu64 ",\"loss\":%d,\"loss_gradient\":[%d,1]}", round,
             (int)(request % 2 && where < 0.7), (int)(round % 3));
}

static void read_line(session *s, const char *text, session_line *line)
{
  ofw_error err = {0};
  if (session_read(s, text, strlen(text), line, &err) != OFW_OK)
    fail_msg("%s: %s", text, err.message);
}

/* How many lines of each kind there were. */
static void play(const char *pairs, size_t seen[])
{
  session *planned = make(pairs), *twin = make(pairs);
  for (uint64_t request = 0; request < REQUESTS; request++) {
    char text[MOST_LINES][LINE];
    session_line line;
    round_plan plan;
    round_fit fit = ROUND_IS_NEXT;
    size_t lines = 0;
    round_plan_open(&plan, planned);
    while (fit == ROUND_IS_NEXT && lines < MOST_LINES) {
      ofw_error err = {0};
      uint64_t before = session_changes(twin);
      draw_line(twin, request, lines, text[lines]);
      read_line(planned, text[lines], &line);
      fit = round_plan_sort(&plan, &line);
      seen[fit]++;
      read_line(twin, text[lines], &line);
      assert_int_equal(session_play(twin, &line, &err), fit == ROUND_IS_NEXT ? OFW_OK : OFW_USAGE);
      assert_int_equal(session_changes(twin) != before, fit == ROUND_IS_NEXT);
      lines += fit == ROUND_IS_NEXT;
    }
    for (size_t k = 0; k < lines; k++) {
      read_line(planned, text[k], &line);
      assert_int_equal(session_play(planned, &line, NULL), OFW_OK);
    }
    assert_int_equal(planned->decided, twin->decided);
    assert_int_equal(planned->answered, twin->answered);
    assert_int_equal(planned->open.count, planned->delay ? planned->l->open->count : 0);
    assert_true(planned->decided - planned->answered <= planned->delay + 1);
  }
  assert_true(planned->answered > 100);
  session_release(planned);
  session_release(twin);
}

static void test_foresees(void **unused)
{
  (void)unused;
  static const char *const pairs[] = {"", "delay=1", "delay=3", "delay=9"};
  for (size_t k = 0; k < 4; k++) {
    size_t seen[ROUND_IS_BEYOND + 1] = {0};
    play(pairs[k], seen);
    for (size_t fit = 0; fit <= ROUND_IS_BEYOND; fit++)
      if ((seen[fit] == 0) != (k == 0 && fit == ROUND_IS_BEYOND))
        fail_msg("'%s': %zu lines of kind %zu", pairs[k], seen[fit], fit);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_foresees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
