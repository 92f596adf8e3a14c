/* pairs.c — pairs of users and items with given counts, by a walk over all such sets of pairs
 *
 * A step of the walk swaps the items of two pairs, which changes no count; it is taken by Metropolis' rule, so the walk
 * ends up at a set with the probability that likeness.h gives it. It begins at the pairs that Gale and Ryser's theorem
 * makes of the counts. SWEEPS steps per pair are several times what the leading singular values need to settle.
 */
#include "base/owned.h"
#include "linalg/rng.h"
#include "ratings/likeness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 100, TERMS = OFW_FACTORS + 1 }; /* the last term is nested ln m_i ln n_j */

/* Draws have a key each, beyond those of ratings.c. */
enum { USER_COUNTS = 101, ITEM_COUNTS, USER_CHOICE, ITEM_CHOICE, SWAPS };

/* The users, or the items. */
typedef struct side {
  size_t n;
  uint32_t *count;
  double *term; /* TERMS of them each */
} side;

typedef struct pair {
  uint32_t i, j; /* user and item */
} pair;

typedef struct walk {
  ofw_owned own;
  side user, item;
  size_t pairs;
  pair *pair;
  unsigned char *taken; /* users x items: is it a pair? */
} walk;

/* ---- counts ---- */

static double curve_at(const ofw_knot *knot, double share)
{
  while (knot[1].share < share)
    knot++;
  double t = (share - knot[0].share) / (knot[1].share - knot[0].share);
  return exp((1.0 - t) * log(knot[0].count) + t * log(knot[1].count));
}

/* Counts along the curve, which is scaled so that they add up to `sum`, in random order. */
static void draw_counts(side *s, const ofw_knot *knot, size_t sum, ofw_rng_key key)
{
  double total = 0.0, so_far = 0.0, last = (double)(s->n - 1);
  size_t given = 0;
  for (size_t k = 0; k < s->n; k++)
    total += curve_at(knot, (double)k / last);
  for (size_t k = 0; k < s->n; k++) { /* what rounding takes from one is the next one's */
    so_far += curve_at(knot, (double)k / last) * (double)sum / total;
    s->count[k] = (uint32_t)((size_t)lround(so_far) - given);
    given += s->count[k];
  }
  ofw_rng_shuffle(key, s->n, s->count);
}

static void draw_terms(side *s, ofw_rng_key key)
{
  ofw_rng_normal(key, 0, s->n * TERMS, s->term);
  for (size_t k = 0; k < s->n; k++)
    s->term[k * TERMS + OFW_FACTORS] = log((double)s->count[k]);
}

/* ---- the beginning ---- */

typedef struct left {
  size_t count, who;
} left;

static int by_count(const void *a, const void *b)
{
  const left *x = a, *y = b;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return (x->who > y->who) - (x->who < y->who);
}

static left *sorted(ofw_owned *own, const side *s)
{
  left *list = ofw_owned_array(own, s->n, sizeof *list);
  for (size_t k = 0; list && k < s->n; k++)
    list[k] = (left){s->count[k], k};
  if (list)
    qsort(list, s->n, sizeof *list, by_count);
  return list;
}

/* The first `taken` of a sorted list have one less than before; they are in order among themselves, and so is the rest. */
static void restore_order(left *list, size_t n, size_t taken, left *room)
{
  size_t a = 0, b = taken, k = 0;
  memcpy(room, list, n * sizeof *list);
  while (a < taken && b < n)
    list[k++] = by_count(&room[a], &room[b]) < 0 ? room[a++] : room[b++];
  while (a < taken)
    list[k++] = room[a++];
}

/* Users with many pairs first, each takes the items that have most left. */
static ofw_status begin(walk *w, ofw_error *err)
{
  left *user = sorted(&w->own, &w->user), *item = sorted(&w->own, &w->item);
  left *room = ofw_owned_array(&w->own, w->item.n, sizeof *room);
  size_t k = 0;
  OFW_TRY(ofw_owned_check(&w->own, err));
  for (size_t i = 0; i < w->user.n; i++) {
    for (size_t j = 0; j < user[i].count; j++, k++) {
      w->pair[k] = (pair){(uint32_t)user[i].who, (uint32_t)item[j].who};
      w->taken[user[i].who * w->item.n + item[j].who] = 1;
      item[j].count--;
    }
    restore_order(item, w->item.n, user[i].count, room);
  }
  return OFW_OK;
}

/* ---- the walk ---- */

/* Where (i, j) is in `taken`. */
static unsigned char *place(const walk *w, size_t i, size_t j)
{
  return &w->taken[i * w->item.n + j];
}

/* (i, j), (h, l) become (i, l), (h, j) if those are free, with probability min(1, exp(gain)). */
static void swap(walk *w, pair *a, pair *b, double chance)
{
  size_t i = a->i, j = a->j, h = b->i, l = b->j;
  unsigned char *il = place(w, i, l), *hj = place(w, h, j);
  double gain = 0.0;
  if (*il || *hj)
    return;
  for (size_t k = 0; k < TERMS; k++)
    gain += (w->user.term[i * TERMS + k] - w->user.term[h * TERMS + k]) *
            (w->item.term[l * TERMS + k] - w->item.term[j * TERMS + k]);
  if (gain < 0.0 && chance >= exp(gain))
    return;
  *place(w, i, j) = *place(w, h, l) = 0;
  *il = *hj = 1;
  a->j = (uint32_t)l;
  b->j = (uint32_t)j;
}

static pair *chosen(const walk *w, uint32_t word)
{
  return &w->pair[(uint64_t)word * w->pairs >> 32];
}

/* What a step reads is fetched some steps before: first its pairs, then their places as they are then. */
static void go(walk *w, ofw_rng_key key)
{
  enum { CHUNK = 1024, AHEAD = 8 };
  uint32_t word[3 * (CHUNK + 2 * AHEAD)];
  for (size_t step = 0, steps = SWEEPS * w->pairs; step < steps; step++) {
    const uint32_t *now = word + 3 * (step % CHUNK), *soon = now + (size_t)3 * AHEAD, *later = soon + (size_t)3 * AHEAD;
    if (now == word)
      ofw_rng_words(key, 3 * step, sizeof word / sizeof *word, word);
    __builtin_prefetch(chosen(w, later[0]));
    __builtin_prefetch(chosen(w, later[1]));
    const pair *a = chosen(w, soon[0]), *b = chosen(w, soon[1]);
    __builtin_prefetch(place(w, a->i, b->j));
    __builtin_prefetch(place(w, b->i, a->j));
    swap(w, chosen(w, now[0]), chosen(w, now[1]), now[2] * 0x1p-32);
  }
}

static ofw_status open_walk(walk *w, const ofw_likeness *like, ofw_error *err)
{
  size_t users = like->users, items = like->items;
  *w = (walk){.user.n = users, .item.n = items, .pairs = like->count};
  w->user.count = ofw_owned_array(&w->own, users, sizeof *w->user.count);
  w->item.count = ofw_owned_array(&w->own, items, sizeof *w->item.count);
  w->user.term = ofw_owned_doubles(&w->own, users * TERMS);
  w->item.term = ofw_owned_doubles(&w->own, items * TERMS);
  w->pair = ofw_owned_array(&w->own, like->count, sizeof *w->pair);
  w->taken = ofw_owned_take(&w->own, calloc(users * items, sizeof *w->taken), users * items);
  return ofw_owned_check(&w->own, err);
}

static ofw_status walk_from(walk *w, const ofw_likeness *like, uint64_t seed, ofw_error *err)
{
  draw_counts(&w->user, like->user, like->count, (ofw_rng_key){seed, OFW_RNG_DATA, USER_COUNTS});
  draw_counts(&w->item, like->item, like->count, (ofw_rng_key){seed, OFW_RNG_DATA, ITEM_COUNTS});
  draw_terms(&w->user, (ofw_rng_key){seed, OFW_RNG_DATA, USER_CHOICE});
  draw_terms(&w->item, (ofw_rng_key){seed, OFW_RNG_DATA, ITEM_CHOICE});
  for (size_t k = 0; k < w->user.n * TERMS; k++)
    w->user.term[k] *= k % TERMS < OFW_FACTORS ? like->choice[k % TERMS] : like->nested;
  OFW_TRY(begin(w, err));
  go(w, (ofw_rng_key){seed, OFW_RNG_DATA, SWAPS});
  return OFW_OK;
}

ofw_status ofw_likeness_pairs(const ofw_likeness *like, uint64_t seed, size_t *cell, ofw_error *err)
{
  walk w;
  ofw_status st = open_walk(&w, like, err);
  if (st == OFW_OK)
    st = walk_from(&w, like, seed, err);
  for (size_t k = 0; st == OFW_OK && k < like->count; k++)
    cell[k] = w.pair[k].i * like->items + w.pair[k].j;
  ofw_owned_free(&w.own);
  return st;
}
