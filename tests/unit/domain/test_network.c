/* test_network.c — flows of least cost in networks of some size, against CLP and against their own duals */
#include "domain/graph/network.h"
#include "unit/domain/lp_check.h"

#include <string.h>

typedef struct random_network {
  ofw_owned own;
  ofw_network n;
  lp program;
} random_network;

/* Vertices in a line both ways, so that every supply finds a way, and random edges, also loops and parallel ones. */
static random_network make(chance *c, size_t vertices, size_t edges, double grain)
{
  random_network r = {0};
  assert_int_equal(ofw_network_make(&r.own, vertices, edges, &r.n, NULL), OFW_OK);
  double *a = room_for(vertices * edges), *none = room_for(edges), missing;
  for (size_t e = 0; e < edges; e++) {
    int line = e < 2 * (vertices - 1);
    size_t u = line ? e / 2 + e % 2 : chance_below(c, vertices),
           v = line ? e / 2 + 1 - e % 2 : chance_below(c, vertices);
    r.n.from[e] = (uint32_t)u;
    r.n.to[e] = (uint32_t)v;
    r.n.capacity[e] = grain * (double)(line ? 20 * vertices : chance_below(c, 30));
    a[u * edges + e] += 1.0;
    a[v * edges + e] -= 1.0;
  }
  for (size_t v = 0; v + 1 < vertices; v++) {
    r.n.supply[v] = grain * ((double)chance_below(c, 21) - 10.0);
    r.n.supply[vertices - 1] -= r.n.supply[v];
  }
  r.program = lp_open(vertices, edges, a, r.n.supply, r.n.supply, none, r.n.capacity);
  assert_int_equal(ofw_network_begin(&r.n, &missing, NULL), OFW_OK);
  assert_at_most(missing, 1e-12 * grain);
  free(a);
  free(none);
  return r;
}

static void drop(random_network *r)
{
  lp_close(r->program);
  ofw_owned_free(&r->own);
}

/* Within its bounds, and of the supplies that it should be. */
static void is_flow(const ofw_network *n, const double *x, double slack)
{
  double *surplus = room_for(n->vertices);
  for (size_t e = 0; e < n->edges; e++) {
    assert_true(x[e] >= 0.0 && x[e] <= n->capacity[e]);
    surplus[n->from[e]] += x[e];
    surplus[n->to[e]] -= x[e];
  }
  for (size_t v = 0; v < n->vertices; v++)
    assert_near(surplus[v], n->supply[v], slack);
  free(surplus);
}

/* With whole numbers the best flow is one of whole numbers, and so is what it costs where costs are: exactly. */
static void flows_of_least_cost(void **state)
{
  (void)state;
  chance c = {1};
  static const size_t sizes[][2] = {{2, 3}, {5, 12}, {20, 80}, {60, 400}, {120, 1500}};
  for (size_t k = 0; k < 5; k++)
    for (int trial = 0; trial < 4; trial++) {
      double grain = trial % 2 ? 0.1 : 1.0;
      random_network r = make(&c, sizes[k][0], sizes[k][1], grain);
      double *d = room_for(r.n.edges);
      ofw_flow w;
      assert_int_equal(ofw_flow_open(&r.own, &r.n, &w, NULL), OFW_OK);
      for (int t = 0; t < 8; t++) {
        for (size_t e = 0; e < r.n.edges; e++)
          d[e] = t % 2 ? (double)chance_below(&c, 7) - 3.0 : chance_normal(&c);
        assert_true(ofw_flow_minimise(&w, d) == 0.0);
        is_flow(&r.n, w.x, grain == 1.0 ? 0.0 : 1e-12);
        double least = lp_least(r.program, d, NULL);
        assert_near(slow_dot(r.n.edges, d, w.x), least, t % 2 && grain == 1.0 ? 1e-6 : 1e-9 * (1.0 + fabs(least)));
      }
      free(d);
      drop(&r);
    }
}

/* A search leaves nothing behind: the same costs give the same flow, to the bit. Costs at other scales do too. */
static void the_same_again(void **state)
{
  (void)state;
  chance c = {2};
  random_network r = make(&c, 40, 300, 1.0);
  double *d = room_for(r.n.edges), *other = room_for(r.n.edges), *x = room_for(r.n.edges);
  ofw_flow w, fresh;
  assert_int_equal(ofw_flow_open(&r.own, &r.n, &w, NULL), OFW_OK);
  for (int t = 0; t < 30; t++) {
    chance_normals(&c, r.n.edges, d);
    ofw_flow_minimise(&w, d);
    memcpy(x, w.x, r.n.edges * sizeof *x);
    chance_normals(&c, r.n.edges, other);
    ofw_flow_minimise(&w, other);
    for (size_t e = 0; e < r.n.edges; e++)
      other[e] = ldexp(d[e], (int[]){0, 1000, -900, 1020}[t % 4]);
    assert_int_equal(ofw_flow_open(&r.own, &r.n, &fresh, NULL), OFW_OK);
    ofw_flow_minimise(t % 2 ? &w : &fresh, other);
    assert_memory_equal(x, (t % 2 ? &w : &fresh)->x, r.n.edges * sizeof *x);
  }
  free(d), free(other), free(x);
  drop(&r);
}

/* Of flows that cost the same, the sum of i^2 x_i is least: as CLP has it for costs with a little of that added. */
static void ties(void **state)
{
  (void)state;
  chance c = {3};
  for (int trial = 0; trial < 30; trial++) {
    random_network r = make(&c, 6, 16, 1.0);
    double d[16], both[16];
    ofw_flow w;
    assert_int_equal(ofw_flow_open(&r.own, &r.n, &w, NULL), OFW_OK);
    for (size_t e = 0; e < 16; e++) {
      d[e] = (double)chance_below(&c, 3) - 1.0;
      both[e] = d[e] + 1e-6 * (double)((e + 1) * (e + 1)); /* 1e-6 sum i^2 x_i changes by less than 1 */
    }
    ofw_flow_minimise(&w, d);
    assert_near(slow_dot(16, both, w.x), lp_least(r.program, both, NULL), 1e-7);
    drop(&r);
  }
}

/* What finds no way is told. */
static void no_flow(void **state)
{
  (void)state;
  ofw_owned own = {0};
  ofw_network n;
  double missing;
  assert_int_equal(ofw_network_make(&own, 3, 2, &n, NULL), OFW_OK);
  n.from[0] = 0, n.to[0] = 1, n.from[1] = 1, n.to[1] = 2;
  n.capacity[0] = 5.0, n.capacity[1] = 3.0;
  n.supply[0] = 4.0, n.supply[2] = -4.0;
  assert_int_equal(ofw_network_begin(&n, &missing, NULL), OFW_OK);
  assert_true(missing == 1.0);
  ofw_owned_free(&own);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flows_of_least_cost),
      cmocka_unit_test(the_same_again),
      cmocka_unit_test(ties),
      cmocka_unit_test(no_flow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
