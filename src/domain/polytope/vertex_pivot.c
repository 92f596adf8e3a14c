/* vertex_pivot.c — steps of the primal simplex method, if there are few to do: from a vertex that was the best for a
 * direction much like this one, and for what CLP leaves, prices below its tolerance which are no rounding
 *
 * A column or a tight row whose price has the wrong sign enters, the one with the largest; what first gets to a bound
 * leaves. Of those that get there at about the same time it is the one that moves fastest, so that the next basis is well
 * conditioned. If that is what entered, at its other bound, the basis stays.
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
static double pull(const ofw_program *p, const ofw_vertex *v, size_t k, double price, double size)
{
  double at, low = p->low[k], high = p->high[k];
  if (low == high || fabs(price) <= PRICED * size)
    return 0.0;
  int is_bound = ofw_vertex_bound(p, v, k, &at), is_free = low == -OFW_NO_BOUND && high == OFW_NO_BOUND;
  if (!is_bound || is_free)
    return fabs(price);
  return (at == low && price < 0.0) || (at == high && price > 0.0) ? fabs(price) : 0.0;
}

/* How many there are to choose from. */
static size_t choose_entering(const ofw_program *p, ofw_vertex *v, const double *d, move *out)
{
  double most = 0.0;
  size_t count = 0, all = p->rows + p->cols;
  ofw_vertex_price_rows(p, v, d);
  for (size_t k = 0; k < all; k++) {
    if (v->room->status[k] == OFW_BASIC)
      continue;
    double size = 1.0, price = k < p->cols ? ofw_vertex_price(p, v, d, k, &size) : v->room->y[k - p->cols];
    double here = pull(p, v, k, price, size);
    count += here > 0.0;
    if (here > most) {
      most = here;
      *out = (move){.which = k, .sign = price > 0.0 ? -1.0 : 1.0};
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
  memset(m->step, 0, (p->cols + p->rows) * sizeof *m->step);
  memset(m->rhs, 0, m->tight * sizeof *m->rhs);
  m->step[which] = entering->sign;
  if (which < p->cols) {
    for (int k = p->start[which]; k < p->start[which + 1]; k++)
      if (m->place[p->index[k]] >= 0)
        m->rhs[m->place[p->index[k]]] = -entering->sign * p->value[k];
  } else
    m->rhs[m->place[which - p->cols]] = entering->sign;
  ofw_vertex_solve(v, 'N', m->rhs);
  for (size_t q = 0; q < m->tight; q++)
    m->step[m->col[q]] = m->rhs[q];
  for (size_t i = 0; i < p->rows; i++)
    if (m->place[i] < 0)
      m->step[p->cols + i] = ofw_program_row(p, i, m->step, NULL);
}

/* How long column or row k takes to its bound with so much to spare; infinite: it has none, or stands. */
static double time_to(const ofw_program *p, const ofw_vertex *v, size_t k, double spare)
{
  double at = v->x[k], speed = v->room->step[k], bound = speed > 0.0 ? p->high[k] : p->low[k];
  if (fabs(speed) <= NEAR || fabs(bound) == OFW_NO_BOUND)
    return INFINITY;
  return fmax(0.0, (speed > 0.0 ? bound - at : at - bound) + spare) / fabs(speed);
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
      double speed = m->step[k], time = time_to(p, v, k, pass ? 0.0 : NEAR * (1.0 + fabs(v->x[k])));
      if (pass == 0)
        soonest = fmin(soonest, time);
      else if (time <= soonest && fabs(speed) > fastest) {
        fastest = fabs(speed);
        *out = (move){k, copysign(1.0, speed), speed > 0.0, time};
      }
    }
  double low = p->low[e], high = p->high[e];
  if (low != -OFW_NO_BOUND && high != OFW_NO_BOUND && high - low <= soonest) {
    *out = (move){e, entering->sign, entering->sign > 0.0, high - low};
    return 1;
  }
  return fastest > 0.0;
}

/* All that moves goes as far as what leaves. */
static void go(const ofw_program *p, ofw_vertex *v, const move *leaving)
{
  size_t which = leaving->which;
  for (size_t k = 0; k < p->cols + p->rows; k++)
    v->x[k] += leaving->time * v->room->step[k];
  v->x[which] = leaving->at_high ? p->high[which] : p->low[which];
}

void ofw_vertex_improve(const ofw_program *p, ofw_vertex *v, const double *d, int most)
{
  struct ofw_vertex_room *m = v->room;
  for (size_t i = 0; i < p->rows; i++)
    v->x[p->cols + i] = ofw_program_row(p, i, v->x, NULL);
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
