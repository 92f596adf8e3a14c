#include "unit/run/played.h"

#include <float.h>
#include <stdio.h>
#include <unistd.h>

enum { T = 200 };
static const plan plans[] = {
    {"ofw-tvc", "l2-ball:dim=7,radius=2", "linear", NULL, T, 1},
    {"ofw-tvc", "simplex:dim=8,sum=2.5", "linear", "preset=tight", T, 2},
    {"scofw-tvc", "l1-ball:dim=9,radius=3", "quadratic", NULL, T, 3},
    {"ofw-tvc", "trace-ball:rows=6,cols=4,radius=3", "quadratic", "sigma=line-search", T, 4},
    {"scofw-tvc", NULL, "matrix-completion:users=30,items=20,ratings=250,rank=2,batch=25", NULL, T, 5},
};
enum { PLANS = sizeof plans / sizeof *plans };

/* The same game by hand: ask, reveal, tell, add up. */
typedef struct by_hand {
  played g;
  ofw_trace_row row;
} by_hand;

static void play_by_hand(by_hand *h)
{
  const ofw_point *x;
  ofw_full fb = {0};
  ofw_info info = {.size = sizeof info};
  double best = (double)NAN, truth = (double)NAN, g = (double)NAN;
  uint64_t t = ++h->row.round;
  assert_int_equal(ofw_learner_decide(h->g.l, &x), OFW_OK);
  assert_int_equal(ofw_stream_reveal(h->g.s, t, x, &fb), OFW_OK);
  h->row.loss = fb.values.loss;
  if (fb.values.constraints)
    g = fb.values.constraint[0];
  assert_int_equal(ofw_learner_observe(h->g.l, &fb), OFW_OK);
  if (ofw_stream_comparator(h->g.s, t, &best) != OFW_OK)
    best = (double)NAN;
  if (ofw_stream_target(h->g.s, t, &truth) != OFW_OK)
    truth = (double)NAN;
  assert_int_equal(ofw_learner_info(h->g.l, &info), OFW_OK);
  h->row.loss_sum += h->row.loss;
  h->row.constraint = g;
  h->row.ccv += fmax(g, 0.0);
  h->row.comparator_loss_sum = isnan(best) ? best : h->row.comparator_loss_sum + best;
  h->row.target_loss_sum = isnan(truth) ? truth : h->row.target_loss_sum + truth;
  h->row.price = fmin(exp(info.log_price), DBL_MAX);
  h->row.sigma = info.sigma;
  h->row.gap = info.gap;
  h->row.oracle_calls = info.oracle_calls;
  h->row.passes = info.oracle_passes;
  h->row.oracle_error = info.oracle_error;
}

static int compare(void *ctx, const ofw_trace_row *row)
{
  by_hand *h = ctx;
  play_by_hand(h);
  check_same_row(row, &h->row);
  return 0;
}

static void test_account(void **state)
{
  (void)state;
  for (size_t k = 0; k < PLANS; k++) {
    played g = set_up(&plans[k]);
    by_hand h = {.g = set_up(&plans[k])};
    assert_int_equal(ofw_run_account(g.run)->round, 0);
    assert_int_equal(ofw_run_play(g.run, T, compare, &h), OFW_OK);
    assert_int_equal(ofw_run_account(g.run)->round, T);
    check_same_row(ofw_run_account(g.run), &h.row);
    assert_string_equal(ofw_run_error(g.run), "");
    clear_away(&g);
    clear_away(&h.g);
  }
}

/* Where a run has come to is what its learner decides next, less a bandit's probe. */
static void test_decision(void **state)
{
  (void)state;
  static const plan more[] = {{"bfw-tvc", "l2-ball:dim=7,radius=2", "quadratic", NULL, T, 6},
                              {"ofw-tvc", "l2-ball:dim=7,radius=2", "linear", NULL, OFW_HORIZON_AUTO, 7}};
  for (size_t k = 0; k < PLANS + 2; k++) {
    played g = set_up(k < PLANS ? &plans[k] : &more[k - PLANS]);
    for (int part = 0; part < 4; part++) { /* the second ends with an epoch, and the others within one */
      double at[600], next[600];
      const ofw_point *x;
      assert_int_equal(ofw_run_play(g.run, part == 1 ? 57 : 7, NULL, NULL), OFW_OK);
      assert_int_equal(ofw_point_dense(ofw_run_decision(g.run), at), OFW_OK);
      assert_int_equal(ofw_learner_decide(g.l, &x), OFW_OK);
      assert_int_equal(ofw_point_centre(x, next), OFW_OK);
      assert_memory_equal(at, next, x->at->dim * sizeof *at);
      assert_int_equal(ofw_point_dense(ofw_run_decision(g.run), next), OFW_OK); /* also of the epoch that begins */
      assert_memory_equal(at, next, x->at->dim * sizeof *at);
    }
    clear_away(&g);
  }
}

/* Learning helps: the regret against the best feasible point, a round, falls well below what standing still costs. */
static void test_regret(void **state)
{
  (void)state;
  plan p = {"ofw-tvc", "l2-ball:dim=7,radius=2", "linear", "step=30", 2000, 1};
  played g = set_up(&p);
  assert_int_equal(ofw_run_play(g.run, 2000, NULL, NULL), OFW_OK);
  const ofw_trace_row *a = ofw_run_account(g.run);
  double still = 0.0 - a->comparator_loss_sum; /* the loss at the origin is 0 */
  assert_true(still > 0.0);
  assert_at_most(a->loss_sum - a->comparator_loss_sum, 0.5 * still);
  assert_true(isnan(a->target_loss_sum));
  clear_away(&g);
}

typedef struct stopper {
  uint64_t at, calls;
  double seconds;
} stopper;

static int stop(void *ctx, const ofw_trace_row *row)
{
  stopper *s = ctx;
  s->calls++;
  assert_true(row->seconds >= s->seconds);
  s->seconds = row->seconds;
  return row->round == s->at;
}

static void test_watch_stops(void **state)
{
  (void)state;
  played g = set_up(&plans[0]), whole = set_up(&plans[0]);
  stopper s = {.at = 7};
  assert_int_equal(ofw_run_play(g.run, T, stop, &s), OFW_OK);
  assert_int_equal(ofw_run_account(g.run)->round, 7);
  assert_int_equal(s.calls, 7);
  assert_int_equal(ofw_run_play(g.run, 0, stop, &s), OFW_OK);
  assert_int_equal(s.calls, 7);
  assert_int_equal(ofw_run_play(g.run, T - 7, stop, &s), OFW_OK); /* goes on where it stopped */
  assert_int_equal(ofw_run_account(g.run)->round, T);
  assert_int_equal(ofw_run_play(whole.run, T, NULL, NULL), OFW_OK);
  check_same_row(ofw_run_account(g.run), ofw_run_account(whole.run));
  clear_away(&g);
  clear_away(&whole);
}

static void test_end_of_stream(void **state)
{
  (void)state;
  char path[] = "/tmp/ofw-run-XXXXXX", spec[80], message[160];
  int fd = mkstemp(path);
  FILE *out = fdopen(fd, "w");
  assert_non_null(out);
  for (int t = 1; t <= 3; t++)
    fprintf(out, "{\"loss\":%d,\"loss_gradient\":[1,0]}\n", t);
  fclose(out);
  snprintf(spec, sizeof spec, "replay:file=%s", path);
  plan p = {"ofw-tvc", "l2-ball:dim=2", spec, NULL, 9, 0};
  played g = set_up(&p);
  assert_int_equal(ofw_run_play(g.run, 9, NULL, NULL), OFW_END);
  snprintf(message, sizeof message, "%s ends before round 4", path);
  assert_string_equal(ofw_run_error(g.run), message);
  const ofw_trace_row *a = ofw_run_account(g.run);
  assert_int_equal(a->round, 3);
  assert_bits(a->loss_sum, 6.0);
  assert_true(isnan(a->constraint) && isnan(a->comparator_loss_sum) && isnan(a->target_loss_sum));
  assert_bits(a->ccv, 0.0);
  assert_int_equal(ofw_run_play(g.run, 1, NULL, NULL), OFW_END);
  assert_int_equal(a->round, 3);
  clear_away(&g);
  unlink(path);
}

static void test_sizes_must_agree(void **state)
{
  (void)state;
  played a = set_up(&plans[0]), b = set_up(&plans[1]);
  ofw_error err = {0};
  assert_null(ofw_run_create(a.l, b.s, &err));
  assert_string_equal(err.message, "the learner's dimension is 7, but the stream's is 8");
  assert_int_equal(err.status, OFW_USAGE);
  ofw_run_free(NULL);
  clear_away(&a);
  clear_away(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_account),     cmocka_unit_test(test_decision),      cmocka_unit_test(test_regret),
      cmocka_unit_test(test_watch_stops), cmocka_unit_test(test_end_of_stream), cmocka_unit_test(test_sizes_must_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
