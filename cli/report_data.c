/* report_data.c — the results as the one JSON document that the page reads
 *
 *     title, experiment, version, kernel          as 'ofw sweep' kept them
 *     written_by                                  the ofw that wrote the page
 *     cells, failed, refused, rounds, seconds, seeds, tune_seeds, started, machines
 *     arms [{arm, name, stream, stream_spec, domain, label, learner, options, constant1, constant2, config,
 *            plays, series, tuning}]
 *     streams                                     report_streams.c
 *     failures [{arm, role, factor1, factor2, seed, error, refused}]
 *     comparisons, relative_level, seeds_needed, claims   cli/verdicts.h; seeds_needed null: there are enough
 *     readings                                    as readings.json has them (readings_report.c); null: there are none
 *
 * What is not known is null.
 */
#include "report.h"

#include "analysis.h"

#include "base/sort.h"
#include "lab/arm_name.h"
#include "lab/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ofw_status write_meta(json *j, results *from, const char *key, ofw_error *err)
{
  char *text = NULL;
  OFW_TRY(results_meta(from, key, &text, err));
  json_text(j, key, text);
  free(text);
  return OFW_OK;
}

/* ---- of all cells ---- */

/* The seeds of reported plays or of tuning, each once. */
static ofw_status write_seeds(json *j, const char *key, const results_cell *cell, size_t n, int tune, ofw_error *err)
{
  uint64_t *seed = ofw_array(n, sizeof *seed);
  size_t seeds = 0;
  if (!seed)
    return ofw_fail_memory(err, n * sizeof *seed);
  for (size_t i = 0; i < n; i++)
    if (cell[i].tune == tune)
      seed[seeds++] = cell[i].seed;
  ofw_status st = ofw_sort(seeds, seed, NULL, err);
  json_open_list(j, key);
  for (size_t i = 0; i < seeds; i++)
    if (i == 0 || seed[i] != seed[i - 1])
      json_count(j, NULL, seed[i]);
  json_close_list(j);
  free(seed);
  return st;
}

static ofw_status write_cells(json *j, const results_cell *cell, size_t n, ofw_error *err)
{
  size_t failed = 0, refused = 0;
  uint64_t rounds = 0;
  double seconds = 0.0;
  for (size_t i = 0; i < n; i++) {
    refused += (size_t)lab_is_refused(&cell[i]);
    failed += cell[i].error && !lab_is_refused(&cell[i]);
    rounds = cell[i].rounds > rounds ? cell[i].rounds : rounds;
    seconds += isnan(cell[i].seconds) ? 0.0 : cell[i].seconds;
  }
  json_count(j, "cells", n);
  json_count(j, "failed", failed);
  json_count(j, "refused", refused);
  json_count(j, "rounds", rounds);
  json_real(j, "seconds", seconds);
  OFW_TRY(write_seeds(j, "seeds", cell, n, 0, err));
  return write_seeds(j, "tune_seeds", cell, n, 1, err);
}

static void write_failures(json *j, const results_cell *cell, size_t n)
{
  json_open_list(j, "failures");
  for (size_t i = 0; i < n; i++) {
    if (!cell[i].error)
      continue;
    json_open(j, NULL);
    json_count(j, "arm", (uint64_t)cell[i].arm);
    json_text(j, "role", cell[i].tune ? "tune" : "play");
    json_real(j, "factor1", cell[i].factor[0]);
    json_real(j, "factor2", cell[i].factor[1]);
    json_count(j, "seed", cell[i].seed);
    json_text(j, "error", cell[i].error);
    json_flag(j, "refused", lab_is_refused(&cell[i]));
    json_close(j);
  }
  json_close_list(j);
}

/* ---- where and when ---- */

enum { MOST_MACHINES = 4096 }; /* bytes; more names than that say nothing */

typedef struct origin {
  char *started;    /* the first; times are written so that their texts are in their order */
  ofw_text machine; /* each once, a line each */
  size_t rows;
} origin;

static int has_line(const char *text, const char *line)
{
  size_t length = strlen(line);
  while (text) {
    if (strncmp(text, line, length) == 0 && (text[length] == '\n' || !text[length]))
      return 1;
    text = strchr(text, '\n');
    text = text ? text + 1 : NULL;
  }
  return 0;
}

static void see_timing(void *ctx, const results_value *value, size_t n)
{
  origin *o = ctx;
  if (o->rows++ == 0 || n < 3 || value[1].kind != RESULTS_TEXT || value[2].kind != RESULTS_TEXT)
    return; /* names, or not known */
  if (!o->started || strcmp(value[2].text, o->started) < 0) {
    free(o->started);
    o->started = ofw_copy_text(value[2].text);
  }
  if (o->machine.length < MOST_MACHINES && !has_line(o->machine.chars, value[1].text))
    ofw_text_add(&o->machine, "%s%s", o->machine.length ? "\n" : "", value[1].text);
}

static ofw_status write_origin(json *j, results *from, ofw_error *err)
{
  origin o = {0};
  ofw_status st = results_table(from, "timing", see_timing, &o, err);
  if (st == OFW_OK && o.machine.failed)
    st = ofw_fail_memory(err, o.machine.room);
  json_text(j, "started", o.started);
  json_text(j, "machines", o.machine.chars);
  free(o.started);
  free(o.machine.chars);
  return st;
}

/* ---- arms ---- */

static void write_play(json *j, const results_cell *c)
{
  json_open(j, NULL);
  json_count(j, "seed", c->seed);
  json_count(j, "rounds", c->rounds);
  json_real(j, "factor1", c->factor[0]);
  json_real(j, "factor2", c->factor[1]);
  for (const results_metric *m = results_metrics; m->name; m++)
    json_real(j, m->name, results_metric_of(c, m));
  json_real(j, "seconds", c->seconds);
  json_close(j);
}

static void write_plays(json *j, const results_cell *cell, size_t n)
{
  const char *config = NULL;
  json_open_list(j, "plays");
  for (size_t i = 0; i < n; i++)
    if (results_is_shown(cell, n, i)) {
      config = config ? config : cell[i].config;
      write_play(j, &cell[i]);
    }
  json_close_list(j);
  json_text(j, "config", config);
}

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

static ofw_status write_series(json *j, results *from, const results_cell *cell, size_t n, ofw_error *err)
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

/* Null if nothing was tuned; without runs if the tuning is not done. */
static void write_tuning(json *j, const lab_tuning *t)
{
  if (t->seeds == 0) {
    json_null(j, "tuning");
    return;
  }
  json_open(j, "tuning");
  json_count(j, "seeds", t->seeds);
  if (t->runs > 0) {
    json_open_list(j, "runs");
    for (size_t i = 0; i < t->runs; i++)
      print_run_json(j, &t->run[i]);
    json_close_list(j);
  }
  json_close(j);
}

static ofw_status write_arm(json *j, results *from, const lab_rows *rows, size_t i, ofw_error *err)
{
  const lab_measured *m = &rows->row[i];
  const results_arm *a = m->arm;
  char *name = lab_arm_name(rows->arm, rows->n, i);
  if (!name)
    return ofw_fail_memory(err, strlen(a->label));
  json_open(j, NULL);
  json_count(j, "arm", (uint64_t)a->arm);
  json_text(j, "name", name);
  free(name);
  json_text(j, "stream", a->stream);
  json_text(j, "stream_spec", a->stream_spec);
  json_text(j, "domain", a->domain);
  json_text(j, "label", a->label);
  json_text(j, "learner", a->learner);
  json_text(j, "options", a->options);
  json_text(j, "constant1", a->constant[0]);
  json_text(j, "constant2", a->constant[1]);
  write_plays(j, m->cell, m->cells);
  ofw_status st = write_series(j, from, m->cell, m->cells, err);
  write_tuning(j, &m->tuning);
  json_close(j);
  return st;
}

static ofw_status write_arms(json *j, results *from, ofw_error *err)
{
  lab_rows rows;
  ofw_status st = lab_rows_read(from, &rows, err);
  json_open_list(j, "arms");
  for (size_t i = 0; i < rows.n && st == OFW_OK; i++)
    st = write_arm(j, from, &rows, i, err);
  json_close_list(j);
  report_streams(j, rows.arm, rows.n);
  lab_rows_free(&rows);
  return st;
}

static ofw_status write_claims(json *j, const command *self, results *from, ofw_error *err)
{
  claims judged;
  ofw_status st = claims_read(from, &judged, err);
  if (st == OFW_OK) {
    claims_warn(self, &judged);
    claims_json(j, &judged);
  }
  claims_free(&judged);
  return st;
}

static void write_readings(json *j, const readings *all)
{
  if (!all) {
    json_null(j, "readings");
    return;
  }
  json_open(j, "readings");
  readings_json(j, all);
  json_close(j);
}

ofw_status report_document(json *j, const command *self, results *from, const readings *all, ofw_error *err)
{
  static const char *const meta[] = {"title", "experiment", "version", "kernel"};
  results_cell *cell = NULL;
  size_t n = 0;
  json_open(j, NULL);
  for (size_t i = 0; i < sizeof meta / sizeof *meta; i++)
    OFW_TRY(write_meta(j, from, meta[i], err));
  json_text(j, "written_by", ofw_version());
  OFW_TRY(write_origin(j, from, err));
  OFW_TRY(write_arms(j, from, err));
  OFW_TRY(results_cells(from, 0, &cell, &n, err));
  ofw_status st = write_cells(j, cell, n, err);
  write_failures(j, cell, n);
  results_cells_free(cell, n);
  OFW_TRY(st);
  OFW_TRY(write_claims(j, self, from, err));
  write_readings(j, all);
  json_close(j);
  return OFW_OK;
}
