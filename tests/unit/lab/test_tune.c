/* Tuning over results made up by a formula: the runs are those that are stated, the choice is the best of them. */
#include "unit/base/check.h"

#include "lab/tune.h"

#include <string.h>

enum { SEEDS = 3, CELLS = LAB_TUNE_RUNS * SEEDS, FINE_CELLS = LAB_FINE_RUNS * SEEDS };
static results_cell cell[FINE_CELLS + 2];

/* Plays one stage after the other by a formula, then reads the same from the cells alone. */
static lab_tuning play_runs(void (*come_to)(results_cell *c), size_t runs)
{
  lab_tuning t, again;
  size_t cells = runs * SEEDS;
  lab_tuning_begin(&t, SEEDS);
  for (size_t i = 0; i < cells; i++) {
    if (i == t.laid * SEEDS)
      lab_tuning_go_on(&t, cell);
    assert_true(i < t.laid * SEEDS && t.laid <= runs);
    const double *factor = t.run[i / SEEDS].factor;
    cell[i] = (results_cell){.tune = 1, .factor = {factor[0], factor[1]}, .rounds = 100, .seed = 1000 + i % SEEDS};
    come_to(&cell[i]);
  }
  assert_int_equal(lab_tuning_settle(&t, cell, NULL), OFW_OK);
  assert_true(t.seeds == SEEDS && t.runs == runs);
  cell[cells] = cell[cells + 1] = (results_cell){.ccv = -1e9}; /* plays, which are none of its own */
  assert_int_equal(lab_tuning_read(cell, cells + 2, &again, NULL), OFW_OK);
  assert_true(again.seeds == t.seeds && again.runs == t.runs && again.best == t.best);
  for (size_t i = 0; i < runs; i++)
    assert_true(again.run[i].score == t.run[i].score && again.run[i].error == t.run[i].error &&
                again.run[i].front == t.run[i].front && again.run[i].factor[1] == t.run[i].factor[1]);
  return t;
}

static lab_tuning play(void (*come_to)(results_cell *c))
{
  return play_runs(come_to, LAB_TUNE_RUNS);
}

/* What a pair of factors comes to. */
static struct landscape {
  double best[2]; /* log10 of the best factors */
  double refused; /* log10 of the second factor from which on it is refused */
  int regret_unknown;
} land;

static void lie_in(results_cell *c)
{
  double a = log10(c->factor[0]) - land.best[0], b = log10(c->factor[1]) - land.best[1];
  c->G = 2.0, c->D = 3.0;
  c->regret = land.regret_unknown ? (double)NAN : 100.0 * a * a + (double)(c->seed % 7);
  c->loss = 100.0 * a * a - 1000.0;
  c->ccv = 50.0 * b * b + 1.0;
  if (log10(c->factor[1]) >= land.refused) {
    c->error = "too much";
    c->exit_code = 2;
    c->regret = c->loss = c->ccv = c->G = c->D = (double)NAN;
  }
}

static void test_runs(void **state)
{
  (void)state;
  land = (struct landscape){{2, -3}, 99, 0};
  lab_tuning t = play(lie_in);
  for (size_t i = 0; i < LAB_TUNE_RUNS; i++) {
    double wanted = pow(10.0, (double)(i % LAB_GRID) - 5.0);
    assert_near(t.run[i].factor[i < LAB_GRID ? 0 : 1] / wanted, 1.0, 1e-12);
    assert_near(t.run[i].factor[i < LAB_GRID ? 1 : 0], i < LAB_GRID ? 1.0 : 100.0, 0.0);
  }
  assert_near(t.run[t.best].factor[0], 100.0, 0.0);
  assert_near(t.run[t.best].factor[1], 0.001, 0.0);
  char text[LAB_CHOICE_TEXT];
  const results_arm arm = {.constant = {"step", "gamma-scale"}};
  assert_string_equal(lab_tuning_text(&t, &arm, text), "step 100, gamma-scale 0.001");
}

/* The four runs around the best of 22, in the order of the constants, and the best of all 26. */
static void test_fine_runs(void **state)
{
  (void)state;
  static const struct {
    double best[2], wanted[2]; /* log10 */
  } cases[] = {{{2, -3}, {2, -3}},     {{2.4, -3}, {2.5, -3}},    {{1.6, 4.1}, {1.5, 4}},
               {{-3, 0.4}, {-3, 0.5}}, {{-3, -4.45}, {-3, -4.5}}, {{5.5, 1}, {5.5, 1}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    land = (struct landscape){{cases[i].best[0], cases[i].best[1]}, 99, 0};
    lab_tuning coarse = play(lie_in), t = play_runs(lie_in, LAB_FINE_RUNS);
    for (size_t k = 0; k < LAB_TUNE_RUNS; k++)
      assert_memory_equal(t.run[k].factor, coarse.run[k].factor, sizeof t.run->factor);
    const double *from = coarse.run[coarse.best].factor;
    for (size_t k = 0; k < 4; k++) {
      const double *factor = t.run[LAB_TUNE_RUNS + k].factor;
      assert_near(log10(factor[k / 2]) - log10(from[k / 2]), k % 2 ? 0.5 : -0.5, 1e-12);
      assert_bits(factor[1 - k / 2], from[1 - k / 2]);
    }
    assert_near(log10(t.run[t.best].factor[0]), cases[i].wanted[0], 1e-12);
    assert_near(log10(t.run[t.best].factor[1]), cases[i].wanted[1], 1e-12);
  }
}

static void all_alike(results_cell *c)
{
  c->G = c->D = 1.0;
  c->ccv = 5.0;
}

/* Runs that the learner refuses are told from those that fail, and counted. */
static void refuse_some(results_cell *c)
{
  all_alike(c);
  if (c->factor[0] >= 1e4 || (c->factor[0] >= 1e3 && c->seed == 1001)) {
    c->error = "no";
    c->exit_code = 2;
  }
  if (c->factor[0] == 1e5 && c->seed == 1002)
    c->exit_code = 4;
}

static void test_refused(void **state)
{
  (void)state;
  lab_tuning t = play(refuse_some);
  for (size_t i = 0; i < LAB_GRID; i++) {
    assert_int_equal(t.run[i].refused, i == 8 || i == 9);
    assert_int_equal(isinf(t.run[i].score) != 0, i >= 8);
  }
  assert_int_equal(lab_tuning_refused(&t), 2);
  const results_cell play_cell = {.exit_code = 2}, tune_cell = {.tune = 1, .exit_code = 2};
  assert_true(!lab_is_refused(&play_cell) && lab_is_refused(&tune_cell));
}

/* Every run's score from its cells, and the front by its definition. */
static void test_scores_and_front(void **state)
{
  (void)state;
  for (int unknown = 0; unknown < 2; unknown++) {
    land = (struct landscape){{1, 2}, 4, unknown};
    lab_tuning t = play(lie_in);
    for (size_t i = 0; i < LAB_TUNE_RUNS; i++) {
      const lab_run *run = &t.run[i];
      double regret = 0.0, loss = 0.0, ccv = 0.0;
      for (const results_cell *c = &cell[i * SEEDS]; c < &cell[(i + 1) * SEEDS]; c++)
        regret += c->regret / SEEDS, loss += c->loss / SEEDS, ccv += c->ccv / SEEDS;
      if (run->factor[1] >= 1e4) {
        assert_true(isinf(run->score) && run->error && !run->front && isnan(run->ccv));
        continue;
      }
      double first = unknown ? loss : regret > 0.0 ? regret : 0.0;
      assert_near(run->score, (first + ccv) / (2.0 * 3.0 * 100.0), 1e-9);
      assert_near(run->ccv, ccv, 1e-9);
      int beaten = 0;
      for (size_t k = 0; k < LAB_TUNE_RUNS; k++) {
        const lab_run *o = &t.run[k];
        double x = unknown ? o->loss : o->regret, y = unknown ? run->loss : run->regret;
        beaten |= x <= y && o->ccv <= run->ccv && (x < y || o->ccv < run->ccv);
      }
      assert_int_equal(run->front, !beaten);
      assert_true(t.run[t.best].score <= run->score + 0.01 * fabs(run->score));
    }
  }
}

static void below_zero(results_cell *c)
{
  c->G = c->D = 1.0;
  c->regret = -1e6 * c->factor[0] * c->factor[1];
  c->ccv = 5.0;
}

static void test_regret_below_zero_earns_nothing(void **state)
{
  (void)state;
  lab_tuning t = play(below_zero);
  assert_near(t.run[t.best].factor[0], 1.0, 0.0); /* all are alike: the defaults */
  assert_near(t.run[t.best].factor[1], 1.0, 0.0);
}

/* The best factor fails for one seed, and leaves the numbers of a play that did not. */
static void best_fails(results_cell *c)
{
  c->G = c->D = 1.0;
  c->ccv = fabs(log10(c->factor[0]) - 1.0);
  if (c->factor[0] == 10.0 && c->seed == 1001)
    c->error = "too much";
}

static void test_a_failed_seed(void **state)
{
  (void)state;
  lab_tuning t = play(best_fails);
  assert_true(isinf(t.run[6].score) && t.run[6].factor[0] == 10.0 && !t.run[6].front);
  assert_near(t.run[t.best].factor[0], 1.0, 0.0); /* as good as 100, and nearer to the defaults */
}

/* A tuning that is not done has seeds and no runs; what was not tuned has neither. */
static void test_not_done(void **state)
{
  (void)state;
  lab_tuning t;
  char text[LAB_CHOICE_TEXT];
  const results_arm arm = {.constant = {"step", "gamma-scale"}};
  play(below_zero);
  assert_int_equal(lab_tuning_read(cell, CELLS - 1, &t, NULL), OFW_OK);
  assert_true(t.seeds == SEEDS && t.runs == 0);
  assert_string_equal(lab_tuning_text(&t, &arm, text), "");
  assert_int_equal(lab_tuning_read(cell + CELLS, 2, &t, NULL), OFW_OK);
  assert_true(t.seeds == 0 && t.runs == 0);
  play_runs(below_zero, LAB_FINE_RUNS); /* of a fine one, the 22 that are whole */
  for (size_t cells = CELLS - 1; cells <= FINE_CELLS; cells++) {
    assert_int_equal(lab_tuning_read(cell, cells, &t, NULL), OFW_OK);
    assert_int_equal(t.runs, cells < CELLS ? 0 : cells < FINE_CELLS ? LAB_TUNE_RUNS : LAB_FINE_RUNS);
  }
}

static void test_promise(void **state)
{
  (void)state;
  assert_string_equal(lab_promise(NULL, "ofw-tvc")->tuned[0], "step");
  assert_null(lab_promise(NULL, "nobody"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_runs),
      cmocka_unit_test(test_fine_runs),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_scores_and_front),
      cmocka_unit_test(test_regret_below_zero_earns_nothing),
      cmocka_unit_test(test_a_failed_seed),
      cmocka_unit_test(test_not_done),
      cmocka_unit_test(test_promise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
