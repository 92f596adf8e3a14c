/* tree_cut.h — which sets of vertices bound the spanning trees: x(S) <= |S| - 1, x(S) the sum over edges within S
 *
 * Every edge shares its x_e >= 0 out to its two ends. Then |S| - x(S) is, summed over the vertices of S, what is
 * missing to 1 at a vertex, and what edges that leave S have at their ends in it. That is the size of a cut: the S for
 * which it is least are found by a flow, which moves shares along edges to vertices that have room (M. Padberg, L.
 * Wolsey, 1983, with the edges' vertices left out). Shares are moved along shortest ways, which comes to an end for all
 * numbers.
 */
#pragma once

#include "domain/graph/graph.h"

typedef struct ofw_tree_cut {
  const ofw_graph *g;
  ofw_incidence at;
  double *x, *share; /* of an edge, and what its from has of it */
  double *load;      /* of a vertex */
  double *kept;      /* shares and loads as they were */
  double tiny;       /* room and shares up to this are rounding */
  uint32_t *queue, *way;
} ofw_tree_cut;

/* Without the edges that left_out (NULL: none) marks. The room is own's. */
ofw_status ofw_tree_cut_open(ofw_owned *own, const ofw_graph *g, const unsigned char *left_out, ofw_tree_cut *out,
                             ofw_error *err);

/* The x to look at, negative ones taken as 0, shared out so that no vertex has more than 1, as far as can be. */
void ofw_tree_cut_set(ofw_tree_cut *c, const double *x);
/* max x(S) - |S| + 1 over the sets S that are not empty; 0 if x(S) <= |S| - 1 for all, up to rounding. */
double ofw_tree_cut_excess(ofw_tree_cut *c);
/* min |S| - 1 - x(S) over the sets S that hold both ends of an edge and not the vertex `without`; if no vertex has
 * more than 1. */
double ofw_tree_cut_slack(ofw_tree_cut *c, uint32_t edge, uint32_t without);
