/* polytope_check.h — random polytopes, as text for ofw and as arrays for slow checks */
#ifndef OFW_TEST_POLYTOPE_CHECK_H
#define OFW_TEST_POLYTOPE_CHECK_H

#include "unit/domain/lp_check.h"
#include "unit/domain/oracle_check.h"

#include <unistd.h>

enum { MOST_ROWS = 96, MOST_SIDES = 40 };

/* low <= A x <= high and bounds on x, infinite where there are none; rows by rows */
typedef struct slow_polytope {
  size_t n, rows;
  double a[MOST_ROWS * MOST_DIM], low[MOST_ROWS], high[MOST_ROWS], least[MOST_DIM], most[MOST_DIM];
} slow_polytope;

/* Coordinates with two bounds, one, or none; those without are held by rows. Of the rows some are ranges, some equations,
 * and some have whole numbers, so that more than n of them meet in a point. The point 0.25 is inside. */
static inline void random_polytope(chance *c, size_t n, size_t rows, size_t equations, slow_polytope *p)
{
  double inside[MOST_DIM];
  p->n = n;
  p->rows = 0;
  for (size_t j = 0; j < n; j++) {
    inside[j] = 0.25;
    p->least[j] = j % 3 == 2 ? -INFINITY : 0.0;
    p->most[j] = j % 3 == 0 ? 1.0 + (double)chance_below(c, 3) : INFINITY;
  }
  for (size_t i = 0; i < rows + n; i++) {
    double *row = p->a + p->rows * n, at = 0.0;
    int whole = chance_below(c, 3) == 0, used = 0;
    for (size_t j = 0; j < n; j++) {
      row[j] = i >= rows                 ? (j == i - rows ? 1.0 : 0.125 * (double)chance_below(c, 2))
               : i < equations           ? chance_normal(c)
               : chance_below(c, 2) == 0 ? 0.0
               : whole                   ? (double)chance_below(c, 5) - 2.0
                                         : chance_normal(c);
      used += row[j] != 0.0;
      at += row[j] * inside[j];
    }
    if (used < 2 && i < rows)
      continue;
    double room = whole ? 1.0 : 0.2 + chance_unit(c);
    p->high[p->rows] = i < equations ? at : i < rows && chance_below(c, 4) == 0 ? INFINITY : at + room;
    p->low[p->rows] = i < equations ? at : i < rows && chance_below(c, 2) == 0 ? -INFINITY : at - room;
    p->rows += isfinite(p->high[p->rows]) || isfinite(p->low[p->rows]);
    assert_true(p->rows < MOST_ROWS);
  }
}

static inline void write_side(FILE *out, double low, const char *middle, double high)
{
  if (low == high)
    fprintf(out, "%s = %.17g\n", middle, low);
  else if (isfinite(low) && isfinite(high))
    fprintf(out, "%.17g <= %s <= %.17g\n", low, middle, high);
  else if (isfinite(low))
    fprintf(out, "%s >= %.17g\n", middle, low);
  else if (isfinite(high))
    fprintf(out, "%s <= %.17g\n", middle, high);
}

/* As a file, by its path. */
static inline void write_polytope(const slow_polytope *p, char path[32])
{
  strcpy(path, "/tmp/ofw-polytope-XXXXXX");
  int file = mkstemp(path);
  FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
  assert_non_null(out);
  char sum[40 * MOST_DIM];
  fprintf(out, "# a random polytope\ndim %zu\n", p->n);
  for (size_t j = 0; j < p->n; j++) {
    snprintf(sum, sizeof sum, "x%zu", j + 1);
    write_side(out, p->least[j], sum, p->most[j]);
  }
  for (size_t i = 0; i < p->rows; i++) {
    int length = 0;
    for (size_t j = 0; j < p->n; j++)
      if (p->a[i * p->n + j] != 0.0)
        length += snprintf(sum + length, sizeof sum - (size_t)length, " %+.17g x%zu", p->a[i * p->n + j], j + 1);
    write_side(out, p->low[i], sum, p->high[i]);
  }
  assert_int_equal(fclose(out), 0);
}

static inline ofw_domain *domain_of_polytope(const slow_polytope *p)
{
  char path[32], spec[TEXT];
  write_polytope(p, path);
  say(spec, "polytope:rows=@%s", path);
  ofw_domain *K = domain_of(spec);
  unlink(path);
  return K;
}

static inline lp lp_of_polytope(const slow_polytope *p)
{
  return lp_open(p->rows, p->n, p->a, p->low, p->high, p->least, p->most);
}

/* An answer that is not said to be exact, but nearly: in K, and above the least value by its error at most. Gives <d, v>. */
static inline long double ask_nearly(const ofw_domain *K, const double *d, double *v)
{
  size_t n = ofw_domain_dim(K);
  double R = K->R, error = -1.0;
  ofw_error err = {0};
  if (ofw_domain_minimise(K, d, 1e-9, v, &error, &err) != OFW_OK)
    fail_msg("%s: %s", K->spec, err.message);
  for (size_t i = 0; i < n; i++)
    assert_true(isfinite(v[i]));
  assert_true(error >= 0.0);
  assert_at_most(error, 1e-13L * R * slow_norm(n, d));
  assert_at_most(slow_norm(n, v), R * (1.0L + 1e-13L));
  assert_at_most(ofw_domain_excess(K, v), 1e-13L * R);
  return slow_dot(n, d, v);
}

/* Every side of every constraint, <a, x> <= b. */
static inline size_t sides_of(const slow_polytope *p, long double side[MOST_SIDES][MOST_DIM + 1])
{
  size_t count = 0;
  for (size_t k = 0; k < p->rows + p->n; k++)
    for (int up = 0; up < 2; up++) {
      int bound = k >= p->rows;
      double low = bound ? p->least[k - p->rows] : p->low[k], high = bound ? p->most[k - p->rows] : p->high[k];
      if (isinf(up ? high : low))
        continue;
      assert_true(count < MOST_SIDES);
      for (size_t j = 0; j < p->n; j++)
        side[count][j] = (up ? 1.0L : -1.0L) * (bound ? (long double)(j == k - p->rows) : p->a[k * p->n + j]);
      side[count++][p->n] = up ? high : -(long double)low;
    }
  return count;
}

#endif
