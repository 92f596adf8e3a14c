/* flow_atom.h — the oracle of sets whose coordinates are the first edges of a network */
#ifndef OFW_SRC_FLOW_ATOM_H
#define OFW_SRC_FLOW_ATOM_H

#include "domain/graph/network.h"
#include "domain/set.h"

typedef struct ofw_flow_atom {
  ofw_flow flow;
  double *cost; /* NULL: the set has a coordinate for every edge, and d is the costs */
  ofw_sparse_atom atom;
} ofw_flow_atom;

/* A workspace; the network must stay. */
ofw_status ofw_flow_atom_open(const ofw_network *n, void **work, ofw_error *err);
ofw_status ofw_flow_atom_minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_accuracy wanted,
                                  ofw_answer *out, ofw_error *err);
void ofw_flow_atom_close(void *work);

#endif
