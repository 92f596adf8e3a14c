/* join.c — the items of several ranks' states, with those that are kept by rows cut at other rows
 *
 * Two items are kept by rows: the engine's factors, and the u of the first decision, if the method pulls back to it
 * (learner/first_decision.c). Every other one is the same at all ranks, but for the seconds, which are the first rank's.
 */
#include "run/join.h"

#include "engine/factored_join.h"
#include "persist/walk.h"

#include <stdlib.h>
#include <string.h>

typedef struct joining {
  const ofw_split *to;
  size_t cols, n;
  const ofw_piece *piece;
  size_t *at;                /* where the next item of each piece is */
  ofw_factored_piece *found; /* its words */
  ofw_error *err;
} joining;

static int is_called(const ofw_state_item *item, const char *name)
{
  return item->length == strlen(name) && memcmp(item->name, name, item->length) == 0;
}

/* u by rows; v and c, which follow, are in every piece. */
static ofw_status join_anchor(const joining *j, uint64_t **words, size_t *count)
{
  size_t to = j->to->first, end = to + j->to->here;
  *count = j->to->here + j->cols + 1;
  *words = ofw_array(*count, sizeof **words);
  if (!*words)
    return ofw_fail_memory(j->err, *count * sizeof **words);
  for (size_t i = 0; i < j->n; i++) {
    const ofw_factored_piece *p = &j->found[i];
    if (p->count != p->here + j->cols + 1) {
      free(*words);
      return ofw_fail(j->err, OFW_BAD_DATA, "the states of the ranks do not fit together");
    }
    for (size_t row = p->first > to ? p->first : to; row < p->first + p->here && row < end; row++)
      (*words)[row - to] = p->words[row - p->first];
  }
  memcpy(*words + j->to->here, j->found->words + j->found->here, (j->cols + 1) * sizeof **words);
  return OFW_OK;
}

/* One item of every piece. */
static ofw_status visit_item(const joining *j, const ofw_state_item *first, ofw_visitor *v)
{
  char name[64];
  uint64_t *words = NULL;
  size_t count = 0;
  int factors = is_called(first, "factored"), anchor = is_called(first, "anchor");
  if (first->length >= sizeof name)
    return ofw_fail(j->err, OFW_BAD_DATA, "the state is damaged: an item's name is too long");
  memcpy(name, first->name, first->length);
  name[first->length] = 0;
  if (!factors && !anchor)
    return v->words(v->ctx, name, (void *)(uintptr_t)first->words, first->count);
  OFW_TRY(factors ? ofw_factored_join(j->to, j->cols, j->n, j->found, &words, &count, j->err)
                  : join_anchor(j, &words, &count));
  ofw_status st = v->words(v->ctx, name, words, count);
  free(words);
  return st;
}

/* The same item of the pieces after the first. */
static ofw_status find_item(const joining *j, const ofw_state_item *first, size_t i)
{
  const ofw_piece *p = &j->piece[i];
  ofw_state_item item = *first;
  if (i > 0 && (!ofw_state_next(&p->state, &j->at[i], &item) || item.length != first->length ||
                memcmp(item.name, first->name, item.length) != 0))
    return ofw_fail(j->err, OFW_BAD_DATA, "the states of the ranks do not fit together");
  j->found[i] = (ofw_factored_piece){p->first, p->here, (const uint64_t *)(const void *)item.words, item.count};
  return OFW_OK;
}

static ofw_status visit(void *object, ofw_visitor *v)
{
  const joining *j = object;
  ofw_state_item item;
  ofw_state_texts texts;
  for (size_t i = 0; i < j->n; i++) {
    OFW_TRY(ofw_state_describe(&j->piece[i].state, &texts, j->err));
    j->at[i] = texts.items;
  }
  while (ofw_state_next(&j->piece->state, &j->at[0], &item)) {
    for (size_t i = 0; i < j->n; i++)
      OFW_TRY(find_item(j, &item, i));
    OFW_TRY(visit_item(j, &item, v));
  }
  return OFW_OK;
}

/* The configurations of the first piece, each with its ending 0; the first part has all items. */
static ofw_status save(joining *j, ofw_state *out)
{
  enum { MOST = 8 };
  ofw_saved part[MOST];
  ofw_state_texts texts;
  size_t n = 0;
  OFW_TRY(ofw_state_describe(&j->piece->state, &texts, j->err));
  for (const char *text = texts.config; text && text < texts.config_end && n < MOST; text += strlen(text) + 1, n++)
    part[n] = (ofw_saved){j, n == 0 ? visit : NULL, text};
  ofw_error why = {0};
  ofw_status st = ofw_state_save(part, n, out, &why);
  return st != OFW_OK && !j->err->message[0] ? ofw_fail(j->err, st, "%s", why.message) : st;
}

ofw_status ofw_run_join(const ofw_split *to, size_t cols, size_t n, const ofw_piece *piece, ofw_state *out,
                        ofw_error *err)
{
  size_t *at = ofw_array(n, sizeof *at);
  ofw_factored_piece *found = ofw_array(n, sizeof *found);
  ofw_status st = at && found ? OFW_OK : ofw_fail_memory(err, n * sizeof *found);
  joining j = {to, cols, n, piece, at, found, err};
  if (st == OFW_OK)
    st = save(&j, out);
  free(at);
  free(found);
  return st;
}
