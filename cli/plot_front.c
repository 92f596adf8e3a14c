/* plot_front.c — every tuning run as loss against violation, the front of each learner, and its reported mean */
#include "plot.h"

#include "gnuplot.h"

#include <math.h>
#include <string.h>

/* The last moment of an arm's curve; NULL: it has none. */
static const results_moment *last_moment(const plot_data *d, size_t i)
{
  const results_curve *c = &d->curve[i];
  return c->moments ? &c->moment[c->moments - 1] : NULL;
}

static void put_runs(gnuplot *out, const plot_data *d, size_t i)
{
  const lab_tuning *t = &d->rows.row[i].tuning;
  const results_moment *m = last_moment(d, i);
  gnuplot_put(out, "$runs%zu << end\n", i);
  for (const lab_run *run = t->run; run < t->run + t->runs; run++)
    if (!run->error)
      gnuplot_put(out, "%g %g\n", run->loss, run->ccv);
  gnuplot_put(out, "end\n$front%zu << end\n", i);
  for (const lab_run *run = t->run; run < t->run + t->runs; run++)
    if (run->front)
      gnuplot_put(out, "%g %g\n", run->loss, run->ccv);
  gnuplot_put(out, "end\n$mean%zu << end\n", i);
  if (m) {
    double loss = m->deviation[CURVE_LOSS], ccv = m->deviation[CURVE_CCV];
    gnuplot_put(out, "%g %g %g %g\n", m->mean[CURVE_LOSS], m->mean[CURVE_CCV], isnan(loss) ? 0.0 : loss,
                isnan(ccv) ? 0.0 : ccv);
  }
  gnuplot_put(out, "end\n");
}

static void put_marks(gnuplot *out, const plot_data *d, size_t i)
{
  unsigned colour = gnuplot_colours[d->colour[i] % GNUPLOT_COLOURS];
  if (d->rows.row[i].tuning.runs > 0)
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
static double largest_loss(const plot_data *d, size_t i)
{
  const lab_tuning *t = &d->rows.row[i].tuning;
  const results_moment *m = last_moment(d, i);
  double largest = m ? fmax(m->mean[CURVE_LOSS], m->mean[CURVE_LOSS] + m->deviation[CURVE_LOSS]) : 0.0;
  for (const lab_run *run = t->run; run < t->run + t->runs; run++)
    if (!run->error)
      largest = fmax(largest, run->loss);
  return largest;
}

static void put_panel(gnuplot *out, const plot_data *d, const char *stream)
{
  gnuplot_put(out, "set title %s\n", stream);
  double largest = 0.0;
  for (size_t i = 0; i < d->arms; i++)
    if (strcmp(d->arm[i].stream, stream) == 0) {
      put_runs(out, d, i);
      largest = fmax(largest, largest_loss(d, i));
    }
  gnuplot_x_tics(out, largest);
  gnuplot_put(out, "plot ");
  for (size_t i = 0; i < d->arms; i++)
    if (strcmp(d->arm[i].stream, stream) == 0)
      put_marks(out, d, i);
  gnuplot_put(out, "$nothing with dots notitle\n");
}

static void put_legend(gnuplot *out, const plot_data *d)
{
  size_t colours = 0; /* they are numbered from 0 on as they come */
  gnuplot_legend(out, 4, 2);
  gnuplot_put(out, " with dots notitle");
  for (size_t i = 0; i < d->arms; i++)
    if (d->colour[i] == colours) {
      gnuplot_put(out, ", $nothing with points pointtype 7 linecolor rgb 0x%x title %s",
                  gnuplot_colours[colours % GNUPLOT_COLOURS], d->arm[i].label);
      colours++;
    }
}

/* 1: no arm before has its stream; those of a stream are next to each other. */
static int begins_stream(const plot_data *d, size_t i)
{
  return i == 0 || strcmp(d->arm[i].stream, d->arm[i - 1].stream) != 0;
}

int plot_draw_front(const command *self, const plot_data *d, const char *path)
{
  gnuplot *figure;
  gnuplot_sheet sheet = {.lines = 1, .width = 620, .height = 460, .legend = 60};
  for (size_t i = 0; i < d->arms; i++)
    sheet.columns += (size_t)begins_stream(d, i);
  if (sheet.columns == 0)
    return complain(self, EXIT_BAD_DATA, "%s: nothing to draw: no play is finished", path);
  int code = gnuplot_open(self, path, &sheet, &figure);
  if (code)
    return code;
  gnuplot_put(figure, "set lmargin 11\nset rmargin 3\nset xlabel 'cumulative loss'\n"
                      "set ylabel 'cumulative constraint violation'\nset format '%%.2g'\n");
  for (size_t i = 0, column = 0; i < d->arms; i++)
    if (begins_stream(d, i)) {
      gnuplot_panel(figure, 0, column++);
      put_panel(figure, d, d->arm[i].stream);
    }
  put_legend(figure, d);
  return gnuplot_close(figure);
}
