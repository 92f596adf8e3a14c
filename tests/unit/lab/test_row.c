/* A row over results made up by a power law: its fits, its means, and what failed cells do to it. */
#include "unit/base/check.h"

#include "lab/row.h"

#include <stddef.h>
#include <stdlib.h>

enum { HORIZONS = 4, SEEDS = 10 };
static const uint64_t rounds[HORIZONS] = {100, 200, 400, 800};
static lab_result result[HORIZONS * SEEDS];

static void make(lab_row *row, const char *learner, double power)
{
  ofw_error err = {0};
  *row = (lab_row){.setup = {.learner = learner, .stream = "linear", .domain = "l2-ball:dim=3"},
                   .constants = "theorem",
                   .horizons = HORIZONS,
                   .seeds = SEEDS,
                   .rounds = rounds,
                   .first_seed = 5};
  assert_int_equal(lab_row_open(row, &err), OFW_OK);
  for (size_t i = 0; i < HORIZONS * SEEDS; i++) {
    const lab_cell *c = &row->cell[i];
    assert_true(c->of == &row->setup && c->rounds == rounds[i / SEEDS] && c->seed == 5 + i % SEEDS);
    double T = (double)c->rounds, noise = 1.0 + 0.01 * (double)(i * 7 % 5);
    result[i] = (lab_result){.G = 1.0, .D = 2.0, .metrics = {.rounds = c->rounds}};
    result[i].metrics.regret = noise * 3.0 * pow(T, power);
    result[i].metrics.ccv = 1e-6 * T;
    row->cell[i].result = &result[i];
  }
}

static void fit(lab_row *row)
{
  ofw_error err = {0};
  assert_int_equal(lab_row_fit(row, 1, &err), OFW_OK);
}

static void test_fit(void **state)
{
  (void)state;
  lab_row row;
  make(&row, "ofw-tvc", 0.7);
  fit(&row);
  assert_int_equal(row.whole, SEEDS);
  assert_near(row.regret.exponent.fit, 0.7, 0.01);
  assert_int_equal(row.regret.verdict, OFW_HOLDS);
  assert_near(row.regret.proved, 0.75, 1e-12);
  assert_int_equal(row.ccv.verdict, OFW_IS_BOUNDED); /* 8e-4 is below 1e-4 * 1 * 2 * 800 */
  assert_true(row.ccv.proved > 0.85 && row.ccv.proved < 1.0);
  lab_row_free(&row);
  make(&row, "ofw-tvc", 0.95);
  fit(&row);
  assert_int_equal(row.regret.verdict, OFW_EXCEEDS);
  lab_row_free(&row);
  make(&row, "scofw-tvc", 0.75);
  fit(&row);
  assert_int_equal(row.regret.verdict, OFW_EXCEEDS); /* its own row of the table counts */
  lab_row_free(&row);
}

static void test_mean(void **state)
{
  (void)state;
  lab_row row;
  make(&row, "ofw-tvc", 0.7);
  result[SEEDS + 3].status = OFW_NUMERICAL; /* seed 3 is left out everywhere */
  for (size_t i = 0; i < HORIZONS; i++) {
    double sum = 0.0, square = 0.0, mean, deviation;
    for (size_t k = 0; k < SEEDS; k++)
      sum += k == 3 ? 0.0 : result[i * SEEDS + k].metrics.regret;
    for (size_t k = 0; k < SEEDS; k++)
      square += k == 3 ? 0.0 : pow(result[i * SEEDS + k].metrics.regret - sum / (SEEDS - 1), 2.0);
    lab_row_mean(&row, offsetof(ofw_metrics, regret), i, &mean, &deviation);
    assert_near(mean, sum / (SEEDS - 1), 1e-9);
    assert_near(deviation, sqrt(square / (SEEDS - 2)), 1e-9);
  }
  fit(&row);
  assert_int_equal(row.whole, SEEDS - 1);
  assert_int_equal(row.regret.verdict, OFW_HOLDS);
  result[5].status = result[7].status = OFW_NUMERICAL; /* seven are left */
  fit(&row);
  assert_int_equal(row.whole, SEEDS - 3);
  assert_int_equal(row.regret.exponent.growth, OFW_GROWTH_UNKNOWN);
  assert_int_equal(row.regret.verdict, OFW_NOT_DECIDED);
  for (size_t i = 0; i < SEEDS; i++)
    result[i].status = OFW_FAILED;
  fit(&row);
  double mean, deviation;
  lab_row_mean(&row, offsetof(ofw_metrics, regret), 0, &mean, &deviation);
  assert_true(isnan(mean) && isnan(deviation));
  lab_row_free(&row);
}

static void test_not_known(void **state)
{
  (void)state;
  lab_row row;
  make(&row, "ofw-tvc", 0.7);
  for (size_t i = 0; i < HORIZONS * SEEDS; i++)
    result[i].metrics.regret = (double)NAN;
  fit(&row);
  assert_int_equal(row.regret.exponent.growth, OFW_GROWTH_UNKNOWN);
  assert_int_equal(row.ccv.verdict, OFW_IS_BOUNDED);
  lab_row_free(&row);
}

static void test_tuning(void **state)
{
  (void)state;
  lab_row row;
  lab_tuning tuning = {.best = 3};
  make(&row, "ofw-tvc", 0.7);
  tuning.run[3] = (lab_run){.factor = {10, 0.01}};
  row.tuning = &tuning;
  lab_row_take_tuning(&row);
  for (size_t i = 0; i < HORIZONS * SEEDS; i++)
    assert_true(row.cell[i].factor[0] == 10 && row.cell[i].factor[1] == 0.01);
  lab_row_free(&row);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fit),
      cmocka_unit_test(test_mean),
      cmocka_unit_test(test_not_known),
      cmocka_unit_test(test_tuning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
