/* flow_set.h — sets of flows: what they are made of, their oracle, and how far a point is outside
 *
 * K's coordinates are the first edges of a network. What others there are cost nothing.
 */
#ifndef OFW_SRC_FLOW_SET_H
#define OFW_SRC_FLOW_SET_H

#include "domain/graph/network.h"

/* Such a set's data, or what that begins with. */
typedef struct ofw_flow_set {
  ofw_graph g; /* that it was read as; empty if nothing more is asked of it */
  ofw_network network;
} ofw_flow_set;

ofw_status ofw_flow_set_open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err);
ofw_status ofw_flow_set_minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out,
                                 ofw_error *err);
/* If every edge is a coordinate: beyond a bound, or more or less at a vertex than its supply. */
double ofw_flow_set_excess(const ofw_domain *K, const double *x);
extern const ofw_domain_ops ofw_flow_set_ops; /* these */

#endif
