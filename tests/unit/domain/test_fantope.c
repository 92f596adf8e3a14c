#include "unit/domain/spectra_check.h"

static ofw_domain *fantope(size_t n, size_t k)
{
  char spec[TEXT];
  say(spec, "fantope:dim=%zu,k=%zu", n, k);
  return domain_of(spec);
}

static long double least_sum(size_t dim, const double *d, const void *set)
{
  return least_eigenvalues((size_t)lround(sqrt((double)dim)), *(const size_t *)set, d);
}

/* Every k for every size, 10 000 directions and more, at all scales. */
static void the_least_eigenvalues(void **state)
{
  (void)state;
  static const size_t sides[] = {1, 2, 3, 5, 8};
  for (size_t s = 0; s < sizeof sides / sizeof *sides; s++)
    for (size_t k = 1; k <= sides[s]; k++) {
      ofw_domain *K = fantope(sides[s], k);
      is_least(K, 700, least_sum, &k);
      ofw_domain_free(K);
    }
}

/* Eigenvalues that are all the same, or tie across the k-th; a large antisymmetric part. */
static void special_directions(void **state)
{
  (void)state;
  enum { N = 6, KEPT = 3 };
  ofw_domain *K = fantope(N, KEPT);
  chance c = {2};
  for (int t = 0; t < 400; t++) {
    double w[N], d[N * N], s[N * N], v[N * N];
    for (size_t l = 0; l < N; l++)
      w[l] = t % 4 == 0 ? 1.0 : t % 4 == 1 ? (double)(l / 2) : t % 4 == 2 ? pow(1e-4, (double)l) : chance_normal(&c);
    with_eigenvalues(&c, N, w, d);
    twist(&c, N, t % 3 ? 1e8 : 1.0, d);
    for (size_t i = 0; i < N; i++)
      for (size_t j = 0; j < N; j++)
        s[i * N + j] = (d[i * N + j] + d[j * N + i]) / 2;
    ask(K, d, v);
    assert_near(slow_dot(N * N, s, v), least_eigenvalues(N, KEPT, s), 1e-13L * slow_norm(N * N, s));
  }
  ofw_domain_free(K);
}

/* Every point is as good as every other; one of them is given. */
static void the_zero_direction(void **state)
{
  (void)state;
  ofw_domain *K = fantope(4, 2);
  double v[16];
  assert_true(ask(K, (double[16]){0.0, -0.0}, v) == 0.0L);
  ofw_domain_free(K);
}

static void into_hull(size_t dim, double *u)
{
  size_t n = (size_t)lround(sqrt((double)dim));
  double mean = 0.0;
  for (size_t i = 0; i < n; i++) {
    mean += u[i * n + i] / (double)n;
    for (size_t j = 0; j < i; j++)
      u[i * n + j] = u[j * n + i] = (u[i * n + j] + u[j * n + i]) / 2;
  }
  for (size_t i = 0; i < n; i++)
    u[i * n + i] -= mean;
}

/* The nearer bound is touched: 0 where k is less than n/2, else 1. */
static void radii_and_centre(void **state)
{
  (void)state;
  for (size_t n = 2; n <= 6; n++)
    for (size_t k = 1; k < n; k++) {
      double m = (double)n, kept = (double)k, r = fmin(kept, m - kept) / sqrt(m * (m - 1.0));
      double w[6], far[36], tight[36], centre[36];
      chance c = {6};
      ofw_domain *K = fantope(n, k);
      for (size_t l = 0; l < n; l++)
        w[l] = l < k ? 1.0 : 0.0;
      with_eigenvalues(&c, n, w, far);
      for (size_t l = 0; l < n; l++)
        w[l] = (2 * k <= n ? 1.0 : -1.0) * (l ? 1.0 / m : 1.0 / m - 1.0) / sqrt((m - 1.0) / m);
      with_eigenvalues(&c, n, w, tight);
      has_radii(K, sqrt(kept), r, far, tight, into_hull);
      has_hull(K, n * (n + 1) / 2 - 1);
      ofw_domain_centre(K, centre);
      for (size_t i = 0; i < n * n; i++)
        assert_true(centre[i] == (i % (n + 1) == 0 ? kept / m : 0.0));
      assert_int_equal(K->from_centre, 1);
      ofw_domain_free(K);
    }
}

/* k = n: the unit matrix and no other. */
static void a_single_point(void **state)
{
  (void)state;
  ofw_domain *K = fantope(3, 3);
  double v[9], d[9];
  chance c = {1};
  chance_normals(&c, 9, d);
  ask(K, d, v);
  for (size_t i = 0; i < 9; i++)
    assert_near(v[i], i % 4 == 0 ? 1.0L : 0.0L, 1e-15L);
  assert_true(K->r == 0.0);
  ofw_domain_free(K);
}

static void excess_looks_at_everything(void **state)
{
  (void)state;
  ofw_domain *K = fantope(2, 1);
  assert_true(ofw_domain_excess(K, (double[]){0.5, 0.0, 0.0, 0.5}) == 0.0);
  assert_near(ofw_domain_excess(K, (double[]){0.5, 0.5, 0.5, 0.5}), 0.0L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){0.0, 0.0, 0.0, 0.0}), 1.0L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){1.25, 0.0, 0.0, -0.25}), 0.25L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){0.5, 0.75, 0.75, 0.5}), 0.25L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){0.5, 0.25, -0.25, 0.5}), 0.25L, 1e-15L);
  ofw_domain_free(K);
}

/* tau with sum clip(w - tau, 0, 1) = k, by bisection in long doubles */
static long double threshold(size_t n, const double *w, double k)
{
  long double low = w[0], high = w[0];
  for (size_t l = 0; l < n; l++) {
    low = fminl(low, w[l] - 1.0L);
    high = fmaxl(high, w[l]);
  }
  for (int i = 0; i < 200; i++) {
    long double tau = (low + high) / 2, sum = 0.0L;
    for (size_t l = 0; l < n; l++)
      sum += fminl(1.0L, fmaxl(0.0L, w[l] - tau));
    if (sum > k)
      low = tau;
    else
      high = tau;
  }
  return high;
}

/* The eigenvalues anew: those of the result are those of the matrix less tau, within [0, 1]. */
static void projections(void **state)
{
  (void)state;
  enum { N = 5, KEPT = 2 };
  ofw_domain *K = fantope(N, KEPT);
  chance c = {21};
  for (int t = 0; t < 1000; t++) {
    double w[N], y[N * N], x[N * N], got[N], size = t % 3 == 0 ? 0.1 : t % 3 == 1 ? 1.0 : 30.0;
    for (size_t l = 0; l < N; l++)
      w[l] = t % 7 ? size * chance_normal(&c) : (double)chance_below(&c, 3);
    with_eigenvalues(&c, N, w, y);
    eigenvalues(N, y, 0, w);
    assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
    eigenvalues(N, x, 0, got);
    long double tau = threshold(N, w, KEPT);
    for (size_t l = 0; l < N; l++)
      assert_near(got[l], fminl(1.0L, fmaxl(0.0L, w[l] - tau)), 1e-13L * (1.0L + size));
    assert_int_equal(ofw_domain_project(K, x, y, NULL), OFW_OK);
    assert_memory_equal(x, y, sizeof x);
  }
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("fantope", "", ": dim is required (rows n)");
  misused("fantope", ":dim=3", ": k is required (trace k, a whole number up to n)");
  misused("fantope", ":k=3", ": dim is required (rows n)");
  misused("fantope", ":dim=0,k=1", ": dim=0 is not in [1, 1e+06]");
  misused("fantope", ":dim=3,k=0", ": k=0 is not in [1, 1e+06]");
  misused("fantope", ":dim=3,k=4", ": k=4 is more than dim=3");
  misused("fantope", ":dim=3,k=1.5", ": k=1.5 is not a whole number >= 0");
  misused("fantope", ":dim=3,k=1,trace=1", ": no option 'trace'; its options: dim, k");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_least_eigenvalues), cmocka_unit_test(special_directions),
      cmocka_unit_test(the_zero_direction),    cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(a_single_point),        cmocka_unit_test(excess_looks_at_everything),
      cmocka_unit_test(projections),           cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
