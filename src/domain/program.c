#include "domain/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ofw_status ofw_program_make(ofw_program *p, size_t rows, size_t cols, size_t numbers, ofw_error *err)
{
  *p = (ofw_program){.rows = rows, .cols = cols, .numbers = numbers};
  p->start = ofw_array(cols + 1, sizeof *p->start);
  p->index = ofw_array(numbers, sizeof *p->index);
  p->value = ofw_doubles(numbers);
  p->row_start = ofw_array(rows + 1, sizeof *p->row_start);
  p->row_index = ofw_array(numbers, sizeof *p->row_index);
  p->row_value = ofw_doubles(numbers);
  p->row_low = ofw_doubles(rows);
  p->row_high = ofw_doubles(rows);
  p->low = ofw_doubles(cols);
  p->high = ofw_doubles(cols);
  p->unit = ofw_doubles(cols);
  if (!p->start || !p->index || !p->value || !p->row_start || !p->row_index || !p->row_value || !p->row_low ||
      !p->row_high || !p->low || !p->high || !p->unit)
    return ofw_fail_memory(err, (2 * (rows + cols) + 3 * numbers) * sizeof(double));
  for (size_t j = 0; j < cols; j++)
    p->unit[j] = 1.0;
  return OFW_OK;
}

void ofw_program_free(ofw_program *p)
{
  free(p->start), free(p->index), free(p->value);
  free(p->row_start), free(p->row_index), free(p->row_value);
  free(p->row_low), free(p->row_high), free(p->low), free(p->high), free(p->unit);
  *p = (ofw_program){0};
}

ofw_status ofw_program_finish(ofw_program *p, ofw_error *err)
{
  int *next = ofw_array(p->cols + 1, sizeof *next);
  if (!next)
    return ofw_fail_memory(err, (p->cols + 1) * sizeof *next);
  memset(next, 0, (p->cols + 1) * sizeof *next);
  for (size_t k = 0; k < p->numbers; k++)
    next[p->row_index[k] + 1]++;
  for (size_t j = 0; j < p->cols; j++)
    next[j + 1] += next[j];
  memcpy(p->start, next, (p->cols + 1) * sizeof *next);
  for (size_t i = 0; i < p->rows; i++)
    for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
      int at = next[p->row_index[k]]++;
      p->index[at] = (int)i;
      p->value[at] = p->row_value[k];
    }
  free(next);
  return OFW_OK;
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

/* How far coordinates reach that have no bounds, by the look of the rows: 1 where these are all homogeneous. */
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

ofw_status ofw_program_of(ofw_program *p, const ofw_constraints *c, ofw_error *err)
{
  OFW_TRY(ofw_program_make(p, c->rows, c->dim, c->terms, err));
  double usual = usual_unit(c);
  for (size_t j = 0; j < c->dim; j++) {
    double reach = fmax(finite_size(c->low[j]), finite_size(c->high[j]));
    p->unit[j] = reach > 0.0 ? power_of(reach) : usual;
    p->low[j] = times(c->low[j], 1.0 / p->unit[j]);
    p->high[j] = times(c->high[j], 1.0 / p->unit[j]);
  }
  p->row_start[0] = 0;
  for (size_t i = 0, first = 0; i < c->rows; first = c->end[i++]) {
    double largest = 0.0;
    for (size_t k = first; k < c->end[i]; k++)
      largest = fmax(largest, fabs(c->term[k].value * p->unit[c->term[k].index]));
    double factor = 1.0 / power_of(largest);
    for (size_t k = first; k < c->end[i]; k++) {
      p->row_index[k] = (int)c->term[k].index;
      p->row_value[k] = c->term[k].value * p->unit[c->term[k].index] * factor;
    }
    p->row_start[i + 1] = (int)c->end[i];
    p->row_low[i] = times(c->row_low[i], factor);
    p->row_high[i] = times(c->row_high[i], factor);
  }
  return ofw_program_finish(p, err);
}
