/* copied.c — a decision that somebody has copied, read like any other: an array in place of what a learner holds
 *
 * Whoever keeps decisions of open rounds (server/open_decisions.h) answers for them by the same code as for a learner's.
 */
#include "engine/engine.h"
#include "vector/vec_arithmetic.h"

#include <string.h>

static const double *numbers(const ofw_engine *E)
{
  return ((const ofw_copied *)E)->number;
}

static ofw_status dot(const ofw_engine *E, ofw_sum a, double *out)
{
  *out = ofw_sum_dot(a, numbers(E));
  return OFW_OK;
}

static ofw_status entries(const ofw_engine *E, ofw_sum probe, size_t n, const size_t *index, double *out)
{
  (void)probe; /* which it has none of */
  for (size_t k = 0; k < n; k++)
    out[k] = numbers(E)[index[k]];
  return OFW_OK;
}

static ofw_status row(const ofw_engine *E, size_t row, double *out)
{
  memcpy(out, numbers(E) + row * E->cols, E->cols * sizeof *out);
  return OFW_OK;
}

static ofw_status dense(const ofw_engine *E, double *out)
{
  if (out)
    memcpy(out, numbers(E), E->dim * sizeof *out);
  return OFW_OK;
}

static const ofw_engine_view view = {.dot = dot, .entries = entries, .row = row, .dense = dense};
static const ofw_engine_ops ops = {.view = &view};

ofw_point ofw_copied_point(ofw_copied *c, size_t rows, size_t cols, const double *number)
{
  *c = (ofw_copied){{&ops, rows * cols, rows, cols}, number};
  return (ofw_point){.at = &c->base};
}
