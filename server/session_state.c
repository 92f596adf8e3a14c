/* session_state.c — a session saved and loaded: the learner's state, and with it what the service keeps
 *
 * The order of the walk is the format of checkpoints.
 */
#include "server/session.h"

#include <inttypes.h>
#include <string.h>

/* ---- rows, of which there are more or fewer: their number, then they ---- */

static size_t rows_size(const void *object)
{
  return 1 + ((const history *)object)->rows * COLUMNS;
}

static void rows_save(const void *object, void *words)
{
  const history *h = object;
  uint64_t rows = h->rows;
  memcpy(words, &rows, sizeof rows);
  if (rows > 0)
    memcpy((char *)words + sizeof rows, h->number, h->rows * COLUMNS * sizeof *h->number);
}

static ofw_status rows_check(void *object, const void *words, size_t n, ofw_error *err)
{
  history *h = object;
  uint64_t rows = HISTORY_MOST + 1;
  if (n > 0)
    memcpy(&rows, words, sizeof rows);
  if (rows > HISTORY_MOST || n != 1 + rows * COLUMNS)
    return ofw_fail(err, OFW_BAD_DATA, "expected at most %d rows of %d numbers", HISTORY_MOST, COLUMNS);
  return ofw_grow(&h->number, 0, n, &h->room, sizeof *h->number, err);
}

static void rows_load(void *object, const void *words)
{
  history *h = object;
  uint64_t rows;
  memcpy(&rows, words, sizeof rows);
  h->rows = (size_t)rows;
  memcpy(h->number, (const char *)words + sizeof rows, h->rows * COLUMNS * sizeof *h->number);
}

/* ---- all of it ---- */

static ofw_status visit(void *object, ofw_visitor *v)
{
  session *s = object;
  uint64_t answered = s->answered;
  const ofw_packed rows = {&s->history, rows_size, rows_save, rows_check, rows_load};
  OFW_TRY(v->words(v->ctx, "answered", &answered, 1));
  s->answered = answered;
  OFW_TRY(v->words(v->ctx, "loss", &s->loss, 1));
  OFW_TRY(v->words(v->ctx, "constraint", &s->constraint, 1));
  OFW_TRY(v->words(v->ctx, "loss_sum", &s->loss_sum, 1));
  OFW_TRY(v->words(v->ctx, "repeat_round", s->repeats.round, REPEATS_MOST));
  OFW_TRY(v->words(v->ctx, "repeat_digest", s->repeats.digest, REPEATS_MOST));
  OFW_TRY(v->words(v->ctx, "stride", &s->history.stride, 1));
  OFW_TRY(v->packed(v->ctx, "history", &rows));
  return s->delay ? open_decisions_visit(&s->open, v) : OFW_OK;
}

/* Where a learner is that was loaded, if it had not failed; with a delay its open rounds have their decisions. */
static void decide_again(session *s)
{
  s->decided = s->delay ? s->l->t + s->l->open->count : s->answered + 1;
  s->x = s->l->failed ? NULL : &s->l->point;
  if (!s->delay && ofw_learner_decide(s->l, &s->x) != OFW_OK)
    s->x = NULL;
}

/* Open rounds have been decided, and a decision that is kept is that of an open round. */
static ofw_status check_open(const session *s, ofw_error *err)
{
  const ofw_open_rounds *open = s->l->open;
  if (open && open->count && open->list[open->count - 1].round > s->decided)
    return ofw_fail(err, OFW_BAD_DATA, "round %" PRIu64 " is open, and only %" PRIu64 " rounds are decided",
                    open->list[open->count - 1].round, s->decided);
  for (size_t k = 0; k < s->open.count; k++)
    if (ofw_open_rounds_find(open, s->open.list[k].round) == open->count)
      return ofw_fail(err, OFW_BAD_DATA, "there is a decision of round %" PRIu64 ", which is not open",
                      s->open.list[k].round);
  return OFW_OK;
}

ofw_status session_save(session *s, ofw_state *state, ofw_error *err)
{
  const ofw_saved part = {s, visit, "serve"};
  return ofw_learner_save_with(s->l, &part, 1, state, err);
}

ofw_status session_load(session *s, const ofw_state *state, ofw_error *err)
{
  const ofw_saved part = {s, visit, "serve"};
  OFW_TRY(ofw_learner_load_with(s->l, &part, 1, state, err));
  decide_again(s);
  return check_open(s, err);
}

ofw_status session_export(session *s, ofw_state *state, ofw_error *err)
{
  return ofw_learner_save_with(s->l, NULL, 0, state, err);
}

ofw_status session_import(session *s, const ofw_state *state, ofw_error *err)
{
  ofw_info info = {.size = sizeof info};
  OFW_TRY(ofw_learner_load_with(s->l, NULL, 0, state, err));
  ofw_learner_info(s->l, &info);
  s->answered = info.round - 1 - (s->delay ? info.open : 0);
  decide_again(s);
  return check_open(s, err);
}
