#include "lab/row.h"

#include "base/basics.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

ofw_status lab_row_open(lab_row *row, ofw_error *err)
{
  row->cell = ofw_array(row->horizons * row->seeds, sizeof *row->cell);
  if (!row->cell)
    return ofw_fail_memory(err, row->horizons * row->seeds * sizeof *row->cell);
  for (size_t i = 0; i < row->horizons; i++)
    for (size_t k = 0; k < row->seeds; k++)
      row->cell[i * row->seeds + k] =
          (lab_cell){.of = &row->setup, .factor = {1.0, 1.0}, .rounds = row->rounds[i], .seed = row->first_seed + k};
  return OFW_OK;
}

void lab_row_free(lab_row *row)
{
  free(row->cell);
  row->cell = NULL;
}

void lab_row_take_tuning(lab_row *row)
{
  const lab_run *best = &row->tuning->run[row->tuning->best];
  for (size_t i = 0; i < row->horizons * row->seeds; i++)
    for (int k = 0; k < 2; k++)
      row->cell[i].factor[k] = best->factor[k];
}

int lab_row_is_whole(const lab_row *row, size_t k)
{
  for (size_t i = 0; i < row->horizons; i++)
    if (row->cell[i * row->seeds + k].result->status != OFW_OK)
      return 0;
  return 1;
}

static double metric(const lab_cell *c, size_t offset)
{
  return *(const double *)((const char *)&c->result->metrics + offset);
}

void lab_row_mean(const lab_row *row, size_t offset, size_t i, double *mean, double *deviation)
{
  const lab_cell *cell = row->cell + i * row->seeds;
  double n = 0.0, sum = 0.0, square = 0.0;
  for (size_t k = 0; k < row->seeds; k++)
    if (lab_row_is_whole(row, k)) {
      sum += metric(&cell[k], offset);
      n += 1.0;
    }
  *mean = n > 0.0 ? sum / n : NAN;
  for (size_t k = 0; k < row->seeds; k++)
    if (lab_row_is_whole(row, k))
      square += (metric(&cell[k], offset) - *mean) * (metric(&cell[k], offset) - *mean);
  *deviation = n > 1.0 ? sqrt(square / (n - 1.0)) : NAN;
}

/* The metric's values, the whole seeds alone. */
static void gather(const lab_row *row, size_t offset, double *value)
{
  for (size_t i = 0; i < row->horizons; i++)
    for (size_t k = 0; k < row->seeds; k++)
      if (lab_row_is_whole(row, k))
        *value++ = metric(&row->cell[i * row->seeds + k], offset);
}

/* OFW_FIT_BOUNDED G D T at the largest T, on average. */
static double floor_of(const lab_row *row)
{
  const lab_cell *cell = row->cell + (row->horizons - 1) * row->seeds;
  double sum = 0.0;
  for (size_t k = 0; k < row->seeds; k++)
    if (lab_row_is_whole(row, k))
      sum += cell[k].result->G * cell[k].result->D * (double)cell[k].rounds / (double)row->whole;
  return OFW_FIT_BOUNDED * sum;
}

static ofw_status fit(const lab_row *row, size_t offset, const double *T, double *value, uint64_t seed, lab_growth *out)
{
  ofw_series s = {row->horizons, row->whole, T, value};
  gather(row, offset, value);
  out->exponent = (ofw_exponent){OFW_GROWTH_UNKNOWN, NAN, NAN, NAN};
  if (row->whole >= OFW_FIT_SEEDS)
    OFW_TRY(ofw_exponent_fit(&s, floor_of(row), seed, &out->exponent));
  out->proved = ofw_rate_slope(out->rate, row->horizons, T);
  out->verdict = ofw_verdict_of(&out->exponent, out->proved);
  return OFW_OK;
}

ofw_status lab_row_fit(lab_row *row, uint64_t seed, ofw_error *err)
{
  const ofw_promise *p = lab_promise(row->setup.learner);
  row->regret.rate = p ? p->regret : (ofw_rate){0};
  row->ccv.rate = p ? p->ccv : (ofw_rate){0};
  row->whole = 0;
  for (size_t k = 0; k < row->seeds; k++)
    row->whole += (size_t)lab_row_is_whole(row, k);
  double *T = ofw_doubles(row->horizons * (row->seeds + 1)), *value = T ? T + row->horizons : NULL;
  ofw_status st = OFW_FAILED;
  if (T) {
    for (size_t i = 0; i < row->horizons; i++)
      T[i] = (double)row->rounds[i];
    st = fit(row, offsetof(ofw_metrics, regret), T, value, seed, &row->regret);
  }
  if (st == OFW_OK)
    st = fit(row, offsetof(ofw_metrics, ccv), T, value, seed, &row->ccv);
  free(T);
  return st == OFW_OK ? st : ofw_fail_memory(err, row->horizons * row->seeds * sizeof *T);
}
