/* ellipsoid.c — {x : (x - c)' A (x - c) <= 1} with A = diag(1/s_i^2), or any positive definite A; s_i half the length of
 * its i-th axis
 *
 * Oracle  c - A^-1 d / sqrt(d' A^-1 d), one point if d is not 0, and then c; a read and a write of n numbers, two reads of
 *         n^2 if there is a matrix, whose eigenvectors and eigenvalues are found once
 * Project along the axes s_i^2 z_i / (s_i^2 + m), the m at which this is on the boundary by Newton's method
 * R = max s_i, + |c| if c is not 0 (a bound)   r = min s_i   centre c
 */
#include "domain/ball/axes.h"
#include "linalg/kernels.h"

#include <math.h>
#include <stdlib.h>

typedef struct ellipsoid_work {
  ofw_dense_atom v;
  double *room; /* NULL if there is no matrix */
} ellipsoid_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  OFW_TRY(ofw_dense_work_open(K, sizeof(ellipsoid_work), work, err));
  ellipsoid_work *w = *work;
  if (((const ofw_axes *)K->data)->turn)
    w->room = ofw_owned_doubles(&w->v.own, K->dim);
  return ofw_owned_check(&w->v.own, err);
}

/* out = c + the point that is y along the axes; y may be out. */
static void place(const ofw_domain *K, const double *y, double *out)
{
  for (size_t i = 0; i < K->dim; i++) {
    double c = K->centre ? K->centre[i] : 0.0;
    out[i] = y == out ? c + y[i] : c;
  }
  if (y != out)
    ofw_axes_add(K->data, y, out);
}

/* g = s times d along the axes: v is c - s g / |g|. */
static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  const ofw_axes *axes = K->data;
  ellipsoid_work *w = work;
  double scale = ofw_unit_scale(d->dim, d->dense);
  for (size_t i = 0; i < d->dim; i++)
    w->v.value[i] = scale * d->dense[i];
  double at_centre = K->centre ? ofw_dot(d->dim, K->centre, w->v.value) : 0.0;
  double *g = ofw_axes_along(axes, w->v.value, w->room);
  for (size_t i = 0; i < d->dim; i++)
    g[i] *= axes->half[i];
  double length = ofw_norm(d->dim, g), divisor = length > 0.0 ? length : 1.0;
  for (size_t i = 0; i < d->dim; i++)
    g[i] = -axes->half[i] * (g[i] / divisor);
  place(K, g, w->v.value);
  *out = ofw_dense_atom_answer(&w->v, (at_centre - length) / scale);
  return OFW_OK;
}

/* x - c along the axes, times *scale; in z or in room. */
static double *from_centre(const ofw_domain *K, const double *x, double *z, double *room, double *scale)
{
  for (size_t i = 0; i < K->dim; i++)
    z[i] = x[i] - (K->centre ? K->centre[i] : 0.0);
  *scale = ofw_unit_scale(K->dim, z);
  for (size_t i = 0; i < K->dim; i++)
    z[i] *= *scale;
  return ofw_axes_along(K->data, z, room);
}

static double excess(const ofw_domain *K, const double *x)
{
  const ofw_axes *axes = K->data;
  double *z = ofw_doubles(K->dim), *room = axes->turn ? ofw_doubles(K->dim) : NULL, scale, out = OFW_NO_MEMORY;
  if (z && (room || !axes->turn)) {
    double *y = from_centre(K, x, z, room, &scale);
    out = ofw_axes_excess(axes, y, scale);
  }
  free(z);
  free(room);
  return out;
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  (void)err;
  ellipsoid_work *w = work;
  double scale, *y = from_centre(K, x, w->v.value, w->room, &scale);
  if (ofw_axes_excess(K->data, y, scale) == 0.0)
    return OFW_OK;
  ofw_axes_project(K->data, y, scale);
  place(K, y, x);
  return OFW_OK;
}

static const ofw_domain_ops ops = {
    .open = open, .minimise = minimise, .close = ofw_work_close, .excess = excess, .project = project};

typedef struct ellipsoid_options {
  uint64_t dim;
  char *axes, *matrix, *centre;
} ellipsoid_options;

static ofw_status read_all(ofw_domain *K, const ellipsoid_options *o, ofw_axes *axes, ofw_error *err)
{
  size_t dim = (size_t)o->dim;
  if (!o->axes == !o->matrix)
    return o->axes ? ofw_fail(err, OFW_USAGE, "ellipsoid: found both axes and matrix; give one of them")
                   : ofw_fail(err, OFW_USAGE, "ellipsoid: axes or matrix is required");
  if (o->matrix)
    OFW_TRY(ofw_axes_read(K, "ellipsoid", o->matrix, &dim, axes, err));
  ofw_list list[2] = {{.key = "axes", .text = o->axes}, {.key = "centre", .text = o->centre}};
  OFW_TRY(ofw_lists_read("ellipsoid", 2, list, "neither axes nor centre is a list", &K->own, &K->content, &dim, err));
  if (o->axes)
    *axes = (ofw_axes){.n = dim, .half = list[0].x};
  if (o->centre && ofw_largest(dim, list[1].x) > 0.0)
    K->centre = list[1].x;
  OFW_TRY(ofw_axes_measure(axes, "ellipsoid", err));
  for (size_t i = 0; K->centre && i < dim; i++)
    if (fabs(K->centre[i]) > OFW_LARGEST_RADIUS)
      return ofw_fail(err, OFW_USAGE, "ellipsoid: coordinate %zu of the centre is larger than %g", i + 1,
                      OFW_LARGEST_RADIUS);
  return OFW_OK;
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  ofw_axes axes = {0};
  OFW_TRY(read_all(K, options, &axes, err));
  OFW_TRY(ofw_domain_set_vector(K, &ops, axes.n, &axes, sizeof axes, err));
  K->R = axes.most + (K->centre ? ofw_norm(axes.n, K->centre) : 0.0);
  K->r = axes.least;
  return ofw_domain_set_start(K, err);
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(ellipsoid_options, dim), "dim", NULL, "the length of a list, or the lines of the matrix", 1,
                  OFW_MOST_DIM, "dimension n"),
    OFW_TEXT_OR_ROW(offsetof(ellipsoid_options, axes), "axes", "from the matrix",
                    "half lengths s along the coordinates: a number for all, (a,b,..), or @FILE with one per line"),
    OFW_TEXT_OR_ROW(offsetof(ellipsoid_options, centre), "centre", "0",
                    "the centre c: a number for all coordinates, (a,b,..), or @FILE with one per line"),
    OFW_TEXT_OR_ROW(offsetof(ellipsoid_options, matrix), "matrix", "from the axes",
                    "the matrix A, symmetric and positive definite: (line;line;..) or @FILE, n lines of n numbers"),
    {0},
};

const ofw_domain_kind ofw_ellipsoid_kind = {
    {.name = "ellipsoid",
     .summary = "an ellipsoid, given by its axes or by a positive definite matrix",
     .example = "ellipsoid:axes=(2,0.5,1,1.5,0.75),centre=(0.5,-0.25,0,1,0.5)",
     .options = options},
    build};
