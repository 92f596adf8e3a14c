/* panel.h — one panel of a figure within its part of the sheet */
#pragma once

#include "lab/figure/figure.h"

enum {
  PANEL_TEXT = 12, /* sizes of texts */
  PANEL_SMALL = 11,
  PANEL_TITLE = 13,
  PANEL_LINE = 15 /* from one name to the next */
};

/* How high a panel has to be so that all of its names have room. */
double panel_height(const figure_panel *p);
/* The upper left corner of its part, and its size. 0, or -1 if there is no memory. */
int panel_draw(const figure_panel *p, xy corner, double width, double height, drawing *out);

/* One mark of a series. */
void panel_mark(drawing *out, xy at, const figure_style *style);

/* A name at the end of its curve. */
typedef struct end_name {
  const char *text;
  unsigned ink;
  double x, y; /* where the curve ends */
  double at;   /* the height of the name */
} end_name;
/* Sorts them by y and moves those apart that would cover each other, so little as is possible between top and bottom. */
void end_names_spread(end_name *name, size_t n, double line, double top, double bottom);
