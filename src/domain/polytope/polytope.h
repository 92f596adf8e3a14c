/* polytope.h — a polytope besides its constraints: its extent, its affine hull and its centre */
#pragma once

#include "domain/polytope/program.h"
#include "domain/set.h"

/* Rows and columns together up to which the hull and the largest ball are looked for. */
enum { OFW_POLYTOPE_SMALL = 2000 };

typedef struct ofw_polytope {
  ofw_program program; /* every coordinate has bounds: those that are written, or a box that holds K and then some */
  double *row_norm;    /* of a row as the program has it, over coordinates as they are */
  uint64_t *start;     /* the vertex that every workspace begins at, by its state */
  size_t words;
} ofw_polytope;

/* From the program alone: R, r, the centre, the normals, and the rest of the polytope, which is K's data. */
ofw_status ofw_polytope_shape(ofw_domain *K, ofw_error *err);

/* ---- a polytope whose shape is being found, for the two files that do: shape.c, affine_hull.c ---- */

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

/* A vertex with the least <d, x>, and what it tells; "WHAT NUMBER is unbounded SIDE" if there is none. */
ofw_status ofw_shape_look(ofw_shape *s, const char *what, size_t number, const char *side, ofw_error *err);
ofw_status ofw_shape_set_centre(ofw_shape *s, const double *x, ofw_error *err);
/* The hull, r and the centre, once the box is known. */
ofw_status ofw_shape_hull(ofw_shape *s, ofw_error *err);
