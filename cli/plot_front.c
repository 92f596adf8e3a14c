/* plot_front.c — every tuning run as loss against violation, the front of each learner, and what is reported of it */
#include "plot.h"

#include "gnuplot.h"

#include "base/basics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL_WIDTH = 620, PANEL_HEIGHT = 460, LEGEND = 60 };

/* An arm's runs and the last moment of its curve. */
typedef struct front {
  const results_arm *arm;
  const results_curve *curve;
  const lab_tuning *tuned;
  size_t colour;
} front;

static void put_runs(gnuplot *out, const front *f, size_t i)
{
  gnuplot_put(out, "$runs%zu << end\n", i);
  for (size_t k = 0; k < f->tuned->runs; k++)
    if (!f->tuned->run[k].error)
      gnuplot_put(out, "%g %g\n", f->tuned->run[k].loss, f->tuned->run[k].ccv);
  gnuplot_put(out, "end\n$front%zu << end\n", i);
  for (size_t k = 0; k < f->tuned->runs; k++)
    if (f->tuned->run[k].front)
      gnuplot_put(out, "%g %g\n", f->tuned->run[k].loss, f->tuned->run[k].ccv);
  gnuplot_put(out, "end\n$mean%zu << end\n", i);
  if (f->curve->moments > 0) {
    const results_moment *m = &f->curve->moment[f->curve->moments - 1];
    double off[2] = {m->deviation[CURVE_LOSS], m->deviation[CURVE_CCV]};
    gnuplot_put(out, "%g %g %g %g\n", m->mean[CURVE_LOSS], m->mean[CURVE_CCV], isnan(off[0]) ? 0.0 : off[0],
                isnan(off[1]) ? 0.0 : off[1]);
  }
  gnuplot_put(out, "end\n");
}

static void put_marks(gnuplot *out, const front *f, size_t i)
{
  unsigned colour = gnuplot_colours[f->colour % GNUPLOT_COLOURS];
  if (f->tuned->runs > 0)
    gnuplot_put(out,
                "$runs%zu using 1:2 with points pointtype 6 pointsize 0.6 linecolor rgb 0x%x notitle, "
                "$front%zu using 1:2 smooth unique with steps linewidth 1.5 linecolor rgb 0x%x notitle, ",
                i, colour, i, colour);
  gnuplot_put(
      out,
      "$mean%zu using 1:2:3:4 with xyerrorbars pointtype 7 pointsize 1.2 linewidth 1.5 linecolor rgb 0x%x notitle, ", i,
      colour);
}

/* The largest loss of an arm that is drawn, its deviation included. */
static double largest_loss(const front *f)
{
  double largest = 0.0;
  for (size_t k = 0; k < f->tuned->runs; k++)
    if (!f->tuned->run[k].error)
      largest = fmax(largest, f->tuned->run[k].loss);
  if (f->curve->moments > 0) {
    const results_moment *m = &f->curve->moment[f->curve->moments - 1];
    largest = fmax(largest, fmax(m->mean[CURVE_LOSS], m->mean[CURVE_LOSS] + m->deviation[CURVE_LOSS]));
  }
  return largest;
}

static void put_panel(gnuplot *out, const front *f, size_t n, const char *stream)
{
  gnuplot_put(out, "set title %s\n", stream);
  double largest = 0.0;
  for (size_t i = 0; i < n; i++)
    if (strcmp(f[i].arm->stream, stream) == 0) {
      put_runs(out, &f[i], i);
      largest = fmax(largest, largest_loss(&f[i]));
    }
  gnuplot_x_tics(out, largest);
  gnuplot_put(out, "plot ");
  for (size_t i = 0; i < n; i++)
    if (strcmp(f[i].arm->stream, stream) == 0)
      put_marks(out, &f[i], i);
  gnuplot_put(out, "$nothing with dots notitle\n");
}

static void put_legend(gnuplot *out, const front *f, size_t n)
{
  gnuplot_put(out, "unset border\nunset tics\nunset title\nunset xlabel\nunset ylabel\nunset grid\nset format ''\n"
                   "set key center center horizontal Left reverse maxcols 4 samplen 2 width 2\n"
                   "plot [10:20][10:20] $nothing with dots notitle");
  for (size_t i = 0; i < n; i++) {
    int first = 1;
    for (size_t k = 0; k < i && first; k++)
      first = f[k].colour != f[i].colour;
    if (!first)
      continue;
    gnuplot_put(out, ", $nothing with points pointtype 7 linecolor rgb 0x%x title %s",
                gnuplot_colours[f[i].colour % GNUPLOT_COLOURS], f[i].arm->label);
  }
  gnuplot_put(out, "\n");
}

/* 1: no arm before has its stream; those of a stream are next to each other. */
static int begins_stream(const front *f, size_t i)
{
  return i == 0 || strcmp(f[i].arm->stream, f[i - 1].arm->stream) != 0;
}

static void put_script(gnuplot *out, const front *f, size_t n, size_t streams)
{
  double low = (double)LEGEND / (PANEL_HEIGHT + LEGEND);
  size_t at = 0;
  gnuplot_put(out, "$nothing << end\n1 1\nend\nset multiplot\nset grid linecolor rgb '#dddddd'\nset lmargin 11\n"
                   "set rmargin 3\nunset key\nset xlabel 'cumulative loss'\n"
                   "set ylabel 'cumulative constraint violation'\nset format '%%.2g'\n");
  for (size_t i = 0; i < n; i++)
    if (begins_stream(f, i)) {
      gnuplot_put(out, "set size %g,%g\nset origin %g,%g\n", 1.0 / (double)streams, 1.0 - low,
                  (double)at++ / (double)streams, low);
      put_panel(out, f, n, f[i].arm->stream);
    }
  gnuplot_put(out, "set size 1,%g\nset origin 0,0\n", low);
  put_legend(out, f, n);
  gnuplot_put(out, "unset multiplot\n");
}

static int draw(const command *self, const front *f, size_t n, const char *path)
{
  gnuplot *figure;
  size_t streams = 0;
  for (size_t i = 0; i < n; i++)
    streams += (size_t)begins_stream(f, i);
  if (streams == 0)
    return complain(self, EXIT_BAD_DATA, "%s: no finished play is there to be drawn", path);
  int code = gnuplot_open(self, path, (double)(streams * PANEL_WIDTH), PANEL_HEIGHT + LEGEND, &figure);
  if (code)
    return code;
  put_script(figure, f, n, streams);
  return gnuplot_close(figure);
}

int plot_draw_front(const command *self, const plot_data *d, const char *path)
{
  front *f = calloc(d->arms + 1, sizeof *f);
  for (size_t i = 0; i < d->arms && f; i++)
    f[i] = (front){&d->arm[i], &d->curve[i], &d->rows.row[i].tuning, d->colour[i]};
  int code = f ? draw(self, f, d->arms, path) : complain(self, EXIT_FAILED, "out of memory");
  free(f);
  return code;
}
