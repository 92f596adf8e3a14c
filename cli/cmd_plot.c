/* cmd_plot.c — ofw plot: an experiment's curves as a figure, and the numbers behind it */
#include "plot.h"

#include "csv.h"
#include "figure_file.h"
#include "phase.h"
#include "shown.h"
#include "whole_file.h"

#include "base/basics.h"
#include "base/limits.h"

#include <stdlib.h>
#include <string.h>

const option_id plot_options[] = {OPT_OUTPUT_FILE, OPT_FRONT, OPT_METRIC, OPT_ACROSS, OPT_LOG, OPT_LABEL,
                                  OPT_CSV,         OPT_JSON,  OPT_QUIET,  OPT_HELP,   OPTIONS};

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
    return ofw_fail(err, OFW_BAD_DATA,
                    "%.300s has %zu curves, learners with their options per stream; a figure has at most %d",
                    results_path(from), out->arms, OFW_MOST_DRAWN);
  out->curve = calloc(out->arms + 1, sizeof *out->curve);
  out->colour = calloc(out->arms + 1, sizeof *out->colour);
  out->figure = calloc(out->arms + 1, sizeof *out->figure);
  if (!out->curve || !out->colour || !out->figure)
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
  free(d->figure);
  lab_rows_free(&d->rows);
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
    for (size_t m = 0; m < d->curve[i].moments && plot_shows(view, d, i); m++) {
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
      return complain(self, EXIT_USAGE, "--metric %s: expected loss, regret or ccv, found '%.*s'", text, (int)length,
                      at);
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
    return complain(self, EXIT_USAGE, "--across %s: expected rounds, calls or seconds", across);
  return read_metrics(self, metric ? metric : "loss,ccv", v);
}

static int check_stream(const command *self, const plot_data *d, const plot_view *v)
{
  for (size_t i = 0; i < d->arms; i++)
    if (!v->stream || strcmp(d->arm[i].stream, v->stream) == 0)
      return 0;
  return complain(self, EXIT_USAGE, "--label %s: no stream has this name; the first is called %s",
                  v->stream ? v->stream : "", d->arms ? d->arm[0].stream : "missing");
}

static void print_json(const plot_data *d, const plot_view *v, int front, const char *path, const char *csv)
{
  json j = {0};
  json_open(&j, NULL);
  json_text(&j, "figure", path);
  json_text(&j, "csv", csv);
  json_open_list(&j, "curves");
  for (size_t i = 0; i < d->arms; i++)
    if (front || plot_shows(v, d, i)) {
      json_open(&j, NULL);
      json_text(&j, "stream", d->arm[i].stream);
      json_text(&j, "label", d->arm[i].label);
      json_text(&j, "options", d->arm[i].options);
      json_count(&j, "plays", d->curve[i].plays);
      json_close(&j);
    }
  json_close_list(&j);
  json_close(&j);
  putchar('\n');
}

int plot_main(const command *self, const arguments *args)
{
  plot_view view;
  plot_data data = {0};
  results *from = NULL;
  ofw_error err = {0};
  const char *path = args->value[OPT_OUTPUT_FILE], *csv = args->value[OPT_CSV];
  int code;
  if (args->words == 0)
    return complain(self, EXIT_USAGE, "DIR is missing; see 'ofw help plot'");
  if ((code = require(self, args, OPT_OUTPUT_FILE)) || (code = read_view(self, args, &view)) ||
      (code = figure_file_check(self, path)))
    return code;
  phase_begin(self, args, "the figure is not drawn", "drawing %s", args->word[0]);
  ofw_status st = results_open(args->word[0], &from, &err);
  if (st == OFW_OK)
    st = plot_read(from, &data, &err);
  if (st != OFW_OK)
    code = refuse(self, &err);
  if (!code && args->value[OPT_FRONT])
    code = plot_draw_front(self, &data, path);
  else if (!code && !(code = check_stream(self, &data, &view)))
    code = plot_draw(self, &data, &view, path);
  if (!code && csv)
    code = plot_write_csv(self, &data, &view, csv);
  phase_end();
  if (!code && args->value[OPT_JSON])
    print_json(&data, &view, args->value[OPT_FRONT] != NULL, path, csv);
  else if (!code) {
    print_written(path);
    if (csv)
      print_written(csv);
  }
  plot_free(&data);
  results_close(from);
  return code;
}
