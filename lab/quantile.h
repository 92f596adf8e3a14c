/* quantile.h — sorted numbers and their quantiles */
#pragma once

#include <stddef.h>

/* For qsort of doubles, none of them NaN. */
static inline int ofw_ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Of n > 0 sorted numbers, between two of them if the share falls between them. */
static inline double ofw_quantile(const double *sorted, size_t n, double share)
{
  double at = share * (double)(n - 1);
  size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
  return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}
