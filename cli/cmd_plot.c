/* cmd_plot.c — ofw plot: an experiment's curves as a figure, and the numbers behind it */
#include "plot.h"

#include "csv.h"
#include "gnuplot.h"
#include "whole_file.h"

#include "base/basics.h"
#include "base/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const option_id plot_options[] = {OPT_OUTPUT_FILE, OPT_FRONT, OPT_METRIC, OPT_ACROSS, OPT_LOG,
                                  OPT_LABEL,       OPT_CSV,   OPT_HELP,   OPTIONS};

enum { LEGEND_LINE = 24, LEGEND_COLUMNS = 4 };

/* ---- the curves ---- */

static int is_alike(const results_arm *a, const results_arm *b)
{
  return strcmp(a->label, b->label) == 0 && strcmp(a->options, b->options) == 0;
}

/* Arms of one label and one set of options have one colour, on every stream. */
static void choose_colours(plot_data *d)
{
  size_t colours = 0;
  for (size_t i = 0; i < d->arms; i++) {
    size_t k = 0;
    while (k < i && !is_alike(&d->arm[k], &d->arm[i]))
      k++;
    d->colour[i] = k < i ? d->colour[k] : colours++;
  }
}

ofw_status plot_read(results *from, plot_data *out, ofw_error *err)
{
  *out = (plot_data){0};
  OFW_TRY(lab_rows_read(from, &out->rows, err));
  out->arm = out->rows.arm;
  out->arms = out->rows.n;
  if (out->arms > OFW_MOST_DRAWN)
    return ofw_fail(err, OFW_BAD_DATA, "%.300s has %zu learners with options on streams; a figure has at most %d",
                    results_path(from), out->arms, OFW_MOST_DRAWN);
  out->curve = calloc(out->arms + 1, sizeof *out->curve);
  out->colour = calloc(out->arms + 1, sizeof *out->colour);
  if (!out->curve || !out->colour)
    return ofw_fail_memory(err, (out->arms + 1) * sizeof *out->curve);
  choose_colours(out);
  for (size_t i = 0; i < out->arms; i++)
    OFW_TRY(results_curve_read(from, out->rows.row[i].cell, out->rows.row[i].cells, &out->curve[i], err));
  return OFW_OK;
}

void plot_free(plot_data *d)
{
  for (size_t i = 0; d->curve && i < d->arms; i++)
    results_curve_free(&d->curve[i]);
  free(d->curve);
  free(d->colour);
  lab_rows_free(&d->rows);
}

static int is_shown(const plot_view *v, const plot_data *d, size_t i)
{
  return d->curve[i].moments > 0 && (!v->stream || strcmp(v->stream, d->arm[i].stream) == 0);
}

/* Arms of a label on one stream that differ in their options. */
static int has_sisters(const plot_data *d, size_t i)
{
  for (size_t k = 0; k < d->arms; k++)
    if (k != i && strcmp(d->arm[k].label, d->arm[i].label) == 0 && strcmp(d->arm[k].stream, d->arm[i].stream) == 0)
      return 1;
  return 0;
}

/* The title "OFW-TVC", with its options if other arms have the label too. */
static void put_name(gnuplot *out, const plot_data *d, size_t i)
{
  char *name = has_sisters(d, i) ? ofw_format("%s %s", d->arm[i].label, d->arm[i].options) : NULL;
  gnuplot_put(out, " title %s", name ? name : d->arm[i].label);
  free(name);
}

/* ---- the figure ---- */

static double place_of(const plot_view *v, const results_moment *m)
{
  return v->across == CURVE_COLUMNS ? (double)m->round : m->mean[v->across];
}

/* Whether a moment can stand on the axes. */
static int is_visible(const plot_view *v, const results_moment *m, int metric)
{
  return !isnan(m->mean[metric]) && (!v->log || (place_of(v, m) > 0.0 && m->mean[metric] > 0.0));
}

/* x, mean, and the band; on a logarithmic axis the band ends above 0. */
static void put_curve(gnuplot *out, const plot_view *v, const results_curve *c, size_t i, int metric)
{
  gnuplot_put(out, "$arm%zu << end\n", i);
  for (size_t k = 0; k < c->moments; k++) {
    const results_moment *m = &c->moment[k];
    double mean = m->mean[metric], off = isnan(m->deviation[metric]) ? 0.0 : m->deviation[metric];
    double low = v->log ? fmax(mean - off, 1e-2 * mean) : mean - off;
    if (is_visible(v, m, metric))
      gnuplot_put(out, "%g %g %g %g\n", place_of(v, m), mean, low, mean + off);
  }
  gnuplot_put(out, "end\n");
}

/* Whether an arm has anything to show in a panel. */
static int is_drawn(const plot_data *d, const plot_view *v, size_t i, const char *stream, int metric)
{
  for (size_t k = 0; k < d->curve[i].moments && strcmp(d->arm[i].stream, stream) == 0; k++)
    if (is_visible(v, &d->curve[i].moment[k], metric))
      return 1;
  return 0;
}

/* The largest place of what is drawn in a panel. */
static double last_place(const plot_data *d, const plot_view *v, const char *stream)
{
  double last = 0.0;
  for (size_t i = 0; i < d->arms; i++)
    for (size_t k = 0; k < d->curve[i].moments; k++)
      if (strcmp(d->arm[i].stream, stream) == 0)
        last = fmax(last, place_of(v, &d->curve[i].moment[k]));
  return last;
}

static const char *axis_name(int column)
{
  static const char *const names[] = {
      "cumulative loss", "regret", "cumulative constraint violation", "oracle calls", "passes of oracles",
      "seconds",         "round"};
  return names[column];
}

static void put_panel(gnuplot *out, const plot_data *d, const plot_view *v, const char *stream, int metric)
{
  size_t drawn = 0;
  gnuplot_put(out, "set title %s\nset xlabel %s\nset ylabel %s\n", stream, axis_name(v->across), axis_name(metric));
  if (!v->log)
    gnuplot_x_tics(out, last_place(d, v, stream));
  for (size_t i = 0; i < d->arms; i++)
    if (is_drawn(d, v, i, stream, metric))
      put_curve(out, v, &d->curve[i], i, metric);
  gnuplot_put(out, "plot ");
  for (int band = 1; band >= 0; band--) /* all bands lie below all lines */
    for (size_t i = 0; i < d->arms; i++) {
      if (!is_drawn(d, v, i, stream, metric))
        continue;
      unsigned colour = gnuplot_colours[d->colour[i] % GNUPLOT_COLOURS];
      size_t dash = 1 + d->colour[i] / GNUPLOT_COLOURS;
      if (band)
        gnuplot_put(out,
                    "$arm%zu using 1:3:4 with filledcurves fillstyle transparent solid 0.18 noborder "
                    "fillcolor rgb 0x%x notitle, ",
                    i, colour);
      else
        gnuplot_put(out, "$arm%zu using 1:2 with lines linewidth 2 dashtype %zu linecolor rgb 0x%x notitle, ", i, dash,
                    colour);
      drawn++;
    }
  gnuplot_put(out, "$nothing with dots notitle");
  gnuplot_put(out, drawn ? "\n" : ", 1/0 title 'nothing above 0'\n");
}

/* 1: no arm before this one that is shown has its colour. */
static int is_first(const plot_data *d, const plot_view *v, size_t i)
{
  for (size_t k = 0; k < i; k++)
    if (is_shown(v, d, k) && d->colour[k] == d->colour[i])
      return 0;
  return is_shown(v, d, i);
}

static void put_legend(gnuplot *out, const plot_data *d, const plot_view *v)
{
  gnuplot_legend(out, LEGEND_COLUMNS, 3);
  gnuplot_put(out, " with dots notitle");
  for (size_t i = 0; i < d->arms; i++)
    if (is_first(d, v, i)) {
      gnuplot_put(out, ", $nothing with lines linewidth 2 dashtype %zu linecolor rgb 0x%x",
                  1 + d->colour[i] / GNUPLOT_COLOURS, gnuplot_colours[d->colour[i] % GNUPLOT_COLOURS]);
      put_name(out, d, i);
    }
}

/* The labels of the streams that are shown, in their order. */
static size_t list_streams(const plot_data *d, const plot_view *v, const char **out)
{
  size_t n = 0;
  for (size_t i = 0; i < d->arms; i++)
    if (is_shown(v, d, i) && (n == 0 || strcmp(out[n - 1], d->arm[i].stream) != 0))
      out[n++] = d->arm[i].stream;
  return n;
}

static void put_script(gnuplot *out, const plot_data *d, const plot_view *v, const char *const *stream, size_t streams)
{
  gnuplot_put(out, "set lmargin 11\nset rmargin 3\nset tmargin 2.5\nset bmargin 3.5\n");
  gnuplot_put(out, v->log ? "set logscale xy\nset format '10^{%%T}'\n" : "set format y '%%.3g'\n");
  for (size_t s = 0; s < streams; s++)
    for (size_t m = 0; m < v->metrics; m++) {
      gnuplot_panel(out, s, m);
      put_panel(out, d, v, stream[s], v->metric[m]);
    }
  put_legend(out, d, v);
}

int plot_draw(const command *self, const plot_data *d, const plot_view *view, const char *path)
{
  gnuplot *figure;
  const char **stream = calloc(d->arms + 1, sizeof *stream);
  if (!stream)
    return no_memory(self);
  gnuplot_sheet sheet = {list_streams(d, view, stream), view->metrics, 520, 360,
                         LEGEND_LINE * (double)(2 + d->arms / LEGEND_COLUMNS)};
  int code = sheet.lines == 0 ? complain(self, EXIT_BAD_DATA, "%s: no finished play is there to be drawn", path)
                              : gnuplot_open(self, path, &sheet, &figure);
  if (!code) {
    put_script(figure, d, view, stream, sheet.lines);
    code = gnuplot_close(figure);
  }
  free(stream);
  return code;
}

/* ---- the numbers ---- */

int plot_write_csv(const command *self, const plot_data *d, const plot_view *view, const char *path)
{
  FILE *out;
  int code = open_result(self, path, &out);
  if (code)
    return code;
  fputs("stream,label,options,plays,round", out);
  for (int k = 0; k < CURVE_COLUMNS; k++)
    fprintf(out, ",%s,%s_deviation", results_curve_names[k], results_curve_names[k]);
  fputc('\n', out);
  for (size_t i = 0; i < d->arms; i++)
    for (size_t m = 0; m < d->curve[i].moments && is_shown(view, d, i); m++) {
      const results_moment *at = &d->curve[i].moment[m];
      const char *const name[] = {d->arm[i].stream, d->arm[i].label, d->arm[i].options};
      for (int k = 0; k < 3; k++) {
        csv_text(out, name[k]);
        fputc(',', out);
      }
      fprintf(out, "%zu,%llu", d->curve[i].plays, (unsigned long long)at->round);
      for (int k = 0; k < 2 * CURVE_COLUMNS; k++) {
        fputc(',', out);
        csv_real(out, k % 2 ? at->deviation[k / 2] : at->mean[k / 2]);
      }
      fputc('\n', out);
    }
  return close_result(self, path, out);
}

/* ---- the command ---- */

/* "loss,ccv" */
static int read_metrics(const command *self, const char *text, plot_view *v)
{
  static const int known[] = {CURVE_LOSS, CURVE_REGRET, CURVE_CCV};
  for (const char *at = text;; at++) {
    size_t length = strcspn(at, ","), i = 0;
    while (i < 3 &&
           (strlen(results_curve_names[known[i]]) != length || strncmp(at, results_curve_names[known[i]], length) != 0))
      i++;
    if (i == 3 || v->metrics == PLOT_MOST_METRICS)
      return complain(self, EXIT_USAGE, "--metric %s: '%.*s' is none of loss, regret, ccv", text, (int)length, at);
    v->metric[v->metrics++] = known[i];
    at += length;
    if (!*at)
      return 0;
  }
}

static int read_view(const command *self, const arguments *args, plot_view *v)
{
  const char *across = args->value[OPT_ACROSS], *metric = args->value[OPT_METRIC];
  *v = (plot_view){.stream = args->value[OPT_LABEL], .across = CURVE_COLUMNS, .log = args->value[OPT_LOG] != NULL};
  if (across && strcmp(across, "calls") == 0)
    v->across = CURVE_ORACLE_CALLS;
  else if (across && strcmp(across, "seconds") == 0)
    v->across = CURVE_SECONDS;
  else if (across && strcmp(across, "rounds") != 0)
    return complain(self, EXIT_USAGE, "--across %s: it is rounds, calls or seconds", across);
  return read_metrics(self, metric ? metric : "loss,ccv", v);
}

static int check_stream(const command *self, const plot_data *d, const plot_view *v)
{
  for (size_t i = 0; i < d->arms; i++)
    if (!v->stream || strcmp(d->arm[i].stream, v->stream) == 0)
      return 0;
  return complain(self, EXIT_USAGE, "--label %s: no stream is called that; the first is %s", v->stream ? v->stream : "",
                  d->arms ? d->arm[0].stream : "missing");
}

int plot_main(const command *self, const arguments *args)
{
  plot_view view;
  plot_data data = {0};
  results *from = NULL;
  ofw_error err = {0};
  const char *figure = args->value[OPT_OUTPUT_FILE], *csv = args->value[OPT_CSV];
  int code;
  if (args->words == 0)
    return complain(self, EXIT_USAGE, "DIR is needed; see 'ofw help plot'");
  if ((code = require(self, args, OPT_OUTPUT_FILE)) || (code = read_view(self, args, &view)) ||
      (code = gnuplot_check(self, figure)))
    return code;
  ofw_status st = results_open(args->word[0], &from, &err);
  if (st == OFW_OK)
    st = plot_read(from, &data, &err);
  if (st != OFW_OK)
    code = refuse(self, &err);
  if (!code && args->value[OPT_FRONT])
    code = plot_draw_front(self, &data, figure);
  else if (!code && !(code = check_stream(self, &data, &view)))
    code = plot_draw(self, &data, &view, figure);
  if (!code && csv)
    code = plot_write_csv(self, &data, &view, csv);
  plot_free(&data);
  results_close(from);
  return code;
}
