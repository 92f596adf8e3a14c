/* vertex_basis.c — from a basis to its point and its prices, by a dense factorisation */
#include "domain/polytope/vertex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t most_tight(const ofw_program *p)
{
  return p->rows < p->cols ? p->rows : p->cols;
}

ofw_status ofw_vertex_make(ofw_owned *own, const ofw_program *p, ofw_vertex *out, ofw_error *err)
{
  size_t all = p->rows + p->cols, k = most_tight(p);
  struct ofw_vertex_room *m = ofw_owned_take(own, calloc(1, sizeof *m), sizeof *m);
  *out = (ofw_vertex){.words = (all + 7) / 8, .room = m};
  OFW_TRY(ofw_owned_check(own, err));
  out->state = ofw_owned_array(own, out->words, sizeof *out->state);
  out->x = ofw_owned_doubles(own, all);
  m->status = ofw_owned_array(own, 8 * out->words, 1);
  m->best = ofw_owned_array(own, 8 * out->words, 1);
  m->row = ofw_owned_array(own, k, sizeof *m->row);
  m->col = ofw_owned_array(own, k, sizeof *m->col);
  m->place = ofw_owned_array(own, p->rows, sizeof *m->place);
  m->lu = ofw_owned_take(own, ofw_doubles_unset(k * k), k * k * sizeof *m->lu); /* most may never be written */
  m->rhs = ofw_owned_doubles(own, k);
  m->fix = ofw_owned_doubles(own, k);
  m->pivot = ofw_owned_array(own, k, sizeof *m->pivot);
  m->y = ofw_owned_doubles(own, p->rows);
  m->step = ofw_owned_doubles(own, all);
  OFW_TRY(ofw_owned_check(own, err));
  memset(out->state, 0, out->words * sizeof *out->state);
  memset(m->status, 0, 8 * out->words);
  return OFW_OK;
}

void ofw_vertex_forget(ofw_vertex *v)
{
  v->room->settled = 0;
}

/* ---- from a basis to its point ---- */

int ofw_vertex_bound(const ofw_program *p, const ofw_vertex *v, size_t k, double *out)
{
  unsigned char status = v->room->status[k];
  double low = p->low[k], high = p->high[k];
  int at_high = status == OFW_AT_HIGH || (status != OFW_AT_LOW && low == -OFW_NO_BOUND && high != OFW_NO_BOUND);
  *out = at_high ? high : low;
  if (low == -OFW_NO_BOUND && high == OFW_NO_BOUND && status != OFW_AT_HIGH && status != OFW_AT_LOW)
    *out = 0.0; /* a free coordinate that is not basic */
  return fabs(*out) != OFW_NO_BOUND;
}

/* Which rows are tight and which columns basic. 0: this is no basis. */
static int sort_out(const ofw_program *p, ofw_vertex *v)
{
  struct ofw_vertex_room *m = v->room;
  size_t basic = 0, most = most_tight(p);
  double unused;
  m->tight = 0;
  for (size_t i = 0; i < p->rows; i++) {
    int is_tight = m->status[p->cols + i] != OFW_BASIC;
    if (is_tight && (m->tight == most || !ofw_vertex_bound(p, v, p->cols + i, &unused)))
      return 0;
    m->place[i] = is_tight ? (int)m->tight : -1;
    if (is_tight)
      m->row[m->tight++] = (int)i;
  }
  for (size_t j = 0; j < p->cols; j++) {
    if (m->status[j] != OFW_BASIC && !ofw_vertex_bound(p, v, j, &unused))
      return 0;
    if (m->status[j] == OFW_BASIC && basic == m->tight)
      return 0;
    if (m->status[j] == OFW_BASIC)
      m->col[basic++] = (int)j;
  }
  return basic == m->tight;
}

static int factorise(const ofw_program *p, struct ofw_vertex_room *m)
{
  size_t n = m->tight;
  if (n == 0)
    return 1;
  memset(m->lu, 0, n * n * sizeof *m->lu);
  for (size_t q = 0; q < n; q++)
    for (int k = p->start[m->col[q]]; k < p->start[m->col[q] + 1]; k++)
      if (m->place[p->index[k]] >= 0)
        m->lu[q * n + (size_t)m->place[p->index[k]]] = p->value[k];
  lapack_int size = (lapack_int)n;
  return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, size, size, m->lu, size, m->pivot) == 0;
}

void ofw_vertex_solve(ofw_vertex *v, char transposed, double *b)
{
  struct ofw_vertex_room *m = v->room;
  lapack_int n = (lapack_int)m->tight;
  if (n)
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, transposed, n, 1, m->lu, n, m->pivot, b, n);
}

int ofw_vertex_factorise(const ofw_program *p, ofw_vertex *v)
{
  return sort_out(p, v) && factorise(p, v->room);
}

/* What is not basic is at its bound, and the basic coordinates follow from the tight rows; the second and third rounds take
 * away what rounding left. */
static void place_point(const ofw_program *p, ofw_vertex *v)
{
  struct ofw_vertex_room *m = v->room;
  for (size_t j = 0; j < p->cols; j++) {
    v->x[j] = 0.0;
    if (m->status[j] != OFW_BASIC)
      ofw_vertex_bound(p, v, j, &v->x[j]);
  }
  for (int round = 0; round < 3; round++) {
    for (size_t t = 0; t < m->tight; t++) {
      size_t i = (size_t)m->row[t];
      double bound;
      ofw_vertex_bound(p, v, p->cols + i, &bound);
      m->rhs[t] = bound - ofw_program_row(p, i, v->x, NULL);
    }
    ofw_vertex_solve(v, 'N', m->rhs);
    for (size_t q = 0; q < m->tight; q++)
      v->x[m->col[q]] += m->rhs[q];
  }
}

/* Coordinates that are beyond a bound are put on it. How far anything is outside; NaN counts as infinite. */
static double measure_outside(const ofw_program *p, ofw_vertex *v)
{
  double most = 0.0;
  for (size_t j = 0; j < p->cols; j++) {
    double inside = fmax(p->low[j], fmin(v->x[j], p->high[j])), out = fabs(v->x[j] - inside) / (1.0 + fabs(inside));
    most = out <= most ? most : isnan(out) ? INFINITY : out;
    v->x[j] = inside;
  }
  for (size_t i = 0; i < p->rows; i++) {
    double size, sum = ofw_program_row(p, i, v->x, &size);
    double out = fmax(p->row_low[i] - sum, sum - p->row_high[i]) / (1.0 + size);
    most = out <= most ? most : isnan(out) ? INFINITY : out;
  }
  return most;
}

void ofw_vertex_settle(const ofw_program *p, ofw_vertex *v)
{
  struct ofw_vertex_room *m = v->room;
  m->settled = ofw_vertex_factorise(p, v);
  m->outside = INFINITY;
  if (!m->settled)
    return;
  place_point(p, v);
  m->outside = measure_outside(p, v);
}

/* The second round takes away what rounding left. */
void ofw_vertex_price_rows(const ofw_program *p, ofw_vertex *v, const double *d)
{
  struct ofw_vertex_room *m = v->room;
  memset(m->y, 0, p->rows * sizeof *m->y);
  for (int round = 0; round < 2; round++) {
    for (size_t q = 0; q < m->tight; q++) {
      m->fix[q] = d[m->col[q]];
      for (int k = p->start[m->col[q]]; k < p->start[m->col[q] + 1]; k++)
        m->fix[q] -= p->value[k] * m->y[p->index[k]];
    }
    ofw_vertex_solve(v, 'T', m->fix);
    for (size_t t = 0; t < m->tight; t++)
      m->y[m->row[t]] += m->fix[t];
  }
}

double ofw_vertex_price(const ofw_program *p, const ofw_vertex *v, const double *d, size_t j, double *size)
{
  double z = d[j];
  *size = fabs(z);
  for (int k = p->start[j]; k < p->start[j + 1]; k++) {
    double term = p->value[k] * v->room->y[p->index[k]];
    z -= term;
    *size += fabs(term);
  }
  return z;
}
