/* OPDP by hand on [-1, 1]: G = 1, D = 2, T = 16, so T^(3/4) = 8; with theta = 2 the multiplier is forgotten by 2 mu a
 * round and eta = D/(2 G (1 + G D/theta) T^(3/4)) = 1/16. Whole plays are compared with a slow version in tests/parity. */
#include "unit/learner/hand.h"

enum { T = 16 };
static const char *const set[] = {"theta=2", "mu=0.125", "sigma=line-search"};

/* The first round has no price; then lambda = mu g, and grad g counts also where g < 0. */
static void test_first_rounds(void **unused)
{
  (void)unused;
  hand h = open_hand("opdp", T, 0.0, 3, set);
  feed(&h, 0.5, 2.0, 1.0); /* p = 0.5: the minimiser of x/32 + x^2; lambda = 2/8 */
  assert_near(decision(&h), -1.0 / 64);
  assert_true(info_of(&h).log_price == -INFINITY);
  feed(&h, -1.0, -0.5, 2.0); /* p = -1 + 2/4, S = 0; lambda = (3/4)/4 - 1/16 = 1/8 */
  assert_near(decision(&h), 0.0);
  assert_near(info_of(&h).log_price, log(0.25));
  feed(&h, 0.0, -8.0, 4.0); /* p = 4/8; lambda = max(0, 3/32 - 1) = 0 */
  assert_near(decision(&h), -1.0 / 64);
  feed(&h, 0.5, 1.0, 4.0); /* p = 1/2 */
  assert_near(decision(&h), -1.0 / 32);
  feed(&h, 0.0, NAN, 0.0); /* no constraint: nothing is added, lambda = (3/4)/8 */
  assert_near(decision(&h), -1.0 / 32);
  feed(&h, 0.0, 0.0, 1.0); /* p = 3/32 */
  assert_near(decision(&h), -1.0 / 32 - 3.0 / 1024);
  assert_near(info_of(&h).violation, 3.0);
  close_hand(&h);
}

/* The printed step is min(1, 2/sqrt t), and never begins anew. */
static void test_printed_step(void **unused)
{
  (void)unused;
  hand h = open_hand("opdp", T, 0.0, 2, set);
  for (int t = 1; t <= 9; t++) {
    feed(&h, 1.0, NAN, 0.0);
    assert_near(info_of(&h).sigma, fmin(1.0, 2.0 / sqrt((double)t)));
  }
  close_hand(&h);
}

/* theta = G D T^(-1/6 - a), mu = 1/(G D sqrt T), at T = 64. */
static void test_constants(void **unused)
{
  (void)unused;
  static const char *const a[] = {"a=0", "a=0.5"};
  for (int k = 0; k < 2; k++) {
    hand h = open_hand("opdp", 64, 0.0, 1, &a[k]);
    const char *config = ofw_learner_config(h.l), *theta = strstr(config, " theta=");
    assert_non_null(strstr(config, " step=1 mu-scale=1 a="));
    assert_non_null(strstr(config, " mu=0.0625 sigma=printed "));
    assert_non_null(theta);
    assert_near(atof(theta + 7), k ? 0.125 : 1.0);
    close_hand(&h);
  }
}

/* A multiplier beyond all bounds is a number, and the decision stays in the set; when it is forgotten d is still finite.
 */
static void test_huge_multiplier(void **unused)
{
  (void)unused;
  const char *huge[] = {"mu=1e300", "theta=1e-300", "sigma=line-search"};
  hand h = open_hand("opdp", T, 0.0, 3, huge);
  for (int t = 0; t < 50; t++) {
    feed(&h, 1.0, t % 7 ? 1e300 : -1e300, t % 2 ? 1.0 : -1.0);
    assert_true(fabs(decision(&h)) <= 1.0);
    assert_true(info_of(&h).log_price < 710.0 && isfinite(info_of(&h).gap));
  }
  close_hand(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_rounds),
      cmocka_unit_test(test_printed_step),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_huge_multiplier),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
