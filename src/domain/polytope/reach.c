/* reach.c — how far coordinates reach, by their bounds and by each row alone
 *
 * If all other coordinates of a row help as much as they can, what is left to one of them bounds it:
 *
 *     a_j x_j >= row_low - sum_{k != j} max(a_k low_k, a_k high_k)      and the same for row_high
 *
 * The bounds found so bound others in turn. They hold in all of the set, but need not be the least that do.
 */
#include "domain/polytope/program.h"

#include <math.h>

/* The least that a term of this coefficient can be, or the largest. */
static double end_of(double value, double low, double high, int upper)
{
  double at = (value > 0.0) == upper ? high : low;
  return fabs(at) == OFW_NO_BOUND ? (upper ? INFINITY : -INFINITY) : value * at;
}

/* Whether a bound that was `before` has moved by so much that others may follow. */
static int is_news(double before, double now)
{
  static const double LITTLE = 1e-3;
  return fabs(before) == OFW_NO_BOUND || fabs(before - now) > LITTLE * (fabs(before) + fabs(now));
}

/* Whether a bound says so little that a program had better find it. Rows that contradict each other can drive bounds away for ever,
 * and CLP ends the process if it meets them. */
static int is_far(double bound)
{
  static const double FAR = 1e15;
  return fabs(bound) > FAR && fabs(bound) != OFW_NO_BOUND;
}

/* Whether a lower bound is above an upper one by more than vertices may be outside. */
static int is_apart(double low, double high)
{
  static const double INSIDE = 1e-11;
  return low - high > INSIDE * (1.0 + fabs(low) + fabs(high));
}

/* What row i leaves to each of its coordinates. side 0: the row is at least `bound`; 1: at most. */
static ofw_narrowing narrow_by(const ofw_program *p, size_t i, double bound, int side, double rounding, double *low,
                               double *high)
{
  double sum = 0.0, size = fabs(bound);
  size_t unknown = 0;
  ofw_narrowing found = OFW_SETTLED;
  for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
    int j = p->row_index[k];
    double end = end_of(p->row_value[k], low[j], high[j], !side);
    unknown += isinf(end) != 0;
    sum += isinf(end) ? 0.0 : end;
    size += isinf(end) ? 0.0 : fabs(end);
  }
  double slop = rounding * (4.0 + p->row_start[i + 1] - p->row_start[i]) * size;
  for (int k = p->row_start[i]; k < p->row_start[i + 1] && unknown < 2; k++) {
    int j = p->row_index[k];
    double value = p->row_value[k], end = end_of(value, low[j], high[j], !side);
    if (unknown && !isinf(end))
      continue;
    double limit = (bound - (isinf(end) ? sum : sum - end)) / value, off = slop / fabs(value);
    int above = (value > 0.0) == side;
    double *at = above ? &high[j] : &low[j], now = above ? fmin(*at, limit + off) : fmax(*at, limit - off);
    if (rounding > 0.0 && (above ? low[j] > now : now > high[j])) {
      if (above ? is_apart(low[j], now) : is_apart(now, high[j]))
        return OFW_CROSSED;
      continue;
    }
    if (rounding > 0.0 && is_far(now))
      continue;
    found = is_news(*at, now) ? OFW_TIGHTER : found;
    *at = now;
  }
  return found;
}

ofw_narrowing ofw_program_narrow(const ofw_program *p, double rounding, double *low, double *high)
{
  ofw_narrowing all = OFW_SETTLED;
  for (size_t i = 0; i < p->rows; i++)
    for (int side = 0; side < 2; side++) {
      double bound = side ? p->row_high[i] : p->row_low[i];
      if (fabs(bound) == OFW_NO_BOUND)
        continue;
      ofw_narrowing found = narrow_by(p, i, bound, side, rounding, low, high);
      if (found == OFW_CROSSED)
        return found;
      all = found == OFW_TIGHTER ? found : all;
    }
  return all;
}
