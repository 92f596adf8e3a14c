#include "unit/domain/graph_check.h"

#include <unistd.h>

static void is_perfect(size_t vertices, size_t n, const int edge[][2])
{
  char spec[TEXT];
  rows_of s = rows_of_graph(vertices, n, edge, 1.0);
  for (size_t v = 0; v < vertices; v++)
    s.low[v] = s.high[v] = 1.0;
  spec_of_graph(spec, "perfect-matchings", n, edge, NULL, "");
  is_the_set(spec, &s, 1, 1);
}

static void the_cheapest_perfect_matching(void **state)
{
  (void)state;
  is_perfect(2, 2, (const int[][2]){{1, 2}, {2, 1}}); /* parallel */
  is_perfect(4, 4, (const int[][2]){{1, 3}, {1, 4}, {3, 2}, {2, 4}});
  is_perfect(6, 9, (const int[][2]){{1, 4}, {1, 5}, {1, 6}, {2, 4}, {2, 5}, {2, 6}, {3, 4}, {3, 5}, {3, 6}});
  is_perfect(8, 11,
             (const int[][2]){{3, 7}, {4, 7}, {1, 8}, {3, 8}, {3, 6}, {2, 6}, {1, 5}, {2, 7}, {1, 6}, {4, 8}, {2, 5}});
  is_perfect(8, 8, (const int[][2]){{1, 2}, {2, 3}, {3, 4}, {4, 1}, {5, 6}, {6, 7}, {7, 8}, {8, 5}}); /* two parts */
}

/* Edges in no perfect matching, in all of them, and a graph with only one. */
static void fixed_edges(void **state)
{
  (void)state;
  is_perfect(6, 7, (const int[][2]){{1, 4}, {1, 5}, {2, 4}, {2, 5}, {3, 4}, {3, 5}, {3, 6}});
  is_perfect(4, 3, (const int[][2]){{1, 3}, {1, 4}, {2, 4}});
  is_perfect(2, 1, (const int[][2]){{1, 2}});
  is_perfect(8, 10, (const int[][2]){{1, 5}, {1, 6}, {2, 5}, {2, 6}, {2, 7}, {3, 7}, {3, 8}, {4, 7}, {4, 8}, {1, 8}});
}

static void ties(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("perfect-matchings:graph=(1 3;1 4;2 3;2 4)");
  double v[4];
  ask(K, (double[4]){0}, v); /* 4 + 9 < 1 + 16 */
  assert_true(v[0] == 0.0 && v[1] == 1.0 && v[2] == 1.0 && v[3] == 0.0);
  ask(K, (double[4]){0, 0x1p-1074, 0, 0}, v);
  assert_true(v[0] == 1.0 && v[3] == 1.0);
  ask(K, (double[4]){1e308, 1e308, 1e308, 1.5e308}, v);
  assert_true(v[1] == 1.0 && v[2] == 1.0);
  ofw_domain_free(K);
}

/* A ring of 4000 vertices: too large for normals. */
static void a_large_graph(void **state)
{
  (void)state;
  enum { SIZE = 4000 };
  char path[] = "/tmp/ofw-perfect-XXXXXX", spec[TEXT];
  FILE *out = fdopen(mkstemp(path), "w");
  assert_non_null(out);
  for (int i = 1; i <= SIZE; i++)
    fprintf(out, "%d %d\n", i, i % SIZE + 1);
  fclose(out);
  say(spec, "perfect-matchings:graph=@%s", path);
  ofw_domain *K = domain_of(spec);
  double *x = room_for(SIZE), *d = room_for(SIZE);
  assert_true(K->r == 0.0 && K->normals == 0);
  for (size_t e = 0; e < SIZE; e++)
    d[e] = e % 2 ? 1.0 : 1.0 + 1e-9;
  ask(K, d, x);
  for (size_t e = 0; e < SIZE; e++)
    assert_true(x[e] == (double)(e % 2));
  free(x);
  free(d);
  ofw_domain_free(K);
  unlink(path);
}

static void bad_specs(void **state)
{
  (void)state;
  const char *name = "perfect-matchings";
  misused(name, "", ": graph is required (edges, as (FROM TO;FROM TO;..) or @FILE; DIMACS too)");
  misused(name, ":graph=(1 2;2 3;3 1)", ": the graph is not bipartite: vertex 2 is on an odd cycle");
  misused(name, ":graph=(1 2;1 3)", ": the graph has no perfect matching: its two sides differ in size");
  misused(name, ":graph=(1 4;1 5;1 6;2 4;3 4)",
          ": the graph has no perfect matching: at most 4 of the 6 vertices can be matched");
  misused(name, ":graph=(p edge 3 1;e 1 2)", ": the graph has no perfect matching: a vertex has no edges");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cheapest_perfect_matching),
      cmocka_unit_test(fixed_edges),
      cmocka_unit_test(ties),
      cmocka_unit_test(a_large_graph),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
