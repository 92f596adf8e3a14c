/* The row step against a dense solve by elimination with pivots, of sums made anew. */
#include "apps/recommend/row_step.h"
#include "unit/base/check.h"

enum { MOST = ROW_MOST, SEEN = 120 };

/* Gauss with partial pivoting. */
static void slow_solve(size_t n, double A[MOST][MOST], double *y, double *x)
{
  for (size_t c = 0; c < n; c++) {
    size_t best = c;
    for (size_t i = c + 1; i < n; i++)
      best = fabs(A[i][c]) > fabs(A[best][c]) ? i : best;
    for (size_t k = 0; k < n; k++) {
      double swap = A[c][k];
      A[c][k] = A[best][k];
      A[best][k] = swap;
    }
    double swap = y[c];
    y[c] = y[best];
    y[best] = swap;
    for (size_t i = c + 1; i < n; i++) {
      double by = A[i][c] / A[c][c];
      for (size_t k = c; k < n; k++)
        A[i][k] -= by * A[c][k];
      y[i] -= by * y[c];
    }
  }
  for (size_t i = n; i-- > 0;) {
    x[i] = y[i];
    for (size_t k = i + 1; k < n; k++)
      x[i] -= A[i][k] * x[k];
    x[i] /= A[i][i];
  }
}

/* sum of g^age f f' + L, and of g^age z f. */
static void slow_row(size_t n, size_t seen, double f[SEEN][MOST], const double *z, double g, double l0, double l,
                     double *x)
{
  static double A[MOST][MOST], y[MOST];
  for (size_t i = 0; i < n; i++) {
    y[i] = 0.0;
    for (size_t j = 0; j < n; j++)
      A[i][j] = i == j ? (i ? l : l0) : 0.0;
  }
  for (size_t s = 0; s < seen; s++)
    for (size_t i = 0; i < n; i++) {
      double w = pow(g, (double)(seen - 1 - s));
      y[i] += w * z[s] * f[s][i];
      for (size_t j = 0; j < n; j++)
        A[i][j] += w * f[s][i] * f[s][j];
    }
  slow_solve(n, A, y, x);
}

static void as_a_dense_solve(void **state)
{
  (void)state;
  static double f[SEEN][MOST], row[MOST * (MOST + 1) / 2 + MOST];
  static const size_t widths[] = {1, 2, 3, 9, 17, MOST};
  static const double forget[] = {1.0, 0.99, 0.5, 0.0};
  double z[SEEN], x[MOST], wanted[MOST];
  uint64_t rng = 5;
  for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
    for (size_t g = 0; g < sizeof forget / sizeof *forget; g++) {
      size_t n = widths[w];
      memset(row, 0, row_words(n) * sizeof *row);
      for (size_t s = 0; s < SEEN; s++) {
        z[s] = any_real(&rng);
        f[s][0] = 1.0;
        for (size_t i = 1; i < n; i++)
          f[s][i] = any_real(&rng);
        row_add(n, row, forget[g], f[s], z[s]);
        if (s % 7 && s + 1 < SEEN)
          continue;
        row_solve(n, row, 4.0, 0.5, x);
        slow_row(n, s + 1, f, z, forget[g], 4.0, 0.5, wanted);
        for (size_t i = 0; i < n; i++)
          assert_near(x[i], wanted[i], 1e-11);
      }
    }
}

static void nothing_seen_is_0(void **state)
{
  (void)state;
  double row[54] = {0}, x[9];
  row_solve(9, row, 1e-3, 1e-3, x);
  for (size_t i = 0; i < 9; i++)
    assert_true(x[i] == 0.0);
}

/* Where rounding eats the ridge the solution is still finite. */
static void one_feature_many_times(void **state)
{
  (void)state;
  double row[54] = {0}, x[9], f[9] = {1.0, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6};
  for (int s = 0; s < 1000; s++)
    row_add(9, row, 1.0, f, 1.0);
  row_solve(9, row, 1e-3, 1e-3, x);
  for (size_t i = 0; i < 9; i++)
    assert_true(isfinite(x[i]));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_a_dense_solve),
      cmocka_unit_test(nothing_seen_is_0),
      cmocka_unit_test(one_feature_many_times),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
