/* mixture.h — the mixture of points that is nearest to a given one (P. Wolfe, Finding the nearest point in a polytope, 1976)
 *
 * The nearest point is a mixture, with weights above 0, of some of the points that are affinely independent. One more joins
 * them if it is on the near side of the plane through x normal to x - y; then the nearest point of their affine hull, by
 * QR, is gone to, and on the way there those leave whose weights get to 0. The distance falls with every step.
 */
#pragma once

#include "domain/set.h"

#include <lapacke.h>

/* `count` points of `dim` numbers, one after the other, no longer than `reach`. */
typedef struct ofw_points {
  size_t dim, count;
  const double *x;
  double reach;
} ofw_points;

typedef struct ofw_mixture {
  double *at, *before;     /* the nearest point; the one before it */
  double *y, *away;        /* what is projected, perhaps nearer; at - y */
  size_t in, *which;       /* the points that it is a mixture of */
  double *weight, *wanted; /* of these: now, and at the nearest point of their affine hull */
  double *matrix, *rhs;    /* for the latter */
  double *work;
  lapack_int length; /* of work */
} ofw_mixture;

/* Its memory is own's. */
ofw_status ofw_mixture_make(ofw_owned *own, const ofw_points *p, ofw_mixture *out, ofw_error *err);
/* How far y, of any finite numbers, is from the hull; 0 if that is not more than rounding. */
double ofw_mixture_nearest(const ofw_points *p, ofw_mixture *n, const double *y);
