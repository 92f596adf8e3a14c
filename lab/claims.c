/* claims.c — for each claim the two arms it compares, their plays by seed, and the paired test */
#include "lab/claims.h"

#include "base/basics.h"
#include "base/limits.h"
#include "lab/plays.h"

#include <math.h>
#include <stdlib.h>

const char *lab_verdict_name(lab_verdict v)
{
  static const char *const names[] = {"holds", "does not", "negligible", "not decided"};
  return names[v];
}

double lab_relative(double better, double than)
{
  double size = fmax(fabs(better), fabs(than));
  return better == 0.0 && than == 0.0 ? 0.0 : (better - than) / size;
}

/* With plays missing on one side the means may differ the other way than the pairs do: then nothing is decided. */
lab_verdict lab_verdict_of(double p, double difference, double relative)
{
  if (!(p < OFW_PAIRED_LEVEL))
    return LAB_NOT_DECIDED;
  if (fabs(relative) < LAB_WORTH_NAMING)
    return LAB_NEGLIGIBLE;
  return difference < 0.0 && relative < 0.0   ? LAB_HOLDS
         : difference > 0.0 && relative > 0.0 ? LAB_DOES_NOT
                                              : LAB_NOT_DECIDED;
}

/* ---- what was played ---- */

/* A play of each of n seeds; NaN: there is none. */
static void put_seeds(const lab_measured *s, const results_metric *metric, uint64_t first, size_t n, double *x)
{
  for (size_t i = 0; i < n; i++)
    x[i] = NAN;
  for (size_t i = s->cells; i-- > 0;) /* of two plays with one seed the first counts */
    if (results_is_shown(s->cell, s->cells, i) && s->cell[i].seed >= first && s->cell[i].seed - first < n)
      x[s->cell[i].seed - first] = results_metric_of(&s->cell[i], metric);
}

static void moments(size_t n, const double *x, double *mean, double *deviation)
{
  double count = 0.0, sum = 0.0, square = 0.0;
  for (size_t i = 0; i < n; i++)
    if (!isnan(x[i])) {
      sum += x[i];
      count += 1.0;
    }
  *mean = count > 0.0 ? sum / count : NAN;
  for (size_t i = 0; i < n; i++)
    if (!isnan(x[i]))
      square += (x[i] - *mean) * (x[i] - *mean);
  *deviation = count > 1.0 ? sqrt(square / (count - 1.0)) : NAN;
}

/* ---- judgement ---- */

ofw_status lab_claims_correct(lab_judgement *const *of, size_t n, ofw_error *err)
{
  size_t tests = 0;
  double *p = ofw_doubles(n);
  for (size_t i = 0; i < n && p; i++)
    if (!of[i]->unclear)
      p[tests++] = of[i]->paired.p;
  ofw_status st = p && ofw_holm(tests, p) == OFW_OK ? OFW_OK : ofw_fail_memory(err, n * sizeof *p);
  for (size_t i = 0, k = 0; i < n && st == OFW_OK; i++) {
    of[i]->p_holm = of[i]->unclear ? 1.0 : p[k++];
    of[i]->verdict = lab_verdict_of(of[i]->p_holm, of[i]->paired.mean, of[i]->relative);
  }
  free(p);
  return st;
}

lab_power lab_claims_power(const lab_judgement *judged, size_t n)
{
  lab_power of = {0};
  double least = 1.0;
  for (size_t i = 0; i < n; i++) {
    of.tests += !judged[i].unclear;
    of.games = judged[i].paired.n > of.games ? judged[i].paired.n : of.games;
    least = fmin(least, ofw_paired_least(judged[i].paired.n));
  }
  of.too_few = of.tests > 0 && (double)of.tests * least >= OFW_PAIRED_LEVEL;
  of.needed = of.too_few ? ofw_paired_games(of.tests) : 0;
  return of;
}

static ofw_status judge_sides(const lab_experiment *e, const lab_measured *const pair[2], lab_judgement *j,
                              ofw_error *err)
{
  size_t n = (size_t)e->seeds;
  const results_metric *metric = results_metric_find(j->metric);
  double *x = ofw_doubles(2 * n);
  if (!x)
    return ofw_fail_memory(err, 2 * n * sizeof *x);
  for (int k = 0; k < 2; k++) {
    put_seeds(pair[k], metric, e->seed, n, x + (size_t)k * n);
    moments(n, x + (size_t)k * n, &j->mean[k], &j->deviation[k]);
  }
  ofw_status st = ofw_paired_of(n, x, x + n, e->seed, &j->paired);
  free(x);
  j->relative = lab_relative(j->mean[0], j->mean[1]);
  return st == OFW_OK ? OFW_OK : ofw_fail_memory(err, n * sizeof *x);
}

static ofw_status judge_pair(const lab_experiment *e, const lab_rows *rows, lab_judgement *j, ofw_error *err)
{
  const lab_measured *const pair[] = {lab_rows_find(rows, j->claim->better, j->stream),
                                      lab_rows_find(rows, j->than, j->stream)};
  j->unclear = !pair[0] ? j->claim->better : !pair[1] ? j->than : NULL;
  return j->unclear ? OFW_OK : judge_sides(e, pair, j, err);
}

/* A claim's judgements of one pair on one stream, not decided yet; how many there are, and if there is room, which. */
static size_t list_metrics(const lab_claim *c, const char *than, const char *stream, lab_judgement *out)
{
  for (size_t m = 0; out && m < c->metric.n; m++)
    out[m] = (lab_judgement){.claim = c,
                             .stream = stream,
                             .metric = c->metric.item[m],
                             .than = than,
                             .mean = {NAN, NAN},
                             .deviation = {NAN, NAN},
                             .paired = {.mean = NAN, .deviation = NAN, .effect = NAN, .p = 1.0},
                             .p_holm = 1.0,
                             .relative = NAN,
                             .verdict = LAB_NOT_DECIDED};
  return c->metric.n;
}

static size_t list_judgements(const lab_experiment *e, lab_judgement *out)
{
  size_t n = 0;
  for (const lab_claim *c = e->claim; c < e->claim + e->claims; c++)
    for (size_t s = 0; s < e->sources; s++)
      for (size_t k = 0; k < c->than.n; k++)
        if (lab_claim_is_on(e, c, c->than.item[k], e->source[s].label))
          n += list_metrics(c, c->than.item[k], e->source[s].label, out ? out + n : NULL);
  return n;
}

static ofw_status judge_all(const lab_experiment *e, results *from, lab_judgement *judged, size_t n, ofw_error *err)
{
  lab_rows rows;
  lab_judgement **all = ofw_array(n, sizeof *all);
  ofw_status st = lab_rows_read(from, &rows, err);
  if (!all && st == OFW_OK)
    st = ofw_fail_memory(err, n * sizeof *all);
  for (size_t i = 0; i < n && st == OFW_OK; i++) {
    all[i] = &judged[i];
    st = judge_pair(e, &rows, &judged[i], err);
  }
  lab_rows_free(&rows);
  if (st == OFW_OK)
    st = lab_claims_correct(all, n, err);
  free(all);
  return st;
}

ofw_status lab_claims_judge(const lab_experiment *e, results *from, lab_judgement **out, size_t *n, ofw_error *err)
{
  int is_small = lab_claims_named(e, e->claim + e->claims) <= OFW_MOST_JUDGED;
  size_t all = is_small ? list_judgements(e, NULL) : 0;
  *n = 0;
  *out = NULL;
  if (!is_small || (double)all * (double)e->seeds > OFW_MOST_JUDGED)
    return ofw_fail(err, OFW_BAD_DATA, "%.300s: the claims compare too many plays; the limit is %d", e->name,
                    OFW_MOST_JUDGED);
  *out = calloc(all + 1, sizeof **out);
  if (!*out)
    return ofw_fail_memory(err, (all + 1) * sizeof **out);
  list_judgements(e, *out);
  ofw_status st = judge_all(e, from, *out, all, err);
  if (st == OFW_OK)
    *n = all;
  else {
    free(*out);
    *out = NULL;
  }
  return st;
}
