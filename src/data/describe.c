#include "data/describe.h"

#include "data/spectrum.h"

#include <math.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t n, double share)
{
  double at = share * (double)(n - 1);
  size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
  return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

/* Of the `n` whose numbers are cell / over % n. */
static ofw_status count(const ofw_ratings *r, size_t over, size_t n, data_counts *out, ofw_error *err)
{
  double *counts = ofw_doubles(n);
  if (!counts)
    return ofw_fail_memory(err, n * sizeof *counts);
  for (size_t k = 0; k < r->count; k++)
    counts[r->cell[k] / over % n] += 1.0;
  qsort(counts, n, sizeof *counts, by_size);
  out->least = (size_t)counts[0];
  out->most = (size_t)counts[n - 1];
  for (int q = 0; q < 3; q++)
    out->quartile[q] = quantile(counts, n, 0.25 * (q + 1));
  free(counts);
  return OFW_OK;
}

static void list_values(const double *sorted, size_t n, data_description *out)
{
  out->lowest = sorted[0];
  out->highest = sorted[n - 1];
  for (size_t k = 0; k < n; k++) {
    if (k == 0 || sorted[k] != sorted[k - 1]) {
      if (out->values == DATA_MOST_VALUES) {
        out->values = 0;
        return;
      }
      out->value[out->values++] = sorted[k];
    }
    out->of_value[out->values - 1]++;
  }
}

static ofw_status describe_values(const ofw_ratings *r, data_description *out, ofw_error *err)
{
  double *sorted = ofw_doubles(r->count), sum = 0.0, square = 0.0;
  if (!sorted)
    return ofw_fail_memory(err, r->count * sizeof *sorted);
  for (size_t k = 0; k < r->count; k++)
    sum += sorted[k] = r->value[k];
  out->mean = sum / (double)r->count;
  for (size_t k = 0; k < r->count; k++)
    square += (r->value[k] - out->mean) * (r->value[k] - out->mean);
  out->deviation = sqrt(square / (double)r->count);
  qsort(sorted, r->count, sizeof *sorted, by_size);
  list_values(sorted, r->count, out);
  free(sorted);
  return OFW_OK;
}

ofw_status data_describe(const ofw_ratings *r, data_description *out, ofw_error *err)
{
  *out = (data_description){.rows = r->count + r->duplicates,
                            .duplicates = r->duplicates,
                            .users = r->users,
                            .items = r->items,
                            .density = (double)r->count / ((double)r->users * (double)r->items)};
  OFW_TRY(describe_values(r, out, err));
  OFW_TRY(count(r, r->items, r->users, &out->per_user, err));
  OFW_TRY(count(r, 1, r->items, &out->per_item, err));
  OFW_TRY(data_spectrum(r, 0.0, DATA_SINGULAR, out->singular_value, &out->singular, err));
  return data_spectrum(r, out->mean, DATA_SINGULAR, out->centred_singular_value, &out->centred_singular, err);
}
