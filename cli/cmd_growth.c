/* cmd_growth.c — ofw growth: plays rows of horizons and seeds, fits how they grow, tells what that says of the theory */
#include "gnuplot.h"
#include "growth.h"

const option_id growth_options[] = {OPT_SUITE,   OPT_LEARNER, OPT_STREAM, OPT_DOMAIN,     OPT_CONSTANTS,
                                    OPT_ROUNDS,  OPT_QUICK,   OPT_SEEDS,  OPT_TUNE_SEEDS, OPT_SEED,
                                    OPT_HORIZON, OPT_SET,     OPT_JOBS,   OPT_OUTPUT,     OPT_CSV,
                                    OPT_FIGURE,  OPT_JSON,    OPT_QUIET,  OPT_HELP,       OPTIONS};

/* ---- results ---- */

static int fit(growth *g)
{
  ofw_error err = {0};
  for (size_t i = 0; i < g->rows; i++)
    if (lab_row_fit(&g->row[i], g->seed, &err) != OFW_OK)
      return complain(g->self, EXIT_FAILED, "%s", err.message);
  return 0;
}

/* What failed is told once all is printed: the rest stands. */
static int tell_failures(const growth *g)
{
  size_t failed = 0, all = 0;
  const lab_cell *first = NULL;
  for (size_t i = 0; i < g->rows; i++)
    for (size_t k = 0; k < g->row[i].horizons * g->row[i].seeds; k++, all++)
      if (g->row[i].cell[k].result->status != OFW_OK) {
        first = first ? first : &g->row[i].cell[k];
        failed++;
      }
  if (!first)
    return 0;
  return complain(g->self, exit_code(first->result->status),
                  "%zu of %zu plays failed; the first: %s on %s, T = %llu: %s", failed, all, first->of->learner,
                  first->of->stream, (unsigned long long)first->rounds, first->result->error);
}

static int tell(const growth *g)
{
  const char *csv = g->args->value[OPT_CSV], *figure = g->args->value[OPT_FIGURE];
  int code = 0;
  if (g->args->value[OPT_JSON])
    growth_print_json(g);
  else
    growth_print_table(g);
  if (csv)
    code = growth_write_csv(g, csv);
  if (!code && figure)
    code = growth_draw(g, figure);
  int failures = tell_failures(g);
  return code ? code : failures;
}

int growth_main(const command *self, const arguments *args)
{
  growth g = {.self = self, .args = args};
  session s = {0};
  int code = growth_plan(&g);
  if (!code && args->value[OPT_FIGURE])
    code = gnuplot_check(self, args->value[OPT_FIGURE]);
  if (!code && !(code = session_open(self, args, &s)))
    code = session_play_rows(&s, g.row, g.rows, g.tuning, g.tunings);
  if (!code)
    code = fit(&g);
  if (!code)
    code = tell(&g);
  session_close(&s);
  growth_free(&g);
  return code;
}
