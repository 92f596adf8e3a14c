/* affine_hull.c — the hull that a polytope lies in, and the largest ball in it
 *
 * The hull  a constraint that every vertex found so far meets with equality is asked for its largest slack; those that have
 *           none, up to 1e-9 in the program's units, are equations. Their span, by a pivoted QR, is what is normal to K.
 * The ball  one more program: the largest t with <a, x> + t |P a| <= b for all that are no equations, P the projection into
 *           the hull's directions. Then the ball of radius t about x lies in K, and no larger one does about any point.
 */
#include "domain/polytope/polytope.h"

#include "linalg/kernels.h"

#include <math.h>
#include <string.h>

#include <lapacke.h>

static const double DEPENDENT = 1e-10; /* what is left of a unit vector that is in the span of others */

/* How far constraint k was from its lower bound, or (up) from its upper one, at the vertices so far. */
static double farthest(const ofw_shape *s, size_t k, int up)
{
  return up ? s->high[k] - s->p->low[k] : s->p->high[k] - s->low[k];
}

/* A row that was at one of its bounds at all vertices so far: is there one where it is not? */
static ofw_status try_row(ofw_shape *s, size_t i, ofw_error *err)
{
  const ofw_program *p = s->p;
  for (int up = 0; up < 2; up++) {
    if (farthest(s, p->cols + i, up) > OFW_FLAT)
      continue;
    for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++)
      s->d[p->row_index[k]] = up ? -p->row_value[k] : p->row_value[k];
    OFW_TRY(ofw_shape_look(s, "constraint ", i + 1, up ? "above" : "below", err));
    memset(s->d, 0, p->cols * sizeof *s->d);
    if (farthest(s, p->cols + i, up) <= OFW_FLAT)
      s->is_equation[p->cols + i] = 1;
  }
  return OFW_OK;
}

/* Whether constraint k is the same at all vertices so far. */
static int is_constant(const ofw_shape *s, size_t k)
{
  return s->high[k] - s->low[k] <= OFW_FLAT;
}

static ofw_status find_equations(ofw_shape *s, ofw_error *err)
{
  const ofw_program *p = s->p;
  for (size_t i = 0; i < p->rows; i++) {
    if (p->row_low[i] == p->row_high[i])
      s->is_equation[p->cols + i] = 1;
    else
      OFW_TRY(try_row(s, i, err));
  }
  for (size_t j = 0; j < p->cols; j++)
    s->is_equation[j] = (char)is_constant(s, j);
  for (size_t k = 0; k < p->rows + p->cols; k++)
    s->equations += s->is_equation[k] != 0;
  return OFW_OK;
}

/* Constraint k, a column's bound or a row, over coordinates as they are and of length 1; its length before that. */
static double unit_normal(const ofw_shape *s, size_t k, double *out)
{
  const ofw_program *p = s->p;
  memset(out, 0, p->cols * sizeof *out);
  if (k < p->cols) {
    out[k] = 1.0;
    return 1.0 / p->unit[k];
  }
  double norm = s->poly->row_norm[k - p->cols];
  for (int at = p->row_start[k - p->cols]; at < p->row_start[k - p->cols + 1]; at++)
    out[p->row_index[at]] = p->row_value[at] / p->unit[p->row_index[at]] / norm;
  return norm;
}

static ofw_status find_span(ofw_shape *s, ofw_error *err)
{
  size_t n = s->p->cols, m = s->equations, least = m < n ? m : n;
  if (m == 0)
    return OFW_OK;
  lapack_int *pivot = ofw_owned_array(&s->K->room, m, sizeof *pivot);
  double *tau = ofw_owned_doubles(&s->K->room, least);
  s->q = ofw_owned_doubles(&s->K->own, n * m);
  OFW_TRY(ofw_owned_check(&s->K->room, err));
  OFW_TRY(ofw_owned_check(&s->K->own, err));
  for (size_t k = 0, at = 0; k < s->p->rows + n; k++)
    if (s->is_equation[k])
      unit_normal(s, k, s->q + n * at++);
  memset(pivot, 0, m * sizeof *pivot);
  int failed = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)m, s->q, (lapack_int)n, pivot, tau) != 0;
  while (!failed && s->rank < least && fabs(s->q[s->rank * (n + 1)]) > DEPENDENT)
    s->rank++;
  if (!failed)
    failed = LAPACKE_dorgqr(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)s->rank, (lapack_int)s->rank, s->q,
                            (lapack_int)n, tau) != 0;
  return failed ? ofw_fail_memory(err, n * m * sizeof(double)) : OFW_OK;
}

/* |P a|, 0 if a is normal to the hull. What is not constant has no less than rounding: too much makes the ball smaller. */
static void weigh(ofw_shape *s)
{
  size_t n = s->p->cols;
  for (size_t k = 0; k < s->p->rows + n; k++) {
    double length = unit_normal(s, k, s->d);
    for (int round = 0; round < 2; round++) /* the second makes up for the first one's rounding */
      for (size_t l = 0; l < s->rank; l++)
        ofw_axpy(n, -ofw_dot(n, s->q + l * n, s->d), s->q + l * n, s->d);
    double left = ofw_norm(n, s->d);
    int none = s->is_equation[k] || (left <= DEPENDENT && is_constant(s, k));
    s->weight[k] = none ? 0.0 : fmax(left, 8.0 * DBL_EPSILON) * length;
  }
  memset(s->d, 0, n * sizeof *s->d);
}

/* ---- the ball ---- */

/* A row of the program for the ball: <a, x> + w t within these. `from` is a row, or past the rows a column. */
static void add_row(ofw_program *b, const ofw_shape *s, size_t k, double w, double low, double high)
{
  const ofw_program *p = s->p;
  int at = b->row_start[b->rows];
  if (k < p->cols) {
    b->row_index[at] = (int)k;
    b->row_value[at++] = 1.0;
  } else
    for (int from = p->row_start[k - p->cols]; from < p->row_start[k - p->cols + 1]; from++) {
      b->row_index[at] = p->row_index[from];
      b->row_value[at++] = p->row_value[from];
    }
  if (w != 0.0) {
    b->row_index[at] = (int)p->cols;
    b->row_value[at++] = w;
  }
  b->row_low[b->rows] = low;
  b->row_high[b->rows++] = high;
  b->row_start[b->rows] = at;
}

/* Both sides of constraint k, as far as there are two. `unit` is t's. */
static void add_sides(ofw_program *b, const ofw_shape *s, size_t k, double unit)
{
  double low = s->p->low[k], high = s->p->high[k], w = s->weight[k] * unit;
  if (s->is_equation[k]) { /* at the bound that K is at; a coordinate that is at none follows from the others */
    double at = s->low[k], equal = fabs(low - at) <= fabs(high - at) ? low : high;
    if (fabs(equal - at) <= 2 * OFW_FLAT)
      add_row(b, s, k, 0.0, equal, equal);
    return;
  }
  if (w == 0.0 && k < s->p->cols)
    return; /* its bounds are the column's own */
  if (low != -OFW_NO_BOUND)
    add_row(b, s, k, -w, low, w == 0.0 ? high : OFW_NO_BOUND);
  if (high != OFW_NO_BOUND && (w != 0.0 || low == -OFW_NO_BOUND))
    add_row(b, s, k, w, -OFW_NO_BOUND, high);
}

static ofw_status make_ball(ofw_shape *s, double unit, ofw_program *b, ofw_error *err)
{
  const ofw_program *p = s->p;
  OFW_TRY(ofw_program_make(&s->K->room, b, 2 * (p->rows + p->cols), p->cols + 1,
                           2 * (p->numbers + p->rows) + 4 * p->cols, err));
  b->rows = 0;
  b->row_start[0] = 0;
  for (size_t k = 0; k < p->rows + p->cols; k++)
    add_sides(b, s, k, unit);
  b->numbers = (size_t)b->row_start[b->rows];
  memcpy(b->low, p->low, p->cols * sizeof *b->low);
  memcpy(b->high, p->high, p->cols * sizeof *b->high);
  b->high[p->cols] = 2.0;
  ofw_program_finish(b);
  return OFW_OK;
}

/* The ball about x that the constraints leave room for. */
static double room_about(const ofw_shape *s, const double *x)
{
  const ofw_program *p = s->p;
  double least = INFINITY;
  for (size_t k = 0; k < p->rows + p->cols; k++)
    if (s->weight[k] > 0.0) {
      double at = k < p->cols ? x[k] : ofw_program_row(p, k - p->cols, x, NULL);
      if (p->low[k] != -OFW_NO_BOUND)
        least = fmin(least, (at - p->low[k]) / s->weight[k]);
      if (p->high[k] != OFW_NO_BOUND)
        least = fmin(least, (p->high[k] - at) / s->weight[k]);
    }
  return fmax(0.0, least);
}

/* A bound on the radius: half the least width of a coordinate that moves. */
static double most_radius(const ofw_shape *s)
{
  double least = s->K->R;
  for (size_t j = 0; j < s->p->cols; j++)
    if (s->weight[j] > 0.0)
      least = fmin(least, (s->high[j] - s->low[j]) / 2 / s->weight[j]);
  return least;
}

/* The ball about x of radius t. If coordinates are too large for t to be seen in them, x may be on their bounds, and half
 * the way to the mean of the vertices is as good. */
static ofw_status take_ball(ofw_shape *s, double *x, double t, ofw_error *err)
{
  s->K->r = room_about(s, x);
  for (size_t j = 0; j < s->p->cols && s->K->r < 0.999 * t; j++)
    x[j] = x[j] / 2 + s->sum[j] / (double)s->vertices / 2;
  if (s->K->r < 0.999 * t)
    s->K->r = room_about(s, x);
  if (!(s->K->r <= s->K->R * (1.0 + 1e-9)))
    return ofw_fail(
        err, OFW_NUMERICAL,
        "polytope: cannot find the largest ball inside: the numbers differ too much in size; rescale the constraints");
  return ofw_shape_set_centre(s, x, err);
}

static ofw_status find_ball(ofw_shape *s, ofw_error *err)
{
  ofw_program b;
  ofw_vertex v;
  double *d = ofw_owned_doubles(&s->K->room, s->p->cols + 1);
  int exponent;
  frexp(most_radius(s), &exponent);
  double unit = ldexp(1.0, exponent);
  OFW_TRY(make_ball(s, unit, &b, err));
  OFW_TRY(ofw_vertex_make(&s->K->room, &b, &v, err));
  d[s->p->cols] = -1.0;
  if (ofw_vertex_minimise(&b, &v, d) != OFW_VERTEX)
    return ofw_fail(err, OFW_NUMERICAL, "polytope: cannot verify the largest ball that CLP finds inside");
  return take_ball(s, v.x, unit * v.x[s->p->cols], err);
}

ofw_status ofw_shape_hull(ofw_shape *s, ofw_error *err)
{
  OFW_TRY(find_equations(s, err));
  OFW_TRY(find_span(s, err));
  weigh(s);
  if (s->rank < s->p->cols)
    OFW_TRY(find_ball(s, err));
  else
    OFW_TRY(ofw_shape_set_centre(s, s->v.x, err));
  return ofw_domain_set_normals(s->K, s->rank, s->q, err);
}
