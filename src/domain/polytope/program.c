/* program.c — a linear program from constraints, in units in which its numbers are about 1
 *
 * CLP's tolerances are absolute, and so are ours. Units are powers of two, so that to change them rounds nothing.
 */
#include "domain/polytope/program.h"

#include <math.h>
#include <string.h>

ofw_status ofw_program_make(ofw_owned *own, ofw_program *p, size_t rows, size_t cols, size_t numbers, ofw_error *err)
{
  *p = (ofw_program){.rows = rows, .cols = cols, .numbers = numbers};
  p->start = ofw_owned_array(own, cols + 1, sizeof *p->start);
  p->index = ofw_owned_array(own, numbers, sizeof *p->index);
  p->value = ofw_owned_doubles(own, numbers);
  p->row_start = ofw_owned_array(own, rows + 1, sizeof *p->row_start);
  p->row_index = ofw_owned_array(own, numbers, sizeof *p->row_index);
  p->row_value = ofw_owned_doubles(own, numbers);
  p->low = ofw_owned_doubles(own, cols + rows);
  p->high = ofw_owned_doubles(own, cols + rows);
  p->unit = ofw_owned_doubles(own, cols);
  OFW_TRY(ofw_owned_check(own, err));
  p->row_low = p->low + cols;
  p->row_high = p->high + cols;
  for (size_t j = 0; j < cols; j++)
    p->unit[j] = 1.0;
  return OFW_OK;
}

/* start[j + 1] is the next free place of column j while it is filled, and the column's end in the end. */
void ofw_program_finish(ofw_program *p)
{
  memset(p->start, 0, (p->cols + 1) * sizeof *p->start);
  for (size_t k = 0; k < p->numbers; k++)
    if ((size_t)p->row_index[k] + 2 <= p->cols)
      p->start[p->row_index[k] + 2]++;
  for (size_t j = 2; j <= p->cols; j++)
    p->start[j] += p->start[j - 1];
  for (size_t i = 0; i < p->rows; i++)
    for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
      int at = p->start[p->row_index[k] + 1]++;
      p->index[at] = (int)i;
      p->value[at] = p->row_value[k];
    }
}

/* The power of two next to x from above. */
static double power_of(double x)
{
  int exponent;
  frexp(x, &exponent);
  return ldexp(1.0, exponent);
}

static double finite_size(double bound)
{
  return fabs(bound) == OFW_NO_BOUND ? 0.0 : fabs(bound);
}

/* ---- how far coordinates reach ---- */

/* How far coordinates reach that have no bounds, by the look of the rows: 1 if these are all homogeneous. */
static double usual_unit(const ofw_constraints *c)
{
  double most = 0.0;
  for (size_t i = 0, k = 0; i < c->rows; i++) {
    double largest = 0.0;
    for (; k < c->end[i]; k++)
      largest = fmax(largest, fabs(c->term[k].value));
    most = fmax(most, fmax(finite_size(c->row_low[i]), finite_size(c->row_high[i])) / largest);
  }
  for (size_t j = 0; j < c->dim; j++)
    most = fmax(most, fmax(finite_size(c->low[j]), finite_size(c->high[j])));
  return most > 0.0 ? power_of(most) : 1.0;
}

static double times(double bound, double factor)
{
  return fabs(bound) == OFW_NO_BOUND ? bound : bound * factor;
}

/* Row i times a power of two, so that its largest number is about 1. */
static void balance(ofw_program *p, size_t i)
{
  double largest = 0.0;
  for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++)
    largest = fmax(largest, fabs(p->row_value[k]));
  double factor = largest > 0.0 ? 1.0 / power_of(largest) : 1.0;
  for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++)
    p->row_value[k] *= factor;
  p->row_low[i] = times(p->row_low[i], factor);
  p->row_high[i] = times(p->row_high[i], factor);
}

/* A coordinate that is 0 adds nothing to a row, but could hide the others by its size. */
static int is_zero(const ofw_constraints *c, size_t j)
{
  return c->low[j] == 0.0 && c->high[j] == 0.0;
}

/* How far each coordinate reaches by the look of it, as far as numbers go; 0: nowhere. low and high are room. */
static void guess_reach(const ofw_program *p, double usual, double *low, double *high, double *reach)
{
  enum { TIMES = 4 };
  memcpy(low, p->low, p->cols * sizeof *low);
  memcpy(high, p->high, p->cols * sizeof *high);
  for (int k = 0; k < TIMES; k++)
    ofw_program_narrow(p, 0.0, low, high);
  for (size_t j = 0; j < p->cols; j++) {
    double far = fmax(finite_size(low[j]), finite_size(high[j]));
    int known = low[j] <= high[j] && (far == 0.0 || far >= OFW_LEAST_COEFFICIENT) && far <= OFW_LARGEST_COEFFICIENT;
    int bounded = low[j] != -OFW_NO_BOUND && high[j] != OFW_NO_BOUND;
    reach[j] = known && (bounded || far > 0.0) ? far : usual;
  }
}

ofw_status ofw_program_of(ofw_owned *own, ofw_owned *room, ofw_program *p, const ofw_constraints *c, ofw_error *err)
{
  int at = 0;
  OFW_TRY(ofw_program_make(own, p, c->rows, c->dim, c->terms, err));
  p->row_start[0] = 0;
  for (size_t i = 0, k = 0; i < c->rows; i++) {
    for (; k < c->end[i]; k++)
      if (!is_zero(c, c->term[k].index)) {
        p->row_index[at] = (int)c->term[k].index;
        p->row_value[at++] = c->term[k].value;
      }
    p->row_start[i + 1] = at;
    p->row_low[i] = c->row_low[i];
    p->row_high[i] = c->row_high[i];
  }
  p->numbers = (size_t)at;
  memcpy(p->low, c->low, c->dim * sizeof *p->low);
  memcpy(p->high, c->high, c->dim * sizeof *p->high);
  double *reach = ofw_owned_doubles(room, c->dim), *low = ofw_owned_doubles(room, c->dim);
  double *high = ofw_owned_doubles(room, c->dim);
  OFW_TRY(ofw_owned_check(room, err));
  guess_reach(p, usual_unit(c), low, high, reach);
  ofw_program_adjust(p, reach);
  return OFW_OK;
}

/* By how much a unit is to grow; 1: it is good enough. */
static double growth(double reach)
{
  static const double FAR_OFF = 64.0;
  double factor = power_of(reach);
  return factor < FAR_OFF && factor > 1.0 / FAR_OFF ? 1.0 : factor;
}

/* A coordinate that reaches nowhere has any unit that does not hide the others of its rows: the least is kept, below 0. */
static void limit_zeros(const ofw_program *p, double *reach)
{
  for (size_t i = 0; i < p->rows; i++) {
    double largest = 0.0;
    for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++)
      if (reach[p->row_index[k]] > 0.0)
        largest = fmax(largest, fabs(p->row_value[k]) * growth(reach[p->row_index[k]]));
    for (int k = p->row_start[i]; k < p->row_start[i + 1] && largest > 0.0; k++) {
      double *here = &reach[p->row_index[k]], limit = -largest / fabs(p->row_value[k]);
      if (*here <= 0.0)
        *here = *here == 0.0 ? limit : fmax(*here, limit);
    }
  }
}

int ofw_program_adjust(ofw_program *p, double *reach)
{
  int changed = 0;
  limit_zeros(p, reach);
  for (size_t j = 0; j < p->cols; j++) {
    double factor = reach[j] > 0.0 ? growth(reach[j]) : reach[j] < 0.0 ? fmin(1.0, growth(-reach[j])) : 1.0;
    changed |= factor != 1.0;
    reach[j] = factor;
    p->unit[j] *= factor;
    p->low[j] = times(p->low[j], 1.0 / factor);
    p->high[j] = times(p->high[j], 1.0 / factor);
  }
  for (size_t k = 0; k < p->numbers; k++)
    p->row_value[k] *= reach[p->row_index[k]];
  for (size_t i = 0; i < p->rows; i++)
    balance(p, i);
  ofw_program_finish(p);
  return changed;
}

double ofw_program_row(const ofw_program *p, size_t i, const double *x, double *size)
{
  double sum = 0.0, total = 0.0;
  for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
    double term = p->row_value[k] * x[p->row_index[k]];
    sum += term;
    total += fabs(term);
  }
  if (size)
    *size = total;
  return sum;
}
