/* fit.h — the growth of a measured series, its interval, and the comparison with a proved rate
 *
 * A series is a metric at several horizons T, each played with the same seeds. Its exponent is the slope of the
 * least-squares line through ln(mean over the seeds) against ln T; horizons at which the mean is not positive are left
 * out, and fewer than three that are left give no exponent.
 *
 * A mean below 1e-4 G D T at the largest T is negligible: that is its size there and says nothing of its growth, since a
 * series may be as small and still grow like sqrt(T). So its slope is fitted all the same.
 *
 * The interval is a bootstrap's: seeds are drawn with replacement, the same ones at all horizons, since a stream
 * of one seed begins alike whatever its length. Percentiles of such slopes are too narrow for few seeds, by
 * sqrt((n-1)/n) and by taking the normal distribution for Student's; the expanded percentiles are taken that make up
 * for both (Hesterberg, The American Statistician 69, 2015, 371-386): for 95% and n = 8 those at 0.6% and 99.4%.
 */
#pragma once

#include "base/option_table.h"

#define OFW_FIT_LEVEL      0.95 /* how often the interval is to hold the exponent */
#define OFW_FIT_SLACK      0.05 /* what a slope may be above the proved one by terms of lower order, see ofw_verdict_of */
#define OFW_FIT_NEGLIGIBLE 1e-4 /* of G D T */
enum { OFW_FIT_RESAMPLES = 4000, OFW_FIT_HORIZONS = 3, OFW_FIT_SEEDS = 8 };

typedef struct ofw_series {
  size_t horizons, seeds;
  const double *T;     /* ascending */
  const double *value; /* value[i * seeds + k] at T[i] with seed k; NaN: not known */
} ofw_series;

typedef enum ofw_growth {
  OFW_GROWTH_UNKNOWN,    /* a value is not known, or too few means are positive */
  OFW_GROWTH_NEGLIGIBLE, /* the mean at the largest T is 0, or its size is below the floor */
  OFW_GROWTH_NEGATIVE,   /* the mean at the largest T is below 0 by the floor or more */
  OFW_GROWTH_FITTED
} ofw_growth;

typedef struct ofw_exponent {
  ofw_growth growth;
  double low, fit, high; /* NaN: there is no slope; what ends at 0 or below has none, what is negligible may have one */
} ofw_exponent;

enum { OFW_RATE_TEXT = 64 };
/* "T^(3/4) log T", "T^(2/3)", "T^0.7 sqrt(log T)" */
const char *ofw_rate_text(ofw_rate rate, char out[OFW_RATE_TEXT]);
/* The rate at T. */
double ofw_rate_at(ofw_rate rate, double T);

/* The slope of ln value against ln T over the positive values; NaN: there are fewer than OFW_FIT_HORIZONS. */
double ofw_slope(size_t n, const double *T, const double *value);
/* The slope that a rate has over these horizons: its power, and what its logarithm adds there. */
double ofw_rate_slope(ofw_rate rate, size_t n, const double *T);

/* `floor` is OFW_FIT_NEGLIGIBLE G D T at the largest T; `seed` fixes the resamples. OFW_FAILED: no memory. */
ofw_status ofw_exponent_fit(const ofw_series *s, double floor, uint64_t seed, ofw_exponent *out);

typedef enum ofw_verdict {
  OFW_NO_VERDICT,    /* nothing is proved */
  OFW_HOLDS,         /* the whole interval is at most the proved slope + slack */
  OFW_EXCEEDS,       /* the whole interval is above that: it grows faster than proved, over these horizons */
  OFW_IS_NEGLIGIBLE, /* too small at the largest T for its growth to matter there */
  OFW_IS_NEGATIVE,   /* below 0 at the largest T: any bound holds there */
  OFW_NOT_DECIDED,   /* the interval is on both sides, or there is none */
  OFW_VERDICTS
} ofw_verdict;

/* `proved` is ofw_rate_slope's; NaN: nothing is proved. */
ofw_verdict ofw_verdict_of(const ofw_exponent *e, double proved);
/* "holds", "exceeds", "negligible", "negative", "not decided", "-" */
const char *ofw_verdict_name(ofw_verdict v);

/* The share of a bootstrap's slopes that is cut off at each end, for n seeds. */
double ofw_fit_tail(size_t seeds);
