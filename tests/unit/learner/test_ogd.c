/* OGD by hand on [-1, 1]: G = 1, D = 2. Whole plays are compared with a slow version in tests/parity. */
#include "unit/learner/hand.h"

enum { T = 16 };

/* eta = step D/(G sqrt t) */
static void test_convex(void **unused)
{
  (void)unused;
  const char *set[] = {"step=0.125"};
  hand h = open_hand("ogd", T, 0.0, 1, set);
  assert_non_null(strstr(ofw_learner_config(h.l), " losses=convex step=0.125 "));
  feed(&h, 1.0, NAN, 0.0);
  assert_near(decision(&h), -0.25);
  feed(&h, 1.0, NAN, 0.0);
  assert_near(decision(&h), -0.25 - 0.25 / sqrt(2.0));
  feed(&h, 9.0, NAN, 0.0); /* beyond the end */
  assert_near(decision(&h), -1.0);
  feed(&h, 0.0, NAN, 0.0);
  assert_near(decision(&h), -1.0);
  assert_int_equal(info_of(&h).projections, 4);
  assert_int_equal(info_of(&h).oracle_calls, 0);
  close_hand(&h);
}

/* eta = 1/(alpha t), unless the option says that the losses are convex only */
static void test_strongly_convex(void **unused)
{
  (void)unused;
  const char *set[] = {"losses=convex", "step=0.25"};
  hand h = open_hand("ogd", T, 4.0, 0, NULL);
  assert_non_null(strstr(ofw_learner_config(h.l), " losses=strongly-convex "));
  feed(&h, 1.0, NAN, 0.0);
  assert_near(decision(&h), -0.25);
  feed(&h, -2.0, NAN, 0.0);
  assert_near(decision(&h), 0.0);
  close_hand(&h);
  h = open_hand("ogd", T, 4.0, 2, set);
  feed(&h, 1.0, NAN, 0.0);
  assert_near(decision(&h), -0.5);
  close_hand(&h);
}

/* A violation is counted and has no price. */
static void test_constraints_are_ignored(void **unused)
{
  (void)unused;
  hand h = open_hand("ogd", T, 0.0, 0, NULL);
  feed(&h, 0.25, 3.0, 1.0);
  assert_near(decision(&h), -0.5);
  assert_near(info_of(&h).violation, 3.0);
  assert_true(info_of(&h).log_price == -INFINITY);
  close_hand(&h);
}

/* It needs no horizon: one that is not known changes nothing. */
static void test_any_horizon(void **unused)
{
  (void)unused;
  hand known = open_hand("ogd", 400, 0.0, 0, NULL), unknown = open_hand("ogd", OFW_HORIZON_AUTO, 0.0, 0, NULL);
  for (int t = 0; t < 400; t++) {
    feed(&known, 0.1 * cos(t), NAN, 0.0);
    feed(&unknown, 0.1 * cos(t), NAN, 0.0);
    assert_true(decision(&known) == decision(&unknown));
  }
  assert_int_equal(info_of(&unknown).projections, 400); /* counted over the epochs */
  close_hand(&known);
  close_hand(&unknown);
}

static int least(void *ctx, const double *d, double *v)
{
  (void)ctx;
  *v = *d > 0.0 ? -1.0 : 1.0;
  return 0;
}

static void expect_refusal(const char *name, const ofw_domain *K, const char *set, ofw_status status,
                           const char *message)
{
  ofw_error err = {0};
  ofw_learner_settings s = {.size = sizeof s, .horizon = T, .lipschitz = 1.0, .options = set ? 1 : 0, .option = &set};
  assert_null(ofw_learner_create_over(name, K, &s, &err));
  assert_int_equal(err.status, status);
  assert_string_equal(err.message, message);
  s.horizon = OFW_HORIZON_AUTO;
  assert_null(ofw_learner_create_over(name, K, &s, NULL));
}

/* What cannot be projected on is refused, as is a vertex, of which a projection is no mixture. */
static void test_refusals(void **unused)
{
  (void)unused;
  ofw_domain_callbacks own = {.size = sizeof own, .dim = 1, .R = 1.0, .r = 1.0, .minimise = least};
  ofw_domain *mine = ofw_domain_create_own(&own, NULL), *K = make_domain("l2-ball:dim=1");
  expect_refusal("ogd", mine, NULL, OFW_UNSUPPORTED,
                 "ogd needs a projection, and no projection onto own is known; choose another learner or set");
  expect_refusal("coco-adagrad", mine, NULL, OFW_UNSUPPORTED,
                 "coco-adagrad needs a projection, and no projection onto own is known; choose another learner or set");
  expect_refusal("ogd", K, "sample=yes", OFW_UNSUPPORTED,
                 "ogd cannot sample: its decisions are projections, not mixtures of vertices; leave sample out");
  expect_refusal("ogd", K, "storage=float", OFW_UNSUPPORTED, "ogd does not support storage=float; leave storage out");
  expect_refusal("ogd", K, "losses=strongly-convex", OFW_USAGE,
                 "ogd: losses=strongly-convex needs a strong convexity above 0");
  ofw_domain_free(mine);
  ofw_domain_free(K);
}

/* A gradient so long that the step is no number is a failure, not a decision. */
static void test_step_beyond_all_bounds(void **unused)
{
  (void)unused;
  hand h = open_hand("ogd", T, 0.0, 0, NULL);
  double slope = 1.7e308;
  ofw_vec v = ofw_vec_dense(1, &slope);
  ofw_full fb = {{0.0, 0, NULL}, {1, &v}, NULL};
  decision(&h);
  assert_int_equal(ofw_learner_observe(h.l, &fb), OFW_NUMERICAL);
  assert_string_equal(ofw_learner_error(h.l), "ogd: the step is not finite");
  close_hand(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_convex),
      cmocka_unit_test(test_strongly_convex),
      cmocka_unit_test(test_constraints_are_ignored),
      cmocka_unit_test(test_any_horizon),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_step_beyond_all_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
