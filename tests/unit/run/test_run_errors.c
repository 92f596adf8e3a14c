/* What a run says and keeps where a round fails, with a caller's own stream. */
#include "unit/run/played.h"

/* f = x_0; as many constraints as asked for, with these values and the gradient of f; fails where told to. */
typedef struct game {
  double loss, gradient[2], constraint[3];
  size_t constraints;
  ofw_vec term;
  ofw_sum sum[3];
  uint64_t reveal_fails, comparator_fails;
} game;

static int play(void *ctx, uint64_t t, const ofw_point *x, ofw_full *out)
{
  game *now = ctx;
  (void)x;
  if (t == now->reveal_fails)
    return 3;
  *out = (ofw_full){.values = {now->loss, now->constraints, now->constraint},
                    .loss_gradient = now->sum[0],
                    .constraint_gradient = now->sum};
  return 0;
}

static int best(void *ctx, uint64_t t, double *loss)
{
  *loss = -1.0;
  return t == ((game *)ctx)->comparator_fails ? 5 : 0;
}

static game now;

static played begin(const char *set)
{
  now = (game){.loss = 0.5, .gradient = {1, 0}};
  now.term = ofw_vec_dense(2, now.gradient);
  for (size_t i = 0; i < 3; i++)
    now.sum[i] = (ofw_sum){1, &now.term};
  ofw_stream_callbacks own = {sizeof own, {1.0, 1.0, 0.0, OFW_TERMS_ANY}, play, best, &now, NULL};
  plan p = {"ofw-tvc", NULL, NULL, set, 50, 0};
  ofw_domain *K = domain("l2-ball:dim=2");
  return set_up_on(K, ofw_stream_create_own(&own, K, NULL), &p);
}

/* The run and its learner agree on how many rounds were played. */
static void stands_at(const played *g, uint64_t round)
{
  ofw_info info = {.size = sizeof info};
  assert_int_equal(ofw_learner_info(g->l, &info), OFW_OK);
  const ofw_trace_row *a = ofw_run_account(g->run);
  assert_int_equal(a->round, round);
  assert_int_equal(info.round, round + 1);
  assert_near(a->loss_sum, 0.5 * (double)round, 1e-12);
  assert_near(a->comparator_loss_sum, -(double)round, 1e-12);
}

static void test_failing_reveal(void **state)
{
  (void)state;
  played g = begin(NULL);
  now.reveal_fails = 5;
  assert_int_equal(ofw_run_play(g.run, 9, NULL, NULL), OFW_FAILED);
  assert_string_equal(ofw_run_error(g.run), "round 5: the stream's own reveal returned 3");
  stands_at(&g, 4);
  now.reveal_fails = 0; /* mended: the same round is played again */
  assert_int_equal(ofw_run_play(g.run, 5, NULL, NULL), OFW_OK);
  assert_string_equal(ofw_run_error(g.run), "");
  stands_at(&g, 9);
  clear_away(&g);
}

static void test_refused_feedback(void **state)
{
  (void)state;
  played g = begin(NULL);
  assert_int_equal(ofw_run_play(g.run, 2, NULL, NULL), OFW_OK);
  now.loss = (double)NAN;
  assert_int_equal(ofw_run_play(g.run, 2, NULL, NULL), OFW_BAD_DATA);
  assert_string_equal(ofw_run_error(g.run), "round 3: loss is not a finite number");
  stands_at(&g, 2);
  now.loss = 0.5;
  now.gradient[1] = INFINITY;
  assert_int_equal(ofw_run_play(g.run, 2, NULL, NULL), OFW_BAD_DATA);
  assert_string_equal(ofw_run_error(g.run), "round 3: loss_gradient: number 2 is infinite");
  stands_at(&g, 2);
  now.gradient[1] = 0.0;
  assert_int_equal(ofw_run_play(g.run, 2, NULL, NULL), OFW_OK);
  stands_at(&g, 4);
  clear_away(&g);
}

static void test_failing_comparator(void **state)
{
  (void)state;
  played g = begin(NULL);
  now.comparator_fails = 4;
  assert_int_equal(ofw_run_play(g.run, 9, NULL, NULL), OFW_FAILED);
  assert_string_equal(ofw_run_error(g.run), "round 4: the stream's own comparator returned 5");
  stands_at(&g, 3);
  now.comparator_fails = 0;
  assert_int_equal(ofw_run_play(g.run, 1, NULL, NULL), OFW_OK);
  stands_at(&g, 4);
  clear_away(&g);
}

/* Several constraints count as the learner counts them. */
static void test_combined_constraints(void **state)
{
  (void)state;
  static const struct {
    const char *set;
    size_t n;
    double g[3], shown, violation;
  } cases[] = {
      {NULL, 0, {0}, 0, 0},
      {NULL, 1, {-0.5}, -0.5, 0},
      {NULL, 3, {-0.5, 0.25, 0.125}, 0.25, 0.25},
      {NULL, 3, {-0.5, -0.25, -0.75}, -0.25, 0},
      {"constraints=max", 2, {0.5, 0.25}, 0.5, 0.5},
      {"constraints=sum", 3, {-0.5, 0.25, 0.125}, 0.375, 0.375},
      {"constraints=sum", 2, {-0.5, -0.25}, 0, 0},
      {"constraints=sum", 0, {0}, 0, 0},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    played g = begin(cases[k].set);
    now.constraints = cases[k].n;
    memcpy(now.constraint, cases[k].g, sizeof now.constraint);
    assert_int_equal(ofw_run_play(g.run, 4, NULL, NULL), OFW_OK);
    const ofw_trace_row *a = ofw_run_account(g.run);
    if (cases[k].n)
      assert_bits(a->constraint, cases[k].shown);
    else
      assert_true(isnan(a->constraint)); /* no constraint this round */
    assert_bits(a->ccv, 4.0 * cases[k].violation);
    clear_away(&g);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_failing_reveal),
      cmocka_unit_test(test_refused_feedback),
      cmocka_unit_test(test_failing_comparator),
      cmocka_unit_test(test_combined_constraints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
