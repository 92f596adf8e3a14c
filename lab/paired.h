/* paired.h — of two learners that played the same games, which one came out lower, and could chance have done it?
 *
 * The games differ by their seed alone, so the differences a_k - b_k are what counts. Were the two alike, each
 * difference could as well have the other sign: p is the share of the 2^n choices of signs whose sum is at least as far
 * from 0 as the one seen. No distribution is assumed. With more than OFW_PAIRED_EXACT games, a fixed number of random
 * choices stands for all of them.
 */
#pragma once

#include <ofw/base.h>

enum { OFW_PAIRED_EXACT = 20, OFW_PAIRED_RESAMPLES = 100000 };
#define OFW_PAIRED_LEVEL 0.05

typedef struct ofw_paired {
  size_t n;         /* games in which both numbers are known */
  double mean;      /* of a - b; NaN: n = 0 */
  double deviation; /* of a - b; NaN: n < 2 */
  double effect;    /* mean / deviation; infinite if all differ alike, 0 if none differs; NaN: n < 2 */
  double p;         /* two-sided; 1: n = 0 */
} ofw_paired;

/* Pairs with a NaN are left out. `seed` fixes the random choices. OFW_FAILED: no memory. */
ofw_status ofw_paired_of(size_t n, const double *a, const double *b, uint64_t seed, ofw_paired *out);

/* The least p that n games can have, when all their differences are on one side. */
double ofw_paired_least(size_t n);
/* How many games could decide one of so many tests, made together; 0: no number of them could. */
size_t ofw_paired_games(size_t tests);

/* Holm's correction: p[i] becomes the level at which the i-th of n tests, made together, is still significant.
 * OFW_FAILED: no memory. */
ofw_status ofw_holm(size_t n, double *p);
