/* shape.h — a polytope whose shape is being found, for the two files that do: shape.c, affine_hull.c */
#ifndef OFW_SRC_POLYTOPE_SHAPE_H
#define OFW_SRC_POLYTOPE_SHAPE_H

#include "domain/polytope/polytope.h"

#define OFW_FLAT 1e-9 /* a slack that is none, in the program's units */

typedef struct ofw_shape {
  ofw_domain *K;
  ofw_polytope *poly;
  ofw_program *p;
  ofw_vertex v;
  double *d;          /* a direction */
  double *low, *high; /* of each column, then each row, over the vertices so far, in the program's units */
  double *sum;        /* of the vertices so far */
  size_t vertices;
  char *is_equation; /* for each column, then each row */
  size_t equations, rank;
  double *q;      /* cols x rank, by columns: the hull's normals */
  double *weight; /* |P a| for each column, then each row, as the program has them */
} ofw_shape;

/* A vertex with the least <d, x>, and what it tells; "WHAT NUMBER is unbounded SIDE" where there is none. */
ofw_status ofw_shape_look(ofw_shape *s, const char *what, size_t number, const char *side, ofw_error *err);
ofw_status ofw_shape_set_centre(ofw_shape *s, const double *x, ofw_error *err);
/* The hull, r and the centre, once the box is known. */
ofw_status ofw_shape_hull(ofw_shape *s, ofw_error *err);

#endif
