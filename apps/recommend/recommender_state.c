/* recommender_state.c — a recommender saved and loaded, by one walk over all that changes */
#include "recommender_parts.h"

#include "base/limits.h"
#include "persist/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(seen) == 16, "a rating is two words of a state");

/* ---- the history, whose size changes ---- */

static size_t history_size(const void *object)
{
  return 2 * ((const recommender *)object)->count;
}

static void history_save(const void *object, void *words)
{
  const recommender *r = object;
  if (r->count > 0)
    memcpy(words, r->history, r->count * sizeof *r->history);
}

static ofw_status history_check(void *object, const void *words, size_t n, ofw_error *err)
{
  recommender *r = object;
  const unsigned char *at = words;
  if (n % 2 || n / 2 > OFW_MOST_RATINGS)
    return ofw_fail(err, OFW_BAD_DATA, "the state is damaged: history has %zu words", n);
  for (size_t k = 0; k < n / 2; k++) {
    seen s;
    memcpy(&s, at + k * sizeof s, sizeof s);
    if (s.user >= r->s.users || s.item >= r->s.items || !(fabs(s.value) <= 2.0 * RECOMMENDER_SCALE))
      return ofw_fail(err, OFW_BAD_DATA, "the state is damaged: place %zu of history has no rating", k);
  }
  r->loading = n / 2;
  if (r->loading <= r->count)
    return OFW_OK;
  OFW_TRY(ofw_grow(&r->history, r->count, r->loading - r->count, &r->room, sizeof *r->history, err));
  return ofw_grow(&r->residual, r->count, r->loading - r->count, &r->residual_room, sizeof *r->residual, err);
}

static void history_load(void *object, const void *words)
{
  recommender *r = object;
  r->count = r->loading;
  r->account.ratings = r->count;
  if (r->count > 0)
    memcpy(r->history, words, r->count * sizeof *r->history);
}

/* ---- the rest ---- */

static ofw_status visit_reals(ofw_visitor *v, const char *name, double *x, size_t n)
{
  return v->words(v->ctx, name, x, n);
}

static ofw_status visit_cap(cap_state *c, size_t users, size_t items, ofw_visitor *v)
{
  double *one[] = {&c->users, &c->sum_first, &c->sum_paid, &c->sum_free, &c->base};
  static const char *const name[] = {"cap_users", "cap_first", "cap_paid", "cap_free", "cap_base"};
  for (size_t i = 0; i < sizeof one / sizeof *one; i++)
    OFW_TRY(visit_reals(v, name[i], one[i], 1));
  OFW_TRY(ofw_visit_u64(v, "cap_round", &c->round, 1));
  OFW_TRY(ofw_visit_u64(v, "cap_ratings", &c->ratings, 1));
  OFW_TRY(ofw_visit_u64(v, "cap_met", c->met, users));
  OFW_TRY(visit_reals(v, "cap_user_paid", c->paid, users));
  OFW_TRY(visit_reals(v, "cap_user_free", c->free, users));
  OFW_TRY(visit_reals(v, "cap_share", c->share, c->group));
  return visit_reals(v, "cap_item_share", c->item_share, items);
}

static ofw_status visit_numbers(recommender *r, ofw_visitor *v)
{
  const struct {
    const char *name;
    double *x;
    size_t n;
  } item[] = {{"square_error", &r->account.square_error, 1},
              {"error", &r->account.error, 1},
              {"violation", &r->account.violation, 1},
              {"sum", &r->sum, 1},
              {"logs", &r->logs, 1},
              {"row", r->row, r->s.users * r->width},
              {"column", r->column, r->s.items * r->width},
              {"equations", r->equations, r->s.users * row_words(r->width)},
              {"misses", r->misses, r->s.items},
              {"times", r->times, r->s.items},
              {"log_times", r->log_times, r->s.items},
              {"session", r->session, 2 * r->s.users},
              {"weights", r->mixing.w, MIXED},
              {"covariance", r->mixing.S, (size_t)MIXED * MIXED}};
  for (size_t i = 0; i < sizeof item / sizeof *item; i++)
    OFW_TRY(visit_reals(v, item[i].name, item[i].x, item[i].n));
  return OFW_OK;
}

static ofw_status visit(void *object, ofw_visitor *v)
{
  recommender *r = object;
  const ofw_packed history = {r, history_size, history_save, history_check, history_load};
  OFW_TRY(ofw_visit_u64(v, "t", &r->account.ratings, 1));
  OFW_TRY(ofw_visit_u64(v, "rounds", &r->account.rounds, 1));
  OFW_TRY(ofw_visit_u64(v, "next_replay", &r->next_replay, 1));
  OFW_TRY(ofw_visit_u64(v, "replays", &r->replays, 1));
  OFW_TRY(v->packed(v->ctx, "history", &history));
  OFW_TRY(visit_numbers(r, v));
  return r->cap.group ? visit_cap(&r->cap, r->s.users, r->s.items, v) : OFW_OK;
}

/* ---- the two ways ---- */

/* The settings as a text, the group by its checksum; NULL: no memory. */
static char *describe(const recommender *r)
{
  const recommender_settings *s = &r->s;
  ofw_text text = {0};
  recommender_constants constants = s->constants;
  char lowest[OFW_REAL_TEXT], highest[OFW_REAL_TEXT], cap[OFW_REAL_TEXT];
  uint64_t group = 14695981039346656037u;
  for (size_t k = 0; k < r->cap.group; k++)
    group = (group ^ r->cap.item[k]) * 1099511628211u;
  ofw_text_add(&text, "recommender revision=1 users=%zu items=%zu lowest=%s highest=%s seed=%llu", s->users, s->items,
               ofw_print_real(s->lowest, lowest), ofw_print_real(s->highest, highest), (unsigned long long)s->seed);
  if (r->cap.group)
    ofw_text_add(&text, " group=%zu/%016llx cap=%s round=%zu", s->group, (unsigned long long)group,
                 ofw_print_real(s->cap, cap), s->round);
  ofw_options_print((ofw_options){recommender_options, &constants, 0}, &text);
  if (!text.failed)
    return text.chars;
  free(text.chars);
  return NULL;
}

static ofw_status walk(recommender *r, const char *config, ofw_state *to, const ofw_state *from, ofw_error *err)
{
  char *settings = describe(r);
  if (!settings)
    return ofw_fail_memory(err, 1);
  const ofw_saved parts[] = {{r, visit, settings}, {NULL, NULL, config}};
  ofw_status st = to ? ofw_state_save(parts, 2, to, err) : ofw_state_load(parts, 2, from, err);
  free(settings);
  return st;
}

ofw_status recommender_save(recommender *r, const char *config, ofw_state *state, ofw_error *err)
{
  return walk(r, config, state, NULL, err);
}

ofw_status recommender_load(recommender *r, const char *config, const ofw_state *state, ofw_error *err)
{
  return walk(r, config, NULL, state, err);
}
