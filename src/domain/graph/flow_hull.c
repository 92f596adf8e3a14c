/* flow_hull.c — the hull's basis by Gram-Schmidt, and the largest ball about a point in it
 *
 * A ball about c stays within the bounds of edge e up to the radius room_e / reach_e: room_e is how far c_e is from the
 * nearer bound, reach_e the length of e's unit vector projected on the directions of the hull. r is the least of these.
 */
#include "domain/graph/flow_hull.h"

#include "linalg/kernels.h"

#include <math.h>

#define MADE_UP_OF_OTHERS 1e-9 /* of a row's length: less is rounding, since rows are whole numbers */

typedef struct hull {
  size_t count, fixed; /* normals; the first `fixed` of them are unit vectors */
  ofw_vec *normal;
  double *basis; /* `edges` numbers for each of the others */
  size_t edges;
} hull;

int ofw_hull_fits(size_t vertices, size_t edges)
{
  double numbers = (double)vertices * (double)edges;
  return numbers <= 0x1p22 && numbers * (double)vertices <= 0x1p29;
}

/* The row becomes orthogonal to those before it, and of length 1; 0: it is made up of them. */
static int orthogonalise(const hull *h, size_t before, double *row)
{
  size_t n = h->edges;
  double length = ofw_norm(n, row);
  for (int again = 0; again < 2; again++)
    for (size_t k = 0; k < before; k++)
      ofw_axpy(n, -ofw_dot(n, h->basis + k * n, row), h->basis + k * n, row);
  double left = ofw_norm(n, row);
  if (!(left > MADE_UP_OF_OTHERS * length))
    return 0;
  for (size_t e = 0; e < n; e++)
    row[e] /= left;
  return 1;
}

static size_t make_basis(const hull *h, size_t vertices, const uint32_t *from, const uint32_t *to,
                         const unsigned char *fixed)
{
  size_t rows = 0;
  for (size_t v = 0; v < vertices; v++) {
    double *row = h->basis + rows * h->edges;
    for (size_t e = 0; e < h->edges; e++)
      row[e] = fixed[e] ? 0.0 : (double)(from[e] == v) - (double)(to[e] == v);
    rows += (size_t)orthogonalise(h, rows, row);
  }
  return rows;
}

static ofw_status make(ofw_owned *own, size_t vertices, size_t edges, const uint32_t *from, const uint32_t *to,
                       const unsigned char *fixed, hull *out, ofw_error *err)
{
  *out = (hull){.edges = edges};
  for (size_t e = 0; e < edges; e++)
    out->fixed += fixed[e] != 0;
  double *one = ofw_owned_doubles(own, 1);
  size_t *index = ofw_owned_array(own, out->fixed, sizeof *index); /* of the fixed edges */
  out->basis = ofw_owned_doubles(own, vertices * edges);
  out->normal = ofw_owned_array(own, out->fixed + vertices, sizeof *out->normal);
  OFW_TRY(ofw_owned_check(own, err));
  *one = 1.0;
  for (size_t e = 0; e < edges; e++)
    if (fixed[e]) {
      index[out->count] = e;
      out->normal[out->count] = ofw_vec_sparse(1, index + out->count, one);
      out->count++;
    }
  size_t rows = make_basis(out, vertices, from, to, fixed);
  for (size_t k = 0; k < rows; k++)
    out->normal[out->count++] = ofw_vec_dense(edges, out->basis + k * edges);
  return OFW_OK;
}

/* How long an edge's unit vector is, projected on the directions of the hull. */
static double reach_of(const hull *h, size_t edge)
{
  double left = 1.0;
  for (size_t k = 0; k < h->count - h->fixed; k++) {
    double x = h->basis[k * h->edges + edge];
    left -= x * x;
  }
  return sqrt(fmax(0.0, left));
}

ofw_status ofw_hull_set(ofw_domain *K, size_t vertices, const uint32_t *from, const uint32_t *to,
                        const double *capacity, const unsigned char *fixed, ofw_error *err)
{
  hull h;
  double least = INFINITY;
  OFW_TRY(make(&K->own, vertices, K->dim, from, to, fixed, &h, err));
  K->normals = h.count;
  K->normal = h.normal;
  for (size_t e = 0; e < K->dim; e++) {
    double c = K->centre[e], room = capacity ? fmin(c, capacity[e] - c) : c, reach = fixed[e] ? 0.0 : reach_of(&h, e);
    if (room < least * reach)
      least = room / reach;
  }
  K->r = h.count < K->dim ? least : 0.0; /* a single point has none */
  return OFW_OK;
}
