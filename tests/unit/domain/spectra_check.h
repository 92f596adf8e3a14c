/* spectra_check.h — sets of symmetric matrices against a full decomposition by LAPACK */
#ifndef OFW_TEST_SPECTRA_CHECK_H
#define OFW_TEST_SPECTRA_CHECK_H

#include "unit/domain/hull_check.h"

#define TRACE 2.5 /* of every set here that has one */

/* The eigenvalues of (x + x')/2, ascending, times 2^-exponent: with dsyev, which the library does not use. */
static inline void eigenvalues(size_t n, const double *x, int exponent, double *w)
{
  double *s = room_for(n * n);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      s[i * n + j] = (double)((ldexpl(x[i * n + j], -exponent) + ldexpl(x[j * n + i], -exponent)) / 2.0L);
  assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', (lapack_int)n, s, (lapack_int)n, w), 0);
  free(s);
}

static inline int exponent_of(size_t n, const double *x)
{
  int e;
  double most = 0.0;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fabs(x[i]));
  frexp(most, &e);
  return e;
}

/* The sum of the k least eigenvalues of d's symmetric part, whatever its scale. */
static inline long double least_eigenvalues(size_t n, size_t k, const double *d)
{
  double *w = room_for(n);
  int e = exponent_of(n * n, d);
  long double sum = 0.0L;
  eigenvalues(n, d, e, w);
  for (size_t l = 0; l < k; l++)
    sum += w[l];
  free(w);
  return ldexpl(sum, e);
}

/* x = sum_l w_l q_l q_l' with random orthonormal q_l; symmetric to the bit */
static inline void with_eigenvalues(chance *c, size_t n, const double *w, double *x)
{
  double *q = room_for(n * n);
  orthonormal_rows(c, n, n, q);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      long double sum = 0.0L;
      for (size_t l = 0; l < n; l++)
        sum += (long double)w[l] * q[l * n + i] * q[l * n + j];
      x[i * n + j] = x[j * n + i] = (double)sum;
    }
  free(q);
}

/* x += size * (a random antisymmetric matrix), which no set of symmetric matrices sees but for the rounding of x */
static inline void twist(chance *c, size_t n, double size, double *x)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      double a = size * chance_normal(c);
      x[i * n + j] += a;
      x[j * n + i] -= a;
    }
}

static inline ofw_domain *traced(const char *name, size_t n)
{
  char spec[TEXT];
  say(spec, "%s:dim=%zu,trace=%.17g", name, n, TRACE);
  return domain_of(spec);
}

/* What holds of an answer whatever was asked: its value is <d, v>, v is of K's size, and the error covers what is missing to
 * the minimum, `least`. Where much was asked for, or the matrix is small, the error is that, or what rounding leaves. */
static inline long double is_honest(size_t n, const double *d, long double least, ofw_answer got, double relative)
{
  double *v = room_for(n * n);
  long double rounding = 1e-14L * TRACE * slow_norm(n * n, d) * (long double)(10 + n) + 0x1p-1073L;
  ofw_sum_dense(got.atom, n * n, v);
  assert_at_most(slow_norm(n * n, v), TRACE * (1.0L + 1e-13L));
  assert_near(slow_dot(n * n, v, d), got.value, rounding);
  free(v);
  long double missing = got.value - least;
  assert_true(missing >= -rounding);
  assert_true(got.error >= 0.0);
  assert_at_most(missing, got.error + rounding);
  if (relative <= 1e-5 || n <= 32)
    assert_at_most(got.error, relative * fabsl(got.value) + rounding);
  return missing;
}

/* The minimum over a set of trace TRACE, or at most that where `down` says so. */
static inline long double least_of(size_t n, const double *d, int down)
{
  long double least = TRACE * least_eigenvalues(n, 1, d);
  return down ? fminl(0.0L, least) : least;
}

/* Asks at 1e-12 and at 1e-2. */
static inline void both_tolerances(opened o, const double *d, int down)
{
  size_t n = o.K->rows;
  long double least = least_of(n, d, down);
  ofw_answer got;
  assert_int_equal(answer(o, d, 1e-12, INFINITY, &got), OFW_OK);
  long double missing = is_honest(n, d, least, got, 1e-12);
  assert_at_most(missing, 1e-11L * fabsl(least) + 1e-13L * slow_norm(n * n, d) * TRACE + 0x1p-1073L);
  assert_int_equal(answer(o, d, 1e-2, INFINITY, &got), OFW_OK);
  is_honest(n, d, least, got, 1e-2);
}

/* Eigenvalues that are far apart, equal, next to each other, all of one sign, or falling fast; turned at random and on the
 * diagonal, with and without an antisymmetric part; in sizes that are taken to the end and that are not. */
static inline void special_spectra(const char *name, int down)
{
  static const size_t sides[] = {2, 9, 45, 60};
  chance c = {3};
  for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
    size_t n = sides[k];
    opened o = open_seeded(traced(name, n), k);
    double *d = room_for(n * n), *w = room_for(n);
    for (int kind = 0; kind < 48; kind++) {
      double sign = kind % 2 ? 1.0 : -1.0;
      for (size_t i = 0; i < n; i++) {
        double x = (double)i / (double)n;
        const double by_kind[] = {1.0 - 2.0 * x,                 /* even, of both signs */
                                  i == 0 ? 1.0 + 1e-9 : 1.0 - x, /* the second is next to the first */
                                  i < 3 ? 7.0 : 1.0 - x,         /* an exact tie of three */
                                  1.0,                           /* all the same */
                                  i < 1 ? 1.0 : 0.0,             /* rank one */
                                  pow(1e-3, (double)i)};         /* falling fast */
        w[i] = sign * by_kind[kind / 2 % 6];
      }
      if (kind / 12 % 2)
        with_eigenvalues(&c, n, w, d);
      else
        diagonal(n, n, w, d);
      if (kind / 24)
        twist(&c, n, 1.0, d);
      both_tolerances(o, d, down);
    }
    free(d);
    free(w);
    shut(o);
  }
}

/* More than 10 000 random directions at all scales, through the public call; v is in K, and no random point is better. */
static inline void random_directions(const char *name, int down)
{
  static const size_t sides[] = {1, 2, 3, 5, 8};
  for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
    size_t n = sides[k], dim = n * n;
    ofw_domain *K = traced(name, n);
    double d[MOST_DIM], v[MOST_DIM], y[MOST_DIM], error;
    chance c = {n};
    for (int t = 0; t < 2500; t++) {
      random_direction(&c, dim, d);
      assert_int_equal(ofw_domain_minimise(K, d, 1e-9, v, &error, NULL), OFW_OK);
      long double slack = 1e-13L * TRACE * slow_norm(dim, d) + 0x1p-1073L, got = slow_dot(dim, d, v);
      assert_near(got, least_of(n, d, down), slack);
      assert_at_most(error, slack);
      assert_at_most(ofw_domain_excess(K, v), 1e-13L * TRACE);
      if (t % 8)
        continue;
      random_feasible(K, &c, y);
      assert_at_most(ofw_domain_excess(K, y), 1e-13L * TRACE);
      assert_at_most(got, slow_dot(dim, d, y) + slack);
    }
    ofw_domain_free(K);
  }
}

/* Where the symmetric part is some 1e8 times smaller than the rest, its digits still count, as far as d has them. */
static inline void a_large_antisymmetric_part(const char *name, int down)
{
  enum { N = 7 };
  opened o = open_seeded(traced(name, N), 1);
  chance c = {6};
  for (int t = 0; t < 500; t++) {
    double d[N * N], s[N * N];
    ofw_answer got;
    chance_normals(&c, N * N, d);
    twist(&c, N, 1e8, d);
    for (size_t i = 0; i < N; i++)
      for (size_t j = 0; j < N; j++)
        s[i * N + j] = (d[i * N + j] + d[j * N + i]) / 2;
    assert_int_equal(answer(o, d, 1e-12, INFINITY, &got), OFW_OK);
    assert_near(got.value, least_of(N, s, down), 1e-13L * TRACE * slow_norm(N * N, s));
  }
  shut(o);
}

/* Refused with the set's name in front. */
static inline void refuses_bad_traces(const char *name)
{
  misused(name, "", ": dim is required (rows n)");
  misused(name, ":trace=2", ": dim is required (rows n)");
  misused(name, ":dim=0", ": dim=0 is not in [1, 1e+06]");
  misused(name, ":dim=1000001", ": dim=1000001 is not in [1, 1e+06]");
  misused(name, ":dim=2.5", ": dim=2.5 is not a whole number >= 0");
  misused(name, ":dim=3,trace=0", ": trace=0 is not in [1e-100, 1e+100]");
  misused(name, ":dim=3,trace=-1", ": trace=-1 is not in [1e-100, 1e+100]");
  misused(name, ":dim=3,trace=nan", ": trace=nan is not a number");
  misused(name, ":dim=3,radius=1", ": no option 'radius'; its options: dim, trace");
}

#endif
