/* BFW-Ada by hand on [-1, 1], and what it promises: no unit, no level, no horizon, no bound changes a decision. Whole
 * plays are compared with a slow version in tests/parity. */
#include "unit/learner/units.h"

static double centre(hand *h)
{
  const ofw_point *x;
  double at;
  assert_int_equal(ofw_learner_decide(h->l, &x), OFW_OK);
  assert_int_equal(ofw_point_centre(x, &at), OFW_OK);
  return at;
}

/* One round with numbers alone; u, which is 1 or -1. */
static double told(hand *h, double f, double g)
{
  double y = centre(h), u = (decision(h) - y) / info_of(h).delta;
  ofw_values values = {f, 1, &g};
  assert_near(fabs(u), 1.0);
  assert_int_equal(ofw_learner_observe_values(h->l, &values), OFW_OK);
  return u;
}

/* n = r = 1, D = 2, delta = 1/2, K_delta = [-1/2, 1/2]. */
static void test_first_block(void **unused)
{
  (void)unused;
  static const char *const set[] = {"kappa=64", "block=2"};
  hand h = open_hand("bfw-ada", 0, 0.0, 2, set);
  assert_near(info_of(&h).delta, 0.5);
  told(&h, 5.0, 1.0);
  assert_near(centre(&h), 0.0);
  /* S = 2 (f - 5) u, of length 2: gap 1, rho = 1/16, so B = 16 = 64 dec for the step 1/2, which takes 1/4 off */
  double u = told(&h, 6.0, 0.5);
  assert_near(centre(&h), -u / 4.0);
  assert_near(info_of(&h).sigma, 0.5);
  assert_near(info_of(&h).gap, 1.0);
  assert_int_equal(info_of(&h).oracle_calls, 1);
  /* certain are 16 65/64 + 3/4 = 17, and q = 3/2: b (1 + w) = 17 with w = exp(q / 2b) */
  double log_w = info_of(&h).log_price, b = 0.75 / log_w;
  assert_true(fabs(b * (1.0 + exp(log_w)) - 17.0) < 1e-9);
  /* the means are 11/2 and 3/4, Gf = Gg = 1: (2/1) [(f - 11/2) + w (g - 3/4)] u, then those are 17/3 and 5/6 */
  double w = exp(log_w), third = told(&h, 6.0, 1.0), fourth = told(&h, 5.0, 0.0);
  double S = 2.0 * (0.5 + w / 4.0) * third + 2.0 * (-2.0 / 3.0 - w * 5.0 / 6.0) * fourth;
  /* of Phi' at y = -u/4 block 1 leaves 2 u + 8 y = 0 */
  double y = -u / 4.0, e = (S > 0.0 ? -0.5 : 0.5) - y, gap = -S * e;
  double rho = e * e / 4.0, B = 8.0 + sqrt(64.0 + 16.0 * gap * gap / rho);
  assert_near(info_of(&h).gap, gap);
  assert_near(centre(&h), y + e * gap / (2.0 * B * rho));
  close_hand(&h);
}

/* delta is r max(share b / t, 1 / sqrt t), at most r / 2 and never more than before; it changes between blocks alone. */
static void test_probes_draw_in(void **unused)
{
  (void)unused;
  static const char *const set[] = {"share=1e-6"};
  hand shy = open_hand("bfw-ada", 0, 0.0, 1, set), bold = open_hand("bfw-ada", 0, 0.0, 0, NULL);
  double before = 0.5;
  uint64_t seed = 3;
  for (int t = 0; t < 800; t++) {
    double floor = fmin(0.5, 1.0 / sqrt(t / 8 * 8)), f = any(&seed), g = any(&seed), now = info_of(&bold).delta;
    assert_near(info_of(&shy).delta, floor);
    assert_true(now <= before && now >= floor);
    assert_true(t % 8 == 0 || now == before);
    before = now;
    told(&shy, f, g);
    told(&bold, f, g);
  }
  assert_true(before > 2.0 / sqrt(800.0) && before < 0.5);
  assert_int_equal(info_of(&bold).oracle_calls, 100);
  close_hand(&shy);
  close_hand(&bold);
}

static void test_no_unit(void **unused)
{
  (void)unused;
  no_unit_changes_a_bit("bfw-ada", 0);
  no_unit_changes_a_bit("bfw-ada", 21); /* constraints fill d before there is a loss to measure in */
}

static void test_no_level(void **unused)
{
  (void)unused;
  static double wanted[ROUNDS][DIM], got[ROUNDS][DIM];
  play(&(game){"bfw-ada", "l1-ball:dim=12", 1.0, 1.0, .level = 0.0}, wanted);
  play(&(game){"bfw-ada", "l1-ball:dim=12", 1.0, 1.0, .level = 1000.0}, got);
  for (int t = 0; t < ROUNDS; t++)
    for (int i = 0; i < DIM; i++)
      assert_true(fabs(got[t][i] - wanted[t][i]) < 1e-9);
}

static void test_no_horizon_and_no_bound_is_looked_at(void **unused)
{
  (void)unused;
  static double wanted[ROUNDS][DIM];
  play(&(game){"bfw-ada", "l1-ball:dim=12", 1.0, 1.0, .horizon = 0}, wanted);
  assert_same(&(game){"bfw-ada", "l1-ball:dim=12", 1.0, 1.0, .horizon = 10, .lipschitz = 1e-3}, wanted);
  assert_same(&(game){"bfw-ada", "l1-ball:dim=12", 1.0, 1.0, .horizon = 1000000, .lipschitz = 1e3}, wanted);
}

/* A state that was saved between decision and feedback, in the middle of a block, goes on as before in a learner that
 * has been elsewhere in the same round, with a probe of another length. */
static void test_a_state_brings_its_probe(void **unused)
{
  (void)unused;
  hand a = open_hand("bfw-ada", 0, 0.0, 0, NULL), b = open_hand("bfw-ada", 0, 0.0, 0, NULL);
  ofw_state state = {0};
  uint64_t seed = 7;
  for (int t = 0; t < 203; t++) {
    double f = any(&seed), g = any(&seed);
    told(&a, f, g);
    told(&b, 0.0, 0.0);
  }
  double wanted = decision(&a);
  assert_true(decision(&b) != wanted && info_of(&b).delta < info_of(&a).delta);
  assert_int_equal(ofw_learner_save_state(a.l, &state), OFW_OK);
  assert_int_equal(ofw_learner_load_state(b.l, &state), OFW_OK);
  for (int t = 0; t < 20; t++) {
    assert_true(decision(&b) == decision(&a) && info_of(&b).delta == info_of(&a).delta);
    told(&a, 0.1 * t, 0.5);
    told(&b, 0.1 * t, 0.5);
  }
  ofw_state_free(&state);
  close_hand(&a);
  close_hand(&b);
}

/* Numbers of any size, and sizes that jump. */
static void test_sizes(void **unused)
{
  (void)unused;
  static const double sizes[] = {1e-320, 1e308, 1e-300, -1e308, 1.0, 0.0, 1e200};
  for (int from = 0; from < 7; from++) {
    hand h = open_hand("bfw-ada", 0, 0.0, 0, NULL);
    for (int t = from; t < 200; t++) {
      assert_true(fabs(decision(&h)) <= 1.0);
      told(&h, sizes[t % 7], sizes[t * t % 5]);
    }
    close_hand(&h);
  }
  hand far = open_hand("bfw-ada", 0, 0.0, 0, NULL);
  for (int t = 0; t < 8; t++)
    told(&far, t % 2 ? 1e308 : -1e308, 0.0); /* whose difference is no number */
  assert_true(centre(&far) != 0.0);
  close_hand(&far);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_block),
      cmocka_unit_test(test_probes_draw_in),
      cmocka_unit_test(test_no_unit),
      cmocka_unit_test(test_no_level),
      cmocka_unit_test(test_no_horizon_and_no_bound_is_looked_at),
      cmocka_unit_test(test_a_state_brings_its_probe),
      cmocka_unit_test(test_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
