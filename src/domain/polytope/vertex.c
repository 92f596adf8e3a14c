/* vertex.c — the best vertex of a linear program: CLP finds the basis, and this file verifies it
 *
 * CLP is given a new model each time, so that nothing it keeps can change an answer, and the basis alone is taken from
 * it. From the basis follow, by a factorisation of our own, the point and the prices; from those, by weak duality, how far
 * above the least value the point may be. For any y, with z = d - A' y,
 *
 *     <d, x> = <y, A x> + <z, x> >= sum_i min(y_i row_low_i, y_i row_high_i) + sum_j min(z_j low_j, z_j high_j)
 *
 * for every x that meets the constraints. If a basis is the best already, as it often is when d moves slowly, or some
 * steps from it (vertex_pivot.c), CLP is not called at all.
 *
 * A model that is kept, with its own x and prices, would replace vertex*.c, and was measured (bench/bench_clp.c). It was
 * not taken: if vertices tie, its answer depends on the calls before and not on the basis alone, and it takes 5 times as
 * long when few steps are left to do.
 */
#include "domain/polytope/vertex.h"

#include <math.h>
#include <string.h>

#include <Clp_C_Interface.h>

/* A vertex is taken at once if it is this good, relative to the size of what is added up; if none is found that is,
 * the best that is good enough, in its value and in how far it is outside. */
static const double GOOD = 1e-13, GOOD_ENOUGH = 1e-9, INSIDE_ENOUGH = 1e-11;
/* Steps that CLP's tolerances may have left to do; each factorises, so fewer if many rows are tight. */
enum { MOST_STEPS = 200, FEW_STEPS = 20, MANY_TIGHT = 256 };
/* If so few prices are wrong at the last vertex, the steps from there, some for each, are done here sooner than CLP has
 * read the program. */
enum { FEW_WRONG = 24, STEPS_A_WRONG = 3 };
static const double ROUNDING = 1e-11; /* a price of the wrong sign that may be 0, if a coordinate has no bound */

/* A sum and what it may be off by. */
typedef struct total {
  double sum, carry, size; /* carry: what rounding took (A. Neumaier, 1974) */
} total;

static void add(total *t, double x)
{
  double sum = t->sum + x;
  t->carry += fabs(t->sum) >= fabs(x) ? (t->sum - sum) + x : (x - sum) + t->sum;
  t->sum = sum;
  t->size += fabs(x);
}

/* The least that z_j x_j can be. Without a bound on that side, which only happens before a polytope's box is known: what it
 * is at x, if z_j may be 0. */
static double least_of(double z, double low, double high, double x)
{
  double bound = z > 0.0 ? low : high;
  if (z == 0.0)
    return 0.0;
  if (fabs(bound) != OFW_NO_BOUND)
    return z * bound;
  return fabs(z) <= ROUNDING ? z * x : -INFINITY;
}

/* How far <d, x> is above the bound that the prices prove, relative to what is added up: what is left of it is either
 * rounding or a better vertex. The errors of z and of the sums are in v->error, too. */
static double price(const ofw_program *p, ofw_vertex *v, const double *d)
{
  struct ofw_vertex_room *m = v->room;
  total at = {0}, bound = {0};
  double slop = 0.0;
  ofw_vertex_price_rows(p, v, d);
  for (size_t t = 0; t < m->tight; t++) {
    size_t i = (size_t)m->row[t];
    double *y = &m->y[i]; /* any y will do, so one that would prove nothing is left out */
    if ((*y > 0.0 && p->row_low[i] == -OFW_NO_BOUND) || (*y < 0.0 && p->row_high[i] == OFW_NO_BOUND))
      *y = 0.0;
    if (*y != 0.0)
      add(&bound, *y * (*y > 0.0 ? p->row_low[i] : p->row_high[i]));
  }
  for (size_t j = 0; j < p->cols; j++) {
    double size, z = ofw_vertex_price(p, v, d, j, &size), low = p->low[j], high = p->high[j];
    double reach = low != -OFW_NO_BOUND && high != OFW_NO_BOUND ? fmax(fabs(low), fabs(high)) : fabs(v->x[j]);
    slop += (2.0 + p->start[j + 1] - p->start[j]) * DBL_EPSILON * size * reach;
    add(&bound, least_of(z, low, high, v->x[j]));
    add(&at, d[j] * v->x[j]);
  }
  v->value = at.sum + at.carry;
  double above = fmax(0.0, v->value - (bound.sum + bound.carry)), size = at.size + bound.size;
  v->error = above + slop + 4.0 * DBL_EPSILON * size;
  return isfinite(v->error) ? above / fmax(size, DBL_MIN) : INFINITY;
}

/* How good the settled vertex is for d, at best 0. */
static double judge(const ofw_program *p, ofw_vertex *v, const double *d)
{
  if (!v->room->settled || !(v->room->outside <= INSIDE_ENOUGH))
    return INFINITY;
  double above = price(p, v, d);
  return fmax(above, v->room->outside);
}

/* ---- CLP ---- */

typedef struct attempt {
  int warm;         /* from the state's basis, not from none */
  int dual;         /* by the dual simplex method */
  int scaling;      /* as CLP numbers its ways of scaling */
  double tolerance; /* of bounds and prices */
} attempt;

/* The later ones are for what the first leaves unsure. */
static const attempt attempts[] = {
    {1, 0, 3, 1e-9}, {0, 0, 3, 1e-9}, {0, 1, 0, 1e-11}, {0, 0, 1, 1e-11}, {0, 0, 3, 1e-7}};
enum { ATTEMPTS = sizeof attempts / sizeof *attempts };

/* CLP's basis into room->status; what CLP says of it: 0 the best, 1 empty, 2 unbounded, else it does not know. */
static int ask_clp(const ofw_program *p, ofw_vertex *v, const double *d, const attempt *how)
{
  struct ofw_vertex_room *m = v->room;
  Clp_Simplex *model = Clp_newModel();
  Clp_setLogLevel(model, 0);
  Clp_loadProblem(model, (int)p->cols, (int)p->rows, p->start, p->index, p->value, p->low, p->high, d, p->row_low,
                  p->row_high);
  Clp_setPrimalTolerance(model, how->tolerance);
  Clp_setDualTolerance(model, how->tolerance);
  Clp_scaling(model, how->scaling);
  Clp_setMaximumIterations(model, (int)(1000 + 50 * (p->rows + p->cols)));
  if (how->warm)
    Clp_copyinStatus(model, (const unsigned char *)v->state);
  int said = how->dual ? Clp_dual(model, 0) : Clp_primal(model, 0);
  const unsigned char *status = Clp_statusArray(model);
  for (size_t i = 0; i < p->rows + p->cols; i++)
    m->status[i] = status[i] & 7; /* above them are CLP's own marks */
  Clp_deleteModel(model);
  return said;
}

/* The status of every column and row is one that CLP can have given, and as many as there are rows are basic. */
static int is_basis(const ofw_program *p, const ofw_vertex *v)
{
  const unsigned char *status = (const unsigned char *)v->state;
  size_t basic = 0, all = p->rows + p->cols;
  for (size_t i = 0; i < 8 * v->words; i++) {
    if (i < all ? status[i] > OFW_FIXED : status[i] != 0)
      return 0;
    basic += status[i] == OFW_BASIC;
  }
  return basic == p->rows;
}

/* Keeps the basis if it is better than the best before; gives how good it is. */
static double note(const ofw_vertex *v, double now, double *least)
{
  if (now < *least) {
    *least = now;
    memcpy(v->room->best, v->room->status, 8 * v->words);
  }
  return now;
}

static double improve(const ofw_program *p, ofw_vertex *v, const double *d, int most, double *least)
{
  ofw_vertex_improve(p, v, d, most);
  return note(v, judge(p, v, d), least);
}

ofw_outcome ofw_vertex_minimise(const ofw_program *p, ofw_vertex *v, const double *d)
{
  struct ofw_vertex_room *m = v->room;
  size_t bytes = 8 * v->words;
  ofw_outcome outcome = OFW_UNSOLVED;
  int known = is_basis(p, v);
  if (known && (!m->settled || memcmp(m->status, v->state, bytes) != 0)) {
    memcpy(m->status, v->state, bytes);
    ofw_vertex_settle(p, v);
  }
  double least = known ? judge(p, v, d) : INFINITY, now = least;
  memcpy(m->best, v->state, bytes);
  if (isfinite(now) && !(now <= GOOD) && m->tight <= MANY_TIGHT) {
    size_t wrong = ofw_vertex_wrong(p, v, d);
    if (wrong <= FEW_WRONG)
      now = improve(p, v, d, (int)(STEPS_A_WRONG * wrong), &least);
  }
  for (int k = known ? 0 : 1; k < ATTEMPTS && !(now <= GOOD); k++) {
    int said = ask_clp(p, v, d, &attempts[k]);
    outcome = said == 1 ? OFW_EMPTY : said == 2 ? OFW_UNBOUNDED : outcome;
    ofw_vertex_settle(p, v);
    now = note(v, said == 0 ? judge(p, v, d) : INFINITY, &least);
    if (said == 0 && m->outside <= INSIDE_ENOUGH && !(now <= GOOD))
      now = improve(p, v, d, m->tight > MANY_TIGHT ? FEW_STEPS : MOST_STEPS, &least);
  }
  if (!(least <= GOOD_ENOUGH))
    return outcome;
  if (!(now <= least)) { /* back to the best */
    memcpy(m->status, m->best, bytes);
    ofw_vertex_settle(p, v);
    judge(p, v, d);
  }
  memcpy(v->state, m->best, bytes);
  return OFW_VERTEX;
}
