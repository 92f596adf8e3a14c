/* graph.c — a graph's vertices by their numbers, the edges at each, an order along the edges, and two colours
 *
 * Edges at a vertex are ascending and queues are filled in order, so that what is made of a graph does not depend on how a
 * machine sorts.
 */
#include "domain/graph/graph.h"

#include <string.h>

ofw_status ofw_graph_find(const ofw_graph *g, const char *owner, const char *key, uint64_t label, uint32_t *out,
                          ofw_error *err)
{
  size_t low = 0, high = g->vertices;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (g->label[middle] < label)
      low = middle + 1;
    else
      high = middle;
  }
  *out = (uint32_t)low;
  if (low < g->vertices && g->label[low] == label)
    return OFW_OK;
  return ofw_fail(err, OFW_USAGE, "%s: %s=%llu: no edge of the graph has this vertex", owner, key,
                  (unsigned long long)label);
}

/* start[v + 1] counts the edges of v, then where those of v end; filling moves it back to where they begin. */
ofw_status ofw_incidence_make(ofw_owned *own, const ofw_graph *g, ofw_ends ends, const unsigned char *left_out,
                              ofw_incidence *out, ofw_error *err)
{
  size_t total = 0;
  *out = (ofw_incidence){.start = ofw_owned_array(own, g->vertices + 1, sizeof *out->start)};
  OFW_TRY(ofw_owned_check(own, err));
  memset(out->start, 0, (g->vertices + 1) * sizeof *out->start);
  for (size_t e = 0; e < g->edges; e++) {
    if (left_out && left_out[e])
      continue;
    out->start[g->from[e]] += (ends & OFW_ENDS_FROM) != 0;
    out->start[g->to[e]] += (ends & OFW_ENDS_TO) && !(ends & OFW_ENDS_FROM && g->from[e] == g->to[e]);
  }
  for (size_t v = 0; v <= g->vertices; v++)
    out->start[v] = total += out->start[v];
  out->edge = ofw_owned_array(own, total, sizeof *out->edge);
  OFW_TRY(ofw_owned_check(own, err));
  for (size_t e = g->edges; e-- > 0;) {
    if (left_out && left_out[e])
      continue;
    if (ends & OFW_ENDS_FROM)
      out->edge[--out->start[g->from[e]]] = (uint32_t)e;
    if ((ends & OFW_ENDS_TO) && !(ends & OFW_ENDS_FROM && g->from[e] == g->to[e]))
      out->edge[--out->start[g->to[e]]] = (uint32_t)e;
  }
  return OFW_OK;
}

size_t ofw_graph_sort(const ofw_graph *g, const ofw_incidence *from, uint32_t *order, uint32_t *left)
{
  size_t count = 0;
  memset(left, 0, g->vertices * sizeof *left);
  for (size_t k = 0; k < from->start[g->vertices]; k++)
    left[g->to[from->edge[k]]]++;
  for (size_t v = 0; v < g->vertices; v++)
    if (left[v] == 0)
      order[count++] = (uint32_t)v;
  for (size_t i = 0; i < count; i++)
    for (size_t k = from->start[order[i]]; k < from->start[order[i] + 1]; k++) {
      uint32_t head = g->to[from->edge[k]];
      if (--left[head] == 0)
        order[count++] = head;
    }
  return count;
}

int ofw_graph_is_acyclic(const ofw_graph *g, const unsigned char *left_out)
{
  ofw_owned own = {0};
  ofw_incidence out;
  uint32_t *order = ofw_owned_array(&own, 2 * g->vertices, sizeof *order);
  int found = -1;
  if (ofw_incidence_make(&own, g, OFW_ENDS_FROM, left_out, &out, NULL) == OFW_OK)
    found = ofw_graph_sort(g, &out, order, order + g->vertices) == g->vertices;
  ofw_owned_free(&own);
  return found;
}

enum { NO_COLOUR = 2 };

/* Everything that hangs together with the last vertex of the queue. */
static ofw_status spread(const ofw_graph *g, const ofw_incidence *at, const char *owner, uint32_t *queue, size_t count,
                         unsigned char *colour, ofw_error *err)
{
  for (size_t i = count - 1; i < count; i++) {
    uint32_t v = queue[i];
    for (size_t k = at->start[v]; k < at->start[v + 1]; k++) {
      uint32_t other = ofw_graph_across(g, at->edge[k], v);
      if (colour[other] == colour[v])
        return ofw_fail(err, OFW_USAGE, "%s: the graph is not bipartite: vertex %llu is on an odd cycle", owner,
                        (unsigned long long)g->label[v]);
      if (colour[other] == NO_COLOUR) {
        colour[other] = !colour[v];
        queue[count++] = other;
      }
    }
  }
  return OFW_OK;
}

ofw_status ofw_graph_two_colour(ofw_owned *own, const ofw_graph *g, const char *owner, unsigned char **colour,
                                ofw_error *err)
{
  ofw_incidence at;
  uint32_t *queue = ofw_owned_array(own, g->vertices, sizeof *queue);
  *colour = ofw_owned_array(own, g->vertices, 1);
  OFW_TRY(ofw_incidence_make(own, g, OFW_ENDS_BOTH, NULL, &at, err));
  memset(*colour, NO_COLOUR, g->vertices);
  for (size_t v = 0; v < g->vertices; v++)
    if ((*colour)[v] == NO_COLOUR) {
      (*colour)[v] = 0;
      queue[0] = (uint32_t)v;
      OFW_TRY(spread(g, &at, owner, queue, 1, *colour, err));
    }
  return OFW_OK;
}
