/* cmd_growth.c — ofw growth: plays arms at several horizons, fits their growth and compares it with the theory */
#include "figure_file.h"
#include "growth.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const option_id growth_options[] = {OPT_SUITE, OPT_LEARNER, OPT_STREAM,     OPT_DOMAIN, OPT_CONSTANTS, OPT_ROUNDS,
                                    OPT_QUICK, OPT_SEEDS,   OPT_TUNE_SEEDS, OPT_SEED,   OPT_HORIZON,   OPT_SET,
                                    OPT_JOBS,  OPT_OUTPUT,  OPT_DROP,       OPT_CSV,    OPT_FIGURE,    OPT_JSON,
                                    OPT_QUIET, OPT_HELP,    OPTIONS};

/* ---- results ---- */

/* Arms stand stream by stream; rows, learner by learner. */
static int fit_learner(growth *g, const char *learner)
{
  ofw_error err = {0};
  const ofw_promise *p = lab_promise(NULL, learner);
  const ofw_rate regret = p ? p->regret : (ofw_rate){0}, ccv = p ? p->ccv : (ofw_rate){0};
  for (size_t i = 0; i < g->found.rows.n; i++) {
    const lab_measured *m = &g->found.rows.row[i];
    if (strcmp(m->arm->learner, learner) != 0)
      continue;
    growth_row *row = &g->row[g->rows++];
    *row = (growth_row){.of = m, .constants = m->arm->label + strlen(learner) + 1}; /* [learner NAME CONSTANTS] */
    if (lab_plays_fit(&m->plays, offsetof(results_cell, regret), regret, g->seed, &row->regret, &err) != OFW_OK ||
        lab_plays_fit(&m->plays, offsetof(results_cell, ccv), ccv, g->seed, &row->ccv, &err) != OFW_OK)
      return complain(g->self, EXIT_FAILED, "%s", err.message);
  }
  return 0;
}

static int fit(growth *g)
{
  int code = 0;
  g->row = ofw_owned_array(&g->owned, g->found.rows.n, sizeof *g->row);
  if (!g->row)
    return no_memory(g->self);
  for (size_t i = 0; i < g->learners && !code; i++)
    code = fit_learner(g, g->learner[i]);
  return code;
}

/* What failed is told once all is printed: the rest stands. */
static int tell_failures(const growth *g)
{
  size_t failed = 0, all = 0;
  const results_cell *first = NULL;
  const results_arm *of = NULL;
  for (size_t i = 0; i < g->rows; i++) {
    const lab_plays *p = &g->row[i].of->plays;
    for (size_t k = 0; k < p->horizons * p->seeds; k++, all++)
      if (p->cell[k].error && failed++ == 0) {
        first = &p->cell[k];
        of = g->row[i].of->arm;
      }
  }
  if (!first)
    return 0;
  return complain(g->self, (int)first->exit_code, "%zu of %zu plays failed; the first: %s on %s, T = %llu: %s", failed,
                  all, of->learner, of->stream_spec, (unsigned long long)first->rounds, first->error);
}

static int tell(const growth *g)
{
  const char *csv = g->args->value[OPT_CSV], *drawn = g->args->value[OPT_FIGURE];
  int code = 0;
  if (g->args->value[OPT_JSON])
    growth_print_json(g);
  else
    growth_print_table(g);
  if (csv)
    code = growth_write_csv(g, csv);
  if (!code && drawn)
    code = growth_draw(g, drawn);
  int failures = tell_failures(g);
  return code ? code : failures;
}

static void free_all(growth *g)
{
  analysis_close(&g->found);
  lab_experiment_free(&g->suite);
  ofw_owned_free(&g->owned);
  free(g->left);
  free(g);
}

int growth_main(const command *self, const arguments *args)
{
  growth *g = calloc(1, sizeof *g);
  if (!g)
    return no_memory(self);
  g->self = self;
  g->args = args;
  int code = growth_plan(g);
  if (!code && args->value[OPT_FIGURE])
    code = figure_file_check(self, args->value[OPT_FIGURE]);
  if (code)
    free(g->text.chars);
  else if (!(code = analysis_open(self, args, &g->text, &g->found)) && !(code = fit(g)))
    code = tell(g);
  free_all(g);
  return code;
}
