#include "unit/domain/spectra_check.h"

static void all_directions(void **state)
{
  (void)state;
  random_directions("spectraplex", 0);
}

static void all_spectra(void **state)
{
  (void)state;
  special_spectra("spectraplex", 0);
}

static void the_rest_of_a_direction(void **state)
{
  (void)state;
  a_large_antisymmetric_part("spectraplex", 0);
}

/* Nothing is there to choose by: the first axis. An antisymmetric direction is such a one. */
static void no_symmetric_part(void **state)
{
  (void)state;
  ofw_domain *K = traced("spectraplex", 3);
  double v[9], error = -1.0;
  double d[2][9] = {{0.0, -0.0}, {0.0, 3.0, 1e300, -3.0, 0.0, 1e-310, -1e300, -1e-310, 0.0}};
  for (int k = 0; k < 2; k++) {
    assert_int_equal(ofw_domain_minimise(K, d[k], 1e-2, v, &error, NULL), OFW_OK);
    for (size_t i = 0; i < 9; i++)
      assert_near(v[i], i ? 0.0L : TRACE, 1e-15L);
    assert_true(error == 0.0);
  }
  ofw_domain_free(K);
}

/* What is left beside an antisymmetric part near the top of the range, at its bottom. */
static void far_apart_scales(void **state)
{
  (void)state;
  ofw_domain *K = traced("spectraplex", 3);
  double v[9], d[9] = {3e-310, 1e300, 2.0, -1e300, -1e-310, -5.0, -2.0, 5.0, 2e-310};
  assert_int_equal(ofw_domain_minimise(K, d, 1e-9, v, NULL, NULL), OFW_OK);
  for (size_t i = 0; i < 9; i++)
    assert_near(v[i], i == 4 ? TRACE : 0.0L, 1e-13L);
  ofw_domain_free(K);
}

/* The atom is symmetric to the bit, so that play with it is. */
static void atoms_are_symmetric(void **state)
{
  (void)state;
  enum { N = 6 };
  ofw_domain *K = traced("spectraplex", N);
  chance c = {9};
  double d[N * N], v[N * N];
  for (int t = 0; t < 200; t++) {
    chance_normals(&c, N * N, d);
    assert_int_equal(ofw_domain_minimise(K, d, 1e-6, v, NULL, NULL), OFW_OK);
    for (size_t i = 0; i < N; i++)
      for (size_t j = 0; j < i; j++)
        assert_true(v[i * N + j] == v[j * N + i]);
  }
  ofw_domain_free(K);
}

/* So many of n calls may fail that fail with probability p each, at most. */
static double most_failures(double p, double n)
{
  return p * n + 4.0 * sqrt(p * n);
}

/* Matrices that are not taken to the end, at coarse tolerances: the error fails as rarely as stated, and <d, v> is within
 * the tolerance nearly always; most calls stop early. */
static void coarse_tolerances(void **state)
{
  (void)state;
  enum { N = 60 };
  static const double tolerances[] = {0.3, 0.1, 1e-2};
  chance c = {11};
  double calls = 0.0, early = 0.0, wrong = 0.0, unsure = 0.0, *d = room_for(N * N), w[N];
  for (int kind = 0; kind < 5; kind++) {
    for (size_t i = 0; i < N; i++) {
      double x = (double)i / N;
      const double by_kind[] = {x - 0.5, -pow(0.8, (double)i), i == 0 ? -1.05 : -1.0, i == 0 ? -1.0 : -0.999 + x, 0.0};
      w[i] = by_kind[kind];
    }
    if (kind < 4)
      with_eigenvalues(&c, N, w, d);
    else
      chance_normals(&c, N * N, d);
    opened o = open_seeded(traced("spectraplex", N), (uint64_t)kind);
    long double least = least_of(N, d, 0);
    for (int t = 0; t < 1200; t++) {
      ofw_answer got;
      assert_int_equal(answer(o, d, tolerances[t % 3], INFINITY, &got), OFW_OK);
      long double missing = got.value - least;
      int failed = missing > got.error + 1e-13L * fabsl(least);
      if (got.proven)
        assert_false(failed);
      wrong += failed;
      unsure += missing > tolerances[t % 3] * fabsl(got.value);
      early += got.passes < N / 2;
      calls++;
    }
    shut(o);
  }
  free(d);
  assert_at_most(wrong, most_failures(1e-3, calls));
  assert_at_most(unsure, 0.05 * calls);
  assert_true(early > calls / 2);
}

/* An absolute accuracy is that of <d, v>, in its units. */
static void an_absolute_accuracy(void **state)
{
  (void)state;
  enum { N = 40 };
  static const double scales[] = {1.0, 1e-300, 1e300};
  chance c = {14};
  double d[N * N];
  for (size_t k = 0; k < 3; k++) {
    opened o = open_seeded(traced("spectraplex", N), k);
    for (int t = 0; t < 40; t++) {
      ofw_answer got;
      for (size_t i = 0; i < N * N; i++)
        d[i] = scales[k] * chance_normal(&c);
      double absolute = scales[k] * pow(10.0, -(double)(t % 6));
      assert_int_equal(answer(o, d, 0.5, absolute, &got), OFW_OK);
      is_honest(N, d, least_of(N, d, 0), got, 0.5);
      assert_at_most(got.error, absolute);
    }
    shut(o);
  }
}

/* A start is fixed by the seed and the number of the call, and the next call takes another. */
static void starts(void **state)
{
  (void)state;
  enum { N = 40 };
  ofw_answer a[3], b[3];
  double d[N * N];
  chance c = {15};
  opened first = open_seeded(traced("spectraplex", N), 4), second = open_seeded(traced("spectraplex", N), 4);
  chance_normals(&c, N * N, d);
  for (int t = 0; t < 3; t++) {
    assert_int_equal(answer(first, d, 0.1, INFINITY, &a[t]), OFW_OK);
    assert_int_equal(answer(second, d, 0.1, INFINITY, &b[t]), OFW_OK);
    assert_true(a[t].value == b[t].value && a[t].error == b[t].error && a[t].passes == b[t].passes);
  }
  assert_true(a[0].value != a[1].value && a[1].value != a[2].value);
  shut(first);
  shut(second);
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

/* R: the matrices of rank one. r: straight away from one of them. */
static void radii_and_centre(void **state)
{
  (void)state;
  for (size_t n = 1; n <= 6; n++) {
    double m = (double)n, w[6] = {TRACE}, far[36], tight[36], centre[36];
    double r = n > 1 ? TRACE / sqrt(m * (m - 1.0)) : 0.0;
    chance c = {6};
    ofw_domain *K = traced("spectraplex", n);
    with_eigenvalues(&c, n, w, far);
    for (size_t l = 0; l < n; l++)
      w[l] = n > 1 ? (l ? 1.0 / m : 1.0 / m - 1.0) / sqrt((m - 1.0) / m) : 0.0;
    with_eigenvalues(&c, n, w, tight);
    has_radii(K, TRACE, r, far, tight, n > 1 ? into_hull : NULL);
    has_hull(K, n * (n + 1) / 2 - 1);
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < n * n; i++)
      assert_true(centre[i] == (i % (n + 1) == 0 ? TRACE / m : 0.0));
    assert_int_equal(K->from_centre, 1);
    assert_true(K->rows == n && K->cols == n);
    ofw_domain_free(K);
  }
}

/* Where there are too many normals, there are none, and bandit learners have no room. */
static void many_normals(void **state)
{
  (void)state;
  ofw_domain *some = domain_of("spectraplex:dim=916"), *none = domain_of("spectraplex:dim=917");
  assert_int_equal(some->normals, 916 * 915 / 2 + 1);
  assert_true(some->r > 0.0);
  assert_int_equal(none->normals, 0);
  assert_true(none->r == 0.0);
  ofw_domain_free(some);
  ofw_domain_free(none);
}

/* Asymmetry, the trace, and eigenvalues. */
static void excess_looks_at_everything(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("spectraplex:dim=2,trace=2");
  assert_true(ofw_domain_excess(K, (double[]){1.0, 0.0, 0.0, 1.0}) == 0.0);
  assert_near(ofw_domain_excess(K, (double[]){1.0, 1.0, 1.0, 1.0}), 0.0L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){0.0, 0.0, 0.0, 0.0}), 2.0L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){2.0, 0.0, 0.0, 1.0}), 1.0L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){2.5, 0.0, 0.0, -0.5}), 0.5L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){1.0, 1.5, 1.5, 1.0}), 0.5L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){1.0, 0.25, -0.25, 1.0}), 0.25L, 1e-15L);
  assert_true(ofw_domain_excess(K, (double[]){1e308, 1e308, 1e308, 1e308}) > 1e307);
  ofw_domain_free(K);
}

/* Points of K, also those of rank one, stay as they are. */
static void points_of_it_stay(void **state)
{
  (void)state;
  enum { N = 4 };
  ofw_domain *K = traced("spectraplex", N);
  chance c = {21};
  for (int t = 0; t < 300; t++) {
    double w[N] = {0}, y[N * N], x[N * N], left = TRACE;
    for (size_t l = 0; l + 1 < N && t % 3; l++)
      left -= w[l] = left * chance_unit(&c) * (t % 3 == 1);
    w[N - 1] = left;
    with_eigenvalues(&c, N, w, y);
    assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
    assert_memory_equal(x, y, sizeof x);
  }
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  refuses_bad_traces("spectraplex");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_directions),
      cmocka_unit_test(all_spectra),
      cmocka_unit_test(the_rest_of_a_direction),
      cmocka_unit_test(no_symmetric_part),
      cmocka_unit_test(far_apart_scales),
      cmocka_unit_test(atoms_are_symmetric),
      cmocka_unit_test(coarse_tolerances),
      cmocka_unit_test(an_absolute_accuracy),
      cmocka_unit_test(starts),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(many_normals),
      cmocka_unit_test(excess_looks_at_everything),
      cmocka_unit_test(points_of_it_stay),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
