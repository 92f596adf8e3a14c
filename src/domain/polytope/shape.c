/* shape.c — the extent of a polytope
 *
 * The box   [low_j, high_j]: the least and the largest x_j, by two linear programs for each coordinate, but if a vertex
 *           that is known already is at the bound that is written. Of a large polytope, that which the constraints imply
 *           (implied_box.c). R is the length of its farthest corner.
 */
#include "domain/polytope/polytope.h"

#include "linalg/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MARGIN = 1e-6; /* of the box around bounds that are not written */

static ofw_status make(ofw_shape *s, ofw_error *err)
{
  size_t rows = s->p->rows, cols = s->p->cols;
  s->d = ofw_owned_doubles(&s->K->room, cols);
  s->low = ofw_owned_doubles(&s->K->room, cols + rows);
  s->high = ofw_owned_doubles(&s->K->room, cols + rows);
  s->sum = ofw_owned_doubles(&s->K->room, cols);
  s->least = ofw_owned_doubles(&s->K->room, cols);
  s->most = ofw_owned_doubles(&s->K->room, cols);
  s->weight = ofw_owned_doubles(&s->K->room, rows + cols);
  s->is_equation = ofw_owned_take(&s->K->room, calloc(rows + cols, 1), rows + cols);
  s->unwritten = ofw_owned_take(&s->K->room, calloc(cols, 1), cols);
  OFW_TRY(ofw_owned_check(&s->K->room, err));
  for (size_t j = 0; j < cols; j++)
    s->unwritten[j] = (char)((s->p->low[j] == -OFW_NO_BOUND) + 2 * (s->p->high[j] == OFW_NO_BOUND));
  return ofw_vertex_make(&s->K->room, s->p, &s->v, err);
}

static void forget_vertices(ofw_shape *s)
{
  for (size_t k = 0; k < s->p->cols + s->p->rows; k++) {
    s->low[k] = INFINITY;
    s->high[k] = -INFINITY;
  }
  memset(s->sum, 0, s->p->cols * sizeof *s->sum);
  s->vertices = 0;
}

/* ---- the box ---- */

static void note_vertex(ofw_shape *s)
{
  const ofw_program *p = s->p;
  const double *x = s->v.x;
  for (size_t k = 0; k < p->cols + p->rows; k++) {
    double at = k < p->cols ? x[k] : ofw_program_row(p, k - p->cols, x, NULL);
    s->low[k] = fmin(s->low[k], at);
    s->high[k] = fmax(s->high[k], at);
  }
  for (size_t j = 0; j < p->cols; j++)
    s->sum[j] += x[j];
  s->vertices++;
}

ofw_status ofw_shape_refuse_empty(ofw_error *err)
{
  return ofw_fail(err, OFW_USAGE, "polytope: the set is empty: no point satisfies all constraints");
}

ofw_status ofw_shape_look(ofw_shape *s, const char *what, size_t number, const char *side, ofw_error *err)
{
  switch (ofw_vertex_minimise(s->p, &s->v, s->d)) {
  case OFW_VERTEX:
    note_vertex(s);
    return OFW_OK;
  case OFW_EMPTY:
    return ofw_shape_refuse_empty(err);
  case OFW_UNBOUNDED:
    return ofw_fail(err, OFW_USAGE, "polytope: %s%zu is unbounded %s; add a constraint that bounds it", what, number,
                    side);
  default:
    return ofw_fail(err, OFW_NUMERICAL, "polytope: cannot verify the %s value of %s%zu that CLP finds",
                    side[0] == 'b' ? "least" : "largest", what, number);
  }
}

static ofw_status find_box(ofw_shape *s, ofw_error *err)
{
  const ofw_program *p = s->p;
  forget_vertices(s);
  if (s->poly->implied)
    return ofw_shape_imply_box(s, err);
  for (size_t j = 0; j < p->cols; j++)
    for (int up = 0; up < 2; up++) {
      if (up ? s->high[j] == p->high[j] : s->low[j] == p->low[j])
        continue;
      s->d[j] = up ? -1.0 : 1.0;
      OFW_TRY(ofw_shape_look(s, "x", j + 1, up ? "above" : "below", err));
      s->d[j] = 0.0;
    }
  return OFW_OK;
}

/* How far coordinate j reaches. If that is rounding, which an implied box is not free of, its unit is to stay. */
static double reach_of(const ofw_shape *s, size_t j)
{
  double reach = fmax(fabs(s->low[j]), fabs(s->high[j]));
  return s->poly->implied && reach <= OFW_FLAT ? 1.0 : reach;
}

/* In units that the box itself suggests, if those of the first look are far from them. */
static ofw_status find_box_in_units(ofw_shape *s, ofw_error *err)
{
  enum { ROUNDS = 4 };
  OFW_TRY(find_box(s, err));
  for (int round = 1; round < ROUNDS; round++) {
    for (size_t j = 0; j < s->p->cols; j++)
      s->d[j] = reach_of(s, j);
    int changed = ofw_program_adjust(s->p, s->d);
    memset(s->d, 0, s->p->cols * sizeof *s->d);
    if (!changed)
      break;
    ofw_vertex_forget(&s->v);
    OFW_TRY(find_box(s, err));
  }
  return OFW_OK;
}

/* Vertices are held to their bounds in the program's units. If these hide a row, because its numbers differ too much in
 * size, that says nothing; so it is done again by how far coordinates do reach. */
static ofw_status check_rows(const ofw_shape *s, ofw_error *err)
{
  const ofw_program *p = s->p;
  for (size_t i = 0; i < p->rows; i++) {
    size_t at = p->cols + i;
    double size = 0.0, out = fmax(p->low[at] - s->low[at], s->high[at] - p->high[at]);
    for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++)
      size += fabs(p->row_value[k]) * reach_of(s, (size_t)p->row_index[k]);
    if (!(out <= OFW_FLAT * size))
      return ofw_fail(err, OFW_NUMERICAL, "polytope: the numbers of constraint %zu differ too much in size; rescale it",
                      i + 1);
  }
  return OFW_OK;
}

static ofw_status set_outer_radius(ofw_shape *s, ofw_error *err)
{
  for (size_t j = 0; j < s->p->cols; j++)
    s->d[j] = s->p->unit[j] * fmax(fabs(s->low[j]), fabs(s->high[j]));
  s->K->R = ofw_norm(s->p->cols, s->d);
  memset(s->d, 0, s->p->cols * sizeof *s->d);
  if (!(s->K->R >= OFW_LEAST_RADIUS && s->K->R <= OFW_LARGEST_RADIUS))
    return ofw_fail(err, OFW_USAGE,
                    "polytope: its farthest point must be at least %g and at most %g away from the origin",
                    OFW_LEAST_RADIUS, OFW_LARGEST_RADIUS);
  return OFW_OK;
}

/* A coordinate that is 0 in all of K has a unit that says nothing of its size: what is rounding in that may be all of K in
 * another's. So it is held to 0. */
static void fix_zeros(ofw_shape *s)
{
  for (size_t j = 0; j < s->p->cols; j++)
    if (s->low[j] == 0.0 && s->high[j] == 0.0) {
      s->p->low[j] = s->p->high[j] = 0.0;
      s->unwritten[j] = 0;
    }
}

static double finite_size(double bound)
{
  return fabs(bound) == OFW_NO_BOUND ? 0.0 : fabs(bound);
}

void ofw_shape_bound(const ofw_shape *s, const double *low, const double *high)
{
  for (size_t j = 0; j < s->p->cols; j++) {
    double margin = MARGIN * (1.0 + fmax(finite_size(low[j]), finite_size(high[j])));
    if (s->unwritten[j] & 1 && low[j] != -OFW_NO_BOUND)
      s->p->low[j] = low[j] - margin;
    if (s->unwritten[j] & 2 && high[j] != OFW_NO_BOUND)
      s->p->high[j] = high[j] + margin;
  }
}

ofw_status ofw_shape_set_centre(ofw_shape *s, const double *x, ofw_error *err)
{
  OFW_TRY(ofw_domain_set_even_centre(s->K, 0.0, err));
  for (size_t j = 0; j < s->p->cols; j++)
    s->K->centre[j] = s->p->unit[j] * x[j];
  return OFW_OK;
}

/* ---- all of it ---- */

/* Too large for the hull: the mean of the vertices that were found. */
static ofw_status settle_for_mean(ofw_shape *s, ofw_error *err)
{
  for (size_t j = 0; j < s->p->cols; j++)
    s->sum[j] /= (double)s->vertices;
  s->K->r = 0.0;
  return ofw_shape_set_centre(s, s->sum, err);
}

static ofw_status norm_rows(ofw_domain *K, ofw_polytope *poly, double *room, ofw_error *err)
{
  const ofw_program *p = &poly->program;
  poly->row_norm = ofw_owned_doubles(&K->own, p->rows);
  OFW_TRY(ofw_owned_check(&K->own, err));
  for (size_t i = 0; i < p->rows; i++) {
    size_t n = 0;
    for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++)
      room[n++] = p->row_value[k] / p->unit[p->row_index[k]];
    poly->row_norm[i] = n ? ofw_norm(n, room) : 1.0; /* none is left if all of its coordinates are 0 */
    memset(room, 0, n * sizeof *room);
  }
  return OFW_OK;
}

static ofw_status find(ofw_shape *s, ofw_error *err)
{
  OFW_TRY(make(s, err));
  OFW_TRY(find_box_in_units(s, err));
  if (s->poly->implied)
    OFW_TRY(ofw_shape_find_point(s, err));
  OFW_TRY(check_rows(s, err));
  OFW_TRY(norm_rows(s->K, s->poly, s->d, err));
  OFW_TRY(set_outer_radius(s, err));
  fix_zeros(s);
  if (!s->poly->implied && ofw_polytope_is_small(s->p))
    OFW_TRY(ofw_shape_hull(s, err));
  else
    OFW_TRY(settle_for_mean(s, err));
  ofw_shape_bound(s, s->low, s->high);
  s->poly->words = s->v.words;
  s->poly->start = ofw_owned_array(&s->K->own, s->v.words, sizeof *s->v.state);
  OFW_TRY(ofw_owned_check(&s->K->own, err));
  memcpy(s->poly->start, s->v.state, s->v.words * sizeof *s->v.state);
  return OFW_OK;
}

ofw_status ofw_polytope_shape(ofw_domain *K, ofw_error *err)
{
  ofw_polytope *poly = K->data;
  ofw_shape s = {.K = K, .poly = poly, .p = &poly->program};
  return find(&s, err);
}
