/* test_peers.c — what ofw is timed against does what it is timed for */
#include "bench/peers.h"
#include "bench/timing.h"
#include "linalg/kernels.h"

#include "unit/linalg/full_svd.h"

#include <ofw/domain.h>

#include <stdio.h>

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

/* |value - s_1| and the residuals of the pair, whoever found it */
static void check_pair(size_t m, size_t n, const double *a, double top, double value, const double *u, const double *v,
                       double relative)
{
  double *left = room_for(m), *right = room_for(n), off = 0.0;
  assert_near(value, top, relative * top);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) {
      left[i] += a[i * n + j] * v[j];
      right[j] += a[i * n + j] * u[i];
    }
  for (size_t i = 0; i < m; i++)
    off += pow(left[i] - value * u[i], 2);
  for (size_t j = 0; j < n; j++)
    off += pow(right[j] - value * v[j], 2);
  assert_at_most(sqrt(off), 10.0 * relative * top);
  free(left);
  free(right);
}

/* ARPACK, LAPACK and ofw's oracle on the same matrices, wide and tall, with both passes and several bases. */
static void all_find_the_same_pair(void **state)
{
  (void)state;
  chance c = {2};
  for (int again = 0; again < 12; again++) {
    size_t m = 2 + chance_below(&c, 50), n = 2 + chance_below(&c, 50), ncv = n < 12 ? n : 12;
    double *a = normals(&c, m * n), top = largest_singular(m, n, a), *atom = room_for(m * n), error;
    char spec[96];
    snprintf(spec, sizeof spec, "trace-ball:rows=%zu,cols=%zu", m, n);
    ofw_domain *K = ofw_domain_create(spec, NULL);
    assert_int_equal(ofw_domain_minimise(K, a, 1e-12, atom, &error, NULL), OFW_OK);
    assert_near(-slow_dot(m * n, atom, a), top, 1e-11 * top);
    peer_top found;
    peer_gesdd *g = peer_gesdd_open(m, n);
    assert_true(peer_gesdd_top(g, a, &found));
    check_pair(m, n, a, top, found.value, found.u, found.v, 1e-12);
    peer_gesdd_close(g);
    peer_arpack *p = peer_arpack_open(m, n, ncv);
    assert_non_null(p);
    for (int k = 0; k < 2; k++) {
      assert_true(peer_arpack_top(p, a, k ? peer_blas_pair : peer_fused_pass, ncv, 1e-12, &found));
      check_pair(m, n, a, top, found.value, found.u, found.v, 1e-9);
      assert_true(found.passes >= 2);
    }
    peer_arpack_close(p);
    ofw_domain_free(K);
    free(a);
    free(atom);
  }
}

/* At the tolerance that is timed the residual is what peers.h says it is. */
static void arpack_stops_at_the_residual(void **state)
{
  (void)state;
  chance c = {3};
  size_t m = 120, n = 90;
  peer_arpack *p = peer_arpack_open(m, n, 20);
  for (int again = 0; again < 10 && p; again++) {
    double *a = normals(&c, m * n);
    peer_top found;
    assert_true(peer_arpack_top(p, a, peer_fused_pass, 20, 1e-2, &found));
    double off = 0.0;
    for (size_t j = 0; j < n; j++) {
      double along = 0.0;
      for (size_t i = 0; i < m; i++)
        along += a[i * n + j] * found.u[i];
      off += pow(along - found.value * found.v[j], 2);
    }
    assert_at_most(sqrt(off), 1e-2 * found.value);
    free(a);
  }
  peer_arpack_close(p);
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
      cmocka_unit_test(all_find_the_same_pair),
      cmocka_unit_test(arpack_stops_at_the_residual),
      cmocka_unit_test(medians),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
