/* perfect_matchings.c — {x >= 0 : the edges at each vertex sum to 1} in a bipartite graph
 *
 * These are mixtures of perfect matchings. Which vertices are on which side is found out. A graph without a perfect
 * matching, or with an odd cycle, is refused. Edges in no perfect matching are 0 and those in all of them 1,
 * throughout.
 *
 * Oracle  the perfect matching of least cost, a flow of least cost by the network simplex method (graph/network.h). Of
 *         several that are least, the one whose edges' squared numbers have the least sum
 * Project none
 * R = sqrt(half the vertices)
 * r = min_e c_e / |the unit vector of e projected on the hull|, the largest about the centre
 * centre  where the sum of log x_e over the edges of perfect matchings is largest (graph/centre.c). If the hull has
 *         too many normals (graph/flow_hull.h) it is the perfect matching that the oracle has for d = 0, and r = 0 (not
 *         known).
 */
#include "domain/graph/flow_set.h"

#include <math.h>
#include <stdio.h>

static ofw_status none(ofw_error *err, const char *why)
{
  return ofw_fail(err, OFW_USAGE, "perfect-matchings: the graph has no perfect matching: %s", why);
}

static ofw_status find_first(ofw_network *n, ofw_error *err)
{
  double missing, sum = 0.0;
  char why[100];
  for (size_t v = 0; v < n->vertices; v++)
    sum += n->supply[v];
  if (sum != 0.0)
    return none(err, "its two sides differ in size");
  OFW_TRY(ofw_network_begin(n, &missing, err));
  snprintf(why, sizeof why, "at most %.0f of the %zu vertices can be matched", (double)n->vertices - 2 * missing,
           n->vertices);
  return missing > 0.5 ? none(err, why) : OFW_OK;
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const char *owner = "perfect-matchings", *text = ((const ofw_graph_option *)options)->graph;
  OFW_TRY(ofw_graph_build(K, &K->room, &ofw_flow_set_ops, sizeof(ofw_flow_set), owner, text, err));
  ofw_flow_set *f = K->data;
  OFW_TRY(ofw_network_of_sides(K, &f->g, owner, f->g.vertices, f->g.edges, &f->network, err));
  if (f->g.unnamed)
    return none(err, "a vertex has no edges");
  OFW_TRY(find_first(&f->network, err));
  K->R = sqrt((double)f->network.vertices / 2);
  return ofw_flow_set_inner(K, err);
}

const ofw_domain_kind ofw_perfect_matchings_kind = {
    {.name = "perfect-matchings",
     .summary = "mixtures of perfect matchings in a bipartite graph: the edges at a vertex sum to 1",
     .example = "perfect-matchings:graph=(3 7;4 7;1 8;3 8;3 6;2 6;1 5;2 7;1 6;4 8;2 5)",
     .options = ofw_graph_options},
    build};
