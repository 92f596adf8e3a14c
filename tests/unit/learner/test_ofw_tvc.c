/* OFW-TVC by hand on [-1, 1]: G = 1, D = 2, T = 16, so T^(3/4) = 8 and lambda = 1/16. Whole plays are compared with a
 * slow version in tests/parity. */
#include "unit/learner/hand.h"

enum { T = 16 };

/* The guess doubles once, since w_1 > 0, so eta p = D/(4 G T^(3/4)) f = f/16. */
static void test_first_rounds_printed(void **unused)
{
  (void)unused;
  hand h = open_hand("ofw-tvc", T, 0.0, 0, NULL);
  assert_near(decision(&h), 0.0);
  feed(&h, 1.0, NAN, 0.0); /* d = 1/16 > 0: v = -1, sigma = min(1, 2) = 1 */
  assert_near(decision(&h), -1.0);
  assert_near(info_of(&h).sigma, 1.0);
  assert_near(info_of(&h).gap, 1.0 / 16);
  feed(&h, 1.0, NAN, 0.0); /* d = 2/16 - 2 < 0: v = 1, sigma = min(1, 2/sqrt 2) = 1 */
  assert_near(decision(&h), 1.0);
  feed(&h, 0.0, NAN, 0.0); /* d = 2/16 + 2: v = -1, the third step is still whole: 2/sqrt 3 > 1 */
  feed(&h, 0.0, NAN, 0.0);
  feed(&h, 0.0, NAN, 0.0); /* the fifth of the phase */
  assert_near(info_of(&h).sigma, 2.0 / sqrt(5.0));
  close_hand(&h);
}

static void test_line_search(void **unused)
{
  (void)unused;
  const char *set[] = {"sigma=line-search"};
  hand h = open_hand("ofw-tvc", T, 0.0, 1, set);
  feed(&h, 1.0, NAN, 0.0); /* d = 1/16 towards -1: the minimiser of x/16 + x^2 is -1/32 */
  assert_near(decision(&h), -1.0 / 32);
  feed(&h, 1.0, NAN, 0.0); /* of 2x/16 + x^2: -2/32 */
  assert_near(decision(&h), -2.0 / 32);
  close_hand(&h);
}

static void test_step_multiplies_eta(void **unused)
{
  (void)unused;
  const char *set[] = {"sigma=line-search", "step=4"};
  hand h = open_hand("ofw-tvc", T, 0.0, 2, set);
  feed(&h, 1.0, NAN, 0.0);
  assert_near(decision(&h), -4.0 / 32);
  close_hand(&h);
}

/* guess=paper: Gt = 1 >= (1 + w)/128 never doubles, so eta = D/(2 T^(3/4)) = 1/8 acts on p = beta f = f/128. */
static void test_printed_guess(void **unused)
{
  (void)unused;
  const char *set[] = {"sigma=line-search", "guess=paper"};
  hand h = open_hand("ofw-tvc", T, 0.0, 2, set);
  feed(&h, 1.0, NAN, 0.0);
  assert_near(decision(&h), -1.0 / 8 / 128 / 2);
  assert_near(info_of(&h).log2_guess, 0.0);
  close_hand(&h);
}

/* guess=track: Gt = beta G (gamma + w_t), so eta p = (f + rho g')/(8 (1 + rho)), with rho = w = lambda exp(lambda beta
 * Q). */
static void test_track(void **unused)
{
  (void)unused;
  const char *set[] = {"sigma=line-search", "guess=track", "beta=160"};
  hand h = open_hand("ofw-tvc", T, 0.0, 3, set);
  double rho1 = exp(10.0) / 16, rho2 = exp(20.0) / 16; /* lambda beta = 10, g = 1 each round */
  double S = 0.25 + rho1 * 0.5;
  feed(&h, 0.25, 1.0, 0.5);
  assert_near(decision(&h), -S / (1 + rho1) / 16);
  S += -0.5 + rho2 * -0.25;
  feed(&h, -0.5, 1.0, -0.25);
  assert_near(decision(&h), -S / (1 + rho2) / 16);
  close_hand(&h);
}

/* A violation that quadruples the needed guess: the phase begins anew with that round's gradient, or the sum is kept.
 */
static void test_restart(void **unused)
{
  (void)unused;
  for (int keep = 0; keep < 2; keep++) {
    const char *set[] = {"sigma=line-search", "beta=160", keep ? "restart=keep" : "restart=full"};
    hand h = open_hand("ofw-tvc", T, 0.0, 3, set);
    double rho = exp(5.0) / 16, g = 0.5; /* lambda beta Q = 5 */
    double doublings = ceil(log2(1 + rho));
    feed(&h, 1.0, NAN, 0.0);
    double before = decision(&h);
    assert_near(before, -1.0 / 32);
    feed(&h, 1.0, g, 0.25);
    double eta = 1.0 / 8 / exp2(doublings), p = 1.0 + rho * 0.25;
    assert_near(decision(&h), keep ? -eta * (1.0 + p) / 2 : before - eta * p / 2);
    assert_near(info_of(&h).log2_guess, log2(160.0) + doublings);
    close_hand(&h);
  }
}

static void test_preset_tight(void **unused)
{
  (void)unused;
  const char *set[] = {"preset=tight"}, *over[] = {"step=5", "preset=tight", "guess=scale"};
  hand h = open_hand("ofw-tvc", T, 0.0, 1, set);
  const char *config = ofw_learner_config(h.l);
  assert_non_null(strstr(config, " preset=tight sigma=line-search guess=track "));
  assert_non_null(strstr(config, " lambda=0.0625 beta=0.125 gamma=0.0625 gamma-scale=1 step=2 "));
  close_hand(&h);
  h = open_hand("ofw-tvc", T, 0.0, 3, over); /* what is set goes before the preset, in any order */
  config = ofw_learner_config(h.l);
  assert_non_null(strstr(config, " sigma=line-search guess=scale "));
  assert_non_null(strstr(config, " step=5 "));
  close_hand(&h);
}

/* A zero direction: no step and no call of the oracle. */
static void test_zero_direction(void **unused)
{
  (void)unused;
  hand h = open_hand("ofw-tvc", T, 0.0, 0, NULL);
  feed(&h, 0.0, NAN, 0.0);
  assert_near(decision(&h), 0.0);
  assert_near(info_of(&h).sigma, 0.0);
  assert_int_equal(info_of(&h).oracle_calls, 0);
  close_hand(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_rounds_printed),
      cmocka_unit_test(test_line_search),
      cmocka_unit_test(test_step_multiplies_eta),
      cmocka_unit_test(test_printed_guess),
      cmocka_unit_test(test_track),
      cmocka_unit_test(test_restart),
      cmocka_unit_test(test_preset_tight),
      cmocka_unit_test(test_zero_direction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
