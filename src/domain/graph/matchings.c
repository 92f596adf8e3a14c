/* matchings.c — {x >= 0 : the edges at each vertex sum to at most 1} in a bipartite graph: mixtures of matchings
 *
 * Which vertices are on which side is found out; a graph with an odd cycle is refused, as is a loop.
 *
 * Oracle  the matching of least cost, in which every d_e is negative; a flow of least cost by the network simplex
 *         method (graph/network.h), in which what a vertex does not use goes through one more vertex. Of several that
 *         are least, the one whose edges' squared numbers have the least sum
 * Project none
 * R = sqrt(the most edges of a matching)   r = 1/(D + sqrt(D)) with D the most edges at a vertex, the largest about any
 *     centre: the edges at such a vertex have D r <= sum <= 1 - r sqrt(D)   centre (r, .., r)
 */
#include "domain/graph/flow_set.h"

#include <math.h>
#include <stdlib.h>

static double excess(const ofw_domain *K, const double *x)
{
  const ofw_graph *g = &((const ofw_flow_set *)K->data)->g;
  double most = 0.0, *sum = ofw_doubles(g->vertices);
  if (!sum)
    return OFW_NO_MEMORY;
  for (size_t e = 0; e < g->edges; e++) {
    most = fmax(most, -x[e]);
    sum[g->from[e]] += x[e];
    sum[g->to[e]] += x[e];
  }
  for (size_t v = 0; v < g->vertices; v++)
    most = fmax(most, sum[v] - 1.0);
  free(sum);
  return most;
}

static const ofw_domain_ops ops = {
    .open = ofw_flow_set_open, .minimise = ofw_flow_set_minimise, .close = ofw_work_close, .excess = excess};

/* One unit leaves every vertex of one side and arrives at every vertex of the other, over an edge or through the vertex
 * behind the last. */
static ofw_status make_network(ofw_domain *K, ofw_network *n, const ofw_graph *g, ofw_error *err)
{
  uint32_t hub = (uint32_t)g->vertices;
  double missing;
  OFW_TRY(ofw_network_of_sides(K, g, "matchings", g->vertices + 1, g->edges + g->vertices, n, err));
  for (uint32_t v = 0; v < hub; v++) {
    n->from[g->edges + v] = n->supply[v] < 0.0 ? hub : v;
    n->to[g->edges + v] = n->supply[v] < 0.0 ? v : hub;
    n->supply[hub] -= n->supply[v];
  }
  n->numbered = g->edges;
  return ofw_network_begin(n, &missing, err);
}

/* The graph's edges count 1. */
static ofw_status set_outer_radius(ofw_domain *K, const ofw_network *n, ofw_error *err)
{
  double *most = ofw_owned_doubles(&K->room, n->edges);
  OFW_TRY(ofw_owned_check(&K->room, err));
  for (size_t e = 0; e < K->dim; e++)
    most[e] = 1.0;
  return ofw_flow_set_outer(K, n, most, err);
}

static ofw_status set_inner_radius(ofw_domain *K, const ofw_graph *g, ofw_error *err)
{
  double *degree = ofw_owned_doubles(&K->room, g->vertices), most = 0.0;
  OFW_TRY(ofw_owned_check(&K->room, err));
  for (size_t e = 0; e < g->edges; e++)
    most = fmax(most, fmax(degree[g->from[e]] += 1.0, degree[g->to[e]] += 1.0));
  K->r = 1.0 / (most + sqrt(most));
  for (size_t e = 0; e < K->dim; e++)
    K->centre[e] = K->r;
  return OFW_OK;
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const char *text = ((const ofw_graph_option *)options)->graph;
  OFW_TRY(ofw_graph_build(K, &K->own, &ops, sizeof(ofw_flow_set), "matchings", text, err));
  ofw_flow_set *f = K->data;
  OFW_TRY(make_network(K, &f->network, &f->g, err));
  OFW_TRY(set_outer_radius(K, &f->network, err));
  return set_inner_radius(K, &f->g, err);
}

const ofw_domain_kind ofw_matchings_kind = {
    {.name = "matchings",
     .summary = "mixtures of matchings in a bipartite graph: the edges at a vertex sum to at most 1",
     .example = "matchings:graph=(1 5;1 6;2 5;2 7;3 6;3 7;3 8;4 8)",
     .options = ofw_graph_options},
    build};
