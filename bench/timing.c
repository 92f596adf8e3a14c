/* timing.c — a monotonic clock, and the median of timings */
#include "bench/timing.h"

#include <stdlib.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_now(void)
{
  return seconds_of(CLOCK_MONOTONIC);
}

double bench_worked(void)
{
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
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
