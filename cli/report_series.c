/* report_series.c — an arm's curves: mean and standard deviation over its plays, at the rounds that all of them recorded */
#include "report.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>

enum { LOSS, REGRET, CCV, ORACLE_CALLS, PASSES, SECONDS, COLUMNS };
static const struct {
  const char *mean, *deviation;
} keys[COLUMNS] = {{"loss", "loss_sd"},     {"regret", "regret_sd"},
                   {"ccv", "ccv_sd"},       {"oracle_calls", "oracle_calls_sd"},
                   {"passes", "passes_sd"}, {"seconds", "seconds_sd"}};

/* A round of the first play: the running mean over plays, and Welford's sum of squared differences from it. */
typedef struct moment {
  uint64_t round;
  size_t plays;
  double mean[COLUMNS], square[COLUMNS];
} moment;

typedef struct curve {
  moment *moment;
  size_t moments, plays;
} curve;

static void add_point(moment *m, const results_point *p)
{
  const double x[COLUMNS] = {
      p->loss_sum, p->loss_sum - p->comparator_loss_sum, p->ccv, (double)p->oracle_calls, (double)p->passes,
      p->seconds};
  m->plays++;
  for (int k = 0; k < COLUMNS; k++) {
    double off = x[k] - m->mean[k];
    m->mean[k] += off / (double)m->plays;
    m->square[k] += off * (x[k] - m->mean[k]);
  }
}

/* One more play, whose rounds increase as the curve's do. */
static ofw_status add_play(curve *c, const results_point *point, size_t n, ofw_error *err)
{
  if (c->plays++ == 0) {
    c->moment = calloc(n ? n : 1, sizeof *c->moment);
    if (!c->moment)
      return ofw_fail_memory(err, n * sizeof *c->moment);
    for (c->moments = 0; c->moments < n; c->moments++)
      c->moment[c->moments].round = point[c->moments].round;
  }
  for (size_t i = 0, k = 0; i < n; i++) {
    while (k < c->moments && c->moment[k].round < point[i].round)
      k++;
    if (k < c->moments && c->moment[k].round == point[i].round)
      add_point(&c->moment[k], &point[i]);
  }
  return OFW_OK;
}

static void write_column(json *j, const char *key, const curve *c, int k, int deviation)
{
  json_open_list(j, key);
  for (size_t i = 0; i < c->moments; i++) {
    const moment *m = &c->moment[i];
    if (m->plays == c->plays)
      json_real(j, NULL, !deviation ? m->mean[k] : m->plays > 1 ? sqrt(m->square[k] / (double)(m->plays - 1)) : NAN);
  }
  json_close_list(j);
}

static void write_curve(json *j, const curve *c)
{
  json_open(j, "series");
  json_open_list(j, "round");
  for (size_t i = 0; i < c->moments; i++)
    if (c->moment[i].plays == c->plays)
      json_count(j, NULL, c->moment[i].round);
  json_close_list(j);
  for (int k = 0; k < COLUMNS; k++) {
    write_column(j, keys[k].mean, c, k, 0);
    write_column(j, keys[k].deviation, c, k, 1);
  }
  json_close(j);
}

ofw_status report_series(json *j, results *from, const results_cell *cell, size_t n, ofw_error *err)
{
  curve c = {0};
  ofw_status st = OFW_OK;
  for (size_t i = 0; i < n && st == OFW_OK; i++) {
    results_point *point = NULL;
    size_t points = 0;
    if (cell[i].tune || cell[i].error)
      continue;
    st = results_series(from, cell[i].cell, &point, &points, err);
    if (st == OFW_OK)
      st = add_play(&c, point, points, err);
    free(point);
  }
  if (st == OFW_OK)
    write_curve(j, &c);
  free(c.moment);
  return st;
}
