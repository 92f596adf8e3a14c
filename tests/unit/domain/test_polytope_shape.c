/* test_polytope_shape.c — R, r, the centre and the hull of polytopes, known ones and random ones that CLP is asked for */
#include "unit/domain/polytope_check.h"
#include "vector/vec_arithmetic.h"

static void is_shaped(const char *rows, double R, double r, size_t normals, const double *centre)
{
  char spec[TEXT];
  say(spec, "polytope:rows=%s", rows);
  ofw_domain *K = domain_of(spec);
  assert_near(K->R, R, 1e-14L * R);
  assert_near(K->r, r, 1e-14L * R);
  assert_int_equal(K->normals, normals);
  for (size_t j = 0; j < K->dim; j++)
    assert_near(K->centre[j], centre[j], 1e-14L * R);
  ofw_domain_free(K);
}

static void known_shapes(void **state)
{
  (void)state;
  is_shaped("(0<=x1<=1)", 1.0, 0.5, 0, (double[]){0.5});
  is_shaped("(0<=x1<=2;-1<=x2<=1)", sqrt(5.0), 1.0, 0, (double[]){1.0, 0.0});
  is_shaped("(x1+x2+x3=1;x1>=0;x2>=0;x3>=0)", sqrt(3.0), 1 / sqrt(6.0), 1, (double[]){1.0 / 3, 1.0 / 3, 1.0 / 3});
  is_shaped("(3x1+4x2<=12;x1>=0;x2>=0)", 5.0, 1.0, 0, (double[]){1.0, 1.0}); /* the triangle 3, 4, 5 */
  is_shaped("(300 x1 + 400 x2 <= 1200;x1>=0;x2>=0)", 5.0, 1.0, 0, (double[]){1.0, 1.0});
  is_shaped("(x1+x2<=1;x1+x2>=1;x1>=0;x2>=0)", sqrt(2.0), sqrt(0.5), 1, (double[]){0.5, 0.5});
  is_shaped("(x1+x2<=0;x1>=0;x2>=0;0<=x3<=1)", 1.0, 0.5, 2, (double[]){0.0, 0.0, 0.5}); /* equations in disguise */
  is_shaped("(x1 - 2 x2 = 1;x2 = 2)", sqrt(29.0), 0.0, 2, (double[]){5.0, 2.0});
  /* bounds that say nothing of how far a coordinate reaches, and coordinates that are 0 without saying so */
  is_shaped("(1e9x1+1e-8x2<=1;x2>=0;0<=x1<=1e9)", 1e8, 5e-10, 0, (double[]){5e-10, 5e-10});
  is_shaped("(x1+x2+x3=1;x2+x4=0;x1>=0;1<=x2<=1e9;x3>=0;1e9x1+1e-9x2<=1)", sqrt(2.0), 0.0, 4,
            (double[]){0.0, 1.0, 0.0, -1.0});
  is_shaped("(3e-20<=x1<=5e-20)", 5e-20, 1e-20, 0, (double[]){4e-20});
  is_shaped("(-1e25<=x1-x2<=1e25;-1e25<=x1+x2<=1e25)", sqrt(2.0) * 1e25, 1e25 / sqrt(2.0), 0, (double[]){0.0, 0.0});
}

/* The largest ball in a polytope without equations, by CLP over x and t. */
static double largest_radius(const slow_polytope *p)
{
  size_t n = p->n, sides;
  long double side[MOST_SIDES][MOST_DIM + 1];
  static double a[MOST_SIDES * (MOST_DIM + 1)];
  double low[MOST_SIDES], high[MOST_SIDES], least[MOST_DIM], most[MOST_DIM], d[MOST_DIM] = {0};
  sides = sides_of(p, side);
  for (size_t k = 0; k < sides; k++) {
    long double norm = 0.0L;
    for (size_t j = 0; j < n; j++) {
      a[k * (n + 1) + j] = (double)side[k][j];
      norm += side[k][j] * side[k][j];
    }
    a[k * (n + 1) + n] = (double)sqrtl(norm);
    low[k] = -INFINITY;
    high[k] = (double)side[k][n];
  }
  for (size_t j = 0; j <= n; j++) {
    least[j] = j < n ? -INFINITY : 0.0;
    most[j] = INFINITY;
  }
  lp slow = lp_open(sides, n + 1, a, low, high, least, most);
  d[n] = -1.0;
  double r = -lp_least(slow, d, NULL);
  lp_close(slow);
  return r;
}

static void the_largest_ball(void **state)
{
  (void)state;
  chance c = {15};
  for (int t = 0; t < 40; t++) {
    slow_polytope p;
    random_polytope(&c, 2 + (size_t)t % 5, 5, 0, &p);
    ofw_domain *K = domain_of_polytope(&p);
    assert_near(K->r, largest_radius(&p), 1e-7L * K->R);
    assert_int_equal(K->normals, 0);
    for (int k = 0; k < 100; k++) {
      double x[MOST_DIM], u[MOST_DIM];
      chance_normals(&c, p.n, u);
      for (size_t j = 0; j < p.n; j++)
        x[j] = K->centre[j] + K->r * u[j] / (double)slow_norm(p.n, u);
      assert_at_most(ofw_domain_excess(K, x), 1e-14L * K->R);
    }
    ofw_domain_free(K);
  }
}

/* R is the corner of the box that CLP finds; the normals are orthonormal, and the vertices have the centre's products. */
static void box_and_hull(void **state)
{
  (void)state;
  chance c = {16};
  for (int t = 0; t < 30; t++) {
    slow_polytope p;
    size_t n = 3 + (size_t)t % 6;
    random_polytope(&c, n, 8, (size_t)t % 3, &p);
    ofw_domain *K = domain_of_polytope(&p);
    lp slow = lp_of_polytope(&p);
    double corner[MOST_DIM], v[MOST_DIM], d[MOST_DIM];
    for (size_t j = 0; j < n; j++) {
      memset(d, 0, sizeof d);
      d[j] = 1.0;
      double low = lp_least(slow, d, NULL);
      d[j] = -1.0;
      corner[j] = fmax(fabs(low), fabs(lp_least(slow, d, NULL)));
    }
    assert_near(K->R, slow_norm(n, corner), 1e-7L * K->R);
    assert_int_equal(K->normals, t % 3);
    for (size_t l = 0; l < K->normals; l++) {
      double normal[MOST_DIM], other[MOST_DIM];
      ofw_sum_dense((ofw_sum){1, &K->normal[l]}, n, normal);
      for (size_t m = 0; m <= l; m++) {
        ofw_sum_dense((ofw_sum){1, &K->normal[m]}, n, other);
        assert_near(slow_dot(n, normal, other), l == m, 1e-14L);
      }
      for (int k = 0; k < 20; k++) {
        random_direction(&c, n, d);
        ask_nearly(K, d, v);
        assert_near(slow_dot(n, normal, v), slow_dot(n, normal, K->centre), 1e-13L * K->R);
      }
    }
    lp_close(slow);
    ofw_domain_free(K);
  }
}

/* Beyond 2000 rows and columns the ball is not looked for. */
static void a_large_one(void **state)
{
  (void)state;
  enum { N = 2001 };
  char path[] = "/tmp/ofw-polytope-XXXXXX", spec[TEXT];
  int file = mkstemp(path);
  FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
  assert_non_null(out);
  for (int j = 1; j <= N; j++)
    fprintf(out, "-1 <= x%d <= 2\n", j);
  assert_int_equal(fclose(out), 0);
  say(spec, "polytope:rows=@%s", path);
  ofw_domain *K = domain_of(spec);
  double *d = room_for(N), *v = room_for(N);
  assert_true(K->dim == N && K->r == 0.0 && K->normals == 0);
  assert_near(K->R, 2.0L * sqrtl(N), 1e-12L);
  assert_true(ofw_domain_excess(K, K->centre) == 0.0);
  chance c = {17};
  chance_normals(&c, N, d);
  assert_int_equal(ofw_domain_minimise(K, d, 1e-9, v, NULL, NULL), OFW_OK);
  for (size_t j = 0; j < N; j++)
    assert_true(v[j] == (d[j] > 0.0 ? -1.0 : 2.0));
  free(d);
  free(v);
  unlink(path);
  ofw_domain_free(K);
}

static void where_play_starts(void **state)
{
  (void)state;
  ofw_domain *in = domain_of("polytope:rows=(x1+x2<=1;x1+x2>=-1;-1<=x1<=1)");
  ofw_domain *out = domain_of("polytope:rows=(x1+x2<=1;x1+x2>=0.5;-1<=x1<=1)");
  assert_int_equal(in->from_centre, 0);
  assert_int_equal(out->from_centre, 1);
  ofw_domain_free(in);
  ofw_domain_free(out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_shapes), cmocka_unit_test(the_largest_ball),  cmocka_unit_test(box_and_hull),
      cmocka_unit_test(a_large_one),  cmocka_unit_test(where_play_starts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
