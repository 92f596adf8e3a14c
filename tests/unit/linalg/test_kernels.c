/* test_kernels.c — each loop against the same sum written out in long double */
#include "linalg/kernels.h"

#include "unit/linalg/chance.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

static const size_t large[] = {63, 64, 65, 1000, 4097, 100000};
enum { SMALL = 41, LARGE = sizeof large / sizeof *large, SIZES = SMALL + LARGE };

/* 0, 1, .., 40, then some large ones */
static size_t size_at(size_t k)
{
  return k < SMALL ? k : large[k - SMALL];
}

static double *normals(chance *c, size_t n)
{
  double *x = room_for(n);
  chance_normals(c, n, x);
  return x;
}

static void dot(void **state)
{
  (void)state;
  chance c = {1};
  for (size_t k = 0; k < SIZES; k++) {
    size_t n = size_at(k);
    double *a = normals(&c, n), *b = normals(&c, n);
    long double size = slow_norm(n, a) * slow_norm(n, b);
    assert_near(ofw_dot(n, a, b), slow_dot(n, a, b), DBL_EPSILON * (4.0L + sqrtl((long double)n)) * size);
    free(a);
    free(b);
  }
  assert_true(ofw_dot(0, NULL, NULL) == 0.0);
  for (size_t n = 1; n < SMALL; n++) /* each place counts once */
    for (size_t i = 0; i < n; i++) {
      double a[SMALL] = {0}, b[SMALL];
      for (size_t j = 0; j < n; j++)
        b[j] = (double)(j + 1);
      a[i] = 2.0;
      assert_true(ofw_dot(n, a, b) == 2.0 * (double)(i + 1));
    }
}

static void axpy(void **state)
{
  (void)state;
  chance c = {2};
  for (size_t k = 0; k < SIZES; k++) {
    size_t n = size_at(k);
    double *a = normals(&c, n), *y = normals(&c, n + 1), *before = room_for(n + 1), factor = chance_normal(&c);
    memcpy(before, y, (n + 1) * sizeof *y);
    ofw_axpy(n, factor, a, y);
    for (size_t i = 0; i < n; i++)
      assert_near(y[i], before[i] + (long double)factor * a[i], DBL_EPSILON * (fabs(factor * a[i]) + fabs(y[i])));
    assert_true(y[n] == before[n]); /* and not one more */
    free(a), free(y), free(before);
  }
}

static void norm(void **state)
{
  (void)state;
  static const double scales[] = {1.0, 1e-310, 1e-300, 1e-160, 1e-140, 1e140, 1e155, 1e300};
  chance c = {3};
  for (size_t k = 0; k < SIZES; k++)
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
      size_t n = size_at(k);
      double *a = normals(&c, n);
      for (size_t i = 0; i < n; i++)
        a[i] *= scales[s];
      long double want = slow_norm(n, a);
      assert_near(ofw_norm(n, a), want, want * DBL_EPSILON * (4.0L + sqrtl((long double)n)) + 0x1p-1074L);
      free(a);
    }
}

static void norm_at_the_ends_of_the_range(void **state)
{
  (void)state;
  double most = DBL_MAX, least = 0x1p-1074;
  assert_true(ofw_norm(0, NULL) == 0.0);
  assert_true(ofw_norm(3, (double[]){0.0, -0.0, 0.0}) == 0.0);
  assert_true(ofw_norm(1, &least) == least);
  assert_true(ofw_norm(3, (double[]){0.0, -least, 0.0}) == least);
  assert_true(ofw_norm(2, (double[]){3.0 * least, -4.0 * least}) == 5.0 * least);
  assert_true(ofw_norm(1, &most) == most);
  assert_true(ofw_norm(2, (double[]){0.0, -most}) == most);
  assert_near(ofw_norm(2, (double[]){most / 2.0, most / 2.0}), (long double)most / sqrtl(2.0L), 1e-15L * most);
  assert_near(ofw_norm(2, (double[]){3e200, 4e-200}), 3e200L, 1e185L);
  assert_true(ofw_norm(3, (double[]){1.0, -INFINITY, 2.0}) == INFINITY);
  assert_true(ofw_norm(2, (double[]){most, most}) == INFINITY); /* the true length is no double */
}

static void largest(void **state)
{
  (void)state;
  chance c = {4};
  assert_true(ofw_largest(0, NULL) == 0.0);
  for (size_t k = 1; k < SIZES; k++) {
    size_t n = size_at(k);
    double *a = normals(&c, n), most = 0.0;
    for (size_t i = 0; i < n; i++)
      most = fmax(most, fabs(a[i]));
    assert_true(ofw_largest(n, a) == most);
    size_t at = chance_below(&c, n);
    a[at] = at % 2 ? -1e300 : 1e300;
    assert_true(ofw_largest(n, a) == 1e300);
    free(a);
  }
  assert_true(ofw_largest(2, (double[]){0x1p-1074, -0x1p-1073}) == 0x1p-1073);
}

static void first_not_finite(void **state)
{
  (void)state;
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  chance c = {5};
  assert_int_equal(ofw_first_not_finite(0, NULL), 0);
  for (size_t n = 1; n < SMALL; n++)
    for (size_t at = 0; at < n; at++)
      for (size_t k = 0; k < 3; k++) {
        double *a = normals(&c, n);
        assert_int_equal(ofw_first_not_finite(n, a), n);
        a[n - 1] = bad[(k + 1) % 3]; /* a later one does not hide it */
        a[at] = bad[k];
        assert_int_equal(ofw_first_not_finite(n, a), at);
        free(a);
      }
  double extreme[] = {DBL_MAX, DBL_MAX, -DBL_MAX, 0x1p-1074, -0.0}; /* sums that overflow are no reason */
  assert_int_equal(ofw_first_not_finite(5, extreme), 5);
}

/* Adds to what is there. */
static void segment(void **state)
{
  (void)state;
  chance c = {6};
  for (size_t k = 0; k < SIZES; k++) {
    size_t n = size_at(k);
    double *x = normals(&c, n), *d = normals(&c, n), *v = normals(&c, n), slope = 0.5, length2 = -0.25;
    long double want_slope = 0.5L, want_length2 = -0.25L, size = 1.0L;
    for (size_t i = 0; i < n; i++) {
      long double e = (long double)v[i] - x[i];
      want_slope += d[i] * e;
      want_length2 += e * e;
      size += e * e + (long double)d[i] * d[i];
    }
    ofw_segment(n, x, d, v, &slope, &length2);
    assert_near(slope, want_slope, DBL_EPSILON * (8.0L + sqrtl((long double)n)) * size);
    assert_near(length2, want_length2, DBL_EPSILON * (8.0L + sqrtl((long double)n)) * size);
    free(x), free(d), free(v);
  }
}

static void step(void **state)
{
  (void)state;
  chance c = {7};
  for (size_t k = 0; k < SIZES; k++) {
    size_t n = size_at(k);
    double *x = normals(&c, n), *d = normals(&c, n), *v = normals(&c, n), sig = chance_unit(&c), curv = 3.0 * sig;
    double *x0 = room_for(n), *d0 = room_for(n);
    memcpy(x0, x, n * sizeof *x);
    memcpy(d0, d, n * sizeof *d);
    ofw_step(n, x, d, v, sig, curv);
    for (size_t i = 0; i < n; i++) {
      long double e = (long double)v[i] - x0[i]; /* of the old x, also for d */
      assert_near(x[i], x0[i] + sig * e, 8e-16L * (fabs(x0[i]) + fabsl(e)));
      assert_near(d[i], d0[i] + curv * e, 8e-16L * (fabs(d0[i]) + 3.0L * fabsl(e)));
    }
    free(x), free(d), free(v), free(x0), free(d0);
  }
}

static void whole_and_no_steps(void **state)
{
  (void)state;
  double x[] = {1.0, -2.0, 0.5}, d[] = {0.0, 1.0, 2.0}, v[] = {4.0, 4.0, -4.0};
  ofw_step(3, x, d, v, 0.0, 0.0);
  assert_true(x[0] == 1.0 && x[1] == -2.0 && x[2] == 0.5 && d[0] == 0.0 && d[1] == 1.0 && d[2] == 2.0);
  ofw_step(3, x, d, v, 1.0, 2.0);
  assert_true(x[0] == 4.0 && x[1] == 4.0 && x[2] == -4.0 && d[0] == 6.0 && d[1] == 13.0 && d[2] == -7.0);
}

/* u = A v and w = A' u for A = 2^-exponent a; the entries are such that A's are about 1. */
static void pass_of(chance *c, size_t rows, size_t cols, int exponent)
{
  double *a = room_for(rows * cols), *v = normals(c, cols), *u = room_for(rows), *w = normals(c, cols);
  for (size_t i = 0; i < rows * cols; i++)
    a[i] = ldexp(chance_normal(c), exponent);
  ofw_pass(rows, cols, a, exponent, v, u, w);
  long double size = slow_norm(cols, v) * sqrtl((long double)(rows * cols)), slack = 1e-14L * (1.0L + size);
  for (size_t i = 0; i < rows; i++)
    assert_near(u[i], ldexpl(slow_dot(cols, a + i * cols, v), -exponent), slack);
  for (size_t j = 0; j < cols; j++) {
    long double want = 0.0L;
    for (size_t i = 0; i < rows; i++)
      want += ldexpl(a[i * cols + j], -exponent) * u[i];
    assert_near(w[j], want, slack * sqrtl((long double)rows));
  }
  free(a), free(v), free(u), free(w);
}

static void pass(void **state)
{
  (void)state;
  static const int exponents[] = {0, 1, -1, 7, -7, 200, -201, 1020, -1000};
  chance c = {8};
  for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
    for (size_t n = 1; n < SMALL; n++) {
      pass_of(&c, n, 5, exponents[e]);
      pass_of(&c, 3, n, exponents[e]);
    }
    pass_of(&c, 120, 97, exponents[e]);
  }
}

/* The least denormals come out as themselves, since scaling by a power of two is exact. */
static void pass_over_denormals(void **state)
{
  (void)state;
  double a[] = {0x1p-1074, 0x1p-1073, -0x1p-1074, 0.0, 0x1p-1072, 0x1p-1074}, v[] = {1.0, 1.0, 2.0}, u[2], w[3];
  ofw_pass(2, 3, a, -1073, v, u, w);
  assert_true(u[0] == 0.5 && u[1] == 3.0);
  assert_true(w[0] == 0.25 && w[1] == 6.5 && w[2] == 1.25);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dot),
      cmocka_unit_test(axpy),
      cmocka_unit_test(norm),
      cmocka_unit_test(norm_at_the_ends_of_the_range),
      cmocka_unit_test(largest),
      cmocka_unit_test(first_not_finite),
      cmocka_unit_test(segment),
      cmocka_unit_test(step),
      cmocka_unit_test(whole_and_no_steps),
      cmocka_unit_test(pass),
      cmocka_unit_test(pass_over_denormals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
