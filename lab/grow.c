/* grow.c — which plays of a database a changed experiment still asks for, and where they go
 *
 * The database keeps the text that it was played from. Both texts make a plan; arms are matched by what they are, and the
 * cells of two matched arms by a walk along both, since a plan has them in order.
 */
#include "lab/grow.h"

#include "base/basics.h"

#include <stdlib.h>
#include <string.h>

/* ---- arms ---- */

static int by_text(const char *a, const char *b)
{
  return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

/* 0: they play the same. */
static int by_outcome(const lab_arm *a, const lab_arm *b)
{
  int order = by_text(a->source->spec, b->source->spec);
  order = order ? order : by_text(a->source->domain, b->source->domain);
  order = order ? order : by_text(a->player->learner, b->player->learner);
  order = order ? order : by_text(a->options, b->options);
  for (size_t k = 0; k < 2 && !order; k++) /* both NULL: neither is tuned */
    order = by_text(a->player->constant[k], b->player->constant[k]);
  return order;
}

/* Those that play the same in the order of the plan, so that the first of them matches the first. */
static int by_outcome_and_number(const void *left, const void *right)
{
  const lab_arm *a = *(const lab_arm *const *)left, *b = *(const lab_arm *const *)right;
  int order = by_outcome(a, b);
  return order ? order : (a > b) - (a < b);
}

static const lab_arm **sorted_arms(const lab_plan *plan)
{
  const lab_arm **at = ofw_array(plan->arms, sizeof *at);
  for (size_t i = 0; at && i < plan->arms; i++)
    at[i] = &plan->arm[i];
  if (at)
    qsort(at, plan->arms, sizeof *at, by_outcome_and_number);
  return at;
}

/* ---- cells ---- */

/* As a plan orders the cells of an arm. */
static int by_place(const lab_place *a, const lab_place *b)
{
  const uint64_t left[] = {!a->tune, a->run, a->rounds, a->seed, a->every};
  const uint64_t right[] = {!b->tune, b->run, b->rounds, b->seed, b->every};
  for (size_t i = 0; i < sizeof left / sizeof *left; i++)
    if (left[i] != right[i])
      return left[i] < right[i] ? -1 : 1;
  return 0;
}

/* Where the cells of an arm are in one that plays the same: out[number - 1]. */
static void match_cells(const lab_plan *was, const lab_arm *from, const lab_plan *plan, const lab_arm *to,
                        results_place *out)
{
  for (size_t i = 0, k = 0; i < from->tune + from->play && k < to->tune + to->play;) {
    lab_place a = lab_plan_place(was, from, i), b = lab_plan_place(plan, to, k);
    int order = by_place(&a, &b);
    if (order == 0)
      out[from->first + i] = (results_place){(int64_t)(to->first + k + 1), to - plan->arm + 1};
    i += order <= 0;
    k += order >= 0;
  }
}

static ofw_status match(const lab_plan *was, const lab_plan *plan, results_place *out, ofw_error *err)
{
  const lab_arm **from = sorted_arms(was), **to = sorted_arms(plan);
  ofw_status st = from && to ? OFW_OK : ofw_fail_memory(err, (was->arms + plan->arms) * sizeof *from);
  for (size_t i = 0, k = 0; st == OFW_OK && i < was->arms && k < plan->arms;) {
    int order = by_outcome(from[i], to[k]);
    if (order == 0)
      match_cells(was, from[i], plan, to[k], out);
    i += order <= 0;
    k += order >= 0;
  }
  free(from);
  free(to);
  return st;
}

/* ---- the database ---- */

/* What is there, by the plan that it was played by, and the plan that it is to be of. */
typedef struct growth {
  results *r;
  const lab_plan *was, *plan;
  results_cell *cell;
  size_t cells;
} growth;

ofw_status lab_check_cells(const lab_plan *plan, const char *path, const results_cell *cell, size_t n, ofw_error *err)
{
  for (const results_cell *c = cell; c < cell + n; c++) {
    const lab_arm *arm = (size_t)c->arm <= plan->arms ? &plan->arm[c->arm - 1] : NULL;
    size_t at = (size_t)c->cell - 1;
    if (arm && at >= arm->first && at - arm->first < arm->tune + arm->play) {
      lab_place p = lab_plan_place(plan, arm, at - arm->first);
      if (p.tune == c->tune && p.rounds == c->rounds && p.seed == c->seed)
        continue;
    }
    return ofw_fail(err, OFW_BAD_DATA, "%.300s is damaged: cell %lld is not part of its experiment", path,
                    (long long)c->cell);
  }
  return OFW_OK;
}

static ofw_status check_dropped(const growth *g, const results_place *to, ofw_error *err)
{
  size_t dropped = 0;
  for (size_t i = 0; i < g->cells; i++)
    dropped += to[g->cell[i].cell - 1].cell == 0;
  if (!dropped)
    return OFW_OK;
  return ofw_fail(
      err, OFW_USAGE,
      "%.200s: %.200s no longer asks for %zu of its %zu plays; --drop deletes them, another folder keeps them",
      results_path(g->r), g->plan->of->name, dropped, g->cells);
}

static ofw_status move_plays(const growth *g, const results_head *head, int drop, ofw_error *err)
{
  results_place *to = calloc(g->was->cells + 1, sizeof *to);
  ofw_status st = to ? match(g->was, g->plan, to, err) : ofw_fail_memory(err, g->was->cells * sizeof *to);
  if (st == OFW_OK && !drop)
    st = check_dropped(g, to, err);
  if (st == OFW_OK)
    st = results_renew(g->r, head, to, g->was->cells, err);
  free(to);
  return st;
}

ofw_status lab_plan_played(const char *path, const char *text, lab_experiment *x, lab_plan *out, ofw_error *err)
{
  ofw_status st = lab_experiment_read_played(path, text, x, err);
  if (st == OFW_OK)
    st = lab_plan_make(x, out, err);
  if (st == OFW_USAGE) /* whoever made the file, it was not ofw */
    st = err->status = OFW_BAD_DATA;
  return st;
}

ofw_status lab_grow(results *r, const lab_plan *plan, const results_head *head, int drop, ofw_error *err)
{
  char *text;
  lab_experiment x = {0};
  lab_plan was = {0};
  OFW_TRY(results_meta(r, "experiment", &text, err));
  int changed = strcmp(text, head->experiment) != 0;
  growth g = {.r = r, .was = changed ? &was : plan, .plan = plan};
  ofw_status st = changed ? lab_plan_played(results_path(r), text, &x, &was, err) : OFW_OK;
  if (st == OFW_OK)
    st = results_cells(r, 0, &g.cell, &g.cells, err);
  if (st == OFW_OK)
    st = lab_check_cells(g.was, results_path(r), g.cell, g.cells, err);
  if (st == OFW_OK && changed)
    st = move_plays(&g, head, drop, err);
  results_cells_free(g.cell, g.cells);
  lab_plan_free(&was);
  lab_experiment_free(&x);
  free(text);
  return st;
}
