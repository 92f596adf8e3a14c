/* test_kernels.c — each loop of each variant against the same sum written out in long double */
#include "linalg/kernels.h"

#include "linalg/rng.h"
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

static const ofw_kernels *now; /* the table that is tested */

/* What a number that is written may be off by, relative to its size. */
static long double rounding(void)
{
  return now && now->size == sizeof(float) ? 0x1p-23L : 0x1p-52L;
}

static double *normals(chance *c, size_t n)
{
  double *x = room_for(n);
  chance_normals(c, n, x);
  return x;
}

/* n numbers as the table has them, and the same as doubles; both begin `shift` after where they may. */
typedef struct numbers {
  void *room, *at;
  double *same;
  size_t n;
} numbers;

static numbers hold(size_t n, double *values, size_t shift)
{
  numbers a = {aligned_alloc(64, ((n + shift + 1) * now->size + 63) / 64 * 64), NULL, values, n};
  assert_non_null(a.room);
  a.at = (char *)a.room + shift * now->size;
  now->write(n, values, a.at);
  now->read(n, a.at, values);
  return a;
}

static numbers any_numbers(chance *c, size_t n, size_t shift)
{
  return hold(n, normals(c, n), shift);
}

static void let_go(numbers a)
{
  free(a.room);
  free(a.same);
}

static void reading_and_writing(void **state)
{
  (void)state;
  chance c = {12};
  for (size_t k = 0; k < SIZES; k++) {
    size_t n = size_at(k);
    double *x = normals(&c, n), *back = room_for(n + 1), *again = room_for(n);
    numbers a = hold(n, memcpy(room_for(n), x, n * sizeof *x), k % 4);
    back[n] = 99.0;
    now->read(n, a.at, back);
    assert_true(back[n] == 99.0);
    for (size_t i = 0; i < n; i++) {
      assert_near(back[i], x[i], rounding() / 2.0L * fabs(x[i]));
      assert_true(ofw_number(now, a.at, i) == back[i] && ofw_number(now, ofw_at(now, a.at, i), 0) == back[i]);
    }
    for (size_t i = 0; i < n; i++)
      ofw_add_number(now, a.at, i, 0.5);
    now->read(n, a.at, again);
    for (size_t i = 0; i < n; i++)
      assert_near(again[i], (long double)back[i] + 0.5L, rounding() * (0.5L + fabs(back[i])));
    free(x), free(back), free(again), let_go(a);
  }
}

static void dot(void **state)
{
  (void)state;
  chance c = {1};
  for (size_t k = 0; k < SIZES; k++) {
    size_t n = size_at(k);
    numbers a = any_numbers(&c, n, k % 4);
    double *b = normals(&c, n);
    long double size = slow_norm(n, a.same) * slow_norm(n, b);
    assert_near(now->dot(n, a.at, b), slow_dot(n, a.same, b), DBL_EPSILON * (4.0L + sqrtl((long double)n)) * size);
    free(b), let_go(a);
  }
  assert_true(now->dot(0, NULL, NULL) == 0.0);
  for (size_t n = 1; n < SMALL; n++) /* each place counts once */
    for (size_t i = 0; i < n; i++) {
      numbers a = hold(n, room_for(n), 0);
      double b[SMALL];
      for (size_t j = 0; j < n; j++)
        b[j] = (double)(j + 1);
      ofw_add_number(now, a.at, i, 2.0);
      assert_true(now->dot(n, a.at, b) == 2.0 * (double)(i + 1));
      let_go(a);
    }
}

/* y[i] is `want` but for rounding, and what comes after the last is as it was. */
static void assert_written(const numbers *y, size_t i, long double want, long double size)
{
  assert_near(ofw_number(now, y->at, i), want, rounding() * size);
}

static void axpy(void **state)
{
  (void)state;
  chance c = {2};
  for (size_t k = 0; k < SIZES; k++) {
    size_t n = size_at(k);
    numbers y = any_numbers(&c, n + 1, k % 4);
    double *a = normals(&c, n), factor = chance_normal(&c);
    now->axpy(n, factor, a, y.at);
    for (size_t i = 0; i < n; i++)
      assert_written(&y, i, y.same[i] + (long double)factor * a[i], fabs(factor * a[i]) + fabs(y.same[i]));
    assert_true(ofw_number(now, y.at, n) == y.same[n]); /* and not one more */
    free(a), let_go(y);
  }
}

static void blend(void **state)
{
  (void)state;
  static const double factors[][2] = {{1.0, 0.5}, {0.25, 0.0}, {0.0, -2.0}, {-1.5, 3.0}, {0.0, 0.0}};
  chance c = {13};
  for (size_t k = 0; k < SIZES; k++)
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
      size_t n = size_at(k);
      double p = factors[f][0], q = factors[f][1];
      numbers y = any_numbers(&c, n + 1, k % 4), x = any_numbers(&c, n, 0);
      if (p == 0.0 && n > 0) /* nothing is left of it, whatever it was */
        ofw_add_number(now, y.at, n / 2, (double)NAN);
      now->blend(n, p, y.at, q, x.at);
      for (size_t i = 0; i < n; i++)
        assert_written(&y, i, (long double)p * y.same[i] + (long double)q * x.same[i],
                       fabs(p * y.same[i]) + fabs(q * x.same[i]));
      assert_true(ofw_number(now, y.at, n) == y.same[n]);
      let_go(x), let_go(y);
    }
}

static void measure(void **state)
{
  (void)state;
  chance c = {4};
  double largest = 7.0, square = 7.0;
  now->measure(0, NULL, &largest, &square);
  assert_true(largest == 0.0 && square == 0.0);
  for (size_t k = 1; k < SIZES; k++) {
    size_t n = size_at(k), at = chance_below(&c, n);
    numbers a = any_numbers(&c, n, k % 4);
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
      most = fmax(most, fabs(a.same[i]));
    now->measure(n, a.at, &largest, &square);
    assert_true(largest == most);
    long double want = slow_dot(n, a.same, a.same);
    assert_near(square, want, DBL_EPSILON * (4.0L + sqrtl((long double)n)) * want);
    ofw_add_number(now, a.at, at, at % 2 ? -0x1p100 : 0x1p100); /* exact, as is its square: the rest is lost */
    now->measure(n, a.at, &largest, &square);
    assert_true(largest == 0x1p100 && square == 0x1p200);
    let_go(a);
  }
  for (size_t at = 0; at < SMALL; at++) { /* NaN hides nothing before or after it, and shows in the sum */
    numbers a = hold(SMALL, room_for(SMALL), 0);
    for (size_t i = 0; i < SMALL; i++)
      ofw_add_number(now, a.at, i, i == at ? (double)NAN : -1.0 - (double)i);
    now->measure(SMALL, a.at, &largest, &square);
    assert_true(largest == (at == SMALL - 1 ? (double)SMALL - 1.0 : (double)SMALL) && isnan(square));
    let_go(a);
  }
}

/* The numbers of a row of an ofw_shorts, by the definition of its words. */
static double short_at(const uint32_t *row, size_t j, double c)
{
  enum { APART = OFW_ROUGH_EDGE / 2 };
  uint32_t word = row[j / OFW_ROUGH_EDGE * APART + j % APART];
  return c * (double)(int32_t)(j % OFW_ROUGH_EDGE < APART ? word << 16 : word);
}

static size_t stride_of(size_t cols)
{
  return (cols + OFW_ROUGH_EDGE - 1) / OFW_ROUGH_EDGE * OFW_ROUGH_EDGE;
}

/* The nearest whole numbers, of rows of all sizes; less than half of one up to the stride, and nothing behind it. */
static void pack(void **state)
{
  (void)state;
  static const int sizes[] = {0, 25, -49, 56, -87};
  chance c = {17};
  for (size_t k = 0; k < 5 * SIZES; k++) {
    size_t n = size_at(k / 5), stride = stride_of(n);
    double *x = normals(&c, n), unit = 0.0, most = 0.0;
    for (size_t i = 0; i < n; i++) {
      x[i] = ldexp(x[i], sizes[k % 5] - (int)chance_below(&c, k % 2 ? 40 : 3));
      if (i == n / 3) /* far larger than the others: only the largest counts */
        x[i] = (k % 3 ? 4.0 : -4.0) * ldexp(1.0, sizes[k % 5]);
    }
    size_t shift = k % 17;
    numbers a = hold(n, x, shift), later = hold(n, memcpy(room_for(n), x, n * sizeof *x), shift + 64 / now->size);
    uint32_t *out = malloc((stride / 2 + 1) * sizeof *out);
    assert_non_null(out);
    memset(out, 0x55, (stride / 2 + 1) * sizeof *out);
    double square = now->pack(n, a.at, out, &unit);
    long double want = slow_dot(n, a.same, a.same);
    assert_near(square, want, 1e-5L * want + 0x1p-148L * (long double)n);
    for (size_t i = 0; i < n; i++)
      most = fmax(most, fabs(a.same[i]));
    if (n > 0)
      assert_near(unit * 0x1p16, most / 32767.0, 1e-6L * most / 32767.0);
    for (size_t i = 0; i < n; i++)
      assert_near(short_at(out, i, unit), a.same[i], OFW_SHORTS_APART * unit);
    for (size_t i = n; i < stride; i++)
      assert_near(short_at(out, i, unit), 0.0, OFW_SHORTS_APART * unit);
    assert_int_equal(out[stride / 2], 0x55555555);
    assert_true(now->pack(n, later.at, out, &unit) == square); /* as far from where a line of the cache begins */
    free(out), let_go(a), let_go(later);
  }
}

/* Rows that whole numbers cannot tell are zeros, and the sum shows those whose numbers are not finite. */
static void pack_what_cannot_be(void **state)
{
  (void)state;
  static const double odd[] = {0.0, NAN, INFINITY, -INFINITY, 1e-30, 1e30};
  for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
    for (size_t at = 0; at < 70; at++) {
      numbers a = hold(70, room_for(70), 0);
      uint32_t out[48];
      double unit, square;
      memset(out, 0x55, sizeof out);
      for (size_t i = 0; i < 70; i++)
        ofw_add_number(now, a.at, i, i == at ? odd[k] : isfinite(odd[k]) ? 0.0 : 1.0);
      square = now->pack(70, a.at, out, &unit);
      assert_true(isfinite(odd[k]) ? square >= 0.0 : !isfinite(square));
      assert_true(unit > 0.0 && unit * 0x1p15 < 0x1p-89);
      for (size_t i = 0; i < 48; i++)
        assert_int_equal(out[i], 0);
      let_go(a);
    }
}

/* What a sum of n products of a move may be off by, relative to their sizes: floats are multiplied and summed for a while as such. */
static long double move_rounding(size_t n)
{
  return now->size == sizeof(float) ? OFW_ROUGH_GRAIN : DBL_EPSILON * (8.0L + sqrtl((long double)n));
}

/* Adds to what is there. */
static void segment(void **state)
{
  (void)state;
  chance c = {6};
  for (size_t k = 0; k < SIZES; k++) {
    size_t n = size_at(k);
    numbers x = any_numbers(&c, n, k % 4), d = any_numbers(&c, n, k % 3), v = any_numbers(&c, n, k % 5);
    double slope = 0.5, length2 = -0.25, factor = k % 2 ? 1.0 : chance_normal(&c);
    long double want_slope = 0.5L, want_length2 = -0.25L, size = 1.0L;
    for (size_t i = 0; i < n; i++) {
      long double e = (long double)factor * v.same[i] - x.same[i];
      want_slope += d.same[i] * e;
      want_length2 += e * e;
      size += e * e + (long double)d.same[i] * d.same[i];
    }
    now->segment(n, x.at, d.at, factor, v.at, &slope, &length2);
    assert_near(slope, want_slope, move_rounding(n) * size);
    assert_near(length2, want_length2, move_rounding(n) * size);
    let_go(v), let_go(x), let_go(d);
  }
}

static void step(void **state)
{
  (void)state;
  chance c = {7};
  for (size_t k = 0; k < SIZES; k++) {
    size_t n = size_at(k);
    numbers x = any_numbers(&c, n + 1, k % 4), d = any_numbers(&c, n + 1, k % 3), v = any_numbers(&c, n, k % 5);
    double sig = chance_unit(&c), curv = 3.0 * sig, factor = k % 2 ? 1.0 : chance_normal(&c);
    now->step(n, x.at, d.at, factor, v.at, sig, curv);
    for (size_t i = 0; i < n; i++) {
      long double e = (long double)factor * v.same[i] - x.same[i]; /* of the old x, also for d */
      long double size = 4.0L * (fabs(x.same[i]) + fabs(factor * v.same[i]));
      assert_written(&x, i, x.same[i] + sig * e, size);
      assert_written(&d, i, d.same[i] + curv * e, fabs(d.same[i]) + 3.0L * size);
    }
    assert_true(ofw_number(now, x.at, n) == x.same[n] && ofw_number(now, d.at, n) == d.same[n]);
    let_go(v), let_go(x), let_go(d);
  }
}

static void follow(void **state)
{
  (void)state;
  chance c = {16};
  for (size_t k = 0; k < SIZES; k++) {
    size_t n = size_at(k);
    numbers x = any_numbers(&c, n, k % 4), y = any_numbers(&c, n + 1, k % 3), v = any_numbers(&c, n, k % 2);
    double sig = chance_unit(&c), keep = k % 5 ? 0.75 : 0.0, factor = chance_normal(&c);
    long double square = 0.0L;
    if (keep == 0.0 && n > 0) /* nothing is left of it, whatever it was */
      ofw_add_number(now, y.at, n / 2, (double)NAN);
    double got = now->follow(n, x.at, y.at, factor, v.at, sig, keep);
    for (size_t i = 0; i < n; i++) {
      long double want = (long double)keep * y.same[i] + sig * ((long double)factor * v.same[i] - x.same[i]);
      assert_written(&y, i, want, 4.0L * (fabs(x.same[i]) + fabs(y.same[i]) + fabs(factor * v.same[i])));
      square += want * want;
    }
    assert_near(got, square, 2.0L * move_rounding(n) * (square + (long double)n));
    assert_true(ofw_number(now, y.at, n) == y.same[n]);
    let_go(v), let_go(x), let_go(y);
  }
}

/* lead is follow and then step, and a narrow y is one of floats, whatever x and d are: the same bits. */
static void lead(void **state)
{
  (void)state;
  chance c = {18};
  for (size_t k = 0; k < 2 * SIZES; k++) {
    size_t n = size_at(k / 2);
    int narrow = k % 2 || !now->floats;
    double *xs = normals(&c, n), *ds = normals(&c, n), keep = k % 5 ? 0.75 : 0.0;
    numbers x[2], d[2], v = any_numbers(&c, n, k % 3);
    void *y[2];
    double square[2];
    for (size_t i = 0; i < 2; i++) {
      x[i] = hold(n, memcpy(room_for(n + 1), xs, n * sizeof *xs), 0);
      d[i] = hold(n, memcpy(room_for(n + 1), ds, n * sizeof *ds), 0);
      y[i] = room_for(n + 1); /* more than enough, and 0 */
    }
    for (int again = 0; again < 2; again++) {
      square[0] = (narrow ? now->follow_narrow : now->follow)(n, x[0].at, y[0], 0.5, v.at, 0.25, keep);
      now->step(n, x[0].at, d[0].at, 0.5, v.at, 0.125, 2.0);
      square[1] = (narrow ? now->lead_narrow : now->lead)(n, x[1].at, d[1].at, y[1], 0.5, v.at, 0.125, 2.0, 0.25, keep);
      assert_true(square[0] == square[1]);
    }
    assert_memory_equal(y[0], y[1], n * (narrow ? sizeof(float) : now->size));
    assert_memory_equal(x[0].at, x[1].at, n * now->size);
    assert_memory_equal(d[0].at, d[1].at, n * now->size);
    for (size_t i = 0; i < 2; i++)
      let_go(x[i]), let_go(d[i]), free(y[i]);
    free(xs), free(ds), let_go(v);
  }
}

static void whole_and_no_steps(void **state)
{
  (void)state;
  static const double x0[] = {1.0, -2.0, 0.5}, d0[] = {0.0, 1.0, 2.0}, v0[] = {4.0, 4.0, -4.0};
  double x[4], d[4], v[4], xs[3], ds[3];
  now->write(3, v0, v);
  now->write(3, x0, x);
  now->write(3, d0, d);
  now->step(3, x, d, 1.0, v, 0.0, 0.0);
  now->read(3, x, xs);
  now->read(3, d, ds);
  assert_true(memcmp(xs, x0, sizeof xs) == 0 && memcmp(ds, d0, sizeof ds) == 0);
  now->step(3, x, d, 1.0, v, 1.0, 2.0);
  now->read(3, x, xs);
  now->read(3, d, ds);
  assert_true(memcmp(xs, v0, sizeof xs) == 0 && ds[0] == 6.0 && ds[1] == 13.0 && ds[2] == -7.0);
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

static void pass_of(chance *c, size_t rows, size_t cols, size_t shift)
{
  numbers a = any_numbers(c, rows * cols, shift);
  double *v = normals(c, shift + cols), *u = normals(c, shift + rows + 1), *w = normals(c, shift + cols + 1);
  double last_u = u[shift + rows], last_w = w[shift + cols];
  now->pass(rows, cols, a.at, v + shift, u + shift, w + shift);
  assert_pass(rows, cols, a.same, 0, v + shift, u + shift, w + shift);
  assert_true(u[shift + rows] == last_u && w[shift + cols] == last_w); /* and not one more */
  free(v), free(u), free(w), let_go(a);
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

/* All signs alike or not, entries of one size or many: what floats lose is within the grain, of a matrix that is shorts. */
static void rough_of(chance *c, size_t rows, size_t cols, int alike)
{
  double *d = normals(c, rows * cols), *x = normals(c, cols), *u = room_for(rows + 1), *w = room_for(cols + 1);
  double *other = room_for(cols + 1);
  size_t stride = stride_of(cols);
  float *v = calloc(stride + 1, sizeof *v), *room = calloc(stride + 1, sizeof *room);
  ofw_shorts a = {cols, stride, malloc(2 * rows * stride + 1), room_for(rows + 1)};
  long double off_u = 0.0L, off_w = 0.0L, square = 0.0L;
  assert_true(a.word && v && room);
  for (size_t i = 0; i < rows * cols; i++)
    d[i] = alike ? 1.0 + fabs(d[i]) * 0x1p-20 : ldexp(d[i], (int)chance_below(c, 9) - 4);
  for (size_t i = 0; i < rows; i++) {
    numbers row = hold(cols, memcpy(room_for(cols + 1), d + i * cols, cols * sizeof *d), 0);
    now->pack(cols, row.at, a.word + i * (stride / 2), &a.c[i]);
    let_go(row);
    for (size_t j = 0; j < cols; j++) {
      d[i * cols + j] = short_at(a.word + i * (stride / 2), j, a.c[i]);
      square += (long double)d[i * cols + j] * d[i * cols + j];
    }
  }
  for (size_t j = 0; j < cols; j++)
    v[j] = (float)(x[j] = alike ? fabs(x[j]) : x[j]);
  u[rows] = w[cols] = room[stride] = 99.0;
  now->rough(&a, 0, rows / 2, v, room, u, w);
  now->rough(&a, rows / 2, rows, v, room, u + rows / 2, other);
  for (size_t j = 0; j < cols; j++)
    w[j] += other[j];
  assert_true(u[rows] == 99.0 && w[cols] == 99.0 && room[stride] == 99.0F);
  for (size_t i = 0; i < rows; i++)
    off_u += powl(slow_dot(cols, d + i * cols, x) - u[i], 2);
  for (size_t j = 0; j < cols; j++) {
    long double want = 0.0L;
    for (size_t i = 0; i < rows; i++)
      want += (long double)d[i * cols + j] * u[i];
    off_w += powl(want - w[j], 2);
  }
  assert_at_most(sqrtl(off_u), OFW_ROUGH_GRAIN * sqrtl(square) * slow_norm(cols, x));
  assert_at_most(sqrtl(off_w), OFW_ROUGH_GRAIN * sqrtl(square) * slow_norm(rows, u));
  free(d), free(x), free(u), free(w), free(other), free(a.word), free(a.c), free(v), free(room);
}

/* The same over floats. */
static void rough_floats_of(chance *c, size_t rows, size_t cols)
{
  double *d = normals(c, rows * cols), *x = normals(c, cols), *u = room_for(rows + 1), *w = room_for(cols + 1);
  size_t stride = stride_of(cols);
  float *v = calloc(stride + 1, sizeof *v), *room = calloc(stride + 1, sizeof *room);
  ofw_floats a = {cols, stride, calloc(rows * stride + 1, sizeof(float))};
  long double off_u = 0.0L, off_w = 0.0L, square = 0.0L;
  assert_true(a.number && v && room);
  for (size_t i = 0; i < rows * cols; i++) {
    d[i] = (double)(float)ldexp(d[i], (int)chance_below(c, 9) - 4);
    a.number[i / cols * stride + i % cols] = (float)d[i];
    square += (long double)d[i] * d[i];
  }
  for (size_t j = 0; j < cols; j++)
    v[j] = (float)x[j];
  u[rows] = w[cols] = room[stride] = 99.0;
  now->rough_floats(&a, 0, rows, v, room, u, w);
  assert_true(u[rows] == 99.0 && w[cols] == 99.0 && room[stride] == 99.0F);
  for (size_t i = 0; i < rows; i++)
    off_u += powl(slow_dot(cols, d + i * cols, x) - u[i], 2);
  for (size_t j = 0; j < cols; j++) {
    long double want = 0.0L;
    for (size_t i = 0; i < rows; i++)
      want += (long double)d[i * cols + j] * u[i];
    off_w += powl(want - w[j], 2);
  }
  assert_at_most(sqrtl(off_u), OFW_ROUGH_GRAIN * sqrtl(square) * slow_norm(cols, x));
  assert_at_most(sqrtl(off_w), OFW_ROUGH_GRAIN * sqrtl(square) * slow_norm(rows, u));
  free(d), free(x), free(u), free(w), free(a.number), free(v), free(room);
}

static void rough(void **state)
{
  (void)state;
  chance c = {15};
  for (size_t rows = 0; rows < SMALL; rows++)
    for (size_t cols = 0; cols < SMALL; cols++) {
      rough_of(&c, rows, cols, (rows + cols) % 2);
      rough_floats_of(&c, rows, cols);
    }
  rough_floats_of(&c, 93, 1682);
  rough_floats_of(&c, 8, 20001);
  for (int alike = 0; alike < 2; alike++) {
    rough_of(&c, 93, 1682, alike);
    rough_of(&c, 8, 20001, alike);
    rough_of(&c, 20001, 8, alike);
  }
}

/* The entry that is not a number shows in its row and in every column, nowhere else. */
static void pass_over_not_a_number(void **state)
{
  (void)state;
  enum { ROWS = 11, COLS = 13 };
  for (size_t at = 0; at < ROWS * COLS; at++) {
    numbers a = hold(ROWS * COLS, room_for(ROWS * COLS), 0);
    double v[COLS], u[ROWS], w[COLS];
    for (size_t i = 0; i < ROWS * COLS; i++)
      ofw_add_number(now, a.at, i, i == at ? (double)NAN : 1.0);
    for (size_t j = 0; j < COLS; j++)
      v[j] = 1.0;
    now->pass(ROWS, COLS, a.at, v, u, w);
    for (size_t i = 0; i < ROWS; i++)
      assert_true(i == at / COLS ? isnan(u[i]) : u[i] == COLS);
    for (size_t j = 0; j < COLS; j++)
      assert_true(isnan(w[j]));
    let_go(a);
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
    size_t n = size_at(k), shift = k % 17;
    uint32_t *word = random_words(&c, shift + n), *w = word + shift;
    numbers x = any_numbers(&c, n, shift), y = any_numbers(&c, n + 1, shift);
    double *r = room_for(n), factor = chance_normal(&c);
    for (size_t i = 0; i < n; i++)
      r[i] = ((double)(int32_t)w[i] + 0.5) / 0x1p31;
    long double size = slow_norm(n, r) * slow_norm(n, x.same);
    assert_near(now->uniform_dot(n, w, x.at), slow_dot(n, r, x.same), move_rounding(n) * size);
    now->uniform_axpy(n, factor, w, y.at);
    for (size_t i = 0; i < n; i++)
      assert_written(&y, i, y.same[i] + (long double)factor * r[i], fabs(factor) + fabs(y.same[i]));
    assert_true(ofw_number(now, y.at, n) == y.same[n]);
    free(word), free(r), let_go(x), let_go(y);
  }
}

/* Each number that is written has the same bits wherever an array is cut, as plays that are saved and loaded cut it elsewhere. */
static void cuts(void **state)
{
  (void)state;
  enum { N = 283, OPERATIONS = 6 };
  chance c = {18};
  for (size_t piece = 1; piece < N; piece += 13)
    for (int what = 0; what < OPERATIONS; what++) {
      numbers y[2], d[2], lead[2], x = any_numbers(&c, N, 0), v = any_numbers(&c, N, 0);
      double *a = normals(&c, N);
      uint32_t *word = random_words(&c, N);
      y[0] = any_numbers(&c, N, 0), d[0] = any_numbers(&c, N, 0), lead[0] = any_numbers(&c, N, 0);
      for (size_t k = 0; k < 2; k++) {
        size_t run = k ? piece : N;
        if (k) {
          y[1] = hold(N, memcpy(room_for(N), y[0].same, N * sizeof *a), 0);
          d[1] = hold(N, memcpy(room_for(N), d[0].same, N * sizeof *a), 0);
          lead[1] = hold(N, memcpy(room_for(N), lead[0].same, N * sizeof *a), 0);
        }
        for (size_t i = 0; i < N; i += run) {
          size_t n = N - i < run ? N - i : run;
          void *to = ofw_at(now, y[k].at, i), *along = ofw_at(now, d[k].at, i), *ahead = ofw_at(now, lead[k].at, i);
          const void *from = ofw_at(now, x.at, i), *atom = ofw_at(now, v.at, i);
          switch (what) {
          case 0:
            now->axpy(n, 0.3, a + i, to);
            break;
          case 1:
            now->blend(n, 0.3, to, 0.7, from);
            break;
          case 2:
            now->uniform_axpy(n, 0.3, word + i, to);
            break;
          case 3:
            now->step(n, to, along, 0.3, atom, 0.7, 1.3);
            break;
          case 4:
            now->follow(n, from, ahead, 0.3, atom, 0.7, 0.9);
            break;
          default:
            now->lead(n, to, along, ahead, 0.3, atom, 0.7, 1.3, 0.2, 0.9);
          }
        }
      }
      assert_memory_equal(y[0].at, y[1].at, N * now->size);
      assert_memory_equal(d[0].at, d[1].at, N * now->size);
      assert_memory_equal(lead[0].at, lead[1].at, N * now->size);
      for (size_t k = 0; k < 2; k++)
        let_go(y[k]), let_go(d[k]), let_go(lead[k]);
      let_go(x), let_go(v), free(a), free(word);
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

static void largest(void **state)
{
  (void)state;
  assert_true(ofw_largest(0, NULL) == 0.0);
  assert_true(ofw_largest(2, (double[]){0x1p-1074, -0x1p-1073}) == 0x1p-1073);
  assert_true(ofw_largest(3, (double[]){-DBL_MAX, DBL_MAX, 1.0}) == DBL_MAX);
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

static int has_avx2(void)
{
#if defined(__x86_64__)
  return ofw_kernels_avx2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return 0;
#endif
}

static void choice(void **state)
{
  (void)state;
  const ofw_kernels *chosen = ofw_kernels_chosen();
  assert_ptr_equal(ofw_kernels_chosen(), chosen);
  assert_true(chosen == &ofw_kernels_portable || has_avx2());
#if defined(__x86_64__)
  if (has_avx2() && __builtin_cpu_supports("avx512f"))
    assert_true(chosen == ofw_kernels_avx2_wide_words || chosen == ofw_kernels_avx512);
  else if (has_avx2())
    assert_ptr_equal(chosen, ofw_kernels_avx2);
#endif
}

/* Variants agree but for rounding, and each gives the same bits every time. */
static void variants(void **state)
{
  (void)state;
  enum { ROWS = 57, COLS = 131 };
  const ofw_kernels *both[] = {&ofw_kernels_portable, ofw_kernels_chosen()};
  chance c = {14};
  double *a = normals(&c, ROWS * COLS), *v = normals(&c, COLS), u[3][ROWS], w[3][COLS];
  for (size_t k = 0; k < 3; k++)
    both[k % 2]->pass(ROWS, COLS, a, v, u[k], w[k]);
  assert_memory_equal(u[0], u[2], sizeof u[0]);
  assert_memory_equal(w[0], w[2], sizeof w[0]);
  for (size_t i = 0; i < ROWS; i++)
    assert_near(u[1][i], u[0][i], 1e-14L * COLS);
  for (size_t j = 0; j < COLS; j++)
    assert_near(w[1][j], w[0][j], 1e-13L * COLS);
  free(a), free(v);
}

int main(void)
{
  const struct CMUnitTest each[] = {
      cmocka_unit_test(reading_and_writing),
      cmocka_unit_test(dot),
      cmocka_unit_test(axpy),
      cmocka_unit_test(blend),
      cmocka_unit_test(measure),
      cmocka_unit_test(segment),
      cmocka_unit_test(step),
      cmocka_unit_test(follow),
      cmocka_unit_test(lead),
      cmocka_unit_test(whole_and_no_steps),
      cmocka_unit_test(pass),
      cmocka_unit_test(rough),
      cmocka_unit_test(pack),
      cmocka_unit_test(pack_what_cannot_be),
      cmocka_unit_test(pass_over_not_a_number),
      cmocka_unit_test(words),
      cmocka_unit_test(normal),
      cmocka_unit_test(uniforms),
      cmocka_unit_test(cuts),
  };
  const struct CMUnitTest all[] = {
      cmocka_unit_test(norm),
      cmocka_unit_test(largest),
      cmocka_unit_test(norm_at_the_ends_of_the_range),
      cmocka_unit_test(pass_scaled),
      cmocka_unit_test(pass_over_denormals),
      cmocka_unit_test(first_not_finite),
      cmocka_unit_test(choice),
      cmocka_unit_test(variants),
  };
  const ofw_kernels *const variants_here[] = {&ofw_kernels_portable, has_avx2() ? ofw_kernels_avx2 : NULL,
                                              ofw_kernels_chosen()};
  int failed = cmocka_run_group_tests(all, NULL, NULL);
  for (size_t k = 0; k < 3; k++)
    for (now = variants_here[k]; now; now = now->floats)
      failed += cmocka_run_group_tests_name(now->floats ? "doubles" : "floats", each, NULL, NULL);
  return failed;
}
