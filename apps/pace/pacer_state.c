/* pacer_state.c — a pacer saved and loaded with its learner, by one walk over all that changes */
#include "pacer_parts.h"

#include "learner/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(auction) == 16 && sizeof(pacer_account) == 48, "both are whole words of a state");

/* ---- what has no fixed size, or must be looked at before it is used ---- */

/* The campaigns' names, each with its ending 0: what is kept by place must be of the same ones. */
static size_t names_length(const pacer *p)
{
  size_t n = 0;
  for (size_t i = 0; i < p->campaigns; i++)
    n += strlen(p->budgets->campaign[i].name) + 1;
  return n;
}

static size_t names_size(const void *object)
{
  return (names_length(object) + 7) / 8;
}

static void names_save(const void *object, void *words)
{
  const pacer *p = object;
  char *at = words;
  for (size_t i = 0; i < p->campaigns; i++) {
    size_t n = strlen(p->budgets->campaign[i].name) + 1;
    memcpy(at, p->budgets->campaign[i].name, n);
    at += n;
  }
  memset(at, 0, 8 * names_size(p) - names_length(p));
}

static ofw_status names_check(void *object, const void *words, size_t n, ofw_error *err)
{
  const pacer *p = object;
  char *mine = ofw_array(n + 1, 8);
  if (!mine)
    return ofw_fail_memory(err, 8 * n);
  int same = n == names_size(p);
  if (same)
    names_save(p, mine);
  same = same && memcmp(mine, words, 8 * n) == 0;
  free(mine);
  return same ? OFW_OK
              : ofw_fail(err, OFW_BAD_DATA,
                         "the state is of other campaigns than those with a budget, or of another order of them");
}

static void names_load(void *object, const void *words)
{
  (void)object;
  (void)words;
}

/* Where in time it is. */
enum { STARTED, DAY, SLOT, PLANNED, DAYS, PLACE_WORDS };

static size_t place_size(const void *object)
{
  (void)object;
  return PLACE_WORDS;
}

static void place_save(const void *object, void *words)
{
  const pacer *p = object;
  const uint64_t place[PLACE_WORDS] = {[STARTED] = (uint64_t)p->started,
                                       [DAY] = (uint64_t)p->day,
                                       [SLOT] = p->slot,
                                       [PLANNED] = p->planned,
                                       [DAYS] = p->days};
  memcpy(words, place, sizeof place);
}

static ofw_status place_check(void *object, const void *words, size_t n, ofw_error *err)
{
  const pacer *p = object;
  uint64_t place[PLACE_WORDS];
  if (n != PLACE_WORDS)
    return ofw_fail(err, OFW_BAD_DATA, "the state is damaged: place has %zu words", n);
  memcpy(place, words, sizeof place);
  return place[STARTED] <= 1 && place[SLOT] < p->slots && place[PLANNED] <= p->slots
             ? OFW_OK
             : ofw_fail(err, OFW_BAD_DATA, "the state is damaged: its slot is not one of a day's %zu", p->slots);
}

static void place_load(void *object, const void *words)
{
  pacer *p = object;
  uint64_t place[PLACE_WORDS];
  memcpy(place, words, sizeof place);
  p->started = (int)place[STARTED];
  p->day = (int64_t)place[DAY];
  p->slot = (size_t)place[SLOT];
  p->planned = (size_t)place[PLANNED];
  p->days = place[DAYS];
}

/* A campaign's auctions of the slot. */
static size_t auctions_size(const void *object)
{
  return 2 * ((const campaign *)object)->seen;
}

static void auctions_save(const void *object, void *words)
{
  const campaign *c = object;
  if (c->seen > 0)
    memcpy(words, c->auction, c->seen * sizeof *c->auction);
}

static ofw_status auctions_check(void *object, const void *words, size_t n, ofw_error *err)
{
  campaign *c = object;
  const unsigned char *at = words;
  if (n % 2)
    return ofw_fail(err, OFW_BAD_DATA, "the state is damaged: auctions has %zu words", n);
  for (size_t k = 0; k < n / 2; k++) {
    auction a;
    memcpy(&a, at + k * sizeof a, sizeof a);
    if (!(a.value >= 0.0 && a.cost >= 0.0) || isinf(a.value) || isinf(a.cost))
      return ofw_fail(err, OFW_BAD_DATA, "the state is damaged: place %zu of auctions has no auction", k);
  }
  c->loading = n / 2;
  return c->loading <= c->seen
             ? OFW_OK
             : ofw_grow(&c->auction, c->seen, c->loading - c->seen, &c->room, sizeof *c->auction, err);
}

static void auctions_load(void *object, const void *words)
{
  campaign *c = object;
  c->seen = c->loading;
  if (c->seen > 0)
    memcpy(c->auction, words, c->seen * sizeof *c->auction);
}

/* ---- all of it ---- */

static ofw_status visit_campaign(const pacer *p, campaign *c, ofw_visitor *v)
{
  const struct {
    const char *name;
    void *at;
    size_t n;
  } item[] = {{"unit", &c->unit, 1},
              {"point", c->point, PACER_POINTS},
              {"multiplier", &c->multiplier, 1},
              {"today", &c->today, sizeof c->today / 8},
              {"value", &c->value, 1},
              {"spend", &c->spend, 1},
              {"plan", &c->plan, 1},
              {"share", c->share, p->slots},
              {"curve", c->curve, p->slots * PACER_POINTS}};
  const ofw_packed auctions = {c, auctions_size, auctions_save, auctions_check, auctions_load};
  for (size_t i = 0; i < sizeof item / sizeof *item; i++)
    OFW_TRY(v->words(v->ctx, item[i].name, item[i].at, item[i].n));
  return v->packed(v->ctx, "auctions", &auctions);
}

static ofw_status visit(void *object, ofw_visitor *v)
{
  pacer *p = object;
  const ofw_packed names = {p, names_size, names_save, names_check, names_load},
                   place = {p, place_size, place_save, place_check, place_load};
  OFW_TRY(v->packed(v->ctx, "campaigns", &names));
  OFW_TRY(v->packed(v->ctx, "place", &place));
  OFW_TRY(v->words(v->ctx, "time", &p->time, 1));
  for (size_t i = 0; i < p->campaigns; i++)
    OFW_TRY(visit_campaign(p, &p->of[i], v));
  return OFW_OK;
}

ofw_status pacer_save(pacer *p, const ofw_saved *more, ofw_state *state, ofw_error *err)
{
  const ofw_saved part[] = {{p, visit, p->config}, more ? *more : (ofw_saved){0}};
  return ofw_learner_save_with(p->l, part, more ? 2 : 1, state, err);
}

ofw_status pacer_load(pacer *p, const ofw_saved *more, const ofw_state *state, ofw_error *err)
{
  const ofw_saved part[] = {{p, visit, p->config}, more ? *more : (ofw_saved){0}};
  OFW_TRY(ofw_learner_load_with(p->l, part, more ? 2 : 1, state, err));
  if (!p->started)
    return OFW_OK;
  ofw_status st = ofw_learner_ask(p->l, p->x); /* the slot's decision, which was asked for before it was saved */
  return st == OFW_OK ? st : ofw_fail(err, st, "the learner: %s", ofw_learner_error(p->l));
}
