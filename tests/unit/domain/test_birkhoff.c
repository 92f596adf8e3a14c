#include "unit/domain/hull_check.h"
#include "unit/domain/lp_check.h"

/* By the set's rows and columns as a linear programme; scaled, since CLP has absolute tolerances. */
static long double least_by_lp(size_t dim, const double *d, const void *set)
{
  double scaled[MOST_DIM] = {0}, most = 0.0;
  int e;
  for (size_t i = 0; i < dim; i++)
    most = fmax(most, fabs(d[i]));
  frexp(most, &e);
  for (size_t i = 0; i < dim; i++)
    scaled[i] = ldexp(d[i], -e);
  double x[MOST_DIM];
  lp_least(*(const lp *)set, scaled, x);
  for (size_t i = 0; i < dim; i++)
    x[i] = round(x[i]); /* a vertex */
  return slow_dot(dim, d, x);
}

static lp open_lp(size_t n)
{
  double *a = room_for(2 * n * n * n), one[2 * MOST_DIM], low[MOST_DIM], high[MOST_DIM];
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      a[i * n * n + i * n + j] = a[(n + j) * n * n + i * n + j] = 1.0;
  for (size_t i = 0; i < 2 * n; i++)
    one[i] = 1.0;
  for (size_t i = 0; i < n * n; i++) {
    low[i] = 0.0;
    high[i] = INFINITY;
  }
  lp p = lp_open(2 * n, n * n, a, one, one, low, high);
  free(a);
  return p;
}

/* 10 000 directions at all scales. */
static void the_cheapest_permutation(void **state)
{
  (void)state;
  static const size_t sides[] = {1, 2, 3, 5, 8};
  for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
    ofw_domain *K = domain_in("birkhoff", sides[k], "");
    lp p = open_lp(sides[k]);
    is_least(K, 2000, least_by_lp, &p);
    lp_close(p);
    ofw_domain_free(K);
  }
}

static void ties_go_to_the_lowest_columns(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("birkhoff", 3, "");
  double v[9];
  static const double d[][9] = {
      {0.0, -0.0}, {1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, {5, 5, 0, 5, 5, 0, 5, 5, 0}};
  static const size_t want[][3] = {{0, 1, 2}, {1, 0, 2}, {0, 1, 2}};
  for (size_t k = 0; k < 3; k++) {
    ask(K, d[k], v);
    for (size_t i = 0; i < 9; i++)
      assert_true(v[i] == (want[k][i / 3] == i % 3 ? 1.0 : 0.0));
  }
  ofw_domain_free(K);
}

static void leave_sums(size_t dim, double *u)
{
  size_t n = (size_t)lround(sqrt((double)dim));
  double m = (double)n, row[MOST_DIM] = {0}, col[MOST_DIM] = {0}, all = 0.0;
  for (size_t i = 0; i < dim; i++) {
    row[i / n] += u[i] / m;
    col[i % n] += u[i] / m;
    all += u[i] / m / m;
  }
  for (size_t i = 0; i < dim; i++)
    u[i] += all - row[i / n] - col[i % n];
}

/* Twice: in two rows little is left of most u, and that with few digits. */
static void into_hull(size_t dim, double *u)
{
  leave_sums(dim, u);
  leave_sums(dim, u);
}

/* R: every permutation. r: straight towards an entry of 0. */
static void radii_and_centre(void **state)
{
  (void)state;
  for (size_t n = 2; n <= 8; n++) {
    double m = (double)n, far[MOST_DIM] = {0}, tight[MOST_DIM] = {0}, centre[MOST_DIM];
    ofw_domain *K = domain_in("birkhoff", n, "");
    for (size_t i = 0; i < n; i++)
      far[i * n + (i + 1) % n] = 1.0;
    tight[n + 1] = -1.0;
    into_hull(n * n, tight);
    double length = (double)slow_norm(n * n, tight);
    for (size_t i = 0; i < n * n; i++)
      tight[i] /= length;
    has_radii(K, sqrt(m), 1.0 / (m - 1.0), far, tight, into_hull);
    has_hull(K, (n - 1) * (n - 1));
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < n * n; i++)
      assert_true(centre[i] == 1.0 / m);
    assert_true(K->from_centre == 1 && K->rows == n && K->cols == n);
    ofw_domain_free(K);
  }
}

/* One row: a single point. Beyond 512 rows: no normals. */
static void the_ends_of_the_sizes(void **state)
{
  (void)state;
  ofw_domain *one = domain_in("birkhoff", 1, ""), *some = domain_in("birkhoff", 512, "");
  ofw_domain *none = domain_in("birkhoff", 513, "");
  double v;
  assert_true(ask(one, (double[]){-3.0}, &v) == -3.0L);
  assert_true(v == 1.0 && one->r == 0.0);
  has_hull(one, 0);
  assert_true(some->normals == 1023 && some->r == 1.0 / 511.0);
  assert_true(none->normals == 0 && none->r == 0.0);
  ofw_domain_free(one);
  ofw_domain_free(some);
  ofw_domain_free(none);
}

static void excess_looks_at_rows_columns_and_signs(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("birkhoff", 2, "");
  assert_true(ofw_domain_excess(K, (double[]){0.25, 0.75, 0.75, 0.25}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){0.0, 0.0, 0.0, 0.0}) == 1.0);
  assert_true(ofw_domain_excess(K, (double[]){1.0, 0.0, 1.0, 0.0}) == 1.0);
  assert_true(ofw_domain_excess(K, (double[]){1.0, 1.0, 0.0, 0.0}) == 1.0);
  assert_true(ofw_domain_excess(K, (double[]){1.25, -0.25, -0.25, 1.25}) == 0.25);
  ofw_domain_free(K);
}

static void there_is_no_projection(void **state)
{
  (void)state;
  ofw_domain *K = domain_in("birkhoff", 2, "");
  ofw_error err = {0};
  double x[4] = {7.0};
  assert_int_equal(ofw_domain_project(K, (double[4]){1.0}, x, &err), OFW_UNSUPPORTED);
  assert_string_equal(err.message, "no projection onto birkhoff:dim=2 is known");
  assert_true(x[0] == 7.0);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("birkhoff", "", ": dim is required (rows n)");
  misused("birkhoff", ":dim=0", ": dim=0 is not in [1, 1e+06]");
  misused("birkhoff", ":dim=1000001", ": dim=1000001 is not in [1, 1e+06]");
  misused("birkhoff", ":dim=2.5", ": dim=2.5 is not a whole number >= 0");
  misused("birkhoff", ":dim=3,sum=2", ": no option 'sum'; its options: dim");
  refused("birkhof:dim=3", OFW_USAGE, "no domain 'birkhof'; did you mean 'birkhoff'?");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cheapest_permutation),
      cmocka_unit_test(ties_go_to_the_lowest_columns),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(the_ends_of_the_sizes),
      cmocka_unit_test(excess_looks_at_rows_columns_and_signs),
      cmocka_unit_test(there_is_no_projection),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
