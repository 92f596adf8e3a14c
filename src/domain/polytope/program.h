/* program.h — a linear program, min <d, x> over row_low <= A x <= row_high, low <= x <= high, and a vertex by its basis
 *
 * Both are in units of their own, powers of two, so that numbers of any size become about 1: coordinate j of a point is
 * unit[j] x_j, and a row is multiplied through. The program is only read once it is made; what changes is in a vertex.
 */
#pragma once

#include "domain/polytope/constraints.h"

typedef struct ofw_program {
  size_t rows, cols, numbers;
  int *start, *index; /* by columns, as CLP reads them */
  double *value;
  int *row_start, *row_index; /* and by rows */
  double *row_value;
  double *low, *high;         /* of each column, then of each row; -OFW_NO_BOUND, OFW_NO_BOUND: none */
  double *row_low, *row_high; /* the rows' part of these */
  double *unit;
} ofw_program;

/* Arrays for a program of this shape, to be filled by rows: row_start, row_index, row_value, the bounds and the units,
 * which are 1. ofw_program_finish then makes the columns of the rows. The arrays are own's. */
ofw_status ofw_program_make(ofw_owned *own, ofw_program *p, size_t rows, size_t cols, size_t numbers, ofw_error *err);
void ofw_program_finish(ofw_program *p);
/* What is written, in units that suit how far coordinates seem to reach; `room` has what that takes for a while. */
ofw_status ofw_program_of(ofw_owned *own, ofw_owned *room, ofw_program *p, const ofw_constraints *c, ofw_error *err);
/* Other units, now that coordinates are known to reach as far as this, in those of now; what `reach` holds is lost. 0: they
 * were good enough. */
int ofw_program_adjust(ofw_program *p, double *reach);
typedef enum ofw_narrowing {
  OFW_SETTLED, /* no bound is much tighter */
  OFW_TIGHTER, /* one is, so that another call may do more */
  OFW_CROSSED  /* the set is empty: a lower bound is above an upper one, and not by rounding */
} ofw_narrowing;

/* reach.c: tightens [low, high], which have every coordinate of the set in them, by each row once. Bounds are OFW_NO_BOUND
 * with their sign if none is known. With rounding = DBL_EPSILON they certainly hold; with 0 they hold up to rounding, and if
 * they cross nobody is told. */
ofw_narrowing ofw_program_narrow(const ofw_program *p, double rounding, double *low, double *high);
/* Row i of A x. size: of what is added up, if it is not NULL. */
double ofw_program_row(const ofw_program *p, size_t i, const double *x, double *size);

typedef enum ofw_outcome {
  OFW_VERTEX,    /* it is the best, up to `error` */
  OFW_EMPTY,     /* no x meets the constraints */
  OFW_UNBOUNDED, /* <d, x> has no least value */
  OFW_UNSOLVED   /* nothing could be made certain of */
} ofw_outcome;

/* A point x by the coordinates and rows that are at their bounds: those that are not are basic. */
typedef struct ofw_vertex {
  size_t words;    /* of state */
  uint64_t *state; /* what is saved: a byte for each column, then each row, 8 a word */
  double *x;       /* the point, in the program's units, and room for its rows; valid if `settled` is the state */
  double value;    /* <d, x> of the last call */
  double error;    /* how far that may be above the least value, at most */
  struct ofw_vertex_room *room;
} ofw_vertex;

/* A vertex that stands nowhere yet; its memory is own's. */
ofw_status ofw_vertex_make(ofw_owned *own, const ofw_program *p, ofw_vertex *out, ofw_error *err);
/* The program has changed: what was worked out is no more. */
void ofw_vertex_forget(ofw_vertex *v);
/* Moves to a vertex with the least <d, x>, from the one that the state is; the new one depends on the two alone, to the
 * last bit. max |d_i| is about 1. What is not OFW_VERTEX leaves the state as it was. */
ofw_outcome ofw_vertex_minimise(const ofw_program *p, ofw_vertex *v, const double *d);
