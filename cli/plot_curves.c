/* plot_curves.c — loss, regret or violation against rounds, calls or seconds: means as lines, standard deviations as bands
 *
 * A learner is told apart by its colour, by its dashes and by its name at the end of its line, so the figure can be read in
 * greys too.
 */
#include "plot.h"

#include "figure_file.h"

#include "base/basics.h"
#include "lab/arm_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int plot_shows(const plot_view *v, const plot_data *d, size_t i)
{
  return d->curve[i].moments > 0 && (!v->stream || strcmp(v->stream, d->arm[i].stream) == 0) &&
         (!v->figure || !d->figure[i] || strcmp(v->figure, d->figure[i]) == 0);
}

static const char *axis_name(int column)
{
  static const char *const names[] = {
      "cumulative loss", "regret", "cumulative violation, CCV", "oracle calls", "passes of oracles",
      "seconds",         "round"};
  return names[column];
}

static double place_of(const plot_view *v, const results_moment *m)
{
  return v->across == CURVE_COLUMNS ? (double)m->round : m->mean[v->across];
}

/* The mean and its band. A violation cannot be below 0, so neither is its band. */
static figure_point point_of(const plot_view *v, const results_moment *m, int metric)
{
  double mean = m->mean[metric], off = isnan(m->deviation[metric]) ? 0.0 : m->deviation[metric];
  figure_point p = figure_point_at(place_of(v, m), mean);
  p.low = metric == CURVE_CCV ? fmax(mean - off, fmin(mean, 0.0)) : mean - off;
  p.high = mean + off;
  if (v->log && mean > 0.0) /* the axis need not reach to where the band would end */
    p.low = fmax(p.low, 1e-2 * mean);
  return p;
}

/* 0, or -1 if there is no memory. */
static int add_curve(figure *f, const plot_data *d, const plot_view *v, size_t i, int metric)
{
  const results_curve *c = &d->curve[i];
  char *name = lab_arm_name(d->arm, d->arms, i);
  if (!name)
    return -1;
  figure_add_series(f, name, figure_look(d->colour[i]));
  for (size_t k = 0; k < c->moments; k++)
    figure_add_point(f, point_of(v, &c->moment[k], metric));
  free(name);
  return 0;
}

static int add_panel(figure *f, const plot_data *d, const plot_view *v, const char *stream, int metric)
{
  const figure_axis x = {axis_name(v->across), v->log, 1}, y = {axis_name(metric), v->log, 1};
  int failed = 0;
  figure_add_panel(f, stream, x, y, v->log ? "nothing above 0" : "not known on this stream");
  for (size_t i = 0; i < d->arms && !failed; i++)
    if (plot_shows(v, d, i) && strcmp(d->arm[i].stream, stream) == 0)
      failed = add_curve(f, d, v, i, metric);
  return failed;
}

/* "cumulative loss and regret against round" */
static char *title_of(const plot_view *v)
{
  ofw_text title = {0};
  for (size_t m = 0; m < v->metrics; m++)
    ofw_text_add(&title, "%s%s", m == 0 ? "" : m + 1 == v->metrics ? " and " : ", ", axis_name(v->metric[m]));
  ofw_text_add(&title, " against %s", axis_name(v->across));
  return title.chars;
}

int plot_draw(const command *self, const plot_data *d, const plot_view *view, const char *path)
{
  figure f;
  char *title = title_of(view);
  int failed = !title;
  figure_begin(&f, title, view->metrics, 480, 330);
  free(title);
  for (size_t i = 0; i < d->arms && !failed; i++)
    if (plot_shows(view, d, i) && !plot_has_stream(&f, d->arm[i].stream))
      for (size_t m = 0; m < view->metrics && !failed; m++)
        failed = add_panel(&f, d, view, d->arm[i].stream, view->metric[m]);
  f.failed |= failed;
  if (f.panels > 0 || f.failed)
    return figure_file_write(self, &f, path);
  figure_free(&f);
  return complain(self, EXIT_BAD_DATA, "%s: nothing to draw: no play is finished", path);
}

int plot_has_stream(const figure *f, const char *stream)
{
  for (size_t i = 0; i < f->panels; i++)
    if (f->panel[i].title && strcmp(f->panel[i].title, stream) == 0)
      return 1;
  return 0;
}
