/* cmd_sweep.c — ofw sweep: an experiment file, played into a results database */
#include "analysis.h"
#include "on_device.h"
#include "phase.h"
#include "shown.h"
#include "suites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const option_id sweep_options[] = {OPT_OUTPUT, OPT_DROP,  OPT_DEVICE, OPT_PLUGIN, OPT_JOBS,
                                   OPT_JSON,   OPT_QUIET, OPT_HELP,   OPTIONS};

/* ---- play ---- */

int sweep_into(const command *self, const arguments *args, const lab_experiment *x, const char *folder, int *whole)
{
  lab_tally t = {0};
  ofw_error err = {0};
  phase_begin(self, args, NOT_BEGUN, "checking the experiment");
  int code = lab_experiment_check(x, &err) == OFW_OK ? play_experiment(self, args, x, folder, &t) : refuse(self, &err);
  phase_end();
  *whole = !code;
  for (char *rest = t.refused, *line; (line = strsep(&rest, "\n")) && *line;)
    complain(self, 0, "%s", line);
  free(t.refused);
  if (!code && t.played == 0)
    complain(self, 0, "nothing to play: %s/results.db has all %zu plays", folder, t.cells);
  if (!code && t.failed > 0)
    return complain(self, EXIT_FAILED, "%zu of %zu plays failed; the first: %s", t.failed, t.cells, t.failure);
  return code;
}

/* ---- the table ---- */

/* Mean of a metric over an arm's plays that went well. */
static double mean(const results_cell *cell, size_t n, const char *metric)
{
  double sum = 0.0, count = 0.0;
  for (size_t i = 0; i < n; i++)
    if (results_is_shown(cell, n, i)) {
      sum += results_metric_of(&cell[i], results_metric_find(metric));
      count += 1.0;
    }
  return count > 0.0 ? sum / count : NAN;
}

/* The constants that were chosen, as multiples of their defaults: those of any play. */
static void print_options(const lab_measured *m)
{
  print_shown("  %s", m->arm->options);
  if (m->arm->tuned && m->plays.seeds)
    print_shown("%stuned: %s times %g, %s times %g", *m->arm->options ? "; " : "", m->arm->constant[0],
                m->plays.cell->factor[0], m->arm->constant[1], m->plays.cell->factor[1]);
  putchar('\n');
}

static void print_rows(const lab_rows *rows)
{
  int stream = 6, label = 7;
  for (const results_arm *arm = rows->arm; arm < rows->arm + rows->n; arm++) {
    stream = wider(stream, arm->stream);
    label = wider(label, arm->label);
  }
  printf("%-*s  %-*s %12s %12s %12s  %s\n", stream, "stream", label, "learner", "loss", "regret", "ccv", "options");
  for (const lab_measured *m = rows->row; m < rows->row + rows->n; m++) {
    print_shown("%-*s  %-*s", stream, m->arm->stream, label, m->arm->label);
    print_known(stdout, mean(m->cell, m->cells, "loss"));
    print_known(stdout, mean(m->cell, m->cells, "regret"));
    print_known(stdout, mean(m->cell, m->cells, "ccv"));
    print_options(m);
  }
}

static void print_json(results *r, const lab_rows *rows)
{
  json j = {0};
  json_open(&j, NULL);
  json_text(&j, "results", results_path(r));
  json_open_list(&j, "learners");
  for (const lab_measured *m = rows->row; m < rows->row + rows->n; m++) {
    json_open(&j, NULL);
    json_text(&j, "stream", m->arm->stream);
    json_text(&j, "label", m->arm->label);
    json_text(&j, "learner", m->arm->learner);
    json_text(&j, "options", m->arm->options);
    if (m->arm->tuned && m->plays.seeds) {
      json_open_list(&j, "constants");
      json_text(&j, NULL, m->arm->constant[0]);
      json_text(&j, NULL, m->arm->constant[1]);
      json_close_list(&j);
      json_reals(&j, "chosen", 2, m->plays.cell->factor);
    }
    json_real(&j, "loss", mean(m->cell, m->cells, "loss"));
    json_real(&j, "regret", mean(m->cell, m->cells, "regret"));
    json_real(&j, "ccv", mean(m->cell, m->cells, "ccv"));
    json_close(&j);
  }
  json_close_list(&j);
  json_close(&j);
  putchar('\n');
}

static int print_results(const command *self, const arguments *args, const char *folder)
{
  results *r;
  lab_rows rows = {0};
  ofw_error err = {0};
  ofw_status st = results_open(folder, &r, &err);
  if (st == OFW_OK)
    st = lab_rows_read(r, &rows, &err);
  if (st == OFW_OK && args->value[OPT_JSON])
    print_json(r, &rows);
  else if (st == OFW_OK)
    print_rows(&rows);
  lab_rows_free(&rows);
  results_close(r);
  return st == OFW_OK ? 0 : refuse(self, &err);
}

int sweep_main(const command *self, const arguments *args)
{
  lab_experiment x;
  int whole = 0;
  if (args->words == 0)
    return complain(self, EXIT_USAGE, "FILE is missing; see 'ofw help sweep'");
  int code = require(self, args, OPT_OUTPUT);
  if (code)
    return code;
  code = open_on_device(self, args, args->word[0], &file_library, &x);
  if (!code)
    code = sweep_into(self, args, &x, args->value[OPT_OUTPUT], &whole);
  lab_experiment_free(&x);
  int printed = whole ? print_results(self, args, args->value[OPT_OUTPUT]) : 0;
  return code ? code : printed;
}
