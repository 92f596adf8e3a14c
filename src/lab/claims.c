#include "lab/claims.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *lab_verdict_name(lab_verdict v)
{
  static const char *const names[] = {"holds", "does not", "not decided"};
  return names[v];
}

/* ---- what was played ---- */

typedef struct played {
  results_arm *arm;
  size_t arms;
} played;

/* One learner's plays on one stream. */
typedef struct side {
  results_cell *cell;
  size_t cells;
} side;

/* The arm of this label; OFW_BAD_DATA where it is not the only one. */
static ofw_status find_arm(const played *p, const lab_claim *c, const char *label, const char *stream, int64_t *out,
                           ofw_error *err)
{
  size_t found = 0;
  for (size_t i = 0; i < p->arms; i++)
    if (strcmp(p->arm[i].label, label) == 0 && strcmp(p->arm[i].stream, stream) == 0) {
      *out = p->arm[i].arm;
      found++;
    }
  if (found == 1)
    return OFW_OK;
  return ofw_fail(err, OFW_BAD_DATA, "claim %s: %s is on the stream %s %s", c->label, label, stream,
                  found ? "with several options: name them apart" : "not at all");
}

static ofw_status open_side(results *from, const played *p, const lab_claim *c, const char *label, const char *stream,
                            side *out, ofw_error *err)
{
  int64_t arm = 0;
  *out = (side){0};
  OFW_TRY(find_arm(p, c, label, stream, &arm, err));
  return results_cells(from, arm, &out->cell, &out->cells, err);
}

static int counts(const results_cell *c)
{
  return !c->tune && !c->error;
}

/* NaN: there is no such play. */
static double of_seed(const side *s, const results_metric *metric, uint64_t seed)
{
  for (size_t i = 0; i < s->cells; i++)
    if (counts(&s->cell[i]) && s->cell[i].seed == seed)
      return results_metric_of(&s->cell[i], metric);
  return NAN;
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

static lab_verdict verdict_of(const ofw_paired *p)
{
  if (p->n < 2 || p->p >= OFW_PAIRED_LEVEL)
    return LAB_NOT_DECIDED;
  return p->mean < 0.0 ? LAB_HOLDS : LAB_DOES_NOT;
}

static ofw_status judge_sides(const lab_experiment *e, const side pair[2], lab_judgement *j, ofw_error *err)
{
  size_t n = (size_t)e->seeds;
  const results_metric *metric = results_metric_find(j->metric);
  double *x = ofw_doubles(2 * n);
  if (!x)
    return ofw_fail_memory(err, 2 * n * sizeof *x);
  for (size_t i = 0; i < 2 * n; i++)
    x[i] = of_seed(&pair[i / n], metric, e->seed + i % n);
  for (int k = 0; k < 2; k++)
    moments(n, x + (size_t)k * n, &j->mean[k], &j->deviation[k]);
  ofw_status st = ofw_paired_of(n, x, x + n, e->seed, &j->paired);
  free(x);
  j->verdict = verdict_of(&j->paired);
  return st == OFW_OK ? OFW_OK : ofw_fail_memory(err, n * sizeof *x);
}

static ofw_status judge_pair(const lab_experiment *e, results *from, const played *p, lab_judgement *j, ofw_error *err)
{
  side pair[2] = {{0}};
  ofw_status st = open_side(from, p, j->claim, j->claim->better, j->stream, &pair[0], err);
  if (st == OFW_OK)
    st = open_side(from, p, j->claim, j->than, j->stream, &pair[1], err);
  if (st == OFW_OK)
    st = judge_sides(e, pair, j, err);
  for (int k = 0; k < 2; k++)
    results_cells_free(pair[k].cell, pair[k].cells);
  return st;
}

/* 1: the learner of this label is on the stream. */
static int plays(const lab_experiment *e, const char *label, const char *stream)
{
  for (size_t i = 0; i < e->players; i++)
    if (strcmp(e->player[i].label, label) == 0)
      return lab_list_admits(&e->player[i].streams, stream);
  return 0;
}

/* How many there are, and where there is room, which. */
static size_t list_judgements(const lab_experiment *e, lab_judgement *out)
{
  size_t n = 0;
  for (size_t c = 0; c < e->claims; c++)
    for (size_t s = 0; s < e->sources; s++)
      for (size_t k = 0; k < e->claim[c].than.n; k++)
        for (size_t m = 0; m < e->claim[c].metric.n; m++) {
          const lab_claim *claim = &e->claim[c];
          const char *stream = e->source[s].label;
          if (!lab_list_admits(&claim->streams, stream) || !plays(e, claim->better, stream) ||
              !plays(e, claim->than.item[k], stream))
            continue;
          if (out)
            out[n] = (lab_judgement){
                .claim = claim, .stream = stream, .metric = claim->metric.item[m], .than = claim->than.item[k]};
          n++;
        }
  return n;
}

ofw_status lab_claims_judge(const lab_experiment *e, results *from, lab_judgement **out, size_t *n, ofw_error *err)
{
  played p = {0};
  *n = list_judgements(e, NULL);
  *out = calloc(*n + 1, sizeof **out);
  if (!*out)
    return ofw_fail_memory(err, (*n + 1) * sizeof **out);
  list_judgements(e, *out);
  ofw_status st = results_arms(from, &p.arm, &p.arms, err);
  for (size_t i = 0; i < *n && st == OFW_OK; i++)
    st = judge_pair(e, from, &p, &(*out)[i], err);
  results_arms_free(p.arm, p.arms);
  if (st != OFW_OK) {
    free(*out);
    *out = NULL;
  }
  return st;
}
