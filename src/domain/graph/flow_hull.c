/* flow_hull.c — the hull's basis by Gram-Schmidt, and the largest ball about a point in it
 *
 * A ball about c stays within the bounds of edge e up to the radius room_e / reach_e: room_e is how far c_e is from the
 * nearer bound, reach_e the length of e's unit vector projected on the directions of the hull. r is the least of these.
 */
#include "domain/graph/flow_hull.h"

#include "linalg/kernels.h"

#include <math.h>

#define MADE_UP_OF_OTHERS 1e-9 /* of a row's length: less is rounding, since rows are whole numbers */

int ofw_hull_fits(size_t vertices, size_t edges)
{
  double numbers = (double)vertices * (double)edges;
  return numbers <= 0x1p22 && numbers * (double)vertices <= 0x1p29;
}

/* The row, of n numbers, becomes orthogonal to those before it, and of length 1; 0: it is made up of them. */
static int orthogonalise(size_t n, const double *basis, size_t before, double *row)
{
  double length = ofw_norm(n, row);
  for (int again = 0; again < 2; again++)
    for (size_t k = 0; k < before; k++)
      ofw_axpy(n, -ofw_dot(n, basis + k * n, row), basis + k * n, row);
  double left = ofw_norm(n, row);
  if (!(left > MADE_UP_OF_OTHERS * length))
    return 0;
  for (size_t e = 0; e < n; e++)
    row[e] /= left;
  return 1;
}

/* How many rows it has. */
static size_t make_basis(size_t vertices, size_t edges, const uint32_t *from, const uint32_t *to,
                         const unsigned char *fixed, double *basis)
{
  size_t rows = 0;
  for (size_t v = 0; v < vertices; v++) {
    double *row = basis + rows * edges;
    for (size_t e = 0; e < edges; e++)
      row[e] = fixed[e] ? 0.0 : (double)(from[e] == v) - (double)(to[e] == v);
    rows += (size_t)orthogonalise(edges, basis, rows, row);
  }
  return rows;
}

/* How long an edge's unit vector is, projected on the directions of the hull. */
static double reach_of(size_t edges, const double *basis, size_t rows, size_t edge)
{
  double left = 1.0;
  for (size_t k = 0; k < rows; k++) {
    double x = basis[k * edges + edge];
    left -= x * x;
  }
  return sqrt(fmax(0.0, left));
}

static void set_inner_radius(ofw_domain *K, const double *basis, size_t rows, const double *capacity,
                             const unsigned char *fixed)
{
  double least = INFINITY;
  for (size_t e = 0; e < K->dim; e++) {
    double c = K->centre[e], room = capacity ? fmin(c, capacity[e] - c) : c;
    double reach = fixed[e] ? 0.0 : reach_of(K->dim, basis, rows, e);
    if (room < least * reach)
      least = room / reach;
  }
  K->r = K->normals < K->dim ? least : 0.0; /* a single point has none */
}

ofw_status ofw_hull_set(ofw_domain *K, size_t vertices, const uint32_t *from, const uint32_t *to,
                        const double *capacity, const unsigned char *fixed, ofw_error *err)
{
  size_t edges = K->dim, count = 0;
  for (size_t e = 0; e < edges; e++)
    count += fixed[e] != 0;
  double *basis = ofw_owned_doubles(&K->own, vertices * edges), *one = ofw_owned_doubles(&K->own, 1);
  size_t *index = ofw_owned_array(&K->own, count, sizeof *index);
  ofw_vec *normal = ofw_owned_array(&K->own, count + vertices, sizeof *normal);
  OFW_TRY(ofw_owned_check(&K->own, err));
  *one = 1.0;
  K->normal = normal;
  for (size_t e = 0; e < edges; e++)
    if (fixed[e]) {
      index[K->normals] = e;
      normal[K->normals] = ofw_vec_sparse(1, index + K->normals, one);
      K->normals++;
    }
  size_t rows = make_basis(vertices, edges, from, to, fixed, basis);
  for (size_t k = 0; k < rows; k++)
    normal[K->normals++] = ofw_vec_dense(edges, basis + k * edges);
  set_inner_radius(K, basis, rows, capacity, fixed);
  return OFW_OK;
}
