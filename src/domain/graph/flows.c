/* flows.c — {x : 0 <= x_e <= capacity_e, a net flow of `value` from s to t} in a directed graph
 *
 * As much leaves s as arrives at t, and as much enters any other vertex as leaves it; circulations are flows too, also
 * if s and t are not on them. An edge without a capacity has `value`: without directed cycles no flow has more
 * anywhere.
 *
 * Oracle  a flow of least cost, by the network simplex method (graph/network.h). Of several vertices of K that are
 *         least, the one for which the sum of i^2 x_i, with edges numbered from 1, is least
 * Project none
 * R = sqrt(max_x sum_e m_e x_e), a bound, since x_e <= m_e: capacity_e, `value` if that is less and there are no
 *     directed cycles, and no more than can enter the edge's beginning or leave its end over edges with such limits
 * r = min_e min(c_e, capacity_e - c_e) / |the unit vector of e projected on the hull|, the largest about the centre
 * centre  where the sum of log x_e + log(capacity_e - x_e) over the edges that are not fixed is largest
 *         (graph/centre.c). If the hull has too many normals (graph/flow_hull.h) the flow that the oracle has for d = 0,
 *         and r = 0 (not known).
 */
#include "domain/graph/flow_set.h"

#include <math.h>
#include <string.h>

typedef struct flows_options {
  char *graph;
  uint64_t from, to;
  double value;
} flows_options;

static ofw_status fill_in(ofw_owned *own, ofw_network *n, const ofw_graph *g, const flows_options *o, ofw_error *err)
{
  uint32_t s, t;
  OFW_TRY(ofw_graph_find(g, "flows", "from", o->from, &s, err));
  OFW_TRY(ofw_graph_find(g, "flows", "to", o->to, &t, err));
  if (s == t)
    return ofw_fail(err, OFW_USAGE, "flows: from and to are the same vertex; choose two");
  OFW_TRY(ofw_network_make(own, g->vertices, g->edges, n, err));
  memcpy(n->from, g->from, g->edges * sizeof *n->from);
  memcpy(n->to, g->to, g->edges * sizeof *n->to);
  for (size_t e = 0; e < g->edges; e++)
    n->capacity[e] = isfinite(g->capacity[e]) ? g->capacity[e] : o->value;
  n->supply[s] = o->value;
  n->supply[t] = -o->value;
  return OFW_OK;
}

/* One pass: no edge has more than can enter its beginning (`enter`) or leave its end. Gives whether any was
 * lowered. */
static int lower(const ofw_network *n, double *most, double *enter, double *leave)
{
  int lowered = 0;
  for (size_t v = 0; v < n->vertices; v++) {
    enter[v] = fmax(0.0, n->supply[v]);
    leave[v] = fmax(0.0, -n->supply[v]);
  }
  for (size_t e = 0; e < n->edges; e++) {
    enter[n->to[e]] += most[e];
    leave[n->from[e]] += most[e];
  }
  for (size_t e = 0; e < n->edges; e++) {
    double less = fmin(enter[n->from[e]], leave[n->to[e]]);
    lowered |= less < most[e];
    most[e] = fmin(most[e], less);
  }
  return lowered;
}

/* m_e for all edges; after some passes what is left to lower is left. An edge that can have no flow has no capacity, so
 * that its cost does not count. */
static ofw_status limit_edges(ofw_owned *own, ofw_network *n, int acyclic, double value, double *most, ofw_error *err)
{
  double *room = ofw_owned_doubles(own, 2 * n->vertices);
  OFW_TRY(ofw_owned_check(own, err));
  if (acyclic < 0)
    return ofw_fail_memory(err, 2 * n->vertices * sizeof *room);
  for (size_t e = 0; e < n->edges; e++)
    most[e] = acyclic ? fmin(value, n->capacity[e]) : n->capacity[e];
  for (int pass = 0; pass < 64 && lower(n, most, room, room + n->vertices); pass++)
    ;
  for (size_t e = 0; e < n->edges; e++)
    n->capacity[e] = most[e] > 0.0 ? n->capacity[e] : 0.0;
  return OFW_OK;
}

static ofw_status begin(ofw_domain *K, ofw_network *n, const flows_options *o, const double *most, ofw_error *err)
{
  double missing;
  OFW_TRY(ofw_network_begin(n, &missing, err));
  if (missing > 1e-12 * o->value)
    return ofw_fail(err, OFW_USAGE, "flows: at most %g can flow from %llu to %llu, less than value=%g",
                    o->value - missing, (unsigned long long)o->from, (unsigned long long)o->to, o->value);
  return ofw_flow_set_outer(K, n, most, err);
}

static ofw_status make_network(ofw_domain *K, ofw_flow_set *f, const flows_options *o, ofw_error *err)
{
  double *most = ofw_owned_doubles(&K->room, K->dim);
  OFW_TRY(fill_in(&K->own, &f->network, &f->g, o, err));
  OFW_TRY(limit_edges(&K->room, &f->network, ofw_graph_is_acyclic(&f->g, NULL), o->value, most, err));
  return begin(K, &f->network, o, most, err);
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const flows_options *o = options;
  OFW_TRY(ofw_graph_build(K, &K->room, &ofw_flow_set_ops, sizeof(ofw_flow_set), "flows", o->graph, err));
  OFW_TRY(make_network(K, K->data, o, err));
  return ofw_flow_set_inner(K, err);
}

static const ofw_option options[] = {
    OFW_TEXT_ROW(offsetof(flows_options, graph), "graph",
                 "edges, as (FROM TO [CAPACITY];FROM TO [CAPACITY];..) or @FILE; DIMACS too"),
    OFW_COUNT_ROW(offsetof(flows_options, from), "from", NULL, NULL, 1, OFW_MOST_VERTEX, "the vertex s"),
    OFW_COUNT_ROW(offsetof(flows_options, to), "to", NULL, NULL, 1, OFW_MOST_VERTEX, "the vertex t"),
    OFW_RADIUS_ROW(offsetof(flows_options, value), "value", "the amount that flows from s to t"),
    {0},
};

const ofw_domain_kind ofw_flows_kind = {
    {.name = "flows",
     .summary = "flows of a given value between two vertices, within the edges' capacities; one coordinate per edge",
     .example = "flows:graph=(1 2 2;1 3 1.5;2 3 1;3 2 1;2 4 1.5;3 4 2;3 5 1;4 5 2.5;2 5 1),from=1,to=5,value=2",
     .options = options},
    build};
