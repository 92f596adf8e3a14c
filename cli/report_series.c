/* report_series.c — an arm's curves */
#include "report.h"

#include "base/basics.h"

#include "lab/curve.h"

#include <stdio.h>

static void write_column(json *j, const results_curve *c, int column)
{
  char key[32];
  json_open_list(j, results_curve_names[column]);
  for (size_t i = 0; i < c->moments; i++)
    json_real(j, NULL, c->moment[i].mean[column]);
  json_close_list(j);
  snprintf(key, sizeof key, "%s_sd", results_curve_names[column]);
  json_open_list(j, key);
  for (size_t i = 0; i < c->moments; i++)
    json_real(j, NULL, c->moment[i].deviation[column]);
  json_close_list(j);
}

ofw_status report_series(json *j, results *from, const results_cell *cell, size_t n, ofw_error *err)
{
  results_curve c;
  ofw_status st = results_curve_read(from, cell, n, &c, err);
  json_open(j, "series");
  json_open_list(j, "round");
  for (size_t i = 0; i < c.moments; i++)
    json_count(j, NULL, c.moment[i].round);
  json_close_list(j);
  for (int k = 0; k < CURVE_COLUMNS; k++)
    write_column(j, &c, k);
  json_close(j);
  results_curve_free(&c);
  return st;
}
