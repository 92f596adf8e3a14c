/* test_lanczos_rough.c — searches by passes that are off, and searches that go on, next to a full decomposition */
#include "linalg/lanczos.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"
#include "unit/linalg/full_svd.h"

#define GRAIN 2e-6
#define APART 1e-5

/* A matrix whose passes are of another one, and off by as much as they may be, in a direction that changes with each or is always
 * the same. */
typedef struct matrix {
  size_t m, n;
  double *a, square;
  double *b; /* the other one; NULL: it is the same */
  int worst; /* 0: exact; 1: at random; 2: always the same way */
  chance *c;
  size_t passes;
} matrix;

/* x += length times a direction */
static void push(const matrix *A, size_t n, double length, double *x)
{
  double *by = room_for(n);
  for (size_t i = 0; i < n; i++)
    by[i] = A->worst == 2 ? 1.0 : chance_normal(A->c);
  double norm = (double)slow_norm(n, by);
  for (size_t i = 0; i < n; i++)
    x[i] += length * by[i] / norm;
  free(by);
}

static void pass(const void *ctx, const double *v, double *u, double *w)
{
  matrix *A = (matrix *)(uintptr_t)ctx;
  const double *a = A->b ? A->b : A->a;
  double off = A->worst ? 0.99 * GRAIN * sqrt(A->square) : 0.0;
  A->passes++;
  for (size_t i = 0; i < A->m; i++)
    u[i] = (double)slow_dot(A->n, a + i * A->n, v);
  if (off > 0.0)
    push(A, A->m, off, u);
  for (size_t j = 0; j < A->n; j++) {
    w[j] = 0.0;
    for (size_t i = 0; i < A->m; i++)
      w[j] += a[i * A->n + j] * u[i];
  }
  if (off > 0.0)
    push(A, A->n, off * (double)slow_norm(A->m, u), w);
}

enum { M = 60, N = 150 };
static ofw_owned rooms;

static ofw_lanczos *opened(void)
{
  ofw_lanczos *l = NULL;
  assert_int_equal(ofw_lanczos_open(&rooms, M, N, NULL, &l, NULL), OFW_OK);
  return l;
}

static matrix make(chance *c, const double *s)
{
  matrix A = {.m = M, .n = N, .a = room_for(M * N), .c = c};
  if (s)
    with_spectrum(c, M, N, s, A.a);
  else
    chance_normals(c, M * N, A.a);
  A.square = (double)slow_dot(M * N, A.a, A.a);
  return A;
}

/* <u, A v> of the matrix as it is */
static long double value_of(const matrix *A, const ofw_singular *s)
{
  long double value = 0.0L;
  for (size_t i = 0; i < M; i++)
    value += s->u[i] * slow_dot(N, A->a + i * N, s->v);
  return value;
}

static ofw_status search(ofw_lanczos *l, matrix *A, uint64_t seed, double relative, double absolute, ofw_singular *out)
{
  ofw_error err = {0};
  A->passes = 0;
  ofw_status st = ofw_lanczos_rough(l, pass, A, A->square, (ofw_rough){A->b ? APART : 0.0, GRAIN},
                                    (ofw_rng_key){seed, OFW_RNG_ORACLE, 0}, relative, absolute, out, &err);
  assert_true(st == OFW_OK || (st == OFW_UNSUPPORTED && !err.message[0]));
  assert_int_equal(out->passes, A->passes);
  return st;
}

/* Falling, crowded, nearly flat with one above, with a top that is there twice, and Gaussian. */
static void the_error_is_covered(void **state)
{
  (void)state;
  chance c = {21};
  double calls = 0.0, wrong = 0.0, far = 0.0;
  for (int kind = 0; kind < 5; kind++) {
    double s[M];
    for (size_t i = 0; i < M; i++) {
      double x = (double)i / M;
      const double by[] = {1.0 - x, 1.0 - 0.1 * x, i ? 1.0 - 0.05 * x : 1.1, i < 2 ? 1.0 : 0.9 - x / 2.0};
      s[i] = by[kind % 4];
    }
    matrix A = make(&c, kind < 4 ? s : NULL);
    double sigma = largest_singular(M, N, A.a), *other = room_for(M * N);
    ofw_lanczos *l = opened();
    memcpy(other, A.a, M * N * sizeof *other);
    push(&(matrix){.c = &c}, M * N, 0.99 * APART * sqrt(A.square), other);
    for (uint64_t t = 0; t < 90; t++) {
      static const double relatives[] = {1e-1, 1e-2, 1e-3};
      double relative = relatives[t % 3];
      ofw_singular got;
      A.worst = (int)(t / 3 % 3);
      A.b = t / 9 % 2 ? other : NULL;
      assert_int_equal(search(l, &A, t, relative, INFINITY, &got), OFW_OK);
      assert_near(slow_norm(M, got.u), 1.0L, 1e-14L);
      assert_near(slow_norm(N, got.v), 1.0L, 1e-14L);
      assert_int_equal(got.proven, 0);
      long double value = value_of(&A, &got);
      assert_at_most(fabsl(value - got.value), got.above);
      calls++;
      wrong += sigma - value > got.above;
      far += sigma - value > relative * sigma;
    }
    free(A.a), free(other);
  }
  assert_at_most(wrong, 2.0); /* one in 1000 may be */
  assert_at_most(far, 0.1 * calls);
}

/* What floats cannot tell is not answered: a space that ends, an accuracy below the grain, and what is not finite. */
static void what_is_not_answered(void **state)
{
  (void)state;
  chance c = {22};
  double one[M] = {3.0}, three[M] = {3.0, 2.0, 1.0}, absolute = 1e-6;
  const double *spectra[] = {one, three};
  ofw_lanczos *l = opened();
  ofw_singular got;
  for (size_t k = 0; k < 2; k++) {
    matrix A = make(&c, spectra[k]);
    A.worst = 1;
    assert_int_equal(search(l, &A, 1, 1e-3, INFINITY, &got), OFW_UNSUPPORTED);
    assert_at_most((double)got.passes, 8.0);
    free(A.a);
  }
  matrix A = make(&c, NULL);
  assert_int_equal(search(l, &A, 1, 1e-2, absolute, &got), OFW_UNSUPPORTED);
  assert_int_equal(search(l, &A, 1, 1e-8, INFINITY, &got), OFW_UNSUPPORTED);
  A.a[7] = (double)NAN;
  ofw_error err = {0};
  assert_int_equal(ofw_lanczos_rough(l, pass, &A, A.square, (ofw_rough){0.0, GRAIN},
                                     (ofw_rng_key){1, OFW_RNG_ORACLE, 0}, 1e-2, INFINITY, &got, &err),
                   OFW_NUMERICAL);
  assert_string_equal(err.message, "the singular value is not a finite number");
  free(A.a);
}

/* Exact passes of another matrix: a space that ends is an answer, and what the matrices are apart is counted and may be too much. */
static void exact_passes_of_another(void **state)
{
  (void)state;
  chance c = {26};
  double three[M] = {3.0, 2.0, 1.0};
  ofw_lanczos *l = opened();
  for (uint64_t t = 0; t < 30; t++) {
    matrix A = make(&c, t % 2 ? three : NULL);
    ofw_rough how = {APART, 0.0};
    double sigma = largest_singular(M, N, A.a), relative = t % 3 ? 1e-3 : 1e-4, *other = room_for(M * N);
    ofw_singular got;
    memcpy(other, A.a, M * N * sizeof *other);
    for (size_t k = 0; k < M * N; k++)
      other[k] *= 1.0 - 0.99 * APART;
    A.b = other;
    ofw_rng_key key = {t, OFW_RNG_ORACLE, 0};
    assert_int_equal(ofw_lanczos_rough(l, pass, &A, A.square, how, key, relative, INFINITY, &got, NULL), OFW_OK);
    assert_at_most(fabsl(value_of(&A, &got) - got.value), got.above);
    assert_at_most(sigma, got.value + got.above);
    assert_at_most(2.0 * APART * sqrt(A.square), got.above);
    assert_int_equal(ofw_lanczos_further(l, 1e-9, INFINITY, &got, NULL), OFW_UNSUPPORTED);
    assert_int_equal(ofw_lanczos_rough(l, pass, &A, A.square, how, key, 1e-2, 0.5 * APART * sigma, &got, NULL),
                     OFW_UNSUPPORTED);
    free(A.a), free(other);
  }
}

/* Spikes, and an even background that the copy has lost: an answer is as accurate as was asked for, or nearly; else there is none. */
static void what_a_copy_loses_evenly(void **state)
{
  (void)state;
  chance c = {27};
  double flat[M];
  ofw_lanczos *l = opened();
  size_t answers = 0, others = 0;
  for (size_t i = 0; i < M; i++)
    flat[i] = 1.0 - 0.1 * (double)i / M;
  matrix A = make(&c, flat);
  double *spikes = A.a;
  A.a = room_for(M * N);
  A.b = spikes;
  for (uint64_t t = 0; t < 40; t++) {
    double apart = 1e-4 * pow(1.2, (double)t), even = 0.99 * apart * sqrt((double)M), relative = 1e-2;
    for (size_t k = 0; k < M * N; k++)
      A.a[k] = spikes[k] + even / sqrt((double)(M * N));
    A.square = (double)slow_dot(M * N, A.a, A.a);
    double sigma = largest_singular(M, N, A.a);
    ofw_singular got;
    ofw_rng_key key = {t, OFW_RNG_ORACLE, 0};
    ofw_status st =
        ofw_lanczos_rough(l, pass, &A, A.square, (ofw_rough){apart, GRAIN}, key, relative, INFINITY, &got, NULL);
    if (st == OFW_OK)
      assert_at_most(sigma - value_of(&A, &got), 6.0 * relative * sigma);
    else
      assert_int_equal(st, OFW_UNSUPPORTED);
    *(st == OFW_OK ? &answers : &others) += 1;
  }
  assert_true(answers >= 10 && others >= 3);
  free(A.a), free(spikes);
}

/* In two goes as in one, bit for bit, rough or not; the passes of the second are those that it adds. */
static void further_is_as_at_once(void **state)
{
  (void)state;
  chance c = {23};
  static const double sharper[] = {5e-3, 1e-3, 2e-4};
  matrix A = make(&c, NULL);
  for (uint64_t t = 0; t < 60; t++) {
    ofw_rough how = {t % 4 == 3 ? APART : 0.0, t % 2 ? GRAIN : 0.0};
    double to = sharper[t % 3], v[N];
    ofw_lanczos *l = opened();
    ofw_rng_key key = {t, OFW_RNG_ORACLE, 0};
    ofw_singular first, second, once;
    assert_int_equal(ofw_lanczos_rough(l, pass, &A, A.square, how, key, to, INFINITY, &once, NULL), OFW_OK);
    memcpy(v, once.v, sizeof v);
    assert_int_equal(ofw_lanczos_rough(l, pass, &A, A.square, how, key, 2e-2, INFINITY, &first, NULL), OFW_OK);
    assert_int_equal(ofw_lanczos_further(l, to, INFINITY, &second, NULL), OFW_OK);
    assert_int_equal(first.passes + second.passes, once.passes);
    assert_true(second.value == once.value && second.above == once.above);
    assert_memory_equal(second.v, v, sizeof v);
    ofw_owned_free(&rooms);
  }
  free(A.a);
}

/* A basis that spans the space, or an invariant one, goes on to nothing, and answers again. */
static void further_at_the_end(void **state)
{
  (void)state;
  chance c = {24};
  double s[M] = {2.0, 1.0};
  matrix A = make(&c, s);
  ofw_lanczos *l = opened();
  ofw_singular first, second;
  ofw_rng_key key = {1, OFW_RNG_ORACLE, 0};
  assert_int_equal(ofw_lanczos_top(l, pass, &A, A.square, key, 1e-14, INFINITY, &first, NULL), OFW_OK);
  for (int k = 0; k < 3; k++) {
    assert_int_equal(ofw_lanczos_further(l, 1e-15, 0.0, &second, NULL), OFW_OK);
    assert_near(second.value, 2.0L, 1e-13L);
    assert_at_most((double)second.passes, (double)N);
  }
  free(A.a);
}

/* Rough at 1e-2, it is told when that does not do for the next accuracy. */
static void further_than_the_grain(void **state)
{
  (void)state;
  chance c = {25};
  matrix A = make(&c, NULL);
  ofw_lanczos *l = opened();
  ofw_singular got;
  assert_int_equal(search(l, &A, 3, 1e-2, INFINITY, &got), OFW_OK);
  assert_int_equal(ofw_lanczos_further(l, 1e-9, INFINITY, &got, NULL), OFW_UNSUPPORTED);
  assert_int_equal(got.passes, 0);
  free(A.a);
}

static int let_go(void **state)
{
  (void)state;
  ofw_owned_free(&rooms);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(the_error_is_covered, let_go),
      cmocka_unit_test_teardown(what_is_not_answered, let_go),
      cmocka_unit_test_teardown(exact_passes_of_another, let_go),
      cmocka_unit_test_teardown(what_a_copy_loses_evenly, let_go),
      cmocka_unit_test_teardown(further_is_as_at_once, let_go),
      cmocka_unit_test_teardown(further_at_the_end, let_go),
      cmocka_unit_test_teardown(further_than_the_grain, let_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
