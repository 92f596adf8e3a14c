/* choices_table.c — choices and comparisons as rows, for a reader of a CSV file or of JSON */
#include "choices_table.h"

static results_value text(const char *text)
{
  return text ? (results_value){.kind = RESULTS_TEXT, .text = text} : (results_value){.kind = RESULTS_NULL};
}

static results_value real(double x)
{
  return (results_value){.kind = RESULTS_REAL, .real = x};
}

/* ---- choices ---- */

static const char *const choice_columns[] = {
    "stream",  "label",      "options", "rule",         "seed",      "constant1", "factor1",     "constant2",
    "factor2", "loss_least", "loss",    "loss_largest", "ccv_least", "ccv",       "ccv_largest", "hypervolume",
};
enum { CHOICE_COLUMNS = sizeof choice_columns / sizeof *choice_columns };

typedef struct sink {
  choices_row *row;
  void *ctx;
} sink;

static void put_names(const sink *to, const char *const *name, size_t n)
{
  results_value value[CHOICE_COLUMNS];
  for (size_t i = 0; i < n; i++)
    value[i] = text(name[i]);
  to->row(to->ctx, value, n);
}

/* seed NULL: the choice is not one seed's */
static void put_pick(const sink *to, const lab_chosen *a, const char *rule, const uint64_t *seed, const lab_pick *p)
{
  const results_arm *arm = a->of->arm;
  results_value none = {.kind = RESULTS_NULL};
  results_value value[CHOICE_COLUMNS] = {
      text(arm->stream),
      text(arm->label),
      text(arm->options),
      text(rule),
      seed ? (results_value){.kind = RESULTS_COUNT, .count = (int64_t)*seed} : none,
      text(arm->constant[0]),
      p->run ? real(p->run->factor[0]) : none,
      text(arm->constant[1]),
      p->run ? real(p->run->factor[1]) : none,
      real(p->loss.least),
      real(p->loss.mean),
      real(p->loss.largest),
      real(p->ccv.least),
      real(p->ccv.mean),
      real(p->ccv.largest),
      real(a->hypervolume),
  };
  to->row(to->ctx, value, CHOICE_COLUMNS);
}

static void put_arm(const sink *to, const lab_chosen *a)
{
  if (!a->of->arm->tuned) {
    put_pick(to, a, "untuned", NULL, &a->by[LAB_BY_SCORE]);
    return;
  }
  for (int rule = 0; rule < LAB_RULES; rule++)
    put_pick(to, a, lab_rule_name((lab_rule)rule), NULL, &a->by[rule]);
  for (size_t k = 0; k < a->seeds; k++)
    put_pick(to, a, "by-seed", &a->of->cell[k].seed, &a->seed[k]);
  put_pick(to, a, "spread", NULL, &a->spread);
}

void choices_table(const lab_choices *c, choices_row *row, void *ctx)
{
  const sink to = {row, ctx};
  put_names(&to, choice_columns, CHOICE_COLUMNS);
  for (size_t i = 0; i < c->rows.n; i++)
    put_arm(&to, &c->arm[i]);
}

/* ---- claims ---- */

static const char *const claim_columns[] = {
    "rule",        "claim",     "text",     "stream", "metric", "better",  "than",
    "better_mean", "than_mean", "relative", "effect", "p",      "verdict", "agrees",
};
enum { CLAIM_COLUMNS = sizeof claim_columns / sizeof *claim_columns };
_Static_assert((int)CLAIM_COLUMNS <= (int)CHOICE_COLUMNS, "put_names has room for both");

static void put_compared(const sink *to, const lab_compared *c)
{
  const lab_claim *claim = c->of->claim;
  results_value value[CLAIM_COLUMNS] = {
      text(lab_rule_name(c->rule)),
      text(claim->label),
      text(claim->text),
      text(c->of->stream),
      text(c->metric),
      text(claim->better),
      text(c->of->than),
      real(c->mean[0]),
      real(c->mean[1]),
      real(c->relative),
      real(c->effect),
      real(c->p),
      text(lab_direction_name(c->direction)),
      text(c->agrees > 0    ? "yes"
           : c->agrees == 0 ? "no"
                            : NULL),
  };
  to->row(to->ctx, value, CLAIM_COLUMNS);
}

void choice_claims_table(const lab_choices *c, choices_row *row, void *ctx)
{
  const sink to = {row, ctx};
  put_names(&to, claim_columns, CLAIM_COLUMNS);
  for (size_t i = 0; i < c->n; i++)
    put_compared(&to, &c->compared[i]);
}
