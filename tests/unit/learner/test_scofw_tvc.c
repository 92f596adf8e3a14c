/* SCOFW-TVC by hand on [-1, 1]: G = 1, D = 2, T = 8, so T^(2/3) = 4; with alpha = 1/2, gamma = 1/2 and beta = 1/8.
 * Whole plays are compared with a slow version in tests/parity. */
#include "unit/learner/hand.h"

enum { T = 8 };
static const double alpha = 0.5;

/* Without constraints x_{t+1} minimises sum f_tau x + (alpha/2)(x - x_tau)^2 on the segment. */
static void test_plain(void **unused)
{
  (void)unused;
  hand h = open_hand("scofw-tvc", T, alpha, 0, NULL);
  assert_near(decision(&h), 0.0);
  feed(&h, 0.25, NAN, 0.0); /* x/4 + x^2/4 */
  assert_near(decision(&h), -0.5);
  feed(&h, -0.125, NAN, 0.0); /* x/8 + x^2/4 + (x + 1/2)^2/4: at -3/8 */
  assert_near(decision(&h), -0.375);
  feed(&h, 10.0, NAN, 0.0); /* clipped */
  assert_near(decision(&h), -1.0);
  assert_near(info_of(&h).sigma, 1.0);
  close_hand(&h);
}

/* The price w = 2 beta Q + 1 over gamma = 1/2 multiplies the constraint's slope. */
static void test_price(void **unused)
{
  (void)unused;
  hand h = open_hand("scofw-tvc", T, alpha, 0, NULL);
  double w = 2.0 / 8 * 0.5 + 1.0;
  feed(&h, 0.0, 0.5, 0.1); /* 2 w 0.1 x + x^2/4 */
  assert_near(exp(info_of(&h).log_price), w);
  assert_near(decision(&h), -0.4 * w);
  feed(&h, 0.0, -3.0,
       0.1); /* a constraint that is kept costs nothing: (x^2 + (x - x_2)^2)/4 + 0.2 w x, at the same x */
  assert_near(decision(&h), -0.4 * w);
  assert_near(info_of(&h).violation, 0.5);
  close_hand(&h);
}

static void expect_config(size_t sets, const char *const *set, const char *text)
{
  hand h = open_hand("scofw-tvc", T, alpha, sets, set);
  if (!strstr(ofw_learner_config(h.l), text))
    fail_msg("no '%s' in '%s'", text, ofw_learner_config(h.l));
  close_hand(&h);
}

static void test_params(void **unused)
{
  (void)unused;
  const char *proof[] = {"params=proof"};
  expect_config(0, NULL, " beta=0.125 gamma=0.5 beta-scale=1 gamma-scale=1");
  /* alpha / (500 G (G + alpha D) T^(2/3)) = 0.5 / 4000 */
  expect_config(1, proof, " beta=0.000125");
}

/* gamma-scale and beta-scale multiply. */
static void test_scales(void **unused)
{
  (void)unused;
  const char *set[] = {"gamma-scale=4", "beta-scale=16"};
  hand h = open_hand("scofw-tvc", T, alpha, 2, set);
  double w = 2.0 * 2.0 * 0.5 + 1.0; /* beta = 2, gamma = 2 */
  feed(&h, 0.0, 0.5, 0.1);
  assert_near(exp(info_of(&h).log_price), w);
  assert_near(decision(&h), -2.0 * 0.1 * w / 2.0);
  close_hand(&h);
}

/* Prices of 2^256 and more scale d down by powers of two; the play before and after it goes on as if it had not. */
static void test_growing_exponent(void **unused)
{
  (void)unused;
  const char *set[] = {"beta=1e100"};
  hand h = open_hand("scofw-tvc", T, alpha, 1, set);
  feed(&h, 0.25, NAN, 0.0);
  assert_near(decision(&h), -0.5);
  feed(&h, 0.0, 1.0, -1.0); /* a price of 2e100 turns it round */
  assert_near(decision(&h), 1.0);
  feed(&h, 0.0, 1e200, 1.0); /* one of 2e300 turns it back */
  assert_near(decision(&h), -1.0);
  feed(&h, -1.0, NAN, 0.0); /* and is not forgotten */
  assert_near(decision(&h), -1.0);
  close_hand(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain),
      cmocka_unit_test(test_price),
      cmocka_unit_test(test_params),
      cmocka_unit_test(test_scales),
      cmocka_unit_test(test_growing_exponent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
