/* trace_check.h — the trace ball's answers against a full singular value decomposition */
#ifndef OFW_TEST_TRACE_CHECK_H
#define OFW_TEST_TRACE_CHECK_H

#include "unit/domain/oracle_check.h"
#include "unit/linalg/full_svd.h"
#include "vector/vec_arithmetic.h"

#define RADIUS 2.5 /* of every ball here */

static inline ofw_domain *trace_ball(size_t m, size_t n)
{
  char spec[TEXT];
  say(spec, "trace-ball:rows=%zu,cols=%zu,radius=%.17g", m, n, RADIUS);
  return domain_of(spec);
}

/* One matrix and its singular values. The matrix is 2^exponent times the numbers that were decomposed, exactly. */
typedef struct known {
  size_t m, n;
  int exponent;
  double *d, *s, *u, *vt;
} known;

static inline known decompose(size_t m, size_t n, const double *d)
{
  size_t k = lesser(m, n);
  known a = {m, n, 0, room_for(m * n), room_for(k), room_for(m * k), room_for(k * n)};
  double most = 0.0, *safe = room_for(m * n);
  for (size_t i = 0; i < m * n; i++)
    most = fmax(most, fabs(d[i]));
  frexp(most, &a.exponent);
  memcpy(a.d, d, m * n * sizeof *d);
  for (size_t i = 0; i < m * n; i++)
    safe[i] = ldexp(d[i], -a.exponent);
  svd(m, n, safe, a.s, a.u, a.vt);
  free(safe);
  return a;
}

static inline void forget(known a)
{
  free(a.d), free(a.s), free(a.u), free(a.vt);
}

/* sigma_1, which may be beyond the range of doubles */
static inline long double top(known a)
{
  return ldexpl(a.s[0], a.exponent);
}

/* What holds of an answer whatever was asked: value = <d, v> with v of norm RADIUS and rank one; the error covers what
 * is missing to RADIUS sigma_1. Where much was asked for, or the matrix is small, it is that, or what rounding leaves: a
 * coarse search ends before its error is certain. Gives what is missing. */
static inline long double is_honest(known a, ofw_answer got, double relative)
{
  size_t dim = a.m * a.n;
  double *v = room_for(dim);
  long double unit = RADIUS * top(a), rounding = 1e-14L * unit + 0x1p-1073L;
  ofw_sum_dense(got.atom, dim, v);
  assert_near(slow_norm(dim, v), RADIUS, 1e-13L);
  assert_near(slow_dot(dim, v, a.d), got.value, 10.0L * rounding);
  free(v);
  long double missing = got.value + unit;
  assert_true(missing >= -rounding);
  assert_true(got.error >= 0.0);
  assert_at_most(missing, got.error + rounding);
  if (relative <= 1e-5 || a.n <= 32)
    assert_at_most(got.error, relative * fabsl(got.value) + rounding);
  assert_true(got.passes >= 1);
  return missing;
}

/* ... and at 1e-12 also the value to 1e-11 and, where the top pair stands clear, the pair itself. */
static inline void is_exact(known a, ofw_answer got)
{
  long double missing = is_honest(a, got, 1e-12);
  assert_at_most(missing, 1e-11L * RADIUS * top(a) + 0x1p-1073L);
  if (lesser(a.m, a.n) > 1 && a.s[0] - a.s[1] < 1e-3 * a.s[0])
    return;
  size_t k = lesser(a.m, a.n);
  double *v = room_for(a.m * a.n);
  ofw_sum_dense(got.atom, a.m * a.n, v);
  for (size_t i = 0; i < a.m; i++)
    for (size_t j = 0; j < a.n; j++)
      assert_near(v[i * a.n + j], -RADIUS * a.u[i * k] * a.vt[j], 1e-8L);
  free(v);
}

#endif
