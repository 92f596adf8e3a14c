/* implied_box.c — a box around a large polytope without two programs for each coordinate, and a point in it
 *
 * The box    bounds that are written, and those that rows imply (reach.c). Only a side that has none after that takes a linear
 *            program, whose bound then implies others. So K is bounded, and the box holds it, but may be larger than need be.
 * The point  the middle of the box, or the origin, if all constraints hold there by more than rounding: then K is not empty,
 *            and no program was solved. Else the mean of two vertices: any one, and the farthest from the middle beyond it.
 */
#include "domain/polytope/polytope.h"

#include <math.h>
#include <string.h>

static const double NEAR = 1e-9; /* what a vertex may be off by, beside the size of its coordinates */
/* As often as bounds still tighten much, and no more than this. */
enum { MOST_TIMES = 32 };

static ofw_status narrow(ofw_shape *s, ofw_error *err)
{
  ofw_narrowing found = OFW_TIGHTER;
  for (int k = 0; k < MOST_TIMES && found == OFW_TIGHTER; k++)
    found = ofw_program_narrow(s->p, DBL_EPSILON, s->least, s->most);
  return found == OFW_CROSSED ? ofw_shape_refuse_empty(err) : OFW_OK;
}

/* The side of coordinate j that no row bounds, by a program. What is found bounds the program's coordinates too: one without
 * free coordinates is easier to verify. */
static ofw_status bound_side(ofw_shape *s, size_t j, int up, ofw_error *err)
{
  s->d[j] = up ? -1.0 : 1.0;
  ofw_status st = ofw_shape_look(s, "x", j + 1, up ? "above" : "below", err);
  s->d[j] = 0.0;
  OFW_TRY(st);
  double margin = NEAR * (1.0 + fabs(s->v.x[j]));
  if (up)
    s->most[j] = s->v.x[j] + margin;
  else
    s->least[j] = s->v.x[j] - margin;
  OFW_TRY(narrow(s, err));
  ofw_shape_bound(s, s->least, s->most);
  ofw_vertex_forget(&s->v);
  return OFW_OK;
}

/* A failure that does not matter after all. */
static ofw_status forgive(ofw_error *err)
{
  if (err)
    *err = (ofw_error){0};
  return OFW_OK;
}

/* All of them. What cannot be verified the first time is tried again with the bounds that the others have left. */
static ofw_status bound_sides(ofw_shape *s, int last, ofw_error *err)
{
  for (size_t j = 0; j < s->p->cols; j++)
    for (int up = 0; up < 2; up++) {
      if (up ? s->most[j] != OFW_NO_BOUND : s->least[j] != -OFW_NO_BOUND)
        continue;
      ofw_status st = bound_side(s, j, up, err);
      OFW_TRY(st == OFW_NUMERICAL && !last ? forgive(err) : st);
    }
  return OFW_OK;
}

ofw_status ofw_shape_imply_box(ofw_shape *s, ofw_error *err)
{
  const ofw_program *p = s->p;
  for (size_t j = 0; j < p->cols; j++) {
    s->least[j] = s->unwritten[j] & 1 ? -OFW_NO_BOUND : p->low[j];
    s->most[j] = s->unwritten[j] & 2 ? OFW_NO_BOUND : p->high[j];
  }
  OFW_TRY(narrow(s, err));
  ofw_shape_bound(s, s->least, s->most);
  OFW_TRY(bound_sides(s, 0, err));
  OFW_TRY(bound_sides(s, 1, err));
  for (size_t j = 0; j < p->cols; j++) { /* and the vertices, which rounding may have left outside */
    s->low[j] = fmin(s->low[j], fmin(s->least[j], s->most[j]));
    s->high[j] = fmax(s->high[j], fmax(s->least[j], s->most[j]));
  }
  return OFW_OK;
}

/* Whether x meets every constraint, whatever rounding does. */
static int is_inside(const ofw_program *p, const double *x)
{
  for (size_t j = 0; j < p->cols; j++)
    if (!(p->low[j] <= x[j] && x[j] <= p->high[j]))
      return 0;
  for (size_t i = 0; i < p->rows; i++) {
    double size, sum = ofw_program_row(p, i, x, &size);
    double slop = (2.0 + p->row_start[i + 1] - p->row_start[i]) * DBL_EPSILON * size;
    if (!(p->row_low[i] <= sum - slop && sum + slop <= p->row_high[i]))
      return 0;
  }
  return 1;
}

static double middle_of(const ofw_shape *s, size_t j)
{
  return s->low[j] / 2 + s->high[j] / 2;
}

/* Any vertex: by a program without an objective or, if what it finds cannot be verified, by the least or largest sum. */
static ofw_status find_one(ofw_shape *s, ofw_error *err)
{
  static const double objective[] = {0.0, 1.0, -1.0};
  ofw_status st = OFW_NUMERICAL;
  for (int k = 0; k < 3 && st == OFW_NUMERICAL; k++) {
    for (size_t j = 0; j < s->p->cols; j++)
      s->d[j] = objective[k];
    st = ofw_shape_look(s, "x", 1, "below", err);
  }
  return st == OFW_OK ? forgive(err) : st;
}

/* From that vertex the one that is farthest beyond the middle, if that can be verified: one is enough. */
static ofw_status find_two(ofw_shape *s, ofw_error *err)
{
  double most = DBL_MIN;
  OFW_TRY(find_one(s, err));
  for (size_t j = 0; j < s->p->cols; j++)
    most = fmax(most, fabs(s->v.x[j] - middle_of(s, j)));
  for (size_t j = 0; j < s->p->cols; j++)
    s->d[j] = (s->v.x[j] - middle_of(s, j)) / most;
  ofw_status st = ofw_shape_look(s, "x", 1, "below", err);
  memset(s->d, 0, s->p->cols * sizeof *s->d);
  return st == OFW_NUMERICAL ? forgive(err) : st;
}

ofw_status ofw_shape_find_point(ofw_shape *s, ofw_error *err)
{
  const ofw_program *p = s->p;
  if (s->vertices > 0)
    return OFW_OK;
  for (int origin = 0; origin < 2; origin++) {
    for (size_t j = 0; j < p->cols; j++)
      s->sum[j] = origin ? 0.0 : middle_of(s, j);
    if (is_inside(p, s->sum)) {
      s->vertices = 1; /* it is no vertex, but a mean of them */
      return OFW_OK;
    }
  }
  memset(s->sum, 0, p->cols * sizeof *s->sum);
  return find_two(s, err);
}
