#include "unit/domain/lp_check.h"
#include "unit/domain/oracle_check.h"

#include <unistd.h>

enum { MOST_POINTS = 200 };

typedef struct cloud {
  size_t n, count;
  double x[MOST_POINTS * MOST_DIM];
} cloud;

/* Through a file where it is too long for a spec. */
static ofw_domain *hull_of(const cloud *p)
{
  char path[] = "/tmp/ofw-hull-XXXXXX", spec[TEXT];
  int file = mkstemp(path);
  FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
  assert_non_null(out);
  fprintf(out, "# points\n\n");
  for (size_t i = 0; i < p->count * p->n; i++)
    fprintf(out, "%.17g%s", p->x[i], i % p->n == p->n - 1 ? "\n" : i % 2 ? " " : ", ");
  assert_int_equal(fclose(out), 0);
  say(spec, "hull:points=@%s", path);
  ofw_domain *K = domain_of(spec);
  unlink(path);
  return K;
}

/* Normal numbers, or small whole ones, so that points are equal and more than n + 1 are in a face. */
static void random_cloud(chance *c, size_t n, size_t count, cloud *p)
{
  int whole = chance_below(c, 2) == 0;
  *p = (cloud){.n = n, .count = count};
  for (size_t i = 0; i < n * count; i++)
    p->x[i] = whole ? (double)chance_below(c, 4) - 1.0 : chance_normal(c);
  p->x[0] = 2.0;
}

static long double least_point(size_t n, const double *d, const void *set)
{
  const cloud *p = set;
  long double least = INFINITY;
  for (size_t i = 0; i < p->count; i++)
    least = fminl(least, slow_dot(n, d, p->x + i * n));
  return least;
}

static void the_best_point(void **state)
{
  (void)state;
  static const size_t shape[][2] = {{1, 1}, {1, 5}, {2, 3}, {3, 20}, {7, 5}, {16, 100}, {40, 200}};
  chance c = {21};
  for (size_t k = 0; k < 7; k++) {
    cloud p;
    random_cloud(&c, shape[k][0], shape[k][1], &p);
    ofw_domain *K = hull_of(&p);
    is_least(K, k < 5 ? 2000 : 400, least_point, &p);
    ofw_domain_free(K);
  }
}

static void a_tie_goes_to_the_first(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("hull:points=(1 2;3 0;1 2;3 4;0 -1)");
  double v[2];
  ask(K, (double[]){0.0, 0.0}, v);
  assert_true(v[0] == 1.0 && v[1] == 2.0);
  ask(K, (double[]){-1e300, 0.0}, v);
  assert_true(v[0] == 3.0 && v[1] == 0.0);
  ask(K, (double[]){-0x1p-1074, -0x1p-1074}, v);
  assert_true(v[0] == 3.0 && v[1] == 4.0);
  ofw_domain_free(K);
}

static void known_shapes(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("hull:points=(1 0 0;0 1 0;0 0 1)"); /* the simplex: the bound is exact */
  assert_near(K->R, 1.0, 1e-15L);
  assert_near(K->r, 1 / sqrt(6.0), 1e-15L);
  assert_int_equal(K->normals, 1);
  assert_int_equal(K->from_centre, 1);
  for (size_t j = 0; j < 3; j++)
    assert_near(fabs(K->normal[0].as.dense.value[j]), 1 / sqrt(3.0), 1e-15L);
  ofw_domain_free(K);
  K = domain_of("hull:points=(-1 -1;-1 1;1 -1;1 1)"); /* s = 2, D = sqrt(2): r = 1/sqrt(2), where 1 is the largest */
  assert_near(K->R, sqrt(2.0), 1e-15L);
  assert_near(K->r, sqrt(0.5), 1e-15L);
  assert_true(K->normals == 0 && K->from_centre == 0);
  ofw_domain_free(K);
  K = domain_of("hull:points=(1 2)");
  assert_true(K->r == 0.0 && K->normals == 2 && K->from_centre == 1);
  ofw_domain_free(K);
  K = domain_of("hull:points=(0 0;1e-30 2e-30)");
  assert_near(K->r, sqrt(5.0) / 2 * 1e-30, 1e-44L);
  assert_true(K->normals == 1 && K->from_centre == 0);
  ofw_domain_free(K);
}

/* K reaches by r at least along every direction of its hull: by the oracle, which a ball of radius r would have to obey. */
static void holds_the_ball(void **state)
{
  (void)state;
  chance c = {22};
  for (int t = 0; t < 60; t++) {
    cloud p;
    random_cloud(&c, 1 + (size_t)t % 6, 2 + chance_below(&c, 12), &p);
    ofw_domain *K = hull_of(&p);
    for (int k = 0; k < 200; k++) {
      double u[MOST_DIM], v[MOST_DIM];
      chance_normals(&c, p.n, u);
      for (size_t l = 0; l < K->normals; l++) {
        long double along = slow_dot(p.n, u, K->normal[l].as.dense.value);
        for (size_t j = 0; j < p.n; j++)
          u[j] -= (double)along * K->normal[l].as.dense.value[j];
      }
      long double length = slow_norm(p.n, u);
      if (K->normals == p.n)
        break;
      assert_at_most(ask(K, u, v) - slow_dot(p.n, u, K->centre), -K->r * length * (1.0L - 1e-12L));
    }
    ofw_domain_free(K);
  }
}

/* Whether x is a mixture, by CLP: the least t with |x - sum l_i p_i| <= t in each coordinate. */
static double slow_excess(const cloud *p, const double *x)
{
  size_t n = p->n, cols = p->count + 1, rows = 2 * n + 1;
  double *a = room_for(rows * cols), *low = room_for(rows), *high = room_for(rows), *least = room_for(cols),
         *most = room_for(cols), *d = room_for(cols);
  for (size_t i = 0; i < p->count; i++) {
    for (size_t j = 0; j < n; j++)
      a[j * cols + i] = a[(n + j) * cols + i] = p->x[i * n + j];
    a[2 * n * cols + i] = 1.0;
    most[i] = INFINITY;
  }
  for (size_t j = 0; j < n; j++) {
    a[j * cols + p->count] = 1.0;
    a[(n + j) * cols + p->count] = -1.0;
    low[j] = x[j];
    high[j] = INFINITY;
    low[n + j] = -INFINITY;
    high[n + j] = x[j];
  }
  low[2 * n] = high[2 * n] = 1.0;
  most[p->count] = INFINITY;
  d[p->count] = 1.0;
  lp slow = lp_open(rows, cols, a, low, high, least, most);
  double out = lp_least(slow, d, NULL);
  lp_close(slow);
  free(a), free(low), free(high), free(least), free(most), free(d);
  return out;
}

/* Inside and outside as CLP says; and outside, the distance is that of the projection, which test_project.c looks at for
 * small ones: <y - x, p_i - x> <= 0 for every point. */
static void excess_is_the_distance(void **state)
{
  (void)state;
  static const size_t shape[][2] = {{2, 8}, {3, 4}, {5, 60}, {12, 30}, {30, 20}, {20, 200}};
  chance c = {23};
  for (size_t k = 0; k < 6; k++) {
    cloud p;
    random_cloud(&c, shape[k][0], shape[k][1], &p);
    ofw_domain *K = hull_of(&p);
    for (int t = 0; t < 60; t++) {
      double y[MOST_DIM], x[MOST_DIM], z[MOST_DIM];
      random_feasible(K, &c, y);
      for (size_t j = 0; j < p.n && t % 2; j++)
        y[j] += 0.3 * chance_normal(&c);
      double out = ofw_domain_excess(K, y), slow = slow_excess(&p, y);
      assert_true(t % 2 || out == 0.0);
      assert_true(out >= slow - 1e-7 && out <= slow * sqrt((double)p.n) * 100.0 + 1e-6);
      assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
      if (out == 0.0)
        assert_memory_equal(x, y, p.n * sizeof *x);
      for (size_t j = 0; j < p.n; j++)
        z[j] = y[j] - x[j];
      assert_near(slow_norm(p.n, z), out, 1e-15L * K->R);
      for (size_t i = 0; i < p.count; i++)
        assert_at_most(slow_dot(p.n, z, p.x + i * p.n) - slow_dot(p.n, z, x), 1e-13L * K->R * K->R);
      assert_true(ofw_domain_excess(K, x) == 0.0);
    }
    ofw_domain_free(K);
  }
}

/* Points that all but coincide, and a y that is next to them. */
static void near_duplicates(void **state)
{
  (void)state;
  chance c = {24};
  for (int t = 0; t < 300; t++) {
    cloud p;
    random_cloud(&c, 4, 30, &p);
    for (size_t i = 15; i < 30; i++)
      for (size_t j = 0; j < 4; j++)
        p.x[i * 4 + j] = p.x[(i - 15) * 4 + j] + pow(10.0, -1.0 - (double)(i - 15)) * chance_normal(&c);
    ofw_domain *K = hull_of(&p);
    double y[4], x[4], z[4];
    for (size_t j = 0; j < 4; j++)
      y[j] = 3.0 * chance_normal(&c);
    assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
    for (size_t j = 0; j < 4; j++)
      z[j] = y[j] - x[j];
    assert_at_most(ofw_domain_excess(K, x), 1e-14L * K->R);
    for (size_t i = 0; i < p.count; i++)
      assert_at_most(slow_dot(4, z, p.x + i * 4) - slow_dot(4, z, x), 1e-12L * K->R * slow_norm(4, z));
    ofw_domain_free(K);
  }
}

/* Points and y of small whole numbers and halves. On the way to y there are often points of a face whose weights are 0 but for
 * rounding, and are so when another point joins. */
static void weights_that_vanish(void **state)
{
  (void)state;
  chance c = {25};
  for (int t = 0; t < 20000; t++) {
    cloud p = {.n = 3, .count = 8};
    double y[3], x[3];
    for (size_t i = 0; i < p.n * p.count; i++)
      p.x[i] = (double)chance_below(&c, 5) - 2.0;
    p.x[0] = 3.0;
    for (size_t j = 0; j < 3; j++)
      y[j] = (p.x[j] + p.x[3 + j] + p.x[6 + j] + p.x[9 + j]) / 4.0;
    ofw_domain *K = hull_of(&p);
    assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
    for (size_t j = 0; j < 3; j++)
      assert_near(x[j], y[j], 1e-13L * K->R);
    ofw_domain_free(K);
  }
}

static void bad_specs(void **state)
{
  (void)state;
  misused("hull", "", ": points is required (the points, as (0 0;1 0;0 1), or @FILE with one per line)");
  misused("hull", ":points=()", ": expected points in points, found none");
  misused("hull", ":points=(0 0)", ": expected a point at least 1e-100 away from the origin, found none");
  misused("hull", ":points=(1 2;3)", ": line 2: the point has 1 numbers, but the first point has 2");
  misused("hull", ":points=(1 2;3 x)", ": line 2: 'x' is not a finite number");
  misused("hull", ":points=(1 2;3 nan)", ": line 2: 'nan' is not a finite number");
  misused("hull", ":points=(1;1e101)", ": line 2: 1e+101 is larger than 1e+100");
  misused("hull", ":point=(1)", ": no option 'point'; did you mean 'points'?");
  refused("hull:points=@/no/such/file", OFW_BAD_DATA, "hull: cannot read /no/such/file: No such file or directory");
  char path[] = "/tmp/ofw-hull-XXXXXX", spec[TEXT], words[TEXT];
  int file = mkstemp(path);
  assert_true(file >= 0 && write(file, "# p\n1 2\n\n3 4 5\n", 15) == 15);
  say(spec, "hull:points=@%s", path);
  say(words, "%s:4: the point has 3 numbers, but the first point has 2", path);
  refused(spec, OFW_BAD_DATA, words);
  assert_int_equal(ftruncate(file, 4), 0);
  say(words, "hull: expected points in %s, found none", path);
  refused(spec, OFW_BAD_DATA, words);
  close(file);
  unlink(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_point),         cmocka_unit_test(a_tie_goes_to_the_first),
      cmocka_unit_test(known_shapes),           cmocka_unit_test(holds_the_ball),
      cmocka_unit_test(excess_is_the_distance), cmocka_unit_test(near_duplicates),
      cmocka_unit_test(weights_that_vanish),    cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
