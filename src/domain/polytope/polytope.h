/* polytope.h — what a polytope is besides its constraints: where it reaches, the hull it lies in, and its centre */
#ifndef OFW_SRC_POLYTOPE_H
#define OFW_SRC_POLYTOPE_H

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

#endif
