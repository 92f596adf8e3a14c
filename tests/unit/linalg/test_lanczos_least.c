/* test_lanczos_least.c — the least eigenpair of a symmetric matrix, and the symmetric part that it is asked about */
#include "linalg/lanczos.h"
#include "linalg/symmetric.h"

#include "linalg/rng.h"
#include "unit/linalg/full_svd.h"

/* The least eigenvalue by LAPACK; s is by rows, and its numbers are safe. */
static double least_eigenvalue(size_t n, const double *s)
{
  double *copy = room_for(n * n), *w = room_for(n);
  memcpy(copy, s, n * n * sizeof *s);
  assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', (lapack_int)n, copy, (lapack_int)n, w), 0);
  double least = w[0];
  free(copy);
  free(w);
  return least;
}

typedef struct play {
  size_t n;
  ofw_owned own;
  ofw_symmetric s;
  ofw_lanczos *l;
} play;

static play begin(size_t n)
{
  play p = {.n = n};
  assert_int_equal(ofw_symmetric_open(&p.own, n, &p.s, NULL), OFW_OK);
  assert_int_equal(ofw_lanczos_open(&p.own, 0, n, NULL, &p.l, NULL), OFW_OK);
  return p;
}

static void end(play *p)
{
  ofw_owned_free(&p->own);
}

/* The pair of d's symmetric part, in d's units. */
static ofw_singular least(play *p, const double *d, uint64_t seed, double relative, double absolute)
{
  ofw_singular out;
  ofw_error err = {0};
  ofw_symmetric_set(&p->s, d);
  if (ofw_lanczos_least(p->l, ofw_symmetric_times, &p->s, p->s.size, p->s.trace, (ofw_rng_key){seed, OFW_RNG_ORACLE, 0},
                        relative, ldexp(absolute, -p->s.exponent), &out, &err) != OFW_OK)
    fail_msg("%s", err.message);
  out.value = ldexp(out.value, p->s.exponent);
  out.above = ldexp(out.above, p->s.exponent);
  return out;
}

/* |S v - value v|, rebuilt from the matrix */
static long double residual(size_t n, const double *s, ofw_singular got)
{
  long double square = 0.0L;
  assert_near(slow_norm(n, got.v), 1.0L, 1e-14L);
  for (size_t i = 0; i < n; i++) {
    long double e = slow_dot(n, s + i * n, got.v) - (long double)got.value * got.v[i];
    square += e * e;
  }
  return sqrtl(square);
}

static void symmetrise(size_t n, double *d)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      d[i * n + j] = d[j * n + i] = (d[i * n + j] + d[j * n + i]) / 2;
}

static void the_pair(void **state)
{
  (void)state;
  static const size_t sides[] = {1, 2, 3, 8, 33, 50, 120};
  static const double tolerances[] = {0.3, 1e-2, 1e-6, 1e-12};
  chance c = {1};
  int missed = 0;
  for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
    size_t n = sides[k];
    double *d = room_for(n * n);
    play p = begin(n);
    for (int t = 0; t < 40; t++) {
      double relative = tolerances[t % 4];
      chance_normals(&c, n * n, d);
      symmetrise(n, d);
      double lambda = least_eigenvalue(n, d);
      long double rounding = 1e-14L * (10.0L + (long double)n) * slow_norm(n * n, d);
      ofw_singular got = least(&p, d, (uint64_t)t, relative, INFINITY);
      assert_at_most(residual(n, d, got), 3.0 * relative * fabs(got.value) + rounding);
      assert_true(got.value >= lambda - rounding);
      missed += !(lambda >= got.value - got.above - rounding);
      if (relative <= 1e-5)
        assert_at_most(got.above, relative * fabs(got.value) + rounding);
      assert_true(got.passes <= n);
    }
    end(&p);
    free(d);
  }
  assert_true(missed <= 3); /* of 280, each with probability 1e-3 at most */
}

/* A least eigenvalue that stands alone by little, so that the basis is filled and restarted. */
static void restarts(void **state)
{
  (void)state;
  enum { N = 360, FULL = 128 };
  double *d = room_for(N * N), w[N];
  play p = begin(N);
  size_t restarted = 0;
  for (uint64_t t = 0; t < 12; t++) {
    double gap = t % 2 ? 1e-3 : 1e-4;
    for (size_t i = 0; i < N; i++)
      w[i] = i == 5 ? -1.0 - gap : pow((double)i / N, 1.0 + (double)(t % 3)) - 1.0;
    diagonal(N, N, w, d);
    ofw_singular got = least(&p, d, t, 1e-9, INFINITY);
    restarted += got.passes > FULL;
    assert_near(got.value, -1.0L - gap, 1.1e-9L);
    assert_near(fabs(got.v[5]), 1.0L, 1e-4L);
    assert_at_most(got.above, 1.1e-9L);
  }
  assert_true(restarted > 4);
  end(&p);
  free(d);
}

/* The relative accuracy is that of the least eigenvalue, however large the others are. */
static void next_to_large_ones(void **state)
{
  (void)state;
  enum { N = 60 };
  double *d = room_for(N * N), w[N];
  play p = begin(N);
  for (uint64_t t = 0; t < 100; t++) {
    for (size_t i = 0; i < N; i++)
      w[i] = i ? 1000.0 * (double)i / N : -1.0;
    diagonal(N, N, w, d);
    ofw_singular got = least(&p, d, t, 1e-6, INFINITY);
    assert_near(got.value, -1.0L, 1e-6L);
    assert_at_most(got.above, 1.01e-6L);
  }
  end(&p);
  free(d);
}

static void an_absolute_accuracy(void **state)
{
  (void)state;
  enum { N = 50 };
  double *d = room_for(N * N);
  play p = begin(N);
  chance c = {3};
  size_t before = 0;
  chance_normals(&c, N * N, d);
  symmetrise(N, d);
  double lambda = least_eigenvalue(N, d);
  for (double absolute = 1.0; absolute > 1e-9; absolute /= 100.0) {
    ofw_singular got = least(&p, d, 5, 0.5, absolute);
    assert_true(got.above <= absolute && lambda >= got.value - got.above - 1e-12);
    assert_true(got.passes >= before);
    before = got.passes;
  }
  assert_true(before > least(&p, d, 5, 0.5, INFINITY).passes);
  end(&p);
  free(d);
}

/* S by its rows: the entries, the trace, the size, and products, at every scale. */
static void the_symmetric_part(void **state)
{
  (void)state;
  static const double scales[] = {1.0, 1e-310, 1e-160, 1e160, 1e300, 8e307};
  chance c = {7};
  for (size_t n = 1; n <= 70; n += n < 8 ? 1 : 31) {
    double *d = room_for(n * n), *v = room_for(n), *w = room_for(n);
    play p = begin(n);
    for (int t = 0; t < 12; t++) {
      long double trace = 0.0L, square = 0.0L;
      for (size_t i = 0; i < n * n; i++)
        d[i] = scales[t % 6] * (2.0 * chance_unit(&c) - 1.0);
      chance_normals(&c, n, v);
      ofw_symmetric_set(&p.s, d);
      ofw_symmetric_times(&p.s, v, w);
      for (size_t i = 0; i < n; i++) {
        long double sum = 0.0L;
        for (size_t j = 0; j < n; j++) {
          long double s = ldexpl(((long double)d[i * n + j] + d[j * n + i]) / 2.0L, -p.s.exponent);
          sum += s * v[j];
          square += s * s;
          trace += i == j ? s : 0.0L;
        }
        assert_near(w[i], sum, 1e-14L * p.s.size * slow_norm(n, v));
      }
      assert_near(p.s.trace, trace, 1e-14L * p.s.size * sqrtl((long double)n));
      assert_near(p.s.size, sqrtl(square), 1e-14L * p.s.size);
    }
    end(&p);
    free(d);
    free(v);
    free(w);
  }
}

/* Nothing symmetric: size 0. */
static void an_antisymmetric_matrix(void **state)
{
  (void)state;
  play p = begin(2);
  ofw_symmetric_set(&p.s, (double[]){0.0, 1e308, -1e308, -0.0});
  assert_true(p.s.size == 0.0 && p.s.trace == 0.0);
  end(&p);
}

static void nans_are_an_error(void **state)
{
  (void)state;
  play p = begin(3);
  ofw_singular out;
  ofw_error err = {0};
  double d[9] = {1.0, 2.0};
  ofw_symmetric_set(&p.s, d);
  p.s.row[1] = NAN;
  assert_int_equal(ofw_lanczos_least(p.l, ofw_symmetric_times, &p.s, 1.0, 0.0, (ofw_rng_key){1, OFW_RNG_ORACLE, 0}, 0.1,
                                     INFINITY, &out, &err),
                   OFW_NUMERICAL);
  assert_string_equal(err.message, "the eigenvalue is not a finite number");
  end(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_pair),           cmocka_unit_test(restarts),
      cmocka_unit_test(next_to_large_ones), cmocka_unit_test(an_absolute_accuracy),
      cmocka_unit_test(the_symmetric_part), cmocka_unit_test(an_antisymmetric_matrix),
      cmocka_unit_test(nans_are_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
