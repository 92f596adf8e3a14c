/* pareto.h — of points with two costs, those that no other beats */
#ifndef OFW_SRC_PARETO_H
#define OFW_SRC_PARETO_H

#include <ofw/base.h>

/* front[i] = 1 where no point costs at most as much in both ways and less in one. A point with a NaN is never on the
 * front and beats none. OFW_FAILED: no memory. */
ofw_status ofw_pareto(size_t n, const double *x, const double *y, unsigned char *front);

#endif
