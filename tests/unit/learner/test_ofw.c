/* OFW by hand on [-1, 1]: G = 1, D = 2, T = 16, so T^(3/4) = 8 and eta = D/(2 G T^(3/4)) = 1/8. Whole plays are compared
 * with a slow version in tests/parity. */
#include "unit/learner/hand.h"

enum { T = 16 };

static void test_first_rounds(void **unused)
{
  (void)unused;
  hand h = open_hand("ofw", T, 0.0, 0, NULL);
  assert_near(decision(&h), 0.0);
  feed(&h, 1.0, NAN, 0.0); /* d = 1/8 > 0: v = -1, sigma = min(1, 2) = 1 */
  assert_near(decision(&h), -1.0);
  assert_near(info_of(&h).gap, 1.0 / 8);
  feed(&h, 1.0, NAN, 0.0); /* d = 2/8 - 2 < 0: v = 1 */
  assert_near(decision(&h), 1.0);
  feed(&h, 0.0, NAN, 0.0);
  feed(&h, 0.0, NAN, 0.0);
  feed(&h, 0.0, NAN, 0.0);
  assert_near(info_of(&h).sigma, 2.0 / sqrt(5.0));
  assert_int_equal(info_of(&h).oracle_calls, 5);
  close_hand(&h);
}

static void test_line_search_and_step(void **unused)
{
  (void)unused;
  const char *set[] = {"sigma=line-search", "step=4"};
  hand h = open_hand("ofw", T, 0.0, 2, set);
  feed(&h, 1.0, NAN, 0.0); /* the minimiser of 4x/8 + x^2 */
  assert_near(decision(&h), -1.0 / 4);
  feed(&h, -0.5, NAN, 0.0); /* of 2x/8 + x^2 */
  assert_near(decision(&h), -1.0 / 8);
  close_hand(&h);
}

/* A violation is counted and has no price. */
static void test_constraints_are_ignored(void **unused)
{
  (void)unused;
  hand with = open_hand("ofw", T, 0.0, 0, NULL), without = open_hand("ofw", T, 0.0, 0, NULL);
  for (int t = 0; t < T; t++) {
    feed(&with, cos(t), 5.0, 1.0);
    feed(&without, cos(t), NAN, 0.0);
    assert_true(decision(&with) == decision(&without));
  }
  assert_near(info_of(&with).violation, 5.0 * T);
  assert_true(info_of(&with).log_price == -INFINITY);
  close_hand(&with);
  close_hand(&without);
}

/* Without constraints it is ofw-tvc at twice the step. */
static void test_beside_ofw_tvc(void **unused)
{
  (void)unused;
  static const char *const sets[][2] = {{"sigma=printed", "step=2"}, {"sigma=line-search", "step=2"}};
  for (int k = 0; k < 2; k++) {
    hand plain = open_hand("ofw", T, 0.0, 1, sets[k]), tvc = open_hand("ofw-tvc", T, 0.0, 2, sets[k]);
    for (int t = 0; t < T; t++) {
      feed(&plain, cos(t), NAN, 0.0);
      feed(&tvc, cos(t), NAN, 0.0);
      assert_near(decision(&plain), decision(&tvc));
    }
    close_hand(&plain);
    close_hand(&tvc);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_rounds),
      cmocka_unit_test(test_line_search_and_step),
      cmocka_unit_test(test_constraints_are_ignored),
      cmocka_unit_test(test_beside_ofw_tvc),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
