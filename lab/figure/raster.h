/* raster.h — pixels: areas and lines painted on white paper, their edges smoothed by the part of a pixel that they cover */
#pragma once

#include "lab/figure/drawing.h"

typedef struct raster {
  size_t width, height;
  unsigned char *rgb; /* 3 bytes per pixel, line by line */
  float *cover;       /* how much of each pixel is covered; lines of `stride`, with room for what ends at the right */
  size_t stride;
  size_t left, right, top,
      bottom; /* what of `cover` is not 0 lies from `left` and `top` to before `right` and `bottom` */
} raster;

/* White. 0, or -1 if there is no memory; raster_free returns it in either case. */
int raster_begin(raster *r, size_t width, size_t height);
void raster_free(raster *r);

/* Areas gather until they are painted together: one within another that turns the other way is a hole. */
void raster_area(raster *r, const xy *at, size_t n);
void raster_paint_areas(raster *r, unsigned rgb, double opacity);
/* A line with round ends and corners. `dash` has lengths of dashes and gaps and ends with 0. */
void raster_line(raster *r, const xy *at, size_t n, double width, const double *dash);
void raster_paint_lines(raster *r, unsigned rgb, double opacity);
