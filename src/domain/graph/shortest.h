/* shortest.h — the cheapest paths from every vertex to one
 *
 * Without directed cycles: one pass over the edges, in the order of the vertices. Else, with no negative cost:
 * Dijkstra. Else Bellman-Ford, by a queue, which finds a negative cycle if there is one.
 */
#pragma once

#include "domain/graph/graph.h"

/* Where to look. Every vertex that is at an edge of `out` reaches the target. */
typedef struct ofw_routes {
  const ofw_graph *g;
  uint32_t target;
  ofw_incidence out, in; /* edges by their from, and by their to */
  uint32_t *order;       /* the vertices so that edges lead to later ones; NULL: there is a directed cycle */
} ofw_routes;

/* Room for a search. */
typedef struct ofw_search {
  double *distance;     /* from a vertex to the target */
  uint32_t *next;       /* its first edge on the way there */
  uint32_t *heap, *pos; /* a heap or a queue of vertices, and where a vertex is in it */
} ofw_search;

ofw_status ofw_search_make(ofw_owned *own, const ofw_graph *g, ofw_search *out, ofw_error *err);

/* Fills in `next`, for every vertex that reaches the target. OFW_NO_VERTEX, or an edge of a negative cycle. */
uint32_t ofw_search_run(ofw_search *s, const ofw_routes *routes, const double *cost);
