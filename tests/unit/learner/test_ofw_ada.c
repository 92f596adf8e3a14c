/* OFW-Ada by hand on [-1, 1], D = 2, and what it promises: no unit, no horizon, no bound changes a decision. Whole plays
 * are compared with a slow version in tests/parity. */
#include "learner/ada.h"
#include "unit/learner/units.h"

static const char *const by_hand[] = {"kappa=4", "first=1"};

static void test_first_rounds(void **unused)
{
  (void)unused;
  hand h = open_hand("ofw-ada", 0, 0.0, 2, by_hand);
  assert_near(decision(&h), 0.0);
  feed(&h, 0.5, NAN, 0.0); /* Gf = 1/2, B = D Gf = 1: the minimiser of x/2 + x^2/4, which takes 1/4 off */
  assert_near(decision(&h), -1.0);
  /* B = 1 + 1/4; <p, y> = 1/2 and |y|^2 = 1, so A = 3/2: from -1 the slope is -1/2, the curvature 17/8; 1/17 is taken off */
  feed(&h, -0.5, NAN, 0.0);
  double x = -13.0 / 17.0, B = 1.25 + 4.0 / 17.0; /* with the next e, 3/17 */
  assert_near(decision(&h), x);
  assert_near(info_of(&h).gap, 1.0);
  /* The first round left 1/4, and C = 1: the second throws back (1/2 + 1/2)^2 and leaves 1 - 1/17. Certain are that,
   * 5/4 + 1/17 and 1/4 + 1/17, and q is Gf times the distance 1/2. */
  double b = (1.0 - 1.0 / 17.0 + 1.5 + 2.0 / 17.0) / 2.0, log_w = 0.25 / (1.5 * b), w = exp(log_w);
  feed(&h, 0.0, 1.0, 2.0);
  assert_near(info_of(&h).log_price, log_w);
  /* y is x less the mean of 0, which weighs 2, and -1, which weighs 6; this round weighs 12 */
  double y = x + 6.0 / 8.0, a = 3.0 * (6.0 * 0.5 + 12.0 * w / 2.0 * y) / (6.0 + 12.0 * y * y);
  assert_near(decision(&h), x - w / 2.0 / (B / 2.0 + 1.5 + a));
  assert_int_equal(info_of(&h).oracle_calls, 3);
  close_hand(&h);
}

static void test_no_unit(void **unused)
{
  (void)unused;
  no_unit_changes_a_bit("ofw-ada", 0);
}

static double log_price_at(const void *q, double b)
{
  return *(const double *)q / b;
}

/* b (1 + e^(q/b)) over what is certain, by its logarithm: the root from b on, by halves. */
static long double slow_least(double b, double log_certain, double q)
{
  long double low = logl(b), high = log_certain;
  for (int i = 0; i < 200; i++) {
    long double middle = (low + high) / 2.0L, x = q / expl(middle);
    *(middle + x + log1pl(expl(-x)) < log_certain ? &low : &high) = middle;
  }
  return expl(high);
}

static void test_least_b(void **unused)
{
  (void)unused;
  static const double factor[] = {1e-9, 0.5, 1.0 - 1e-9, 1.0 + 1e-6, 1.003, 1.5, 4.0, 1e3, 1e12, 1e30};
  size_t enough = 0, more = 0;
  for (double b = 1e-6; b < 1e7; b *= 17.0)
    for (double x = 0.0; x < 600.0; x = 2.0 * x + 0.01)
      for (size_t k = 0; k < sizeof factor / sizeof *factor; k++) {
        double times = factor[k], q = x * b, log_certain = log(b) + x + log1p(exp(-x)) + log(times), got;
        got = ofw_ada_least(b, log_certain, log_price_at, &q);
        if (times <= 1.0) {
          assert_true(got == b);
          enough++;
        } else {
          long double want = slow_least(b, log_certain, q);
          /* what rounding of log_certain moves the root by: little, but near where b (1 + P) is least */
          assert_true(fabsl(got - want) <= 1e-11L * want);
          more++;
        }
      }
  assert_true(enough > 100 && more > 1000);
}

/* The b before is nearly a root, and the least that is enough may be three times as large. */
static void test_least_b_beside_another_root(void **unused)
{
  (void)unused;
  static const double more[] = {3e-12, 1e-11, 3e-11, 1e-10, 3e-10, 1e-9, 1e-8};
  size_t far = 0;
  for (double x = 1.1; x < 2.2; x += 1.0 / 8192.0)
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
      double q = x, log_certain = x + log1p(exp(-x)) + log1p(more[k]),
             got = ofw_ada_least(1.0, log_certain, log_price_at, &q);
      assert_true(log(got) + log1p(exp(q / got)) >= log_certain - 1e-11);
      far += got > 1.1;
    }
  assert_true(far > 1000);
}

static void test_no_horizon_and_no_bound_is_looked_at(void **unused)
{
  (void)unused;
  static double wanted[ROUNDS][DIM];
  play(&(game){"ofw-ada", "l1-ball:dim=12", 1.0, 1.0, .horizon = 0}, wanted);
  assert_same(&(game){"ofw-ada", "l1-ball:dim=12", 1.0, 1.0, .horizon = 10, .lipschitz = 1e-3}, wanted);
  assert_same(&(game){"ofw-ada", "l1-ball:dim=12", 1.0, 1.0, .horizon = 1000000, .lipschitz = 1e3}, wanted);
}

static void test_no_unit_of_a_round(void **unused)
{
  (void)unused;
  each_round_has_its_own_unit("ofw-ada");
}

static void test_epochs(void **unused)
{
  (void)unused;
  epochs_of_both_kinds("ofw-ada", 0.0, "first=1.5");
}

static void test_no_kappa_below_1(void **unused)
{
  (void)unused;
  static const char *const one[] = {"kappa=1"}, *const less[] = {"kappa=0.25"};
  hand h[] = {open_hand("ofw-ada", 0, 0.0, 1, one), open_hand("ofw-ada", 0, 0.0, 1, less)};
  for (int t = 0; t < 9; t++) {
    assert_true(decision(&h[0]) == decision(&h[1]));
    for (int i = 0; i < 2; i++)
      feed(&h[i], t % 2 ? -0.5 : 0.5, NAN, 0.0);
  }
  assert_true(((ofw_ada *)h[0].l->state)->pays > 0.0);
  close_hand(&h[0]);
  close_hand(&h[1]);
}

/* first D is below all numbers; the price is one all the same. */
static void test_least_weight(void **unused)
{
  (void)unused;
  static const char *const set[] = {"first=1e-300"};
  ofw_domain *K = ofw_domain_create("simplex:dim=2,sum=1e-80", NULL);
  ofw_learner_settings settings = {.size = sizeof settings, .options = 1, .option = set};
  ofw_learner *l = ofw_learner_create_over("ofw-ada", K, &settings, NULL);
  double number[] = {1.0, -0.5};
  ofw_vec v = ofw_vec_dense(2, number);
  ofw_full fb = {.loss_gradient = {1, &v}};
  ofw_info info = {.size = sizeof info};
  const ofw_point *x;
  assert_non_null(l);
  for (int t = 0; t < 3; t++) {
    assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
    assert_int_equal(ofw_learner_observe(l, &fb), OFW_OK);
    assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
    assert_true(info.log_price == 0.0 && info.oracle_error == 0.0);
  }
  ofw_learner_free(l);
  ofw_domain_free(K);
}

static void test_losses_of_all_lengths(void **unused)
{
  (void)unused;
  losses_of_all_lengths("ofw-ada", 0.0, 0);
  losses_of_all_lengths("ofw-ada", 0.0, 1);
}

static void test_an_epoch_after_the_impossible(void **unused)
{
  (void)unused;
  an_epoch_after_the_impossible("ofw-ada", 0.0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_rounds),
      cmocka_unit_test(test_no_unit),
      cmocka_unit_test(test_no_unit_of_a_round),
      cmocka_unit_test(test_losses_of_all_lengths),
      cmocka_unit_test(test_an_epoch_after_the_impossible),
      cmocka_unit_test(test_epochs),
      cmocka_unit_test(test_no_kappa_below_1),
      cmocka_unit_test(test_least_weight),
      cmocka_unit_test(test_least_b),
      cmocka_unit_test(test_least_b_beside_another_root),
      cmocka_unit_test(test_no_horizon_and_no_bound_is_looked_at),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
