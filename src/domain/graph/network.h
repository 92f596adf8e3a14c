/* network.h — the flows {x : 0 <= x_e <= capacity_e, what leaves a vertex less what enters it is its supply}
 *
 * and those of least cost among them, by the primal network simplex method (network_simplex.c): a flow is given by a
 * spanning tree of the vertices and, for every other edge, which of its bounds it is at. The tree is about a root of
 * its own, to which a vertex is tied by an artificial edge if nothing better is known. Trees are kept strongly
 * feasible (W. Cunningham, 1976: an edge of the tree without flow points to the root, a full one away from it), so that
 * pivots that change no flow come to an end.
 *
 * Every search begins with the network's first tree, which is found once: nothing that outlasts a search has a part in
 * it.
 */
#pragma once

#include "domain/graph/graph.h"

typedef struct ofw_network {
  size_t vertices, edges; /* the root is the vertex behind the last */
  uint32_t *from, *to;
  double *capacity; /* INFINITY: none; no cycle may be without one. 0: the edge's cost does not count */
  double *supply;
  /* Of several flows of least cost, the sum of i^2 x_i over the first so many edges, with i from 1 on, is least. */
  size_t numbered;
  uint32_t *parent, *edge; /* the first tree; an artificial edge is `edges` and its vertex */
  unsigned char *state;    /* where its edges are: the first of these */
  double *flow;
} ofw_network;

enum { OFW_EDGE_EMPTY, OFW_EDGE_FULL, OFW_EDGE_IN_TREE };

/* Room, which is own's; from, to, capacity and supply are the caller's to fill in. */
ofw_status ofw_network_make(ofw_owned *own, size_t vertices, size_t edges, ofw_network *out, ofw_error *err);
/* That of a bipartite graph, without capacities: its edges lead from one side to the other, and one unit leaves each vertex
 * of the first and arrives at each of the second. What `vertices` and `edges` are beyond the graph's is the caller's to
 * fill in. It is K's. */
ofw_status ofw_network_of_sides(ofw_domain *K, const ofw_graph *g, const char *owner, size_t vertices, size_t edges,
                                ofw_network *out, ofw_error *err);
/* The first tree. *missing is how much of the supply finds no way, at least: not 0 if there is no flow. */
ofw_status ofw_network_begin(ofw_network *n, double *missing, ofw_error *err);

/* Room for a search. */
typedef struct ofw_flow {
  const ofw_network *n;
  double *x; /* the flow found; behind the edges', that of artificial ones */
  double *potential;
  double *surplus;                                       /* of a vertex, while flows are worked out from a tree */
  uint32_t *parent, *edge, *depth, *first, *next, *prev; /* the tree; a vertex's children are a list */
  unsigned char *up;                                     /* a vertex's edge leads to its parent */
  unsigned char *state;
  const double *cost;
  double scale, artificial; /* of costs; the cost of an artificial edge */
  int by_number;    /* costs are the edges' numbers squared, and edges that would change the sum of costs stay */
  size_t next_edge; /* where to look for one that enters the tree */
} ofw_flow;

ofw_status ofw_flow_open(ofw_owned *own, const ofw_network *n, ofw_flow *out, ofw_error *err);
/* x becomes a flow of least cost. Gives 0, or by how much it may be above that if pivots did not come to an end. */
double ofw_flow_minimise(ofw_flow *w, const double *cost);

/* network_simplex.c, for network.c: the tree in w (parents and edges, `up`, states, flows) gets its lists; pivots; the
 * flow that the tree stands for. */
void ofw_flow_hang(ofw_flow *w);
double ofw_flow_pivot(ofw_flow *w);
void ofw_flow_settle(ofw_flow *w);
