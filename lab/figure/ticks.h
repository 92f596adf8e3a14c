/* ticks.h — from numbers to an axis: its range, where its ticks stand and what they say
 *
 * Numbers are written as on the page of 'ofw report': a thin space between thousands, powers of ten from a million on and
 * below a thousandth. On a linear axis such a power stands once, with the axis's name.
 */
#pragma once

#include "lab/figure/figure.h"

typedef struct scale_range {
  int log;
  double low, high; /* of a logarithmic axis: their logarithms to the base 10 */
} scale_range;

/* Whether a number can stand on the axis. */
int scale_shows(int log, double x);
/* Where a number stands: 0 at `low`, 1 at `high`. */
double scale_share(const scale_range *r, double x);
/* The range that shows the n numbers. `tight`: without room at its ends. */
scale_range scale_cover(const figure_axis *axis, const double *x, size_t n, int tight);

enum { MOST_TICKS = 12, TICK_TEXT = 48 };
typedef struct scale_ticks {
  size_t n;
  double at[MOST_TICKS];
  char text[MOST_TICKS][TICK_TEXT];
  int exponent; /* texts are in units of 10^exponent */
} scale_ticks;

/* At most so many, from 2 to MOST_TICKS, at 1, 2 or 5 times a power of ten, or at powers of ten. */
void scale_ticks_of(const scale_range *r, size_t most, scale_ticks *out);

/* "10⁻³"; returns `out`. */
const char *power_text(int exponent, char out[TICK_TEXT]);
/* A number in `digits` digits; returns `out`. */
const char *number_text(double x, int digits, char out[TICK_TEXT]);
