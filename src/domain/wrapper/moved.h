/* moved.h — w c + f K: a set K scaled by f and moved along a vector c; what shrunk, scaled and shifted sets are
 *
 * Oracle  w c + f v with K's v; its error times |f|. If f < 0 K is asked for -d
 * Project w c + f p with K's projection p of (x - w c)/f
 * r = |f| r_K
 */
#pragma once

#include "domain/wrapper/around.h"

typedef struct ofw_moved {
  double factor, weight;
  const double *shift; /* c, K's or that of what it is around; NULL: 0 */
} ofw_moved;

/* K as K->of moved so, with R and r, and otherwise like that: centre and start are left to the caller. */
ofw_status ofw_moved_build(ofw_domain *K, ofw_moved m, ofw_error *err);

/* A bound on |w c + f v| over K->of:  R^2 <= f^2 R_K^2 + 2 max_K f w <c, v> + w^2 |c|^2,  by one call of its oracle. */
ofw_status ofw_moved_radius(ofw_domain *K, ofw_moved m, double *R, ofw_error *err);
