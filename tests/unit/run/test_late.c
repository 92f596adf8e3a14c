/* Feedback that a run holds back: copies of every kind of vector, the order in which they are due, and the account of a run
 * whose learner hears of its rounds late. */
#include "persist/walk.h"
#include "run/late.h"
#include "unit/run/played.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <string.h>

enum { ROWS = 2, COLS = 3, DIM = ROWS * COLS };

static ofw_status visit_late(void *late, ofw_visitor *v)
{
  return ofw_late_visit(late, v);
}

/* Feedback with a term of each kind, and all that it points to. */
typedef struct sample {
  double dense[DIM], value[2], u[ROWS], v[COLS], constraint[2];
  size_t index[2];
  ofw_vec term[4];
  ofw_sum gradient[2];
  ofw_full full;
} sample;

static void make_sample(sample *s)
{
  *s = (sample){{1, 2, 3, 4, 5, 6}, {7, 8}, {1, -1}, {2, 3, 4}, {0.5, -1}, .index = {0, 4}};
  s->term[0] = ofw_vec_dense(DIM, s->dense);
  s->term[1] = ofw_vec_sparse(2, s->index, s->value);
  s->term[1].scale = 3.0;
  s->term[2] = ofw_vec_rank_one(ROWS, COLS, s->u, s->v);
  s->term[3] = ofw_vec_random(DIM, (ofw_rng_key){1, 2, 3}, OFW_NORMAL);
  s->gradient[0] = (ofw_sum){2, s->term};
  s->gradient[1] = (ofw_sum){1, &s->term[2]};
  s->full = (ofw_full){{1.25, 2, s->constraint}, {4, s->term}, s->gradient};
}

static void must_be_sample(const ofw_full *found)
{
  sample s;
  make_sample(&s);
  const ofw_sum wanted[] = {s.full.loss_gradient, s.gradient[0], s.gradient[1]},
                sums[] = {found->loss_gradient, found->constraint_gradient[0], found->constraint_gradient[1]};
  assert_true(found->values.loss == 1.25 && found->values.constraints == 2);
  assert_memory_equal(found->values.constraint, s.constraint, sizeof s.constraint);
  for (size_t i = 0; i < 3; i++) {
    double a[DIM], b[DIM];
    ofw_sum_dense(wanted[i], DIM, a);
    ofw_sum_dense(sums[i], DIM, b);
    assert_memory_equal(a, b, sizeof a);
  }
}

/* From memory that is then spoilt. */
static void test_copies(void **unused)
{
  (void)unused;
  sample s;
  ofw_late late = {0};
  make_sample(&s);
  assert_int_equal(ofw_late_open(&late, 1, NULL), OFW_OK);
  assert_int_equal(ofw_late_hold(&late, 9, 12, &s.full, NULL), OFW_OK);
  memset(&s, 1, sizeof s);
  ofw_held *due_now = ofw_late_due(&late, 12);
  assert_non_null(due_now);
  assert_int_equal(due_now->round, 9);
  must_be_sample(&due_now->full);
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

/* The whole state of a run. */
static ofw_state saved(const played *g)
{
  ofw_state s = {0};
  if (ofw_run_save(g->run, &s) != OFW_OK)
    fail_msg("%s", ofw_run_error(g->run));
  return s;
}

/* Saved after every round and loaded into a run that is elsewhere: the same bits at the end. */
static void test_saved_after_every_round(void **unused)
{
  (void)unused;
  enum { T = 40 };
  static const plan plans[] = {
      {"ofw-ada", "l2-ball:dim=4", "quadratic", "delay=3", T, 7},
      {"ofw-tvc", "l2-ball:dim=4", "conflict", "delay=6", T, 7},
      {"ofw-ada", NULL, "matrix-completion:users=6,items=5,ratings=14,batch=3", "delay=5", T, 7},
      {"ofw-ada", "simplex:dim=4", "linear", "delay=9", T, 3}};
  for (size_t k = 0; k < sizeof plans / sizeof *plans; k++)
    for (ofw_lateness how = OFW_LATE_FIXED; how <= OFW_LATE_NEVER; how++) {
      played whole = set_up(&plans[k]), now = set_up(&plans[k]), other = set_up(&plans[k]);
      played *const all[] = {&whole, &now, &other};
      for (size_t i = 0; i < 3; i++)
        ofw_run_set_late(all[i]->run, how);
      assert_int_equal(ofw_run_play(other.run, 11, NULL, NULL), OFW_OK);
      assert_int_equal(ofw_run_play(whole.run, T, NULL, NULL), OFW_OK);
      for (size_t t = 0; t < T; t++) {
        assert_int_equal(ofw_run_play(now.run, 1, NULL, NULL), OFW_OK);
        ofw_state s = saved(&now);
        if (ofw_run_load(other.run, &s) != OFW_OK)
          fail_msg("%s", ofw_run_error(other.run));
        ofw_state_free(&s);
        played before = now;
        now = other;
        other = before;
      }
      const ofw_trace_row *a = ofw_run_account(whole.run), *b = ofw_run_account(now.run);
      assert_bits(a->loss_sum, b->loss_sum);
      assert_bits(a->ccv, b->ccv);
      assert_bits(a->price, b->price);
      assert_int_equal(a->oracle_calls, b->oracle_calls);
      for (size_t i = 0; i < 3; i++)
        clear_away(all[i]);
    }
}

/* Every kind of vector comes back as it was; a state of more than there is room for is refused. */
static void test_words(void **unused)
{
  (void)unused;
  sample s;
  ofw_late from, to;
  ofw_state state = {0};
  ofw_error err = {0};
  make_sample(&s);
  assert_int_equal(ofw_late_open(&from, 3, NULL), OFW_OK);
  assert_int_equal(ofw_late_open(&to, 3, NULL), OFW_OK);
  assert_int_equal(ofw_late_hold(&from, 8, 11, &s.full, NULL), OFW_OK);
  assert_int_equal(ofw_late_hold(&from, 9, 10, &(ofw_full){0}, NULL), OFW_OK);
  assert_int_equal(ofw_late_hold(&to, 1, 2, &s.full, NULL), OFW_OK);
  const ofw_saved one = {&from, visit_late, "x"}, other = {&to, visit_late, "x"};
  assert_int_equal(ofw_state_save(&one, 1, &state, &err), OFW_OK);
  assert_int_equal(ofw_state_load(&other, 1, &state, &err), OFW_OK);
  assert_int_equal(ofw_late_due(&to, 10)->round, 9);
  ofw_late_drop(ofw_late_due(&to, 10));
  assert_int_equal(ofw_late_due(&to, 11)->round, 8);
  must_be_sample(&ofw_late_due(&to, 11)->full);
  ofw_late_close(&to);
  assert_int_equal(ofw_late_open(&to, 1, NULL), OFW_OK); /* two do not fit */
  assert_int_equal(ofw_state_load(&other, 1, &state, &err), OFW_BAD_DATA);
  assert_non_null(strstr(err.message, "feedback that is held back is damaged"));
  ofw_state_free(&state);
  ofw_late_close(&from);
  ofw_late_close(&to);
}

static void test_another_lateness_is_refused(void **unused)
{
  (void)unused;
  const plan p = {"ofw-ada", "l2-ball:dim=4", "quadratic", "delay=3", 10, 7};
  played g = set_up(&p);
  assert_int_equal(ofw_run_play(g.run, 5, NULL, NULL), OFW_OK);
  ofw_state state = saved(&g);
  ofw_run_set_late(g.run, OFW_LATE_RANDOM);
  assert_int_equal(ofw_run_load(g.run, &state), OFW_BAD_DATA);
  assert_non_null(strstr(ofw_run_error(g.run), "late="));
  ofw_state_free(&state);
  clear_away(&g);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies),        cmocka_unit_test(test_in_the_order_of_being_due),
      cmocka_unit_test(test_a_run_by_hand), cmocka_unit_test(test_saved_after_every_round),
      cmocka_unit_test(test_words),         cmocka_unit_test(test_another_lateness_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
