/* network_simplex.c — pivots: an edge enters the tree, flow goes around the cycle that it closes, another edge leaves
 *
 * An edge from u to v with potentials p has the reduced cost c + p_u - p_v, which is 0 for those of the tree. One that
 * is empty and has a negative one, or is full and has a positive one, may enter: the worst of a block of edges does.
 * Costs are only added and compared, potentials are computed again from their parents', and a reduced cost counts only
 * if it is more than what rounding makes of these sums.
 */
#include "domain/graph/network.h"

#include <math.h>
#include <string.h>

enum { FROZEN = 4 }; /* added to a state: the edge stays there */

static double cost_of(const ofw_flow *w, size_t e)
{
  if (e >= w->n->edges)
    return w->by_number ? 0.0 : w->artificial;
  if (w->n->capacity[e] == 0.0)
    return 0.0;
  if (w->by_number)
    return e < w->n->numbered ? (double)(e + 1) * (double)(e + 1) : 0.0;
  return w->scale * w->cost[e];
}

static double capacity_of(const ofw_flow *w, size_t e)
{
  return e < w->n->edges ? w->n->capacity[e] : INFINITY;
}

/* ---- the tree ---- */

static void attach(ofw_flow *w, uint32_t v, uint32_t parent, uint32_t edge, int up)
{
  w->parent[v] = parent;
  w->edge[v] = edge;
  w->up[v] = (unsigned char)up;
  w->prev[v] = OFW_NO_VERTEX;
  w->next[v] = w->first[parent];
  if (w->next[v] != OFW_NO_VERTEX)
    w->prev[w->next[v]] = v;
  w->first[parent] = v;
}

static void detach(ofw_flow *w, uint32_t v)
{
  if (w->prev[v] == OFW_NO_VERTEX)
    w->first[w->parent[v]] = w->next[v];
  else
    w->next[w->prev[v]] = w->next[v];
  if (w->next[v] != OFW_NO_VERTEX)
    w->prev[w->next[v]] = w->prev[v];
}

/* The depth and the potential of a vertex, from its parent's. */
static void place(ofw_flow *w, uint32_t v)
{
  uint32_t p = w->parent[v];
  double c = cost_of(w, w->edge[v]);
  w->depth[v] = w->depth[p] + 1;
  w->potential[v] = w->up[v] ? w->potential[p] - c : w->potential[p] + c;
}

/* The same for all that hang below `top`, and for itself unless it is the root. */
static void place_below(ofw_flow *w, uint32_t top)
{
  uint32_t v = top;
  for (;;) {
    if (v != w->n->vertices)
      place(w, v);
    if (w->first[v] != OFW_NO_VERTEX) {
      v = w->first[v];
      continue;
    }
    while (v != top && w->next[v] == OFW_NO_VERTEX)
      v = w->parent[v];
    if (v == top)
      return;
    v = w->next[v];
  }
}

void ofw_flow_hang(ofw_flow *w)
{
  uint32_t root = (uint32_t)w->n->vertices;
  memset(w->first, 0xff, (w->n->vertices + 1) * sizeof *w->first); /* OFW_NO_VERTEX */
  w->next[root] = w->prev[root] = w->parent[root] = w->edge[root] = OFW_NO_VERTEX;
  w->depth[root] = 0;
  w->potential[root] = 0.0;
  w->next_edge = 0;
  for (uint32_t v = 0; v < root; v++)
    attach(w, v, w->parent[v], w->edge[v], w->up[v]);
  place_below(w, root);
}

/* ---- which edge enters ---- */

/* By how much the edge's reduced cost is wrong for the bound that it is at; 0: it is not, or is not known to be. */
static double wrongness(const ofw_flow *w, size_t e, double *reduced)
{
  double u = w->potential[w->n->from[e]], v = w->potential[w->n->to[e]], c = cost_of(w, e);
  *reduced = c + u - v;
  if (fabs(*reduced) <= 0x1p-49 * (fabs(c) + fabs(u) + fabs(v)))
    *reduced = 0.0;
  double wrong = w->state[e] == OFW_EDGE_EMPTY ? -*reduced : w->state[e] == OFW_EDGE_FULL ? *reduced : 0.0;
  return fmax(0.0, wrong);
}

/* OFW_NO_VERTEX: none may, and the flow is of least cost. */
static uint32_t find_entering(ofw_flow *w)
{
  size_t block = (size_t)fmax(16.0, sqrt((double)w->n->edges));
  uint32_t best = OFW_NO_VERTEX;
  double worst = 0.0, reduced;
  for (size_t seen = 1; seen <= w->n->edges; seen++) {
    size_t e = w->next_edge;
    double wrong = wrongness(w, e, &reduced);
    if (wrong > worst) {
      worst = wrong;
      best = (uint32_t)e;
    }
    w->next_edge = e + 1 == w->n->edges ? 0 : e + 1;
    if (seen % block == 0 && best != OFW_NO_VERTEX)
      break;
  }
  return best;
}

/* ---- the cycle ---- */

/* Flow goes from `tail` over the edge that enters to `head`, and back through the tree by way of `top`. */
typedef struct cycle {
  uint32_t enters, tail, head, top;
  double most; /* flow that can go around */
  uint32_t
      leaves; /* the vertex below the edge that leaves; OFW_NO_VERTEX: the one that enters goes to its other bound */
  int on_tails_side; /* of the top */
} cycle;

static uint32_t meet(const ofw_flow *w, uint32_t u, uint32_t v)
{
  while (u != v)
    if (w->depth[u] >= w->depth[v])
      u = w->parent[u];
    else
      v = w->parent[v];
  return u;
}

/* What the edge above v takes in the direction of its parent, or out of it. */
static double spare(const ofw_flow *w, uint32_t v, int to_parent)
{
  uint32_t e = w->edge[v];
  return w->up[v] == to_parent ? capacity_of(w, e) - w->x[e] : w->x[e];
}

/* Of the edges that stop the flow the last one leaves, as the flow goes around from the top: that keeps the tree
 * strongly feasible. */
static cycle find_cycle(const ofw_flow *w, uint32_t enters)
{
  const ofw_network *n = w->n;
  int back = w->state[enters] == OFW_EDGE_FULL;
  cycle c = {.enters = enters, .leaves = OFW_NO_VERTEX, .most = n->capacity[enters]};
  c.tail = back ? n->to[enters] : n->from[enters];
  c.head = back ? n->from[enters] : n->to[enters];
  c.top = meet(w, c.tail, c.head);
  for (uint32_t v = c.tail; v != c.top; v = w->parent[v]) {
    double room = spare(w, v, 0);
    if (room < c.most) {
      c.most = room;
      c.leaves = v;
      c.on_tails_side = 1;
    }
  }
  for (uint32_t v = c.head; v != c.top; v = w->parent[v]) {
    double room = spare(w, v, 1);
    if (room <= c.most) {
      c.most = room;
      c.leaves = v;
      c.on_tails_side = 0;
    }
  }
  return c;
}

/* What is next to a bound but for rounding is at it, so that ties are seen. */
static void change(ofw_flow *w, uint32_t e, double by)
{
  double before = w->x[e], capacity = capacity_of(w, e), x = before + by;
  if (x <= 0x1p-48 * fmax(before, fabs(by)))
    x = 0.0;
  w->x[e] = isfinite(capacity) && capacity - x <= 0x1p-48 * capacity ? capacity : x;
}

static void push(ofw_flow *w, const cycle *c)
{
  change(w, c->enters, w->state[c->enters] == OFW_EDGE_FULL ? -c->most : c->most);
  for (uint32_t v = c->tail; v != c->top; v = w->parent[v])
    change(w, w->edge[v], w->up[v] ? -c->most : c->most);
  for (uint32_t v = c->head; v != c->top; v = w->parent[v])
    change(w, w->edge[v], w->up[v] ? c->most : -c->most);
}

/* The edge e is at the bound that it has been pushed to. */
static void rest_at(ofw_flow *w, uint32_t e, int full)
{
  w->x[e] = full ? capacity_of(w, e) : 0.0;
  if (e < w->n->edges)
    w->state[e] = full ? OFW_EDGE_FULL : OFW_EDGE_EMPTY;
}

/* The part of the tree below the edge that leaves is hung up by the one that enters. */
static void rehang(ofw_flow *w, const cycle *c)
{
  uint32_t v = c->on_tails_side ? c->tail : c->head, below = v;
  uint32_t parent = c->on_tails_side ? c->head : c->tail, edge = c->enters;
  int up = w->n->from[edge] == v;
  for (;;) {
    uint32_t above = w->parent[v], old = w->edge[v];
    int was_up = w->up[v];
    detach(w, v);
    attach(w, v, parent, edge, up);
    if (v == c->leaves)
      break;
    parent = v;
    edge = old;
    up = !was_up;
    v = above;
  }
  w->state[c->enters] = OFW_EDGE_IN_TREE;
  place_below(w, below);
}

static void pivot(ofw_flow *w, uint32_t enters)
{
  cycle c = find_cycle(w, enters);
  if (c.most > 0.0)
    push(w, &c);
  if (c.leaves == OFW_NO_VERTEX) {
    rest_at(w, enters, w->state[enters] == OFW_EDGE_EMPTY);
    return;
  }
  rest_at(w, w->edge[c.leaves], w->up[c.leaves] != c.on_tails_side);
  rehang(w, &c);
}

/* ---- all of them ---- */

/* 0: it has ended. Far more pivots than trees of any use need. */
static int pivot_all(ofw_flow *w)
{
  size_t most = 64 * (w->n->edges + w->n->vertices) + 1000;
  for (size_t k = 0; k < most; k++) {
    uint32_t enters = find_entering(w);
    if (enters == OFW_NO_VERTEX)
      return 0;
    pivot(w, enters);
  }
  return 1;
}

/* By how much the cost may be above the least: what every wrong edge could still gain. */
static double gap(const ofw_flow *w)
{
  double total = 0.0, sum = 0.0, reduced;
  for (size_t v = 0; v < w->n->vertices; v++)
    total += fabs(w->n->supply[v]);
  for (size_t e = 0; e < w->n->edges; e++)
    sum += wrongness(w, e, &reduced) * fmin(total, w->n->capacity[e]);
  return sum;
}

/* Edges that cost something to change stay; gives whether others are left. */
static int freeze(ofw_flow *w)
{
  double reduced;
  int left = 0;
  for (size_t e = 0; e < w->n->edges; e++) {
    wrongness(w, e, &reduced);
    if (reduced != 0.0)
      w->state[e] += FROZEN;
    else
      left |= w->state[e] != OFW_EDGE_IN_TREE;
  }
  return left;
}

double ofw_flow_pivot(ofw_flow *w)
{
  if (pivot_all(w))
    return gap(w);
  if (w->artificial != 0.0)
    return 0.0; /* any tree without artificial flow will do */
  if (freeze(w)) {
    w->by_number = 1;
    place_below(w, (uint32_t)w->n->vertices);
    pivot_all(w);
  }
  for (size_t e = 0; e < w->n->edges; e++)
    w->state[e] &= FROZEN - 1;
  return 0.0;
}

/* What a vertex's part of the tree has too much goes up, what it has too little comes down. */
static void settle_vertex(ofw_flow *w, uint32_t v)
{
  double x = w->up[v] ? w->surplus[v] : -w->surplus[v];
  w->x[w->edge[v]] = fmax(0.0, fmin(x, capacity_of(w, w->edge[v])));
  w->surplus[w->parent[v]] += w->surplus[v];
}

void ofw_flow_settle(ofw_flow *w)
{
  const ofw_network *n = w->n;
  uint32_t root = (uint32_t)n->vertices, v = root;
  memcpy(w->surplus, n->supply, n->vertices * sizeof *w->surplus);
  w->surplus[root] = 0.0;
  for (size_t e = 0; e < n->edges; e++)
    if (w->state[e] == OFW_EDGE_FULL) {
      w->surplus[n->from[e]] -= n->capacity[e];
      w->surplus[n->to[e]] += n->capacity[e];
    }
  for (;;) {
    while (w->first[v] != OFW_NO_VERTEX)
      v = w->first[v];
    for (; v != root && w->next[v] == OFW_NO_VERTEX; v = w->parent[v])
      settle_vertex(w, v);
    if (v == root)
      return;
    settle_vertex(w, v);
    v = w->next[v];
  }
}
