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

static ofw_status draw_values(ofw_ratings *r, size_t rank, uint64_t seed, ofw_error *err)
{
  double *b = ofw_doubles(r->users), *c = ofw_doubles(r->items);
  double *p = ofw_doubles(r->users * rank), *q = ofw_doubles(r->items * rank);
  ofw_status st = b && c && p && q ? OFW_OK : ofw_fail_memory(err, (r->users + r->items) * (rank + 1) * sizeof(double));
  if (st == OFW_OK) {
    ofw_rng_normal(key_for(seed, USER_BIAS), 0, r->users, b);
    ofw_rng_normal(key_for(seed, ITEM_BIAS), 0, r->items, c);
    ofw_rng_normal(key_for(seed, USER_FACTOR), 0, r->users * rank, p);
    ofw_rng_normal(key_for(seed, ITEM_FACTOR), 0, r->items * rank, q);
  }
  for (size_t k = 0; k < r->count && st == OFW_OK; k++) {
    size_t i = r->cell[k] / r->items, j = r->cell[k] % r->items;
    double noise, taste = ofw_dot(rank, p + i * rank, q + j * rank) / sqrt((double)rank);
    ofw_rng_normal(key_for(seed, NOISE), k, 1, &noise);
    double truth = 3.5 + 0.4 * b[i] + 0.4 * c[j] + 0.6 * taste;
    r->truth[k] = (float)truth;
    r->value[k] = fmin(HIGHEST, fmax(1.0, round(truth + 0.7 * noise)));
  }
  free(b);
  free(c);
  free(p);
  free(q);
  return st;
}

ofw_status ofw_ratings_generate(ofw_ratings *r, size_t users, size_t items, size_t count, size_t rank, uint64_t seed,
                                ofw_error *err)
{
  *r = (ofw_ratings){.users = users, .items = items, .count = count, .largest = HIGHEST};
  r->cell = ofw_array(count, sizeof *r->cell);
  r->value = ofw_array(count, sizeof *r->value);
  r->truth = ofw_array(count, sizeof *r->truth);
  if (!r->cell || !r->value || !r->truth)
    return ofw_fail_memory(err, count * sizeof *r->cell);
  OFW_TRY(draw_cells(r, seed, err));
  return draw_values(r, rank, seed, err);
}
