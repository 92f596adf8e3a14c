/* LBPM: a round by hand, blocks, constants and refusals. Whole plays are compared with a slow version in tests/parity. */
#include "unit/learner/bandit.h"

static const ofw_learner_settings usual = {.horizon = 16, .lipschitz = 1.0, .loss_bound = 1.0};

/* The next decision's u = (x - centre)/delta, in one dimension 1 or -1. */
static double next_u(ofw_learner *l, double delta)
{
  const ofw_point *x;
  double at, centre;
  assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
  assert_int_equal(ofw_point_dense(x, &at), OFW_OK);
  assert_int_equal(ofw_point_centre(x, &centre), OFW_OK);
  return (at - centre) / delta;
}

/* On [-1, 1] with delta = 1/2, so that K_delta = [-1/2, 1/2], and eta = 1/8: y -= (1/4) f u. */
static void test_by_hand(void **unused)
{
  (void)unused;
  const char *set[] = {"c=1", "block=1", "eps=0.01"};
  for (uint64_t seed = 1; seed <= 20; seed++) {
    ofw_learner_settings s = usual;
    s.seed = seed;
    ofw_learner *l = open_bandit("lbpm", "l2-ball:dim=1", s, 3, set, NULL);
    double centre, u = next_u(l, 0.5);
    assert_true(fabs(fabs(u) - 1.0) < 1e-15);
    play(l, 2.0, NAN, &centre); /* y = -u/2, which one step reaches */
    double again = next_u(l, 0.5);
    play(l, 4.0, NAN, &centre);
    assert_true(fabs(centre + u / 2.0) < 1e-15);
    assert_int_equal(info_of(l).oracle_calls, 2);
    /* y = -u/2 - u2: beyond the end where x is, and pulled in to -u, or on the way to the other */
    play(l, 0.0, NAN, &centre);
    assert_true(fabs(centre - (again * u > 0.0 ? -u / 2.0 : u / 2.0)) < 1e-15);
    ofw_learner_free(l);
  }
}

/* K = sqrt T = 4; the partial block of T = 18 updates nothing. */
static void test_blocks(void **unused)
{
  (void)unused;
  const char *set[] = {"step=100", "eps=1e-3"};
  ofw_learner_settings s = usual;
  s.horizon = 18;
  ofw_learner *l = open_bandit("lbpm", "l2-ball:dim=3", s, 2, set, NULL);
  assert_int_equal(moves(l, 3, 18), (1 << 4) | (1 << 8) | (1 << 12) | (1 << 16));
  assert_non_null(strstr(ofw_learner_config(l), " block=4 eps=0.001 budget=4 "));
  ofw_learner_free(l);
}

/* It probes as far as bfw-tvc does. */
static void test_probe(void **unused)
{
  (void)unused;
  static const char *const domains[] = {"l2-ball:dim=2", "simplex:dim=5,sum=3", "box:dim=3,lower=-1,upper=3"};
  for (size_t k = 0; k < 3; k++) {
    ofw_learner *l = open_bandit("lbpm", domains[k], usual, 0, NULL, NULL);
    ofw_learner *bfw = open_bandit("bfw-tvc", domains[k], usual, 0, NULL, NULL);
    assert_true(info_of(l).delta > 0.0 && info_of(l).delta == info_of(bfw).delta);
    ofw_learner_free(l);
    ofw_learner_free(bfw);
  }
}

/* Scaling losses, constraints, G and M alike changes nothing. */
static void test_units(void **unused)
{
  (void)unused;
  const char *set[] = {"block=1", "eps=1e-3", "theta-scale=0.01"};
  double left[MOST_DIM] = {0}, right[MOST_DIM] = {0};
  ofw_learner_settings large = usual;
  large.lipschitz = large.loss_bound = 128.0;
  ofw_learner *a = open_bandit("lbpm", "l2-ball:dim=3", usual, 3, set, NULL);
  ofw_learner *b = open_bandit("lbpm", "l2-ball:dim=3", large, 3, set, NULL);
  for (int t = 0; t < 13; t++) {
    play(a, 0.5 + 0.01 * t, 0.25, left);
    play(b, 128.0 * (0.5 + 0.01 * t), 128.0 * 0.25, right);
    for (int i = 0; i < 3; i++)
      assert_true(fabs(left[i] - right[i]) < 1e-13);
  }
  assert_true(info_of(a).log_price > -INFINITY && fabs(left[0]) > 1e-3);
  assert_true(fabs(info_of(a).log_price - info_of(b).log_price) < 1e-13);
  ofw_learner_free(a);
  ofw_learner_free(b);
}

/* A block that runs out of calls is counted. */
static void test_budget(void **unused)
{
  (void)unused;
  const char *set[] = {"budget=1", "eps=1e-6", "step=100"};
  double centre[MOST_DIM];
  ofw_learner *l = open_bandit("lbpm", "l1-ball:dim=5", usual, 3, set, NULL);
  for (int t = 1; t <= 4; t++) {
    assert_int_equal(info_of(l).capped, 0);
    play(l, 1.0, 0.5, centre);
  }
  assert_int_equal(info_of(l).capped, 1);
  assert_int_equal(info_of(l).oracle_calls, 1);
  ofw_learner_free(l);
}

static void test_refusals(void **unused)
{
  (void)unused;
  expect_no_bandit("lbpm", "l2-ball:dim=3", usual, "c=2.5",
                   "lbpm: c=2.5 probes 1.25 away, but the set contains only a ball of radius 1; make c smaller");
  expect_no_bandit("lbpm", "simplex:dim=1", usual, NULL,
                   "lbpm: no ball around the centre of simplex:dim=1 is known to lie inside it, so there is no room to "
                   "probe; choose another set");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand), cmocka_unit_test(test_blocks), cmocka_unit_test(test_probe),
      cmocka_unit_test(test_units),   cmocka_unit_test(test_budget), cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
