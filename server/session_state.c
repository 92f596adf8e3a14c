/* session_state.c — a session saved and loaded: the learner's state, and with it what the service keeps
 *
 * The order of the walk is the format of checkpoints.
 */
#include "server/session.h"

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
  uint64_t waits_for = s->waits_for;
  const ofw_packed rows = {&s->history, rows_size, rows_save, rows_check, rows_load};
  OFW_TRY(v->words(v->ctx, "waits_for", &waits_for, 1));
  s->waits_for = waits_for;
  OFW_TRY(v->words(v->ctx, "loss", &s->loss, 1));
  OFW_TRY(v->words(v->ctx, "constraint", &s->constraint, 1));
  OFW_TRY(v->words(v->ctx, "loss_sum", &s->loss_sum, 1));
  OFW_TRY(v->words(v->ctx, "digest", s->digest, SESSION_REPEATS));
  OFW_TRY(v->words(v->ctx, "stride", &s->history.stride, 1));
  return v->packed(v->ctx, "history", &rows);
}

/* The decision of a learner that was loaded, if it had not failed. */
static void decide_again(session *s)
{
  if (ofw_learner_decide(s->l, &s->x) != OFW_OK)
    s->x = NULL;
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
  return OFW_OK;
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
  s->waits_for = info.round;
  decide_again(s);
  return OFW_OK;
}
