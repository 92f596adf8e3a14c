/* choices.c — from the cells of tuning runs: chosen by each rule and by each seed alone, then compared as claims ask */
#include "lab/choices.h"

#include "base/basics.h"
#include "base/limits.h"
#include "lab/pareto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = sizeof((lab_tuning *)0)->run / sizeof(lab_run) };

const char *lab_rule_name(lab_rule rule)
{
  static const char *const words[] = {"by-loss", "by-score", "by-front"};
  return words[rule];
}

const char *lab_direction_name(lab_direction d)
{
  static const char *const words[] = {"less", "more", "about the same", "not known"};
  return words[d];
}

/* ---- plays and their results ---- */

/* The plays that stand for an arm. */
typedef struct sample {
  const results_cell *cell;
  size_t n;
} sample;

static sample run_plays(const lab_measured *m, const lab_run *run)
{
  const lab_tuning *t = &m->tuning;
  return run ? (sample){m->cell + (size_t)(run - t->run) * t->seeds, t->seeds} : (sample){0};
}

/* Of an untuned arm those at its first horizon, which is the one that others are tuned at. */
static sample plays_of(const lab_measured *m, const lab_run *run)
{
  return m->arm->tuned ? run_plays(m, run) : (sample){m->plays.cell, m->plays.seeds};
}

static double value_of(const results_cell *c, const results_metric *metric)
{
  return c->error ? NAN : results_metric_of(c, metric);
}

/* A range is widened from `nothing` on; one number that is not known makes all three unknown. */
static const lab_range nothing = {INFINITY, 0.0, -INFINITY}, unknown = {NAN, NAN, NAN};

static void widen(lab_range *r, double x, size_t n)
{
  r->least = fmin(r->least, x);
  r->mean += x / (double)n;
  r->largest = fmax(r->largest, x);
}

static lab_range settled(lab_range r, size_t n)
{
  return n == 0 || isnan(r.mean) ? unknown : r;
}

static lab_range range_of(sample s, const char *metric)
{
  lab_range r = nothing;
  for (size_t k = 0; k < s.n; k++)
    widen(&r, value_of(&s.cell[k], results_metric_find(metric)), s.n);
  return settled(r, s.n);
}

static lab_pick pick_of(const lab_measured *m, const lab_run *run)
{
  sample s = plays_of(m, run);
  return (lab_pick){run, range_of(s, "loss"), range_of(s, "ccv")};
}

/* Mean loss and CCV as shares of G D T. 0: they are not known. */
static int share_of(sample s, double *loss, double *ccv)
{
  *loss = *ccv = s.n ? 0.0 : NAN;
  for (size_t k = 0; k < s.n; k++) {
    const results_cell *c = &s.cell[k];
    double unit = c->error ? NAN : c->G * c->D * (double)c->rounds * (double)s.n;
    *loss += c->loss / unit;
    *ccv += c->ccv / unit;
  }
  return isfinite(*loss) && isfinite(*ccv);
}

/* ---- runs chosen ---- */

/* Of a tuning that is done; 0: there is none. */
static size_t whole_runs(const lab_measured *m)
{
  return m->arm->tuned ? m->tuning.runs : 0;
}

/* The run of the least cost; one whose cost is not finite, because it failed, is no choice. */
static const lab_run *least_run(const lab_measured *m, const double *cost)
{
  const lab_tuning *t = &m->tuning;
  lab_tuning priced = *t;
  if (whole_runs(m) == 0)
    return NULL;
  for (size_t i = 0; i < t->runs; i++)
    priced.run[i].score = isfinite(cost[i]) ? cost[i] : INFINITY;
  size_t best = lab_tuning_best(&priced);
  return isinf(priced.run[best].score) ? NULL : &t->run[best];
}

static void pick_by_loss_and_score(lab_chosen *a)
{
  const lab_tuning *t = &a->of->tuning;
  double loss[MOST_RUNS], score[MOST_RUNS];
  for (size_t i = 0; i < t->runs; i++) {
    loss[i] = t->run[i].loss;
    score[i] = t->run[i].score;
  }
  a->by[LAB_BY_LOSS] = pick_of(a->of, least_run(a->of, loss));
  a->by[LAB_BY_SCORE] = pick_of(a->of, least_run(a->of, score));
}

/* The tuning with one seed is a tuning: that of every `seeds`-th cell. */
static ofw_status pick_by_seed(const lab_measured *m, size_t k, lab_pick *out, ofw_error *err)
{
  const lab_tuning *t = &m->tuning;
  results_cell cell[MOST_RUNS];
  lab_tuning alone;
  for (size_t i = 0; i < t->runs; i++) {
    cell[i] = m->cell[i * t->seeds + k];
    memcpy(cell[i].factor, t->run[i].factor, sizeof cell->factor); /* which a damaged file may have otherwise */
  }
  OFW_TRY(lab_tuning_read(cell, t->runs, &alone, err));
  *out = pick_of(m, isfinite(alone.run[alone.best].score) ? &t->run[alone.best] : NULL);
  return OFW_OK;
}

static ofw_status pick_by_seeds(lab_chosen *a, ofw_error *err)
{
  lab_range loss = nothing, ccv = nothing;
  for (size_t k = 0; k < a->seeds; k++) {
    OFW_TRY(pick_by_seed(a->of, k, &a->seed[k], err));
    widen(&loss, a->seed[k].loss.mean, a->seeds);
    widen(&ccv, a->seed[k].ccv.mean, a->seeds);
  }
  a->spread = (lab_pick){NULL, settled(loss, a->seeds), settled(ccv, a->seeds)};
  return OFW_OK;
}

/* ---- by front ---- */

/* The least of all runs on a stream, and the most of those that count for the reference point; [0] loss, [1] CCV. */
typedef struct box {
  double least[2], most[2];
} box;

/* How many points an arm has in the plane, and the plays of each. */
static size_t points_of(const lab_measured *m)
{
  return m->arm->tuned ? m->tuning.runs : 1;
}

static void enclose(const lab_chosen *a, box *b)
{
  double x[2];
  for (size_t i = 0; i < points_of(a->of); i++)
    if (share_of(plays_of(a->of, &a->of->tuning.run[i]), &x[0], &x[1]))
      for (int k = 0; k < 2; k++)
        b->least[k] = fmin(b->least[k], x[k]);
  for (int rule = LAB_BY_LOSS; rule <= LAB_BY_SCORE; rule++)
    if (share_of(plays_of(a->of, a->by[rule].run), &x[0], &x[1]))
      for (int k = 0; k < 2; k++)
        b->most[k] = fmax(b->most[k], x[k]);
}

static ofw_status pick_by_front(lab_chosen *a, const double ref[2], ofw_error *err)
{
  const lab_measured *m = a->of;
  double loss[MOST_RUNS] = {0}, ccv[MOST_RUNS] = {0}, cost[MOST_RUNS];
  size_t n = points_of(m);
  int known = 0;
  for (size_t i = 0; i < n; i++) {
    int is_known = share_of(plays_of(m, &m->tuning.run[i]), &loss[i], &ccv[i]);
    if (ofw_hypervolume(1, &loss[i], &ccv[i], ref, &cost[i]) != OFW_OK)
      return ofw_fail_memory(err, sizeof loss);
    cost[i] = is_known ? -cost[i] : INFINITY;
    known |= is_known;
  }
  if (ofw_hypervolume(n, loss, ccv, ref, &a->hypervolume) != OFW_OK)
    return ofw_fail_memory(err, sizeof loss);
  if (!known)
    a->hypervolume = NAN;
  a->by[LAB_BY_FRONT] = pick_of(m, least_run(m, cost));
  return OFW_OK;
}

/* The arms of a stream follow each other (lab/plan.h). */
static ofw_status pick_by_fronts(lab_chosen *arm, size_t n, ofw_error *err)
{
  for (size_t first = 0, end; first < n; first = end) {
    box b = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    double ref[2];
    for (end = first; end < n && strcmp(arm[end].of->arm->stream, arm[first].of->arm->stream) == 0; end++)
      enclose(&arm[end], &b);
    for (int k = 0; k < 2; k++)
      ref[k] = b.most[k] + LAB_CHOICE_MARGIN * (b.most[k] - b.least[k]);
    for (size_t i = first; i < end; i++)
      OFW_TRY(pick_by_front(&arm[i], ref, err));
  }
  return OFW_OK;
}

/* ---- claims ---- */

static void direct(lab_compared *c)
{
  c->relative = lab_relative(c->mean[0], c->mean[1]);
  c->direction = isnan(c->relative)                     ? LAB_NOT_KNOWN
                 : fabs(c->relative) < LAB_WORTH_NAMING ? LAB_ABOUT_THE_SAME
                 : c->relative < 0.0                    ? LAB_LESS
                                                        : LAB_MORE;
}

static int names(const lab_claim *c, const char *metric)
{
  return c->metric.n > 0 && lab_list_admits(&c->metric, metric);
}

/* The same games, and so many that p can be small. */
static int can_be_tested(const sample s[2])
{
  if (s[0].n != s[1].n || ofw_paired_least(s[0].n) >= OFW_PAIRED_LEVEL)
    return 0;
  for (size_t k = 0; k < s[0].n; k++)
    if (s[0].cell[k].seed != s[1].cell[k].seed || s[0].cell[k].rounds != s[1].cell[k].rounds)
      return 0;
  return 1;
}

static ofw_status test_pairs(const sample s[2], const results_metric *metric, lab_compared *c, ofw_error *err)
{
  size_t n = s[0].n;
  ofw_paired paired;
  double *x = ofw_doubles(2 * n);
  if (!x)
    return ofw_fail_memory(err, 2 * n * sizeof *x);
  for (size_t k = 0; k < 2 * n; k++)
    x[k] = value_of(&s[k / n].cell[k % n], metric);
  ofw_status st = ofw_paired_of(n, x, x + n, s[0].cell->seed, &paired);
  free(x);
  if (st != OFW_OK)
    return ofw_fail_memory(err, n * sizeof *x);
  c->effect = paired.effect;
  c->p = paired.p;
  return OFW_OK;
}

static ofw_status compare_plays(const lab_chosen *const side[2], lab_compared *c, ofw_error *err)
{
  sample s[2] = {{0}, {0}};
  for (int k = 0; k < 2; k++) {
    s[k] = plays_of(side[k]->of, side[k]->by[c->rule].run);
    c->mean[k] = range_of(s[k], c->metric).mean;
  }
  direct(c);
  c->agrees = c->direction == LAB_LESS ? 1 : c->direction == LAB_MORE ? 0 : -1;
  int tested = c->direction != LAB_NOT_KNOWN && can_be_tested(s);
  return tested ? test_pairs(s, results_metric_find(c->metric), c, err) : OFW_OK;
}

static void compare_fronts(const lab_chosen *const side[2], lab_compared *c)
{
  const lab_claim *claim = c->of->claim;
  for (int k = 0; k < 2; k++)
    c->mean[k] = side[k]->hypervolume;
  direct(c);
  int told = names(claim, "loss") && names(claim, "ccv");
  c->agrees = told && c->direction == LAB_MORE ? 1 : told && c->direction == LAB_LESS ? 0 : -1;
}

/* metric NULL: by hypervolume */
static ofw_status compare(lab_choices *all, lab_rule rule, const lab_judgement *g, const char *metric, ofw_error *err)
{
  lab_compared *c = &all->compared[all->n++];
  const char *const label[2] = {g->claim->better, g->than};
  const lab_chosen *side[2];
  *c = (lab_compared){rule, g, metric ? metric : "hypervolume", {NAN, NAN}, NAN, LAB_NOT_KNOWN, -1, NAN, NAN};
  for (int k = 0; k < 2; k++) {
    const lab_measured *m = lab_rows_find(&all->rows, label[k], g->stream);
    if (!m)
      return OFW_OK;
    side[k] = &all->arm[m - all->rows.row];
  }
  if (metric)
    return compare_plays(side, c, err);
  compare_fronts(side, c);
  return OFW_OK;
}

static int same_pair(const lab_judgement *a, const lab_judgement *b)
{
  return a->claim == b->claim && a->stream == b->stream && a->than == b->than;
}

static ofw_status compare_all(lab_choices *c, const lab_judgement *judged, size_t n, ofw_error *err)
{
  for (int rule = 0; rule < LAB_RULES; rule++)
    for (size_t i = 0; i < n; i++) {
      const lab_judgement *g = &judged[i];
      int is_last = i + 1 == n || !same_pair(g, g + 1);
      OFW_TRY(compare(c, (lab_rule)rule, g, g->metric, err));
      if (rule == LAB_BY_FRONT && is_last)
        OFW_TRY(compare(c, LAB_BY_FRONT, g, NULL, err));
    }
  return OFW_OK;
}

/* ---- all of it ---- */

static ofw_status make_room(lab_choices *c, size_t comparisons, ofw_error *err)
{
  size_t seeds = 0, most = 0;
  for (size_t i = 0; i < c->rows.n; i++) {
    const lab_measured *m = &c->rows.row[i];
    size_t n = m->arm->tuned ? m->tuning.seeds : m->plays.seeds;
    seeds += whole_runs(m) ? m->tuning.seeds : 0;
    most = n > most ? n : most;
  }
  if ((double)comparisons * (double)most > OFW_MOST_JUDGED)
    return ofw_fail(err, OFW_BAD_DATA, "the claims compare too many tuning plays; the limit is %d", OFW_MOST_JUDGED);
  c->arm = calloc(c->rows.n + 1, sizeof *c->arm);
  c->picks = calloc(seeds + 1, sizeof *c->picks);
  c->compared = calloc((LAB_RULES + 1) * comparisons + 1, sizeof *c->compared);
  return c->arm && c->picks && c->compared ? OFW_OK : ofw_fail_memory(err, c->rows.n * sizeof *c->arm);
}

ofw_status lab_choices_read(results *from, const lab_judgement *judged, size_t n, lab_choices *out, ofw_error *err)
{
  *out = (lab_choices){0};
  OFW_TRY(lab_rows_read(from, &out->rows, err));
  OFW_TRY(make_room(out, n, err));
  lab_pick *seed = out->picks;
  for (size_t i = 0; i < out->rows.n; i++) {
    lab_chosen *a = &out->arm[i];
    const lab_measured *m = &out->rows.row[i];
    *a = (lab_chosen){.of = m, .seed = seed, .seeds = whole_runs(m) ? m->tuning.seeds : 0};
    seed += a->seeds;
    pick_by_loss_and_score(a);
    OFW_TRY(pick_by_seeds(a, err));
  }
  OFW_TRY(pick_by_fronts(out->arm, out->rows.n, err));
  return compare_all(out, judged, n, err);
}

void lab_choices_free(lab_choices *c)
{
  free(c->compared);
  free(c->picks);
  free(c->arm);
  lab_rows_free(&c->rows);
}
