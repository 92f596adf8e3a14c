/* flow_set.c — the oracle of sets of flows, by a search from the network's first tree (network.h)
 *
 * Nothing of one call is kept for the next, so that an answer depends on the direction alone.
 */
#include "domain/graph/flow_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct flow_work {
  ofw_owned own;
  ofw_flow flow;
  double *cost; /* NULL: the set has a coordinate for every edge, and d is the costs */
  ofw_sparse_atom atom;
} flow_work;

ofw_status ofw_flow_set_open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  const ofw_network *n = &((const ofw_flow_set *)K->data)->network;
  OFW_TRY(ofw_work_open(sizeof(flow_work), work, err));
  flow_work *w = *work;
  OFW_TRY(ofw_flow_open(&w->own, n, &w->flow, err));
  if (n->numbered < n->edges) /* the others cost nothing */
    w->cost = ofw_owned_doubles(&w->own, n->edges);
  return ofw_sparse_atom_make(&w->own, n->numbered, &w->atom, err);
}

ofw_status ofw_flow_set_minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out,
                                 ofw_error *err)
{
  (void)err;
  flow_work *w = work;
  double sum = 0.0;
  if (w->cost)
    memcpy(w->cost, d->dense, K->dim * sizeof *w->cost);
  double error = ofw_flow_minimise(&w->flow, w->cost ? w->cost : d->dense);
  w->atom.count = 0;
  for (size_t e = 0; e < K->dim; e++) {
    double x = w->flow.x[e];
    if (x == 0.0)
      continue;
    w->atom.index[w->atom.count] = e;
    w->atom.value[w->atom.count++] = x;
    sum += x * d->dense[e];
  }
  *out = ofw_sparse_atom_answer(&w->atom, sum);
  out->error = error;
  return OFW_OK;
}

/* Beyond a bound, or more or less at a vertex than its supply. */
static double excess(const ofw_domain *K, const double *x)
{
  const ofw_network *n = &((const ofw_flow_set *)K->data)->network;
  double most = 0.0, *surplus = ofw_doubles(n->vertices);
  if (!surplus)
    return OFW_NO_MEMORY;
  memcpy(surplus, n->supply, n->vertices * sizeof *surplus);
  for (size_t e = 0; e < n->edges; e++) {
    most = fmax(most, fmax(-x[e], x[e] - n->capacity[e]));
    surplus[n->from[e]] -= x[e];
    surplus[n->to[e]] += x[e];
  }
  for (size_t v = 0; v < n->vertices; v++)
    most = fmax(most, fabs(surplus[v]));
  free(surplus);
  return most;
}

const ofw_domain_ops ofw_flow_set_ops = {
    .open = ofw_flow_set_open, .minimise = ofw_flow_set_minimise, .close = ofw_work_close, .excess = excess};
