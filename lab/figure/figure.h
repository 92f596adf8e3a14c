/* figure.h — figures: panels with axes, curves with bands, and the name of each curve at its end
 *
 * A caller describes the figure from its first panel to its last point; the layout is made when it is drawn. What cannot stand
 * on an axis, such as NaN, infinity or 0 on a logarithmic one, interrupts its curve.
 */
#pragma once

#include "lab/figure/drawing.h"

/* Numbers of larger size are not drawn, so that no length overflows. */
#define FIGURE_LARGEST 1e300

typedef struct figure_axis {
  const char *name;
  int log;
  int from_zero; /* begins at 0 unless a number lies below */
} figure_axis;

typedef enum figure_line { FIGURE_NO_LINE, FIGURE_STRAIGHT, FIGURE_STEPS } figure_line;
typedef enum figure_shape {
  FIGURE_CIRCLE,
  FIGURE_SQUARE,
  FIGURE_UP,
  FIGURE_DOWN,
  FIGURE_DIAMOND,
  FIGURE_SHAPES
} figure_shape;

typedef struct figure_style {
  unsigned ink, dash;
  figure_line line;
  double width;
  double mark; /* size of the marks; 0: none */
  figure_shape shape;
  int hollow;
  int bars; /* `low` to `high` and `left` to `right` are bars at each point; else `low` to `high` is a band along the line */
} figure_style;

/* How the i-th of several curves looks, on every figure the same. */
figure_style figure_look(size_t i);

typedef struct figure_point {
  double x, y;
  double low, high, left, right; /* NaN: none */
} figure_point;
/* With neither band nor bars. */
figure_point figure_point_at(double x, double y);

typedef struct figure_series {
  char *name; /* at its end; NULL: none */
  figure_style style;
  figure_point *point;
  size_t points, room;
} figure_series;

typedef struct figure_panel {
  char *title;
  figure_axis x, y; /* whose names are copies */
  char *empty;      /* what is said if nothing is drawn */
  figure_series *series;
  size_t count, room;
} figure_panel;

typedef struct figure_key {
  char *name;
  figure_style style;
} figure_key;

typedef struct figure {
  char *title;
  size_t columns;       /* of panels */
  double width, height; /* of a panel, with its texts; it is higher if it has more names than have room */
  figure_panel *panel;
  size_t panels, panel_room;
  figure_key *key; /* below the panels: what is not said at the ends of curves */
  size_t keys, key_room;
  int failed; /* no memory: figure_draw says so */
} figure;

/* `title` says what is drawn to those who cannot see it. */
void figure_begin(figure *f, const char *title, size_t columns, double width, double height);
void figure_free(figure *f);
void figure_add_panel(figure *f, const char *title, figure_axis x, figure_axis y, const char *empty);
/* In the last panel; its points follow. */
void figure_add_series(figure *f, const char *name, figure_style style);
void figure_add_point(figure *f, figure_point p);
void figure_add_key(figure *f, const char *name, figure_style style);

/* drawing_free returns it in either case. 0, or -1 if there is no memory. */
int figure_draw(const figure *f, drawing *out);
