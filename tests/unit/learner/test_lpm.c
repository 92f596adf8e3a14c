/* LPM by hand on [-1, 1]: G = R = 1, T = 16, so T^(3/4) = 8, K = 4, eps = 1/4, eta = step/8 and mu = 1/160. Whole plays
 * are compared with a slow version in tests/parity. */
#include "unit/learner/hand.h"

enum { T = 16 };

/* y goes to -2 and back into the ball of radius 1; one step leads there. x is played through the block. */
static void test_a_block(void **unused)
{
  (void)unused;
  const char *set[] = {"step=4"};
  hand h = open_hand("lpm", T, 0.0, 1, set);
  for (int t = 1; t <= 4; t++) {
    assert_near(decision(&h), 0.0);
    feed(&h, 1.0, NAN, 0.0);
  }
  assert_near(decision(&h), -1.0);
  assert_near(info_of(&h).sigma, 1.0);
  assert_near(info_of(&h).gap, 1.0);
  assert_int_equal(info_of(&h).oracle_calls, 1);
  assert_int_equal(info_of(&h).capped, 0);
  close_hand(&h);
}

/* y stays within sqrt(3 eps) = 0.87 of x: nothing happens until it has left. */
static void test_x_waits_for_y(void **unused)
{
  (void)unused;
  const char *set[] = {"step=0.5"};
  hand h = open_hand("lpm", T, 0.0, 1, set);
  for (int t = 1; t <= T; t++) { /* y = -t/16 at the end of a block */
    feed(&h, 1.0, NAN, 0.0);
    assert_near(decision(&h), t < 16 ? 0.0 : -1.0);
  }
  assert_int_equal(info_of(&h).oracle_calls, 1);
  close_hand(&h);
}

/* lambda = max(0, lambda + mu sum (g^+ - rho lambda)), rho = theta eta; it acts from the next block on. */
static void test_multiplier(void **unused)
{
  (void)unused;
  const char *set[] = {"theta=32", "mu=0.0625", "eps=0.01"}; /* rho = 4, eta = 1/8 */
  hand h = open_hand("lpm", T, 0.0, 3, set);
  for (int t = 1; t <= 4; t++)
    feed(&h, 0.0, 0.5, 1.0);
  assert_near(decision(&h), 0.0);
  assert_true(info_of(&h).log_price == -INFINITY);
  for (int t = 1; t <= 4; t++) /* lambda = 2/16: y = -(1/8)(4/8) */
    feed(&h, 0.0, 0.25, 1.0);
  assert_near(info_of(&h).log_price, log(0.125));
  assert_near(decision(&h), 0.0); /* 1/16 < sqrt(3 eps) */
  feed(&h, 0.0, -9.0, 1.0);       /* lambda = 1/8 + (1 - 4 4/8)/16 = 1/16; what is kept has no gradient */
  assert_near(info_of(&h).log_price, log(0.0625));
  for (int t = 2; t <= 4; t++)
    feed(&h, 4.0, -9.0, 1.0); /* y = -1/16 - 12/8, lambda = 1/16 - (4 4/16)/16 = 0 */
  assert_near(decision(&h), -1.0);
  feed(&h, 0.0, 1.0, 1.0);
  assert_true(info_of(&h).log_price == -INFINITY);
  assert_near(info_of(&h).violation, 4.0);
  close_hand(&h);
}

static void expect_config(uint64_t horizon, size_t sets, const char *const *set, const char *text)
{
  hand h = open_hand("lpm", horizon, 0.0, sets, set);
  if (!strstr(ofw_learner_config(h.l), text))
    fail_msg("no '%s' in '%s'", text, ofw_learner_config(h.l));
  close_hand(&h);
}

static void test_constants(void **unused)
{
  (void)unused;
  const char *theory[] = {"params=theory"}, *own[] = {"block=6", "budget=9"};
  expect_config(256, 0, NULL, " params=practical step=1 theta=64 theta-scale=1 mu=0.00078125");
  expect_config(256, 0, NULL, " block=16 eps=0.0625 budget=16 ");
  expect_config(256, 1, theory, " params=theory step=1 theta=320 ");
  expect_config(256, 1, theory, " block=80 eps=3.75 budget=80 ");
  expect_config(256, 2, own, " theta=24 ");
  expect_config(256, 2, own, " block=6 eps=0.0625 budget=9 ");
}

/* The theory's 3 eps = 180 R^2/sqrt T lets x stay at the origin, from which |x - y| <= R, up to T = 180^2. */
static void test_theory_stands_still(void **unused)
{
  (void)unused;
  static const uint64_t horizons[] = {32400, 32500};
  const char *set[] = {"params=theory", "step=1e6", "block=1"};
  for (int k = 0; k < 2; k++) {
    hand h = open_hand("lpm", horizons[k], 0.0, 3, set);
    double most = 0.0;
    for (int t = 1; t <= 9; t++) {
      feed(&h, t % 2 ? 1.0 : -1.0, NAN, 0.0);
      most = fmax(most, fabs(decision(&h)));
    }
    assert_near(most, k ? 1.0 : 0.0);
    close_hand(&h);
  }
}

/* At most `budget` calls a block in the long run: what a block leaves the next may use; running out is counted. */
static void test_budget(void **unused)
{
  (void)unused;
  const char *set[] = {"block=2", "budget=2", "eps=1e-9", "step=1e4"};
  ofw_domain *K = make_domain("l1-ball:dim=9");
  ofw_learner_settings s = {.size = sizeof s, .horizon = T, .lipschitz = 1.0, .options = 4, .option = set};
  hand h = {K, ofw_learner_create_over("lpm", K, &s, NULL)};
  assert_non_null(h.l);
  for (uint64_t t = 1; t <= 40; t++) {
    const ofw_point *x;
    double f[9];
    for (int i = 0; i < 9; i++)
      f[i] = t <= 20 ? 0.0 : sin((double)t * (i + 1)) / 3.0;
    ofw_vec v = ofw_vec_dense(9, f);
    ofw_full fb = {{0.0, 0, NULL}, {1, &v}, NULL};
    assert_int_equal(ofw_learner_decide(h.l, &x), OFW_OK);
    assert_int_equal(ofw_learner_observe(h.l, &fb), OFW_OK);
    ofw_info info = info_of(&h);
    assert_true(info.oracle_calls <= t);
    if (t == 20)
      assert_true(info.oracle_calls == 0 && info.capped == 0);
    if (t == 22) /* the twenty that nobody wanted are there, and used up */
      assert_true(info.oracle_calls > 2 && (info.capped == 0 || info.oracle_calls == 22));
  }
  assert_true(info_of(&h).oracle_calls == 40 && info_of(&h).capped > 3);
  close_hand(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_block),   cmocka_unit_test(test_x_waits_for_y),       cmocka_unit_test(test_multiplier),
      cmocka_unit_test(test_constants), cmocka_unit_test(test_theory_stands_still), cmocka_unit_test(test_budget),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
