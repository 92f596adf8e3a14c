/* flow_set.h — sets of flows: what they are made of, their oracle, and how far a point is outside
 *
 * K's coordinates are the first edges of a network. What others there are cost nothing.
 */
#pragma once

#include "domain/graph/network.h"

/* Such a set's data, or what that begins with. */
typedef struct ofw_flow_set {
  ofw_graph g; /* that it was read as; empty if nothing more is asked of it */
  ofw_network network;
} ofw_flow_set;

ofw_status ofw_flow_set_open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err);
ofw_status ofw_flow_set_minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out,
                                 ofw_error *err);
extern const ofw_domain_ops ofw_flow_set_ops; /* these, if every edge is a coordinate */

/* ---- centre.c: a point well inside, and what is known of the hull ----
 *
 * An edge is fixed if all flows have the same on it, empty or full. The centre makes the sum of log x_e, and of
 * log(capacity_e - x_e) if there is a capacity, over the other edges largest: it is strictly between the bounds, and
 * there is only one such point. It is found by Newton's method, from the mean of flows that make single edges full or
 * empty.
 */

/* The last step of building K, whose data is an ofw_flow_set with all of the network's edges as its coordinates: sets the
 * centre, the normals and r, and play starts at the centre. If the hull is too large to be worked out, the centre is the
 * flow that costs nothing, and r stays 0. */
ofw_status ofw_flow_set_inner(ofw_domain *K, ofw_error *err);

/* K's R = sqrt(max_x sum of most_e x_e), if no x_e is above most_e: no flow is longer than that, and some flow is that
 * long if a best one has x_e = most_e or 0 throughout. */
ofw_status ofw_flow_set_outer(ofw_domain *K, const ofw_network *n, const double *most, ofw_error *err);
