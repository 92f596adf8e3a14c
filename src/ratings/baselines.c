/* baselines.c — the errors of two means on held-out ratings */
#include "ratings/baselines.h"

#include <math.h>
#include <stdlib.h>

/* Of the ratings of item j in play their sum and number: sum[j], times[j]; behind the sums is that of all. `sum` has room for
 * each part of the ratings. */
static void add_up(const ofw_ratings *r, const ofw_schedule *s, double *sum, double *times)
{
  size_t parts = ofw_split_parts(r->split), n = r->items + 1;
  for (size_t k = 0; k < s->play_here; k++) {
    size_t i = r->cell[s->play[k]] / r->items, j = r->cell[s->play[k]] % r->items;
    double *part = sum + (parts > 1 ? ofw_split_part(r->split, i) : 0) * n;
    part[j] += r->value[s->play[k]];
    part[r->items] += r->value[s->play[k]];
    times[j] += 1.0;
  }
  ofw_ranks_count(r->split ? r->split->ranks : NULL, r->items, times);
  ofw_split_add(r->split, n, sum, n, sum);
}

/* The squares of what the two means miss, of one part of the ratings held out. */
typedef struct missed {
  double mean, item_mean;
} missed;

static void miss(const ofw_ratings *r, const ofw_schedule *s, const double *sum, const double *times, missed *part)
{
  const uint32_t *held = s->play + s->play_here;
  double all = sum[r->items] / (double)s->in_play;
  for (size_t k = 0; k < s->held_out_here; k++) {
    size_t j = r->cell[held[k]] % r->items;
    double value = r->value[held[k]], of_item = times[j] > 0.0 ? sum[j] / times[j] : all;
    missed *at = part + (r->split ? ofw_split_part(r->split, r->cell[held[k]] / r->items) : 0);
    at->mean += (value - all) * (value - all);
    at->item_mean += (value - of_item) * (value - of_item);
  }
}

ofw_status ofw_baselines(const ofw_ratings *r, const ofw_schedule *s, double *mean, double *item_mean, ofw_error *err)
{
  size_t parts = ofw_split_parts(r->split), n = parts * (r->items + 1);
  double *sum = ofw_doubles(n), *times = ofw_doubles(r->items);
  missed *part = (missed *)ofw_doubles(2 * parts), all = {0};
  ofw_status st = sum && times && part ? OFW_OK : ofw_fail_memory(err, (n + r->items) * sizeof *sum);
  st = ofw_ranks_agree(r->split ? r->split->ranks : NULL, st, err);
  if (st == OFW_OK) {
    add_up(r, s, sum, times);
    miss(r, s, sum, times, part);
    ofw_split_add(r->split, 2, &part->mean, 2, &all.mean);
    *mean = sqrt(all.mean / (double)s->held_out);
    *item_mean = sqrt(all.item_mean / (double)s->held_out);
  }
  free(sum);
  free(times);
  free(part);
  return st;
}
