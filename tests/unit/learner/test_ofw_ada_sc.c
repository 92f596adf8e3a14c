/* OFW-Ada for strongly convex losses by hand on [-1, 1], D = 2; the rest is ofw-ada's. */
#include "unit/learner/units.h"

static void test_first_rounds(void **unused)
{
  (void)unused;
  static const char *const by_hand[] = {"kappa=4", "first=1"};
  hand h = open_hand("ofw-ada-sc", 0, 1.5, 2, by_hand);
  feed(&h, 0.5, NAN, 0.0); /* x/2 + (1/4 + 3/4) x^2 */
  assert_near(decision(&h), -0.25);
  /* B = 1 + 1/16; <p, y> = 1/8, |y|^2 = 1/16: 6 are seen, 9/2 more than known. The slope is 0 - 1/2 */
  feed(&h, -0.5, NAN, 0.0);
  double step = 0.5 / (1.0625 / 2.0 + 3.0 + 4.5), dec = step / 4.0, x = -0.25 + step;
  assert_near(decision(&h), x);
  /* The gap was 5/8, less than what was thrown back. Certain are 5/8 - dec, 17/16 + dec and 1/16 + dec; q is Gf/8. */
  double log_w = 3.0 * log1p(0.0625 / (6.0 * (1.75 + dec) / 2.0)), w = exp(log_w);
  feed(&h, 0.0, 0.25, 2.0);
  assert_near(info_of(&h).log_price, log_w);
  /* y is x less the mean of 0, which weighs 2, and -1/4, which weighs 6; this round weighs 12; the next e was 3 dec */
  double y = x + 1.5 / 8.0, a = 3.0 * (0.75 + 12.0 * w / 2.0 * y) / (0.375 + 12.0 * y * y) - 1.5;
  assert_near(decision(&h), x - w / 2.0 / ((1.0625 + 4.0 * dec) / 2.0 + 4.5 + 4.5 + a));
  close_hand(&h);
}

static void test_alpha_is_needed(void **unused)
{
  (void)unused;
  ofw_domain *K = make_domain("l2-ball:dim=1");
  ofw_learner_settings s = {.size = sizeof s};
  ofw_error err = {0};
  assert_null(ofw_learner_create_over("ofw-ada-sc", K, &s, &err));
  assert_string_equal(err.message,
                      "ofw-ada-sc: expected a strong convexity above 0, found none; for other losses use ofw-ada");
  ofw_domain_free(K);
}

static void test_no_unit(void **unused)
{
  (void)unused;
  no_unit_changes_a_bit("ofw-ada-sc", 0);
}

static void test_no_unit_of_a_round(void **unused)
{
  (void)unused;
  each_round_has_its_own_unit("ofw-ada-sc");
}

static void test_epochs(void **unused)
{
  (void)unused;
  epochs_of_both_kinds("ofw-ada-sc", 0.01, "first=0.02");
}

static void test_losses_of_all_lengths(void **unused)
{
  (void)unused;
  losses_of_all_lengths("ofw-ada-sc", 1e-300, 0);
  losses_of_all_lengths("ofw-ada-sc", 1e-300, 1);
}

static void test_an_epoch_after_the_impossible(void **unused)
{
  (void)unused;
  an_epoch_after_the_impossible("ofw-ada-sc", 0.01);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_rounds),
      cmocka_unit_test(test_alpha_is_needed),
      cmocka_unit_test(test_no_unit),
      cmocka_unit_test(test_no_unit_of_a_round),
      cmocka_unit_test(test_losses_of_all_lengths),
      cmocka_unit_test(test_an_epoch_after_the_impossible),
      cmocka_unit_test(test_epochs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
