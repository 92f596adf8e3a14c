/* hull_check.h — the affine hull of a set, by its normals and by differences of its atoms */
#ifndef OFW_TEST_HULL_CHECK_H
#define OFW_TEST_HULL_CHECK_H

#include "unit/domain/oracle_check.h"
#include "unit/linalg/full_svd.h"
#include "vector/vec_arithmetic.h"

/* The normals are orthonormal, every atom differs from the centre by something orthogonal to them, and the differences
 * span the rest, of `dimension` dimensions. */
static inline void has_hull(const ofw_domain *K, size_t dimension)
{
  size_t n = ofw_domain_dim(K), rows = 3 * n;
  double *normal = room_for(K->normals * n), *away = room_for(rows * n), *s = room_for(n), centre[MOST_DIM];
  double d[MOST_DIM], R = K->R;
  chance c = {77};
  assert_int_equal(K->normals, n - dimension);
  ofw_domain_centre(K, centre);
  for (size_t k = 0; k < K->normals; k++) {
    ofw_sum_dense((ofw_sum){1, &K->normal[k]}, n, normal + k * n);
    for (size_t l = 0; l <= k; l++)
      assert_near(slow_dot(n, normal + k * n, normal + l * n), k == l ? 1.0L : 0.0L, 1e-14L);
  }
  for (size_t t = 0; t < rows; t++) {
    double *e = away + t * n;
    chance_normals(&c, n, d);
    assert_int_equal(ofw_domain_minimise(K, d, 1e-12, e, NULL, NULL), OFW_OK);
    for (size_t i = 0; i < n; i++)
      e[i] -= centre[i];
    for (size_t k = 0; k < K->normals; k++)
      assert_near(slow_dot(n, normal + k * n, e), 0.0L, 1e-13L * R);
  }
  svd(rows, n, away, s, NULL, NULL);
  for (size_t i = 0; i < n; i++)
    assert_true(i < dimension ? s[i] > 1e-3 * R : s[i] <= 1e-12 * R);
  free(normal);
  free(away);
  free(s);
}

#endif
