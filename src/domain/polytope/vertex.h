/* vertex.h — a vertex's insides, for the files that work on it: vertex_basis.c, vertex_pivot.c, vertex.c */
#pragma once

#include "domain/polytope/program.h"

#include <lapacke.h>

/* As CLP numbers them: the rest are free (0) and superbasic (4), which only coordinates without bounds can be, and fixed
 * (5). */
enum { OFW_BASIC = 1, OFW_AT_HIGH = 2, OFW_AT_LOW = 3, OFW_FIXED = 5 };

struct ofw_vertex_room {
  unsigned char *status;  /* of the state that all else here, and x, belong to */
  unsigned char *best;    /* the best of several tries */
  int settled;            /* `status` is a basis that x has been worked out for */
  double outside;         /* by how much x misses a bound, relative to what is added up */
  size_t tight;           /* rows at their bounds, as many as there are basic columns */
  int *row, *col;         /* these */
  int *place;             /* of a row among the tight ones; -1: it is none */
  double *lu, *rhs, *fix; /* of the tight rows' basic columns, by columns */
  lapack_int *pivot;
  double *y;    /* prices of rows */
  double *step; /* where x goes, and its rows */
};

/* Sorts out what room->status stands for: x, and how far it is outside. */
void ofw_vertex_settle(const ofw_program *p, ofw_vertex *v);
/* The first part of it: which rows are tight, and their basic columns' factors. 0: it is no basis. */
int ofw_vertex_factorise(const ofw_program *p, ofw_vertex *v);
/* y of the tight rows so that d - A' y is 0 at the basic columns, and 0 of the others. */
void ofw_vertex_price_rows(const ofw_program *p, ofw_vertex *v, const double *d);
/* The price d_j - (A' y)_j of column j; size: of what is added up. */
double ofw_vertex_price(const ofw_program *p, const ofw_vertex *v, const double *d, size_t j, double *size);
/* The bound that column or row k is at by its status; 0: there is none on that side. */
int ofw_vertex_bound(const ofw_program *p, const ofw_vertex *v, size_t k, double *out);
/* b over the tight rows' basic columns, or over the transposed of that. */
void ofw_vertex_solve(ofw_vertex *v, char transposed, double *b);
/* How many columns and tight rows have a price of the wrong sign. */
size_t ofw_vertex_wrong(const ofw_program *p, ofw_vertex *v, const double *d);
/* From a settled vertex on to better ones, until none is next to it or `most` steps are done. */
void ofw_vertex_improve(const ofw_program *p, ofw_vertex *v, const double *d, int most);
