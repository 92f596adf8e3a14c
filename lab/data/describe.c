/* describe.c — counts per user and item, values and their frequencies, and the leading singular values */
#include "lab/data/describe.h"

#include "lab/data/spectrum.h"
#include "lab/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the `n` whose numbers are cell / over % n. */
static ofw_status count(const ofw_ratings *r, size_t over, size_t n, data_counts *out, ofw_error *err)
{
  double *counts = ofw_doubles(n);
  if (!counts)
    return ofw_fail_memory(err, n * sizeof *counts);
  for (size_t k = 0; k < r->count; k++)
    counts[r->cell[k] / over % n] += 1.0;
  qsort(counts, n, sizeof *counts, ofw_ascending);
  out->least = (size_t)counts[0];
  out->most = (size_t)counts[n - 1];
  for (int q = 0; q < 3; q++)
    out->quartile[q] = ofw_quantile(counts, n, 0.25 * (q + 1));
  free(counts);
  return OFW_OK;
}

/* Where x is, or would be, among the values found so far, which increase. */
static size_t place_of(const data_description *d, double x)
{
  size_t at = 0;
  while (at < d->values && d->value[at] < x)
    at++;
  return at;
}

/* 0: there is no room for another value. */
static int list_value(data_description *d, double x)
{
  size_t at = place_of(d, x);
  if (at == d->values || d->value[at] != x) {
    if (d->values == DATA_MOST_VALUES)
      return 0;
    memmove(d->value + at + 1, d->value + at, (d->values - at) * sizeof *d->value);
    memmove(d->of_value + at + 1, d->of_value + at, (d->values - at) * sizeof *d->of_value);
    d->value[at] = x;
    d->of_value[at] = 0;
    d->values++;
  }
  d->of_value[at]++;
  return 1;
}

static void describe_values(const ofw_ratings *r, data_description *out)
{
  double sum = 0.0, square = 0.0;
  int few = 1;
  out->lowest = out->highest = r->value[0];
  for (size_t k = 0; k < r->count; k++) {
    sum += r->value[k];
    out->lowest = fmin(out->lowest, r->value[k]);
    out->highest = fmax(out->highest, r->value[k]);
    few = few && list_value(out, r->value[k]);
  }
  out->values = few ? out->values : 0;
  out->mean = sum / (double)r->count;
  for (size_t k = 0; k < r->count; k++)
    square += (r->value[k] - out->mean) * (r->value[k] - out->mean);
  out->deviation = sqrt(square / (double)r->count);
}

ofw_status data_describe(const ofw_ratings *r, data_description *out, ofw_error *err)
{
  *out = (data_description){.rows = r->count + r->duplicates,
                            .duplicates = r->duplicates,
                            .users = r->users,
                            .items = r->items,
                            .density = (double)r->count / ((double)r->users * (double)r->items)};
  describe_values(r, out);
  OFW_TRY(count(r, r->items, r->users, &out->per_user, err));
  OFW_TRY(count(r, 1, r->items, &out->per_item, err));
  OFW_TRY(data_spectrum(r, 0.0, DATA_SINGULAR, out->singular_value, &out->singular, err));
  return data_spectrum(r, out->mean, DATA_SINGULAR, out->centred_singular_value, &out->centred_singular, err);
}
