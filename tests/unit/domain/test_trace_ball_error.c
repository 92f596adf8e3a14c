/* test_trace_ball_error.c — that the error which the oracle reports is no less than the error it makes
 *
 * An error that is not proven holds with probability 1 - 1e-3 at least, on the worst of matrices.
 */
#include "unit/domain/trace_check.h"

/* So many of n calls may fail that fail with probability p each, at most. */
static double most_failures(double p, double n)
{
  return p * n + 4.0 * sqrt(p * n);
}

/* A start on the old top pair is orthogonal to the new one and would be stuck with residual 0. */
static void an_adversarial_sequence(void **state)
{
  (void)state;
  static const double before[] = {1.0, 0.1, 0.1}, after[] = {1.0, 2.0, 0.5};
  static const double tolerances[] = {0.3, 1e-2, 1e-12};
  double unsure = 0.0, wrong = 0.0, coarse = 0.0;
  for (size_t n = 3; n <= 48; n += 45) /* a small matrix is solved to the end, a larger one is not */
    for (uint64_t seed = 0; seed < 600; seed++) {
      opened o = open_seeded(trace_ball(n, n), seed);
      double *d = room_for(n * n), tolerance = tolerances[seed % 3];
      double s[48] = {0};
      ofw_answer got;
      memcpy(s, before, sizeof before);
      diagonal(n, n, s, d);
      for (uint64_t k = 0; k <= seed % 4; k++)
        assert_int_equal(answer(o, d, tolerance, INFINITY, &got), OFW_OK);
      memcpy(s, after, sizeof after);
      diagonal(n, n, s, d);
      assert_int_equal(answer(o, d, tolerance, INFINITY, &got), OFW_OK);
      long double missing = got.value + 2.0L * RADIUS;
      wrong += missing > got.error + 1e-14L;
      if (n == 3 || tolerance == 1e-12)
        assert_at_most(got.error, 2.0L * RADIUS * tolerance + 1e-14L);
      else {
        coarse++;
        unsure += missing > 2.0L * RADIUS * tolerance;
      }
      free(d);
      shut(o);
    }
  assert_at_most(wrong, most_failures(1e-3, 1200.0));
  assert_at_most(unsure, most_failures(0.05, coarse));
}

/* The i-th of n singular values, in eight ways; none is a matrix that is solved to the end. */
static double spectrum(int kind, size_t i, size_t n)
{
  double x = (double)i / (double)n;
  const double by_kind[] = {1.0 - x,                       /* even */
                            pow(0.8, (double)i),           /* falling */
                            1.0 / (1.0 + (double)i),       /* slowly */
                            i == 0 ? 1.05 : 1.0,           /* one above a flat rest */
                            i == 0 ? 1.0 : 0.999 - x,      /* one just above an even rest */
                            i == 0 ? 1.0 : 0.02 * (1 - x), /* one alone */
                            1.0 - x * x * x,               /* crowded at the top */
                            1.0 - 1e-3 * x};               /* crowded */
  return by_kind[kind];
}

/* 21 600 calls at coarse tolerances: 8 spectra and 4 Gaussian matrices, 600 starts each, 3 tolerances. The error fails
 * as rarely as stated; <d, v> is within the tolerance more often than not on each matrix, and nearly always over all of
 * them. Both bounds must have been at work, and most calls must have stopped long before the end. */
static void coarse_tolerances(void **state)
{
  (void)state;
  static const size_t shape[][2] = {{40, 36}, {34, 60}, {70, 40}};
  static const double tolerances[] = {0.3, 0.1, 1e-2};
  chance c = {11};
  double calls = 0.0, proven = 0.0, early = 0.0, wrong = 0.0, unsure = 0.0;
  for (int kind = 0; kind < 12; kind++) {
    size_t m = shape[kind % 3][0], n = shape[kind % 3][1], rank = lesser(m, n);
    double *d = room_for(m * n), *s = room_for(rank), off = 0.0;
    for (size_t i = 0; i < rank && kind < 8; i++)
      s[i] = spectrum(kind, i, rank);
    if (kind < 8)
      with_spectrum(&c, m, n, s, d);
    else
      chance_normals(&c, m * n, d);
    known a = decompose(m, n, d);
    opened o = open_seeded(trace_ball(m, n), (uint64_t)kind);
    for (int t = 0; t < 1800; t++) {
      ofw_answer got;
      assert_int_equal(answer(o, d, tolerances[t % 3], INFINITY, &got), OFW_OK);
      long double missing = got.value + RADIUS * top(a);
      int failed = missing > got.error + 1e-14L * RADIUS * top(a);
      if (got.proven)
        assert_false(failed);
      wrong += failed;
      off += missing > tolerances[t % 3] * fabsl(got.value);
      calls++;
      proven += got.proven == 1;
      early += got.passes < rank / 2;
    }
    assert_at_most(off, 900.0);
    unsure += off;
    shut(o);
    forget(a);
    free(d);
    free(s);
  }
  assert_at_most(wrong, most_failures(1e-3, calls));
  assert_at_most(unsure, 0.05 * calls);
  assert_true(proven > 100 && proven < calls - 100 && early > calls / 2);
}

/* The same for small ones, of all shapes, each matrix new. */
static void small_matrices(void **state)
{
  (void)state;
  chance c = {12};
  for (size_t k = 0; k < 300; k++) {
    size_t m = 1 + chance_below(&c, 8), n = 1 + chance_below(&c, 8);
    opened o = open_seeded(trace_ball(m, n), k);
    for (int t = 0; t < 30; t++) {
      double d[64];
      ofw_answer got;
      chance_normals(&c, m * n, d);
      known a = decompose(m, n, d);
      assert_int_equal(answer(o, d, t % 2 ? 0.1 : 1e-2, INFINITY, &got), OFW_OK);
      is_honest(a, got, t % 2 ? 0.1 : 1e-2);
      forget(a);
    }
    shut(o);
  }
}

/* Asks at 1e-10 for a matrix with sigma_1 = 1 and the others below it by `spread` and less: crowded, and on the
 * diagonal or turned at random. Counts the calls whose error is not covered, and those whose reported error is above
 * `most`. */
static void count_failures(size_t m, size_t n, double spread, int turned, int calls, double most, size_t failed[2])
{
  size_t rank = lesser(m, n);
  double *d = room_for(m * n), *s = room_for(rank);
  chance c = {16};
  for (size_t i = 0; i < rank; i++)
    s[i] = i ? 1.0 - spread * (0.3 + 0.7 * (double)i / (double)rank) : 1.0;
  if (turned)
    with_spectrum(&c, m, n, s, d);
  else
    diagonal(m, n, s, d);
  double sigma = turned ? largest_singular(m, n, d) : 1.0;
  opened o = open_seeded(trace_ball(m, n), 1);
  for (int t = 0; t < calls; t++) {
    ofw_answer got;
    assert_int_equal(answer(o, d, 1e-10, INFINITY, &got), OFW_OK);
    failed[0] += !(got.value + RADIUS * sigma <= got.error + 1e-14 * RADIUS);
    failed[1] += !(got.error <= most * RADIUS);
  }
  shut(o);
  free(d);
  free(s);
}

/* All spreads from 1 to 1e-8. */
static void crowded(size_t m, size_t n, int calls, size_t failed[2])
{
  for (double spread = 1.0; spread > 1e-9; spread /= 10.0)
    for (int turned = 0; turned < 2; turned++)
      count_failures(m, n, spread, turned, calls, 1.1e-10, failed);
}

static void crowded_tall_matrices(void **state)
{
  (void)state;
  size_t failed[2] = {0};
  crowded(12, 9, 200, failed);
  crowded(100, 4, 200, failed);
  crowded(9, 9, 200, failed);
  crowded(60, 36, 20, failed);
  assert_int_equal(failed[0], 0);
  assert_int_equal(failed[1], 0);
}

/* Krylov's space stays within the rows' span in exact arithmetic only: rounding leads out of it, all the more the
 * closer the singular values are, and every step out is one that the rank lacks. */
static void crowded_wide_matrices(void **state)
{
  (void)state;
  size_t failed[2] = {0};
  crowded(9, 12, 200, failed);
  crowded(4, 100, 200, failed);
  crowded(12, 14, 200, failed);
  crowded(36, 60, 20, failed);
  assert_int_equal(failed[0], 0);
  assert_int_equal(failed[1], 0);
}

/* sigma_1 above the others by little more than rounding: the sequence ends, the spectrum is not seen. */
static void clusters_next_to_rounding(void **state)
{
  (void)state;
  size_t failed[2] = {0};
  for (double spread = 1e-13; spread < 1e-9; spread *= 10.0) {
    count_failures(2, 2, spread, 0, 20000, INFINITY, failed);
    count_failures(6, 6, spread, 0, 20000, INFINITY, failed);
    count_failures(6, 8, spread, 1, 2000, INFINITY, failed);
  }
  assert_int_equal(failed[0], 0);
}

/* Entries of one to five units of the least denormal: |d|_F itself has few digits then. */
static void the_least_denormals(void **state)
{
  (void)state;
  chance c = {13};
  for (size_t k = 0; k < 40; k++) {
    size_t m = 40, n = 36;
    double d[40 * 36];
    opened o = open_seeded(trace_ball(m, n), k);
    double flat = (double)chance_below(&c, 3);
    for (size_t i = 0; i < m * n; i++)
      d[i] = (flat + (double)chance_below(&c, 4)) * 0x1p-1074;
    known a = decompose(m, n, d);
    for (int t = 0; t < 25; t++) {
      ofw_answer got;
      double *v = room_for(m * n);
      assert_int_equal(answer(o, d, 0.1, INFINITY, &got), OFW_OK);
      ofw_sum_dense(got.atom, m * n, v);
      assert_at_most(slow_dot(m * n, d, v) + RADIUS * top(a), got.error + 0x1p-1074L);
      free(v);
    }
    forget(a);
    shut(o);
  }
}

/* An absolute accuracy is that of <d, v>, in its units. */
static void an_absolute_accuracy(void **state)
{
  (void)state;
  static const double scales[] = {1.0, 1e-300, 1e300};
  chance c = {14};
  double d[40 * 36];
  for (size_t k = 0; k < 3; k++) {
    opened o = open_seeded(trace_ball(40, 36), k);
    for (int t = 0; t < 60; t++) {
      ofw_answer got;
      for (size_t i = 0; i < 40 * 36; i++)
        d[i] = scales[k] * chance_normal(&c);
      known a = decompose(40, 36, d);
      double absolute = scales[k] * pow(10.0, -(double)(t % 6));
      assert_int_equal(answer(o, d, 0.5, absolute, &got), OFW_OK);
      is_honest(a, got, 0.5);
      assert_at_most(got.error, absolute);
      forget(a);
    }
    shut(o);
  }
}

/* A start is fixed by the seed and the number of the call, and the next call takes another. */
static void starts(void **state)
{
  (void)state;
  ofw_answer a[3], b[3], other;
  double d[40 * 36];
  chance c = {15};
  opened first = open_seeded(trace_ball(40, 36), 4), second = open_seeded(trace_ball(40, 36), 4);
  opened third = open_seeded(trace_ball(40, 36), 5);
  chance_normals(&c, 40 * 36, d);
  for (int t = 0; t < 3; t++) {
    assert_int_equal(answer(first, d, 0.1, INFINITY, &a[t]), OFW_OK);
    assert_int_equal(answer(second, d, 0.1, INFINITY, &b[t]), OFW_OK);
    assert_true(a[t].value == b[t].value && a[t].error == b[t].error && a[t].passes == b[t].passes);
  }
  assert_true(a[0].value != a[1].value && a[1].value != a[2].value);
  assert_int_equal(answer(third, d, 0.1, INFINITY, &other), OFW_OK);
  assert_true(other.value != a[0].value);
  shut(first);
  shut(second);
  shut(third);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_adversarial_sequence),
      cmocka_unit_test(coarse_tolerances),
      cmocka_unit_test(small_matrices),
      cmocka_unit_test(crowded_tall_matrices),
      cmocka_unit_test(crowded_wide_matrices),
      cmocka_unit_test(clusters_next_to_rounding),
      cmocka_unit_test(the_least_denormals),
      cmocka_unit_test(an_absolute_accuracy),
      cmocka_unit_test(starts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
