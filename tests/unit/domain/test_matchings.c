#include "unit/domain/graph_check.h"

static void is_matchings(size_t vertices, size_t n, const int edge[][2])
{
  char spec[TEXT];
  rows_of s = rows_of_graph(vertices, n, edge, 1.0);
  for (size_t v = 0; v < vertices; v++) {
    s.low[v] = -INFINITY;
    s.high[v] = 1.0;
  }
  spec_of_graph(spec, "matchings", n, edge, NULL, "");
  is_the_set(spec, &s, 1, 1);
  ofw_domain *K = domain_of(spec);
  assert_int_equal(K->from_centre, 0);
  assert_int_equal(K->normals, 0);
  ofw_domain_free(K);
}

static void the_cheapest_matching(void **state)
{
  (void)state;
  is_matchings(2, 1, (const int[][2]){{1, 2}});
  is_matchings(2, 3, (const int[][2]){{1, 2}, {2, 1}, {1, 2}}); /* parallel */
  is_matchings(4, 3, (const int[][2]){{1, 2}, {1, 3}, {1, 4}});
  is_matchings(6, 6, (const int[][2]){{1, 4}, {4, 2}, {2, 5}, {5, 3}, {3, 6}, {6, 1}});
  is_matchings(8, 8, (const int[][2]){{1, 5}, {1, 6}, {2, 5}, {2, 7}, {3, 6}, {3, 7}, {3, 8}, {4, 8}});
  is_matchings(7, 9, (const int[][2]){{1, 2}, {3, 2}, {3, 4}, {5, 6}, {1, 4}, {6, 7}, {3, 6}, {1, 6}, {5, 2}});
}

/* Every graph with two sides of three, on one direction each that has ties, and on random ones. */
static void many_small_graphs(void **state)
{
  (void)state;
  for (unsigned which = 1; which < 512; which += 5) {
    int edge[9][2];
    size_t n = 0;
    for (int k = 0; k < 9; k++)
      if (which >> k & 1) {
        edge[n][0] = 1 + k / 3;
        edge[n++][1] = 4 + k % 3;
      }
    char spec[TEXT];
    rows_of s = rows_of_graph(6, n, (const int(*)[2])edge, 1.0);
    for (size_t v = 0; v < 6; v++)
      s.high[v] = 1.0;
    spec_of_graph(spec, "matchings", n, (const int(*)[2])edge, NULL, "");
    ofw_domain *K = domain_of(spec);
    points p = whole_points(&s);
    is_least(K, 200, least_point, &p);
    has_outer_radius(K, &p, 1);
    free(p.x);
    ofw_domain_free(K);
  }
}

/* Only edges that cost less than nothing are used; of matchings that cost the same, the sum of i^2 x_i is least. */
static void ties(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("matchings:graph=(1 3;1 4;2 3;2 4)");
  double v[4];
  ask(K, (double[4]){0}, v);
  assert_true(slow_norm(4, v) == 0.0L);
  ask(K, (double[4]){1, 0, 2, 0}, v);
  assert_true(slow_norm(4, v) == 0.0L);
  ask(K, (double[4]){-1, -1, -1, -1}, v); /* 4 + 9 < 1 + 16 */
  assert_true(v[0] == 0.0 && v[1] == 1.0 && v[2] == 1.0 && v[3] == 0.0);
  ask(K, (double[4]){-0x1p-1074, 0, 0, 0}, v);
  assert_true(v[0] == 1.0 && v[1] == 0.0 && v[2] == 0.0 && v[3] == 0.0);
  ask(K, (double[4]){-0x1.fffffffffffffp1023, -1e308, -1e308, 0}, v);
  assert_true(v[1] == 1.0 && v[2] == 1.0);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("matchings", "", ": graph is required (edges, as (FROM TO;FROM TO;..) or @FILE; DIMACS too)");
  misused("matchings", ":graph=(1 2;2 3;3 1)", ": the graph is not bipartite: vertex 2 is on an odd cycle");
  misused("matchings", ":graph=(1 2;7 7)", ": the graph is not bipartite: vertex 7 is on an odd cycle");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cheapest_matching),
      cmocka_unit_test(many_small_graphs),
      cmocka_unit_test(ties),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
