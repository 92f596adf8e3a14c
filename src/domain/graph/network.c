/* network.c — networks, their first trees, and searches that begin with those */
#include "domain/graph/network.h"

#include "linalg/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ofw_status ofw_network_make(size_t vertices, size_t edges, ofw_network *out, ofw_error *err)
{
  *out = (ofw_network){.vertices = vertices, .edges = edges, .numbered = edges};
  out->from = ofw_owned_array(&out->own, edges, sizeof *out->from);
  out->to = ofw_owned_array(&out->own, edges, sizeof *out->to);
  out->capacity = ofw_owned_doubles(&out->own, edges);
  out->supply = ofw_owned_doubles(&out->own, vertices);
  return ofw_owned_check(&out->own, err);
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
  ofw_owned_free(&n->own);
  *n = (ofw_network){0};
}

ofw_status ofw_flow_open(const ofw_network *n, ofw_flow *out, ofw_error *err)
{
  size_t vertices = n->vertices + 1, word = sizeof *out->parent;
  *out = (ofw_flow){.n = n, .scale = 1.0};
  out->x = ofw_owned_doubles(&out->own, n->edges + n->vertices);
  out->potential = ofw_owned_doubles(&out->own, vertices);
  out->surplus = ofw_owned_doubles(&out->own, vertices);
  uint32_t **tree[] = {&out->parent, &out->edge, &out->depth, &out->first, &out->next, &out->prev};
  for (size_t k = 0; k < sizeof tree / sizeof *tree; k++)
    *tree[k] = ofw_owned_array(&out->own, vertices, word);
  out->up = ofw_owned_array(&out->own, vertices, 1);
  out->state = ofw_owned_array(&out->own, n->edges, 1);
  return ofw_owned_check(&out->own, err);
}

void ofw_flow_close(ofw_flow *w)
{
  ofw_owned_free(&w->own);
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
  *missing = 0.0;
  n->parent = ofw_owned_array(&n->own, n->vertices, sizeof *n->parent);
  n->edge = ofw_owned_array(&n->own, n->vertices, sizeof *n->edge);
  n->state = ofw_owned_array(&n->own, n->edges, 1);
  n->flow = ofw_owned_doubles(&n->own, n->edges);
  OFW_TRY(ofw_owned_check(&n->own, err));
  ofw_status st = ofw_flow_open(n, &w, err);
  w.cost = ofw_owned_doubles(&w.own, n->edges);
  if (st == OFW_OK)
    st = ofw_owned_check(&w.own, err);
  if (st == OFW_OK) {
    tie_all(&w);
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
  ofw_flow_close(&w);
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
