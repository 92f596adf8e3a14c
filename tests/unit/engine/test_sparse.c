/* test_sparse.c — a sparse matrix against a dense one that is updated entry by entry */
#include "engine/sparse.h"
#include "unit/base/check.h"

#include <stdlib.h>

enum { MOST_ROWS = 60, MOST_COLS = 40, MOST = MOST_ROWS * MOST_COLS };

static double dense[MOST], value[MOST], v[MOST_COLS], w[MOST_COLS], expected[MOST_COLS];
static size_t nth[MOST];

static ofw_sparse make(size_t rows, size_t cols)
{
  ofw_sparse s;
  assert_int_equal(ofw_sparse_open(&s, rows, cols, 0, NULL), OFW_OK);
  memset(dense, 0, sizeof dense);
  return s;
}

/* n distinct cells, in order or not. */
static void choose_cells(uint64_t *seed, size_t dim, size_t n, int ordered)
{
  unsigned char taken[MOST] = {0};
  size_t k = 0;
  while (k < n) {
    size_t at = any_below(seed, dim);
    if (!taken[at])
      nth[k++] = at;
    taken[at] = 1;
  }
  if (!ordered)
    return;
  k = 0;
  for (size_t at = 0; at < dim; at++)
    if (taken[at])
      nth[k++] = at;
}

static double square(size_t dim)
{
  return slow_dot(dim, dense, dense);
}

static void update(ofw_sparse *s, uint64_t *seed, size_t n, int ordered, double c)
{
  size_t dim = s->rows * s->cols;
  double before = square(dim);
  choose_cells(seed, dim, n, ordered);
  any_reals(seed, n, value);
  for (size_t k = 0; k < n; k++)
    dense[nth[k]] += c * value[k];
  assert_int_equal(ofw_sparse_reserve(s, n, NULL), OFW_OK);
  double grown = ofw_sparse_add(s, c, n, nth, 0, value);
  ofw_sparse_complete(s, s->queued);
  assert_near(grown, square(dim) - before, 1e-9 * (1.0 + square(dim)));
}

/* Row i's product with x. */
static double row_dot(const ofw_sparse *s, size_t i, const double *x)
{
  double out;
  ofw_sparse_times(s, i, 1, x, &out);
  return out;
}

/* A few rows at once. */
static void compare_products(const ofw_sparse *s, uint64_t *seed)
{
  size_t from = any_below(seed, s->rows), n = 1 + any_below(seed, s->rows - from);
  double got[MOST_ROWS], u[MOST_ROWS];
  any_reals(seed, s->cols, v);
  any_reals(seed, s->cols, w);
  any_reals(seed, n, u);
  memcpy(expected, w, sizeof expected);
  ofw_sparse_times(s, from, n, v, got);
  ofw_sparse_add_turned(s, from, n, u, w);
  for (size_t i = 0; i < n; i++) {
    assert_near(got[i], slow_dot(s->cols, dense + (from + i) * s->cols, v), 1e-11);
    for (size_t j = 0; j < s->cols; j++)
      expected[j] += u[i] * dense[(from + i) * s->cols + j];
  }
  for (size_t j = 0; j < s->cols; j++)
    assert_near(w[j], expected[j], 1e-11);
}

static void compare(const ofw_sparse *s, uint64_t *seed)
{
  size_t dim = s->rows * s->cols, filled = 0;
  for (int k = 0; k < 5; k++)
    compare_products(s, seed);
  for (size_t i = 0; i < dim; i++)
    filled += dense[i] != 0.0;
  assert_near(ofw_sparse_square(s, 0, s->rows), square(dim), 1e-11 * (1.0 + square(dim)));
  assert_int_equal(s->all_settled + s->all_recent, filled);
}

static void test_updates(void **state)
{
  (void)state;
  static const struct {
    size_t rows, cols;
  } shapes[] = {{1, 1}, {1, 40}, {60, 1}, {60, 40}};
  uint64_t seed = 3;
  for (size_t shape = 0; shape < 4; shape++) {
    ofw_sparse s = make(shapes[shape].rows, shapes[shape].cols);
    size_t dim = s.rows * s.cols;
    compare(&s, &seed);
    for (int round = 0; round < 40; round++) {
      update(&s, &seed, any_below(&seed, dim / 4 + 1), round % 2, any_real(&seed));
      compare(&s, &seed);
    }
    ofw_sparse_close(&s);
  }
}

/* Beyond 4096 entries they settle; what settles is the same matrix. */
static void test_settling(void **state)
{
  (void)state;
  enum { ROWS = 300, COLS = 200, N = 500 };
  uint64_t seed = 5;
  ofw_sparse s;
  double *all = calloc((size_t)ROWS * COLS, sizeof *all);
  assert_non_null(all);
  assert_int_equal(ofw_sparse_open(&s, ROWS, COLS, 0, NULL), OFW_OK);
  for (int round = 0; round < 60; round++) {
    size_t row = any_below(&seed, ROWS), used = 0;
    for (size_t k = 0; k < N; k++) {
      size_t at = (row * COLS + k * 113) % ((size_t)ROWS * COLS);
      nth[used] = at;
      value[used++] = any_real(&seed);
      all[at] += value[k];
    }
    assert_int_equal(ofw_sparse_reserve(&s, used, NULL), OFW_OK);
    ofw_sparse_add(&s, 1.0, used, nth, 0, value);
    ofw_sparse_complete(&s, s.queued);
  }
  assert_true(s.settled.start[ROWS] > 0 && s.recent.start[ROWS] > 0);
  double vector[COLS];
  any_reals(&seed, COLS, vector);
  for (size_t i = 0; i < ROWS; i++)
    assert_near(row_dot(&s, i, vector), slow_dot(COLS, all + i * COLS, vector), 1e-10);
  ofw_sparse_close(&s);
  free(all);
}

static void test_offset(void **state)
{
  (void)state;
  ofw_sparse s = make(3, 4);
  static const size_t index[] = {1, 3};
  static const double two[] = {2.0, -3.0};
  assert_int_equal(ofw_sparse_reserve(&s, 2, NULL), OFW_OK);
  ofw_sparse_add(&s, 1.0, 2, index, 5, two); /* cells 6 and 8: (1, 2) and (2, 0) */
  ofw_sparse_complete(&s, s.queued);
  double one[4] = {1, 10, 100, 1000};
  assert_near(row_dot(&s, 0, one), 0.0, 0.0);
  assert_near(row_dot(&s, 1, one), 200.0, 0.0);
  assert_near(row_dot(&s, 2, one), -3.0, 0.0);
  ofw_sparse_close(&s);
}

/* Multiplied again and again, beyond what one double as a scale could hold. */
static void test_scaling(void **state)
{
  (void)state;
  uint64_t seed = 9;
  ofw_sparse s = make(60, 40);
  static const double by[] = {0.5, -3.0, 1e-30, 1e-30, 1e40, 1e25, 0x1p-120, 0x1p110};
  for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
    update(&s, &seed, 100, 1, 1.0);
    ofw_sparse_scale(&s, by[k]);
    for (size_t i = 0; i < MOST; i++)
      dense[i] *= by[k];
    any_reals(&seed, s.cols, v);
    for (size_t i = 0; i < s.rows; i++) {
      double is = slow_dot(s.cols, dense + i * s.cols, v), size = slow_norm(s.cols, dense + i * s.cols);
      assert_near(row_dot(&s, i, v), is, 1e-13 * size * slow_norm(s.cols, v));
    }
  }
  ofw_sparse_scale(&s, 0.0);
  memset(dense, 0, sizeof dense);
  compare(&s, &seed);
  update(&s, &seed, 50, 0, 2.0);
  compare(&s, &seed);
  ofw_sparse_close(&s);
}

static uint64_t *saved(const ofw_sparse *s, size_t *n)
{
  *n = ofw_sparse_words(s);
  uint64_t *words = malloc(*n * sizeof *words);
  assert_non_null(words);
  memset(words, 0xa5, *n * sizeof *words); /* every one of them is written */
  ofw_sparse_save(s, words);
  return words;
}

static void test_state(void **state)
{
  (void)state;
  uint64_t seed = 11;
  for (int rounds = 0; rounds < 12; rounds++) {
    ofw_sparse s = make(60, 40), t;
    size_t n, m;
    for (int k = 0; k < rounds; k++)
      update(&s, &seed, 61, 1, 1.0);
    if (rounds > 2)
      ofw_sparse_scale(&s, 0.75);
    uint64_t *words = saved(&s, &n);
    assert_int_equal(ofw_sparse_open(&t, 60, 40, 0, NULL), OFW_OK);
    assert_int_equal(ofw_sparse_check(&t, words, n), n);
    assert_int_equal(ofw_sparse_make_room(&t, words, NULL), OFW_OK);
    ofw_sparse_load(&t, words);
    uint64_t *again = saved(&t, &m);
    assert_int_equal(m, n);
    assert_memory_equal(again, words, n * sizeof *words);
    for (size_t short_of = 1; short_of <= n; short_of += 1 + n / 50)
      assert_true(ofw_sparse_check(&t, words, n - short_of) != n);
    ofw_sparse_close(&s);
    ofw_sparse_close(&t);
    free(words);
    free(again);
  }
}

/* What no matrix of this shape is saved as: counts that fall, columns out of order or beyond the last. */
static void test_refused(void **state)
{
  (void)state;
  uint64_t seed = 13;
  ofw_sparse s = make(60, 40);
  size_t n;
  update(&s, &seed, 200, 1, 1.0);
  uint64_t *words = saved(&s, &n), kept;
  size_t recent = 1 + s.rows + 1; /* behind a settled part without entries */
  static const uint64_t wrong[] = {UINT64_MAX, 1u << 20, UINT64_MAX / 2};
  for (size_t i = 0; i <= s.rows; i++)
    for (size_t k = 0; k < 3; k++) {
      kept = words[recent + i];
      words[recent + i] = wrong[k];
      assert_int_equal(ofw_sparse_check(&s, words, n), 0);
      words[recent + i] = kept;
    }
  size_t cols = recent + s.rows + 1;
  for (size_t i = 0; i < 100; i++) {
    kept = words[cols + i];
    words[cols + i] = 40u << 1 | (uint64_t)77 << 32;
    assert_int_equal(ofw_sparse_check(&s, words, n), 0);
    words[cols + i] = kept;
  }
  kept = words[0];
  words[0] = 0; /* a scale of 0 */
  assert_int_equal(ofw_sparse_check(&s, words, n), 0);
  words[0] = kept;
  assert_int_equal(ofw_sparse_check(&s, words, n), n);
  assert_int_equal(ofw_sparse_check(&s, words, 0), 0);
  free(words);
  ofw_sparse_close(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_updates), cmocka_unit_test(test_settling), cmocka_unit_test(test_offset),
      cmocka_unit_test(test_scaling), cmocka_unit_test(test_state),    cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
