#include "unit/domain/spectra_check.h"

static void all_directions(void **state)
{
  (void)state;
  random_directions("spectrahedron", 1);
}

static void all_spectra(void **state)
{
  (void)state;
  special_spectra("spectrahedron", 1);
}

static void the_rest_of_a_direction(void **state)
{
  (void)state;
  a_large_antisymmetric_part("spectrahedron", 1);
}

/* No eigenvalue below 0: the atom is 0, with no terms, and exact where that is certain. */
static void the_origin(void **state)
{
  (void)state;
  enum { N = 40 };
  opened o = open_seeded(traced("spectrahedron", N), 1);
  double *d = room_for(N * N), w[N];
  chance c = {4};
  ofw_answer got;
  assert_int_equal(answer(o, d, 1e-2, INFINITY, &got), OFW_OK); /* of the zero matrix */
  assert_true(got.value == 0.0 && got.error == 0.0 && got.proven);
  for (int t = 0; t < 50; t++) {
    for (size_t i = 0; i < N; i++)
      w[i] = 1.0 + chance_unit(&c);
    with_eigenvalues(&c, N, w, d);
    assert_int_equal(answer(o, d, t % 2 ? 1e-2 : 1e-12, INFINITY, &got), OFW_OK);
    assert_int_equal(got.atom.n, 0);
    assert_true(got.value == 0.0 && got.error == 0.0);
  }
  free(d);
  shut(o);
}

/* An eigenvalue below 0 by little: whichever side is taken, the error covers it. */
static void next_to_nothing(void **state)
{
  (void)state;
  enum { N = 40 };
  opened o = open_seeded(traced("spectrahedron", N), 1);
  double *d = room_for(N * N), w[N];
  chance c = {5};
  size_t zeros = 0, unsure = 0;
  for (int t = 0; t < 300; t++) {
    ofw_answer got;
    double low = t % 2 ? pow(10.0, -(double)(t % 18)) : 0.0;
    for (size_t i = 0; i < N; i++)
      w[i] = i ? chance_unit(&c) : -low;
    with_eigenvalues(&c, N, w, d);
    assert_int_equal(answer(o, d, 0.3, INFINITY, &got), OFW_OK);
    assert_at_most(got.value - least_of(N, d, 1), got.error + 1e-13L);
    zeros += got.atom.n == 0;
    unsure += got.error > 0.0;
  }
  assert_true(zeros > 10 && unsure > 10);
  free(d);
  shut(o);
}

static void symmetrise(size_t dim, double *u)
{
  size_t n = (size_t)lround(sqrt((double)dim));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      u[i * n + j] = u[j * n + i] = (u[i * n + j] + u[j * n + i]) / 2;
}

/* The ball touches both kinds of faces: towards an eigenvalue 0, and towards the trace. */
static void radii_and_centre(void **state)
{
  (void)state;
  for (size_t n = 1; n <= 6; n++) {
    double m = (double)n, r = TRACE / (m + sqrt(m)), w[6] = {TRACE}, far[36], tight[36], centre[36];
    chance c = {6};
    ofw_domain *K = traced("spectrahedron", n);
    with_eigenvalues(&c, n, w, far);
    for (int face = 0; face < 2; face++) {
      for (size_t l = 0; l < n; l++)
        w[l] = face ? 1.0 / sqrt(m) : l ? 0.0 : -1.0;
      with_eigenvalues(&c, n, w, tight);
      has_radii(K, TRACE, r, far, tight, symmetrise);
    }
    has_hull(K, n * (n + 1) / 2);
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < n * n; i++)
      assert_true(centre[i] == (i % (n + 1) == 0 ? r : 0.0));
    assert_int_equal(K->from_centre, 0);
    ofw_domain_free(K);
  }
}

static void excess_looks_at_everything(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("spectrahedron:dim=2,trace=2");
  assert_true(ofw_domain_excess(K, (double[]){0.0, 0.0, 0.0, 0.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){1.0, 0.5, 0.5, 0.75}) == 0.0);
  assert_near(ofw_domain_excess(K, (double[]){2.0, 0.0, 0.0, 1.0}), 1.0L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){0.5, 0.0, 0.0, -0.5}), 0.5L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){1.0, 0.25, -0.25, 1.0}), 0.25L, 1e-15L);
  ofw_domain_free(K);
}

/* What is inside stays to the bit; of what is not, no eigenvalue is negative and the trace is no more than it may be. */
static void projections(void **state)
{
  (void)state;
  enum { N = 4 };
  ofw_domain *K = traced("spectrahedron", N);
  chance c = {21};
  for (int t = 0; t < 300; t++) {
    double w[N], y[N * N], x[N * N], most = t % 2 ? TRACE / N : 4.0 * TRACE;
    for (size_t l = 0; l < N; l++)
      w[l] = most * chance_unit(&c) - (t % 4 == 2 ? 1.0 : 0.0);
    with_eigenvalues(&c, N, w, y);
    assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
    if (t % 2)
      assert_memory_equal(x, y, sizeof x);
    assert_at_most(ofw_domain_excess(K, x), 1e-14L);
  }
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  refuses_bad_traces("spectrahedron");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_directions),
      cmocka_unit_test(all_spectra),
      cmocka_unit_test(the_rest_of_a_direction),
      cmocka_unit_test(the_origin),
      cmocka_unit_test(next_to_nothing),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(excess_looks_at_everything),
      cmocka_unit_test(projections),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
