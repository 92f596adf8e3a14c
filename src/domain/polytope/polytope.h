/* polytope.h — a polytope besides its constraints: its extent, its affine hull and its centre */
#pragma once

#include "domain/polytope/program.h"
#include "domain/set.h"

/* Up to 2000 rows and columns together the hull and the largest ball are looked for, and the smallest box unless another is
 * asked for. */
static inline int ofw_polytope_is_small(const ofw_program *p)
{
  return p->rows + p->cols <= 2000;
}

typedef struct ofw_polytope {
  int implied;         /* R is of the box that the constraints imply, not of the smallest */
  ofw_program program; /* every coordinate has bounds: those that are written, or a box that holds K and then some */
  double *row_norm;    /* of a row as the program has it, over coordinates as they are */
  uint64_t *start;     /* the vertex that every workspace begins at, by its state */
  size_t words;
} ofw_polytope;

/* From the program alone: R, r, the centre, the normals, and the rest of the polytope, which is K's data. */
ofw_status ofw_polytope_shape(ofw_domain *K, ofw_error *err);

/* ---- a polytope whose shape is being found, for the files that do: shape.c, implied_box.c, affine_hull.c ---- */

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
  double *least, *most; /* of each column by what the constraints imply */
  char *unwritten;      /* for each column: 1, no lower bound is; 2, no upper one; 3, neither */
  char *is_equation;    /* for each column, then each row */
  size_t equations, rank;
  double *q;      /* cols x rank, by columns: the hull's normals */
  double *weight; /* |P a| for each column, then each row, as the program has them */
} ofw_shape;

/* Bounds if none are written, a little off these, so that no coordinate is free and no point of K is at one of them. */
void ofw_shape_bound(const ofw_shape *s, const double *low, const double *high);
/* A vertex with the least <d, x>, and what it tells; "WHAT NUMBER is unbounded SIDE" if there is none. */
ofw_status ofw_shape_look(ofw_shape *s, const char *what, size_t number, const char *side, ofw_error *err);
ofw_status ofw_shape_refuse_empty(ofw_error *err);
ofw_status ofw_shape_set_centre(ofw_shape *s, const double *x, ofw_error *err);
/* Instead of the smallest box: one that the constraints imply, into low and high. */
ofw_status ofw_shape_imply_box(ofw_shape *s, ofw_error *err);
/* Then, unless a vertex is known: some point of K, as the mean of `vertices` that add up to `sum`. */
ofw_status ofw_shape_find_point(ofw_shape *s, ofw_error *err);
/* The hull, r and the centre, once the box is known. */
ofw_status ofw_shape_hull(ofw_shape *s, ofw_error *err);
