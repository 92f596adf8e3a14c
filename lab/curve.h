/* curve.h — an arm's plays as one curve: mean and standard deviation at the rounds that all of them recorded */
#pragma once

#include "lab/results.h"

enum { CURVE_LOSS, CURVE_REGRET, CURVE_CCV, CURVE_ORACLE_CALLS, CURVE_PASSES, CURVE_SECONDS, CURVE_COLUMNS };
/* "loss", "regret", "ccv", "oracle_calls", "passes", "seconds" */
extern const char *const results_curve_names[CURVE_COLUMNS];

typedef struct results_moment {
  uint64_t round;
  size_t plays;                                         /* that recorded it: all of the curve's */
  double mean[CURVE_COLUMNS], deviation[CURVE_COLUMNS]; /* NaN: not known; of a single play: no deviation */
} results_moment;

typedef struct results_curve {
  results_moment *moment;
  size_t moments, plays;
} results_curve;

/* Of the arm's n cells, those that are shown (results.h). results_curve_free returns it. */
ofw_status results_curve_read(results *from, const results_cell *cell, size_t n, results_curve *out, ofw_error *err);
void results_curve_free(results_curve *c);
