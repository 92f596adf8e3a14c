/* cmd_sweep.c — ofw sweep: an experiment file, played into a results database */
#include "analysis.h"
#include "on_device.h"
#include "phase.h"
#include "shards.h"
#include "shown.h"
#include "suites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const option_id sweep_options[] = {OPT_OUTPUT, OPT_DROP,   OPT_DEVICE, OPT_PLUGIN, OPT_JOBS,  OPT_SHARDS,
                                   OPT_SLURM,  OPT_SBATCH, OPT_SHARD,  OPT_STAGE,  OPT_TUNED, OPT_MERGE,
                                   OPT_JSON,   OPT_QUIET,  OPT_HELP,   OPTIONS};

/* ---- play ---- */

void complain_lines(const command *self, char *lines)
{
  for (char *rest = lines, *line; (line = strsep(&rest, "\n")) && *line;)
    complain(self, 0, "%s", line);
  free(lines);
}

int complain_of_failures(const command *self, const lab_tally *t, int code)
{
  return complain(self, code, "%zu of %zu plays failed; the first: %s", t->failed, t->cells, t->failure);
}

int sweep_into(const command *self, const arguments *args, const lab_experiment *x, const char *folder, int *whole)
{
  lab_tally t = {0};
  ofw_error err = {0};
  phase_begin(self, args, NOT_BEGUN, "checking the experiment");
  int code = lab_experiment_check(x, &err) == OFW_OK ? play_experiment(self, args, x, folder, &t) : refuse(self, &err);
  phase_end();
  *whole = !code;
  complain_lines(self, t.refused);
  if (!code && t.cells == 0)
    complain(self, 0, "nothing to play: this shard has no part in the stage");
  else if (!code && t.played == 0)
    complain(self, 0, "nothing to play: %s/results.db has all %zu plays", folder, t.cells);
  int done = args->value[OPT_STAGE] && t.ended == 0; /* a shard; what failed for good, the last merge tells */
  return !code && t.failed > 0 ? complain_of_failures(self, &t, done ? 0 : EXIT_FAILED) : code;
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

/* The constants that were chosen, as multiples of their defaults: those of any play, or of a tuning without plays. NULL: none are. */
static const double *chosen(const lab_measured *m)
{
  if (!m->arm->tuned)
    return NULL;
  return m->plays.seeds ? m->plays.cell->factor : m->tuning.runs ? m->tuning.run[m->tuning.best].factor : NULL;
}

static void print_options(const lab_measured *m)
{
  const double *factor = chosen(m);
  print_shown("  %s", m->arm->options);
  if (factor)
    print_shown("%stuned: %s times %g, %s times %g", *m->arm->options ? "; " : "", m->arm->constant[0], factor[0],
                m->arm->constant[1], factor[1]);
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
    if (chosen(m)) {
      json_open_list(&j, "constants");
      json_text(&j, NULL, m->arm->constant[0]);
      json_text(&j, NULL, m->arm->constant[1]);
      json_close_list(&j);
      json_reals(&j, "chosen", 2, chosen(m));
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

int print_sweep(const command *self, const arguments *args, const char *folder)
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

void name_report(const command *self, const arguments *args, const char *folder)
{
  if (!args->value[OPT_QUIET] && !args->value[OPT_JSON])
    complain(self, 0, "'ofw report %s' makes a page of these results", folder);
}

/* ---- the command ---- */

static int sweep_file(const command *self, const arguments *args)
{
  lab_experiment x;
  int whole = 0, code = open_on_device(self, args, args->word[0], &file_library, &x);
  if (!code && args->value[OPT_SHARDS])
    code = sweep_by_script(self, args, &x);
  else if (!code)
    code = sweep_into(self, args, &x, args->value[OPT_OUTPUT], &whole);
  lab_experiment_free(&x);
  int shown = whole && (!args->value[OPT_STAGE] || args->value[OPT_JSON]); /* a shard's means say little */
  int printed = shown ? print_sweep(self, args, args->value[OPT_OUTPUT]) : 0;
  if (shown && !code && !printed)
    name_report(self, args, args->value[OPT_OUTPUT]);
  return code ? code : printed;
}

int sweep_main(const command *self, const arguments *args)
{
  if (args->words == 0)
    return complain(self, EXIT_USAGE, "%s is missing; see 'ofw help sweep'", args->value[OPT_MERGE] ? "DIR" : "FILE");
  if (args->words > 1 && !args->value[OPT_MERGE])
    return complain(self, EXIT_USAGE, "unexpected '%s'; see 'ofw help sweep'", args->word[1]);
  int code = require(self, args, OPT_OUTPUT);
  if (!code)
    code = check_shard_options(self, args);
  if (code)
    return code;
  return args->value[OPT_MERGE] ? sweep_merge(self, args) : sweep_file(self, args);
}
