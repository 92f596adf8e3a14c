/* read_graph.c — graphs from text: edge lists and DIMACS */
#include "domain/graph/graph.h"

#include "base/sort.h"
#include "base/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What follows the two ends in a DIMACS line of each kind. */
typedef struct kind {
  const char *name, *letter;
  int numbers;  /* how many */
  int capacity; /* which of them is one, from 1; 0: none. The one before it, if any, is a lower bound */
} kind;

static const kind kinds[] = {{"sp", "a", 1, 0},  {"asn", "a", 1, 0},  {"max", "a", 1, 1},
                             {"min", "a", 3, 2}, {"edge", "e", 0, 0}, {"col", "e", 0, 0}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

typedef struct reader {
  const ofw_source *source;
  const kind *dimacs;       /* NULL: an edge list */
  int begun;                /* the first line that counts has been */
  uint64_t vertices, edges; /* that DIMACS announces */
  ofw_numbers end;          /* two vertices for each edge, whole numbers that a double holds */
  ofw_numbers capacity;
} reader;

static ofw_status add_edge(reader *in, const uint64_t end[2], double capacity, ofw_error *err)
{
  if (in->capacity.count == OFW_MOST_EDGES)
    return ofw_source_refuse(in->source, err, "more than %d edges", OFW_MOST_EDGES);
  OFW_TRY(ofw_numbers_add(&in->end, (double)end[0], err));
  OFW_TRY(ofw_numbers_add(&in->end, (double)end[1], err));
  return ofw_numbers_add(&in->capacity, capacity, err);
}

static ofw_status read_vertex(const reader *in, const char *word, uint64_t *out, ofw_error *err)
{
  if (!word)
    return ofw_source_refuse(in->source, err, "expected two vertices, found fewer");
  int read = ofw_read_count(word, out);
  if (read == 0 || (read > 0 && *out == 0))
    return ofw_source_refuse(in->source, err, "'%.60s' is not a vertex; expected a whole number >= 1", word);
  if (read < 0 || *out > OFW_MOST_VERTEX)
    return ofw_source_refuse(in->source, err, "vertex %.60s is above the limit, %lld", word,
                             (long long)OFW_MOST_VERTEX);
  if (in->dimacs && *out > in->vertices)
    return ofw_source_refuse(in->source, err, "vertex %.60s is not in 1 .. %llu", word,
                             (unsigned long long)in->vertices);
  return OFW_OK;
}

static ofw_status check_capacity(const reader *in, double capacity, ofw_error *err)
{
  if (capacity == 0.0 || (capacity >= OFW_LEAST_RADIUS && capacity <= OFW_LARGEST_RADIUS))
    return OFW_OK;
  return ofw_source_refuse(in->source, err, "capacity %g: expected 0 or a number in [%g, %g]", capacity,
                           OFW_LEAST_RADIUS, OFW_LARGEST_RADIUS);
}

/* "FROM TO", and the numbers that may or must follow. */
static ofw_status read_edge(reader *in, const char *first, char *rest, ofw_error *err)
{
  int least = in->dimacs ? in->dimacs->numbers : 0, most = in->dimacs ? least : 1, numbers = 0;
  int which = in->dimacs ? in->dimacs->capacity : 1;
  uint64_t end[2] = {0};
  double x = 0.0, capacity = INFINITY;
  OFW_TRY(read_vertex(in, first, &end[0], err));
  OFW_TRY(read_vertex(in, ofw_source_word(&rest), &end[1], err));
  for (const char *word; (word = ofw_source_word(&rest)) != NULL;) {
    if (++numbers > most)
      return ofw_source_refuse(in->source, err, "expected the end of the line, found '%.60s'", word);
    OFW_TRY(ofw_source_number(in->source, word, &x, err));
    if (numbers == which) {
      OFW_TRY(check_capacity(in, x, err));
      capacity = x;
    } else if (numbers < which && x != 0.0)
      return ofw_source_refuse(in->source, err, "found a lower bound of %g; only 0 is supported", x);
  }
  if (numbers < least)
    return ofw_source_refuse(in->source, err, "expected more numbers after the two vertices");
  return add_edge(in, end, capacity, err);
}

/* "p KIND N M", after the p */
static ofw_status read_head(reader *in, char *rest, ofw_error *err)
{
  const char *name = ofw_source_word(&rest), *n = ofw_source_word(&rest), *m = ofw_source_word(&rest);
  for (size_t k = 0; k < KINDS && name; k++)
    if (strcmp(kinds[k].name, name) == 0)
      in->dimacs = &kinds[k];
  if (!in->dimacs)
    return ofw_source_refuse(
        in->source, err, "'p %.60s' is not a kind of graph; expected sp, asn, max, min, edge or col", name ? name : "");
  if (!n || !m || ofw_source_word(&rest) || ofw_read_count(n, &in->vertices) != 1 ||
      ofw_read_count(m, &in->edges) != 1 || in->vertices > OFW_MOST_VERTEX)
    return ofw_source_refuse(in->source, err, "expected the number of vertices and the number of edges after 'p %s'",
                             name);
  return OFW_OK;
}

/* What is there must be what was announced. */
static ofw_status check_count(const reader *in, ofw_error *err)
{
  ofw_status bad = in->source->path ? OFW_BAD_DATA : OFW_USAGE;
  if (in->dimacs && in->edges != in->capacity.count)
    return ofw_fail(err, bad, "%s: the graph announces %llu edges, but has %zu", in->source->owner,
                    (unsigned long long)in->edges, in->capacity.count);
  return in->capacity.count ? OFW_OK : ofw_fail(err, bad, "%s: the graph has no edges", in->source->owner);
}

static ofw_status read_line(void *ctx, const ofw_source *s, char *line, ofw_error *err)
{
  reader *in = ctx;
  in->source = s;
  if (!line)
    return check_count(in, err);
  char *rest = line;
  const char *word = ofw_source_word(&rest);
  if (!word || word[0] == '#' || strcmp(word, "c") == 0)
    return OFW_OK;
  int first = !in->begun;
  in->begun = 1;
  if (first && strcmp(word, "p") == 0)
    return read_head(in, rest, err);
  if (!in->dimacs)
    return read_edge(in, word, rest, err);
  if (strcmp(word, "n") == 0)
    return OFW_OK;
  if (strcmp(word, in->dimacs->letter) == 0) {
    word = ofw_source_word(&rest);
    return read_edge(in, word, rest, err);
  }
  return ofw_source_refuse(in->source, err, "'%.60s' cannot begin a line of a graph 'p %s'", word, in->dimacs->name);
}

/* Numbers of vertices become 0 .. in their order. */
static ofw_status rank(const reader *in, ofw_owned *own, ofw_graph *g, ofw_error *err)
{
  size_t n = in->end.count;
  uint32_t *place = ofw_array(n, sizeof *place);
  g->label = ofw_owned_array(own, n, sizeof *g->label); /* longer than it need be, in the end */
  g->from = ofw_owned_array(own, g->edges, sizeof *g->from);
  g->to = ofw_owned_array(own, g->edges, sizeof *g->to);
  ofw_status st = place ? ofw_owned_check(own, err) : ofw_fail_memory(err, n * sizeof *place);
  for (size_t k = 0; k < n && st == OFW_OK; k++) {
    g->label[k] = (uint64_t)in->end.x[k];
    place[k] = (uint32_t)k;
  }
  if (st == OFW_OK)
    st = ofw_sort(n, g->label, place, err);
  uint64_t last = 0;
  for (size_t k = 0; k < n && st == OFW_OK; k++) {
    uint64_t here = g->label[k];
    if (here != last)
      g->label[g->vertices++] = last = here;
    (place[k] % 2 ? g->to : g->from)[place[k] / 2] = (uint32_t)g->vertices - 1;
  }
  free(place);
  g->unnamed = in->dimacs ? in->vertices - g->vertices : 0;
  return st;
}

ofw_status ofw_graph_read(ofw_owned *own, const char *owner, const char *text, uint32_t *content, ofw_graph *out,
                          ofw_error *err)
{
  reader in = {0};
  ofw_status st = ofw_source_read(owner, text, content, read_line, &in, err);
  out->edges = in.capacity.count;
  if (in.capacity.x)
    out->capacity = ofw_owned_take(own, in.capacity.x, out->edges * sizeof *out->capacity);
  if (st == OFW_OK)
    st = rank(&in, own, out, err);
  ofw_numbers_free(&in.end);
  return st;
}

ofw_status ofw_graph_build(ofw_domain *K, ofw_owned *own, const ofw_domain_ops *ops, size_t size, const char *owner,
                           const char *text, ofw_error *err)
{
  ofw_graph *g = K->data = calloc(1, size);
  if (!g)
    return ofw_fail_memory(err, size);
  K->ops = ops;
  OFW_TRY(ofw_graph_read(own, owner, text, &K->content, g, err));
  K->dim = K->rows = g->edges;
  K->cols = 1;
  return ofw_domain_set_even_centre(K, 0.0, err);
}

const ofw_option ofw_graph_options[] = {OFW_GRAPH_ROW(offsetof(ofw_graph_option, graph)), {0}};
