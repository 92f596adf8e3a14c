/* BFW-TVC: blocks, the cap, constants and refusals. Whole plays are compared with a slow version in tests/parity. */
#include "unit/learner/bandit.h"

static const ofw_learner_settings usual = {.horizon = 16, .lipschitz = 1.0, .loss_bound = 1.0};

/* K = sqrt T = 4: the centre moves after rounds 4, 8 and 12; the partial block of T = 18 updates nothing. */
static void test_blocks(void **unused)
{
  (void)unused;
  const char *set[] = {"step=10"};
  ofw_learner_settings s = usual;
  s.horizon = 18; /* round(sqrt 18) = 4 */
  ofw_learner *l = open_bandit("bfw-tvc", "l2-ball:dim=3", s, 1, set, NULL);
  assert_non_null(l);
  assert_int_equal(moves(l, 3, 18), (1 << 4) | (1 << 8) | (1 << 12) | (1 << 16));
  assert_non_null(strstr(ofw_learner_config(l), " block=4 inner-cap=10000 "));
  ofw_learner_free(l);
}

static void test_starts_at_the_centre(void **unused)
{
  (void)unused;
  static const char *const domains[] = {"box:dim=3,lower=-1,upper=3", "simplex:dim=3,sum=3"};
  for (size_t k = 0; k < 2; k++) {
    ofw_learner *l = open_bandit("bfw-tvc", domains[k], usual, 0, NULL, NULL);
    double centre[MOST_DIM];
    play(l, 0.0, NAN, centre);
    for (int i = 0; i < 3; i++)
      assert_true(fabs(centre[i] - 1.0) < 1e-15);
    ofw_learner_free(l);
  }
}

/* delta = c T^(-1/4), m = max(M/G, D), C2 and the default c as in the docs. */
static void test_constants(void **unused)
{
  (void)unused;
  const char *set[] = {"c=0.5"};
  ofw_learner *l = open_bandit("bfw-tvc", "l2-ball:dim=2", usual, 1, set, NULL);
  double D = 2.0, n = 2.0, m = 2.0, c = 0.5, C2 = 16.0 * (c * D + 3.0 * c + D + 2.0 * c * D / (n * m) + n * m * D / c);
  char beta[64];
  snprintf(beta, sizeof beta, " beta=%.17g ", 1.0 / C2);
  assert_non_null(strstr(ofw_learner_config(l), beta));
  assert_true(fabs(info_of(l).delta - 0.25) < 1e-16);
  ofw_learner_free(l);
  l = open_bandit("bfw-tvc", "l2-ball:dim=2", usual, 0, NULL, NULL);
  double widest = fmin(2.0 / 2.0, sqrt(n * m * D / (D + 3.0 + 2.0 * D / (n * m))));
  assert_true(fabs(info_of(l).delta - widest / 2.0) < 1e-15);
  ofw_learner_free(l);
}

/* Scaling losses, constraints, G and M alike changes nothing, but with the printed units it does (erratum 8). */
static void test_units(void **unused)
{
  (void)unused;
  for (int printed = 0; printed < 2; printed++) {
    const char *set[] = {printed ? "units=printed" : "units=repaired", "step=30"};
    double left[MOST_DIM] = {0}, right[MOST_DIM] = {0};
    ofw_learner_settings large = usual;
    large.lipschitz = large.loss_bound = 128.0;
    ofw_learner *a = open_bandit("bfw-tvc", "l2-ball:dim=3", usual, 2, set, NULL);
    ofw_learner *b = open_bandit("bfw-tvc", "l2-ball:dim=3", large, 2, set, NULL);
    for (int t = 0; t < 13; t++) {
      play(a, 0.5 + 0.01 * t, 0.25, left);
      play(b, 128.0 * (0.5 + 0.01 * t), 128.0 * 0.25, right);
    }
    double apart = 0.0;
    for (int i = 0; i < 3; i++)
      apart = fmax(apart, fabs(left[i] - right[i]));
    if (printed)
      assert_true(apart > 1e-6);
    else
      assert_true(apart < 1e-13);
    ofw_learner_free(a);
    ofw_learner_free(b);
  }
}

/* An inner loop that is cut short is counted. */
static void test_cap(void **unused)
{
  (void)unused;
  const char *set[] = {"inner-cap=1", "step=1e6"};
  double centre[MOST_DIM];
  ofw_learner *l = open_bandit("bfw-tvc", "l1-ball:dim=5", usual, 2, set, NULL);
  for (int t = 1; t <= 4; t++) {
    assert_int_equal(info_of(l).capped, 0);
    play(l, 1.0, 0.5, centre);
  }
  assert_int_equal(info_of(l).capped, 1);
  assert_int_equal(info_of(l).oracle_calls, 1);
  ofw_learner_free(l);
}

/* price=previous: the first violation has the price of none. */
static void test_price(void **unused)
{
  (void)unused;
  const char *now[] = {"lambda=1", "beta=1"}, *before[] = {"lambda=1", "beta=1", "price=previous"};
  double centre[MOST_DIM];
  ofw_learner *a = open_bandit("bfw-tvc", "l2-ball:dim=3", usual, 2, now, NULL);
  ofw_learner *b = open_bandit("bfw-tvc", "l2-ball:dim=3", usual, 3, before, NULL);
  play(a, 0.0, 2.0, centre);
  play(b, 0.0, 2.0, centre);
  assert_true(fabs(info_of(a).log_price - 2.0) < 1e-15);
  assert_true(info_of(b).log_price == 0.0);
  play(b, 0.0, 2.0, centre);
  assert_true(fabs(info_of(b).log_price - 2.0) < 1e-15);
  ofw_learner_free(a);
  ofw_learner_free(b);
}

static void test_refusals(void **unused)
{
  (void)unused;
  ofw_learner_settings no_bound = usual;
  no_bound.loss_bound = 0.0;
  expect_no_bandit("bfw-tvc", "l2-ball:dim=3", usual, "c=2.5",
                   "bfw-tvc: c=2.5 probes 1.25 away, but the set contains only a ball of radius 1; make c smaller");
  expect_no_bandit("bfw-tvc", "l2-ball:dim=3", no_bound, "units=printed",
                   "bfw-tvc: units=printed needs a loss bound above 0");
  expect_no_bandit("bfw-tvc", "simplex:dim=1", usual, NULL,
                   "bfw-tvc: no ball around the centre of simplex:dim=1 is known to lie inside it, so there is no room "
                   "to probe; choose another set");
  ofw_learner *l = open_bandit("bfw-tvc", "l2-ball:dim=1", usual, 0, NULL, NULL);
  double one = 1.0;
  const ofw_point *x;
  ofw_vec v = ofw_vec_dense(1, &one);
  ofw_full full = {{1.0, 0, NULL}, {1, &v}, NULL};
  assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
  assert_int_equal(ofw_learner_observe(l, &full), OFW_USAGE);
  assert_string_equal(ofw_learner_error(l), "bfw-tvc is a bandit learner: it takes numbers, not gradients");
  ofw_learner_free(l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blocks),    cmocka_unit_test(test_starts_at_the_centre),
      cmocka_unit_test(test_constants), cmocka_unit_test(test_units),
      cmocka_unit_test(test_cap),       cmocka_unit_test(test_price),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
