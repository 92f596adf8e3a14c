/* test_point.c — rows and the largest of a row, against a decision that is written out and searched by hand */
#include "engine/engine.h"
#include "unit/engine/held.h"
#include "vector/vec_arithmetic.h"

#include "stream/generator.h"

#include <stdio.h>

enum { MOST = 600 };
static const struct {
  const char *spec;
  size_t rows, cols;
} shapes[] = {
    {"trace-ball:rows=7,cols=73", 7, 73},   {"trace-ball:rows=1,cols=9", 1, 9}, {"trace-ball:rows=9,cols=1", 1, 9},
    {"trace-ball:rows=30,cols=20", 30, 20}, {"l2-ball:dim=11", 1, 11},          {"simplex:dim=5", 1, 5},
    {"box:dim=1,lower=0,upper=1", 1, 1}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* A decision of any numbers, stored either way and with a probe or without one, and the same written out. */
typedef struct setting {
  ofw_domain *K;
  ofw_engine *E;
  ofw_point x;
  ofw_vec probe[2];
  double normal[MOST], all[MOST];
  uint64_t seed;
} setting;

static setting now;

/* Few different numbers, so that many are the same. */
static void begin(size_t shape, int floats, int probe, uint64_t seed)
{
  static double numbers[MOST];
  now.seed = seed;
  now.K = domain(shapes[shape].spec);
  now.E = ofw_engine_open_dense(now.K, 0, floats, 1, NULL);
  assert_non_null(now.E);
  size_t n = ofw_domain_dim(now.K);
  for (size_t i = 0; i < n; i++) {
    numbers[i] = any_below(&now.seed, 2) ? any_real(&now.seed) : (double)any_below(&now.seed, 4) / 8.0 - 0.25;
    now.normal[i] = any_real(&now.seed);
  }
  now.E->ops->restart(now.E, numbers);
  now.probe[0] = ofw_vec_random(n, (ofw_rng_key){seed, 4, 2}, OFW_NORMAL);
  now.probe[1] = ofw_vec_dense(n, now.normal);
  now.probe[0].scale = 0.25;
  now.probe[1].scale = -0.125;
  now.x = (ofw_point){.at = now.E, .probe = {probe ? 2 : 0, now.probe}};
  assert_int_equal(ofw_point_dense(&now.x, now.all), OFW_OK);
  if (!floats && !probe)
    assert_memory_equal(now.all, numbers, n * sizeof *numbers);
}

static void end(void)
{
  now.E->ops->close(now.E);
  ofw_domain_free(now.K);
}
#define EACH_CASE(shape, how)                     \
  for (size_t shape = 0; shape < SHAPES; shape++) \
    for (int how = 0; how < 4; how++)

static void test_rows(void **state)
{
  (void)state;
  static double out[MOST];
  EACH_CASE(shape, how)
  {
    begin(shape, how & 1, how >> 1, 3 + shape);
    size_t rows = shapes[shape].rows, cols = shapes[shape].cols;
    size_t told_rows, told_cols;
    ofw_point_shape(&now.x, &told_rows, &told_cols);
    assert_int_equal(told_rows, rows);
    assert_int_equal(told_cols, cols);
    for (size_t row = 0; row < rows; row++) {
      assert_int_equal(ofw_point_row(&now.x, row, out), OFW_OK);
      for (size_t col = 0; col < cols; col++)
        assert_near(out[col], now.all[row * cols + col], how >> 1 ? 1e-15 : 0.0);
    }
    assert_int_equal(ofw_point_row(&now.x, rows, out), OFW_USAGE);
    assert_int_equal(ofw_point_row(&now.x, SIZE_MAX, out), OFW_USAGE);
    end();
  }
}

/* The largest that is left, again and again. */
static size_t slow_top(size_t n, const double *number, size_t k, char *out, size_t *index)
{
  size_t found = 0;
  for (; found < k; found++) {
    size_t best = n;
    for (size_t i = 0; i < n; i++)
      if (!out[i] && (best == n || number[i] > number[best]))
        best = i;
    if (best == n)
      break;
    out[best] = 1;
    index[found] = best;
  }
  return found;
}

static void check_top(size_t row, size_t k, size_t n, const size_t *excluded)
{
  static double number[MOST], value[MOST];
  static size_t index[MOST], want[MOST];
  char out[MOST] = {0};
  size_t cols = now.x.at->cols, found = 99;
  assert_int_equal(ofw_point_row(&now.x, row, number), OFW_OK);
  for (size_t i = 0; i < n; i++)
    out[excluded[i]] = 1;
  size_t wanted = slow_top(cols, number, k, out, want);
  assert_int_equal(ofw_point_top(&now.x, row, k, n, excluded, index, value, &found), OFW_OK);
  assert_int_equal(found, wanted);
  for (size_t i = 0; i < found; i++) {
    assert_int_equal(index[i], want[i]);
    assert_bits(value[i], number[want[i]]);
  }
}

static void test_top(void **state)
{
  (void)state;
  static size_t excluded[MOST];
  EACH_CASE(shape, how)
  for (uint64_t seed = 1; seed < 30; seed++) {
    begin(shape, how & 1, how >> 1, seed);
    size_t cols = shapes[shape].cols, row = any_below(&now.seed, shapes[shape].rows);
    size_t n = any_below(&now.seed, 3) ? any_below(&now.seed, 2 * cols) : 0;
    for (size_t i = 0; i < n; i++)
      excluded[i] = any_below(&now.seed, cols); /* in any order, and often again */
    check_top(row, any_below(&now.seed, cols + 3), n, excluded);
    check_top(row, SIZE_MAX, n, excluded);
    check_top(row, 1, 0, NULL);
    check_top(row, 0, n, excluded);
    end();
  }
}

static void test_top_refusals(void **state)
{
  (void)state;
  size_t excluded[] = {0, 73}, index[2], found = 7;
  double value[2] = {5.0, 5.0};
  begin(0, 0, 0, 1);
  assert_int_equal(ofw_point_top(&now.x, 7, 2, 1, excluded, index, value, &found), OFW_USAGE);
  assert_int_equal(ofw_point_top(&now.x, 0, 2, 2, excluded, index, value, &found), OFW_USAGE);
  assert_true(found == 7 && value[0] == 5.0);
  end();
}

/* Equal numbers by their places, whichever way they come. */
static void test_ties(void **state)
{
  (void)state;
  static const double number[][6] = {
      {1, 1, 1, 1, 1, 1}, {0, -0.0, 0, -0.0, 0, 1}, {3, 1, 2, 3, 2, 1}, {1, 2, 3, 1, 2, 3}, {5, 4, 3, 2, 1, 0}};
  static const size_t want[][6] = {
      {0, 1, 2, 3, 4, 5}, {5, 0, 1, 2, 3, 4}, {0, 3, 2, 4, 1, 5}, {2, 5, 1, 4, 0, 3}, {0, 1, 2, 3, 4, 5}};
  for (size_t c = 0; c < sizeof want / sizeof *want; c++)
    for (size_t k = 0; k <= 7; k++) {
      size_t index[7];
      double value[7];
      assert_int_equal(ofw_top(6, number[c], k, index, value), k < 6 ? k : 6);
      assert_memory_equal(index, want[c], (k < 6 ? k : 6) * sizeof *index);
    }
}

/* An engine whose decisions are too large: what is asked of it, and of streams that read all of one. */
static ofw_status no_dense(const ofw_engine *E, double *out)
{
  (void)E;
  (void)out;
  return OFW_UNSUPPORTED;
}

static void test_too_large(void **state)
{
  (void)state;
  static const char *const streams[] = {"quadratic", "drifting", "ball-constraint"};
  double x[4];
  begin(4, 0, 0, 1);
  assert_int_equal(ofw_point_dense(&now.x, NULL), OFW_OK); /* this one could be written */
  end();
  static const ofw_engine_view view = {.dense = no_dense};
  static const ofw_engine_ops ops = {.view = &view};
  const ofw_engine huge = {.ops = &ops, .dim = 4, .rows = 1, .cols = 4};
  const ofw_point at = {.at = &huge};
  assert_int_equal(ofw_point_dense(&at, NULL), OFW_UNSUPPORTED);
  assert_int_equal(ofw_point_dense(&at, x), OFW_UNSUPPORTED);
  assert_int_equal(ofw_point_centre(&at, x), OFW_UNSUPPORTED);
  ofw_domain *K = domain("l2-ball:dim=4");
  for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
    ofw_full out;
    ofw_stream *s = ofw_stream_create(streams[i], K, 10, 1, NULL);
    assert_non_null(s);
    assert_int_equal(ofw_stream_reveal(s, 1, &at, &out), OFW_UNSUPPORTED);
    assert_string_equal(ofw_stream_error(s),
                        "the stream needs whole decisions, and 4 numbers are too many to write out");
    ofw_stream_free(s);
  }
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows), cmocka_unit_test(test_top),       cmocka_unit_test(test_top_refusals),
      cmocka_unit_test(test_ties), cmocka_unit_test(test_too_large),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
