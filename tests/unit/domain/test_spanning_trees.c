#include "unit/domain/graph_check.h"

#include "domain/graph/tree_cut.h"

#include <unistd.h>

/* A row for each set of vertices: the edges within it sum to at most one less than they are. A last one says that all
 * sum to no less, as a distance. */
static rows_of rows_of_trees(size_t vertices, size_t n, const int edge[][2])
{
  rows_of s = {.rows = (size_t)1 << vertices, .n = n, .loose = 1};
  assert_true(s.rows <= MOST_ROWS);
  for (size_t set = 1; set < s.rows; set++) {
    size_t size = 0, row = set - 1;
    for (size_t v = 0; v < vertices; v++)
      size += set >> v & 1;
    for (size_t e = 0; e < n; e++)
      s.a[row * n + e] = (double)(set >> (edge[e][0] - 1) & set >> (edge[e][1] - 1) & 1);
    s.low[row] = -INFINITY;
    s.high[row] = (double)size - 1.0;
  }
  for (size_t e = 0; e < n; e++) {
    s.a[(s.rows - 1) * n + e] = 1.0 / sqrt((double)n);
    s.most[e] = 1.0;
  }
  s.low[s.rows - 1] = (double)(vertices - 1) / sqrt((double)n);
  s.high[s.rows - 1] = INFINITY;
  return s;
}

static void is_trees(size_t vertices, size_t n, const int edge[][2], int largest_r)
{
  char spec[TEXT];
  rows_of s = rows_of_trees(vertices, n, edge);
  spec_of_graph(spec, "spanning-trees", n, edge, NULL, "");
  is_the_set(spec, &s, 1, largest_r);
  /* the centre is the mean of all trees */
  ofw_domain *K = domain_of(spec);
  points p = whole_points(&s);
  double centre[MOST_DIM];
  ofw_domain_centre(K, centre);
  for (size_t e = 0; e < n; e++) {
    double sum = 0.0;
    for (size_t k = 0; k < p.count; k++)
      sum += p.x[k * n + e];
    assert_near(centre[e], sum / (double)p.count, 1e-14);
  }
  assert_int_equal(K->from_centre, 1);
  free(p.x);
  ofw_domain_free(K);
}

static void the_cheapest_tree(void **state)
{
  (void)state;
  is_trees(3, 3, (const int[][2]){{1, 2}, {2, 3}, {3, 1}}, 0);
  is_trees(4, 6, (const int[][2]){{1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}, 1);
  is_trees(5, 8, (const int[][2]){{1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 1}, {1, 3}, {2, 4}, {3, 5}}, 0);
  is_trees(5, 10, (const int[][2]){{1, 2}, {1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}}, 0);
}

/* Bridges, loops, parallel edges, and several blocks. */
static void fixed_edges_and_blocks(void **state)
{
  (void)state;
  is_trees(2, 1, (const int[][2]){{1, 2}}, 0);
  is_trees(4, 3, (const int[][2]){{1, 2}, {2, 3}, {2, 4}}, 0);
  is_trees(2, 4, (const int[][2]){{1, 2}, {2, 2}, {2, 1}, {1, 2}}, 1);
  is_trees(5, 7, (const int[][2]){{1, 2}, {2, 3}, {3, 1}, {3, 4}, {4, 4}, {4, 5}, {5, 4}}, 0);
  is_trees(5, 6, (const int[][2]){{1, 2}, {2, 3}, {3, 1}, {3, 4}, {4, 5}, {5, 3}}, 0);
  is_trees(5, 9, (const int[][2]){{1, 2}, {1, 2}, {2, 3}, {3, 4}, {4, 2}, {2, 4}, {1, 5}, {5, 2}, {5, 5}}, 0);
}

/* Ties go to the lowest edge. */
static void ties(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("spanning-trees:graph=(1 2;2 3;3 1;3 4;4 1)");
  double v[5];
  ask(K, (double[5]){0}, v);
  assert_true(v[0] == 1.0 && v[1] == 1.0 && v[2] == 0.0 && v[3] == 1.0 && v[4] == 0.0);
  ask(K, (double[5]){-0.0, 0.0, -0.0, -1e-310, 1e300}, v);
  assert_true(v[0] == 1.0 && v[1] == 1.0 && v[3] == 1.0);
  ask(K, (double[5]){0x1p-1074, 0.0, 0.0, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023}, v);
  assert_true(v[1] == 1.0 && v[2] == 1.0 && v[4] == 1.0);
  ofw_domain_free(K);
}

/* By trying all sets. */
static double most_above(size_t vertices, const ofw_graph *g, const double *x)
{
  double most = 0.0;
  for (size_t set = 1; set < (size_t)1 << vertices; set++) {
    double sum = 1.0;
    for (size_t v = 0; v < vertices; v++)
      sum -= (double)(set >> v & 1);
    for (size_t e = 0; e < g->edges; e++)
      sum += set >> g->from[e] & set >> g->to[e] & 1 ? fmax(0.0, x[e]) : 0.0;
    most = fmax(most, sum);
  }
  return most;
}

/* max x(S) - |S| + 1, for any x; and its least over sets with an edge and without a vertex, where none is above. */
static void cuts(void **state)
{
  (void)state;
  enum { VERTICES = 9, EDGES = 20 };
  chance c = {4};
  for (int trial = 0; trial < 300; trial++) {
    uint32_t from[EDGES], to[EDGES];
    ofw_graph g = {.vertices = VERTICES, .edges = EDGES, .from = from, .to = to};
    double x[EDGES], size = trial % 3 == 0 ? 0.3 : trial % 3 == 1 ? 1.0 : 0.8;
    for (size_t e = 0; e < EDGES; e++) {
      from[e] = (uint32_t)chance_below(&c, VERTICES);
      to[e] = (uint32_t)chance_below(&c, VERTICES);
      x[e] = size * (trial % 2 ? chance_unit(&c) : (double)chance_below(&c, 5) / 4.0);
    }
    ofw_owned own = {0};
    ofw_tree_cut cut;
    assert_int_equal(ofw_tree_cut_open(&own, &g, NULL, &cut, NULL), OFW_OK);
    ofw_tree_cut_set(&cut, x);
    assert_near(ofw_tree_cut_excess(&cut), most_above(VERTICES, &g, x), 1e-13);
    ofw_owned_free(&own);
  }
}

static void slacks(void **state)
{
  (void)state;
  static const uint32_t from[] = {0, 1, 2, 3, 4, 0, 1, 2}, to[] = {1, 2, 3, 4, 0, 2, 3, 4};
  uint32_t f[8], t[8];
  memcpy(f, from, sizeof f);
  memcpy(t, to, sizeof t);
  ofw_graph g = {.vertices = 5, .edges = 8, .from = f, .to = t};
  chance c = {9};
  ofw_owned own = {0};
  ofw_tree_cut cut;
  assert_int_equal(ofw_tree_cut_open(&own, &g, NULL, &cut, NULL), OFW_OK);
  for (int trial = 0; trial < 200; trial++) {
    double x[8], sum = 0.0;
    for (size_t e = 0; e < 8; e++)
      sum += x[e] = chance_unit(&c);
    for (size_t e = 0; e < 8; e++)
      x[e] *= 3.0 / sum;
    if (most_above(5, &g, x) > 0.0)
      continue; /* only where every vertex can be relieved */
    ofw_tree_cut_set(&cut, x);
    for (uint32_t e = 0; e < 8; e++)
      for (uint32_t without = 0; without < 5; without++) {
        if (without == f[e] || without == t[e])
          continue;
        double least = INFINITY;
        for (size_t set = 1; set < 32; set++) {
          double slack = -1.0;
          if (!(set >> f[e] & set >> t[e] & 1) || (set >> without & 1))
            continue;
          for (size_t v = 0; v < 5; v++)
            slack += (double)(set >> v & 1);
          for (size_t k = 0; k < 8; k++)
            slack -= set >> f[k] & set >> t[k] & 1 ? x[k] : 0.0;
          least = fmin(least, slack);
        }
        assert_near(ofw_tree_cut_slack(&cut, e, without), least, 1e-13);
      }
  }
  ofw_owned_free(&own);
}

/* Grids: one with a centre but too many edges for r, one that is larger than what is inverted. */
static void large_graphs(void **state)
{
  (void)state;
  static const int sides[] = {30, 50};
  for (size_t k = 0; k < 2; k++) {
    int side = sides[k];
    char path[] = "/tmp/ofw-trees-XXXXXX", spec[TEXT];
    FILE *out = fdopen(mkstemp(path), "w");
    assert_non_null(out);
    for (int i = 1; i <= side * side; i++) {
      if (i % side)
        fprintf(out, "%d %d\n", i, i + 1);
      if (i <= side * (side - 1))
        fprintf(out, "%d %d\n", i, i + side);
    }
    fclose(out);
    say(spec, "spanning-trees:graph=@%s", path);
    ofw_domain *K = domain_of(spec);
    size_t n = ofw_domain_dim(K);
    double *x = room_for(n), *d = room_for(n);
    assert_int_equal(n, 2 * side * (side - 1));
    assert_true(K->r == 0.0 && K->normals == 0);
    ofw_domain_centre(K, x);
    assert_at_most(ofw_domain_excess(K, x), 1e-13 * K->R);
    x[3] += 0.75;
    x[4] -= 0.75;
    assert_true(ofw_domain_excess(K, x) > 0.1);
    chance c = {8};
    chance_normals(&c, n, d);
    ask(K, d, x);
    free(x);
    free(d);
    ofw_domain_free(K);
    unlink(path);
  }
}

static void bad_specs(void **state)
{
  (void)state;
  const char *name = "spanning-trees";
  misused(name, "", ": graph is required (edges, as (FROM TO;FROM TO;..) or @FILE; DIMACS too)");
  misused(name, ":graph=(1 2;3 4;5 6)", ": the graph is not connected: it has 3 parts");
  misused(name, ":graph=(p edge 3 1;e 1 2)", ": the graph is not connected: a vertex has no edges");
  misused(name, ":graph=(1 1;1 1)", ": the graph has only one vertex");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cheapest_tree),
      cmocka_unit_test(fixed_edges_and_blocks),
      cmocka_unit_test(ties),
      cmocka_unit_test(cuts),
      cmocka_unit_test(slacks),
      cmocka_unit_test(large_graphs),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
