/* tree_cut.c — shares of edges moved along shortest ways, until no vertex that could take more can be reached
 *
 * What is smaller than rounding is not moved: else a search could go on for ever over nothing.
 */
#include "domain/graph/tree_cut.h"

#include <math.h>
#include <string.h>

ofw_status ofw_tree_cut_open(ofw_owned *own, const ofw_graph *g, const unsigned char *left_out, ofw_tree_cut *out,
                             ofw_error *err)
{
  *out = (ofw_tree_cut){.g = g,
                        .x = ofw_owned_doubles(own, g->edges),
                        .share = ofw_owned_doubles(own, g->edges),
                        .load = ofw_owned_doubles(own, g->vertices),
                        .kept = ofw_owned_doubles(own, g->edges + g->vertices),
                        .queue = ofw_owned_array(own, g->vertices, sizeof *out->queue),
                        .way = ofw_owned_array(own, g->vertices, sizeof *out->way)};
  return ofw_incidence_make(own, g, OFW_ENDS_BOTH, left_out, &out->at, err);
}

/* What v has of the edge, and can give to its other end; a loop stays. */
static double movable(const ofw_tree_cut *c, uint32_t e, uint32_t v)
{
  if (c->g->from[e] == c->g->to[e])
    return 0.0;
  return c->g->from[e] == v ? c->share[e] : c->x[e] - c->share[e];
}

static void move(ofw_tree_cut *c, uint32_t e, uint32_t v, double amount)
{
  c->share[e] = fmax(0.0, fmin(c->x[e], c->share[e] + (c->g->from[e] == v ? -amount : amount)));
}

/* Vertices with room are those below 1, but the one that is closed has none, and the open one has no end of it. */
typedef struct room {
  uint32_t closed, open;
} room;

static double room_at(const ofw_tree_cut *c, room r, uint32_t v)
{
  return v == r.closed ? 0.0 : v == r.open ? INFINITY : 1.0 - c->load[v];
}

/* The nearest vertex with room that shares can be moved to from the first `count` of the queue; OFW_NO_VERTEX: none. */
static uint32_t find_room(ofw_tree_cut *c, room r, size_t count)
{
  memset(c->way, 0xff, c->g->vertices * sizeof *c->way); /* OFW_NO_VERTEX: not seen */
  for (size_t i = 0; i < count; i++)
    c->way[c->queue[i]] = OFW_NO_VERTEX - 1; /* here it begins */
  for (size_t i = 0; i < count; i++) {
    uint32_t v = c->queue[i];
    for (size_t k = c->at.start[v]; k < c->at.start[v + 1]; k++) {
      uint32_t e = c->at.edge[k], to = ofw_graph_across(c->g, e, v);
      if (c->way[to] != OFW_NO_VERTEX || !(movable(c, e, v) > c->tiny))
        continue;
      c->way[to] = e;
      if (room_at(c, r, to) > c->tiny)
        return to;
      c->queue[count++] = to;
    }
  }
  return OFW_NO_VERTEX;
}

/* Moves up to `most` along the way that was found; gives how much. */
static double move_along(ofw_tree_cut *c, room r, uint32_t end, double most)
{
  double amount = fmin(most, room_at(c, r, end));
  uint32_t v = end;
  for (uint32_t e; (e = c->way[v]) < OFW_NO_VERTEX - 1; v = ofw_graph_across(c->g, e, v))
    amount = fmin(amount, movable(c, e, ofw_graph_across(c->g, e, v)));
  c->load[end] += amount;
  for (v = end; c->way[v] < OFW_NO_VERTEX - 1;) {
    uint32_t e = c->way[v], before = ofw_graph_across(c->g, e, v);
    move(c, e, before, amount);
    v = before;
  }
  c->load[v] -= amount;
  return amount;
}

/* Every vertex gives away what it has above 1, the closed one all; gives what could not be given. */
static double relieve(ofw_tree_cut *c, uint32_t closed)
{
  room r = {closed, OFW_NO_VERTEX};
  double stuck = 0.0;
  for (uint32_t v = 0; v < c->g->vertices; v++) {
    double least = v == closed ? 0.0 : 1.0;
    while (c->load[v] - least > c->tiny) {
      c->queue[0] = v;
      uint32_t end = find_room(c, r, 1);
      if (end == OFW_NO_VERTEX)
        break;
      move_along(c, r, end, c->load[v] - least);
    }
    stuck += fmax(0.0, c->load[v] - least);
  }
  return stuck;
}

void ofw_tree_cut_set(ofw_tree_cut *c, const double *x)
{
  double most = 1.0;
  memset(c->load, 0, c->g->vertices * sizeof *c->load);
  for (size_t v = 0; v < c->g->vertices; v++)
    for (size_t k = c->at.start[v]; k < c->at.start[v + 1]; k++) {
      uint32_t e = c->at.edge[k];
      c->x[e] = fmax(0.0, x[e]);
      c->share[e] = c->x[e] / 2;
      c->load[v] += c->g->from[e] == c->g->to[e] ? c->x[e] : c->share[e];
      most = fmax(most, c->load[v]);
    }
  c->tiny = 0x1p-50 * most;
  relieve(c, OFW_NO_VERTEX);
}

/* A set S with v in it holds |S| - 1 if v can give all that it has to others. */
double ofw_tree_cut_excess(ofw_tree_cut *c)
{
  double most = 0.0;
  for (uint32_t v = 0; v < c->g->vertices; v++)
    most = fmax(most, relieve(c, v));
  return most > 16.0 * (double)c->g->vertices * c->tiny ? most : 0.0;
}

double ofw_tree_cut_slack(ofw_tree_cut *c, uint32_t edge, uint32_t without)
{
  const ofw_graph *g = c->g;
  uint32_t a = g->from[edge], b = g->to[edge], end;
  double cut = (1.0 - c->load[a]) + (1.0 - c->load[b]);
  memcpy(c->kept, c->share, g->edges * sizeof *c->kept);
  memcpy(c->kept + g->edges, c->load, g->vertices * sizeof *c->kept);
  room r = {OFW_NO_VERTEX, without};
  while (c->queue[0] = a, c->queue[1] = b, (end = find_room(c, r, 2)) != OFW_NO_VERTEX)
    cut += move_along(c, r, end, INFINITY);
  memcpy(c->share, c->kept, g->edges * sizeof *c->kept);
  memcpy(c->load, c->kept + g->edges, g->vertices * sizeof *c->kept);
  return cut - 1.0;
}
