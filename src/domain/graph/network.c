/* network.c — networks, their first trees, and searches that begin with those */
#include "domain/graph/network.h"

#include "linalg/kernels.h"

#include <math.h>
#include <string.h>

ofw_status ofw_network_make(ofw_owned *own, size_t vertices, size_t edges, ofw_network *out, ofw_error *err)
{
  size_t word = sizeof *out->from;
  *out = (ofw_network){.vertices = vertices,
                       .edges = edges,
                       .numbered = edges,
                       .from = ofw_owned_array(own, edges, word),
                       .to = ofw_owned_array(own, edges, word),
                       .capacity = ofw_owned_doubles(own, edges),
                       .supply = ofw_owned_doubles(own, vertices),
                       .parent = ofw_owned_array(own, vertices, word),
                       .edge = ofw_owned_array(own, vertices, word),
                       .state = ofw_owned_array(own, edges, 1),
                       .flow = ofw_owned_doubles(own, edges)};
  return ofw_owned_check(own, err);
}

ofw_status ofw_network_of_sides(ofw_domain *K, const ofw_graph *g, const char *owner, size_t vertices, size_t edges,
                                ofw_network *out, ofw_error *err)
{
  unsigned char *colour;
  OFW_TRY(ofw_graph_two_colour(&K->room, g, owner, &colour, err));
  OFW_TRY(ofw_network_make(&K->own, vertices, edges, out, err));
  for (size_t e = 0; e < g->edges; e++) {
    out->from[e] = colour[g->from[e]] ? g->to[e] : g->from[e];
    out->to[e] = colour[g->from[e]] ? g->from[e] : g->to[e];
  }
  for (size_t e = 0; e < edges; e++)
    out->capacity[e] = INFINITY;
  for (size_t v = 0; v < g->vertices; v++)
    out->supply[v] = colour[v] ? -1.0 : 1.0;
  return OFW_OK;
}

ofw_status ofw_flow_open(ofw_owned *own, const ofw_network *n, ofw_flow *out, ofw_error *err)
{
  size_t vertices = n->vertices + 1, word = sizeof *out->parent;
  *out = (ofw_flow){.n = n,
                    .scale = 1.0,
                    .x = ofw_owned_doubles(own, n->edges + n->vertices),
                    .potential = ofw_owned_doubles(own, vertices),
                    .surplus = ofw_owned_doubles(own, vertices),
                    .parent = ofw_owned_array(own, vertices, word),
                    .edge = ofw_owned_array(own, vertices, word),
                    .depth = ofw_owned_array(own, vertices, word),
                    .first = ofw_owned_array(own, vertices, word),
                    .next = ofw_owned_array(own, vertices, word),
                    .prev = ofw_owned_array(own, vertices, word),
                    .up = ofw_owned_array(own, vertices, 1),
                    .state = ofw_owned_array(own, n->edges, 1)};
  return ofw_owned_check(own, err);
}

/* Every vertex tied to the root by an artificial edge, which all of its supply goes through. */
static void tie_all(ofw_flow *w)
{
  const ofw_network *n = w->n;
  memset(w->x, 0, n->edges * sizeof *w->x);
  memset(w->state, OFW_EDGE_EMPTY, n->edges);
  for (size_t v = 0; v < n->vertices; v++) {
    w->parent[v] = (uint32_t)n->vertices;
    w->edge[v] = (uint32_t)(n->edges + v);
    w->up[v] = n->supply[v] >= 0.0;
    w->x[n->edges + v] = fabs(n->supply[v]);
  }
}

/* The search for as little artificial flow as can be ends with a tree; what is left of that flow is dropped. */
ofw_status ofw_network_begin(ofw_network *n, double *missing, ofw_error *err)
{
  ofw_owned own = {0};
  ofw_flow w;
  const double *none = ofw_owned_doubles(&own, n->edges);
  ofw_status st = ofw_flow_open(&own, n, &w, err);
  *missing = 0.0;
  if (st == OFW_OK) {
    tie_all(&w);
    w.cost = none;
    w.artificial = 1.0;
    ofw_flow_hang(&w);
    ofw_flow_pivot(&w);
    for (size_t v = 0; v < n->vertices; v++)
      *missing += w.edge[v] >= n->edges && w.up[v] ? w.x[n->edges + v] : 0.0;
    memcpy(n->parent, w.parent, n->vertices * sizeof *n->parent);
    memcpy(n->edge, w.edge, n->vertices * sizeof *n->edge);
    memcpy(n->state, w.state, n->edges);
    memcpy(n->flow, w.x, n->edges * sizeof *n->flow);
  }
  ofw_owned_free(&own);
  return st;
}

static void begin(ofw_flow *w)
{
  const ofw_network *n = w->n;
  memcpy(w->parent, n->parent, n->vertices * sizeof *w->parent);
  memcpy(w->edge, n->edge, n->vertices * sizeof *w->edge);
  memcpy(w->state, n->state, n->edges);
  memcpy(w->x, n->flow, n->edges * sizeof *w->x);
  memset(w->x + n->edges, 0, n->vertices * sizeof *w->x);
  for (size_t v = 0; v < n->vertices; v++) /* artificial edges all lead to the root, so none can have any flow */
    w->up[v] = n->edge[v] >= n->edges || n->from[n->edge[v]] == v;
}

double ofw_flow_minimise(ofw_flow *w, const double *cost)
{
  begin(w);
  w->cost = cost;
  w->scale = ofw_largest(w->n->edges, cost) > 1e290 ? 0x1p-64 : 1.0; /* sums of costs are numbers */
  w->artificial = 0.0;
  w->by_number = 0;
  ofw_flow_hang(w);
  double error = ofw_flow_pivot(w);
  ofw_flow_settle(w);
  return error / w->scale;
}
