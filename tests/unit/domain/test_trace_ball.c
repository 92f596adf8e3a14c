/* test_trace_ball.c — what the oracle answers; whether its error is honest is in test_trace_ball_error.c */
#include "unit/domain/trace_check.h"

/* Asks at 1e-12 and at 1e-2. */
static void both_tolerances(opened o, known a)
{
  ofw_answer got;
  assert_int_equal(answer(o, a.d, 1e-12, INFINITY, &got), OFW_OK);
  is_exact(a, got);
  assert_int_equal(answer(o, a.d, 1e-2, INFINITY, &got), OFW_OK);
  is_honest(a, got, 1e-2);
}

static void check(opened o, size_t m, size_t n, const double *d)
{
  known a = decompose(m, n, d);
  both_tolerances(o, a);
  forget(a);
}

static void random_matrices(void **state)
{
  (void)state;
  static const size_t shape[][3] = {{1, 1, 300},   {1, 9, 500},  {9, 1, 500},  {6, 4, 1000}, {5, 7, 1000},
                                    {12, 12, 500}, {40, 36, 60}, {34, 50, 60}, {120, 90, 3}};
  chance c = {1};
  for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
    size_t m = shape[k][0], n = shape[k][1];
    opened o = open_seeded(trace_ball(m, n), k);
    double *d = room_for(m * n);
    for (size_t t = 0; t < shape[k][2]; t++) {
      chance_normals(&c, m * n, d);
      check(o, m, n, d);
    }
    free(d);
    shut(o);
  }
}

/* Through the public call: the same, and v is in K by a decomposition of its own. */
static void the_public_call(void **state)
{
  (void)state;
  ofw_domain *K = trace_ball(6, 4);
  chance c = {2};
  double d[24], v[24], y[24], error;
  for (int t = 0; t < 1000; t++) {
    chance_normals(&c, 24, d);
    assert_int_equal(ofw_domain_minimise(K, d, 1e-12, v, &error, NULL), OFW_OK);
    assert_near(slow_dot(24, d, v), -RADIUS * largest_singular(6, 4, d), error + 1e-13L);
    assert_at_most(ofw_domain_excess(K, v), 1e-13L);
    random_feasible(K, &c, y);
    assert_at_most(ofw_domain_excess(K, y), 1e-13L);
    assert_at_most(slow_dot(24, d, v), slow_dot(24, d, y) + 1e-12L);
  }
  ofw_domain_free(K);
}

/* Spectra that are hard, in shapes that end by themselves (12 x 9) and that stop on the bounds (60 x 45, 45 x 60). */
static void special_spectra(void **state)
{
  (void)state;
  static const size_t shape[][2] = {{12, 9}, {9, 12}, {60, 45}, {45, 60}};
  chance c = {3};
  for (size_t k = 0; k < 4; k++) {
    size_t m = shape[k][0], n = shape[k][1], rank = lesser(m, n);
    opened o = open_seeded(trace_ball(m, n), k);
    double *d = room_for(m * n), *s = room_for(rank);
    for (int kind = 0; kind < 7; kind++)
      for (int t = 0; t < 5; t++) {
        for (size_t i = 0; i < rank; i++) {
          double x = (double)i / (double)rank;
          const double by_kind[] = {i == 0 ? 1.0 + 1e-9 : 1.0 - x, /* the second is next to the first */
                                    i < 3 ? 7.0 : 1.0 - x,         /* an exact tie of three */
                                    1.0,                           /* all the same */
                                    i < 1 ? 1.0 : 0.0,             /* rank one */
                                    i < 3 ? 1.0 - x : 0.0,         /* rank three */
                                    pow(0.5, (double)i),           /* falling fast */
                                    pow(1e-3, (double)i)};         /* faster */
          s[i] = by_kind[kind];
        }
        with_spectrum(&c, m, n, s, d);
        check(o, m, n, d);
        diagonal(m, n, s, d);
        check(o, m, n, d);
      }
    free(d);
    free(s);
    shut(o);
  }
}

/* Whole matrices at scales whose squares are no doubles; at 1e-310 the entries have few bits left. */
static void extreme_scales(void **state)
{
  (void)state;
  static const double scales[] = {1e-300, 1e300, 1e-310, 1e-160, 1e160, 0x1p-1074, 0x1p-200, 0x1p200};
  static const size_t shape[][2] = {{1, 1}, {6, 4}, {4, 6}, {40, 36}};
  chance c = {4};
  for (size_t k = 0; k < 4; k++) {
    size_t m = shape[k][0], n = shape[k][1];
    opened o = open_seeded(trace_ball(m, n), k);
    double *d = room_for(m * n);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
      for (int t = 0; t < 20; t++) {
        for (size_t j = 0; j < m * n; j++)
          d[j] = scales[i] * (scales[i] == 0x1p-1074 ? 1.0 + (double)chance_below(&c, 5) : chance_normal(&c));
        check(o, m, n, d);
      }
    free(d);
    shut(o);
  }
}

/* One large entry among small ones, rows and columns of zeros. */
/* Squares of what is left beside the first singular value are below DBL_MIN, where bisection has to end by itself. */
static void a_remainder_below_all_digits(void **state)
{
  (void)state;
  opened o = open_seeded(trace_ball(5, 8), 1);
  chance c = {11};
  double d[40];
  for (int t = 0; t < 300; t++) {
    chance_normals(&c, 40, d);
    for (size_t i = 0; i < 32; i++)
      d[i] *= i == 3 ? 1e-154 * (1 + t % 30) / 10 : 1e-183;
    check(o, 5, 8, d);
  }
  shut(o);
}

static void sparse_matrices(void **state)
{
  (void)state;
  opened o = open_seeded(trace_ball(7, 5), 1);
  chance c = {5};
  for (int t = 0; t < 1000; t++) {
    double d[35] = {0};
    for (size_t i = 0; i < 1 + chance_below(&c, 6); i++)
      d[chance_below(&c, 35)] = chance_normal(&c) * pow(10.0, 8.0 * chance_normal(&c));
    check(o, 7, 5, d);
  }
  shut(o);
}

static void the_zero_matrix(void **state)
{
  (void)state;
  ofw_domain *K = trace_ball(4, 3);
  double d[12] = {0}, v[12], error = -1.0;
  d[5] = -0.0;
  assert_int_equal(ofw_domain_minimise(K, d, 1e-2, v, &error, NULL), OFW_OK);
  assert_true(error == 0.0 && ofw_domain_excess(K, v) == 0.0);
  ofw_domain_free(K);
}

/* More columns than the basis has room for. The third spectrum needs more than one filling of it at 1e-9. */
static void a_large_matrix(void **state)
{
  (void)state;
  enum { M = 700, N = 400 };
  static const double gaps[] = {1e-2, 3e-3, 1.2e-3};
  double *d = room_for(M * N), *s = room_for(N);
  chance c = {19};
  for (size_t k = 0; k < 3; k++) {
    opened o = open_seeded(trace_ball(M, N), k == 2 ? 19 : 1);
    ofw_answer got;
    for (size_t i = 0; i < N; i++)
      s[i] = i ? (1.0 - gaps[k]) * (1.0 - pow((double)i / N, 2.0)) : 1.0; /* crowded below the first */
    if (k == 1)
      with_spectrum(&c, M, N, s, d);
    else
      diagonal(M, N, s, d);
    known a = decompose(M, N, d);
    assert_int_equal(answer(o, d, k == 2 ? 1e-9 : 1e-12, INFINITY, &got), OFW_OK);
    is_honest(a, got, k == 2 ? 1e-9 : 1e-12);
    assert_int_equal(answer(o, d, 1e-2, INFINITY, &got), OFW_OK);
    is_honest(a, got, 1e-2);
    forget(a);
    shut(o);
  }
  free(d);
  free(s);
}

/* R: the rank-one matrices. r: where all singular values are the same. */
static void radii_and_centre(void **state)
{
  (void)state;
  static const size_t shape[][2] = {{1, 1}, {1, 6}, {6, 1}, {5, 3}, {3, 5}, {4, 4}};
  for (size_t k = 0; k < 6; k++) {
    size_t m = shape[k][0], n = shape[k][1], rank = lesser(m, n), rows, cols;
    double far[MOST_DIM], tight[MOST_DIM], s[MOST_DIM] = {RADIUS}, centre[MOST_DIM];
    chance c = {6};
    ofw_domain *K = trace_ball(m, n);
    with_spectrum(&c, m, n, s, far);
    for (size_t i = 0; i < rank; i++)
      s[i] = 1.0 / sqrt((double)rank);
    with_spectrum(&c, m, n, s, tight);
    has_radii(K, RADIUS, RADIUS / sqrt((double)rank), far, tight, NULL);
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < m * n; i++)
      assert_true(centre[i] == 0.0);
    ofw_domain_shape(K, &rows, &cols);
    assert_true(rows == m && cols == n && ofw_domain_dim(K) == m * n);
    ofw_domain_free(K);
  }
}

static void bad_specs(void **state)
{
  (void)state;
  misused("trace-ball", "", ": rows is required (rows m)");
  misused("trace-ball", ":rows=3", ": cols is required (columns n)");
  misused("trace-ball", ":cols=3", ": rows is required (rows m)");
  misused("trace-ball", ":rows=0,cols=3", ": rows=0 is not in [1, 1e+09]");
  misused("trace-ball", ":rows=3,cols=1000000001", ": cols=1000000001 is not in [1, 1e+09]");
  misused("trace-ball", ":rows=3,cols=2.5", ": cols=2.5 is not a whole number >= 0");
  misused("trace-ball", ":rows=3,cols=3,radius=0", ": radius=0 is not in [1e-100, 1e+100]");
  misused("trace-ball", ":rows=3,cols=3,radius=big", ": radius=big is not a number");
  misused("trace-ball", ":rows=3,colls=3", ": no option 'colls'; did you mean 'cols'?");
  misused("trace-ball", ":dim=3", ": no option 'dim'; its options: rows, cols, radius");
  refused("trace-bal:rows=3,cols=3", OFW_USAGE, "no domain 'trace-bal'; did you mean 'trace-ball'?");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_matrices), cmocka_unit_test(the_public_call),
      cmocka_unit_test(special_spectra), cmocka_unit_test(extreme_scales),
      cmocka_unit_test(sparse_matrices), cmocka_unit_test(the_zero_matrix),
      cmocka_unit_test(a_large_matrix),  cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(bad_specs),       cmocka_unit_test(a_remainder_below_all_digits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
