/* exposure.c — the exposure constraint: its group of items, and a round's value and gradient */
#include "stream/exposure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The item rated most often first; of two alike the one with the lower number. */
static int by_ratings(const void *a, const void *b, void *ctx)
{
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  const double *times = ctx;
  if (times[x] != times[y])
    return times[x] > times[y] ? -1 : 1;
  return (x > y) - (x < y);
}

static ofw_status choose_group(ofw_exposure *e, const ofw_ratings *r, const ofw_schedule *s, ofw_error *err)
{
  double *times = ofw_doubles(e->items);
  size_t *item = ofw_array(e->items, sizeof *item);
  ofw_status st = times && item ? OFW_OK : ofw_fail_memory(err, e->items * sizeof *times);
  st = ofw_ranks_agree(e->ranks, st, err);
  if (st == OFW_OK) {
    for (size_t k = 0; k < s->play_here; k++)
      times[r->cell[s->play[k]] % e->items] += 1.0;
    ofw_ranks_count(e->ranks, e->items, times);
    for (size_t j = 0; j < e->items; j++)
      item[j] = j;
    qsort_r(item, e->items, sizeof *item, by_ratings, times);
    for (size_t k = 0; k < e->group; k++)
      e->v[item[k]] = 1.0 / (double)e->group;
  }
  free(times);
  free(item);
  return st;
}

ofw_status ofw_exposure_open(ofw_exposure *e, ofw_owned *own, const ofw_ratings *r, const ofw_schedule *s, double share,
                             ofw_error *err)
{
  e->users = r->users;
  e->items = r->items;
  e->ranks = r->split ? r->split->ranks : NULL;
  e->group = (size_t)fmax(1.0, round(share * (double)r->items));
  e->u = ofw_owned_doubles(own, e->users);
  e->v = ofw_owned_doubles(own, e->items);
  OFW_TRY(ofw_ranks_agree(e->ranks, ofw_owned_check(own, err), err));
  e->term = ofw_vec_rank_one(e->users, e->items, e->u, e->v);
  e->term.scale = e->weight;
  return choose_group(e, r, s, err);
}

/* u = 1_U / |U|. Cells in increasing order come user by user. */
void ofw_exposure_show(ofw_exposure *e, size_t n, const size_t *cell)
{
  size_t users = 0;
  memset(e->u, 0, e->users * sizeof *e->u);
  for (size_t k = 0; k < n; k++)
    users += k == 0 || cell[k] / e->items != cell[k - 1] / e->items;
  users = ofw_ranks_total(e->ranks, users, NULL);
  for (size_t k = 0; k < n; k++)
    e->u[cell[k] / e->items] = 1.0 / (double)users;
}

ofw_status ofw_exposure_reveal(ofw_exposure *e, uint64_t t, const ofw_point *x, ofw_full *out)
{
  double cap = e->cap * (1.0 + e->swing * sin(2.0 * M_PI * fmod((double)t, e->period) / e->period)), at_x;
  e->gradient = (ofw_sum){1, &e->term};
  OFW_TRY(ofw_point_dot(x, e->gradient, &at_x));
  e->value = at_x - e->weight * cap;
  ofw_full_constrain(out, &e->value, &e->gradient);
  return OFW_OK;
}
