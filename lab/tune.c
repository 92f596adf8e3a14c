/* tune.c — runs of a tuning laid out and judged, from cells alone: whoever plays them, and whenever, the choice is the same */
#include "lab/tune.h"

#include "base/basics.h"
#include "lab/pareto.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const ofw_promise *lab_promise(const ofw_registry *own, const char *learner)
{
  const ofw_method *method = ofw_registry_method(own, learner, strlen(learner), NULL).of;
  return method ? method->type.promise : NULL;
}

/* ---- the result of a run ---- */

/* Play.c keeps a refusal with the command's code for one. */
int lab_is_refused(const results_cell *cell)
{
  return cell->tune && cell->exit_code == 2;
}

size_t lab_tuning_refused(const lab_tuning *t)
{
  size_t n = 0;
  for (size_t i = 0; i < t->runs; i++)
    n += t->run[i].refused;
  return n;
}

static void sum_up(lab_tuning *t, const results_cell *all, size_t i)
{
  lab_run *run = &t->run[i];
  const results_cell *cell = all + i * t->seeds;
  double n = (double)t->seeds, regret = 0.0, loss = 0.0, ccv = 0.0;
  size_t refused = 0, failed = 0;
  run->regret = run->loss = run->ccv = 0.0;
  run->error = NULL;
  for (size_t k = 0; k < t->seeds; k++) {
    const results_cell *c = &cell[k];
    double unit = c->G * c->D * (double)c->rounds;
    if (!run->error)
      run->error = c->error;
    refused += (size_t)lab_is_refused(c);
    failed += c->error != NULL;
    run->regret += c->regret / n;
    run->loss += c->loss / n;
    run->ccv += c->ccv / n;
    regret += c->regret / unit / n;
    loss += c->loss / unit / n;
    ccv += c->ccv / unit / n;
  }
  run->score = (isnan(regret) ? loss : fmax(regret, 0.0)) + ccv;
  run->refused = failed > 0 && refused == failed;
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

size_t lab_tuning_best(const lab_tuning *t)
{
  return best_of(t, t->runs);
}

/* ---- the runs ---- */

static void lay_out(lab_tuning *t, double first, double second)
{
  t->run[t->laid++] = (lab_run){.factor = {first, second}};
}

static const double grid[LAB_GRID] = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3, 1e4, 1e5};

void lab_tuning_begin(lab_tuning *t, size_t seeds)
{
  *t = (lab_tuning){.seeds = seeds};
  for (size_t i = 0; i < LAB_GRID; i++)
    lay_out(t, grid[i], 1.0);
}

void lab_tuning_go_on(lab_tuning *t, const results_cell *cell)
{
  for (size_t i = 0; i < t->laid; i++)
    sum_up(t, cell, i);
  const double *best = t->run[best_of(t, t->laid)].factor, half = sqrt(10.0);
  if (t->laid == LAB_GRID)
    for (size_t i = 0; i < LAB_GRID; i++)
      lay_out(t, best[0], grid[i]);
  else
    for (int k = 0; k < 4; k++) {
      double step = k % 2 ? half : 1.0 / half;
      lay_out(t, k < 2 ? best[0] * step : best[0], k < 2 ? best[1] : best[1] * step);
    }
}

ofw_status lab_tuning_settle(lab_tuning *t, const results_cell *cell, ofw_error *err)
{
  double x[LAB_FINE_RUNS], y[LAB_FINE_RUNS];
  unsigned char front[LAB_FINE_RUNS];
  for (size_t i = 0; i < t->laid; i++) {
    sum_up(t, cell, i);
    x[i] = isnan(t->run[i].regret) ? t->run[i].loss : t->run[i].regret;
    y[i] = t->run[i].ccv;
  }
  if (ofw_pareto(t->laid, x, y, front) != OFW_OK)
    return ofw_fail_memory(err, sizeof x);
  for (size_t i = 0; i < t->laid; i++)
    t->run[i].front = front[i];
  t->best = best_of(t, t->laid);
  t->runs = t->laid;
  return OFW_OK;
}

ofw_status lab_tuning_read(const results_cell *cell, size_t n, lab_tuning *out, ofw_error *err)
{
  size_t cells = 0;
  *out = (lab_tuning){0};
  while (cells < n && cell[cells].tune)
    cells++;
  while (out->seeds < cells && memcmp(cell[out->seeds].factor, cell[0].factor, sizeof cell->factor) == 0)
    out->seeds++;
  if (cells == 0 || cells < LAB_TUNE_RUNS * out->seeds || cells > LAB_FINE_RUNS * out->seeds)
    return OFW_OK;
  size_t runs = cells == LAB_FINE_RUNS * out->seeds ? LAB_FINE_RUNS : LAB_TUNE_RUNS;
  for (size_t i = 0; i < runs; i++)
    lay_out(out, cell[i * out->seeds].factor[0], cell[i * out->seeds].factor[1]);
  return lab_tuning_settle(out, cell, err);
}

const char *lab_tuning_text(const lab_tuning *t, const results_arm *arm, char out[LAB_CHOICE_TEXT])
{
  const double *factor = t->run[t->best].factor;
  out[0] = 0;
  if (t->runs > 0)
    snprintf(out, LAB_CHOICE_TEXT, "%s %g, %s %g", arm->constant[0], factor[0], arm->constant[1], factor[1]);
  return out;
}
