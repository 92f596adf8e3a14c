/* matchings.c — {x >= 0 : the edges at each vertex sum to at most 1} in a bipartite graph: mixtures of matchings
 *
 * Which vertices are on which side is found out; a graph with an odd cycle is refused, as is a loop.
 *
 * Oracle  the matching of least cost, in which every d_e is negative; a flow of least cost by the network simplex
 *         method (graph/network.h), in which what a vertex does not use goes through one more vertex. Of several that
 *         are least, one where the squares of the edges' numbers have the least sum
 * Project none
 * R = sqrt(the most edges of a matching)   r = 1/(D + sqrt(D)) with D the most edges at a vertex, the largest about any
 *     centre: the edges at such a vertex have D r <= sum <= 1 - r sqrt(D)   centre (r, .., r)
 */
#include "domain/graph/centre.h"
#include "domain/graph/flow_atom.h"
#include "domain/graph/graph.h"

#include <math.h>
#include <stdlib.h>

typedef struct matchings {
  ofw_graph g;
  ofw_network network; /* its first edges are the graph's, from one side to the other */
} matchings;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  return ofw_flow_atom_open(&((const matchings *)K->data)->network, work, err);
}

static double excess(const ofw_domain *K, const double *x)
{
  const ofw_graph *g = &((const matchings *)K->data)->g;
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

static void destroy(void *data)
{
  matchings *m = data;
  if (m) {
    ofw_graph_free(&m->g);
    ofw_network_free(&m->network);
  }
  free(m);
}

static const ofw_domain_ops ops = {.open = open,
                                   .minimise = ofw_flow_atom_minimise,
                                   .close = ofw_flow_atom_close,
                                   .excess = excess,
                                   .destroy = destroy};

/* One unit leaves every vertex of one side and arrives at every vertex of the other, over an edge or through the vertex
 * behind the last. */
static void fill_in(ofw_network *n, const ofw_graph *g, const unsigned char *colour)
{
  uint32_t hub = (uint32_t)g->vertices;
  for (size_t e = 0; e < g->edges; e++) {
    n->from[e] = colour[g->from[e]] ? g->to[e] : g->from[e];
    n->to[e] = colour[g->from[e]] ? g->from[e] : g->to[e];
  }
  for (uint32_t v = 0; v < hub; v++) {
    n->from[g->edges + v] = colour[v] ? hub : v;
    n->to[g->edges + v] = colour[v] ? v : hub;
    n->supply[v] = colour[v] ? -1.0 : 1.0;
    n->supply[hub] -= n->supply[v];
  }
  for (size_t e = 0; e < n->edges; e++)
    n->capacity[e] = INFINITY;
  n->numbered = g->edges;
}

static ofw_status make_network(matchings *m, ofw_error *err)
{
  const ofw_graph *g = &m->g;
  double missing;
  unsigned char *colour = malloc(g->vertices);
  ofw_status st = colour ? ofw_graph_two_colour(g, "matchings", colour, err) : ofw_fail_memory(err, g->vertices);
  if (st == OFW_OK)
    st = ofw_network_make(g->vertices + 1, g->edges + g->vertices, &m->network, err);
  if (st == OFW_OK)
    fill_in(&m->network, g, colour);
  free(colour);
  return st == OFW_OK ? ofw_network_begin(&m->network, &missing, err) : st;
}

/* The graph's edges count 1. */
static ofw_status set_outer_radius(ofw_domain *K, const ofw_network *n, ofw_error *err)
{
  double *most = ofw_doubles(n->edges);
  if (!most)
    return ofw_fail_memory(err, n->edges * sizeof *most);
  for (size_t e = 0; e < K->dim; e++)
    most[e] = 1.0;
  ofw_status st = ofw_network_radius(n, most, &K->R, err);
  free(most);
  return st;
}

static ofw_status set_inner_radius(ofw_domain *K, const ofw_graph *g, ofw_error *err)
{
  double *degree = ofw_doubles(g->vertices), most = 0.0;
  if (!degree)
    return ofw_fail_memory(err, g->vertices * sizeof *degree);
  for (size_t e = 0; e < g->edges; e++)
    most = fmax(most, fmax(degree[g->from[e]] += 1.0, degree[g->to[e]] += 1.0));
  free(degree);
  K->r = 1.0 / (most + sqrt(most));
  return ofw_domain_set_even_centre(K, K->r, err);
}

typedef struct matchings_options {
  char *graph;
} matchings_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  matchings *m = calloc(1, sizeof *m);
  if (!m)
    return ofw_fail_memory(err, sizeof *m);
  K->ops = &ops;
  K->data = m;
  OFW_TRY(ofw_graph_read("matchings", ((const matchings_options *)options)->graph, &K->content, &m->g, err));
  K->dim = K->rows = m->g.edges;
  K->cols = 1;
  OFW_TRY(make_network(m, err));
  OFW_TRY(set_outer_radius(K, &m->network, err));
  return set_inner_radius(K, &m->g, err);
}

static const ofw_option options[] = {
    OFW_TEXT_ROW(offsetof(matchings_options, graph), "graph", "edges, as (FROM TO;FROM TO;..) or @FILE; DIMACS too"),
    {0},
};

const ofw_domain_kind ofw_matchings_kind = {
    {.name = "matchings",
     .summary = "mixtures of matchings in a bipartite graph: the edges at a vertex sum to at most 1",
     .example = "matchings:graph=(1 5;1 6;2 5;2 7;3 6;3 7;3 8;4 8)",
     .options = options},
    sizeof(matchings_options),
    build};
