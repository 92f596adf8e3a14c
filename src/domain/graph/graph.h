/* graph.h — a graph as domains read it: edges in the order of the text, vertices in the order of their numbers
 *
 * The text is one of two, told by its first line that is no comment:
 *
 *     an edge list   "FROM TO [CAPACITY]" a line; vertices are whole numbers from 1 on, with gaps or not
 *     DIMACS         "p KIND N M", then M lines "a FROM TO .." or "e FROM TO", with vertices 1 .. N. KIND is sp, asn (a
 *                    number follows, which is not used: d has the costs), max (a capacity follows), min (a lower bound
 *                    of 0, a capacity and a cost follow), edge or col. Lines "n .." are skipped.
 *
 * Empty lines are skipped in both, and so are those that begin with # or with the word c.
 */
#pragma once

#include "domain/set.h"

#define OFW_NO_VERTEX UINT32_MAX /* also: no edge */

typedef struct ofw_graph {
  size_t vertices, edges;
  uint64_t *label;     /* the vertices' numbers in the text, ascending */
  uint32_t *from, *to; /* of an edge, as vertices 0 .. */
  double *capacity;    /* INFINITY: the text has none */
  uint64_t unnamed;    /* vertices that DIMACS counts and no edge names */
} ofw_graph;

/* At least one edge. Start it as {0}; its arrays are own's. */
ofw_status ofw_graph_read(ofw_owned *own, const char *owner, const char *text, uint32_t *content, ofw_graph *out,
                          ofw_error *err);
/* The options of sets that a graph is all of. */
typedef struct ofw_graph_option {
  char *graph;
} ofw_graph_option;
extern const ofw_option ofw_graph_options[];
#define OFW_GRAPH_ROW(at) OFW_TEXT_ROW(at, "graph", "edges, as (FROM TO;FROM TO;..) or @FILE; DIMACS too")

/* For a set with a coordinate for each edge of the graph that `text` is: its shape, room for its centre, and its data,
 * `size` bytes, the first of which are the graph and the others 0. The graph's arrays are own's: those of K, or of the
 * time that building it takes. */
ofw_status ofw_graph_build(ofw_domain *K, ofw_owned *own, const ofw_domain_ops *ops, size_t size, const char *owner,
                           const char *text, ofw_error *err);

/* The vertex that option `key` names. */
ofw_status ofw_graph_find(const ofw_graph *g, const char *owner, const char *key, uint64_t label, uint32_t *out,
                          ofw_error *err);

/* The edges at each vertex, ascending: edge[start[v]] .. edge[start[v + 1] - 1]. */
typedef struct ofw_incidence {
  size_t *start;
  uint32_t *edge;
} ofw_incidence;

/* Edges by their from, their to, or both (a loop counts once); without those that left_out (NULL: none) marks. The room is
 * own's. */
typedef enum ofw_ends { OFW_ENDS_FROM = 1, OFW_ENDS_TO = 2, OFW_ENDS_BOTH = 3 } ofw_ends;
ofw_status ofw_incidence_make(ofw_owned *own, const ofw_graph *g, ofw_ends ends, const unsigned char *left_out,
                              ofw_incidence *out, ofw_error *err);

/* The edge's other end. */
static inline uint32_t ofw_graph_across(const ofw_graph *g, uint32_t edge, uint32_t v)
{
  return g->from[edge] == v ? g->to[edge] : g->from[edge];
}

/* Parts that hang together: part[v] is v, or another vertex of its part. Gives the one that stands for v's. */
static inline uint32_t ofw_graph_part(uint32_t *part, uint32_t v)
{
  while (part[v] != v)
    v = part[v] = part[part[v]];
  return v;
}

/* Vertices so that edges lead from earlier to later ones; `from` has the edges by their from. Gives how many could be
 * put in order: fewer than there are if there is a directed cycle. `left` is room for a number for each vertex. */
size_t ofw_graph_sort(const ofw_graph *g, const ofw_incidence *from, uint32_t *order, uint32_t *left);

/* Whether the edges that left_out (NULL: none) does not mark have no directed cycle; -1: no memory. */
int ofw_graph_is_acyclic(const ofw_graph *g, const unsigned char *left_out);

/* Colours vertices 0 and 1 such that every edge has one of each. The lowest vertex of each part that hangs together is
 * 0. Refuses if there is an odd cycle. The colours, and what it takes to find them, are own's. */
ofw_status ofw_graph_two_colour(ofw_owned *own, const ofw_graph *g, const char *owner, unsigned char **colour,
                                ofw_error *err);

/* blocks.c: edges on a common cycle are in the same block, a bridge and a loop have their own. Blocks are numbered from 0
 * on; *count is how many there are, *parts into how many the graph falls. What it takes to find them is room's. */
ofw_status ofw_graph_blocks(ofw_owned *room, const ofw_graph *g, uint32_t *block, size_t *count, size_t *parts,
                            ofw_error *err);
