/* It stays: at the origin where K holds it, else at the centre; losses and violations are counted all the same. */
#include "unit/learner/hand.h"

static void test_stays_and_counts(void **unused)
{
  (void)unused;
  hand h = open_hand("still", 16, 0.0, 0, NULL);
  for (int t = 1; t <= 20; t++) {
    assert_near(decision(&h), 0.0);
    feed(&h, 1.0, t % 2 ? 3.0 : -1.0, 1.0);
    assert_int_equal(info_of(&h).oracle_calls, 0);
    assert_true(info_of(&h).sigma == 0.0 && info_of(&h).log_price == -INFINITY);
  }
  assert_near(info_of(&h).violation, 30.0);
  close_hand(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stays_and_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
