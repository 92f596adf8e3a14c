/* cmd_sweep.c — ofw sweep: an experiment file, played into a results database */
#include "analysis.h"
#include "shown.h"

#include "base/limits.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const option_id sweep_options[] = {OPT_OUTPUT, OPT_DROP, OPT_JOBS, OPT_QUIET, OPT_HELP, OPTIONS};

int read_text(const command *self, const char *path, char **out)
{
  ofw_text text = {0};
  char part[4096];
  int plain = 1;
  FILE *in = fopen(path, "r");
  for (size_t got;
       in && text.length <= OFW_MOST_EXPERIMENT && plain && (got = fread(part, 1, sizeof part - 1, in)) > 0;) {
    part[got] = 0;
    plain &= strlen(part) == got;
    ofw_text_add(&text, "%s", part);
  }
  int why = !in || ferror(in) ? errno : text.failed ? ENOMEM : 0;
  ofw_text_add(&text, "%s", ""); /* also of an empty file */
  *out = text.chars;
  if (in)
    (void)fclose(in);
  if (!why && plain && text.length <= OFW_MOST_EXPERIMENT)
    return 0;
  free(text.chars);
  if (!why && plain)
    return complain(self, EXIT_USAGE, "%s: more than %d bytes", path, OFW_MOST_EXPERIMENT);
  return why ? complain(self, EXIT_BAD_DATA, "cannot read %s: %s", path, strerror(why))
             : complain(self, EXIT_USAGE, "%s: a byte 0 is in it", path);
}

/* ---- play ---- */

int sweep_into(const command *self, const arguments *args, const char *name, const char *text, const char *folder,
               int *whole)
{
  lab_experiment x;
  lab_tally t = {0};
  ofw_error err = {0};
  ofw_status st = lab_experiment_read(name, text, &x, &err);
  if (st == OFW_OK)
    st = lab_experiment_check(&x, &err);
  int code =
      st == OFW_OK ? play_experiment(self, args, &x, folder, &t) : complain(self, exit_code(st), "%s", err.message);
  *whole = !code;
  lab_experiment_free(&x);
  if (!code && t.played == 0)
    complain(self, 0, "nothing is left to play: %s/results.db has all %zu plays", folder, t.cells);
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

static void print_real(double x)
{
  if (isnan(x))
    printf(" %12s", "-");
  else
    printf(" %12.6g", x);
}

static int width_of(int width, const char *text)
{
  int length = (int)strlen(text);
  return length > width ? length : width;
}

/* The constants that were chosen, as multiples of their defaults: those of any play. */
static void print_options(const results_arm *arm, const results_cell *cell, size_t n)
{
  const results_cell *play = NULL;
  for (size_t i = 0; i < n && !play; i++)
    play = cell[i].tune ? NULL : &cell[i];
  print_shown("  %s", arm->options);
  if (arm->tuned && play)
    print_shown("%stuned: %s times %g, %s times %g", *arm->options ? "; " : "", arm->constant[0], play->factor[0],
                arm->constant[1], play->factor[1]);
  putchar('\n');
}

static ofw_status print_arms(results *r, const results_arm *arm, size_t arms, ofw_error *err)
{
  int stream = 6, label = 7;
  for (size_t i = 0; i < arms; i++) {
    stream = width_of(stream, arm[i].stream);
    label = width_of(label, arm[i].label);
  }
  printf("%-*s  %-*s %12s %12s %12s  %s\n", stream, "stream", label, "learner", "loss", "regret", "ccv", "options");
  for (size_t i = 0; i < arms; i++) {
    results_cell *cell;
    size_t n;
    ofw_status st = results_cells(r, arm[i].arm, &cell, &n, err);
    if (st != OFW_OK)
      return st;
    print_shown("%-*s  %-*s", stream, arm[i].stream, label, arm[i].label);
    print_real(mean(cell, n, "loss"));
    print_real(mean(cell, n, "regret"));
    print_real(mean(cell, n, "ccv"));
    print_options(&arm[i], cell, n);
    results_cells_free(cell, n);
  }
  return OFW_OK;
}

static int print_table(const command *self, const char *folder)
{
  results *r;
  results_arm *arm = NULL;
  size_t arms = 0;
  ofw_error err = {0};
  ofw_status st = results_open(folder, &r, &err);
  if (st == OFW_OK)
    st = results_arms(r, &arm, &arms, &err);
  if (st == OFW_OK)
    st = print_arms(r, arm, arms, &err);
  results_arms_free(arm, arms);
  results_close(r);
  return st == OFW_OK ? 0 : complain(self, exit_code(st), "%s", err.message);
}

int sweep_main(const command *self, const arguments *args)
{
  char *text;
  int whole;
  if (args->words == 0)
    return complain(self, EXIT_USAGE, "FILE is needed; see 'ofw help sweep'");
  int code = require(self, args, OPT_OUTPUT);
  if (!code)
    code = read_text(self, args->word[0], &text);
  if (code)
    return code;
  code = sweep_into(self, args, args->word[0], text, args->value[OPT_OUTPUT], &whole);
  free(text);
  int printed = whole ? print_table(self, args->value[OPT_OUTPUT]) : 0;
  return code ? code : printed;
}
