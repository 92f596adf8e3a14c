/* network.c — networks, their first trees, and searches that begin with those */
#include "domain/graph/network.h"

#include "linalg/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ofw_status ofw_network_make(size_t vertices, size_t edges, ofw_network *out, ofw_error *err)
{
  *out = (ofw_network){.vertices = vertices,
                       .edges = edges,
                       .numbered = edges,
                       .from = ofw_array(edges, sizeof *out->from),
                       .to = ofw_array(edges, sizeof *out->to),
                       .capacity = ofw_doubles(edges),
                       .supply = ofw_doubles(vertices)};
  if (out->from && out->to && out->capacity && out->supply)
    return OFW_OK;
  return ofw_fail_memory(err, edges * (2 * sizeof *out->from + sizeof *out->capacity));
}

ofw_status ofw_network_of_sides(const ofw_graph *g, const char *owner, size_t vertices, size_t edges, ofw_network *out,
                                ofw_error *err)
{
  unsigned char *colour = malloc(g->vertices);
  ofw_status st = colour ? ofw_graph_two_colour(g, owner, colour, err) : ofw_fail_memory(err, g->vertices);
  if (st == OFW_OK)
    st = ofw_network_make(vertices, edges, out, err);
  for (size_t e = 0; e < g->edges && st == OFW_OK; e++) {
    out->from[e] = colour[g->from[e]] ? g->to[e] : g->from[e];
    out->to[e] = colour[g->from[e]] ? g->from[e] : g->to[e];
  }
  for (size_t e = 0; e < edges && st == OFW_OK; e++)
    out->capacity[e] = INFINITY;
  for (size_t v = 0; v < g->vertices && st == OFW_OK; v++)
    out->supply[v] = colour[v] ? -1.0 : 1.0;
  free(colour);
  return st;
}

void ofw_network_free(ofw_network *n)
{
  free(n->from), free(n->to), free(n->capacity), free(n->supply);
  free(n->parent), free(n->edge), free(n->state), free(n->flow);
  *n = (ofw_network){0};
}

ofw_status ofw_flow_open(const ofw_network *n, ofw_flow *out, ofw_error *err)
{
  size_t vertices = n->vertices + 1, word = sizeof *out->parent;
  *out = (ofw_flow){.n = n,
                    .scale = 1.0,
                    .x = ofw_doubles(n->edges + n->vertices),
                    .potential = ofw_doubles(vertices),
                    .surplus = ofw_doubles(vertices),
                    .parent = ofw_array(vertices, word),
                    .edge = ofw_array(vertices, word),
                    .depth = ofw_array(vertices, word),
                    .first = ofw_array(vertices, word),
                    .next = ofw_array(vertices, word),
                    .prev = ofw_array(vertices, word),
                    .up = malloc(vertices),
                    .state = malloc(n->edges)};
  if (out->x && out->potential && out->surplus && out->parent && out->edge && out->depth && out->first && out->next &&
      out->prev && out->up && out->state)
    return OFW_OK;
  return ofw_fail_memory(err, n->edges * sizeof *out->x + vertices * 8 * word);
}

void ofw_flow_close(ofw_flow *w)
{
  free(w->x), free(w->potential), free(w->surplus);
  free(w->parent), free(w->edge), free(w->depth), free(w->first), free(w->next), free(w->prev);
  free(w->up), free(w->state);
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
  ofw_flow w = {0};
  double *none = ofw_doubles(n->edges);
  ofw_status st = none ? ofw_flow_open(n, &w, err) : ofw_fail_memory(err, n->edges * sizeof *none);
  *missing = 0.0;
  if (st == OFW_OK) {
    tie_all(&w);
    w.cost = none;
    w.artificial = 1.0;
    ofw_flow_hang(&w);
    ofw_flow_pivot(&w);
    for (size_t v = 0; v < n->vertices; v++)
      *missing += w.edge[v] >= n->edges && w.up[v] ? w.x[n->edges + v] : 0.0;
    n->parent = w.parent;
    n->edge = w.edge;
    n->state = w.state;
    n->flow = w.x;
    w.parent = w.edge = NULL;
    w.state = NULL;
    w.x = NULL;
  }
  ofw_flow_close(&w);
  free(none);
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
