/* plot_curves.c — loss, regret or violation against rounds, calls or seconds: means as lines, standard deviations as bands
 *
 * A learner is told apart by its colour and by its marks, so that the figure can be read in greys too.
 */
#include "plot.h"

#include "gnuplot.h"

#include "base/basics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LEGEND_LINE = 24, /* pixels */
  LEGEND_COLUMNS = 4,
  MARKS = 8, /* shapes of them, and about how many a curve has */
};

int plot_shows(const plot_view *v, const plot_data *d, size_t i)
{
  return d->curve[i].moments > 0 && (!v->stream || strcmp(v->stream, d->arm[i].stream) == 0) &&
         (!v->figure || !d->figure[i] || strcmp(v->figure, d->figure[i]) == 0);
}

/* ---- what is known of the curves ---- */

/* Arms of a label on one stream that differ in their options. */
static int has_sisters(const plot_data *d, size_t i)
{
  for (size_t k = 0; k < d->arms; k++)
    if (k != i && strcmp(d->arm[k].label, d->arm[i].label) == 0 && strcmp(d->arm[k].stream, d->arm[i].stream) == 0)
      return 1;
  return 0;
}

static double place_of(const plot_view *v, const results_moment *m)
{
  return v->across == CURVE_COLUMNS ? (double)m->round : m->mean[v->across];
}

/* Whether a moment can stand on the axes. */
static int is_visible(const plot_view *v, const results_moment *m, int metric)
{
  return !isnan(m->mean[metric]) && (!v->log || (place_of(v, m) > 0.0 && m->mean[metric] > 0.0));
}

/* A panel: one metric on one stream, and how far what is drawn in it reaches. */
typedef struct panel {
  const char *stream;
  int metric;
  size_t drawn;           /* curves */
  double last;            /* place */
  double lowest, largest; /* mean, and its size */
  int exponent;           /* values are in units of 10^exponent */
} panel;

static int is_in(const panel *p, const plot_data *d, const plot_view *v, size_t i)
{
  return plot_shows(v, d, i) && strcmp(d->arm[i].stream, p->stream) == 0;
}

/* Whether an arm has anything to show in a panel. */
static int is_drawn(const panel *p, const plot_data *d, const plot_view *v, size_t i)
{
  for (size_t k = 0; k < d->curve[i].moments && is_in(p, d, v, i); k++)
    if (is_visible(v, &d->curve[i].moment[k], p->metric))
      return 1;
  return 0;
}

static panel panel_of(const plot_data *d, const plot_view *v, const char *stream, int metric)
{
  enum { PLAIN = 4 }; /* up to so many digits a number is written as it is */
  panel p = {.stream = stream, .metric = metric};
  for (size_t i = 0; i < d->arms; i++) {
    p.drawn += (size_t)is_drawn(&p, d, v, i);
    for (size_t k = 0; k < d->curve[i].moments && is_in(&p, d, v, i); k++) {
      const results_moment *m = &d->curve[i].moment[k];
      p.last = fmax(p.last, place_of(v, m));
      p.lowest = fmin(p.lowest, m->mean[metric]);
      p.largest = fmax(p.largest, fabs(m->mean[metric]));
    }
  }
  if (!v->log && isfinite(p.largest) && p.largest >= pow(10.0, PLAIN))
    p.exponent = (int)floor(log10(p.largest));
  return p;
}

/* ---- the panels ---- */

static const char *axis_name(int column)
{
  static const char *const names[] = {
      "cumulative loss", "regret", "cumulative violation, CCV", "oracle calls", "passes of oracles",
      "seconds",         "round"};
  return names[column];
}

/* "cumulative loss (10⁸)": the unit stands with the name, not at every tick. */
static void put_y_axis(gnuplot *out, const plot_view *v, const panel *p)
{
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char digits[16];
  ofw_text name = {0};
  ofw_text_add(&name, "%s", axis_name(p->metric));
  snprintf(digits, sizeof digits, "%d", p->exponent);
  for (const char *at = digits; p->exponent && *at; at++)
    ofw_text_add(&name, "%s%s%s", at == digits ? " (10" : "", raised[*at - '0'], at[1] ? "" : ")");
  gnuplot_put(out, "set ylabel %s\n", name.failed ? axis_name(p->metric) : name.chars);
  if (!v->log)
    gnuplot_put(out, p->lowest < 0.0 ? "set yrange [*:*]\n" : "set yrange [0:*]\n");
  free(name.chars);
}

/* x, mean, and the band; on a logarithmic axis the band ends above 0. */
static void put_curve(gnuplot *out, const plot_view *v, const panel *p, const results_curve *c, size_t i)
{
  double unit = pow(10.0, p->exponent);
  gnuplot_put(out, "$arm%zu << end\n", i);
  for (size_t k = 0; k < c->moments; k++) {
    const results_moment *m = &c->moment[k];
    double mean = m->mean[p->metric], off = isnan(m->deviation[p->metric]) ? 0.0 : m->deviation[p->metric];
    double low = v->log ? fmax(mean - off, 1e-2 * mean) : mean - off;
    if (is_visible(v, m, p->metric))
      gnuplot_put(out, "%g %g %g %g\n", place_of(v, m), mean / unit, low / unit, (mean + off) / unit);
  }
  gnuplot_put(out, "end\n");
}

/* " linewidth 2 .. pointtype 5", as a line and its marks look. */
static void put_look(gnuplot *out, size_t colour)
{
  static const int shape[MARKS] = {6, 4, 7, 5, 9, 10, 13, 2};
  gnuplot_put(out, " linewidth 2 dashtype %zu linecolor rgb 0x%x pointtype %d", 1 + colour / GNUPLOT_COLOURS,
              gnuplot_colours[colour % GNUPLOT_COLOURS], shape[colour % MARKS]);
}

static void put_band(gnuplot *out, size_t i, size_t colour)
{
  gnuplot_put(out, "$arm%zu using 1:3:4 with filledcurves fillstyle transparent solid 0.18 noborder fillcolor rgb 0x%x",
              i, gnuplot_colours[colour % GNUPLOT_COLOURS]);
}

/* The line, and marks at other places than those of other learners, so that none hides another's. */
static void put_line(gnuplot *out, const results_curve *c, size_t i, size_t colour)
{
  size_t step = c->moments / MARKS + 1, first = step * (1 + 2 * (colour % MARKS)) / (2 * MARKS);
  gnuplot_put(out, "$arm%zu using 1:2 with lines", i);
  put_look(out, colour);
  gnuplot_put(out, " notitle, $arm%zu using 1:2 every %zu::%zu with points", i, step, first);
  put_look(out, colour);
}

static void put_panel(gnuplot *out, const plot_data *d, const plot_view *v, const panel *p)
{
  gnuplot_put(out, "set title %s\nset xlabel %s\n", p->stream, axis_name(v->across));
  put_y_axis(out, v, p);
  if (!v->log)
    gnuplot_x_tics(out, p->last);
  for (size_t i = 0; i < d->arms; i++)
    if (is_drawn(p, d, v, i))
      put_curve(out, v, p, &d->curve[i], i);
  gnuplot_put(out, p->drawn ? "plot " : "plot [1:10][1:10] $nothing with dots title 'nothing above 0'\n");
  size_t left = 2 * p->drawn;
  for (int band = 1; band >= 0; band--) /* all bands lie below all lines */
    for (size_t i = 0; i < d->arms; i++) {
      if (!is_drawn(p, d, v, i))
        continue;
      if (band)
        put_band(out, i, d->colour[i]);
      else
        put_line(out, &d->curve[i], i, d->colour[i]);
      gnuplot_put(out, --left ? " notitle, " : " notitle\n");
    }
}

/* ---- the figure ---- */

/* 1: no arm before this one that is shown has its colour. */
static int is_first(const plot_data *d, const plot_view *v, size_t i)
{
  for (size_t k = 0; k < i; k++)
    if (plot_shows(v, d, k) && d->colour[k] == d->colour[i])
      return 0;
  return plot_shows(v, d, i);
}

/* "OFW-TVC", with its options if other arms have the label too. */
static void put_legend(gnuplot *out, const plot_data *d, const plot_view *v)
{
  gnuplot_legend(out, LEGEND_COLUMNS, 3);
  gnuplot_put(out, " with dots notitle");
  for (size_t i = 0; i < d->arms; i++)
    if (is_first(d, v, i)) {
      char *name = has_sisters(d, i) ? ofw_format("%s %s", d->arm[i].label, d->arm[i].options) : NULL;
      gnuplot_put(out, ", $nothing with linespoints");
      put_look(out, d->colour[i]);
      gnuplot_put(out, " title %s", name ? name : d->arm[i].label);
      free(name);
    }
}

/* The labels of the streams that are shown, in their order; *names: how many lines of the legend. */
static size_t list_streams(const plot_data *d, const plot_view *v, const char **out, size_t *names)
{
  size_t n = 0;
  *names = 0;
  for (size_t i = 0; i < d->arms; i++) {
    *names += (size_t)is_first(d, v, i);
    if (plot_shows(v, d, i) && (n == 0 || strcmp(out[n - 1], d->arm[i].stream) != 0))
      out[n++] = d->arm[i].stream;
  }
  return n;
}

static void put_script(gnuplot *out, const plot_data *d, const plot_view *v, const char *const *stream, size_t streams)
{
  gnuplot_put(out, "set lmargin 9\nset rmargin 3\nset tmargin 2.5\nset bmargin 3.5\n");
  gnuplot_put(out, v->log ? "set logscale xy\nset format '10^{%%T}'\n" : "set format y '%%.3g'\n");
  for (size_t s = 0; s < streams; s++)
    for (size_t m = 0; m < v->metrics; m++) {
      const panel p = panel_of(d, v, stream[s], v->metric[m]);
      gnuplot_panel(out, s, m);
      put_panel(out, d, v, &p);
    }
  put_legend(out, d, v);
}

int plot_draw(const command *self, const plot_data *d, const plot_view *view, const char *path)
{
  gnuplot *figure;
  const char **stream = calloc(d->arms + 1, sizeof *stream);
  if (!stream)
    return no_memory(self);
  size_t names, streams = list_streams(d, view, stream, &names);
  gnuplot_sheet sheet = {streams, view->metrics, 520, 360,
                         LEGEND_LINE * (double)(1 + (names + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS)};
  int code = streams == 0 ? complain(self, EXIT_BAD_DATA, "%s: nothing to draw: no play is finished", path)
                          : gnuplot_open(self, path, &sheet, &figure);
  if (!code) {
    put_script(figure, d, view, stream, streams);
    code = gnuplot_close(figure);
  }
  free(stream);
  return code;
}
