/* constraints.h — a polytope as it is written: lines of text, or MPS
 *
 * Text, one constraint a line; what follows # is a comment:
 *
 *     dim 5                       so many coordinates; without it, the largest that is named
 *     3 x1 - 2 x2 + x5 <= 4       also >= and =, and coordinates on both sides
 *     0 <= x3 <= 2                or 2 >= x3 >= 0
 *
 * Coordinates are x1 .. xn, and have no bounds but those that are written. MPS is told by a file's name, *.mps, or by a
 * first line that begins with NAME or ROWS. A line with one coordinate is a bound, whichever the form.
 */
#pragma once

#include "base/limits.h"
#include "base/source.h"

#include <float.h>

/* No bound: what CLP takes for it. */
#define OFW_NO_BOUND DBL_MAX

/* Sizes of numbers that are not 0. */
#define OFW_LEAST_COEFFICIENT   1e-30
#define OFW_LARGEST_COEFFICIENT 1e30

typedef struct ofw_term {
  size_t index; /* of a coordinate */
  double value;
} ofw_term;

/* row_low <= <row, x> <= row_high,  low <= x <= high. Start it as {0}; ofw_constraints_free returns it in any state. */
typedef struct ofw_constraints {
  size_t dim, rows, terms;
  size_t *end; /* row i has the terms from end[i - 1], or 0, to before end[i], by coordinate */
  ofw_term *term;
  double *row_low, *row_high;
  double *low, *high;
  size_t dim_room, row_room, term_room;
} ofw_constraints;

ofw_status ofw_constraints_read(const char *owner, const char *text, uint32_t *content, ofw_constraints *out,
                                ofw_error *err);
void ofw_constraints_free(ofw_constraints *c);

/* ---- for the two readers; refusals name the source's last line ---- */

/* At least so many coordinates. */
ofw_status ofw_constraints_reach(ofw_constraints *c, const ofw_source *s, size_t dim, ofw_error *err);
/* A term of the row that is being read. */
ofw_status ofw_constraints_add(ofw_constraints *c, const ofw_source *s, size_t index, double value, ofw_error *err);
/* Ends the row: terms of one coordinate are added up. OFW_NO_BOUND with its sign: no bound on that side. */
ofw_status ofw_constraints_end_row(ofw_constraints *c, const ofw_source *s, double low, double high, ofw_error *err);
/* Refuses a number that is too large or too small. */
ofw_status ofw_constraints_check(const ofw_source *s, double x, ofw_error *err);

/* `line` is the first that says something. */
ofw_status ofw_constraints_read_text(ofw_constraints *c, ofw_source *s, char *line, ofw_error *err);
ofw_status ofw_constraints_read_mps(ofw_constraints *c, ofw_source *s, char *line, ofw_error *err);
