/* An arm's curve by hand: plays that recorded different rounds, failed ones, tuning runs, a single one. */
#include "unit/base/check.h"
#include "unit/lab/results_folder.h"

#include "lab/curve.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static ofw_trace_row point(uint64_t round, double loss, double comparator)
{
  return (ofw_trace_row){.round = round,
                         .loss_sum = loss,
                         .ccv = 2.0 * loss,
                         .comparator_loss_sum = comparator,
                         .oracle_calls = round,
                         .passes = 3 * round,
                         .seconds = 0.5 * (double)round};
}

static void put(results *r, int64_t cell, int tune, char *error, const ofw_trace_row *p, size_t n)
{
  ofw_error err = {0};
  const results_cell c = {.cell = cell,
                          .arm = 1,
                          .tune = tune,
                          .factor = {1.0, 1.0},
                          .rounds = 9,
                          .seed = 1,
                          .error = error,
                          .exit_code = error != NULL};
  assert_int_equal(results_put(r, &c, p, n, "now", "here", &err), OFW_OK);
}

static results_curve read_curve(void)
{
  results *r;
  results_cell *cell;
  size_t n;
  results_curve c;
  assert_int_equal(results_open(folder, &r, NULL), OFW_OK);
  assert_int_equal(results_cells(r, 1, &cell, &n, NULL), OFW_OK);
  assert_int_equal(results_curve_read(r, cell, n, &c, NULL), OFW_OK);
  results_cells_free(cell, n);
  results_close(r);
  return c;
}

static void test_by_hand(void **state)
{
  (void)state;
  const results_arm arm = {1, "s", "linear", "l2-ball:dim=3", "A", "ofw", "", 0, {NULL, NULL}};
  const results_head head = {"t", "x", "0", "k", &arm, 1};
  results *r;
  assert_int_equal(results_create(folder, &head, &r, NULL), OFW_OK);
  assert_int_equal(results_begin(r, NULL), OFW_OK);

  const ofw_trace_row first[] = {point(1, 1.0, 0.5), point(3, 2.0, (double)NAN), point(9, 6.0, 1.0)};
  put(r, 1, 1, NULL, NULL, 0); /* a tuning run */
  put(r, 2, 0, NULL, first, 3);
  results_curve one = read_curve();
  assert_true(one.plays == 1 && one.moments == 3);
  assert_near(one.moment[2].mean[CURVE_LOSS], 6.0, 0.0);
  assert_near(one.moment[2].mean[CURVE_REGRET], 5.0, 0.0);
  assert_true(isnan(one.moment[2].deviation[CURVE_LOSS]) && isnan(one.moment[1].mean[CURVE_REGRET]));
  results_curve_free(&one);

  const ofw_trace_row second[] = {point(1, 4.0, 0.5), point(2, 9.0, 9.0), point(9, 8.0, 1.0)};
  put(r, 3, 0, NULL, second, 3);
  put(r, 4, 0, "failed", NULL, 0);
  results_curve two = read_curve();
  assert_true(two.plays == 2 && two.moments == 2); /* round 2 and 3 are not of both */
  assert_true(two.moment[0].round == 1 && two.moment[1].round == 9);
  assert_near(two.moment[0].mean[CURVE_LOSS], 2.5, 1e-15);
  assert_near(two.moment[0].deviation[CURVE_LOSS], sqrt(4.5), 1e-15);
  assert_near(two.moment[1].mean[CURVE_CCV], 14.0, 1e-14);
  assert_near(two.moment[1].deviation[CURVE_CCV], sqrt(8.0), 1e-14);
  assert_near(two.moment[1].mean[CURVE_REGRET], 6.0, 1e-15);
  assert_near(two.moment[1].mean[CURVE_ORACLE_CALLS], 9.0, 0.0);
  assert_near(two.moment[1].mean[CURVE_PASSES], 27.0, 0.0);
  assert_near(two.moment[1].mean[CURVE_SECONDS], 4.5, 0.0);
  results_curve_free(&two);
  assert_int_equal(results_finish(r, NULL), OFW_OK);
  results_close(r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_by_hand, begin, end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
