/* OFW-Ada for strongly convex losses by hand on [-1, 1], D = 2; the rest is ofw-ada's. */
#include "unit/learner/units.h"

static void test_first_round(void **unused)
{
  (void)unused;
  static const char *const by_hand[] = {"kappa=4", "first=1"};
  hand h = open_hand("ofw-ada-sc", 0, 1.5, 2, by_hand);
  feed(&h, 0.5, NAN, 0.0); /* x/2 + (1/4 + 3/4) x^2 */
  assert_near(decision(&h), -0.25);
  /* B = 1 + 1/16; <p, y> = 1/8, |y|^2 = 1/16: 6 are seen, 9/2 more than known. The slope is 0 - 1/2 */
  feed(&h, -0.5, NAN, 0.0);
  assert_near(decision(&h), -0.25 + 0.5 / (1.0625 / 2.0 + 3.0 + 4.5));
  close_hand(&h);
}

static void test_alpha_is_needed(void **unused)
{
  (void)unused;
  ofw_domain *K = make_domain("l2-ball:dim=1");
  ofw_learner_settings s = {.size = sizeof s};
  ofw_error err = {0};
  assert_null(ofw_learner_create_over("ofw-ada-sc", K, &s, &err));
  assert_string_equal(err.message, "ofw-ada-sc: a strong convexity above 0 is needed; for other losses use ofw-ada");
  ofw_domain_free(K);
}

static void test_no_unit(void **unused)
{
  (void)unused;
  no_unit_changes_a_bit("ofw-ada-sc", 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_round),
      cmocka_unit_test(test_alpha_is_needed),
      cmocka_unit_test(test_no_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
