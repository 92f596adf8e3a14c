/* fit.c — slopes, their bootstrap intervals, and the verdict on a proved rate */
#include "lab/fit.h"

#include "base/basics.h"
#include "lab/quantile.h"
#include "linalg/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- rates ---- */

/* "3/4", "1", or "0.71" if no small fraction is meant. */
static void print_fraction(double x, char *out, size_t room)
{
  for (int below = 1; below <= 24; below++) {
    double above = round(x * below);
    if (fabs(x * below - above) < 1e-9) {
      snprintf(out, room, below > 1 ? "(%.0f/%d)" : "%.0f", above, below);
      return;
    }
  }
  snprintf(out, room, "%g", x);
}

const char *ofw_rate_text(ofw_rate rate, char out[OFW_RATE_TEXT])
{
  char power[24], log_power[24];
  print_fraction(rate.power, power, sizeof power);
  print_fraction(rate.log_power, log_power, sizeof log_power);
  if (rate.log_power == 0.0)
    snprintf(out, OFW_RATE_TEXT, "T^%s", power);
  else if (rate.log_power == 1.0)
    snprintf(out, OFW_RATE_TEXT, "T^%s log T", power);
  else if (rate.log_power == 0.5)
    snprintf(out, OFW_RATE_TEXT, "T^%s sqrt(log T)", power);
  else
    snprintf(out, OFW_RATE_TEXT, "T^%s (log T)^%s", power, log_power);
  return out;
}

double ofw_rate_at(ofw_rate rate, double T)
{
  return pow(T, rate.power) * pow(log(T), rate.log_power);
}

/* ---- the line ---- */

double ofw_slope(size_t n, const double *T, const double *value)
{
  double count = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (size_t i = 0; i < n; i++)
    if (value[i] > 0.0 && isfinite(value[i])) {
      count += 1.0;
      x += log(T[i]);
      y += log(value[i]);
    }
  if (count < OFW_FIT_HORIZONS)
    return NAN;
  x /= count;
  y /= count;
  for (size_t i = 0; i < n; i++)
    if (value[i] > 0.0 && isfinite(value[i])) {
      xx += (log(T[i]) - x) * (log(T[i]) - x);
      xy += (log(T[i]) - x) * (log(value[i]) - y);
    }
  return xy / xx;
}

double ofw_rate_slope(ofw_rate rate, size_t n, const double *T)
{
  double *value = rate.power > 0.0 ? ofw_array(n, sizeof *value) : NULL, slope = NAN;
  for (size_t i = 0; value && i < n; i++)
    value[i] = ofw_rate_at(rate, T[i]);
  if (value)
    slope = ofw_slope(n, T, value);
  free(value);
  return slope;
}

/* ---- the interval ---- */

/* P(|t| <= x) of Student's t with so many degrees of freedom: Abramowitz and Stegun, 26.7.3 and 26.7.4 */
static double student(size_t freedom, double x)
{
  double angle = atan(x / sqrt((double)freedom)), c2 = cos(angle) * cos(angle);
  double term = freedom % 2 ? cos(angle) : 1.0, sum = freedom == 1 ? 0.0 : term;
  for (size_t k = freedom % 2 ? 3 : 2; k < freedom; k += 2) {
    term *= c2 * (double)(k - 1) / (double)k;
    sum += term;
  }
  return freedom % 2 ? M_2_PI * (angle + sin(angle) * sum) : sin(angle) * sum;
}

/* Half the width of Student's interval in standard errors; by bisection. */
static double student_quantile(size_t freedom, double level)
{
  double low = 0.0, high = 1e4;
  for (int i = 0; i < 100; i++) {
    double middle = 0.5 * (low + high);
    if (student(freedom, middle) < level)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

double ofw_fit_tail(size_t seeds)
{
  if (seeds < 2)
    return 0.0;
  double n = (double)seeds, wide = sqrt(n / (n - 1.0)) * student_quantile(seeds - 1, OFW_FIT_LEVEL);
  return 0.5 * erfc(wide * M_SQRT1_2);
}

/* The means at all horizons of the seeds that resample number b draws. */
static void resample(const ofw_series *s, uint64_t seed, uint64_t b, double *mean)
{
  for (size_t i = 0; i < s->horizons; i++)
    mean[i] = 0.0;
  for (size_t k = 0; k < s->seeds; k++) {
    uint64_t word = ofw_rng_word((ofw_rng_key){seed, OFW_RNG_RESAMPLE, b}, k);
    size_t drawn = (size_t)(word * s->seeds >> 32);
    for (size_t i = 0; i < s->horizons; i++)
      mean[i] += s->value[i * s->seeds + drawn] / (double)s->seeds;
  }
}

/* The slope of the means with its limits. If more than half of the resamples have none, the series has none. */
static void fit_slope(const ofw_series *s, uint64_t seed, double *mean, double *slope, ofw_exponent *out)
{
  double fit = ofw_slope(s->horizons, s->T, mean);
  size_t n = 0;
  if (isnan(fit))
    return;
  for (uint64_t b = 0; b < OFW_FIT_RESAMPLES; b++) {
    resample(s, seed, b, mean);
    slope[n] = ofw_slope(s->horizons, s->T, mean);
    n += (size_t)!isnan(slope[n]);
  }
  if (n < OFW_FIT_RESAMPLES / 2)
    return;
  double tail = ofw_fit_tail(s->seeds);
  qsort(slope, n, sizeof *slope, ofw_ascending);
  out->fit = fit;
  out->low = fmin(fit, ofw_quantile(slope, n, tail)); /* a bootstrap may be off to one side of what it began with */
  out->high = fmax(fit, ofw_quantile(slope, n, 1.0 - tail));
}

static int all_known(const ofw_series *s)
{
  for (size_t i = 0; i < s->horizons * s->seeds; i++)
    if (isnan(s->value[i]))
      return 0;
  return s->horizons > 0 && s->seeds > 0;
}

ofw_status ofw_exponent_fit(const ofw_series *s, double floor, uint64_t seed, ofw_exponent *out)
{
  *out = (ofw_exponent){OFW_GROWTH_UNKNOWN, NAN, NAN, NAN};
  if (!all_known(s))
    return OFW_OK;
  double *mean = ofw_doubles(s->horizons + OFW_FIT_RESAMPLES);
  if (!mean)
    return OFW_FAILED;
  double *slope = mean + s->horizons;
  for (size_t i = 0; i < s->horizons; i++)
    for (size_t k = 0; k < s->seeds; k++)
      mean[i] += s->value[i * s->seeds + k] / (double)s->seeds;
  double last = mean[s->horizons - 1];
  int is_negligible = last == 0.0 || fabs(last) < floor, is_negative = last < 0.0 && !is_negligible;
  if (last > 0.0) /* the slope of what ends at 0 or below would be that of the other horizons alone */
    fit_slope(s, seed, mean, slope, out);
  out->growth = is_negative       ? OFW_GROWTH_NEGATIVE
                : is_negligible   ? OFW_GROWTH_NEGLIGIBLE
                : isnan(out->fit) ? OFW_GROWTH_UNKNOWN
                                  : OFW_GROWTH_FITTED;
  free(mean);
  return OFW_OK;
}

/* ---- the verdict ---- */

ofw_verdict ofw_verdict_of(const ofw_exponent *e, double proved)
{
  if (e->growth == OFW_GROWTH_NEGLIGIBLE)
    return OFW_IS_NEGLIGIBLE;
  if (e->growth == OFW_GROWTH_NEGATIVE)
    return OFW_IS_NEGATIVE;
  if (isnan(proved))
    return OFW_NO_VERDICT;
  if (e->growth == OFW_GROWTH_FITTED && e->high <= proved + OFW_FIT_SLACK)
    return OFW_HOLDS;
  if (e->growth == OFW_GROWTH_FITTED && e->low > proved + OFW_FIT_SLACK)
    return OFW_EXCEEDS;
  return OFW_NOT_DECIDED;
}

const char *ofw_verdict_name(ofw_verdict v)
{
  static const char *const names[OFW_VERDICTS] = {"-", "holds", "exceeds", "negligible", "negative", "not decided"};
  return names[v];
}
