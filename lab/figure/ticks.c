/* ticks.c — ranges of axes, and their ticks */
#include "lab/figure/ticks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- ranges ---- */

int scale_shows(int log, double x)
{
  return fabs(x) <= FIGURE_LARGEST && (!log || x >= 1.0 / FIGURE_LARGEST);
}

double scale_share(const scale_range *r, double x)
{
  return ((r->log ? log10(x) : x) - r->low) / (r->high - r->low);
}

scale_range scale_cover(const figure_axis *axis, const double *x, size_t n, int tight)
{
  static const double ROOM = 0.04, FLAT = 1e-9, TINY = 1e-290;
  scale_range r = {axis->log, INFINITY, -INFINITY};
  for (size_t i = 0; i < n; i++)
    if (scale_shows(axis->log, x[i])) {
      double at = axis->log ? log10(x[i]) : x[i];
      r.low = fmin(r.low, at);
      r.high = fmax(r.high, at);
    }
  if (r.low > r.high)
    return (scale_range){axis->log, 0.0, 1.0};
  int zero = !axis->log && r.low >= 0.0 && (axis->from_zero || r.low <= 0.2 * r.high);
  if (zero)
    r.low = 0.0;
  double size = fmax(fabs(r.low), fabs(r.high)), span = r.high - r.low;
  if (span <= fmax(FLAT * size, TINY)) { /* one number: it stands in the middle, or above 0 */
    double room = axis->log ? 0.5 : size > TINY ? 0.5 * size : 0.5;
    return (scale_range){axis->log, zero && size <= TINY ? 0.0 : r.low - room, r.high + room};
  }
  double room = tight ? 0.0 : ROOM * span;
  return (scale_range){axis->log, zero ? 0.0 : r.low - room, r.high + room};
}

/* ---- texts ---- */

static const char THIN[] = "\u2009", MINUS[] = "\u2212";

static void append(char out[TICK_TEXT], const char *text, size_t n)
{
  size_t used = strlen(out);
  snprintf(out + used, TICK_TEXT - used, "%.*s", (int)n, text);
}

const char *power_text(int exponent, char out[TICK_TEXT])
{
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char digits[16];
  snprintf(digits, sizeof digits, "%d", abs(exponent));
  snprintf(out, TICK_TEXT, "10%s", exponent < 0 ? "⁻" : "");
  for (const char *at = digits; *at; at++)
    append(out, raised[*at - '0'], strlen(raised[*at - '0']));
  return out;
}

/* "−12 345.6", of digits as printf has written them. */
static const char *grouped(const char *plain, char out[TICK_TEXT])
{
  size_t whole = strcspn(plain + (*plain == '-'), ".");
  *out = 0;
  if (*plain == '-')
    append(out, MINUS, sizeof MINUS - 1);
  plain += *plain == '-';
  for (size_t i = 0; plain[i]; i++) {
    if (i > 0 && i < whole && (whole - i) % 3 == 0)
      append(out, THIN, sizeof THIN - 1);
    append(out, plain + i, 1);
  }
  return out;
}

/* Without zeros at the end of its decimals. */
static void strip_zeros(char *text)
{
  char *end = text + strlen(text);
  if (!strchr(text, '.'))
    return;
  while (end[-1] == '0')
    *--end = 0;
  if (end[-1] == '.')
    end[-1] = 0;
}

const char *number_text(double x, int digits, char out[TICK_TEXT])
{
  char plain[TICK_TEXT], mantissa[TICK_TEXT], power[TICK_TEXT];
  *out = 0;
  if (x == 0.0) {
    append(out, "0", 1);
    return out;
  }
  snprintf(plain, sizeof plain, "%.*e", digits - 1, x);
  char *e = strchr(plain, 'e');
  if (!e) { /* no finite number */
    append(out, plain, strlen(plain));
    return out;
  }
  int exponent = (int)strtol(e + 1, NULL, 10);
  if (fabs(x) >= 1e6 || fabs(x) < 1e-3) {
    *e = 0;
    strip_zeros(plain);
    if (strcmp(plain, "1") == 0)
      return power_text(exponent, out);
    snprintf(out, TICK_TEXT, "%.20s×%.24s", grouped(plain, mantissa), power_text(exponent, power));
    return out;
  }
  snprintf(plain, sizeof plain, "%.*f", exponent < digits - 1 ? digits - 1 - exponent : 0, x);
  strip_zeros(plain);
  return grouped(plain, out);
}

/* ---- ticks ---- */

/* 1, 2 or 5 times a power of ten, at least `least`; a smaller one if fewer than two ticks were within the range. */
static double nice_step(double low, double high, double least)
{
  static const double nice[] = {0.2, 0.5, 1.0, 2.0, 5.0, 10.0};
  double power = pow(10.0, floor(log10(least)));
  size_t k = 2;
  while (k < 5 && nice[k] * power < least * (1.0 - 1e-9))
    k++;
  while (k > 0 && floor(high / (nice[k] * power) + 1e-6) <= ceil(low / (nice[k] * power) - 1e-6))
    k--;
  return nice[k] * power;
}

static void linear_ticks(double low, double high, size_t most, scale_ticks *out)
{
  double step = nice_step(low, high, (high - low) / (double)most), size = fmax(fabs(low), fabs(high));
  double first = ceil(low / step - 1e-6), last = floor(high / step + 1e-6);
  out->exponent = size >= 1e6 || size < 1e-3 ? (int)floor(log10(size) + 1e-9) : 0;
  double unit = pow(10.0, out->exponent);
  int decimals = (int)-floor(log10(step) - out->exponent + 1e-9);
  for (double k = first; k <= last && out->n < MOST_TICKS; k++, out->n++) {
    char plain[TICK_TEXT];
    double value = k * step / unit;
    snprintf(plain, sizeof plain, "%.*f", decimals < 0 ? 0 : decimals > 12 ? 12 : decimals, value == 0.0 ? 0.0 : value);
    strip_zeros(plain);
    grouped(plain, out->text[out->n]);
    out->at[out->n] = k * step;
  }
}

static void add_tick(scale_ticks *out, const scale_range *r, double value)
{
  if (out->n == MOST_TICKS || log10(value) < r->low - 1e-9 || log10(value) > r->high + 1e-9)
    return;
  out->at[out->n] = value;
  number_text(value, 3, out->text[out->n++]);
}

/* In as many digits as tell all ticks apart. */
static void write_distinct(scale_ticks *out)
{
  int same = 1;
  for (int digits = 4; same && digits < 16; digits++) {
    same = 0;
    for (size_t i = 0; i < out->n; i++) {
      number_text(out->at[i], digits, out->text[i]);
      same |= i > 0 && strcmp(out->text[i], out->text[i - 1]) == 0;
    }
  }
}

/* Powers of ten, each k-th if there are many; 1, 2 and 5 times them if there are few. */
static void log_ticks(const scale_range *r, size_t most, scale_ticks *out)
{
  int first = (int)ceil(r->low - 1e-9), last = (int)floor(r->high + 1e-9), count = last - first + 1;
  if (count >= 3) {
    for (int every = (count + (int)most - 1) / (int)most; out->n < 2; every--) {
      out->n = 0;
      for (int k = first + (((-first) % every) + every) % every; k <= last; k += every)
        add_tick(out, r, pow(10.0, k));
    }
    return;
  }
  for (int k = (int)floor(r->low); k <= last; k++)
    for (int m = 1; m <= 5; m += m == 1 ? 1 : 3)
      add_tick(out, r, m * pow(10.0, k));
  if (out->n < 2) {
    out->n = 0;
    linear_ticks(pow(10.0, r->low), pow(10.0, r->high), most, out);
    out->exponent = 0;
    write_distinct(out);
  }
}

void scale_ticks_of(const scale_range *r, size_t most, scale_ticks *out)
{
  *out = (scale_ticks){0};
  if (r->log)
    log_ticks(r, most, out);
  else
    linear_ticks(r->low, r->high, most, out);
}
