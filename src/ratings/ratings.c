/* ratings.c — generated ratings: which pairs are rated, then how
 *
 * Draws are made in chunks and cells kept in a hash table, so that 25 million ratings take seconds. Each purpose has a
 * key of its own: a change to one draw leaves all others as they are.
 */
#include "ratings/ratings.h"

#include "base/option_table.h"
#include "base/owned.h"
#include "base/sort.h"
#include "linalg/kernels.h"
#include "linalg/rng.h"

#include <math.h>
#include <stdlib.h>

void ofw_ratings_free(ofw_ratings *r)
{
  free(r->cell);
  free(r->value);
  free(r->truth);
  free(r->sequence);
  *r = (ofw_ratings){0};
}

void ofw_ratings_share(ofw_ratings *r, const ofw_split *split)
{
  if (!split)
    return;
  size_t from = split->first * r->items, first = 0, n = 0;
  while (first < r->count && r->cell[first] < from)
    first++;
  for (; first + n < r->count && r->cell[first + n] - from < split->here * r->items; n++) {
    r->cell[n] = r->cell[first + n] - from;
    r->value[n] = r->value[first + n];
  }
  r->split = split;
  r->first = first;
  r->count = n;
  r->all_users = r->users;
  r->users = split->here;
}

enum { HIGHEST = 5 };

/* Draws from here on use one key each; the round tells them apart. */
enum { USER_BIAS = 1, ITEM_BIAS, USER_FACTOR, ITEM_FACTOR, USER_ACTIVITY, ITEM_POPULARITY, PAIRS, NOISE };

static ofw_rng_key key_for(uint64_t seed, uint64_t what)
{
  return (ofw_rng_key){seed, OFW_RNG_DATA, what};
}

enum { CHUNK = 512 }; /* draws at a time; the numbers are the same as one by one */

/* ---- which pairs ---- */

/* n of them, each with a long-tailed chance. */
typedef struct wheel {
  size_t n;
  double *total;   /* of the weights up to each, itself included */
  uint32_t *guide; /* where to begin, for each of n equal parts of the whole */
} wheel;

/* weights exp(spread * normal) */
static void open_wheel(wheel *w, ofw_owned *own, size_t n, double spread, ofw_rng_key key)
{
  double sum = 0.0;
  *w = (wheel){n, ofw_owned_doubles(own, n), ofw_owned_array(own, n, sizeof *w->guide)};
  if (!w->total || !w->guide)
    return;
  ofw_rng_normal(key, 0, n, w->total);
  for (size_t i = 0; i < n; i++)
    w->total[i] = sum += exp(spread * w->total[i]);
  for (size_t part = 0, i = 0; part < n; part++) {
    while (i + 1 < n && w->total[i] <= sum * ((double)part / (double)n))
      i++;
    w->guide[part] = (uint32_t)i;
  }
}

/* The first i with at < total[i], at = unit * the sum of all; wherever the guide begins. */
static size_t pick(const wheel *w, double unit)
{
  double at = unit * w->total[w->n - 1];
  size_t part = (size_t)(unit * (double)w->n), i = w->guide[part < w->n ? part : w->n - 1];
  while (i > 0 && at < w->total[i - 1])
    i--;
  while (i + 1 < w->n && at >= w->total[i])
    i++;
  return i;
}

/* A set of cells: a table of `slots`, a power of two and at least twice as many as there are cells. */
typedef struct cell_set {
  size_t slots, *cell; /* a cell + 1; 0: the slot is free */
} cell_set;

static size_t slot_of(const cell_set *set, size_t cell)
{
  return (size_t)((uint64_t)cell * 0x9e3779b97f4a7c15u >> 32) & (set->slots - 1);
}

/* 0: it was in. */
static int take(cell_set *set, size_t cell)
{
  size_t at = slot_of(set, cell);
  while (set->cell[at] && set->cell[at] != cell + 1)
    at = (at + 1) & (set->slots - 1);
  int is_new = !set->cell[at];
  set->cell[at] = cell + 1;
  return is_new;
}

static ofw_status open_set(cell_set *set, size_t cells, ofw_error *err)
{
  *set = (cell_set){.slots = 2};
  while (set->slots < 2 * cells)
    set->slots *= 2;
  size_t bytes = set->slots * sizeof *set->cell;
  set->cell = ofw_fits((double)bytes) ? calloc(1, bytes) : NULL;
  return set->cell ? OFW_OK : ofw_fail_memory(err, bytes);
}

/* What pairs are drawn from, and which of them are taken. */
typedef struct drawing {
  wheel user, item;
  cell_set taken;
  size_t first, room; /* the first user that is here; cells that r has room for */
  ofw_rng_key key;
} drawing;

/* Room for `more` cells. That of all ratings is made at once; a rank's share of them is not known before. */
static ofw_status make_room(drawing *d, ofw_ratings *r, size_t more, ofw_error *err)
{
  cell_set larger;
  if (r->count + more <= d->room)
    return OFW_OK;
  OFW_TRY(ofw_grow(&r->cell, r->count, more, &d->room, sizeof *r->cell, err));
  OFW_TRY(open_set(&larger, d->room, err));
  for (size_t k = 0; k < r->count; k++)
    take(&larger, r->cell[k]);
  free(d->taken.cell);
  d->taken = larger;
  return OFW_OK;
}

/* Of `pairs` from draw number `at` on, those of users that are here and that are new. Slots are fetched a chunk ahead, since
 * nearly each is in a page of its own. */
static ofw_status draw_pairs(drawing *d, ofw_ratings *r, size_t at, size_t pairs, ofw_error *err)
{
  double unit[CHUNK];
  size_t cell[CHUNK / 2];
  for (size_t k = 0; k < pairs; k += CHUNK / 2) {
    size_t run = pairs - k < CHUNK / 2 ? pairs - k : CHUNK / 2, n = 0;
    ofw_rng_units(d->key, at + 2 * k, 2 * run, unit);
    OFW_TRY(make_room(d, r, r->split ? run : 0, err));
    for (size_t i = 0; i < run; i++) {
      size_t user = pick(&d->user, unit[2 * i]) - d->first;
      if (user >= r->users)
        continue;
      cell[n] = user * r->items + pick(&d->item, unit[2 * i + 1]);
      __builtin_prefetch(&d->taken.cell[slot_of(&d->taken, cell[n++])], 1);
    }
    for (size_t i = 0; i < n; i++)
      if (take(&d->taken, cell[i]))
        r->cell[r->count++] = cell[i];
  }
  return OFW_OK;
}

/* Distinct cells by rejection: the caller keeps their number well below users * items. As many pairs are drawn at a time as
 * ratings are missing, so that there are never too many. All ranks draw the same pairs. */
static ofw_status fill_cells(drawing *d, ofw_ratings *r, ofw_error *err)
{
  const ofw_ranks *ranks = r->split ? r->split->ranks : NULL;
  for (size_t have = 0, at = 0; have < r->total;) {
    size_t missing = r->total - have, before = r->count;
    OFW_TRY(ofw_ranks_agree(ranks, draw_pairs(d, r, at, missing, err), err));
    have += ofw_ranks_total(ranks, r->count - before, NULL);
    at += 2 * missing;
  }
  return OFW_OK;
}

/* Users that ranks share are drawn from all of them. */
static ofw_status draw_cells(ofw_ratings *r, uint64_t seed, ofw_error *err)
{
  const ofw_split *split = r->split;
  drawing d = {.first = split ? split->first : 0, .room = split ? 0 : r->total, .key = key_for(seed, PAIRS)};
  ofw_owned own = {0};
  open_wheel(&d.user, &own, split ? split->rows : r->users, 1.0, key_for(seed, USER_ACTIVITY));
  open_wheel(&d.item, &own, r->items, 1.4, key_for(seed, ITEM_POPULARITY));
  ofw_status st = ofw_owned_check(&own, err);
  if (st == OFW_OK)
    st = open_set(&d.taken, d.room, err);
  st = ofw_ranks_agree(split ? split->ranks : NULL, st, err);
  if (st == OFW_OK)
    st = fill_cells(&d, r, err);
  ofw_owned_free(&own);
  free(d.taken.cell);
  if (st == OFW_OK)
    st = ofw_ranks_agree(split ? split->ranks : NULL, ofw_sort(r->count, r->cell, NULL, err), err);
  return st;
}

/* ---- what they are rated ---- */

/* truth_ij = middle + user b_i + item c_j + taste <p_i, q_j>, b, c, p and q normal; a rating is drawn around it. */
typedef struct opinion {
  ofw_owned own;
  double middle, user, item, taste, noise;
  size_t rank;
  double *b, *c, *p, *q;
} opinion;

static ofw_status open_opinion(opinion *o, const ofw_ratings *r, uint64_t seed, ofw_error *err)
{
  o->b = ofw_owned_doubles(&o->own, r->users);
  o->c = ofw_owned_doubles(&o->own, r->items);
  o->p = ofw_owned_doubles(&o->own, r->users * o->rank);
  o->q = ofw_owned_doubles(&o->own, r->items * o->rank);
  OFW_TRY(ofw_owned_check(&o->own, err));
  size_t first = r->split ? r->split->first : 0;
  ofw_rng_normal(key_for(seed, USER_BIAS), first, r->users, o->b);
  ofw_rng_normal(key_for(seed, ITEM_BIAS), 0, r->items, o->c);
  ofw_rng_normal(key_for(seed, USER_FACTOR), first * o->rank, r->users * o->rank, o->p);
  ofw_rng_normal(key_for(seed, ITEM_FACTOR), 0, r->items * o->rank, o->q);
  return OFW_OK;
}

static double truth_of(const opinion *o, const ofw_ratings *r, size_t k)
{
  size_t i = r->cell[k] / r->items, j = r->cell[k] % r->items;
  double taste = ofw_dot(o->rank, o->p + i * o->rank, o->q + j * o->rank) / sqrt((double)o->rank);
  return o->middle + o->user * o->b[i] + o->item * o->c[j] + o->taste * taste;
}

/* The noise of rating after rating, counted over all ranks. */
typedef struct noises {
  ofw_rng_key key;
  size_t chunk; /* which one is drawn, from 1; 0: none yet */
  double drawn[CHUNK];
} noises;

static double next_noise(noises *e, size_t k)
{
  if (e->chunk != k / CHUNK + 1)
    ofw_rng_normal(e->key, k - k % CHUNK, CHUNK, e->drawn);
  e->chunk = k / CHUNK + 1;
  return e->drawn[k % CHUNK];
}

static ofw_status open_values(ofw_ratings *r, ofw_error *err)
{
  r->value = ofw_array(r->count, sizeof *r->value);
  return r->value ? OFW_OK : ofw_fail_memory(err, r->count * sizeof *r->value);
}

static ofw_status open_cells(ofw_ratings *r, size_t n, ofw_error *err)
{
  r->cell = ofw_array(n, sizeof *r->cell);
  return r->cell ? OFW_OK : ofw_fail_memory(err, n * sizeof *r->cell);
}

/* ---- like nothing in particular ---- */

static ofw_status draw_values(ofw_ratings *r, size_t rank, uint64_t seed, ofw_error *err)
{
  opinion o = {.middle = 3.5, .user = 0.4, .item = 0.4, .taste = 0.6, .noise = 0.7, .rank = rank};
  noises e = {.key = key_for(seed, NOISE)};
  ofw_status st = open_opinion(&o, r, seed, err);
  for (size_t k = 0; st == OFW_OK && k < r->count; k++) {
    double truth = truth_of(&o, r, k);
    r->truth[k] = (float)truth;
    r->value[k] = fmin(HIGHEST, fmax(1.0, round(truth + o.noise * next_noise(&e, r->first + k))));
  }
  ofw_owned_free(&o.own);
  return st;
}

ofw_status ofw_ratings_generate(ofw_ratings *r, const ofw_ratings_shape *shape, const ofw_split *split, uint64_t seed,
                                ofw_error *err)
{
  *r = (ofw_ratings){.users = split ? split->here : (size_t)shape->users,
                     .items = (size_t)shape->items,
                     .total = (size_t)shape->ratings,
                     .split = split,
                     .largest = HIGHEST};
  if (!split)
    OFW_TRY(open_cells(r, r->total, err));
  OFW_TRY(draw_cells(r, seed, err));
  ofw_ranks_total(split ? split->ranks : NULL, r->count, &r->first);
  OFW_TRY(open_values(r, err));
  r->truth = ofw_array(r->count, sizeof *r->truth);
  if (!r->truth)
    return ofw_fail_memory(err, r->count * sizeof *r->truth);
  return draw_values(r, (size_t)shape->rank, seed, err);
}

ofw_status ofw_ratings_resolve(ofw_ratings_shape *shape, const char *owner, ofw_error *err)
{
  ofw_resolve_count(&shape->users, 943);
  ofw_resolve_count(&shape->items, 1682);
  ofw_resolve_count(&shape->ratings, 100000);
  ofw_resolve_count(&shape->rank, 5);
  if (shape->ratings > shape->users * shape->items / 2)
    return ofw_fail(err, OFW_USAGE, "%s: ratings=%llu is more than half of users * items", owner,
                    (unsigned long long)shape->ratings);
  return OFW_OK;
}

/* ---- like a known set ---- */

/* Strengths for each of the factors, and what is owed to being rated often. */
static ofw_status adapt(opinion *o, const ofw_ratings *r, const ofw_likeness *like, ofw_error *err)
{
  double *n = ofw_owned_doubles(&o->own, r->items);
  OFW_TRY(ofw_owned_check(&o->own, err));
  for (size_t k = 0; k < r->count; k++)
    n[r->cell[k] % r->items] += 1.0;
  for (size_t j = 0; j < r->items; j++)
    o->c[j] = like->item_bias * o->c[j] + like->popular * log(fmax(1.0, n[j]));
  for (size_t k = 0; k < r->users * o->rank; k++)
    o->p[k] *= like->taste[k % o->rank];
  return OFW_OK;
}

static ofw_status draw_values_like(ofw_ratings *r, const ofw_likeness *like, uint64_t seed, ofw_error *err)
{
  opinion o = {
      .user = like->user_bias, .item = 1.0, .taste = sqrt(OFW_FACTORS), .noise = like->noise, .rank = OFW_FACTORS};
  noises e = {.key = key_for(seed, NOISE)};
  ofw_status st = open_opinion(&o, r, seed, err);
  if (st == OFW_OK)
    st = adapt(&o, r, like, err);
  for (size_t k = 0; st == OFW_OK && k < r->count; k++)
    r->value[k] = truth_of(&o, r, k) + o.noise * next_noise(&e, k);
  ofw_owned_free(&o.own);
  return st == OFW_OK ? ofw_likeness_rate(like, r->value, err) : st;
}

ofw_status ofw_ratings_generate_like(ofw_ratings *r, const ofw_likeness *like, uint64_t seed, ofw_error *err)
{
  *r = (ofw_ratings){.users = like->users, .items = like->items, .count = like->count, .total = like->count};
  OFW_TRY(open_cells(r, r->count, err));
  OFW_TRY(open_values(r, err));
  OFW_TRY(ofw_likeness_pairs(like, seed, r->cell, err));
  OFW_TRY(ofw_sort(r->count, r->cell, NULL, err));
  OFW_TRY(draw_values_like(r, like, seed, err));
  for (size_t k = 0; k < r->count; k++)
    r->largest = fmax(r->largest, r->value[k]);
  return OFW_OK;
}
