#include "unit/domain/graph_check.h"

#include <unistd.h>

/* Net flow `value` from vertex s to vertex t. */
static void is_flows(size_t vertices, size_t n, const int edge[][2], const double *capacity, int s, int t, double value)
{
  char spec[TEXT], rest[TEXT];
  rows_of set = rows_of_graph(vertices, n, edge, -1.0);
  for (size_t v = 0; v < vertices; v++)
    set.low[v] = set.high[v] = value * ((v + 1 == (size_t)s) - (v + 1 == (size_t)t));
  set.bounded = 1;
  for (size_t e = 0; e < n; e++)
    set.most[e] = capacity ? capacity[e] : value;
  say(rest, ",from=%d,to=%d,value=%g", s, t, value);
  spec_of_graph(spec, "flows", n, edge, capacity, rest);
  is_the_set(spec, &set, 0, 1);
}

static void the_cheapest_flow(void **state)
{
  (void)state;
  is_flows(4, 5, (const int[][2]){{1, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}}, NULL, 1, 4, 1.0);
  is_flows(4, 5, (const int[][2]){{1, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}}, (const double[]){2, 2, 1, 1, 3}, 1, 4, 3.0);
  is_flows(3, 4, (const int[][2]){{1, 2}, {1, 2}, {2, 3}, {1, 3}}, (const double[]){1, 2, 2, 1}, 1, 3,
           2.0); /* parallel */
}

/* Circulations may go around beside the flow, also through s and t, around a loop, and where neither is. */
static void with_cycles(void **state)
{
  (void)state;
  is_flows(4, 7, (const int[][2]){{1, 2}, {2, 3}, {3, 1}, {3, 4}, {4, 2}, {2, 4}, {4, 1}}, NULL, 1, 4, 1.0);
  is_flows(5, 7, (const int[][2]){{1, 2}, {2, 2}, {2, 3}, {3, 2}, {4, 5}, {5, 4}, {1, 3}},
           (const double[]){2, 2, 1, 2, 1, 1, 1}, 1, 3, 2.0);
}

/* Edges that can have no flow, or one flow only. */
static void fixed_edges(void **state)
{
  (void)state;
  is_flows(6, 7, (const int[][2]){{1, 2}, {2, 3}, {2, 3}, {3, 4}, {3, 5}, {6, 2}, {4, 4}},
           (const double[]){2, 1, 2, 2, 2, 1, 0}, 1, 4, 2.0);
  is_flows(3, 2, (const int[][2]){{1, 2}, {2, 3}}, NULL, 1, 3, 2.0); /* a single flow */
  is_flows(3, 3, (const int[][2]){{1, 2}, {2, 3}, {1, 3}}, (const double[]){1, 1, 1}, 1, 3, 2.0);
}

/* Flows of fractions, against CLP alone; v keeps to the bounds and to conservation. */
static void fractions(void **state)
{
  (void)state;
  enum { VERTICES = 8, EDGES = 20 };
  chance c = {3};
  for (int trial = 0; trial < 60; trial++) {
    int edge[EDGES][2];
    double capacity[EDGES], value = 0.1 + chance_unit(&c);
    char spec[TEXT], rest[TEXT];
    for (size_t e = 0; e < EDGES; e++) {
      edge[e][0] = e < VERTICES - 1 ? (int)e + 1 : 1 + (int)chance_below(&c, VERTICES); /* 1 - 2 - 3 .. is there */
      edge[e][1] = e < VERTICES - 1 ? (int)e + 2 : 1 + (int)chance_below(&c, VERTICES);
      capacity[e] = (double)(1 + chance_below(&c, 1000)) / 1000.0 + (e < VERTICES - 1 ? 2.0 : 0.0);
    }
    rows_of set = rows_of_graph(VERTICES, EDGES, (const int(*)[2])edge, -1.0);
    set.low[0] = set.high[0] = value;
    set.low[VERTICES - 1] = set.high[VERTICES - 1] = -value;
    memcpy(set.most, capacity, sizeof capacity);
    say(rest, ",from=1,to=%d,value=%.17g", VERTICES, value);
    spec_of_graph(spec, "flows", EDGES, (const int(*)[2])edge, capacity, rest);
    ofw_domain *K = domain_of(spec);
    agrees_with_clp(K, &set);
    has_inner_ball(K, &set, 1);
    ofw_domain_free(K);
  }
}

/* Of several flows that cost the same, the sum of i^2 x_i is least. */
static void ties(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("flows:graph=(1 2;1 2;2 3;2 3;1 3),from=1,to=3,value=2");
  double v[5];
  ask(K, (double[5]){1, 1, 1, 1, 2}, v);
  assert_true(v[0] == 2.0 && v[1] == 0.0 && v[2] == 2.0 && v[3] == 0.0 && v[4] == 0.0);
  ask(K, (double[5]){1, 1, 1, 1, 1}, v);
  assert_true(v[4] == 2.0);
  ask(K, (double[5]){0}, v);
  assert_true(v[0] == 2.0 && v[2] == 2.0);
  ofw_domain_free(K);
}

static void the_ends_of_the_range(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("flows:graph=(1 2;2 3;1 3),from=1,to=3,value=1e100");
  double v[3];
  ask(K, (double[]){0x1p-1074, 0.0, 0x1p-1073}, v);
  assert_true(v[0] == 1e100 && v[1] == 1e100 && v[2] == 0.0);
  ask(K, (double[]){0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023}, v);
  assert_true(v[0] == 0.0 && v[1] == 0.0 && v[2] == 1e100);
  ofw_domain_free(K);
  K = domain_of("flows:graph=(1 2 3e-100;1 2;2 3;1 3 2e-100),from=1,to=3,value=4e-100");
  assert_true(K->r > 1e-101);
  ofw_domain_free(K);
}

/* Too large for normals: a centre in the set, and no r. */
static void a_large_graph(void **state)
{
  (void)state;
  enum { SIDE = 40, EDGES = 2 * SIDE * (SIDE - 1) };
  char path[] = "/tmp/ofw-flows-XXXXXX", spec[TEXT];
  int file = mkstemp(path);
  FILE *out = fdopen(file, "w");
  assert_non_null(out);
  fprintf(out, "# a grid\n");
  for (int i = 1; i <= SIDE * SIDE; i++) {
    if (i % SIDE)
      fprintf(out, "%d %d 1\n", i, i + 1);
    if (i <= SIDE * (SIDE - 1))
      fprintf(out, "%d %d 1\n", i, i + SIDE);
  }
  fclose(out);
  say(spec, "flows:graph=@%s,from=1,to=%d,value=2", path, SIDE * SIDE);
  ofw_domain *K = domain_of(spec);
  double *x = room_for(EDGES), *d = room_for(EDGES);
  assert_int_equal(ofw_domain_dim(K), EDGES);
  assert_true(K->r == 0.0 && K->normals == 0);
  ofw_domain_centre(K, x);
  assert_at_most(ofw_domain_excess(K, x), 1e-13);
  chance c = {8};
  chance_normals(&c, EDGES, d);
  ask(K, d, x);
  free(x);
  free(d);
  ofw_domain_free(K);
  unlink(path);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("flows", "",
          ": graph is required (edges, as (FROM TO [CAPACITY];FROM TO [CAPACITY];..) or @FILE; DIMACS too)");
  misused("flows", ":graph=(1 2),from=1", ": to is required (the vertex t)");
  misused("flows", ":graph=(1 2),from=1,to=1", ": from and to are the same vertex; choose two");
  misused("flows", ":graph=(1 2),from=1,to=3", ": to=3: no edge of the graph has this vertex");
  misused("flows", ":graph=(1 2),from=0,to=2", ": from=0 is not in [1, 1e+12]");
  misused("flows", ":graph=(1 2),from=2,to=1", ": at most 0 can flow from 2 to 1, less than value=1");
  misused("flows", ":graph=(1 2 3;2 3 2;1 3 0.5),from=1,to=3,value=4",
          ": at most 2.5 can flow from 1 to 3, less than value=4");
  misused("flows", ":graph=(1 2),from=1,to=2,value=0", ": value=0 is not in [1e-100, 1e+100]");
  misused("flows", ":graph=(1 2 -1),from=1,to=2", ": line 1: capacity -1: expected 0 or a number in [1e-100, 1e+100]");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cheapest_flow), cmocka_unit_test(with_cycles), cmocka_unit_test(fixed_edges),
      cmocka_unit_test(fractions),         cmocka_unit_test(ties),        cmocka_unit_test(the_ends_of_the_range),
      cmocka_unit_test(a_large_graph),     cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
