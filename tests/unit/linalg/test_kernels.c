/* test_kernels.c — each loop of each variant against the same sum written out in long double */
#include "linalg/kernels.h"

#include "base/rng.h"
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

static const ofw_kernels *now; /* the variant that is tested */

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
    assert_near(now->dot(n, a, b), slow_dot(n, a, b), DBL_EPSILON * (4.0L + sqrtl((long double)n)) * size);
    free(a);
    free(b);
  }
  assert_true(now->dot(0, NULL, NULL) == 0.0);
  for (size_t n = 1; n < SMALL; n++) /* each place counts once */
    for (size_t i = 0; i < n; i++) {
      double a[SMALL] = {0}, b[SMALL];
      for (size_t j = 0; j < n; j++)
        b[j] = (double)(j + 1);
      a[i] = 2.0;
      assert_true(now->dot(n, a, b) == 2.0 * (double)(i + 1));
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
    now->axpy(n, factor, a, y);
    for (size_t i = 0; i < n; i++)
      assert_near(y[i], before[i] + (long double)factor * a[i], DBL_EPSILON * (fabs(factor * a[i]) + fabs(y[i])));
    assert_true(y[n] == before[n]); /* and not one more */
    free(a), free(y), free(before);
  }
}

static void largest(void **state)
{
  (void)state;
  chance c = {4};
  assert_true(now->largest(0, NULL) == 0.0);
  for (size_t k = 1; k < SIZES; k++) {
    size_t n = size_at(k);
    double *a = normals(&c, n), most = 0.0;
    for (size_t i = 0; i < n; i++)
      most = fmax(most, fabs(a[i]));
    assert_true(now->largest(n, a) == most);
    size_t at = chance_below(&c, n);
    a[at] = at % 2 ? -1e300 : 1e300;
    assert_true(now->largest(n, a) == 1e300);
    free(a);
  }
  assert_true(now->largest(2, (double[]){0x1p-1074, -0x1p-1073}) == 0x1p-1073);
  for (size_t at = 0; at < SMALL; at++) { /* NaN hides nothing before or after it */
    double a[SMALL];
    for (size_t i = 0; i < SMALL; i++)
      a[i] = i == at ? (double)NAN : -1.0 - (double)i;
    assert_true(now->largest(SMALL, a) == (at == SMALL - 1 ? (double)SMALL - 1.0 : (double)SMALL));
  }
}

/* Adds to what is there. */
static void segment(void **state)
{
  (void)state;
  chance c = {6};
  for (size_t k = 0; k < SIZES; k++) {
    size_t n = size_at(k);
    double *x = normals(&c, n), *d = normals(&c, n), *v = normals(&c, n), slope = 0.5, length2 = -0.25;
    double factor = k % 2 ? 1.0 : chance_normal(&c);
    long double want_slope = 0.5L, want_length2 = -0.25L, size = 1.0L;
    for (size_t i = 0; i < n; i++) {
      long double e = (long double)factor * v[i] - x[i];
      want_slope += d[i] * e;
      want_length2 += e * e;
      size += e * e + (long double)d[i] * d[i];
    }
    now->segment(n, x, d, factor, v, &slope, &length2);
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
    double factor = k % 2 ? 1.0 : chance_normal(&c);
    double *x0 = room_for(n), *d0 = room_for(n);
    memcpy(x0, x, n * sizeof *x);
    memcpy(d0, d, n * sizeof *d);
    now->step(n, x, d, factor, v, sig, curv);
    for (size_t i = 0; i < n; i++) {
      long double e = (long double)factor * v[i] - x0[i]; /* of the old x, also for d */
      long double size = fabs(x0[i]) + fabs(factor * v[i]);
      assert_near(x[i], x0[i] + sig * e, 8e-16L * size);
      assert_near(d[i], d0[i] + curv * e, 8e-16L * (fabs(d0[i]) + 3.0L * size));
    }
    free(x), free(d), free(v), free(x0), free(d0);
  }
}

static void whole_and_no_steps(void **state)
{
  (void)state;
  double x[] = {1.0, -2.0, 0.5}, d[] = {0.0, 1.0, 2.0}, v[] = {4.0, 4.0, -4.0};
  now->step(3, x, d, 1.0, v, 0.0, 0.0);
  assert_true(x[0] == 1.0 && x[1] == -2.0 && x[2] == 0.5 && d[0] == 0.0 && d[1] == 1.0 && d[2] == 2.0);
  now->step(3, x, d, 1.0, v, 1.0, 2.0);
  assert_true(x[0] == 4.0 && x[1] == 4.0 && x[2] == -4.0 && d[0] == 6.0 && d[1] == 13.0 && d[2] == -7.0);
}

/* a holds 2^exponent times normals: u = A v and w = A' u for A = 2^-exponent a. */
static void assert_pass(size_t rows, size_t cols, const double *a, int exponent, const double *v, const double *u,
                        const double *w)
{
  long double size = slow_norm(cols, v) * sqrtl((long double)(rows * cols)), slack = 1e-14L * (1.0L + size);
  for (size_t i = 0; i < rows; i++)
    assert_near(u[i], ldexpl(slow_dot(cols, a + i * cols, v), -exponent), slack);
  for (size_t j = 0; j < cols; j++) {
    long double want = 0.0L;
    for (size_t i = 0; i < rows; i++)
      want += ldexpl(a[i * cols + j], -exponent) * u[i];
    assert_near(w[j], want, slack * sqrtl((long double)rows));
  }
}

/* Arrays that begin `shift` numbers after where they may, and end where they may not be passed. */
static void pass_of(chance *c, size_t rows, size_t cols, size_t shift)
{
  double *a = normals(c, shift + rows * cols), *v = normals(c, shift + cols);
  double *u = normals(c, shift + rows + 1), *w = normals(c, shift + cols + 1);
  double last_u = u[shift + rows], last_w = w[shift + cols];
  now->pass(rows, cols, a + shift, v + shift, u + shift, w + shift);
  assert_pass(rows, cols, a + shift, 0, v + shift, u + shift, w + shift);
  assert_true(u[shift + rows] == last_u && w[shift + cols] == last_w);
  free(a), free(v), free(u), free(w);
}

static void pass(void **state)
{
  (void)state;
  chance c = {8};
  for (size_t rows = 1; rows < SMALL; rows++)
    for (size_t cols = 0; cols < SMALL; cols++)
      pass_of(&c, rows, cols, (rows + cols) % 4);
  pass_of(&c, 120, 97, 1);
  pass_of(&c, 93, 1682, 0);
  pass_of(&c, 0, 5, 0);
}

/* The entry that is not a number shows in its row and in every column, nowhere else. */
static void pass_over_not_a_number(void **state)
{
  (void)state;
  enum { ROWS = 11, COLS = 13 };
  for (size_t at = 0; at < ROWS * COLS; at++) {
    double a[ROWS * COLS], v[COLS], u[ROWS], w[COLS];
    for (size_t i = 0; i < ROWS * COLS; i++)
      a[i] = i == at ? (double)NAN : 1.0;
    for (size_t j = 0; j < COLS; j++)
      v[j] = 1.0;
    now->pass(ROWS, COLS, a, v, u, w);
    for (size_t i = 0; i < ROWS; i++)
      assert_true(i == at / COLS ? isnan(u[i]) : u[i] == COLS);
    for (size_t j = 0; j < COLS; j++)
      assert_true(isnan(w[j]));
  }
}

static uint32_t *random_words(chance *c, size_t n)
{
  uint32_t *word = malloc((n + 1) * sizeof *word);
  assert_non_null(word);
  for (size_t i = 0; i < n; i++)
    word[i] = (uint32_t)(chance_word(c) >> 32);
  return word;
}

/* Every word is Random123's, wherever a run begins and ends, also where the number of a block passes 2^32. */
static void words(void **state)
{
  (void)state;
  enum { MOST = 75 };
  static const ofw_rng_key keys[] = {{0, 0, 0}, {~0ull, ~0u, ~0ull}, {0x299f31d0a4093822u, 7, 0x0370734413198a2eu}};
  static const uint64_t first[] = {0, 1, 12345, (1ull << 32) - 30, (1ull << 33) - 64, 1ull << 40};
  uint32_t word[4 * MOST + 1];
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    for (size_t f = 0; f < sizeof first / sizeof *first; f++)
      for (size_t blocks = 0; blocks <= MOST; blocks += blocks < 18 ? 1 : 19) {
        word[4 * blocks] = 99;
        now->words(keys[k], (size_t)first[f], blocks, word);
        for (size_t i = 0; i < 4 * blocks; i++)
          assert_int_equal(word[i], ofw_rng_word(keys[k], 4 * (size_t)first[f] + i));
        assert_int_equal(word[4 * blocks], 99); /* and not one more */
      }
}

/* Bit for bit those of the portable variant. */
static void normal(void **state)
{
  (void)state;
  chance c = {10};
  for (size_t k = 0; k < SIZES; k++) {
    size_t pairs = size_at(k);
    uint32_t *word = random_words(&c, 2 * pairs);
    double *want = room_for(2 * pairs), *got = room_for(2 * pairs + 1);
    for (size_t i = 0; i < 2 * pairs && i < 8; i++) /* the ends of the range */
      word[i] = i % 2 ? UINT32_MAX - (uint32_t)i / 4 : (uint32_t)i / 4;
    ofw_kernels_portable.normal(pairs, word, want);
    got[2 * pairs] = 99.0;
    now->normal(pairs, word, got);
    assert_memory_equal(got, want, 2 * pairs * sizeof *got);
    assert_true(got[2 * pairs] == 99.0);
    free(word), free(want), free(got);
  }
}

static void uniforms(void **state)
{
  (void)state;
  chance c = {11};
  for (size_t k = 0; k < SIZES; k++) {
    size_t n = size_at(k), shift = k % 4;
    uint32_t *word = random_words(&c, shift + n), *w = word + shift;
    double *x = normals(&c, shift + n), *r = room_for(n), factor = chance_normal(&c);
    double *y = normals(&c, n + 1), *before = room_for(n + 1);
    memcpy(before, y, (n + 1) * sizeof *y);
    for (size_t i = 0; i < n; i++)
      r[i] = ((double)(int32_t)w[i] + 0.5) / 0x1p31;
    long double size = slow_norm(n, r) * slow_norm(n, x + shift);
    assert_near(now->uniform_dot(n, w, x + shift), slow_dot(n, r, x + shift),
                1e-15L * (4.0L + sqrtl((long double)n)) * size);
    now->uniform_axpy(n, factor, w, y);
    for (size_t i = 0; i < n; i++)
      assert_near(y[i], before[i] + (long double)factor * r[i], DBL_EPSILON * (fabs(factor) + fabs(y[i])));
    assert_true(y[n] == before[n]);
    free(word), free(x), free(r), free(y), free(before);
  }
}

/* ---- what is the same in all variants ---- */

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

static void pass_scaled(void **state)
{
  (void)state;
  static const int exponents[] = {0, 1, -1, 7, -7, 200, -201, 1020, -1000};
  static const size_t shapes[][2] = {{1, 1}, {2, 3}, {3, 2}, {7, 8}, {8, 7}, {9, 9}, {120, 97}};
  chance c = {9};
  for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++)
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
      size_t rows = shapes[s][0], cols = shapes[s][1];
      double *a = normals(&c, rows * cols), *v = normals(&c, cols), *u = room_for(rows), *w = normals(&c, cols);
      for (size_t i = 0; i < rows * cols; i++)
        a[i] = ldexp(a[i], exponents[e]);
      ofw_pass(rows, cols, a, exponents[e], v, u, w);
      assert_pass(rows, cols, a, exponents[e], v, u, w);
      free(a), free(v), free(u), free(w);
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

static void choice(void **state)
{
  (void)state;
  const ofw_kernels *chosen = ofw_kernels_chosen();
  assert_ptr_equal(ofw_kernels_chosen(), chosen);
  assert_ptr_equal(ofw_kernels_named(chosen->name), chosen);
  assert_ptr_equal(ofw_kernels_named("portable"), &ofw_kernels_portable);
  assert_null(ofw_kernels_named("no such"));
  if (ofw_kernels_named("avx2"))
    assert_ptr_equal(chosen, ofw_kernels_named("avx2"));
}

int main(void)
{
  const struct CMUnitTest each[] = {
      cmocka_unit_test(dot),      cmocka_unit_test(axpy),
      cmocka_unit_test(largest),  cmocka_unit_test(segment),
      cmocka_unit_test(step),     cmocka_unit_test(whole_and_no_steps),
      cmocka_unit_test(pass),     cmocka_unit_test(pass_over_not_a_number),
      cmocka_unit_test(words),    cmocka_unit_test(normal),
      cmocka_unit_test(uniforms),
  };
  const struct CMUnitTest all[] = {
      cmocka_unit_test(norm),
      cmocka_unit_test(norm_at_the_ends_of_the_range),
      cmocka_unit_test(first_not_finite),
      cmocka_unit_test(pass_scaled),
      cmocka_unit_test(pass_over_denormals),
      cmocka_unit_test(choice),
  };
  static const char *const names[] = {"portable", "avx2"};
  int failed = cmocka_run_group_tests(all, NULL, NULL);
  for (size_t k = 0; k < 2; k++)
    if ((now = ofw_kernels_named(names[k])))
      failed += cmocka_run_group_tests_name(names[k], each, NULL, NULL);
  return failed;
}
