#include "unit/domain/graph_check.h"

#include <time.h>
#include <unistd.h>

/* One unit of flow from s to t; `unused` are edges that no path has. */
static void is_paths(size_t vertices, size_t n, const int edge[][2], int s, int t, const int *unused)
{
  char spec[TEXT], rest[TEXT];
  rows_of set = rows_of_graph(vertices, n, edge, -1.0);
  for (size_t v = 0; v < vertices; v++)
    set.low[v] = set.high[v] = (double)(v + 1 == (size_t)s) - (double)(v + 1 == (size_t)t);
  for (; unused && *unused; unused++) {
    for (size_t v = 0; v < vertices; v++)
      set.a[v * n + (size_t)*unused - 1] = 0.0;
    set.a[set.rows * n + (size_t)*unused - 1] = 1.0; /* a row of its own: it is 0 */
    set.most[*unused - 1] = 0.0;
    set.rows++;
  }
  say(rest, ",from=%d,to=%d", s, t);
  spec_of_graph(spec, "paths", n, edge, NULL, rest);
  is_the_set(spec, &set, 1, 1);
}

static void the_cheapest_path(void **state)
{
  (void)state;
  is_paths(2, 3, (const int[][2]){{1, 2}, {1, 2}, {1, 2}}, 1, 2, NULL); /* parallel: a simplex */
  is_paths(4, 6, (const int[][2]){{1, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}, {1, 4}}, 1, 4, NULL);
  is_paths(6, 9, (const int[][2]){{3, 6}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {2, 5}, {4, 5}, {5, 6}, {4, 6}}, 1, 6, NULL);
  is_paths(4, 3, (const int[][2]){{1, 2}, {2, 3}, {3, 4}}, 1, 4, NULL); /* a single one */
  is_paths(5, 6, (const int[][2]){{1, 2}, {2, 3}, {2, 3}, {3, 4}, {4, 5}, {3, 5}}, 1, 5, NULL);
}

/* Edges into s, out of t, loops, dead ends, and what s does not reach; then no cycle is left. */
static void unused_edges(void **state)
{
  (void)state;
  is_paths(4, 6, (const int[][2]){{1, 2}, {2, 1}, {2, 3}, {1, 3}, {3, 2}, {2, 2}}, 1, 3, (const int[]){2, 5, 6, 0});
  is_paths(6, 7, (const int[][2]){{1, 2}, {2, 5}, {6, 2}, {1, 5}, {2, 3}, {5, 4}, {4, 6}}, 1, 5,
           (const int[]){3, 5, 6, 7, 0});
}

/* Ties: at each vertex, from s on, the lowest edge of the best. */
static void ties(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("paths:graph=(2 4;1 3;1 2;3 4;3 4),from=1,to=4");
  double v[5];
  ask(K, (double[5]){0}, v);
  assert_true(v[1] == 1.0 && v[3] == 1.0);
  ask(K, (double[5]){1, 2, 1, 1, 0}, v);
  assert_true(v[1] == 1.0 && v[4] == 1.0);
  ask(K, (double[5]){0x1p-1074, 0, 0, 0x1p-1074, 0x1p-1073}, v);
  assert_true(v[1] == 1.0 && v[3] == 1.0);
  ask(K, (double[5]){1.7e308, 1.7e308, 1.7e308, 1.6e308, 1.7e308}, v);
  assert_true(v[1] == 1.0 && v[3] == 1.0);
  ofw_domain_free(K);
}

/* ---- with cycles ---- */

typedef struct network {
  size_t vertices, n;
  int edge[MOST_DIM][2];
} network;

/* The least cost from v to t over simple paths, by trying all. */
static long double try_all(const network *g, const double *d, int v, int t, unsigned seen)
{
  long double least = v == t ? 0.0L : INFINITY;
  for (size_t e = 0; e < g->n && v != t; e++)
    if (g->edge[e][0] == v && !(seen >> g->edge[e][1] & 1))
      least = fminl(least, (long double)d[e] + try_all(g, d, g->edge[e][1], t, seen | 1u << g->edge[e][1]));
  return least;
}

static network random_network(chance *c, size_t vertices, size_t n)
{
  network g = {vertices, n, {{0}}};
  for (size_t e = 0; e < n; e++) {
    g.edge[e][0] = e + 1 < vertices ? (int)e + 1 : 1 + (int)chance_below(c, vertices); /* 1 - 2 - 3 .. is there */
    g.edge[e][1] = e + 1 < vertices ? (int)e + 2 : 1 + (int)chance_below(c, vertices);
  }
  return g;
}

/* Costs at any scale, without negative cycles: from 0 on, or those and what a potential adds, which is the same for all
 * paths. */
static void random_costs(chance *c, const network *g, double *d)
{
  double potential[16];
  random_direction(c, g->n, d);
  double scale = fabs(d[0]) > 0.0 ? fabs(d[0]) : 1.0;
  int tilted = chance_below(c, 2) == 0;
  for (size_t v = 0; v < 16; v++)
    potential[v] = tilted ? 4.0 * scale * (double)chance_below(c, 9) : 0.0;
  for (size_t e = 0; e < g->n; e++)
    d[e] = fabs(d[e]) + potential[g->edge[e][0]] - potential[g->edge[e][1]];
}

static void cycles_without_negative_ones(void **state)
{
  (void)state;
  chance c = {1};
  double d[MOST_DIM], v[MOST_DIM];
  for (int trial = 0; trial < 60; trial++) {
    char spec[TEXT], rest[TEXT];
    network g = random_network(&c, 7, 18);
    say(rest, ",from=1,to=%zu", g.vertices);
    spec_of_graph(spec, "paths", g.n, (const int(*)[2])g.edge, NULL, rest);
    ofw_domain *K = domain_of(spec);
    for (int t = 0; t < 200; t++) {
      random_costs(&c, &g, d);
      ofw_error err = {0};
      assert_int_equal(ofw_domain_minimise(K, d, 1e-9, v, NULL, &err), OFW_OK);
      assert_near(slow_dot(g.n, d, v), try_all(&g, d, 1, (int)g.vertices, 2u), 1e-13L * slow_norm(g.n, d));
      assert_at_most(slow_norm(g.n, v), K->R * (1.0L + 1e-15L));
      assert_true(ofw_domain_excess(K, v) == 0.0);
    }
    assert_int_equal(K->from_centre, 1);
    survives_what_is_not_finite(K);
    ofw_domain_free(K);
  }
}

/* Costs with a negative cycle are refused, those of a cycle that costs nothing are not. */
static void a_negative_cycle(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("paths:graph=(1 2;2 3;3 2;3 4;1 4),from=1,to=4");
  double v[5] = {7.0};
  ofw_error err = {0};
  assert_true(K->r == 0.0 && K->normals == 0);
  assert_near(K->R, sqrt(3.0), 1e-15);
  ofw_domain_centre(K, v);
  assert_true(v[4] == 1.0 && ofw_domain_excess(K, v) == 0.0);
  assert_int_equal(ofw_domain_minimise(K, (double[]){1, -2, 1, 1, 1}, 1.0, v, NULL, &err), OFW_NUMERICAL);
  assert_true(strcmp(err.message, "paths: the direction has a negative cycle through edge 2; negative costs need a "
                                  "graph without directed cycles") == 0 ||
              strcmp(err.message, "paths: the direction has a negative cycle through edge 3; negative costs need a "
                                  "graph without directed cycles") == 0);
  ask(K, (double[]){1, -1, 1, 1, 1.5}, v);
  assert_true(v[0] == 1.0 && v[1] == 1.0 && v[3] == 1.0);
  ask(K, (double[]){-1, 0.1, -0.1, -1, 1}, v);
  assert_true(v[0] == 1.0 && v[1] == 1.0 && v[2] == 0.0);
  ofw_domain_free(K);
}

/* A flow that goes around a cycle may be a mixture of paths or not: that is not known. */
static void what_is_not_known(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("paths:graph=(1 2;1 3;2 3;3 2;2 4;3 4),from=1,to=4");
  assert_true(ofw_domain_excess(K, (double[]){1, 0, 0.5, 0, 0.5, 0.5}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){0.5, 0.5, 0.25, 0.25, 0.5, 0.5}) < 0.0);
  assert_true(ofw_domain_excess(K, (double[]){0.5, 0.5, 0.25, 0.25, 0.5, 0.75}) == 0.25);
  ofw_domain_free(K);
}

/* ---- large ---- */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A grid of streets, one way or both ways, the size of a city. Dijkstra's way is as long as that of Bellman and Ford,
 * whom a potential makes necessary. */
static void a_city(void **state)
{
  (void)state;
  enum { SIDE = 120 };
  for (int ways = 1; ways <= 2; ways++) {
    char path[] = "/tmp/ofw-paths-XXXXXX", spec[TEXT];
    FILE *out = fdopen(mkstemp(path), "w");
    assert_non_null(out);
    size_t n = (size_t)ways * 2 * SIDE * (SIDE - 1), at = 0;
    double *d = room_for(n), *tilted = room_for(n), *v = room_for(n);
    chance c = {(uint64_t)ways};
    fprintf(out, "c a grid\np sp %d %zu\n", SIDE * SIDE, n);
    for (int i = 1; i <= SIDE * SIDE; i++)
      for (int k = 0; k < 2 * ways; k++) {
        int down = k % 2, from = i, to = i + (down ? SIDE : 1);
        if (down ? i > SIDE * (SIDE - 1) : i % SIDE == 0)
          continue;
        fprintf(out, "a %d %d 7\n", k < 2 ? from : to, k < 2 ? to : from);
        d[at] = 0.1 + chance_unit(&c);
        tilted[at] = d[at] + (k < 2 ? 0.05 : -0.05) * (to - from);
        at++;
      }
    fclose(out);
    assert_int_equal(at, n);
    double begun = now();
    say(spec, "paths:graph=@%s,from=1,to=%d", path, SIDE * SIDE);
    ofw_domain *K = domain_of(spec);
    assert_at_most(now() - begun, 5.0L); /* far more than it takes */
    assert_true(K->r == 0.0);
    long double plain = ask(K, d, v), shift = 0.05L * (SIDE * SIDE - 1);
    assert_near(ask(K, tilted, v), plain + shift, 1e-8);
    if (ways == 1) {
      ofw_domain_centre(K, v);
      assert_at_most(ofw_domain_excess(K, v), 1e-13);
    }
    ofw_domain_free(K);
    free(d), free(tilted), free(v);
    unlink(path);
  }
}

static void bad_specs(void **state)
{
  (void)state;
  misused("paths", "", ": graph is required (edges, as (FROM TO;FROM TO;..) or @FILE; DIMACS too)");
  misused("paths", ":graph=(1 2)", ": from is required (the vertex s)");
  misused("paths", ":graph=(1 2),from=1", ": to is required (the vertex t)");
  misused("paths", ":graph=(1 2),from=1,to=1", ": from and to are the same vertex; choose two");
  misused("paths", ":graph=(1 2),from=3,to=1", ": from=3: no edge of the graph has this vertex");
  misused("paths", ":graph=(1 2;3 4;4 1),from=1,to=3", ": no path leads from 1 to 3");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cheapest_path),
      cmocka_unit_test(unused_edges),
      cmocka_unit_test(ties),
      cmocka_unit_test(cycles_without_negative_ones),
      cmocka_unit_test(a_negative_cycle),
      cmocka_unit_test(what_is_not_known),
      cmocka_unit_test(a_city),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
