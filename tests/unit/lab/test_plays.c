/* Plays made up by a power law: their fits, their means, and what failed ones do to them. */
#include "unit/base/check.h"

#include "lab/plays.h"

#include <stddef.h>
#include <stdlib.h>

enum { HORIZONS = 4, SEEDS = 10, TUNED = 6 };
static const uint64_t rounds[HORIZONS] = {100, 200, 400, 800};
static const ofw_rate three_quarters = {0.75, 0.0}, two_thirds = {2.0 / 3.0, 0.0}, with_log = {0.75, 1.0};
static results_cell cell[TUNED + HORIZONS * SEEDS], *const play = cell + TUNED;

static lab_plays made(double power)
{
  for (size_t i = 0; i < TUNED; i++)
    cell[i] = (results_cell){.tune = 1, .regret = 1e9, .error = "a tuning run is no play"};
  for (size_t i = 0; i < HORIZONS * SEEDS; i++) {
    double T = (double)rounds[i / SEEDS], noise = 1.0 + 0.01 * (double)(i * 7 % 5);
    play[i] = (results_cell){.G = 1.0, .D = 2.0, .rounds = rounds[i / SEEDS], .seed = 5 + i % SEEDS};
    play[i].regret = noise * 3.0 * pow(T, power);
    play[i].ccv = 1e-6 * T;
  }
  lab_plays p = lab_plays_of(cell, TUNED + HORIZONS * SEEDS);
  assert_true(p.cell == play && p.horizons == HORIZONS && p.seeds == SEEDS);
  return p;
}

static lab_growth fitted(const lab_plays *p, size_t offset, ofw_rate rate)
{
  lab_growth g;
  assert_int_equal(lab_plays_fit(p, offset, rate, 1, &g, NULL), OFW_OK);
  return g;
}
#define REGRET offsetof(results_cell, regret)
#define CCV    offsetof(results_cell, ccv)

static void test_fit(void **state)
{
  (void)state;
  lab_plays p = made(0.7);
  lab_growth regret = fitted(&p, REGRET, three_quarters), ccv = fitted(&p, CCV, with_log);
  assert_near(regret.exponent.fit, 0.7, 0.01);
  assert_int_equal(regret.verdict, OFW_HOLDS);
  assert_near(regret.proved, 0.75, 1e-12);
  assert_int_equal(ccv.verdict, OFW_IS_NEGLIGIBLE); /* 8e-4 is below 1e-4 * 1 * 2 * 800 */
  assert_true(ccv.proved > 0.85 && ccv.proved < 1.0);
  p = made(0.95);
  assert_int_equal(fitted(&p, REGRET, three_quarters).verdict, OFW_EXCEEDS);
  p = made(0.75);
  assert_int_equal(fitted(&p, REGRET, two_thirds).verdict, OFW_EXCEEDS);
  assert_int_equal(fitted(&p, REGRET, three_quarters).verdict, OFW_HOLDS);
}

static void test_mean(void **state)
{
  (void)state;
  double mean, deviation;
  lab_plays p = made(0.7);
  play[SEEDS + 3].error = "no"; /* seed 3 is left out everywhere */
  for (size_t k = 0; k < SEEDS; k++)
    assert_int_equal(lab_plays_whole(&p, k), k != 3);
  for (size_t i = 0; i < HORIZONS; i++) {
    double sum = 0.0, square = 0.0;
    for (size_t k = 0; k < SEEDS; k++)
      sum += k == 3 ? 0.0 : play[i * SEEDS + k].regret;
    for (size_t k = 0; k < SEEDS; k++)
      square += k == 3 ? 0.0 : pow(play[i * SEEDS + k].regret - sum / (SEEDS - 1), 2.0);
    lab_plays_mean(&p, REGRET, i, &mean, &deviation);
    assert_near(mean, sum / (SEEDS - 1), 1e-9);
    assert_near(deviation, sqrt(square / (SEEDS - 2)), 1e-9);
  }
  assert_int_equal(fitted(&p, REGRET, three_quarters).verdict, OFW_HOLDS);
  play[5].error = play[7].error = "no"; /* seven are left */
  assert_int_equal(fitted(&p, REGRET, three_quarters).exponent.growth, OFW_GROWTH_UNKNOWN);
  assert_int_equal(fitted(&p, REGRET, three_quarters).verdict, OFW_NOT_DECIDED);
  for (size_t i = 0; i < SEEDS; i++)
    play[i].error = "no";
  assert_int_equal(fitted(&p, REGRET, three_quarters).verdict, OFW_NOT_DECIDED);
  lab_plays_mean(&p, REGRET, 0, &mean, &deviation);
  assert_true(isnan(mean) && isnan(deviation));
}

static void test_not_known(void **state)
{
  (void)state;
  lab_plays p = made(0.7);
  for (size_t i = 0; i < HORIZONS * SEEDS; i++)
    play[i].regret = (double)NAN;
  assert_int_equal(fitted(&p, REGRET, three_quarters).exponent.growth, OFW_GROWTH_UNKNOWN);
  assert_int_equal(fitted(&p, CCV, with_log).verdict, OFW_IS_NEGLIGIBLE);
  assert_true(isnan(fitted(&p, CCV, (ofw_rate){0}).proved));
}

/* Where constants are tuned and nothing else is played. */
static void test_none(void **state)
{
  (void)state;
  assert_int_equal(lab_plays_of(cell, TUNED).horizons, 0);
  made(0.7);
  assert_int_equal(lab_plays_of(cell, TUNED + 2 * SEEDS + 1).horizons, 2); /* of the third, one play is there */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fit),
      cmocka_unit_test(test_mean),
      cmocka_unit_test(test_not_known),
      cmocka_unit_test(test_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
