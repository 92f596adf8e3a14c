/* pareto.h — of points with two costs, those that no other beats, and the area that they dominate */
#pragma once

#include <ofw/base.h>

/* front[i] = 1 if no point costs at most as much in both ways and less in one. A point with a NaN is never on the
 * front and beats none. OFW_FAILED: no memory. */
ofw_status ofw_pareto(size_t n, const double *x, const double *y, unsigned char *front);

/* The hypervolume: the area of all (u, v) with u < ref[0] and v < ref[1] that some point dominates, x <= u and y <= v.
 * A point with a number that is not finite dominates nothing. OFW_FAILED: no memory. */
ofw_status ofw_hypervolume(size_t n, const double *x, const double *y, const double ref[2], double *out);
