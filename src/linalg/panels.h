/* panels.h — a tall matrix in floats, cut into panels of eight columns, and products with it in doubles
 *
 * A panel has its eight numbers of a row next to each other, and those of the next row behind them. So a product with a few rows
 * keeps what belongs to a panel's columns in registers, and one more column moves none that is there. Behind the last column
 * there are zeros. A float is widened when it is read: a product is off by no more than one with doubles is.
 */
#pragma once

#include "base/basics.h"

enum { OFW_PANEL = 8 };

typedef struct ofw_panels {
  size_t rows, count; /* count: columns */
  float *number;
} ofw_panels;

/* The floats that it takes. */
size_t ofw_panels_size(size_t rows, size_t count);
/* Panel p, of rows from..to - 1, becomes as many of `columns` columns of A as it has, rounded, and zeros: a is A's number of row 0
 * and the panel's first column; rows of A are `stride` apart. */
void ofw_panels_write(const ofw_panels *b, size_t p, size_t from, size_t to, size_t columns, const double *a,
                      size_t stride);

/* With the n rows of B from `from` on, whose numbers are u[0] .. u[n - 1], */
typedef struct ofw_panel_products {
  void (*times)(const ofw_panels *b, size_t from, size_t n, const double *z, double *u);      /* u += B z */
  void (*add_turned)(const ofw_panels *b, size_t from, size_t n, const double *u, double *y); /* y += B' u */
  void (*pass)(const ofw_panels *b, size_t from, size_t n, const double *z, double *u,
               double *y); /* both, in one read */
} ofw_panel_products;

extern const ofw_panel_products ofw_panels_portable;
extern const ofw_panel_products *const ofw_panels_avx2; /* NULL: not built for this kind of processor */
/* The variant of the kernels in use (kernels.h). */
const ofw_panel_products *ofw_panels_chosen(void);
