/* centre.h — a point well inside the flows of a network, and what is known of their hull
 *
 * An edge is fixed where all flows have the same on it, empty or full. The centre makes the sum of log x_e, and of
 * log(capacity_e - x_e) where there is a capacity, over the other edges largest: it is strictly between the bounds, and
 * there is only one such point. It is found by Newton's method, from the mean of flows that make single edges full or
 * empty.
 */
#ifndef OFW_SRC_CENTRE_H
#define OFW_SRC_CENTRE_H

#include "domain/graph/flow_set.h"

/* The last step of building K, whose data is an ofw_flow_set with all of the network's edges as its coordinates: sets the
 * centre, the normals and r, and play starts at the centre. If the hull is too large to be worked out, the centre is the
 * flow that costs nothing, and r stays 0. */
ofw_status ofw_flow_set_inner(ofw_domain *K, ofw_error *err);

/* K's R = sqrt(max_x sum of most_e x_e), where no x_e is above most_e: no flow is longer than that, and some flow is that
 * long where a best one has x_e = most_e or 0 throughout. */
ofw_status ofw_flow_set_outer(ofw_domain *K, const ofw_network *n, const double *most, ofw_error *err);

#endif
