/* timing.c — a monotonic clock, and the median of timings */
#include "bench/timing.h"

#include <stdlib.h>
#include <time.h>

double bench_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(double *x, size_t n)
{
  qsort(x, n, sizeof *x, ascending);
  return n % 2 ? x[n / 2] : x[n / 2 - 1] / 2 + x[n / 2] / 2;
}
