/* test_peers.c — what ofw is timed against does what it is timed for */
#include "bench/peers.h"
#include "bench/timing.h"
#include "linalg/kernels.h"

#include "unit/linalg/svd.h"

#include <float.h>

static double *normals(chance *c, size_t n)
{
  double *x = room_for(n);
  chance_normals(c, n, x);
  return x;
}

/* The pair and the fused pass on the same matrices: u = A v, w = A' u. */
static void pair_is_the_pass(void **state)
{
  (void)state;
  chance c = {1};
  for (int again = 0; again < 20; again++) {
    size_t m = 1 + chance_below(&c, 70), n = 1 + chance_below(&c, 70);
    double *a = normals(&c, m * n), *v = normals(&c, n), *u = room_for(m), *w = room_for(n), *u2 = room_for(m),
           *w2 = room_for(n);
    peer_blas_pair(m, n, a, v, u, w);
    ofw_pass(m, n, a, 0, v, u2, w2);
    double limit = 1e-13 * (double)slow_norm(m * n, a) * (double)slow_norm(n, v);
    for (size_t i = 0; i < m; i++)
      assert_near(u[i], u2[i], limit);
    for (size_t j = 0; j < n; j++)
      assert_near(w[j], w2[j], limit * (double)slow_norm(m * n, a));
    double *all[] = {a, v, u, w, u2, w2};
    for (size_t i = 0; i < 6; i++)
      free(all[i]);
  }
}

static void a_read_sees_every_number(void **state)
{
  (void)state;
  double a[200] = {0};
  for (size_t n = 0; n <= 200; n++) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
      sum += a[i] = (double)(i * i + 1);
    assert_true(peer_read(n, a) == sum); /* whole numbers: exact in any order */
  }
}

static void medians(void **state)
{
  (void)state;
  double one[] = {3.0}, odd[] = {5.0, 1.0, 4.0}, even[] = {4.0, 1.0, 2.0, 8.0};
  assert_true(bench_median(one, 1) == 3.0);
  assert_true(bench_median(odd, 3) == 4.0);
  assert_true(bench_median(even, 4) == 3.0);
  double before = bench_now();
  assert_at_most(before, bench_now());
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pair_is_the_pass),
      cmocka_unit_test(a_read_sees_every_number),
      cmocka_unit_test(medians),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
