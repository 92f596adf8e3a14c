/* coco-adagrad by hand on [-1, 1]: G = 1, D = 2, T = 16, so lambda = 1/8 and beta = 1/4. Whole plays are compared with a
 * slow version in tests/parity. */
#include "unit/learner/hand.h"

enum { T = 16 };

/* x - (sqrt(2)/2) D p / sqrt(sum of p^2): the first step is sqrt(2), whatever p */
static void test_adagrad(void **unused)
{
  (void)unused;
  const char *set[] = {"step=0.25"};
  hand h = open_hand("coco-adagrad", T, 0.0, 1, set);
  double root = sqrt(2.0) / 4.0;
  feed(&h, 1e-9, NAN, 0.0);
  assert_near(decision(&h), -root);
  feed(&h, -2e-9, NAN, 0.0);
  assert_near(decision(&h), -root + root * 2.0 / sqrt(5.0));
  feed(&h, 0.0, NAN, 0.0);
  assert_near(decision(&h), -root + root * 2.0 / sqrt(5.0));
  assert_int_equal(info_of(&h).projections, 3);
  assert_int_equal(info_of(&h).oracle_calls, 0);
  close_hand(&h);
}

/* p = f + rho g', rho = lambda exp(lambda beta Q) / gamma */
static void test_price(void **unused)
{
  (void)unused;
  const char *set[] = {"step=0.1", "gamma=0.5"};
  hand h = open_hand("coco-adagrad", T, 0.0, 2, set);
  double step = 0.1 * sqrt(2.0), squares = 0.0, x = 0.0, Q = 0.0;
  static const double f[] = {0.5, -0.25, 1.0}, g[] = {16.0, -3.0, 32.0}, slope[] = {1.0, 7.0, -2.0};
  for (int t = 0; t < 3; t++) {
    Q += fmax(0.0, g[t]);
    double w = exp(Q / 32.0) / 8.0, p = f[t] + (g[t] > 0.0 ? w / 0.5 * slope[t] : 0.0);
    squares += p * p;
    x -= step * p / sqrt(squares);
    feed(&h, f[t], g[t], slope[t]);
    assert_near(decision(&h), x);
    assert_near(info_of(&h).log_price, log(w));
  }
  close_hand(&h);
}

/* x - (f + rho g')/(alpha t), rho = 2 Q / gamma, gamma = 8 G^2 ln(e T)/alpha */
static void test_strongly_convex(void **unused)
{
  (void)unused;
  hand h = open_hand("coco-adagrad", T, 4.0, 0, NULL);
  double gamma = 2.0 * (1.0 + log(16.0));
  feed(&h, 1.0, 0.5, 1.0);
  double x = -(1.0 + 1.0 / gamma) / 4.0;
  assert_near(decision(&h), x);
  feed(&h, -1.0, -9.0, 1.0);
  assert_near(decision(&h), x + 1.0 / 8.0);
  assert_non_null(strstr(ofw_learner_config(h.l), " losses=strongly-convex step=1 lyapunov=quadratic "));
  assert_non_null(strstr(ofw_learner_config(h.l), " beta=1 gamma="));
  close_hand(&h);
}

/* A price beyond all bounds leaves of the past what it should: nothing. */
static void test_huge_price(void **unused)
{
  (void)unused;
  const char *set[] = {"step=0.1", "beta=1e6"};
  hand h = open_hand("coco-adagrad", T, 0.0, 2, set);
  feed(&h, 1.0, NAN, 0.0);
  double x = decision(&h);
  feed(&h, 1.0, 1e300, -0.5); /* p = rho g', its square outweighs all before */
  assert_near(decision(&h), x + 0.1 * sqrt(2.0));
  feed(&h, 1.0, -1.0, 0.0);
  assert_near(decision(&h), x + 0.1 * sqrt(2.0));
  close_hand(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_adagrad),
      cmocka_unit_test(test_price),
      cmocka_unit_test(test_strongly_convex),
      cmocka_unit_test(test_huge_price),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
