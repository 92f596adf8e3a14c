/* test_searches.c — what oracles look for in a direction: the least, the largest, where it is, the better of two bounds */
#include "linalg/kernels.h"

#include "unit/linalg/chance.h"

static const size_t large[] = {63, 64, 65, 1000, 4097, 100000};
enum { SMALL = 41, SIZES = SMALL + sizeof large / sizeof *large };

/* 0, 1, .., 40, then some large ones */
static size_t size_at(size_t k)
{
  return k < SMALL ? k : large[k - SMALL];
}

static const ofw_kernels *now; /* the table that is tested */

static double *some(chance *c, size_t n)
{
  double *x = room_for(n);
  chance_normals(c, n, x);
  return x;
}

/* What is chosen is exact; only the sum is rounded. */
static void choose(void **state)
{
  (void)state;
  chance c = {40};
  for (size_t k = 1; k < SIZES; k++)
    for (size_t every = 0; every < 2; every++) {
      size_t n = size_at(k);
      double *d = some(&c, n), *lower = some(&c, n), *upper = some(&c, n), *v = room_for(n + 1);
      d[chance_below(&c, n)] = k % 2 ? 0.0 : -0.0;
      v[n] = 7.0;
      double dot = now->choose(n, d, every, lower, upper, v);
      for (size_t i = 0; i < n; i++)
        assert_true(v[i] == (d[i] >= 0.0 ? lower : upper)[every ? i : 0]);
      assert_near(dot, slow_dot(n, d, v), 0x1p-52L * (long double)n * 16.0L);
      assert_true(v[n] == 7.0);
      free(d), free(lower), free(upper), free(v);
    }
}

/* The least, the largest in size, and where they are first: also where a later one is as good. */
static void extremes(void **state)
{
  (void)state;
  chance c = {41};
  for (size_t k = 1; k < SIZES; k++) {
    size_t n = size_at(k);
    double *a = some(&c, n), want = a[0];
    for (size_t i = 0; i < n; i++)
      want = fmin(want, a[i]);
    assert_true(now->least(n, a) == want);
    for (size_t at = 0; at < n; at += 1 + n / 50) {
      double before = a[at], last = a[n - 1];
      a[at] = a[n - 1] = at % 2 ? -100.0 : 100.0;
      assert_true(now->peak(n, a) == 100.0);
      assert_int_equal(now->find(n, a, 1, 100.0), at);
      a[at] = a[n - 1] = -200.0;
      assert_true(now->least(n, a) == -200.0);
      assert_int_equal(now->find(n, a, 0, -200.0), at);
      a[n - 1] = last;
      a[at] = before;
    }
    assert_int_equal(now->find(n, a, 0, 1e9), n - 1);
    assert_int_equal(now->find(n, a, 1, (double)NAN), n - 1);
    free(a);
  }
}

/* The first of equal ones, wherever they are; whole numbers, so that there are many. */
static void searches(void **state)
{
  (void)state;
  chance c = {42};
  static const size_t sizes[] = {1, 2, 3, 17, 255, 256, 257, 1024, 5000};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (size_t range = 1; range <= 4096; range *= 8) {
      size_t n = sizes[k], low = 0, steep = 0;
      double *a = room_for(n);
      for (size_t i = 0; i < n; i++) {
        a[i] = (double)chance_below(&c, 2 * range + 1) - (double)range;
        low = a[i] < a[low] ? i : low;
        steep = fabs(a[i]) > fabs(a[steep]) ? i : steep;
      }
      assert_int_equal(ofw_lowest(n, a), low);
      assert_int_equal(ofw_steepest(n, a), steep);
      for (size_t i = 0; i < n; i++)
        a[i] = (double)NAN;
      assert_true(ofw_lowest(n, a) < n && ofw_steepest(n, a) < n);
      free(a);
    }
}

int main(void)
{
  const struct CMUnitTest each[] = {cmocka_unit_test(choose), cmocka_unit_test(extremes)};
  const struct CMUnitTest all[] = {cmocka_unit_test(searches)};
  const ofw_kernels *const variants[] = {&ofw_kernels_portable, ofw_kernels_chosen()};
  int failed = cmocka_run_group_tests(all, NULL, NULL);
  for (size_t k = 0; k < 2; k++) {
    now = variants[k];
    failed += cmocka_run_group_tests_name(now->name, each, NULL, NULL);
  }
  return failed;
}
