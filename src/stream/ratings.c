#include "stream/ratings.h"

#include "base/rng.h"
#include "linalg/kernels.h"

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

enum { HIGHEST = 5 };

/* Draws from here on use one key each; the round tells them apart. */
enum { USER_BIAS = 1, ITEM_BIAS, USER_FACTOR, ITEM_FACTOR, USER_ACTIVITY, ITEM_POPULARITY, PAIRS, NOISE };

static ofw_rng_key key_for(uint64_t seed, uint64_t what)
{
  return (ofw_rng_key){seed, OFW_RNG_DATA, what};
}

/* n running totals of exp(spread * normal): a long-tailed weight each */
static double *weights(size_t n, double spread, ofw_rng_key key)
{
  double *w = ofw_doubles(n), sum = 0.0;
  if (!w)
    return NULL;
  ofw_rng_normal(key, 0, n, w);
  for (size_t i = 0; i < n; i++)
    w[i] = sum += exp(spread * w[i]);
  return w;
}

/* the first i with at < total[i] */
static size_t pick(const double *total, size_t n, double at)
{
  size_t low = 0, high = n - 1;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (at < total[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static int by_cell(const void *a, const void *b)
{
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* A set of cells: a table of `slots`, a power of two and at least twice as many as there are cells. 0: it was in. */
static int take(size_t *taken, size_t slots, size_t cell)
{
  size_t at = (size_t)((uint64_t)cell * 0x9e3779b97f4a7c15u >> 32) & (slots - 1);
  while (taken[at] && taken[at] != cell + 1)
    at = (at + 1) & (slots - 1);
  int is_new = !taken[at];
  taken[at] = cell + 1;
  return is_new;
}

/* Distinct cells by rejection: the caller keeps count well below users * items. */
static ofw_status draw_cells(ofw_ratings *r, uint64_t seed, ofw_error *err)
{
  size_t slots = 2;
  while (slots < 2 * r->count)
    slots *= 2;
  size_t *taken = calloc(slots, sizeof *taken);
  double *user = weights(r->users, 1.0, key_for(seed, USER_ACTIVITY));
  double *item = weights(r->items, 1.4, key_for(seed, ITEM_POPULARITY));
  ofw_status st = taken && user && item ? OFW_OK : ofw_fail_memory(err, slots * sizeof *taken);
  size_t at = 0;
  for (size_t k = 0; k < r->count && st == OFW_OK; at += 2) {
    double u = ofw_rng_unit(key_for(seed, PAIRS), at) * user[r->users - 1];
    double v = ofw_rng_unit(key_for(seed, PAIRS), at + 1) * item[r->items - 1];
    size_t cell = pick(user, r->users, u) * r->items + pick(item, r->items, v);
    if (take(taken, slots, cell))
      r->cell[k++] = cell;
  }
  free(taken);
  free(user);
  free(item);
  if (st == OFW_OK)
    qsort(r->cell, r->count, sizeof *r->cell, by_cell);
  return st;
}

/* truth_ij = middle + user b_i + item c_j + taste <p_i, q_j>, b, c, p and q normal; a rating is drawn around it. */
typedef struct opinion {
  double middle, user, item, taste, noise;
  size_t rank;
  double *b, *c, *p, *q;
} opinion;

static ofw_status open_opinion(opinion *o, const ofw_ratings *r, uint64_t seed, ofw_error *err)
{
  o->b = ofw_doubles(r->users);
  o->c = ofw_doubles(r->items);
  o->p = ofw_doubles(r->users * o->rank);
  o->q = ofw_doubles(r->items * o->rank);
  if (!o->b || !o->c || !o->p || !o->q)
    return ofw_fail_memory(err, (r->users + r->items) * (o->rank + 1) * sizeof(double));
  ofw_rng_normal(key_for(seed, USER_BIAS), 0, r->users, o->b);
  ofw_rng_normal(key_for(seed, ITEM_BIAS), 0, r->items, o->c);
  ofw_rng_normal(key_for(seed, USER_FACTOR), 0, r->users * o->rank, o->p);
  ofw_rng_normal(key_for(seed, ITEM_FACTOR), 0, r->items * o->rank, o->q);
  return OFW_OK;
}

static void close_opinion(opinion *o)
{
  free(o->b);
  free(o->c);
  free(o->p);
  free(o->q);
}

static double truth_of(const opinion *o, const ofw_ratings *r, size_t k)
{
  size_t i = r->cell[k] / r->items, j = r->cell[k] % r->items;
  double taste = ofw_dot(o->rank, o->p + i * o->rank, o->q + j * o->rank) / sqrt((double)o->rank);
  return o->middle + o->user * o->b[i] + o->item * o->c[j] + o->taste * taste;
}

static double with_noise(const opinion *o, double truth, uint64_t seed, size_t k)
{
  double noise;
  ofw_rng_normal(key_for(seed, NOISE), k, 1, &noise);
  return truth + o->noise * noise;
}

static ofw_status open_ratings(ofw_ratings *r, ofw_error *err)
{
  r->cell = ofw_array(r->count, sizeof *r->cell);
  r->value = ofw_array(r->count, sizeof *r->value);
  return r->cell && r->value ? OFW_OK : ofw_fail_memory(err, r->count * sizeof *r->cell);
}

/* ---- like nothing in particular ---- */

static ofw_status draw_values(ofw_ratings *r, size_t rank, uint64_t seed, ofw_error *err)
{
  opinion o = {.middle = 3.5, .user = 0.4, .item = 0.4, .taste = 0.6, .noise = 0.7, .rank = rank};
  ofw_status st = open_opinion(&o, r, seed, err);
  for (size_t k = 0; st == OFW_OK && k < r->count; k++) {
    double truth = truth_of(&o, r, k);
    r->truth[k] = (float)truth;
    r->value[k] = fmin(HIGHEST, fmax(1.0, round(with_noise(&o, truth, seed, k))));
  }
  close_opinion(&o);
  return st;
}

ofw_status ofw_ratings_generate(ofw_ratings *r, size_t users, size_t items, size_t count, size_t rank, uint64_t seed,
                                ofw_error *err)
{
  *r = (ofw_ratings){.users = users, .items = items, .count = count, .largest = HIGHEST};
  OFW_TRY(open_ratings(r, err));
  r->truth = ofw_array(count, sizeof *r->truth);
  if (!r->truth)
    return ofw_fail_memory(err, count * sizeof *r->truth);
  OFW_TRY(draw_cells(r, seed, err));
  return draw_values(r, rank, seed, err);
}

/* ---- like a known set ---- */

/* Strengths for each of the factors, and what is owed to being rated often. */
static ofw_status adapt(opinion *o, const ofw_ratings *r, const ofw_likeness *like, ofw_error *err)
{
  double *n = ofw_doubles(r->items);
  if (!n)
    return ofw_fail_memory(err, r->items * sizeof *n);
  for (size_t k = 0; k < r->count; k++)
    n[r->cell[k] % r->items] += 1.0;
  for (size_t j = 0; j < r->items; j++)
    o->c[j] = like->item_bias * o->c[j] + like->popular * log(fmax(1.0, n[j]));
  for (size_t k = 0; k < r->users * o->rank; k++)
    o->p[k] *= like->taste[k % o->rank];
  free(n);
  return OFW_OK;
}

static ofw_status draw_values_like(ofw_ratings *r, const ofw_likeness *like, uint64_t seed, ofw_error *err)
{
  opinion o = {
      .user = like->user_bias, .item = 1.0, .taste = sqrt(OFW_FACTORS), .noise = like->noise, .rank = OFW_FACTORS};
  ofw_status st = open_opinion(&o, r, seed, err);
  if (st == OFW_OK)
    st = adapt(&o, r, like, err);
  for (size_t k = 0; st == OFW_OK && k < r->count; k++)
    r->value[k] = with_noise(&o, truth_of(&o, r, k), seed, k);
  close_opinion(&o);
  return st == OFW_OK ? ofw_likeness_rate(like, r->value, err) : st;
}

ofw_status ofw_ratings_generate_like(ofw_ratings *r, const ofw_likeness *like, uint64_t seed, ofw_error *err)
{
  *r = (ofw_ratings){.users = like->users, .items = like->items, .count = like->count};
  OFW_TRY(open_ratings(r, err));
  OFW_TRY(ofw_likeness_pairs(like, seed, r->cell, err));
  qsort(r->cell, r->count, sizeof *r->cell, by_cell);
  OFW_TRY(draw_values_like(r, like, seed, err));
  for (size_t k = 0; k < r->count; k++)
    r->largest = fmax(r->largest, r->value[k]);
  return OFW_OK;
}
