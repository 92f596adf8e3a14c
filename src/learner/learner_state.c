/* learner_state.c — a learner saved and loaded, alone or together with what it plays with
 *
 * The order of the walk is the format of saved states. A state of another epoch needs a learner of that epoch's horizon,
 * so loading may put a new learner into the old one's place.
 */
#include "learner/epochs.h"
#include "learner/hint.h"
#include "learner/method.h"

#include <string.h>

/* The account comes before the method's own state, what is kept besides comes after the engine's. */
static const ofw_field account[] = {
    {OFW_SAME(ofw_learner, since)},
    {OFW_SAME(ofw_learner, t)},
    {OFW_SAME(ofw_learner, Q)},
    {OFW_SAME(ofw_learner, asked)},
    {OFW_SAME(ofw_learner, failed)},
    {OFW_WORD("log_price", ofw_learner, info.log_price)},
    {OFW_WORD("log2_guess", ofw_learner, info.log2_guess)},
    {OFW_SAME(ofw_learner, sigma)},
    {OFW_WORD("gap", ofw_learner, info.gap)},
    {OFW_WORD("oracle_error", ofw_learner, info.oracle_error)},
    {OFW_FLAG("oracle_proven", ofw_learner, info.oracle_proven)},
    {OFW_WORD("steep", ofw_learner, info.steep)},
    {OFW_WORD("capped", ofw_learner, info.capped)},
    {0},
};
static const ofw_field kept[] = {
    {OFW_SAME(ofw_learner, steps)},
    {OFW_ARRAY("vertex", ofw_learner, vertex, dim)},
    {OFW_ARRAY("anchor", ofw_learner, anchor, anchor_words)},
    {0},
};

static ofw_status visit(void *object, ofw_visitor *v)
{
  ofw_learner *l = object;
  uint64_t horizon = (uint64_t)l->T;
  OFW_TRY(ofw_visit_u64(v, "horizon", &horizon, 1)); /* first, so that load can look at it */
  OFW_TRY(ofw_visit_fields(account, l, v));
  OFW_TRY(ofw_visit_fields(l->method->fields, l->state, v));
  if (l->method->visit)
    OFW_TRY(l->method->visit(l, v));
  if (l->method->loaded)
    l->method->loaded(l);
  if (l->accounts)
    OFW_TRY(ofw_accounts_visit(l->accounts, v));
  if (l->open)
    OFW_TRY(ofw_open_rounds_visit(l->open, v));
  OFW_TRY(l->engine->ops->visit(l->engine, v));
  OFW_TRY(ofw_visit_fields(kept, l, v));
  if (l->hinted) {
    OFW_TRY(ofw_visit_fields(ofw_hinted_fields, l->hinted, v));
    ofw_hint_report(l);
  }
  return l->K->ops->visit(l->work, v);
}

enum { MOST_PARTS = 3 };

/* The learner's walk, before those of what is saved with it. */
static size_t gather(ofw_learner *l, const ofw_saved *more, size_t n, ofw_saved part[MOST_PARTS])
{
  part[0] = (ofw_saved){l, visit, l->config};
  for (size_t i = 0; i < n; i++)
    part[i + 1] = more[i];
  return n + 1;
}

ofw_status ofw_learner_save_with(ofw_learner *l, const ofw_saved *more, size_t n, ofw_state *state, ofw_error *err)
{
  ofw_saved part[MOST_PARTS];
  return ofw_state_save(part, gather(l, more, n, part), state, err);
}

/* Whether limits had been told when this state was saved. */
static int was_hinted(const ofw_state *state)
{
  ofw_state_texts texts;
  ofw_state_item item;
  if (ofw_state_describe(state, &texts, NULL) != OFW_OK)
    return 0;
  size_t at = texts.items, length = strlen(ofw_hinted_fields[0].name);
  while (ofw_state_next(state, &at, &item))
    if (item.length == length && memcmp(item.name, ofw_hinted_fields[0].name, length) == 0)
      return 1;
  return 0;
}

/* Hints are in a state if one has come before it was saved, so that what takes them into account is there or not. */
static ofw_status load_hinted(ofw_learner *l, const ofw_saved *part, size_t n, const ofw_state *state, ofw_error *err)
{
  ofw_hinted *before = l->hinted;
  ofw_point point = l->point;
  l->hinted = NULL;
  if (was_hinted(state)) {
    ofw_status st = ofw_hint_make(l, err);
    if (st != OFW_OK) {
      l->hinted = before;
      return st;
    }
  } else
    l->point = (ofw_point){.at = l->point.at};
  ofw_status st = ofw_state_load(part, n, state, err);
  ofw_hint_close(st == OFW_OK ? before : l->hinted);
  if (st != OFW_OK) {
    l->hinted = before;
    l->point = point;
  }
  return st;
}

/* A state of another epoch is loaded into a learner of that epoch, which then takes l's place. */
ofw_status ofw_learner_load_with(ofw_learner *l, const ofw_saved *more, size_t n, const ofw_state *state,
                                 ofw_error *err)
{
  ofw_saved part[MOST_PARTS];
  uint64_t horizon;
  ofw_learner *before = NULL;
  if (l->epochs && ofw_state_first(state, "horizon", &horizon) && horizon != (uint64_t)l->T) {
    if (horizon < OFW_FIRST_EPOCH || horizon > (uint64_t)1 << 53)
      return ofw_fail(err, OFW_BAD_DATA, "the state is damaged: it has an epoch of %llu rounds",
                      (unsigned long long)horizon);
    OFW_TRY(ofw_epochs_enter(l, horizon, &before, err));
  }
  ofw_status st = l->method->hinted ? load_hinted(l, part, gather(l, more, n, part), state, err)
                                    : ofw_state_load(part, gather(l, more, n, part), state, err);
  if (before)
    ofw_epochs_settle(l, before, st == OFW_OK);
  return st;
}

ofw_status ofw_learner_load_state(ofw_learner *l, const ofw_state *state)
{
  ofw_error err = {0};
  ofw_status st = ofw_learner_load_with(l, NULL, 0, state, &err);
  if (st != OFW_OK || !l->failed)
    l->err = err;
  return st;
}

ofw_status ofw_learner_save_state(ofw_learner *l, ofw_state *state)
{
  ofw_learner_clear_error(l);
  return ofw_learner_save_with(l, NULL, 0, state, l->failed ? NULL : &l->err);
}
