/* centre.h — a point well inside the flows of a network, and what is known of their hull
 *
 * An edge is fixed where all flows have the same on it, empty or full. The centre makes the sum of log x_e, and of
 * log(capacity_e - x_e) where there is a capacity, over the other edges largest: it is strictly between the bounds, and
 * there is only one such point. It is found by Newton's method, from the mean of flows that make single edges full or
 * empty.
 */
#ifndef OFW_SRC_CENTRE_H
#define OFW_SRC_CENTRE_H

#include "domain/graph/flow_hull.h"
#include "domain/graph/network.h"
#include "domain/set.h"

/* Sets K's centre, its normals, which point into `hull`, and r, the largest about the centre. Where the hull is too
 * large to be worked out, the centre is the flow that costs nothing, and r stays 0. K's coordinates are the network's
 * edges. */
ofw_status ofw_network_inner(const ofw_network *n, ofw_domain *K, ofw_hull *hull, ofw_error *err);

/* sqrt(max_x sum of most_e x_e), where no x_e is above most_e: no flow is longer than that, and some flow is that long
 * where a best one has x_e = most_e or 0 throughout. */
ofw_status ofw_network_radius(const ofw_network *n, const double *most, double *R, ofw_error *err);

#endif
