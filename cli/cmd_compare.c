/* cmd_compare.c — ofw compare: learners and rivals, tuned alike, played on the same seeds and tested in pairs */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const option_id compare_options[] = {OPT_SUITE, OPT_LEARNER, OPT_RIVAL, OPT_STREAM,     OPT_DOMAIN, OPT_ROUNDS,
                                     OPT_QUICK, OPT_SEEDS,   OPT_SEED,  OPT_TUNE_SEEDS, OPT_JOBS,   OPT_OUTPUT,
                                     OPT_DROP,  OPT_PLUGIN,  OPT_JSON,  OPT_QUIET,      OPT_HELP,   OPTIONS};

/* ---- entries and duels ---- */

static ofw_status name_entries(compare *c, ofw_error *err)
{
  size_t n = c->found.rows.n;
  c->entry = ofw_owned_take(&c->owned, calloc(n + 1, sizeof *c->entry), (n + 1) * sizeof *c->entry);
  for (size_t i = 0; i < n && c->entry; i++) {
    const results_arm *arm = c->found.rows.row[i].arm;
    char *name = ofw_format("%s%s%s", arm->learner, *arm->options ? ":" : "", arm->options);
    for (char *at = name ? strchr(name, ' ') : NULL; at; at = strchr(at, ' '))
      *at = ',';
    c->entry[i] = (entry){&c->found.rows.row[i], ofw_owned_take(&c->owned, name, strlen(arm->options))};
  }
  return ofw_owned_check(&c->owned, err);
}

static const entry *find_entry(const compare *c, const char *label, const char *stream)
{
  const entry *e = c->entry;
  while (e->of && (strcmp(e->of->arm->label, label) != 0 || strcmp(e->of->arm->stream, stream) != 0))
    e++;
  return e;
}

/* Of the three judgements on a pair, regret, loss and violation, the two that count. */
static void add_duel(compare *c, lab_judgement *j)
{
  int by_loss = isnan(j->mean[0]) && isnan(j->mean[1]);
  c->duel[c->duels++] = (duel){.learner = find_entry(c, j->claim->better, j->stream),
                               .rival = find_entry(c, j->than, j->stream),
                               .of = {by_loss ? j + 1 : j, j + 2}};
}

/* Corrects p again for all duels and both metrics: the third judgement of each is no test of theirs. */
static ofw_status correct(compare *c, ofw_error *err)
{
  size_t n = METRICS * c->duels;
  lab_judgement **tested = ofw_owned_array(&c->owned, n, sizeof *tested);
  for (size_t i = 0; i < n && tested; i++)
    tested[i] = c->duel[i / METRICS].of[i % METRICS];
  OFW_TRY(ofw_owned_check(&c->owned, err));
  return lab_claims_correct(tested, n, err);
}

static ofw_status judge(compare *c, ofw_error *err)
{
  const lab_experiment *x = &c->found.of;
  size_t n;
  OFW_TRY(name_entries(c, err));
  OFW_TRY(lab_claims_judge(x, c->found.from, &c->judged, &n, err));
  c->judged = ofw_owned_take(&c->owned, c->judged, n * sizeof *c->judged);
  c->duel = ofw_owned_array(&c->owned, n, sizeof *c->duel);
  OFW_TRY(ofw_owned_check(&c->owned, err));
  for (size_t s = 0; s < x->sources; s++)
    for (size_t i = 0; i < n; i += 3)
      if (c->judged[i].stream == x->source[s].label)
        add_duel(c, &c->judged[i]);
  return correct(c, err);
}

/* What failed is told once all is printed: the rest stands. */
static int tell_failures(const command *self, const compare *c)
{
  for (const entry *e = c->entry; e->of; e++)
    for (size_t k = 0; k < e->of->plays.seeds; k++) {
      const results_cell *cell = &e->of->plays.cell[k];
      if (cell->error)
        return complain(self, (int)cell->exit_code, "%s on %s failed: %s", e->name, e->of->arm->stream_spec,
                        cell->error);
    }
  return 0;
}

static int tell(const command *self, const arguments *args, compare *c)
{
  ofw_error err = {0};
  if (judge(c, &err) != OFW_OK)
    return refuse(self, &err);
  (args->value[OPT_JSON] ? compare_print_json : compare_print_table)(c);
  return tell_failures(self, c);
}

int compare_main(const command *self, const arguments *args)
{
  compare c = {0};
  ofw_text text = {0};
  int code = compare_plan(self, args, &text);
  if (code)
    free(text.chars);
  else if (!(code = analysis_open(self, args, &text, &c.found)))
    code = tell(self, args, &c);
  ofw_owned_free(&c.owned);
  analysis_close(&c.found);
  return code;
}
