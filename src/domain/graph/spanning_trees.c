/* spanning_trees.c — mixtures of the spanning trees of a connected graph with n vertices
 *
 * {x >= 0 : sum x_e = n - 1, and the edges within a set S of vertices sum to at most |S| - 1} (J. Edmonds, 1971). Edges
 * have no direction. Bridges are 1 and loops 0 throughout; the edges of a block (blocks.c) sum to its vertices
 * less 1.
 *
 * Oracle  the cheapest spanning tree, by Kruskal: edges in the order of d, and of their numbers if d is the same,
 *         each if it closes no cycle. A sort of d
 * Project none
 * R = sqrt(n - 1)
 * r = min over blocks of k > 1 edges of min_e c_e / sqrt(1 - 1/k) and 2 s/sqrt(k), with s the least |S| - 1 - c(S) over
 *     the sets S of two or more of its vertices and not all: a bound, since the unit vector of p of k edges is
 *     sqrt(p (k - p)/k) <= sqrt(k)/2 long within the hull. s is found by at most 3 flows for each edge
 *     (graph/tree_cut.h); above 1182 edges (3 edges^2 > 2^22), r = 0, not known
 * centre  how often an edge is in a spanning tree when all are as likely: its resistance between its ends if every
 *     edge is a resistor of 1 (G. Kirchhoff). Above 1024 vertices the tree of the lowest edges, and r = 0
 */
#include "base/sort.h"
#include "domain/graph/tree_cut.h"

#include <math.h>

#include <lapacke.h>

enum { MOST_INVERTED = 1024 };

typedef struct trees {
  ofw_graph g;
  uint32_t *block;
  size_t blocks;
} trees;

typedef struct trees_work {
  ofw_owned own;
  uint64_t *key, *spare_key;
  uint32_t *edge, *spare_edge;
  uint32_t *part; /* a vertex that this one is in a tree with */
  ofw_sparse_atom atom;
} trees_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  const ofw_graph *g = &((const trees *)K->data)->g;
  OFW_TRY(ofw_work_open(sizeof(trees_work), work, err));
  trees_work *w = *work;
  w->key = ofw_owned_array(&w->own, g->edges, sizeof *w->key);
  w->spare_key = ofw_owned_array(&w->own, g->edges, sizeof *w->key);
  w->edge = ofw_owned_array(&w->own, g->edges, sizeof *w->edge);
  w->spare_edge = ofw_owned_array(&w->own, g->edges, sizeof *w->edge);
  w->part = ofw_owned_array(&w->own, g->vertices, sizeof *w->part);
  return ofw_sparse_atom_make(&w->own, g->vertices, &w->atom, err);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  const ofw_graph *g = &((const trees *)K->data)->g;
  trees_work *w = work;
  double sum = 0.0;
  for (uint32_t e = 0; e < g->edges; e++) {
    w->key[e] = ofw_sort_key(d->dense[e]);
    w->edge[e] = e;
  }
  ofw_sort_within(g->edges, w->key, w->edge, w->spare_key, w->spare_edge);
  for (uint32_t v = 0; v < g->vertices; v++)
    w->part[v] = v;
  w->atom.count = 0;
  for (size_t k = 0; k < g->edges && w->atom.count + 1 < g->vertices; k++) {
    uint32_t e = w->edge[k], u = ofw_graph_part(w->part, g->from[e]), v = ofw_graph_part(w->part, g->to[e]);
    if (u == v)
      continue;
    w->part[u] = v;
    w->atom.index[w->atom.count] = e;
    w->atom.value[w->atom.count++] = 1.0;
    sum += d->dense[e];
  }
  *out = ofw_sparse_atom_answer(&w->atom, sum);
  return OFW_OK;
}

/* By flows: a check, not a step of any method. The sum counts by how far the points are that have it. */
static double excess(const ofw_domain *K, const double *x)
{
  const ofw_graph *g = &((const trees *)K->data)->g;
  ofw_owned own = {0};
  ofw_tree_cut cut;
  double most = OFW_NO_MEMORY, sum = 0.0;
  if (ofw_tree_cut_open(&own, g, NULL, &cut, NULL) == OFW_OK) {
    ofw_tree_cut_set(&cut, x);
    most = ofw_tree_cut_excess(&cut);
    for (size_t e = 0; e < g->edges; e++) {
      sum += x[e];
      most = fmax(most, -x[e]);
    }
    most = fmax(most, fabs(sum - ((double)g->vertices - 1.0)) / sqrt((double)g->edges));
  }
  ofw_owned_free(&own);
  return most;
}

static const ofw_domain_ops ops = {.open = open, .minimise = minimise, .close = ofw_work_close, .excess = excess};

/* ---- the centre ---- */

/* The inverse of the Laplacian without the last vertex, in its lower half. */
static int invert_laplacian(const ofw_graph *g, double *a)
{
  size_t n = g->vertices - 1;
  lapack_int size = (lapack_int)n;
  for (size_t e = 0; e < g->edges; e++) {
    size_t u = g->from[e], v = g->to[e];
    if (u == v)
      continue;
    if (u < n)
      a[u * n + u] += 1.0;
    if (v < n)
      a[v * n + v] += 1.0;
    if (u < n && v < n) {
      a[u * n + v] -= 1.0;
      a[v * n + u] -= 1.0;
    }
  }
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', size, a, size) == 0 &&
         LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', size, a, size) == 0;
}

static double resistance(const double *inverse, size_t n, size_t u, size_t v)
{
  size_t low = u < v ? u : v, high = u < v ? v : u;
  if (high == n) /* the vertex that was left out */
    return inverse[low * n + low];
  return inverse[low * n + low] + inverse[high * n + high] - 2.0 * inverse[low * n + high];
}

/* How many edges a block has, and what its centre sums to, which is a whole number but for rounding. */
typedef struct block_size {
  double edges, sum, least;
} block_size;

static void measure_blocks(const ofw_domain *K, const trees *t, block_size *size)
{
  for (size_t b = 0; b < t->blocks; b++)
    size[b] = (block_size){0.0, 0.0, INFINITY};
  for (size_t e = 0; e < t->g.edges; e++) {
    block_size *s = &size[t->block[e]];
    s->edges += 1.0;
    s->sum += K->centre[e];
    s->least = fmin(s->least, K->centre[e]);
  }
}

static ofw_status set_centre(ofw_domain *K, const trees *t, block_size *size, ofw_error *err)
{
  const ofw_graph *g = &t->g;
  size_t n = g->vertices - 1;
  double *a = ofw_owned_doubles(&K->room, n * n);
  OFW_TRY(ofw_owned_check(&K->room, err));
  if (!invert_laplacian(g, a))
    return ofw_fail(err, OFW_NUMERICAL, "spanning-trees: the Laplacian cannot be inverted");
  for (size_t e = 0; e < g->edges; e++)
    K->centre[e] = g->from[e] == g->to[e] ? 0.0 : resistance(a, n, g->from[e], g->to[e]);
  measure_blocks(K, t, size);
  for (size_t e = 0; e < g->edges; e++) {
    const block_size *s = &size[t->block[e]];
    K->centre[e] *= s->sum > 0.0 ? round(s->sum) / s->sum : 1.0;
  }
  measure_blocks(K, t, size);
  return OFW_OK;
}

/* ---- the hull and r ---- */

/* A block's edges and the number 1/sqrt(how many). */
static ofw_status set_hull(ofw_domain *K, const trees *t, const block_size *size, ofw_error *err)
{
  size_t *end = ofw_owned_array(&K->own, t->blocks, sizeof *end), total = 0;
  size_t *index = ofw_owned_array(&K->own, t->g.edges, sizeof *index);
  double *value = ofw_owned_doubles(&K->own, t->g.edges);
  ofw_vec *normal = ofw_owned_array(&K->own, t->blocks, sizeof *normal);
  OFW_TRY(ofw_owned_check(&K->own, err));
  for (size_t b = 0; b < t->blocks; b++) {
    end[b] = total;
    normal[b] = ofw_vec_sparse((size_t)size[b].edges, index + total, value + total);
    total += (size_t)size[b].edges;
  }
  for (size_t e = 0; e < t->g.edges; e++) {
    size_t b = t->block[e];
    value[end[b]] = 1.0 / sqrt(size[b].edges);
    index[end[b]++] = e;
  }
  K->normals = t->blocks;
  K->normal = normal;
  return OFW_OK;
}

/* The least |S| - 1 - c(S) of a block: S without its vertex `root` and with an edge; or with an edge at the root and
 * without another vertex. INFINITY: there is no S. */
static double least_slack(ofw_tree_cut *cut, const trees *t, uint32_t block, uint32_t root)
{
  const ofw_graph *g = &t->g;
  double least = INFINITY;
  for (uint32_t e = 0; e < g->edges; e++) {
    if (t->block[e] != block)
      continue;
    if (g->from[e] != root && g->to[e] != root) {
      least = fmin(least, ofw_tree_cut_slack(cut, e, root));
      continue;
    }
    for (uint32_t v = 0; v < g->vertices; v++)
      if (cut->at.start[v] < cut->at.start[v + 1] && v != g->from[e] && v != g->to[e])
        least = fmin(least, ofw_tree_cut_slack(cut, e, v));
  }
  return least;
}

/* A block's vertex with the fewest of its edges. */
static uint32_t root_of(const ofw_tree_cut *cut)
{
  uint32_t best = OFW_NO_VERTEX;
  size_t fewest = SIZE_MAX;
  for (uint32_t v = 0; v < cut->g->vertices; v++) {
    size_t here = cut->at.start[v + 1] - cut->at.start[v];
    if (here > 0 && here < fewest) {
      fewest = here;
      best = v;
    }
  }
  return best;
}

/* s of one block */
static ofw_status find_slack(const ofw_domain *K, const trees *t, uint32_t block, double *s, ofw_error *err)
{
  ofw_owned own = {0};
  ofw_tree_cut cut;
  unsigned char *others = ofw_owned_array(&own, t->g.edges, 1);
  ofw_status st = ofw_owned_check(&own, err);
  for (size_t e = 0; e < t->g.edges && st == OFW_OK; e++)
    others[e] = t->block[e] != block;
  if (st == OFW_OK)
    st = ofw_tree_cut_open(&own, &t->g, others, &cut, err);
  if (st == OFW_OK) {
    ofw_tree_cut_set(&cut, K->centre);
    *s = least_slack(&cut, t, block, root_of(&cut));
  }
  ofw_owned_free(&own);
  return st;
}

/* For each edge a flow, and for those at the root one for each vertex: the root has at most 2m/n edges of its block. */
static int few_flows(const trees *t)
{
  double m = (double)t->g.edges;
  return m * (m + 2.0 * m) <= 0x1p22;
}

static ofw_status set_inner_radius(ofw_domain *K, const trees *t, const block_size *size, ofw_error *err)
{
  double least = INFINITY;
  for (uint32_t b = 0; b < t->blocks; b++) {
    double k = size[b].edges, s = INFINITY;
    if (k < 2.0)
      continue;
    OFW_TRY(find_slack(K, t, b, &s, err));
    least = fmin(least, fmin(size[b].least / sqrt(1.0 - 1.0 / k), 2.0 * s / sqrt(k)));
  }
  K->r = isfinite(least) ? fmax(0.0, least) : 0.0; /* a tree alone has none */
  return OFW_OK;
}

/* ---- making one ---- */

static ofw_status find_blocks(ofw_domain *K, trees *t, ofw_error *err)
{
  size_t parts;
  t->block = ofw_owned_array(&K->own, t->g.edges, sizeof *t->block);
  OFW_TRY(ofw_owned_check(&K->own, err));
  OFW_TRY(ofw_graph_blocks(&K->room, &t->g, t->block, &t->blocks, &parts, err));
  if (t->g.unnamed > 0)
    return ofw_fail(err, OFW_USAGE, "spanning-trees: the graph is not connected: a vertex has no edges");
  if (parts > 1)
    return ofw_fail(err, OFW_USAGE, "spanning-trees: the graph is not connected: it has %zu parts", parts);
  return t->g.vertices > 1 ? OFW_OK : ofw_fail(err, OFW_USAGE, "spanning-trees: the graph has only one vertex");
}

static ofw_status set_inside(ofw_domain *K, trees *t, ofw_error *err)
{
  block_size *size = ofw_owned_array(&K->room, t->blocks, sizeof *size);
  OFW_TRY(ofw_owned_check(&K->room, err));
  OFW_TRY(set_centre(K, t, size, err));
  if (!few_flows(t))
    return OFW_OK;
  OFW_TRY(set_hull(K, t, size, err));
  return set_inner_radius(K, t, size, err);
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const char *text = ((const ofw_graph_option *)options)->graph;
  OFW_TRY(ofw_graph_build(K, &K->own, &ops, sizeof(trees), "spanning-trees", text, err));
  trees *t = K->data;
  OFW_TRY(find_blocks(K, t, err));
  K->from_centre = 1;
  K->R = sqrt((double)t->g.vertices - 1.0);
  if (t->g.vertices <= MOST_INVERTED)
    return set_inside(K, t, err);
  double *none = ofw_owned_doubles(&K->room, K->dim);
  OFW_TRY(ofw_owned_check(&K->room, err));
  return ofw_domain_minimise(K, none, 1.0, K->centre, NULL, err);
}

const ofw_domain_kind ofw_spanning_trees_kind = {
    {.name = "spanning-trees",
     .summary = "mixtures of the spanning trees of a connected graph; one coordinate per edge",
     .example = "spanning-trees:graph=(1 2;2 3;3 4;4 5;5 1;1 3;2 4;3 5;5 6)",
     .options = ofw_graph_options},
    build};
