/* plot_front.c — every tuning run as loss against violation, the front of each learner, and its reported mean */
#include "plot.h"

#include "figure_file.h"

#include "lab/arm_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_runs(figure *f, const lab_tuning *t, figure_style style)
{
  style.line = FIGURE_NO_LINE;
  style.mark = 4.0;
  style.hollow = 1;
  figure_add_series(f, NULL, style);
  for (const lab_run *run = t->run; run < t->run + t->runs; run++)
    if (!run->error)
      figure_add_point(f, figure_point_at(run->loss, run->ccv));
}

static int by_loss(const void *a, const void *b)
{
  const figure_point *left = a, *right = b;
  return (left->x > right->x) - (left->x < right->x);
}

/* A staircase: between two runs of the front there is nothing better than the corner. 0, or -1 if there is no memory. */
static int add_front(figure *f, const lab_tuning *t, figure_style style)
{
  figure_point *point = ofw_array(t->runs, sizeof *point);
  size_t n = 0;
  if (!point)
    return -1;
  for (const lab_run *run = t->run; run < t->run + t->runs; run++)
    if (run->front)
      point[n++] = figure_point_at(run->loss, run->ccv);
  qsort(point, n, sizeof *point, by_loss);
  style.line = FIGURE_STEPS;
  style.width = 1.5;
  figure_add_series(f, NULL, style);
  for (size_t i = 0; i < n; i++)
    figure_add_point(f, point[i]);
  free(point);
  return 0;
}

/* With one standard deviation to each side; that of a violation ends at 0. */
static void add_mean(figure *f, const results_moment *m, const char *name, figure_style style)
{
  figure_point p = figure_point_at(m->mean[CURVE_LOSS], m->mean[CURVE_CCV]);
  p.left = p.x - m->deviation[CURVE_LOSS];
  p.right = p.x + m->deviation[CURVE_LOSS];
  p.low = fmax(p.y - m->deviation[CURVE_CCV], fmin(p.y, 0.0));
  p.high = p.y + m->deviation[CURVE_CCV];
  if (isnan(m->deviation[CURVE_CCV])) /* fmax passes over NaN */
    p.low = p.high = NAN;
  style.line = FIGURE_NO_LINE;
  style.mark = 9.0;
  style.shape = FIGURE_DIAMOND;
  style.bars = 1;
  figure_add_series(f, name, style);
  figure_add_point(f, p);
}

static int add_arm(figure *f, const plot_data *d, size_t i)
{
  const lab_tuning *t = &d->rows.row[i].tuning;
  const results_curve *c = &d->curve[i];
  const figure_style style = figure_look(d->colour[i]);
  char *name = lab_arm_name(d->arm, d->arms, i);
  int failed = !name ? -1 : 0;
  if (!failed && t->runs > 0) {
    add_runs(f, t, style);
    failed = add_front(f, t, style);
  }
  if (!failed && c->moments > 0)
    add_mean(f, &c->moment[c->moments - 1], name, style);
  free(name);
  return failed;
}

int plot_draw_front(const command *self, const plot_data *d, const char *path)
{
  const figure_axis x = {"cumulative loss", 0, 0}, y = {"cumulative constraint violation", 0, 1};
  figure f;
  figure_begin(&f, "violation against loss: tuning runs, fronts and reported means", 2, 560, 400);
  for (size_t i = 0; i < d->arms; i++) {
    if (plot_has_stream(&f, d->arm[i].stream))
      continue;
    figure_add_panel(&f, d->arm[i].stream, x, y, "no play is finished");
    for (size_t k = i; k < d->arms; k++)
      if (strcmp(d->arm[k].stream, d->arm[i].stream) == 0)
        f.failed |= add_arm(&f, d, k);
  }
  figure_add_key(&f, "tuning run", (figure_style){.ink = INK_MUTED, .mark = 4.0, .hollow = 1});
  figure_add_key(&f, "runs that none of the learner's others beats in both",
                 (figure_style){.ink = INK_MUTED, .line = FIGURE_STRAIGHT, .width = 1.5});
  figure_add_key(&f, "reported mean, one standard deviation to each side",
                 (figure_style){.ink = INK_MUTED, .mark = 9.0, .shape = FIGURE_DIAMOND});
  if (f.panels > 0 || f.failed)
    return figure_file_write(self, &f, path);
  figure_free(&f);
  return complain(self, EXIT_BAD_DATA, "%s: nothing to draw: no play is finished", path);
}
