/* paths.c — the convex hull of the simple paths from s to t in a directed graph: x_e is how much of them uses edge e
 *
 * Without directed cycles (of the edges on a path from s to t) it is the set of flows {x >= 0 : one unit leaves s and
 * arrives at t, as much enters any other vertex as leaves it}. Edges that no path uses, as those into s, are 0.
 *
 * Oracle  the cheapest path (graph/shortest.h): one read of the edges without directed cycles. With cycles Dijkstra
 *         if no d_e is negative, else Bellman-Ford; a direction with a negative cycle is refused (OFW_NUMERICAL):
 *         the best simple path is then hard to find. Ties go to the lowest edge at each vertex, from s on; with cycles,
 *         of the edges whose ends are nearer to t, and after Bellman-Ford to what was found first.
 * Project none
 * R = sqrt(the most edges of a path); with cycles sqrt(vertices - 1), if paths use that many
 * r = min_e c_e / |the unit vector of e projected on the hull|, the largest about the centre
 * centre  without cycles, what enters a vertex leaves it by equal parts; with cycles the path of the fewest edges, and
 *         r = 0 (not known), since the hull is not known. So too if it has too many normals (graph/flow_hull.h).
 */
#include "domain/graph/flow_hull.h"
#include "domain/graph/shortest.h"

#include "linalg/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct paths {
  ofw_graph g;
  uint32_t from;         /* s; t is the routes' target */
  ofw_routes routes;     /* over the edges that are used */
  unsigned char *unused; /* edges */
} paths;

typedef struct paths_work {
  ofw_owned own;
  ofw_search search;
  ofw_sparse_atom atom;
} paths_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  const paths *p = K->data;
  OFW_TRY(ofw_work_open(sizeof(paths_work), work, err));
  paths_work *w = *work;
  OFW_TRY(ofw_search_make(&w->own, &p->g, &w->search, err));
  return ofw_sparse_atom_make(&w->own, p->g.vertices, &w->atom, err);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  const paths *p = K->data;
  paths_work *w = work;
  double sum = 0.0;
  uint32_t cycle = ofw_search_run(&w->search, &p->routes, d->dense);
  if (cycle != OFW_NO_VERTEX)
    return ofw_fail(err, OFW_NUMERICAL,
                    "paths: the direction has a negative cycle through edge %lu; negative costs need a graph without "
                    "directed cycles",
                    (unsigned long)cycle + 1);
  w->atom.count = 0;
  for (uint32_t v = p->from; v != p->routes.target; v = p->g.to[w->search.next[v]]) {
    w->atom.index[w->atom.count] = w->search.next[v];
    w->atom.value[w->atom.count++] = 1.0;
    sum += d->dense[w->search.next[v]];
  }
  *out = ofw_sparse_atom_answer(&w->atom, sum);
  return OFW_OK;
}

/* By how much x is no flow of one unit over the edges that are used. */
static double no_flow(const paths *p, const double *x, double *surplus)
{
  double most = 0.0;
  memset(surplus, 0, p->g.vertices * sizeof *surplus);
  surplus[p->from] = 1.0;
  surplus[p->routes.target] = -1.0;
  for (size_t e = 0; e < p->g.edges; e++) {
    most = fmax(most, p->unused[e] ? fabs(x[e]) : -x[e]);
    surplus[p->g.from[e]] -= p->unused[e] ? 0.0 : x[e];
    surplus[p->g.to[e]] += p->unused[e] ? 0.0 : x[e];
  }
  for (size_t v = 0; v < p->g.vertices; v++)
    most = fmax(most, fabs(surplus[v]));
  return most;
}

/* A flow is a mixture of paths if the edges that it uses have no directed cycle. If they have one, it may be:
 * whether it is, is hard to find out. */
static double is_mixture(const paths *p, const double *x)
{
  unsigned char *empty = malloc(p->g.edges);
  for (size_t e = 0; e < p->g.edges && empty; e++)
    empty[e] = p->unused[e] || !(x[e] > 0.0);
  int acyclic = empty ? ofw_graph_is_acyclic(&p->g, empty) : -1;
  free(empty);
  return acyclic < 0 ? OFW_NO_MEMORY : acyclic ? 0.0 : -1.0;
}

static double excess(const ofw_domain *K, const double *x)
{
  const paths *p = K->data;
  double *surplus = ofw_doubles(p->g.vertices), out = OFW_NO_MEMORY;
  if (surplus) {
    out = no_flow(p, x, surplus);
    double mixture = p->routes.order || out > 1e-9 ? 0.0 : is_mixture(p, x);
    out = mixture < 0.0 ? mixture : out;
  }
  free(surplus);
  return out;
}

static const ofw_domain_ops ops = {.open = open, .minimise = minimise, .close = ofw_work_close, .excess = excess};

/* ---- making one ---- */

/* Marks what hangs together with `start`, never going on from `stop`, along edges or against them. */
static void reach(const ofw_graph *g, const ofw_incidence *at, uint32_t start, uint32_t stop, uint32_t *queue,
                  unsigned char *seen)
{
  size_t count = 1;
  memset(seen, 0, g->vertices);
  queue[0] = start;
  seen[start] = 1;
  for (size_t i = 0; i < count; i++)
    for (size_t k = at->start[queue[i]]; k < at->start[queue[i] + 1] && queue[i] != stop; k++) {
      uint32_t other = ofw_graph_across(g, at->edge[k], queue[i]);
      if (seen[other])
        continue;
      seen[other] = 1;
      queue[count++] = other;
    }
}

/* An edge is used if s reaches its beginning and its end reaches t, and neither way goes through both. */
static ofw_status find_unused(paths *p, ofw_owned *own, const ofw_incidence *out, const ofw_incidence *in,
                              ofw_error *err)
{
  const ofw_graph *g = &p->g;
  uint32_t t = p->routes.target, *queue = ofw_owned_array(own, g->vertices, sizeof *queue);
  unsigned char *ahead = ofw_owned_array(own, g->vertices, 1), *back = ofw_owned_array(own, g->vertices, 1);
  OFW_TRY(ofw_owned_check(own, err));
  reach(g, out, p->from, t, queue, ahead);
  reach(g, in, t, p->from, queue, back);
  for (size_t e = 0; e < g->edges; e++)
    p->unused[e] =
        !ahead[g->from[e]] || !back[g->to[e]] || g->from[e] == t || g->to[e] == p->from || g->from[e] == g->to[e];
  if (!ahead[t])
    return ofw_fail(err, OFW_USAGE, "paths: no path leads from %llu to %llu", (unsigned long long)g->label[p->from],
                    (unsigned long long)g->label[t]);
  return OFW_OK;
}

/* The edges that are used, and an order of the vertices if there is one; `room` is for what is not kept. */
static ofw_status find_routes(paths *p, ofw_owned *own, ofw_owned *room, ofw_error *err)
{
  const ofw_graph *g = &p->g;
  ofw_incidence out, in;
  p->routes.g = g;
  p->unused = ofw_owned_array(own, g->edges, 1);
  p->routes.order = ofw_owned_array(own, g->vertices, sizeof *p->routes.order);
  OFW_TRY(ofw_owned_check(own, err));
  OFW_TRY(ofw_incidence_make(room, g, OFW_ENDS_FROM, NULL, &out, err));
  OFW_TRY(ofw_incidence_make(room, g, OFW_ENDS_TO, NULL, &in, err));
  OFW_TRY(find_unused(p, room, &out, &in, err));
  OFW_TRY(ofw_incidence_make(own, g, OFW_ENDS_FROM, p->unused, &p->routes.out, err));
  OFW_TRY(ofw_incidence_make(own, g, OFW_ENDS_TO, p->unused, &p->routes.in, err));
  uint32_t *left = ofw_owned_array(room, g->vertices, sizeof *left);
  OFW_TRY(ofw_owned_check(room, err));
  if (ofw_graph_sort(g, &p->routes.out, p->routes.order, left) < g->vertices)
    p->routes.order = NULL;
  return OFW_OK;
}

/* Equal parts of what enters leave. */
static ofw_status spread(ofw_domain *K, const paths *p, ofw_error *err)
{
  const ofw_incidence *out = &p->routes.out;
  double *inside = ofw_owned_doubles(&K->room, p->g.vertices);
  OFW_TRY(ofw_owned_check(&K->room, err));
  inside[p->from] = 1.0;
  for (size_t i = 0; i < p->g.vertices; i++) {
    uint32_t v = p->routes.order[i];
    for (size_t k = out->start[v]; k < out->start[v + 1]; k++) {
      K->centre[out->edge[k]] = inside[v] / (double)(out->start[v + 1] - out->start[v]);
      inside[p->g.to[out->edge[k]]] += K->centre[out->edge[k]];
    }
  }
  return OFW_OK;
}

/* The centre becomes the path that is best if every edge costs the same: 1, or -1 for the longest. */
static ofw_status walk(ofw_domain *K, double cost, ofw_error *err)
{
  double *d = ofw_owned_doubles(&K->room, K->dim);
  OFW_TRY(ofw_owned_check(&K->room, err));
  for (size_t e = 0; e < K->dim; e++)
    d[e] = cost;
  return ofw_domain_minimise(K, d, 1.0, K->centre, NULL, err);
}

/* The vertices at edges that are used. */
static size_t count_used(const paths *p)
{
  size_t used = 0;
  for (size_t v = 0; v < p->g.vertices; v++)
    used += p->routes.out.start[v] < p->routes.out.start[v + 1] || v == p->routes.target;
  return used;
}

typedef struct paths_options {
  char *graph;
  uint64_t from, to;
} paths_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const paths_options *o = options;
  OFW_TRY(ofw_graph_build(K, &K->own, &ops, sizeof(paths), "paths", o->graph, err));
  paths *p = K->data;
  OFW_TRY(ofw_graph_find(&p->g, "paths", "from", o->from, &p->from, err));
  OFW_TRY(ofw_graph_find(&p->g, "paths", "to", o->to, &p->routes.target, err));
  if (p->from == p->routes.target)
    return ofw_fail(err, OFW_USAGE, "paths: from and to are the same vertex; choose two");
  OFW_TRY(find_routes(p, &K->own, &K->room, err));
  K->from_centre = 1;
  if (!p->routes.order) {
    K->R = sqrt((double)count_used(p) - 1.0);
    return walk(K, 1.0, err);
  }
  OFW_TRY(walk(K, -1.0, err)); /* a longest path, for its length */
  K->R = ofw_norm(K->dim, K->centre);
  OFW_TRY(spread(K, p, err));
  if (!ofw_hull_fits(p->g.vertices, p->g.edges))
    return OFW_OK;
  return ofw_hull_set(K, p->g.vertices, p->g.from, p->g.to, NULL, p->unused, err);
}

static const ofw_option options[] = {
    OFW_GRAPH_ROW(offsetof(paths_options, graph)),
    OFW_COUNT_ROW(offsetof(paths_options, from), "from", NULL, NULL, 1, OFW_MOST_VERTEX, "the vertex s"),
    OFW_COUNT_ROW(offsetof(paths_options, to), "to", NULL, NULL, 1, OFW_MOST_VERTEX, "the vertex t"),
    {0},
};

const ofw_domain_kind ofw_paths_kind = {
    {.name = "paths",
     .summary = "mixtures of the paths between two vertices of a directed graph; one coordinate per edge",
     .example = "paths:graph=(1 2;1 3;2 4;3 4;2 3;4 5;3 5;4 6;5 6),from=1,to=6",
     .options = options},
    build};
