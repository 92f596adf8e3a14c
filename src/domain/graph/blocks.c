/* blocks.c — by one walk in depth: a block ends at an edge below which nothing leads back above it (J. Hopcroft, R.
 * Tarjan, 1973). The walk keeps its own stack: a graph may be one long path. */
#include "domain/graph/graph.h"

#include <string.h>

typedef struct walk {
  const ofw_graph *g;
  ofw_incidence at;
  size_t *next;    /* which of a vertex's edges is next */
  uint32_t *depth; /* when a vertex was found; OFW_NO_VERTEX: not yet */
  uint32_t *low;   /* the earliest one that it and those below it are next to */
  uint32_t *above; /* the edge that it was found by */
  uint32_t *edges; /* not yet in a block */
  uint32_t *block;
  size_t held, count;
  uint32_t found;
} walk;

static void enter(walk *w, uint32_t v, uint32_t edge)
{
  w->depth[v] = w->low[v] = w->found++;
  w->above[v] = edge;
  w->next[v] = w->at.start[v];
}

/* The edges from `last` on are a block. */
static void end_block(walk *w, uint32_t last)
{
  uint32_t e;
  do {
    e = w->edges[--w->held];
    w->block[e] = (uint32_t)w->count;
  } while (e != last);
  w->count++;
}

/* One edge of v; gives the vertex to go on with. */
static uint32_t look(walk *w, uint32_t v)
{
  uint32_t e = w->at.edge[w->next[v]++], to = ofw_graph_across(w->g, e, v);
  if (to == v) {
    w->block[e] = (uint32_t)w->count++;
    return v;
  }
  if (e == w->above[v] || (w->depth[to] != OFW_NO_VERTEX && w->depth[to] > w->depth[v]))
    return v; /* it has been looked at from below */
  w->edges[w->held++] = e;
  if (w->depth[to] != OFW_NO_VERTEX) {
    w->low[v] = w->depth[to] < w->low[v] ? w->depth[to] : w->low[v];
    return v;
  }
  enter(w, to, e);
  return to;
}

/* Back from v to the vertex above it. */
static uint32_t leave(walk *w, uint32_t v)
{
  uint32_t e = w->above[v], up = ofw_graph_across(w->g, e, v);
  if (w->low[v] >= w->depth[up])
    end_block(w, e);
  else if (w->low[v] < w->low[up])
    w->low[up] = w->low[v];
  return up;
}

static void walk_from(walk *w, uint32_t start)
{
  enter(w, start, OFW_NO_VERTEX);
  for (uint32_t v = start;;)
    if (w->next[v] < w->at.start[v + 1])
      v = look(w, v);
    else if (w->above[v] == OFW_NO_VERTEX)
      return;
    else
      v = leave(w, v);
}

ofw_status ofw_graph_blocks(ofw_owned *room, const ofw_graph *g, uint32_t *block, size_t *count, size_t *parts,
                            ofw_error *err)
{
  size_t n = g->vertices, word = sizeof *block;
  walk w = {.g = g, .block = block};
  w.next = ofw_owned_array(room, n, sizeof *w.next);
  w.depth = ofw_owned_array(room, n, word);
  w.low = ofw_owned_array(room, n, word);
  w.above = ofw_owned_array(room, n, word);
  w.edges = ofw_owned_array(room, g->edges, word);
  OFW_TRY(ofw_incidence_make(room, g, OFW_ENDS_BOTH, NULL, &w.at, err));
  *parts = 0;
  memset(w.depth, 0xff, n * word); /* OFW_NO_VERTEX */
  for (uint32_t v = 0; v < n; v++)
    if (w.depth[v] == OFW_NO_VERTEX) {
      walk_from(&w, v);
      (*parts)++;
    }
  *count = w.count;
  return OFW_OK;
}
