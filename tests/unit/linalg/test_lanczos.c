#include "linalg/lanczos.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"
#include "unit/linalg/full_svd.h"

/* A dense matrix, read by passes that are counted. */
typedef struct matrix {
  size_t m, n;
  double *a;
  size_t passes;
} matrix;

static void pass(const void *ctx, const double *v, double *u, double *w)
{
  matrix *A = (matrix *)(uintptr_t)ctx;
  A->passes++;
  for (size_t j = 0; j < A->n; j++)
    w[j] = 0.0;
  for (size_t i = 0; i < A->m; i++) {
    const double *row = A->a + i * A->n;
    double sum = 0.0;
    for (size_t j = 0; j < A->n; j++)
      sum += row[j] * v[j];
    u[i] = sum;
    for (size_t j = 0; j < A->n; j++)
      w[j] += row[j] * sum;
  }
}

static ofw_singular top(ofw_lanczos *l, matrix *A, uint64_t seed, double relative, double absolute)
{
  ofw_singular out = {0};
  ofw_error err = {0};
  ofw_rng_key key = {seed, OFW_RNG_ORACLE, 0};
  double square = (double)slow_dot(A->m * A->n, A->a, A->a);
  A->passes = 0;
  if (ofw_lanczos_top(l, pass, A, square, key, relative, absolute, &out, &err) != OFW_OK)
    fail_msg("%s", err.message);
  assert_int_equal(out.passes, A->passes);
  return out;
}

static ofw_owned rooms; /* of all that a test has opened */

static ofw_lanczos *opened(size_t m, size_t n)
{
  ofw_lanczos *l = NULL;
  ofw_error err = {0};
  if (ofw_lanczos_open(&rooms, m, n, NULL, &l, &err) != OFW_OK)
    fail_msg("%s", err.message);
  return l;
}

/* Unit vectors, theta = |A v| = <u, A v>, and the residual |A'u - theta v|, all rebuilt from the matrix. */
static long double residual(const matrix *A, ofw_singular s)
{
  long double square = 0.0L;
  double *image = room_for(A->m);
  assert_near(slow_norm(A->m, s.u), 1.0L, 1e-14L);
  assert_near(slow_norm(A->n, s.v), 1.0L, 1e-14L);
  for (size_t i = 0; i < A->m; i++)
    image[i] = (double)slow_dot(A->n, A->a + i * A->n, s.v);
  assert_near(slow_norm(A->m, image), s.value, 1e-13L * s.value);
  assert_near(slow_dot(A->m, image, s.u), s.value, 1e-13L * s.value);
  free(image);
  for (size_t j = 0; j < A->n; j++) {
    long double sum = -(long double)s.value * s.v[j];
    for (size_t i = 0; i < A->m; i++)
      sum += (long double)A->a[i * A->n + j] * s.u[i];
    square += sum * sum;
  }
  return sqrtl(square);
}

static void the_pair(void **state)
{
  (void)state;
  static const size_t shape[][2] = {{1, 1}, {1, 8}, {8, 1}, {5, 7}, {7, 5}, {33, 33}, {50, 40}, {40, 50}, {90, 120}};
  static const double tolerances[] = {0.3, 1e-2, 1e-6, 1e-12};
  chance c = {1};
  int missed = 0;
  for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
    matrix A = {shape[k][0], shape[k][1], room_for(shape[k][0] * shape[k][1]), 0};
    ofw_lanczos *l = opened(A.m, A.n);
    for (int t = 0; t < 40; t++) {
      double relative = tolerances[t % 4];
      chance_normals(&c, A.m * A.n, A.a);
      double sigma = largest_singular(A.m, A.n, A.a);
      ofw_singular s = top(l, &A, (uint64_t)t, relative, INFINITY);
      assert_at_most(residual(&A, s), 3.0 * relative * s.value + 1e-13L * sigma);
      assert_at_most(s.value, sigma * (1.0L + 1e-14L));
      missed += !(sigma <= s.value + s.above + 1e-14L * sigma);
      if (relative <= 1e-5) /* where the two probabilities are the same */
        assert_at_most(s.above, relative * s.value + 1e-14L * sigma);
      assert_true(s.passes <= A.n);
    }
    ofw_owned_free(&rooms);
    free(A.a);
  }
  assert_true(missed <= 3); /* of 360, each with probability 1e-3 at most */
}

/* The first bound: where the spectrum falls fast, what is unseen of |A|_F proves the error. */
static void a_falling_spectrum_is_proven(void **state)
{
  (void)state;
  chance c = {2};
  matrix A = {60, 50, room_for(3000), 0};
  ofw_lanczos *l = opened(60, 50);
  double s[50];
  int proven = 0;
  for (size_t i = 0; i < 50; i++)
    s[i] = pow(0.3, (double)i);
  with_spectrum(&c, 60, 50, s, A.a);
  for (uint64_t t = 0; t < 200; t++) {
    ofw_singular got = top(l, &A, t, 0.1, INFINITY);
    if (got.proven)
      assert_at_most(1.0L, got.value + got.above + 1e-14L);
    proven += got.proven;
  }
  assert_true(proven > 100);
  for (size_t i = 0; i < 50; i++)
    s[i] = 1.0;
  with_spectrum(&c, 60, 50, s, A.a);
  for (uint64_t t = 0; t < 20; t++)
    assert_int_equal(top(l, &A, t, 0.1, INFINITY).proven, 0); /* and here it cannot */
  ofw_owned_free(&rooms);
  free(A.a);
}

/* The error of theta is second order in the residual, so a bound may be met while the pair is still off: both count. */
static void the_residual_is_asked_for_too(void **state)
{
  (void)state;
  chance c = {5};
  matrix A = {60, 50, room_for(3000), 0};
  ofw_lanczos *l = opened(60, 50);
  for (int kind = 0; kind < 4; kind++) {
    double s[50] = {1.0, 0.1 + 0.1 * kind}, relative = 1.1 * (sqrt(1.0 + s[1] * s[1]) - 1.0);
    with_spectrum(&c, 60, 50, s, A.a);
    for (uint64_t t = 0; t < 200; t++) {
      ofw_singular got = top(l, &A, t, relative, INFINITY);
      assert_at_most(residual(&A, got), 3.0 * relative * got.value + 1e-13L);
    }
  }
  ofw_owned_free(&rooms);
  free(A.a);
}

static void an_absolute_accuracy(void **state)
{
  (void)state;
  chance c = {3};
  matrix A = {60, 50, room_for(3000), 0};
  ofw_lanczos *l = opened(60, 50);
  chance_normals(&c, 3000, A.a);
  double sigma = largest_singular(60, 50, A.a);
  size_t before = 0;
  for (double absolute = 1.0; absolute > 1e-9; absolute /= 100.0) {
    ofw_singular s = top(l, &A, 5, 0.5, absolute);
    assert_true(s.above <= absolute && sigma <= s.value + s.above + 1e-13);
    assert_true(s.passes >= before);
    before = s.passes;
  }
  assert_true(before > top(l, &A, 5, 0.5, INFINITY).passes);
  ofw_owned_free(&rooms);
  free(A.a);
}

/* No state outlasts a call: the same key gives the same bits after any other matrix. */
static void the_same_key_the_same_bits(void **state)
{
  (void)state;
  enum { M = 50, N = 40 };
  chance c = {4};
  matrix A = {M, N, room_for(M * N), 0}, B = {M, N, room_for(M * N), 0};
  ofw_lanczos *l = opened(M, N), *fresh = opened(M, N);
  chance_normals(&c, M * N, A.a);
  chance_normals(&c, M * N, B.a);
  ofw_singular first = top(l, &A, 6, 1e-2, INFINITY);
  double u[M], v[N];
  memcpy(u, first.u, sizeof u);
  memcpy(v, first.v, sizeof v);
  assert_true(top(l, &A, 7, 1e-2, INFINITY).value != first.value); /* another start */
  top(l, &B, 6, 1e-9, INFINITY);
  ofw_lanczos *both[] = {l, fresh};
  for (int i = 0; i < 2; i++) {
    ofw_singular again = top(both[i], &A, 6, 1e-2, INFINITY);
    assert_true(again.value == first.value && again.above == first.above && again.passes == first.passes);
    assert_memory_equal(again.u, u, sizeof u);
    assert_memory_equal(again.v, v, sizeof v);
  }
  ofw_owned_free(&rooms);
  free(A.a);
  free(B.a);
}

/* The second bound is a matter of one number: on a diagonal matrix the start's entry at the top. Where that is at least
 * c, sigma_1 <= theta + above holds for certain, however the search went. Gives whether the start was that good. */
static int bound_holds(ofw_lanczos *l, matrix *A, uint64_t seed, double sigma, size_t at, double relative)
{
  double *start = room_for(A->n), c = OFW_LANCZOS_DELTA * sqrt(M_PI / (2.0 * (double)A->n));
  ofw_rng_direction((ofw_rng_key){seed, OFW_RNG_ORACLE, 0}, A->n, start);
  int good = fabs(start[at]) >= c;
  free(start);
  ofw_singular got = top(l, A, seed, relative, INFINITY);
  if (good || got.proven)
    assert_at_most(sigma, got.value + got.above + 1e-14L);
  return good;
}

/* One singular value stands alone above the rest, which ends at 1: the worst that there is. The starts that have too
 * little of it are as rare as stated, and those that have just enough are covered. */
static void the_second_bound(void **state)
{
  (void)state;
  enum { M = 40, N = 44, STARTS = 20000 };
  static const double tolerances[] = {0.3, 0.1, 1e-2, 1e-3};
  matrix A = {M, N, room_for(M * N), 0};
  ofw_lanczos *l = opened(M, N);
  double s[M];
  int bad = 0;
  for (uint64_t t = 0; t < STARTS; t++) {
    double sigma = 1.0 + pow(10.0, -(double)(t % 5)), spread = pow(10.0, -(double)(t / 5 % 3));
    for (size_t i = 0; i < M; i++)
      s[i] = i == 7 ? sigma : 1.0 - spread * (double)i / M;
    diagonal(M, N, s, A.a);
    bad += !bound_holds(l, &A, t, sigma, 7, tolerances[t / 15 % 4]);
  }
  assert_true(bad > 0 && bad <= OFW_LANCZOS_DELTA * STARTS + 4.0 * sqrt(OFW_LANCZOS_DELTA * STARTS));
  ofw_owned_free(&rooms);
  free(A.a);
}

/* Crowded at the top, so that the basis is filled and restarted, up to ten times: the pair is found all the same, and the
 * bound goes on over the restarts. */
static void restarts(void **state)
{
  (void)state;
  enum { M = 350, N = 360, FULL = 128 };
  matrix A = {M, N, room_for(M * N), 0};
  ofw_lanczos *l = opened(M, N);
  double s[M];
  size_t restarted = 0;
  for (uint64_t t = 0; t < 24; t++) {
    double bend = 1.0 + (double)(t % 3), least = t % 2 ? 1e-3 : 1e-4;
    for (size_t i = 0; i < M; i++)
      s[i] = i == 5 ? 1.0 + least : 1.0 - pow((double)i / M, bend);
    diagonal(M, N, s, A.a);
    bound_holds(l, &A, t, 1.0 + least, 5, t % 4 < 2 ? 1e-9 : 1e-3);
    ofw_singular got = top(l, &A, t, 1e-9, INFINITY);
    restarted += got.passes > FULL;
    assert_near(got.value, 1.0L + least, 1e-9L);
    assert_near(fabs(got.v[5]), 1.0L, 1e-4L);
    assert_at_most(residual(&A, got), 3e-9L);
    assert_at_most(got.above, 1.1e-9L);
  }
  assert_true(restarted > 8);
  ofw_owned_free(&rooms);
  free(A.a);
}

static void a_matrix_of_nans_is_an_error(void **state)
{
  (void)state;
  matrix A = {6, 4, room_for(24), 0};
  ofw_lanczos *l = opened(6, 4);
  ofw_singular out;
  ofw_error err = {0};
  for (size_t i = 0; i < 24; i++)
    A.a[i] = NAN;
  assert_int_equal(ofw_lanczos_top(l, pass, &A, 1.0, (ofw_rng_key){1, OFW_RNG_ORACLE, 0}, 0.1, INFINITY, &out, &err),
                   OFW_NUMERICAL);
  assert_int_equal(err.status, OFW_NUMERICAL);
  assert_true(strlen(err.message) > 0);
  ofw_owned_free(&rooms);
  free(A.a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_pair),
      cmocka_unit_test(a_falling_spectrum_is_proven),
      cmocka_unit_test(the_residual_is_asked_for_too),
      cmocka_unit_test(an_absolute_accuracy),
      cmocka_unit_test(the_same_key_the_same_bits),
      cmocka_unit_test(the_second_bound),
      cmocka_unit_test(restarts),
      cmocka_unit_test(a_matrix_of_nans_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
