/* plays.c — a seed counts at all horizons or at none, so that every mean of a row is over the same games */
#include "lab/plays.h"

#include "base/basics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

lab_plays lab_plays_of(const results_cell *cell, size_t n)
{
  lab_plays p = {.cell = cell};
  while (p.cell < cell + n && p.cell->tune)
    p.cell++;
  n -= (size_t)(p.cell - cell);
  while (p.seeds < n && p.cell[p.seeds].rounds == p.cell->rounds)
    p.seeds++;
  p.horizons = p.seeds ? n / p.seeds : 0;
  return p;
}

int lab_plays_whole(const lab_plays *p, size_t k)
{
  for (size_t i = 0; i < p->horizons; i++)
    if (p->cell[i * p->seeds + k].error)
      return 0;
  return 1;
}

static double metric(const results_cell *c, size_t offset)
{
  return *(const double *)((const char *)c + offset);
}

void lab_plays_mean(const lab_plays *p, size_t offset, size_t i, double *mean, double *deviation)
{
  const results_cell *cell = p->cell + i * p->seeds;
  double n = 0.0, sum = 0.0, square = 0.0;
  for (size_t k = 0; k < p->seeds; k++)
    if (lab_plays_whole(p, k)) {
      sum += metric(&cell[k], offset);
      n += 1.0;
    }
  *mean = n > 0.0 ? sum / n : NAN;
  for (size_t k = 0; k < p->seeds; k++)
    if (lab_plays_whole(p, k))
      square += (metric(&cell[k], offset) - *mean) * (metric(&cell[k], offset) - *mean);
  *deviation = n > 1.0 ? sqrt(square / (n - 1.0)) : NAN;
}

/* OFW_FIT_NEGLIGIBLE G D T at the largest T, on average. */
static double floor_of(const lab_plays *p, size_t whole)
{
  const results_cell *cell = p->cell + (p->horizons - 1) * p->seeds;
  double sum = 0.0;
  for (size_t k = 0; k < p->seeds; k++)
    if (lab_plays_whole(p, k))
      sum += cell[k].G * cell[k].D * (double)cell[k].rounds / (double)whole;
  return OFW_FIT_NEGLIGIBLE * sum;
}

ofw_status lab_plays_fit(const lab_plays *p, size_t offset, ofw_rate rate, uint64_t seed, lab_growth *out,
                         ofw_error *err)
{
  double *T = ofw_doubles(p->horizons * (p->seeds + 1)), *value = T ? T + p->horizons : NULL;
  size_t whole = 0, values = 0;
  if (!T)
    return ofw_fail_memory(err, p->horizons * (p->seeds + 1) * sizeof *T);
  for (size_t k = 0; k < p->seeds; k++)
    whole += (size_t)lab_plays_whole(p, k);
  for (size_t i = 0; i < p->horizons; i++) {
    T[i] = (double)p->cell[i * p->seeds].rounds;
    for (size_t k = 0; k < p->seeds; k++)
      if (lab_plays_whole(p, k))
        value[values++] = metric(&p->cell[i * p->seeds + k], offset);
  }
  const ofw_series s = {p->horizons, whole, T, value};
  ofw_status st = OFW_OK;
  *out = (lab_growth){.exponent = {OFW_GROWTH_UNKNOWN, NAN, NAN, NAN}, .rate = rate};
  if (whole >= OFW_FIT_SEEDS)
    st = ofw_exponent_fit(&s, floor_of(p, whole), seed, &out->exponent);
  out->proved = ofw_rate_slope(rate, p->horizons, T);
  out->verdict = ofw_verdict_of(&out->exponent, out->proved);
  free(T);
  return st == OFW_OK ? st : ofw_fail_memory(err, values * sizeof *T);
}

/* ---- all arms: whoever looks at results looks at all of them, so they are read at once ---- */

static int by_name(const void *a, const void *b)
{
  const results_arm *x = (*(const lab_measured *const *)a)->arm, *y = (*(const lab_measured *const *)b)->arm;
  int order = strcmp(x->label, y->label);
  return order ? order : strcmp(x->stream, y->stream);
}

ofw_status lab_rows_read(results *from, lab_rows *out, ofw_error *err)
{
  *out = (lab_rows){0};
  OFW_TRY(results_arms(from, &out->arm, &out->n, err));
  out->row = calloc(out->n + 1, sizeof *out->row);
  out->by_name = calloc(out->n + 1, sizeof *out->by_name);
  if (!out->row || !out->by_name)
    return ofw_fail_memory(err, out->n * sizeof *out->row);
  for (size_t i = 0; i < out->n; i++) {
    lab_measured *m = &out->row[i];
    m->arm = &out->arm[i];
    OFW_TRY(results_cells(from, m->arm->arm, &m->cell, &m->cells, err));
    OFW_TRY(lab_tuning_read(m->cell, m->cells, &m->tuning, err));
    m->plays = lab_plays_of(m->cell, m->cells);
    out->by_name[i] = m;
  }
  qsort(out->by_name, out->n, sizeof *out->by_name, by_name);
  return OFW_OK;
}

void lab_rows_free(lab_rows *rows)
{
  for (size_t i = 0; rows->row && i < rows->n; i++)
    results_cells_free(rows->row[i].cell, rows->row[i].cells);
  free(rows->row);
  free(rows->by_name);
  results_arms_free(rows->arm, rows->n);
}

const lab_measured *lab_rows_find(const lab_rows *rows, const char *label, const char *stream)
{
  results_arm named = {.label = (char *)label, .stream = (char *)stream};
  const lab_measured like = {.arm = &named}, *key = &like;
  const lab_measured **first = rows->by_name, **end = first + rows->n;
  const lab_measured **at = rows->n ? bsearch(&key, first, rows->n, sizeof *first, by_name) : NULL;
  int several = at && ((at > first && by_name(at - 1, at) == 0) || (at + 1 < end && by_name(at, at + 1) == 0));
  return at && !several ? *at : NULL;
}
