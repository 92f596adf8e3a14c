/* Feedback that a run holds back: copies of every kind of vector, the order in which they are due, and the account of a run
 * whose learner hears of its rounds late. */
#include "run/late.h"
#include "unit/run/played.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <string.h>

enum { ROWS = 2, COLS = 3, DIM = ROWS * COLS };

/* One term of each kind, from memory that is then spoilt. */
static void test_copies(void **unused)
{
  (void)unused;
  double dense[DIM] = {1, 2, 3, 4, 5, 6}, value[2] = {7, 8}, u[ROWS] = {1, -1}, v[COLS] = {2, 3, 4}, g[2] = {0.5, -1};
  size_t index[2] = {0, 4};
  ofw_vec term[] = {ofw_vec_dense(DIM, dense), ofw_vec_sparse(2, index, value), ofw_vec_rank_one(ROWS, COLS, u, v),
                    ofw_vec_random(DIM, (ofw_rng_key){1, 2, 3}, OFW_NORMAL)};
  term[1].scale = 3.0;
  ofw_sum gradient[2] = {{2, term}, {1, &term[2]}};
  ofw_full full = {{1.25, 2, g}, {4, term}, gradient};
  double expected[3][DIM], found[DIM];
  ofw_sum_dense(full.loss_gradient, DIM, expected[0]);
  ofw_sum_dense(gradient[0], DIM, expected[1]);
  ofw_sum_dense(gradient[1], DIM, expected[2]);
  ofw_late late = {0};
  assert_int_equal(ofw_late_open(&late, 1, NULL), OFW_OK);
  assert_int_equal(ofw_late_hold(&late, 9, 12, &full, NULL), OFW_OK);
  memset(dense, 1, sizeof dense);
  memset(value, 1, sizeof value);
  memset(index, 1, sizeof index);
  memset(u, 1, sizeof u);
  memset(v, 1, sizeof v);
  memset(g, 1, sizeof g);
  memset(term, 1, sizeof term);
  memset(gradient, 1, sizeof gradient);
  ofw_held *due_now = ofw_late_due(&late, 12);
  assert_non_null(due_now);
  assert_int_equal(due_now->round, 9);
  assert_true(due_now->full.values.loss == 1.25 && due_now->full.values.constraint[0] == 0.5);
  assert_true(due_now->full.values.constraint[1] == -1.0);
  ofw_sum_dense(due_now->full.loss_gradient, DIM, found);
  assert_memory_equal(found, expected[0], sizeof found);
  for (size_t i = 0; i < 2; i++) {
    ofw_sum_dense(due_now->full.constraint_gradient[i], DIM, found);
    assert_memory_equal(found, expected[i + 1], sizeof found);
  }
  ofw_late_close(&late);
}

static void test_in_the_order_of_being_due(void **unused)
{
  (void)unused;
  ofw_late late = {0};
  ofw_error err = {0};
  const ofw_full full = {0};
  static const uint64_t due[] = {5, 3, 5, 4}, order[] = {2, 4, 1, 3};
  assert_int_equal(ofw_late_open(&late, 4, NULL), OFW_OK);
  for (uint64_t t = 1; t <= 4; t++)
    assert_int_equal(ofw_late_hold(&late, t, due[t - 1], &full, NULL), OFW_OK);
  assert_int_equal(ofw_late_hold(&late, 5, 9, &full, &err), OFW_USAGE);
  assert_null(ofw_late_due(&late, 2));
  for (size_t i = 0; i < 4; i++) {
    ofw_held *due_now = ofw_late_due(&late, 5);
    assert_int_equal(due_now->round, order[i]);
    ofw_late_drop(due_now);
  }
  assert_null(ofw_late_due(&late, 100));
  assert_int_equal(ofw_late_hold(&late, 5, 9, &full, NULL), OFW_OK); /* its place is free again */
  ofw_late_close(&late);
}

/* The same game by hand with a twin of the learner: round t is told after the decision of round t + 3. */
static void test_a_run_by_hand(void **unused)
{
  (void)unused;
  enum { T = 60, DELAY = 3 };
  const plan p = {"ofw-tvc", "l2-ball:dim=4", "quadratic", "delay=3", T, 7};
  played run = set_up(&p), hand = set_up(&p);
  ofw_late late = {0};
  double loss = 0.0, ccv = 0.0, x[4], y[4];
  const ofw_point *at;
  assert_int_equal(ofw_late_open(&late, DELAY + 1, NULL), OFW_OK);
  for (uint64_t t = 1; t <= T; t++) {
    ofw_full fb = {0};
    assert_int_equal(ofw_learner_decide(hand.l, &at), OFW_OK);
    assert_int_equal(ofw_stream_reveal(hand.s, t, at, &fb), OFW_OK);
    loss += fb.values.loss;
    ccv += fmax(0.0, fb.values.constraint[0]);
    assert_int_equal(ofw_late_hold(&late, t, t + DELAY, &fb, NULL), OFW_OK);
    for (ofw_held *due_now; (due_now = ofw_late_due(&late, t)); ofw_late_drop(due_now))
      assert_int_equal(ofw_learner_observe_round(hand.l, due_now->round, &due_now->full), OFW_OK);
    if (ofw_run_play(run.run, 1, NULL, NULL) != OFW_OK)
      fail_msg("%s", ofw_run_error(run.run));
    assert_bits(ofw_run_account(run.run)->loss_sum, loss);
    assert_bits(ofw_run_account(run.run)->ccv, ccv);
  }
  ofw_point_dense(ofw_run_decision(run.run), x);
  ofw_point_dense(ofw_run_decision(hand.run), y);
  assert_memory_equal(x, y, sizeof x);
  ofw_late_close(&late);
  clear_away(&run);
  clear_away(&hand);
}

static void test_it_is_not_saved(void **unused)
{
  (void)unused;
  const plan p = {"ofw-ada", "l2-ball:dim=4", "quadratic", "delay=3", 10, 7};
  played g = set_up(&p);
  ofw_state state = {0};
  assert_int_equal(ofw_run_save(g.run, &state), OFW_UNSUPPORTED);
  assert_non_null(strstr(ofw_run_error(g.run), "a run with delay cannot be saved"));
  clear_away(&g);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_in_the_order_of_being_due),
      cmocka_unit_test(test_a_run_by_hand),
      cmocka_unit_test(test_it_is_not_saved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
