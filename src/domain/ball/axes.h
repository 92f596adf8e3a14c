/* axes.h — an ellipsoid about the origin by its axes, which a list or a matrix gives, and what is done along them */
#pragma once

#include "base/source.h"
#include "domain/set.h"

typedef struct ofw_axes {
  size_t n;
  double *half;       /* half the length of each, s_i */
  double *turn;       /* their directions, n by n, one after the other; NULL: those of the coordinates */
  double least, most; /* of the s_i */
} ofw_axes;

/* axes_matrix.c: those of {x : x' A x <= 1} for a positive definite A, given as n lines of n numbers. *dim is n; 0: that is
 * for the lines to say. What is in `out` is K's. */
ofw_status ofw_axes_read(ofw_domain *K, const char *owner, const char *text, size_t *dim, ofw_axes *out,
                         ofw_error *err);
/* Finds least and most, and refuses if half lengths are not in range or too far apart for their squares. */
ofw_status ofw_axes_measure(ofw_axes *axes, const char *owner, ofw_error *err);

/* x as coordinates along the axes: in `room`, or x itself if the axes are those of the coordinates. */
double *ofw_axes_along(const ofw_axes *axes, double *x, double *room);
/* x += the point that is y along the axes */
void ofw_axes_add(const ofw_axes *axes, const double *y, double *x);

/* For the point y / scale along the axes, if no |y_i| is too large to be squared: the distance to the plane that
 * touches the ellipsoid's multiple there, moved to the ellipsoid. It is 0 just for points inside and never more than the
 * distance to the ellipsoid. */
double ofw_axes_excess(const ofw_axes *axes, const double *y, double scale);
/* If that is not 0: y becomes the point nearest to y / scale. */
void ofw_axes_project(const ofw_axes *axes, double *y, double scale);
