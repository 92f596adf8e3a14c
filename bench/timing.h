/* timing.h — the clock, and the number that stands for many */
#ifndef OFW_BENCH_TIMING_H
#define OFW_BENCH_TIMING_H

#include <stddef.h>

/* Seconds since some moment. */
double bench_now(void);
/* Seconds that this process has worked, of all threads: what other work of the machine does not change. */
double bench_worked(void);
/* Sorts x, which has at least one number. */
double bench_median(double *x, size_t n);

#endif
