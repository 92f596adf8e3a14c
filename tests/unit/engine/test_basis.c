/* test_basis.c — vectors stay orthonormal, and what is over them stays what it was */
#include "engine/basis.h"
#include "unit/base/check.h"

#include <stdlib.h>

enum { MOST = 5000, ROOM = 70 };

static double u[MOST], rest[MOST], h[ROOM], p[ROOM * ROOM];

static double entry(const ofw_basis *b, size_t i, size_t k)
{
  return ofw_basis_row(b, i)[k];
}

static void assert_orthonormal(const ofw_basis *b)
{
  for (size_t k = 0; k < b->count; k++)
    for (size_t l = 0; l <= k; l++) {
      long double sum = 0.0L;
      for (size_t i = 0; i < b->length; i++)
        sum += (long double)entry(b, i, k) * entry(b, i, l);
      assert_near((double)sum, k == l ? 1.0 : 0.0, 1e-14);
    }
}

/* u = B h + rest, rest orthogonal to B. */
static double split(const ofw_basis *b)
{
  double out = ofw_basis_split(b, u, h, rest), size = slow_norm(b->length, u);
  for (size_t i = 0; i < b->length; i++)
    assert_near(slow_dot(b->count, ofw_basis_row(b, i), h) + rest[i], u[i], 1e-14 * size);
  assert_near(out, slow_norm(b->length, rest), 1e-14 * size);
  for (size_t k = 0; k < b->count; k++) {
    long double sum = 0.0L;
    for (size_t i = 0; i < b->length; i++)
      sum += (long double)entry(b, i, k) * rest[i];
    assert_near((double)sum, 0.0, 1e-15 * size);
  }
  return out;
}

static ofw_owned rooms; /* of all bases that a test has made */

static ofw_basis make(size_t length, size_t count, ofw_pool *pool, uint64_t *seed)
{
  ofw_basis b;
  assert_int_equal(ofw_basis_open(&rooms, &b, length, ROOM, NULL, NULL, pool, NULL), OFW_OK);
  assert_int_equal(b.room, length < ROOM ? length : ROOM);
  for (size_t k = 0; k < count && k < b.room; k++) {
    any_reals(seed, length, u);
    if (k % 3 == 2) /* nearly in the span */
      for (size_t i = 0; i < length; i++)
        u[i] = entry(&b, i, 0) - 2.0 * entry(&b, i, k - 1) + 1e-9 * u[i];
    double out = split(&b);
    ofw_basis_append(&b, rest, out);
  }
  return b;
}

static void test_growing(void **state)
{
  (void)state;
  uint64_t seed = 3;
  static const size_t lengths[] = {1, 5, 80, MOST};
  for (size_t k = 0; k < 4; k++) {
    ofw_basis b = make(lengths[k], ROOM, NULL, &seed);
    assert_int_equal(b.count, b.room);
    assert_orthonormal(&b);
    if (b.room == b.length) { /* nothing is outside */
      any_reals(&seed, b.length, u);
      assert_near(ofw_basis_split(&b, u, h, rest), 0.0, 1e-14 * slow_norm(b.length, u));
    }
    ofw_owned_free(&rooms);
  }
}

static void test_projecting(void **state)
{
  (void)state;
  uint64_t seed = 5;
  ofw_basis b = make(MOST, 20, NULL, &seed);
  any_reals(&seed, MOST, u);
  ofw_basis_project(&b, u, h);
  for (size_t k = 0; k < 20; k++) {
    long double sum = 0.0L;
    for (size_t i = 0; i < MOST; i++)
      sum += (long double)entry(&b, i, k) * u[i];
    assert_near(h[k], (double)sum, 1e-12);
  }
  ofw_owned_free(&rooms);
}

/* By a matrix with orthonormal columns, fewer than there were. */
static void test_rotating(void **state)
{
  (void)state;
  enum { OLD = 50, NEW = 30, STRIDE = 45 };
  uint64_t seed = 7;
  ofw_basis b = make(300, OLD, NULL, &seed), small = make(OLD, NEW, NULL, &seed);
  double *before = malloc(300 * OLD * sizeof *before);
  assert_non_null(before);
  for (size_t i = 0; i < 300; i++)
    memcpy(before + i * OLD, ofw_basis_row(&b, i), OLD * sizeof *before);
  for (size_t k = 0; k < OLD; k++)
    memcpy(p + k * STRIDE, ofw_basis_row(&small, k), NEW * sizeof *p);
  ofw_basis_rotate(&b, NEW, p, STRIDE);
  assert_int_equal(b.count, NEW);
  assert_orthonormal(&b);
  for (size_t i = 0; i < 300; i++)
    for (size_t n = 0; n < NEW; n++) {
      double sum = 0.0;
      for (size_t k = 0; k < OLD; k++)
        sum += before[i * OLD + k] * p[k * STRIDE + n];
      assert_near(entry(&b, i, n), sum, 1e-14);
    }
  ofw_basis_rotate(&b, 0, p, STRIDE);
  assert_int_equal(b.count, 0);
  ofw_owned_free(&rooms);
  free(before);
}

/* The copy is the vectors in floats, however they came, and products are with it. */
static void test_copying(void **state)
{
  (void)state;
  uint64_t seed = 9;
  ofw_basis b = make(MOST, 5, NULL, &seed);
  for (int step = 0; step < 12; step++) {
    if (step == 6 || step == 9) { /* turned in the plane of the first two */
      memset(p, 0, sizeof p);
      for (size_t k = 0; k < b.count; k++)
        p[k * ROOM + k] = k < 2 ? 0.8 : 1.0;
      p[1] = 0.6;
      p[ROOM] = -0.6;
      ofw_basis_rotate(&b, step == 9 ? 3 : b.count, p, ROOM);
    } else if (step == 11)
      ofw_basis_resize(&b, b.count); /* as a state is loaded */
    else {
      any_reals(&seed, MOST, u);
      double out = split(&b);
      ofw_basis_append(&b, rest, out);
    }
    if (step % 3 == 1)
      continue; /* nobody asks */
    ofw_basis_copy(&b);
    any_reals(&seed, MOST, u);
    ofw_basis_project_copy(&b, u, h);
    for (size_t k = 0; k < b.count; k++) {
      long double sum = 0.0L;
      for (size_t i = 0; i < MOST; i++)
        sum += (long double)(float)entry(&b, i, k) * u[i];
      assert_near(h[k], (double)sum, 1e-13);
    }
  }
  ofw_owned_free(&rooms);
}

/* Threads change no bit. */
static void test_threads(void **state)
{
  (void)state;
  enum { COUNT = 12 };
  static double first[MOST][COUNT];
  for (size_t threads = 1; threads <= 3; threads++) {
    uint64_t seed = 11;
    ofw_pool *pool;
    assert_int_equal(ofw_pool_open(threads, &pool, NULL), OFW_OK);
    ofw_basis b = make(MOST, COUNT, pool, &seed);
    for (size_t i = 0; i < MOST; i++) {
      if (threads == 1)
        memcpy(first[i], ofw_basis_row(&b, i), sizeof first[i]);
      assert_memory_equal(ofw_basis_row(&b, i), first[i], sizeof first[i]);
    }
    ofw_owned_free(&rooms);
    ofw_pool_close(pool);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_growing), cmocka_unit_test(test_projecting), cmocka_unit_test(test_rotating),
      cmocka_unit_test(test_copying), cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
