#include "unit/domain/trace_check.h"

static ofw_domain *operator_ball(size_t m, size_t n)
{
  char spec[TEXT];
  say(spec, "operator-ball:rows=%zu,cols=%zu,radius=%.17g", m, n, RADIUS);
  return domain_of(spec);
}

/* -RADIUS times the sum of all singular values, the slow way */
static long double least_sum(size_t n, const double *d, const void *set)
{
  const size_t *shape = set;
  known a = decompose(shape[0], shape[1], d);
  long double sum = 0.0L;
  assert_int_equal(n, shape[0] * shape[1]);
  for (size_t l = 0; l < lesser(shape[0], shape[1]); l++)
    sum += a.s[l];
  sum = -RADIUS * ldexpl(sum, a.exponent);
  forget(a);
  return sum;
}

/* More than 10 000 directions, at all scales. */
static void all_singular_values(void **state)
{
  (void)state;
  static const size_t shape[][2] = {{1, 1}, {1, 7}, {7, 1}, {4, 3}, {3, 4}, {6, 6}, {8, 5}};
  for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
    ofw_domain *K = operator_ball(shape[k][0], shape[k][1]);
    is_least(K, 1600, least_sum, shape[k]);
    ofw_domain_free(K);
  }
}

/* Rank one, ties, singular values that fall fast: the value is right, and v still in K. */
static void special_spectra(void **state)
{
  (void)state;
  static const size_t shape[2] = {7, 5};
  ofw_domain *K = operator_ball(7, 5);
  chance c = {3};
  for (int t = 0; t < 400; t++) {
    double s[5], d[35], v[35];
    for (size_t i = 0; i < 5; i++)
      s[i] = t % 4 == 0 ? 1.0 : t % 4 == 1 ? (i < 1) : t % 4 == 2 ? pow(1e-4, (double)i) : (double)(i / 2);
    with_spectrum(&c, 7, 5, s, d);
    assert_near(ask(K, d, v), least_sum(35, d, shape), 1e-13L * RADIUS);
  }
  ofw_domain_free(K);
}

static void the_zero_direction(void **state)
{
  (void)state;
  ofw_domain *K = operator_ball(3, 4);
  double v[12];
  assert_true(ask(K, (double[12]){0.0, -0.0}, v) == 0.0L);
  ofw_domain_free(K);
}

/* R: all singular values the same. r: one alone. */
static void radii_and_centre(void **state)
{
  (void)state;
  static const size_t shape[][2] = {{1, 1}, {1, 6}, {6, 1}, {5, 3}, {3, 5}, {4, 4}};
  for (size_t k = 0; k < 6; k++) {
    size_t m = shape[k][0], n = shape[k][1], rank = lesser(m, n);
    double far[MOST_DIM], tight[MOST_DIM], s[MOST_DIM] = {1.0}, centre[MOST_DIM];
    chance c = {6};
    ofw_domain *K = operator_ball(m, n);
    with_spectrum(&c, m, n, s, tight);
    for (size_t i = 0; i < rank; i++)
      s[i] = RADIUS;
    with_spectrum(&c, m, n, s, far);
    has_radii(K, RADIUS * sqrt((double)rank), RADIUS, far, tight, NULL);
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < m * n; i++)
      assert_true(centre[i] == 0.0);
    assert_int_equal(K->normals, 0);
    assert_true(K->rows == m && K->cols == n && ofw_domain_dim(K) == m * n);
    ofw_domain_free(K);
  }
}

static void excess_is_of_the_largest(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("operator-ball:rows=2,cols=3,radius=2");
  assert_true(ofw_domain_excess(K, (double[]){2.0, 0.0, 0.0, 0.0, -2.0, 0.0}) <= 1e-15);
  assert_true(ofw_domain_excess(K, (double[]){1.0, 0.0, 0.0, 0.0, 0.0, 1.0}) == 0.0);
  assert_near(ofw_domain_excess(K, (double[]){0.0, 0.0, -3.5, 0.0, 0.0, 0.0}), 1.5L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){3.0, 0.0, 4.0, 0.0, 0.0, 0.0}), 3.0L, 1e-14L);
  ofw_domain_free(K);
}

/* The decomposition anew: the same vectors, the singular values clipped; inside nothing changes. */
static void projections(void **state)
{
  (void)state;
  enum { M = 6, N = 4 };
  ofw_domain *K = operator_ball(M, N);
  chance c = {10};
  for (int t = 0; t < 400; t++) {
    double y[M * N], x[M * N], s[N], u[M * N], vt[N * N];
    for (size_t i = 0; i < N; i++)
      s[i] = t % 4 == 0 ? 0.9 * RADIUS * chance_unit(&c) : 3.0 * RADIUS * chance_unit(&c);
    with_spectrum(&c, M, N, s, y);
    svd(M, N, y, s, u, vt);
    assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
    if (t % 4 == 0)
      assert_memory_equal(x, y, sizeof x);
    for (size_t i = 0; i < M; i++)
      for (size_t j = 0; j < N; j++) {
        long double want = 0.0L;
        for (size_t l = 0; l < N; l++)
          want += fminl(s[l], RADIUS) * u[i * N + l] * vt[l * N + j];
        assert_near(x[i * N + j], want, 1e-13L);
      }
  }
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("operator-ball", "", ": rows is required (rows m)");
  misused("operator-ball", ":rows=3", ": cols is required (columns n)");
  misused("operator-ball", ":rows=0,cols=3", ": rows=0 is not in [1, 1e+09]");
  misused("operator-ball", ":rows=3,cols=1000000001", ": cols=1000000001 is not in [1, 1e+09]");
  misused("operator-ball", ":rows=3,cols=3,radius=0", ": radius=0 is not in [1e-100, 1e+100]");
  misused("operator-ball", ":rows=3,cols=3,radius=big", ": radius=big is not a number");
  misused("operator-ball", ":dim=3", ": no option 'dim'; its options: rows, cols, radius");
  refused("operator-bal:rows=3,cols=3", OFW_USAGE, "no domain 'operator-bal'; did you mean 'operator-ball'?");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_singular_values),
      cmocka_unit_test(special_spectra),
      cmocka_unit_test(the_zero_direction),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(excess_is_of_the_largest),
      cmocka_unit_test(projections),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
