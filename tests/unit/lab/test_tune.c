/* Tuning over results made up by a formula: the runs are those that are stated, the choice is the best of them. */
#include "unit/base/check.h"

#include "lab/tune.h"

#include <stdlib.h>

enum { SEEDS = 3 };
static const lab_setup of = {.learner = "ofw-tvc", .stream = "linear", .domain = "l2-ball:dim=3"};

/* What a pair of factors comes to. */
typedef struct landscape {
  double best[2]; /* log10 of the best factors */
  double refused; /* log10 of the second factor from which on it is refused */
  int regret_unknown;
} landscape;

static lab_result made(const landscape *l, const lab_cell *c)
{
  double a = log10(c->factor[0]) - l->best[0], b = log10(c->factor[1]) - l->best[1];
  lab_result r = {.G = 2.0, .D = 3.0, .metrics = {.size = sizeof r.metrics, .rounds = c->rounds}};
  r.metrics.regret = l->regret_unknown ? (double)NAN : 100.0 * a * a + (double)(c->seed % 7);
  r.metrics.loss = 100.0 * a * a - 1000.0;
  r.metrics.ccv = 50.0 * b * b + 1.0;
  if (log10(c->factor[1]) >= l->refused)
    r = (lab_result){.status = OFW_USAGE, .error = (char *)(uintptr_t) "too much"};
  return r;
}

static lab_result result[LAB_TUNE_RUNS * SEEDS];

static void play(lab_tuning *t, const landscape *l)
{
  ofw_error err = {0};
  assert_int_equal(lab_tuning_open(t, &of, 100, 1000, SEEDS, &err), OFW_OK);
  for (int half = 0; half < 2; half++) {
    lab_cell *cell = lab_tuning_half(t, half);
    size_t from = (size_t)(cell - t->cell);
    assert_int_equal(from, (size_t)half * LAB_GRID * SEEDS);
    for (size_t i = 0; i < LAB_GRID * SEEDS; i++) {
      result[from + i] = made(l, &cell[i]);
      cell[i].result = &result[from + i];
    }
  }
  assert_int_equal(lab_tuning_settle(t, &err), OFW_OK);
}

static void test_runs(void **state)
{
  (void)state;
  lab_tuning t;
  landscape l = {{2, -3}, 99, 0};
  play(&t, &l);
  for (size_t i = 0; i < LAB_TUNE_RUNS; i++) {
    double wanted = pow(10.0, (double)(i % LAB_GRID) - 5.0);
    assert_near(t.run[i].factor[i < LAB_GRID ? 0 : 1] / wanted, 1.0, 1e-12);
    assert_near(t.run[i].factor[i < LAB_GRID ? 1 : 0], i < LAB_GRID ? 1.0 : 100.0, 0.0);
    for (size_t k = 0; k < SEEDS; k++) {
      const lab_cell *c = &t.cell[i * SEEDS + k];
      assert_true(c->of == &of && c->rounds == 100 && c->seed == 1000 + k);
      assert_true(c->factor[0] == t.run[i].factor[0] && c->factor[1] == t.run[i].factor[1]);
    }
  }
  assert_near(t.run[t.best].factor[0], 100.0, 0.0);
  assert_near(t.run[t.best].factor[1], 0.001, 0.0);
  char text[LAB_CHOICE_TEXT];
  assert_string_equal(lab_tuning_text(&t, text), "step 100, gamma-scale 0.001");
  lab_tuning_free(&t);
}

/* Every run's score from its cells, and the front by its definition. */
static void test_scores_and_front(void **state)
{
  (void)state;
  for (int unknown = 0; unknown < 2; unknown++) {
    lab_tuning t;
    landscape l = {{1, 2}, 4, unknown};
    play(&t, &l);
    for (size_t i = 0; i < LAB_TUNE_RUNS; i++) {
      const lab_run *run = &t.run[i];
      double regret = 0.0, loss = 0.0, ccv = 0.0;
      for (size_t k = 0; k < SEEDS; k++) {
        const ofw_metrics *m = &result[i * SEEDS + k].metrics;
        regret += m->regret / SEEDS, loss += m->loss / SEEDS, ccv += m->ccv / SEEDS;
      }
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
    lab_tuning_free(&t);
  }
}

/* With seeds from 1 on, by a formula of its own. */
static void play_by(lab_tuning *t, lab_result (*of_cell)(const lab_cell *c))
{
  ofw_error err = {0};
  assert_int_equal(lab_tuning_open(t, &of, 100, 1, SEEDS, &err), OFW_OK);
  for (int half = 0; half < 2; half++) {
    lab_cell *cell = lab_tuning_half(t, half);
    for (size_t i = 0; i < LAB_GRID * SEEDS; i++) {
      lab_result *r = &result[(size_t)half * LAB_GRID * SEEDS + i];
      *r = of_cell(&cell[i]);
      cell[i].result = r;
    }
  }
  assert_int_equal(lab_tuning_settle(t, &err), OFW_OK);
}

static lab_result below_zero(const lab_cell *c)
{
  return (lab_result){
      .G = 1, .D = 1, .metrics = {.rounds = 100, .regret = -1e6 * c->factor[0] * c->factor[1], .ccv = 5.0}};
}

static void test_regret_below_zero_earns_nothing(void **state)
{
  (void)state;
  lab_tuning t;
  play_by(&t, below_zero);
  assert_near(t.run[t.best].factor[0], 1.0, 0.0); /* all are alike: the defaults */
  assert_near(t.run[t.best].factor[1], 1.0, 0.0);
  lab_tuning_free(&t);
}

/* The best factor fails for one seed, and leaves the numbers of a play that did not. */
static lab_result best_fails(const lab_cell *c)
{
  int failed = c->factor[0] == 10.0 && c->seed == 2;
  return (lab_result){.status = failed ? OFW_NUMERICAL : OFW_OK,
                      .error = failed ? (char *)(uintptr_t) "too much" : NULL,
                      .G = 1,
                      .D = 1,
                      .metrics = {.rounds = 100, .ccv = fabs(log10(c->factor[0]) - 1.0)}};
}

static void test_a_failed_seed(void **state)
{
  (void)state;
  lab_tuning t;
  play_by(&t, best_fails);
  assert_true(isinf(t.run[6].score) && t.run[6].factor[0] == 10.0 && !t.run[6].front);
  assert_near(t.run[t.best].factor[0], 1.0, 0.0); /* as good as 100, and nearer to the defaults */
  lab_tuning_free(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_runs),
      cmocka_unit_test(test_scores_and_front),
      cmocka_unit_test(test_regret_below_zero_earns_nothing),
      cmocka_unit_test(test_a_failed_seed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
