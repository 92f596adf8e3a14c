/* clock.c — the monotonic clock, for timings and for work that is due after some seconds */
#include "base/basics.h"

#include <time.h>

double ofw_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
