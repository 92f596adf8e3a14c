/* shortest.c — cheapest paths to one vertex, by the cheapest of three methods that will do
 *
 * All three search from the target backwards, so that a path is read off forwards, and none allocates: a search's room is
 * made once.
 */
#include "domain/graph/shortest.h"

#include "linalg/kernels.h"

#include <math.h>

ofw_status ofw_search_make(ofw_owned *own, const ofw_graph *g, ofw_search *out, ofw_error *err)
{
  *out = (ofw_search){.distance = ofw_owned_doubles(own, g->vertices),
                      .next = ofw_owned_array(own, g->vertices, sizeof *out->next),
                      .heap = ofw_owned_array(own, g->vertices + 1, sizeof *out->heap),
                      .pos = ofw_owned_array(own, g->vertices, sizeof *out->pos)};
  return ofw_owned_check(own, err);
}

/* Sums of costs are numbers: costs near the largest double are made smaller, which changes no comparison of sums. */
static double safe_scale(const ofw_routes *routes, const double *cost)
{
  return ofw_largest(routes->g->edges, cost) > 1e290 ? 0x1p-64 : 1.0;
}

static void forget(ofw_search *s, const ofw_routes *routes)
{
  for (size_t v = 0; v < routes->g->vertices; v++) {
    s->distance[v] = INFINITY;
    s->next[v] = OFW_NO_VERTEX;
  }
  s->distance[routes->target] = 0.0;
}

/* ---- no directed cycle: the lowest edge of the best, at every vertex ---- */

static void along_the_order(ofw_search *s, const ofw_routes *routes, const double *cost, double scale)
{
  const ofw_graph *g = routes->g;
  for (size_t i = g->vertices; i-- > 0;) {
    uint32_t v = routes->order[i];
    for (size_t k = routes->out.start[v]; k < routes->out.start[v + 1]; k++) {
      uint32_t e = routes->out.edge[k];
      double far = scale * cost[e] + s->distance[g->to[e]];
      if (s->next[v] == OFW_NO_VERTEX || far < s->distance[v]) { /* the first one in any case: costs may be NaN */
        s->distance[v] = far;
        s->next[v] = e;
      }
    }
  }
}

/* ---- Dijkstra, from the target backwards; a binary heap by distance, then by vertex ---- */

#define SETTLED (OFW_NO_VERTEX - 1) /* as a place in the heap; OFW_NO_VERTEX: not yet in it */

static int sooner(const ofw_search *s, uint32_t a, uint32_t b)
{
  return (a < b && s->distance[a] == s->distance[b]) || s->distance[a] < s->distance[b];
}

static void put(ofw_search *s, size_t at, uint32_t v)
{
  s->heap[at] = v;
  s->pos[v] = (uint32_t)at;
}

static void rise(ofw_search *s, size_t at, uint32_t v)
{
  for (; at > 0 && sooner(s, v, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
    put(s, at, s->heap[(at - 1) / 2]);
  put(s, at, v);
}

/* The first of `count`, taken out. */
static uint32_t take(ofw_search *s, size_t count)
{
  uint32_t first = s->heap[0], last = s->heap[count - 1];
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < count - 1; at = child) {
    child += child + 1 < count - 1 && sooner(s, s->heap[child + 1], s->heap[child]);
    if (!sooner(s, s->heap[child], last))
      break;
    put(s, at, s->heap[child]);
  }
  put(s, at, last);
  s->pos[first] = SETTLED;
  return first;
}

static void dijkstra(ofw_search *s, const ofw_routes *routes, const double *cost, double scale)
{
  const ofw_graph *g = routes->g;
  size_t count = 1;
  for (size_t v = 0; v < g->vertices; v++)
    s->pos[v] = OFW_NO_VERTEX;
  put(s, 0, routes->target);
  while (count > 0) {
    uint32_t v = take(s, count--);
    for (size_t k = routes->in.start[v]; k < routes->in.start[v + 1]; k++) {
      uint32_t e = routes->in.edge[k], u = g->from[e];
      double far = scale * cost[e] + s->distance[v];
      if (s->pos[u] == SETTLED || far > s->distance[u] || (far == s->distance[u] && e > s->next[u]))
        continue;
      s->distance[u] = far;
      s->next[u] = e;
      rise(s, s->pos[u] == OFW_NO_VERTEX ? count++ : s->pos[u], u);
    }
  }
}

/* ---- Bellman-Ford, from the target backwards ---- */

/* An edge of a cycle that `next` leads around in. pos[v] is the vertex whose walk came by v. */
static uint32_t find_cycle(ofw_search *s, const ofw_routes *routes)
{
  const ofw_graph *g = routes->g;
  for (size_t v = 0; v < g->vertices; v++)
    s->pos[v] = OFW_NO_VERTEX;
  for (uint32_t v = 0; v < g->vertices; v++)
    for (uint32_t u = v; s->next[u] != OFW_NO_VERTEX; u = g->to[s->next[u]]) {
      if (s->pos[u] == v)
        return s->next[u];
      if (s->pos[u] != OFW_NO_VERTEX)
        break;
      s->pos[u] = v;
    }
  return OFW_NO_VERTEX;
}

/* Less by more than what rounding of a sum of two makes: a cycle of cost 0 must not look negative. */
static int clearly_below(double far, double before, double a, double b)
{
  return before - far > 0x1p-50 * (fabs(a) + fabs(b));
}

/* One round of the queue, whose vertices have pos 1; gives how many are in it after that. The queue is a ring. */
static size_t relax_round(ofw_search *s, const ofw_routes *routes, const double *cost, double scale, size_t *head,
                          size_t count)
{
  const ofw_graph *g = routes->g;
  size_t ring = g->vertices + 1, tail = (*head + count) % ring, after = 0;
  for (; count > 0; count--, *head = (*head + 1) % ring) {
    uint32_t v = s->heap[*head];
    s->pos[v] = 0;
    for (size_t k = routes->in.start[v]; k < routes->in.start[v + 1]; k++) {
      uint32_t e = routes->in.edge[k], u = g->from[e];
      double far = scale * cost[e] + s->distance[v];
      if (s->next[u] != OFW_NO_VERTEX && !clearly_below(far, s->distance[u], scale * cost[e], s->distance[v]))
        continue;
      s->distance[u] = far;
      s->next[u] = e;
      if (s->pos[u])
        continue;
      s->pos[u] = 1;
      s->heap[tail] = u;
      tail = (tail + 1) % ring;
      after++;
    }
  }
  return after;
}

/* A vertex of the last round may also have been put before it; after as many rounds as there are vertices, a distance
 * that still falls does so by a cycle. The cycle is looked for whenever the rounds have doubled. */
static uint32_t bellman_ford(ofw_search *s, const ofw_routes *routes, const double *cost, double scale)
{
  size_t head = 0, count = 1, look = 1;
  uint32_t cycle = OFW_NO_VERTEX;
  for (size_t v = 0; v < routes->g->vertices; v++)
    s->pos[v] = 0;
  s->heap[0] = routes->target;
  s->pos[routes->target] = 1;
  for (size_t round = 1; count > 0; round++) {
    count = relax_round(s, routes, cost, scale, &head, count);
    if (round < look && count > 0)
      continue;
    cycle = find_cycle(s, routes);
    if (cycle != OFW_NO_VERTEX)
      return cycle;
    for (size_t v = 0; v < routes->g->vertices; v++)
      s->pos[v] = 0;
    for (size_t i = 0; i < count; i++)
      s->pos[s->heap[(head + i) % (routes->g->vertices + 1)]] = 1;
    look *= 2;
  }
  return cycle;
}

uint32_t ofw_search_run(ofw_search *s, const ofw_routes *routes, const double *cost)
{
  double scale = safe_scale(routes, cost);
  int negative = 0;
  forget(s, routes);
  if (routes->order) {
    along_the_order(s, routes, cost, scale);
    return OFW_NO_VERTEX;
  }
  for (size_t k = 0; k < routes->out.start[routes->g->vertices]; k++)
    negative |= cost[routes->out.edge[k]] < 0.0;
  if (negative)
    return bellman_ford(s, routes, cost, scale);
  dijkstra(s, routes, cost, scale);
  return OFW_NO_VERTEX;
}
