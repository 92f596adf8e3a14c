/* test_project.c — projections: x is nearest to y in K just where x is in K and <y - x, v - x> <= 0 for every v in K
 *
 * and of those v the oracle knows the worst. What the formulas come to is computed anew as well, the slow way.
 */
#include "unit/domain/oracle_check.h"
#include "unit/linalg/full_svd.h"

#include <float.h>

static const char *const more[] = {
    "l1-ball:dim=1",
    "l1-ball:dim=50,radius=1e-90",
    "l2-ball:dim=1,radius=3",
    "l2-ball:dim=40,radius=1e90",
    "linf-ball:dim=3,radius=1e-3",
    "box:dim=4,lower=-3,upper=-1",
    "box:dim=3,lower=2,upper=2",
    "simplex:dim=1,sum=4",
    "simplex:dim=2",
    "simplex:dim=64,sum=1e80",
    "trace-ball:rows=1,cols=9",
    "trace-ball:rows=9,cols=1,radius=2",
    "trace-ball:rows=5,cols=7,radius=1e-80",
    "trace-ball:rows=8,cols=8,radius=1e80",
    "operator-ball:rows=1,cols=5,radius=2",
    "operator-ball:rows=6,cols=7,radius=1e-80",
    "operator-ball:rows=8,cols=8,radius=1e80",
    "spectraplex:dim=1,trace=3",
    "spectraplex:dim=8,trace=1e-80",
    "spectraplex:dim=2,trace=1e90",
    "spectrahedron:dim=1",
    "spectrahedron:dim=7,trace=1e80",
    "fantope:dim=1,k=1",
    "fantope:dim=8,k=3",
    "fantope:dim=5,k=5",
    "shrunk:factor=0.3,of=(shrunk:factor=0.5,of=(box:dim=4,lower=1,upper=3))",
    "shrunk:factor=1e-3,of=(simplex:dim=5)",
    "shrunk:factor=0.5,of=(trace-ball:rows=3,cols=4)",
    "counted:of=(counted:of=(l1-ball:dim=6))",
    "unit-simplex:dim=40,sum=1e-90",
    "hypersimplex:dim=64,k=20,radius=1e80",
    "hypersimplex:dim=5,k=5",
    "unit-hypersimplex:dim=33,k=33,radius=1e-80",
    "k-sparse:dim=64,k=9",
    "capped-simplex:caps=(1e-3,5,1,1,1e3,0.25),sum=7",
    "lp-ball:dim=5,p=2,radius=3",
    "group-ball:groups=9,size=1,radius=1e-90",
    "group-ball:groups=(5,1,30),radius=1e90",
    "group-ball:dim=4,groups=1",
    "diamond:dim=6,lower=-1e-90,upper=1e-90",
    "diamond:lower=(-1e-3,2,-5),upper=(1e-3,2.5,9)",
    "diamond:lower=-3,upper=(4)",
    "ellipsoid:axes=(1,1e-3,50,1)",
    "ellipsoid:dim=7,axes=1e80,centre=(1e80,0,0,0,0,0,-1e80)",
    "ellipsoid:axes=(1e-90,1e-88)",
    "ellipsoid:matrix=(4,1,0;1,3,-1;0,-1,2),centre=(1,2,3)",
    "ellipsoid:dim=3,axes=2,centre=1",
    "shrunk:factor=0.4,of=(diamond:lower=(-1,2,-5),upper=(1,2.5,9))",
    "shrunk:factor=0.25,of=(ellipsoid:axes=(1,2,3),centre=(1,0,2))",
    "hull:points=(0,0;2,0;0,1;2,1;1,1)",
    "hull:points=(1,0,0;0,1,0;0,0,1)",
    "hull:points=(3;-1;2)",
    "hull:points=(1e90,2e90;1e90,2e90;-3e90,0)",
    "hull:points=(1,2,3)",
};
enum { MORE = sizeof more / sizeof *more };

typedef void domain_test(const ofw_domain *K);

/* Every set that has a projection. */
static void for_each(domain_test *test)
{
  for (size_t i = 0; i < ofw_domain_types() + MORE; i++) {
    ofw_domain *K = domain_of(i < MORE ? more[i] : ofw_domain_type(i - MORE)->example);
    assert_true(K->ops->project || i >= MORE);
    if (K->ops->project)
      test(K);
    ofw_domain_free(K);
  }
}

static void project(const ofw_domain *K, const double *y, double *x)
{
  ofw_error err = {0};
  if (ofw_domain_project(K, y, x, &err) != OFW_OK)
    fail_msg("%s: %s", K->spec, err.message);
}

/* The two conditions, up to rounding of x and of the product. */
static void is_nearest(const ofw_domain *K, const double *y, const double *x)
{
  size_t n = ofw_domain_dim(K);
  double back[MOST_DIM], v[MOST_DIM], R = K->R, error;
  long double along = 0.0L, length = 0.0L;
  for (size_t i = 0; i < n; i++)
    assert_true(isfinite(x[i]));
  assert_at_most(ofw_domain_excess(K, x), 1e-15L * R * (long double)(n + 9));
  for (size_t i = 0; i < n; i++)
    back[i] = fmax(-DBL_MAX, fmin(x[i] - y[i], DBL_MAX)); /* -(y - x), which the oracle makes least */
  if (slow_norm(n, back) == 0.0L)
    return;
  assert_int_equal(ofw_domain_minimise(K, back, 1e-13, v, &error, NULL), OFW_OK);
  for (size_t i = 0; i < n; i++) {
    along += -(long double)back[i] * ((long double)v[i] - x[i]);
    length += (long double)back[i] * back[i];
  }
  length = sqrtl(length);
  if (!(along - error <= 1e-14L * R * R + 2e-13L * R * length))
    fail_msg("%s: a better point is there, by %Lg of %Lg", K->spec, along, R * length);
}

/* In y: normal numbers, small whole ones with ties and zeros, one large coordinate, numbers at the ends of the range; all
 * about as large as K, or not. */
static void any_y(chance *c, const ofw_domain *K, double *y)
{
  static const double scales[] = {1.0, 3.0, 0.1, 1e3, 1e-3, 1e150, 1e-150, 1e-310, 1e300};
  size_t n = ofw_domain_dim(K), kind = chance_below(c, 4);
  double scale = scales[chance_below(c, 9)];
  scale *= scale > 1e200 || scale < 1e-200 ? 1.0 : K->R;
  for (size_t i = 0; i < n; i++)
    y[i] = scale * (kind == 0 ? (double)chance_below(c, 5) - 2.0 : chance_normal(c));
  if (kind == 1 && scale < 1e200)
    y[chance_below(c, n)] *= 1e6;
}

static void nearest_points(const ofw_domain *K)
{
  double y[MOST_DIM], x[MOST_DIM];
  chance c = {ofw_domain_dim(K)};
  for (int t = 0; t < 2000; t++) {
    any_y(&c, K, y);
    project(K, y, x);
    is_nearest(K, y, x);
  }
}

/* Also where y is on the boundary or off it by one bit, equal in all coordinates, or 0. */
static void special_points(const ofw_domain *K)
{
  size_t n = ofw_domain_dim(K);
  double y[MOST_DIM], x[MOST_DIM];
  chance c = {7};
  for (int t = 0; t < 300; t++) {
    random_feasible(K, &c, y);
    if (t % 3 == 1)
      y[chance_below(&c, n)] = nextafter(y[0], INFINITY);
    for (size_t i = 0; i < n && t % 3 == 2; i++)
      y[i] *= 1.0 + 1e-9;
    project(K, y, x);
    is_nearest(K, y, x);
  }
  for (int k = 0; k < 4; k++) {
    for (size_t i = 0; i < n; i++)
      y[i] = k == 0 ? 0.0 : k == 1 ? -0.0 : k == 2 ? 1e308 : -1e-308;
    project(K, y, x);
    is_nearest(K, y, x);
  }
}

/* What is well inside stays as it is; so does, up to rounding, what has been projected, and a point of a set that is
 * all boundary. */
static void stays_inside(const ofw_domain *K)
{
  size_t n = ofw_domain_dim(K);
  double y[MOST_DIM], x[MOST_DIM], centre[MOST_DIM], again[MOST_DIM], R = K->R;
  chance c = {8};
  ofw_domain_centre(K, centre);
  for (int t = 0; t < 300; t++) {
    random_feasible(K, &c, y);
    double share = 0.5 * chance_unit(&c);
    for (size_t i = 0; i < n; i++)
      y[i] = centre[i] + share * (y[i] - centre[i]);
    project(K, y, x);
    for (size_t i = 0; i < n; i++)
      assert_near(x[i], y[i], K->normals ? 1e-15L * R : 0.0L);
    any_y(&c, K, y);
    project(K, y, x);
    project(K, x, again);
    for (size_t i = 0; i < n; i++)
      assert_near(again[i], x[i], 1e-13L * R);
    project(K, y, y); /* in place */
    assert_memory_equal(x, y, n * sizeof *x);
  }
}

static void refuses_what_is_not_finite(const ofw_domain *K)
{
  size_t n = ofw_domain_dim(K);
  double y[MOST_DIM] = {0}, x[MOST_DIM] = {7.0};
  char words[TEXT];
  ofw_error err = {0};
  for (int k = 0; k < 3; k++) {
    y[n - 1] = k == 0 ? NAN : k == 1 ? INFINITY : -INFINITY;
    assert_int_equal(ofw_domain_project(K, y, x, &err), OFW_BAD_DATA);
    say(words, "point: number %zu is not finite", n);
    assert_string_equal(err.message, words);
    assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_BAD_DATA);
  }
  assert_true(x[0] == 7.0);
}

#define WALK(name)                     \
  static void all_##name(void **state) \
  {                                    \
    (void)state;                       \
    for_each(name);                    \
  }

WALK(nearest_points)
WALK(special_points)
WALK(stays_inside)
WALK(refuses_what_is_not_finite)

/* ---- the formulas anew ---- */

static int falling(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* tau with sum max(0, y_i - tau) = sum: of the k largest, for the k at which it is below the k-th */
static long double sorted_threshold(size_t n, const double *y, double sum)
{
  double s[MOST_DIM];
  long double total = 0.0L, tau = 0.0L;
  memcpy(s, y, n * sizeof *s);
  qsort(s, n, sizeof *s, falling);
  for (size_t k = 0; k < n; k++) {
    total += s[k];
    long double here = (total - sum) / (long double)(k + 1);
    if (s[k] > here)
      tau = here;
  }
  return tau;
}

static void by_sorting(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 5, 33, 64};
  chance c = {9};
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    size_t n = dims[k];
    ofw_domain *simplex = domain_in("simplex", n, ",sum=2.25"), *ball = domain_in("l1-ball", n, ",radius=2.25");
    double y[MOST_DIM], size[MOST_DIM], x[MOST_DIM];
    for (int t = 0; t < 2000; t++) {
      double norm = 0.0;
      for (size_t i = 0; i < n; i++) {
        y[i] = t % 2 ? chance_normal(&c) * (t % 5) : (double)chance_below(&c, 5) - 2.0;
        norm += size[i] = fabs(y[i]);
      }
      long double tau = sorted_threshold(n, y, 2.25), tau_size = sorted_threshold(n, size, 2.25);
      project(simplex, y, x);
      for (size_t i = 0; i < n; i++)
        assert_near(x[i], fmaxl(0.0L, y[i] - tau), 1e-14L);
      project(ball, y, x);
      for (size_t i = 0; i < n; i++)
        assert_near(x[i], norm <= 2.25 ? y[i] : copysignl(fmaxl(0.0L, size[i] - tau_size), y[i]), 1e-14L);
    }
    ofw_domain_free(simplex);
    ofw_domain_free(ball);
  }
}

/* Singular values that are equal, next to each other, or 0. */
static void by_decomposition(void **state)
{
  (void)state;
  enum { M = 8, N = 6 };
  ofw_domain *K = domain_of("trace-ball:rows=8,cols=6,radius=2.25");
  chance c = {10};
  for (int t = 0; t < 400; t++) {
    double y[M * N], x[M * N], s[N], u[M * N], vt[N * N];
    for (size_t i = 0; i < N; i++)
      s[i] = t % 4 == 0   ? 1.0
             : t % 4 == 1 ? pow(0.5, (double)i)
             : t % 4 == 2 ? (i < 2 ? 3.0 : 0.0)
                          : fabs(chance_normal(&c));
    with_spectrum(&c, M, N, s, y);
    svd(M, N, y, s, u, vt);
    long double tau = fmaxl(0.0L, sorted_threshold(N, s, 2.25));
    project(K, y, x);
    for (size_t i = 0; i < M; i++)
      for (size_t j = 0; j < N; j++) {
        long double want = 0.0L;
        for (size_t l = 0; l < N; l++)
          want += fmaxl(0.0L, s[l] - tau) * u[i * N + l] * vt[l * N + j];
        assert_near(x[i * N + j], want, 1e-13L);
      }
  }
  ofw_domain_free(K);
}

/* Points of a simplex whose coordinates add up stay as they are, and one bit beside them does too. */
static void on_the_simplex(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("simplex", 3, ",sum=2");
  double y[][3] = {{0.5, 0.5, 1.0}, {2.0, 0.0, -0.0}, {2.0 / 3, 2.0 / 3, 2.0 / 3}, {0.7, 1.0, nextafter(0.3, 1.0)}};
  for (size_t k = 0; k < 4; k++) {
    double x[3];
    project(K, y[k], x);
    assert_memory_equal(x, y[k], sizeof x);
  }
  ofw_domain_free(K);
}

static int least(void *ctx, const double *d, double *v)
{
  (void)ctx;
  *v = *d > 0.0 ? -1.0 : 1.0;
  return 0;
}

/* A caller's own set has none, whatever it is wrapped in; x is left as it was. */
static void where_there_is_none(void **state)
{
  (void)state;
  ofw_domain_callbacks own = {.size = sizeof own, .dim = 1, .R = 1.0, .r = 1.0, .minimise = least};
  ofw_domain *K[3] = {ofw_domain_create_own(&own, NULL)};
  assert_non_null(K[0]);
  K[1] = ofw_domain_create_shrunk(K[0], 0.5, NULL);
  K[2] = ofw_domain_create_counted(K[0], NULL);
  for (size_t i = 0; i < 3; i++) {
    double x = 7.0;
    ofw_error err = {0};
    assert_int_equal(ofw_domain_project(K[i], (double[]){3.0}, &x, &err), OFW_UNSUPPORTED);
    assert_int_equal(err.status, OFW_UNSUPPORTED);
    assert_string_equal(err.message, i == 1 ? "no projection onto shrunk:factor=0.5,of=(own) is known"
                                            : "no projection onto own is known");
    assert_true(x == 7.0);
    ofw_domain_free(K[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_nearest_points), cmocka_unit_test(all_special_points),
      cmocka_unit_test(all_stays_inside),   cmocka_unit_test(all_refuses_what_is_not_finite),
      cmocka_unit_test(by_sorting),         cmocka_unit_test(by_decomposition),
      cmocka_unit_test(on_the_simplex),     cmocka_unit_test(where_there_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
