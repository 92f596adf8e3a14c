/* perfect_matchings.c — {x >= 0 : the edges at each vertex sum to 1} in a bipartite graph
 *
 * These are mixtures of perfect matchings. Which vertices are on which side is found out. A graph without a perfect
 * matching, or with an odd cycle, is refused. Edges in no perfect matching are 0 and those in all of them 1,
 * throughout.
 *
 * Oracle  the perfect matching of least cost, a flow of least cost by the network simplex method (graph/network.h). Of
 *         several that are least, one where the squares of the edges' numbers have the least sum
 * Project none
 * R = sqrt(half the vertices)
 * r = min_e c_e / |the unit vector of e projected on the hull|, the largest about the centre
 * centre  where the sum of log x_e over the edges of perfect matchings is largest (graph/centre.h). Where the hull has
 *         too many normals (graph/flow_hull.h) it is the perfect matching that the oracle has for d = 0, and r = 0 (not
 *         known).
 */
#include "domain/graph/centre.h"
#include "domain/graph/flow_atom.h"
#include "domain/graph/graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct perfect {
  ofw_network network; /* edges lead from one side to the other */
  ofw_hull hull;
} perfect;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  return ofw_flow_atom_open(&((const perfect *)K->data)->network, work, err);
}

static double excess(const ofw_domain *K, const double *x)
{
  const ofw_network *n = &((const perfect *)K->data)->network;
  double most = 0.0, *sum = ofw_doubles(n->vertices);
  if (!sum)
    return OFW_NO_MEMORY;
  for (size_t e = 0; e < n->edges; e++) {
    most = fmax(most, -x[e]);
    sum[n->from[e]] += x[e];
    sum[n->to[e]] += x[e];
  }
  for (size_t v = 0; v < n->vertices; v++)
    most = fmax(most, fabs(sum[v] - 1.0));
  free(sum);
  return most;
}

static void destroy(void *data)
{
  perfect *p = data;
  if (p) {
    ofw_network_free(&p->network);
    ofw_hull_free(&p->hull);
  }
  free(p);
}

static const ofw_domain_ops ops = {.open = open,
                                   .minimise = ofw_flow_atom_minimise,
                                   .close = ofw_flow_atom_close,
                                   .excess = excess,
                                   .destroy = destroy};

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
    return none(err, "its two sides are not of the same size");
  OFW_TRY(ofw_network_begin(n, &missing, err));
  snprintf(why, sizeof why, "at most %.0f of the %zu vertices can be matched", (double)n->vertices - 2 * missing,
           n->vertices);
  return missing > 0.5 ? none(err, why) : OFW_OK;
}

static ofw_status make_network(ofw_network *n, const ofw_graph *g, ofw_error *err)
{
  unsigned char *colour = malloc(g->vertices);
  ofw_status st =
      colour ? ofw_graph_two_colour(g, "perfect-matchings", colour, err) : ofw_fail_memory(err, g->vertices);
  if (st == OFW_OK && g->unnamed)
    st = none(err, "a vertex has no edges");
  if (st == OFW_OK)
    st = ofw_network_make(g->vertices, g->edges, n, err);
  for (size_t e = 0; e < g->edges && st == OFW_OK; e++) {
    n->from[e] = colour[g->from[e]] ? g->to[e] : g->from[e];
    n->to[e] = colour[g->from[e]] ? g->from[e] : g->to[e];
    n->capacity[e] = INFINITY;
  }
  for (size_t v = 0; v < g->vertices && st == OFW_OK; v++)
    n->supply[v] = colour[v] ? -1.0 : 1.0;
  free(colour);
  return st == OFW_OK ? find_first(n, err) : st;
}

typedef struct perfect_options {
  char *graph;
} perfect_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  ofw_graph g = {0};
  perfect *p = calloc(1, sizeof *p);
  if (!p)
    return ofw_fail_memory(err, sizeof *p);
  K->ops = &ops;
  K->data = p;
  ofw_status st = ofw_graph_read("perfect-matchings", ((const perfect_options *)options)->graph, &K->content, &g, err);
  if (st == OFW_OK)
    st = make_network(&p->network, &g, err);
  ofw_graph_free(&g);
  OFW_TRY(st);
  K->dim = K->rows = p->network.edges;
  K->cols = 1;
  K->from_centre = 1;
  K->R = sqrt((double)p->network.vertices / 2);
  return ofw_network_inner(&p->network, K, &p->hull, err);
}

static const ofw_option options[] = {
    OFW_TEXT_ROW(offsetof(perfect_options, graph), "graph", "edges, as (FROM TO;FROM TO;..) or @FILE; DIMACS too"),
    {0},
};

const ofw_domain_kind ofw_perfect_matchings_kind = {
    {.name = "perfect-matchings",
     .summary = "mixtures of perfect matchings in a bipartite graph: the edges at a vertex sum to 1",
     .example = "perfect-matchings:graph=(3 7;4 7;1 8;3 8;3 6;2 6;1 5;2 7;1 6;4 8;2 5)",
     .options = options},
    sizeof(perfect_options),
    build};
