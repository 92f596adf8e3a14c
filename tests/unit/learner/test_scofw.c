/* SCOFW by hand on [-1, 1] with alpha = 1. Whole plays are compared with a slow version in tests/parity. */
#include "unit/learner/hand.h"

enum { T = 8 };

static void test_first_rounds(void **unused)
{
  (void)unused;
  hand h = open_hand("scofw", T, 1.0, 0, NULL);
  feed(&h, 0.5, NAN, 0.0); /* the minimiser of x/2 + x^2/2 */
  assert_near(decision(&h), -0.5);
  assert_near(info_of(&h).gap, 0.5);
  feed(&h, 0.25, NAN, 0.0); /* of 3x/4 + x^2/2 + (x + 1/2)^2/2 */
  assert_near(decision(&h), -0.625);
  feed(&h, -1.0, NAN, 0.0); /* of -x/4 + x^2/2 + (x + 1/2)^2/2 + (x + 5/8)^2/2 */
  assert_near(decision(&h), -0.875 / 3.0);
  close_hand(&h);
}

/* A violation is counted and has no price; without constraints it is scofw-tvc. */
static void test_beside_scofw_tvc(void **unused)
{
  (void)unused;
  hand plain = open_hand("scofw", T, 0.5, 0, NULL), tvc = open_hand("scofw-tvc", T, 0.5, 0, NULL);
  for (int t = 0; t < T; t++) {
    feed(&plain, cos(t), 2.0, 1.0);
    feed(&tvc, cos(t), NAN, 0.0);
    assert_near(decision(&plain), decision(&tvc));
  }
  assert_near(info_of(&plain).violation, 2.0 * T);
  assert_true(info_of(&plain).log_price == -INFINITY);
  close_hand(&plain);
  close_hand(&tvc);
}

static void test_needs_strong_convexity(void **unused)
{
  (void)unused;
  ofw_domain *K = make_domain("l2-ball:dim=1");
  ofw_learner_settings s = {.size = sizeof s, .horizon = T, .lipschitz = 1.0};
  ofw_error err = {0};
  assert_null(ofw_learner_create_over("scofw", K, &s, &err));
  assert_int_equal(err.status, OFW_USAGE);
  assert_string_equal(err.message, "scofw: expected a strong convexity above 0, found none; for other losses use ofw");
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_rounds),
      cmocka_unit_test(test_beside_scofw_tvc),
      cmocka_unit_test(test_needs_strong_convexity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
