/* curve.c — means and deviations by round over an arm's plays, one play in memory at a time */
#include "lab/curve.h"

#include "base/basics.h"

#include <math.h>
#include <stdlib.h>

const char *const results_curve_names[CURVE_COLUMNS] = {"loss", "regret", "ccv", "oracle_calls", "passes", "seconds"};

/* While plays are added, a deviation is Welford's sum of squared differences from the running mean. */
static void add_point(results_moment *m, const ofw_trace_row *p)
{
  const double x[CURVE_COLUMNS] = {
      p->loss_sum, p->loss_sum - p->comparator_loss_sum, p->ccv, (double)p->oracle_calls, (double)p->passes,
      p->seconds};
  m->plays++;
  for (int k = 0; k < CURVE_COLUMNS; k++) {
    double off = x[k] - m->mean[k];
    m->mean[k] += off / (double)m->plays;
    m->deviation[k] += off * (x[k] - m->mean[k]);
  }
}

/* The first play says which rounds there may be. */
static ofw_status begin(results_curve *c, const ofw_trace_row *point, size_t n, ofw_error *err)
{
  c->moment = calloc(n + 1, sizeof *c->moment);
  if (!c->moment)
    return ofw_fail_memory(err, (n + 1) * sizeof *c->moment);
  for (c->moments = 0; c->moments < n; c->moments++)
    c->moment[c->moments].round = point[c->moments].round;
  return OFW_OK;
}

/* One more play, whose rounds increase as the curve's do. */
static ofw_status add_play(results_curve *c, const ofw_trace_row *point, size_t n, ofw_error *err)
{
  if (c->plays++ == 0)
    OFW_TRY(begin(c, point, n, err));
  for (size_t i = 0, k = 0; i < n; i++) {
    while (k < c->moments && c->moment[k].round < point[i].round)
      k++;
    if (k < c->moments && c->moment[k].round == point[i].round)
      add_point(&c->moment[k], &point[i]);
  }
  return OFW_OK;
}

/* Rounds that a play did not record go; sums of squares become deviations. */
static void finish(results_curve *c)
{
  size_t kept = 0;
  for (size_t i = 0; i < c->moments; i++) {
    if (c->moment[i].plays != c->plays)
      continue;
    results_moment *m = &c->moment[kept++];
    *m = c->moment[i];
    for (int k = 0; k < CURVE_COLUMNS; k++)
      m->deviation[k] = c->plays > 1 ? sqrt(m->deviation[k] / (double)(c->plays - 1)) : NAN;
  }
  c->moments = kept;
}

ofw_status results_curve_read(results *from, const results_cell *cell, size_t n, results_curve *out, ofw_error *err)
{
  ofw_status st = OFW_OK;
  *out = (results_curve){0};
  for (size_t i = 0; i < n && st == OFW_OK; i++) {
    ofw_trace_row *point = NULL;
    size_t points = 0;
    if (!results_is_shown(cell, n, i))
      continue;
    st = results_series(from, cell[i].cell, &point, &points, err);
    if (st == OFW_OK)
      st = add_play(out, point, points, err);
    free(point);
  }
  if (st == OFW_OK)
    finish(out);
  return st;
}

void results_curve_free(results_curve *c)
{
  free(c->moment);
  *c = (results_curve){0};
}
