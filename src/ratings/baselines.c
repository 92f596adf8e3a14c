/* baselines.c — the errors of two means on held-out ratings */
#include "ratings/baselines.h"

#include <math.h>
#include <stdlib.h>

/* sum[j], times[j] over the ratings of item j in play; the mean of all is returned. */
static double add_up(const ofw_ratings *r, const ofw_schedule *s, double *sum, double *times)
{
  double all = 0.0;
  for (size_t k = 0; k < s->in_play; k++) {
    size_t j = r->cell[s->play[k]] % r->items;
    sum[j] += r->value[s->play[k]];
    times[j] += 1.0;
    all += r->value[s->play[k]];
  }
  return all / (double)s->in_play;
}

ofw_status ofw_baselines(const ofw_ratings *r, const ofw_schedule *s, double *mean, double *item_mean, ofw_error *err)
{
  const uint32_t *held = s->play + s->in_play;
  double *sum = ofw_doubles(r->items), *times = ofw_doubles(r->items), square = 0.0, item_square = 0.0;
  ofw_status st = sum && times ? OFW_OK : ofw_fail_memory(err, 2 * r->items * sizeof *sum);
  if (st == OFW_OK) {
    double all = add_up(r, s, sum, times);
    for (size_t k = 0; k < s->held_out; k++) {
      size_t j = r->cell[held[k]] % r->items;
      double value = r->value[held[k]], of_item = times[j] > 0.0 ? sum[j] / times[j] : all;
      square += (value - all) * (value - all);
      item_square += (value - of_item) * (value - of_item);
    }
    *mean = sqrt(square / (double)s->held_out);
    *item_mean = sqrt(item_square / (double)s->held_out);
  }
  free(sum);
  free(times);
  return st;
}
