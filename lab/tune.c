#include "lab/tune.h"

#include "base/basics.h"
#include "lab/pareto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

ofw_status lab_tuning_open(lab_tuning *t, const lab_setup *of, uint64_t rounds, uint64_t first_seed, size_t seeds,
                           ofw_error *err)
{
  *t = (lab_tuning){.of = of, .rounds = rounds, .first_seed = first_seed, .seeds = seeds};
  t->cell = calloc(LAB_TUNE_RUNS * seeds, sizeof *t->cell);
  return t->cell ? OFW_OK : ofw_fail_memory(err, LAB_TUNE_RUNS * seeds * sizeof *t->cell);
}

void lab_tuning_free(lab_tuning *t)
{
  free(t->cell);
  t->cell = NULL;
}

/* ---- what a run came to ---- */

/* G D T */
static double unit(const lab_result *r)
{
  return r->G * r->D * (double)r->metrics.rounds;
}

static void sum_up(lab_tuning *t, size_t i)
{
  lab_run *run = &t->run[i];
  const lab_cell *cell = t->cell + i * t->seeds;
  double n = (double)t->seeds, regret = 0.0, loss = 0.0, ccv = 0.0;
  run->regret = run->loss = run->ccv = 0.0;
  run->error = NULL;
  for (size_t k = 0; k < t->seeds; k++) {
    const lab_result *r = cell[k].result;
    if (r->status != OFW_OK && !run->error)
      run->error = r->error;
    run->regret += r->metrics.regret / n;
    run->loss += r->metrics.loss / n;
    run->ccv += r->metrics.ccv / n;
    regret += r->metrics.regret / unit(r) / n;
    loss += r->metrics.loss / unit(r) / n;
    ccv += r->metrics.ccv / unit(r) / n;
  }
  run->score = (isnan(regret) ? loss : fmax(regret, 0.0)) + ccv;
  if (run->error)
    run->regret = run->loss = run->ccv = NAN;
  if (run->error || isnan(run->score))
    run->score = INFINITY;
}

static double distance(const lab_run *run)
{
  return fabs(log10(run->factor[0])) + fabs(log10(run->factor[1]));
}

/* Of those within 1% of the least score the one nearest to the defaults; of those the one of the least score. */
static size_t best_of(const lab_tuning *t, size_t n)
{
  double least = INFINITY;
  size_t best = 0;
  for (size_t i = 0; i < n; i++)
    least = fmin(least, t->run[i].score);
  for (size_t i = 0; i < n; i++) {
    const lab_run *a = &t->run[i], *b = &t->run[best];
    int near = a->score <= least + 0.01 * fabs(least), is_near = b->score <= least + 0.01 * fabs(least);
    if (near > is_near ||
        (near == is_near && (distance(a) < distance(b) || (distance(a) == distance(b) && a->score < b->score))))
      best = i;
  }
  return best;
}

/* ---- the runs ---- */

lab_cell *lab_tuning_half(lab_tuning *t, int half)
{
  static const double grid[LAB_GRID] = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3, 1e4, 1e5};
  size_t from = (size_t)half * LAB_GRID;
  for (size_t i = 0; i < from; i++)
    sum_up(t, i);
  double first = half ? t->run[best_of(t, from)].factor[0] : 1.0;
  for (size_t i = from; i < from + LAB_GRID; i++) {
    double factor = grid[i - from];
    t->run[i] = (lab_run){.factor = {half ? first : factor, half ? factor : 1.0}};
    for (size_t k = 0; k < t->seeds; k++)
      t->cell[i * t->seeds + k] = (lab_cell){.of = t->of,
                                             .factor = {t->run[i].factor[0], t->run[i].factor[1]},
                                             .rounds = t->rounds,
                                             .seed = t->first_seed + k};
  }
  return t->cell + from * t->seeds;
}

ofw_status lab_tuning_settle(lab_tuning *t, ofw_error *err)
{
  double x[LAB_TUNE_RUNS], y[LAB_TUNE_RUNS];
  unsigned char front[LAB_TUNE_RUNS];
  for (size_t i = 0; i < LAB_TUNE_RUNS; i++) {
    sum_up(t, i);
    x[i] = isnan(t->run[i].regret) ? t->run[i].loss : t->run[i].regret;
    y[i] = t->run[i].ccv;
  }
  if (ofw_pareto(LAB_TUNE_RUNS, x, y, front) != OFW_OK)
    return ofw_fail_memory(err, sizeof x);
  for (size_t i = 0; i < LAB_TUNE_RUNS; i++)
    t->run[i].front = front[i];
  t->best = best_of(t, LAB_TUNE_RUNS);
  return OFW_OK;
}

const char *lab_tuning_text(const lab_tuning *t, char out[LAB_CHOICE_TEXT])
{
  const ofw_promise *p = lab_promise(t->of->learner);
  const double *factor = t->run[t->best].factor;
  snprintf(out, LAB_CHOICE_TEXT, "%s %g, %s %g", p->tuned[0], factor[0], p->tuned[1], factor[1]);
  return out;
}
