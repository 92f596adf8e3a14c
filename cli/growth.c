/* growth.c — ofw growth: plays rows of horizons and seeds, fits how they grow, tells what that says of the theory */
#include "growth.h"

#include <stdlib.h>

const option_id growth_options[] = {OPT_SUITE,   OPT_LEARNER, OPT_STREAM, OPT_DOMAIN,     OPT_CONSTANTS,
                                    OPT_ROUNDS,  OPT_QUICK,   OPT_SEEDS,  OPT_TUNE_SEEDS, OPT_SEED,
                                    OPT_HORIZON, OPT_SET,     OPT_JOBS,   OPT_OUTPUT,     OPT_CSV,
                                    OPT_FIGURE,  OPT_JSON,    OPT_QUIET,  OPT_HELP,       OPTIONS};

/* ---- play ---- */

/* What waits for nothing, then the second halves of the tunings, then the rows that wait for them. */
enum { FIRST, SECOND, TUNED, STAGES };

typedef struct list {
  lab_cell **cell;
  size_t n;
} list;

static void add_cells(list *l, lab_cell *cell, size_t n)
{
  for (size_t i = 0; i < n; i++)
    l->cell[l->n++] = &cell[i];
}

static int collect(growth *g, int stage, list *l)
{
  ofw_error err = {0};
  l->n = 0;
  for (size_t i = 0; i < g->tunings && stage != TUNED; i++)
    add_cells(l, lab_tuning_half(&g->tuning[i], stage == SECOND), LAB_GRID * g->tuning[i].seeds);
  for (size_t i = 0; i < g->tunings && stage == TUNED; i++)
    if (lab_tuning_settle(&g->tuning[i], &err) != OFW_OK)
      return complain(g->self, EXIT_FAILED, "%s", err.message);
  for (size_t i = 0; i < g->rows && stage != SECOND; i++) {
    lab_row *row = &g->row[i];
    if ((row->tuning != NULL) != (stage == TUNED))
      continue;
    if (row->tuning)
      lab_row_take_tuning(row);
    add_cells(l, row->cell, row->horizons * row->seeds);
  }
  return 0;
}

static size_t plan(const growth *g, session *s)
{
  for (size_t i = 0; i < g->rows; i++)
    for (size_t h = 0; h < g->horizons; h++)
      session_plan(s, g->row[i].seeds, g->rounds[h]);
  for (size_t i = 0; i < g->tunings; i++)
    session_plan(s, LAB_TUNE_RUNS * g->tuning[i].seeds, g->tuning[i].rounds);
  return s->progress.cells;
}

static int play(growth *g, session *s)
{
  list l = {.cell = calloc(plan(g, s) + 1, sizeof *l.cell)};
  int code = l.cell ? 0 : complain(g->self, EXIT_FAILED, "out of memory for %zu plays", s->progress.cells);
  for (int stage = FIRST; stage < STAGES && !code; stage++)
    if (!(code = collect(g, stage, &l)))
      code = session_play(s, l.cell, l.n);
  free(l.cell);
  return code;
}

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
    code = growth_can_draw(&g);
  if (!code && !(code = session_open(self, args, &s)))
    code = play(&g, &s);
  if (!code)
    code = fit(&g);
  if (!code)
    code = tell(&g);
  session_close(&s);
  growth_free(&g);
  return code;
}
