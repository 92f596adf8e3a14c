/* vertex_pivot.c — steps of the primal simplex method, where there are few to do: from a vertex that was the best for a
 * direction much like this one, and for what CLP leaves, prices below its tolerance which are no rounding
 *
 * A column or a tight row whose price has the wrong sign enters, the one with the largest; what first gets to a bound
 * leaves. Of those that get there at about the same time it is the one that moves fastest, so that the next basis is well
 * conditioned. Where that is what entered, at its other bound, the basis stays.
 */
#include "domain/polytope/vertex.h"

#include <math.h>
#include <string.h>

static const double PRICED = 1e-14; /* a price that is no rounding, relative to what it is made of */
static const double NEAR = 1e-13;   /* so far beyond its bound a leaving one may be for a moment */

/* Columns are numbered first, then rows, as in the status. */
typedef struct move {
  size_t which;
  double sign; /* it grows or falls */
  int at_high; /* the bound that it gets to */
  double time; /* when */
} move;

/* How fast the value falls when this is let go; 0: it does not. */
static double pull(unsigned char status, double low, double high, double price, double size)
{
  if (status == OFW_BASIC || low == high || fabs(price) <= PRICED * size)
    return 0.0;
  double at;
  int is_bound = ofw_vertex_bound(status, low, high, &at), is_free = low == -OFW_NO_BOUND && high == OFW_NO_BOUND;
  if (!is_bound || is_free)
    return fabs(price);
  return (at == low && price < 0.0) || (at == high && price > 0.0) ? fabs(price) : 0.0;
}

/* How many there are to choose from. */
static size_t choose_entering(const ofw_program *p, ofw_vertex *v, const double *d, move *out)
{
  struct ofw_vertex_room *m = v->room;
  double most = 0.0;
  size_t count = 0;
  ofw_vertex_price_rows(p, v, d);
  for (size_t j = 0; j < p->cols; j++) {
    double z = d[j], size = fabs(d[j]);
    for (int k = p->start[j]; k < p->start[j + 1]; k++) {
      double term = p->value[k] * m->y[p->index[k]];
      z -= term;
      size += fabs(term);
    }
    double here = pull(m->status[j], p->low[j], p->high[j], z, size);
    count += here > 0.0;
    if (here > most) {
      most = here;
      *out = (move){.which = j, .sign = z > 0.0 ? -1.0 : 1.0};
    }
  }
  for (size_t t = 0; t < m->tight; t++) {
    size_t i = (size_t)m->row[t];
    double here = pull(m->status[p->cols + i], p->row_low[i], p->row_high[i], m->y[i], 1.0);
    count += here > 0.0;
    if (here > most) {
      most = here;
      *out = (move){.which = p->cols + i, .sign = m->y[i] > 0.0 ? -1.0 : 1.0};
    }
  }
  return count;
}

size_t ofw_vertex_wrong(const ofw_program *p, ofw_vertex *v, const double *d)
{
  move unused;
  return choose_entering(p, v, d, &unused);
}

/* Where everything goes when it moves by 1. */
static void find_step(const ofw_program *p, ofw_vertex *v, const move *entering)
{
  struct ofw_vertex_room *m = v->room;
  size_t which = entering->which;
  memset(m->step, 0, p->cols * sizeof *m->step);
  memset(m->rhs, 0, m->tight * sizeof *m->rhs);
  if (which < p->cols) {
    m->step[which] = entering->sign;
    for (int k = p->start[which]; k < p->start[which + 1]; k++)
      if (m->place[p->index[k]] >= 0)
        m->rhs[m->place[p->index[k]]] = -entering->sign * p->value[k];
  } else
    m->rhs[m->place[which - p->cols]] = entering->sign;
  ofw_vertex_solve(v, 'N', m->rhs);
  for (size_t q = 0; q < m->tight; q++)
    m->step[m->col[q]] = m->rhs[q];
  for (size_t i = 0; i < p->rows; i++)
    m->row_step[i] = m->place[i] < 0 ? ofw_program_row(p, i, m->step) : 0.0;
  if (which >= p->cols)
    m->row_step[which - p->cols] = entering->sign;
}

/* How long something takes to its bound, at this speed and with so much to spare; infinite: it has none, or stands. */
static double time_to(double at, double speed, double low, double high, double spare)
{
  double bound = speed > 0.0 ? high : low;
  if (fabs(speed) <= NEAR || fabs(bound) == OFW_NO_BOUND)
    return INFINITY;
  return fmax(0.0, (speed > 0.0 ? bound - at : at - bound) + spare) / fabs(speed);
}

typedef struct mover {
  double at, speed, low, high;
} mover;

static mover mover_of(const ofw_program *p, const ofw_vertex *v, size_t which)
{
  const struct ofw_vertex_room *m = v->room;
  if (which < p->cols)
    return (mover){v->x[which], m->step[which], p->low[which], p->high[which]};
  size_t i = which - p->cols;
  return (mover){m->row_at[i], m->row_step[i], p->row_low[i], p->row_high[i]};
}

/* Of all that is basic, what gets to its bound first, or the one that enters at its other bound. 0: nothing does. */
static int choose_leaving(const ofw_program *p, const ofw_vertex *v, const move *entering, move *out)
{
  const struct ofw_vertex_room *m = v->room;
  double soonest = INFINITY, fastest = 0.0;
  size_t all = p->rows + p->cols, e = entering->which;
  for (int pass = 0; pass < 2; pass++)
    for (size_t k = 0; k < all; k++) {
      if (m->status[k] != OFW_BASIC)
        continue;
      mover a = mover_of(p, v, k);
      if (pass == 0)
        soonest = fmin(soonest, time_to(a.at, a.speed, a.low, a.high, NEAR * (1.0 + fabs(a.at))));
      else {
        double time = time_to(a.at, a.speed, a.low, a.high, 0.0);
        if (time <= soonest && fabs(a.speed) > fastest) {
          fastest = fabs(a.speed);
          *out = (move){k, copysign(1.0, a.speed), a.speed > 0.0, time};
        }
      }
    }
  double low = e < p->cols ? p->low[e] : p->row_low[e - p->cols],
         high = e < p->cols ? p->high[e] : p->row_high[e - p->cols];
  if (low != -OFW_NO_BOUND && high != OFW_NO_BOUND && high - low <= soonest) {
    *out = (move){e, entering->sign, entering->sign > 0.0, high - low};
    return 1;
  }
  return fastest > 0.0;
}

/* All that moves goes as far as what leaves. */
static void go(const ofw_program *p, ofw_vertex *v, const move *leaving)
{
  struct ofw_vertex_room *m = v->room;
  size_t which = leaving->which;
  for (size_t j = 0; j < p->cols; j++)
    v->x[j] += leaving->time * m->step[j];
  for (size_t i = 0; i < p->rows; i++)
    m->row_at[i] += leaving->time * m->row_step[i];
  if (which < p->cols)
    v->x[which] = leaving->at_high ? p->high[which] : p->low[which];
  else
    m->row_at[which - p->cols] = leaving->at_high ? p->row_high[which - p->cols] : p->row_low[which - p->cols];
}

void ofw_vertex_improve(const ofw_program *p, ofw_vertex *v, const double *d, int most)
{
  struct ofw_vertex_room *m = v->room;
  for (size_t i = 0; i < p->rows; i++)
    m->row_at[i] = ofw_program_row(p, i, v->x);
  int fits = 1;
  for (int k = 0; k < most && fits; k++) {
    move entering = {0}, leaving = {0};
    if (!choose_entering(p, v, d, &entering))
      break;
    find_step(p, v, &entering);
    if (!choose_leaving(p, v, &entering, &leaving))
      break;
    go(p, v, &leaving);
    m->status[entering.which] = OFW_BASIC;
    m->status[leaving.which] = leaving.at_high ? OFW_AT_HIGH : OFW_AT_LOW;
    fits = leaving.which == entering.which || ofw_vertex_factorise(p, v);
  }
  ofw_vertex_settle(p, v);
}
