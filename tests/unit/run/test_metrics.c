/* Metrics of a trace against sums and windows made by brute force. */
#include "unit/base/check.h"

#include "run/metrics.h"

#include <stdlib.h>

enum { MOST = 60 };

typedef struct game {
  size_t n;
  ofw_trace_row row[MOST];
} game;

/* Rounds 1 to n with random losses; `thin`: about every third is kept. */
static game played(uint64_t seed, size_t n, int thin)
{
  game g = {0};
  ofw_trace_row now = {0};
  for (uint64_t t = 1; t <= n; t++) {
    double f = any_real(&seed), c = any_real(&seed), z = any_real(&seed);
    now.round = t;
    now.loss = f;
    now.constraint = any_below(&seed, 5) ? any_real(&seed) - 0.2 : (double)NAN;
    now.loss_sum += f;
    now.comparator_loss_sum += c;
    now.target_loss_sum += z;
    now.ccv += isnan(now.constraint) ? 0.0 : fmax(now.constraint, 0.0);
    now.oracle_calls = 2 * t;
    now.passes = 5 * t;
    now.seconds = 0.25 * (double)t;
    if (!thin || any_below(&seed, 3) == 0 || t == n)
      g.row[g.n++] = now;
  }
  return g;
}

static double regret_at(const game *g, size_t i)
{
  return i == 0 ? 0.0 : g->row[i - 1].loss_sum - g->row[i - 1].comparator_loss_sum;
}

static uint64_t round_at(const game *g, size_t i)
{
  return i == 0 ? 0 : g->row[i - 1].round;
}

/* All windows between recorded rounds; 0: of any length. */
static double worst(const game *g, uint64_t window)
{
  double most = (double)NAN;
  for (size_t a = 0; a <= g->n; a++)
    for (size_t b = a + 1; b <= g->n; b++)
      if (window == 0 || round_at(g, b) - round_at(g, a) == window)
        most = fmax(most, regret_at(g, b) - regret_at(g, a)); /* fmax leaves NaN at once */
  return most;
}

/* The window that is named has that regret. */
static double of_window(const game *g, const ofw_metrics *m)
{
  double at[2] = {0.0, (double)NAN};
  for (size_t i = 0; i <= g->n; i++) {
    if (round_at(g, i) + 1 == m->interval_first)
      at[0] = regret_at(g, i);
    if (round_at(g, i) == m->interval_last)
      at[1] = regret_at(g, i);
  }
  return at[1] - at[0];
}

static void test_windows(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    game g = played(seed, 1 + seed % MOST, seed % 2);
    for (uint64_t window = 0; window <= MOST; window++) {
      ofw_metrics m;
      double want = worst(&g, window);
      assert_int_equal(ofw_metrics_of(g.row, g.n, window, &m), OFW_OK);
      if (isnan(want)) {
        assert_true(isnan(m.interval_regret) && m.interval_first == 0 && m.interval_last == 0);
        continue;
      }
      assert_near(m.interval_regret, want, 1e-12);
      assert_near(of_window(&g, &m), want, 1e-12);
      if (window)
        assert_int_equal(m.interval_last - m.interval_first + 1, window);
    }
  }
}

static void test_sums(void **state)
{
  (void)state;
  for (int thin = 0; thin < 2; thin++) {
    game g = played(3, MOST, thin);
    const ofw_trace_row *last = &g.row[g.n - 1];
    ofw_metrics m;
    double soft = 0.0;
    for (size_t i = 0; i < g.n; i++)
      soft += isnan(g.row[i].constraint) ? 0.0 : g.row[i].constraint;
    assert_int_equal(ofw_metrics_of(g.row, g.n, 0, &m), OFW_OK);
    assert_int_equal(m.rounds, MOST);
    assert_bits(m.loss, last->loss_sum);
    assert_bits(m.regret, last->loss_sum - last->comparator_loss_sum);
    assert_bits(m.dynamic_regret, last->loss_sum - last->target_loss_sum);
    assert_bits(m.ccv, last->ccv);
    if (thin)
      assert_true(isnan(m.soft_violation)); /* what was left out may have made up for it */
    else
      assert_near(m.soft_violation, fmax(soft, 0.0), 1e-12);
    assert_int_equal(m.oracle_calls, 2 * MOST);
    assert_int_equal(m.passes, 5 * MOST);
    assert_near(m.seconds, 0.25 * MOST, 0.0);
  }
}

static void test_soft_violation_of_both_signs(void **state)
{
  (void)state;
  ofw_trace_row row[] = {{.round = 1, .constraint = 3.0, .ccv = 3.0}, {.round = 2, .constraint = -1.0, .ccv = 3.0}};
  ofw_metrics m;
  assert_int_equal(ofw_metrics_of(row, 2, 0, &m), OFW_OK);
  assert_near(m.soft_violation, 2.0, 0.0);
  row[1].constraint = -4.0;
  assert_int_equal(ofw_metrics_of(row, 2, 0, &m), OFW_OK);
  assert_near(m.soft_violation, 0.0, 0.0);
}

static void test_not_known(void **state)
{
  (void)state;
  ofw_trace_row row[] = {
      {.round = 1, .loss_sum = 1.0, .comparator_loss_sum = (double)NAN, .target_loss_sum = (double)NAN},
      {.round = 2, .loss_sum = 2.0, .comparator_loss_sum = (double)NAN, .target_loss_sum = (double)NAN}};
  ofw_metrics m;
  assert_int_equal(ofw_metrics_of(row, 2, 0, &m), OFW_OK);
  assert_true(isnan(m.regret) && isnan(m.interval_regret) && isnan(m.dynamic_regret));
  assert_int_equal(m.interval_first, 0);
  assert_int_equal(m.interval_last, 0);
  assert_near(m.loss, 2.0, 0.0);
}

static void test_refusals(void **state)
{
  (void)state;
  ofw_metrics m;
  assert_int_equal(ofw_metrics_of(NULL, 0, 0, &m), OFW_USAGE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_windows),
      cmocka_unit_test(test_sums),
      cmocka_unit_test(test_soft_violation_of_both_signs),
      cmocka_unit_test(test_not_known),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
