/* cmd_metrics.c — ofw metrics: metrics of recorded traces */
#include "cli.h"
#include "shown.h"

#include "run/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const option_id metrics_options[] = {OPT_WINDOW, OPT_JSON, OPT_HELP, OPTIONS};

static int measure(const command *self, const char *path, uint64_t window, ofw_metrics *m)
{
  ofw_error err = {0};
  ofw_trace trace;
  if (ofw_trace_read(path, &trace, &err) != OFW_OK)
    return refuse(self, &err);
  ofw_status st = ofw_metrics_of(trace.row, trace.rows, window, m);
  ofw_trace_free(&trace);
  return st == OFW_OK ? 0 : complain(self, EXIT_BAD_DATA, "%s: expected at least one round, found none", path);
}

static void print_json(json *j, const char *path, const ofw_metrics *m)
{
  json_open(j, NULL);
  json_text(j, "trace", path);
  for (size_t i = 0; i < ofw_metric_count; i++) {
    const ofw_column *column = &ofw_metric_table[i];
    const void *at = (const char *)m + column->offset;
    if (column->kind == OFW_COUNT)
      json_count(j, column->name, *(const uint64_t *)at);
    else
      json_real(j, column->name, *(const double *)at);
  }
  json_close(j);
}

static void print_cell(const ofw_column *column, const ofw_metrics *m, int width)
{
  const void *at = (const char *)m + column->offset;
  uint64_t n = column->kind == OFW_COUNT ? *(const uint64_t *)at : 0;
  double x = column->kind == OFW_REAL ? *(const double *)at : 0.0;
  int window =
      column->offset == offsetof(ofw_metrics, interval_first) || column->offset == offsetof(ofw_metrics, interval_last);
  if (isnan(x) || (window && n == 0))
    printf(" %*s", width, "-");
  else if (column->kind == OFW_COUNT)
    printf(" %*llu", width, (unsigned long long)n);
  else
    printf(" %*.6g", width, x);
}

/* A column per trace. */
static void print_table(const arguments *args, const ofw_metrics *m)
{
  int width = 12;
  for (size_t i = 0; i < args->words; i++)
    width = (int)shown_length(args->word[i]) > width ? (int)shown_length(args->word[i]) : width;
  printf("%-15s", "");
  for (size_t i = 0; i < args->words; i++) {
    printf(" %*s", width - (int)shown_length(args->word[i]), "");
    put_shown(stdout, args->word[i]);
  }
  putchar('\n');
  for (size_t k = 0; k < ofw_metric_count; k++) {
    printf("%-15s", ofw_metric_table[k].name);
    for (size_t i = 0; i < args->words; i++)
      print_cell(&ofw_metric_table[k], &m[i], width);
    putchar('\n');
  }
}

static void print_all(const arguments *args, const ofw_metrics *m)
{
  json j = {0};
  if (!args->value[OPT_JSON]) {
    print_table(args, m);
    return;
  }
  json_open(&j, NULL);
  json_open_list(&j, "traces");
  for (size_t i = 0; i < args->words; i++)
    print_json(&j, args->word[i], &m[i]);
  json_close_list(&j);
  json_close(&j);
  putchar('\n');
}

int metrics_main(const command *self, const arguments *args)
{
  uint64_t window;
  int code = read_count(self, args, OPT_WINDOW, 0, &window);
  if (code)
    return code;
  if (args->value[OPT_WINDOW] && window == 0)
    return complain(self, EXIT_USAGE, "--window 0: expected a whole number >= 1");
  if (args->words == 0)
    return complain(self, EXIT_USAGE, "FILE is missing; see 'ofw help metrics'");
  ofw_metrics *m = calloc(args->words, sizeof *m);
  if (!m)
    return complain(self, EXIT_FAILED, "out of memory for %zu traces", args->words);
  for (size_t i = 0; i < args->words && !code; i++)
    code = measure(self, args->word[i], window, &m[i]);
  if (!code)
    print_all(args, m);
  free(m);
  return code;
}
