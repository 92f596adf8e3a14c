/* SCBFW-TVC: blocks, constants, the two regularisers and refusals. Whole plays are compared with a slow version in
 * tests/parity. */
#include "unit/learner/bandit.h"

static const ofw_learner_settings usual = {.horizon = 27, .lipschitz = 1.0, .strong_convexity = 0.5};

/* K = T^(2/3) = 9: the centre moves after rounds 9 and 18. */
static void test_blocks(void **unused)
{
  (void)unused;
  ofw_learner *l = open_bandit("scbfw-tvc", "l2-ball:dim=3", usual, 0, NULL, NULL);
  assert_int_equal(moves(l, 3, 27), (1 << 9) | (1 << 18));
  assert_non_null(strstr(ofw_learner_config(l), " block=9 steps=9 "));
  ofw_learner_free(l);
}

static void expect_config(const char *set, const char *text)
{
  ofw_learner *l = open_bandit("scbfw-tvc", "l2-ball:dim=2", usual, set ? 1 : 0, &set, NULL);
  assert_non_null(l);
  if (!strstr(ofw_learner_config(l), text))
    fail_msg("no '%s' in '%s'", text, ofw_learner_config(l));
  ofw_learner_free(l);
}

/* r = 1, so c = 1/2 and delta = 1/6; the theorem's beta = 1/(G D T^(2/3)) = 1/18, gamma = G/(G + alpha D) = 1/2. */
static void test_constants(void **unused)
{
  (void)unused;
  char proof[64];
  double D = 2.0, c = 0.5, n = 2.0, log13 = log(3.0), C3 = 8.0 + 3.0 * c + c * D + 12.0 * D;
  double gamma = 16.0 * 9.0 / 0.5 * (8.0 * log13 + C3 + 8.0 * n * n * D * D * (1.0 + log13) / (c * c));
  snprintf(proof, sizeof proof, " beta=1 gamma=%lld.", (long long)gamma); /* the digits that rounding leaves alone */
  expect_config(NULL, "c=0.5 ");
  expect_config(NULL, " gamma=0.5 beta-scale=1 gamma-scale=1");
  expect_config("params=proof", proof);
  ofw_learner *l = open_bandit("scbfw-tvc", "l2-ball:dim=2", usual, 0, NULL, NULL);
  assert_true(fabs(info_of(l).delta - 1.0 / 6.0) < 1e-16);
  ofw_learner_free(l);
}

/* Losses of 0 leave only the regulariser: the default one stays where it is, the printed one is pulled towards 0. */
static void test_regulariser(void **unused)
{
  (void)unused;
  double stays[MOST_DIM] = {0}, pulled[MOST_DIM] = {0};
  const char *printed[] = {"regulariser=printed"};
  ofw_learner *a = open_bandit("scbfw-tvc", "box:dim=2,lower=-1,upper=3", usual, 0, NULL, NULL);
  ofw_learner *b = open_bandit("scbfw-tvc", "box:dim=2,lower=-1,upper=3", usual, 1, printed, NULL);
  for (int t = 1; t <= 10; t++) {
    play(a, 0.0, NAN, stays);
    play(b, 0.0, NAN, pulled);
  }
  for (int i = 0; i < 2; i++) {
    assert_true(stays[i] == 1.0);
    assert_true(fabs(pulled[i]) < 1e-12); /* d = alpha K y vanishes at 0, which line search finds */
  }
  ofw_learner_free(a);
  ofw_learner_free(b);
}

/* A loss and a violation in one round, the loss by far the larger: its sign alone counts, whatever d had to be scaled by. */
static void test_large_loss_beside_a_violation(void **unused)
{
  (void)unused;
  const char *set[] = {"block=1", "lyapunov=linear"};
  for (uint64_t seed = 1; seed <= 8; seed++) {
    ofw_learner_settings s = usual;
    s.seed = seed;
    ofw_learner *l = open_bandit("scbfw-tvc", "l2-ball:dim=1", s, 2, set, NULL);
    const ofw_point *x;
    double u, centre;
    assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
    assert_int_equal(ofw_point_dense(x, &u), OFW_OK); /* the centre is 0, so this is delta u */
    play(l, -1e200, 1e10, &centre);
    play(l, 0.0, NAN, &centre);
    assert_true(u * centre > 0.0); /* where the loss was so low */
    ofw_learner_free(l);
  }
}

/* Losses near the largest double, of either sign: the decisions are mirror images, since only the estimates' signs differ. */
static void test_huge_losses(void **unused)
{
  (void)unused;
  const char *set[] = {"block=2"};
  ofw_learner *a = open_bandit("scbfw-tvc", "l2-ball:dim=3", usual, 1, set, NULL);
  ofw_learner *b = open_bandit("scbfw-tvc", "l2-ball:dim=3", usual, 1, set, NULL);
  double up[MOST_DIM] = {0}, down[MOST_DIM] = {0}, moved = 0.0;
  for (int t = 1; t <= 20; t++) {
    play(a, 1e307, NAN, up);
    play(b, -1e307, NAN, down);
    for (int i = 0; i < 3; i++) {
      assert_true(up[i] == -down[i]);
      moved = fmax(moved, fabs(up[i]));
    }
  }
  assert_true(moved > 0.1);
  ofw_learner_free(a);
  ofw_learner_free(b);
}

static void test_refusals(void **unused)
{
  (void)unused;
  ofw_learner_settings flat = usual;
  flat.strong_convexity = 0.0;
  expect_no_bandit("scbfw-tvc", "l2-ball:dim=3", flat, NULL,
                   "scbfw-tvc: expected a strong convexity above 0, found none; for other losses use bfw-tvc");
  expect_no_bandit("scbfw-tvc", "l2-ball:dim=3", usual, "c=6",
                   "scbfw-tvc: c=6 probes 2 away, but the set contains only a ball of radius 1; make c smaller");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blocks),      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_regulariser), cmocka_unit_test(test_large_loss_beside_a_violation),
      cmocka_unit_test(test_huge_losses), cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
