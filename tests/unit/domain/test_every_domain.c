/* test_every_domain.c — what must hold of every registered set, by its example: a new one is covered by being there */
#include "unit/domain/oracle_check.h"
#include "vector/vec_arithmetic.h"

#include <float.h>

typedef void domain_test(ofw_domain *K);

static void for_each(domain_test *test)
{
  for (size_t i = 0; i < ofw_domain_types(); i++) {
    ofw_domain *K = domain_of(ofw_domain_type(i)->example);
    assert_true(ofw_domain_dim(K) <= MOST_DIM);
    test(K);
    ofw_domain_free(K);
  }
}

/* Random points, atoms and the centre are in K, and K is in R. */
static void minimises(ofw_domain *K)
{
  size_t n = ofw_domain_dim(K);
  double d[MOST_DIM], v[MOST_DIM], y[MOST_DIM], R = K->R, error;
  chance c = {1};
  for (int t = 0; t < 1000; t++) {
    chance_normals(&c, n, d);
    assert_int_equal(ofw_domain_minimise(K, d, 1e-9, v, &error, NULL), OFW_OK);
    for (size_t i = 0; i < n; i++)
      assert_true(isfinite(v[i]));
    assert_true(ofw_domain_excess(K, v) >= 0.0); /* each knows whether it holds a point */
    assert_at_most(ofw_domain_excess(K, v), 1e-13L * R);
    assert_at_most(slow_norm(n, v), R * (1.0L + 1e-13L));
    assert_true(error >= 0.0 && error <= 1e-9 * R * (double)slow_norm(n, d));
    if (t % 4)
      continue;
    if (t)
      random_feasible(K, &c, y);
    else
      ofw_domain_centre(K, y);
    assert_at_most(ofw_domain_excess(K, y), 1e-13L * R);
    assert_at_most(slow_dot(n, d, v), slow_dot(n, d, y) + error + 1e-13L * R * slow_norm(n, d));
  }
}

/* r > 0, and the centre + r u lies in K for every u of the hull: v - centre over random atoms v spans it. */
static void holds_its_inner_ball(ofw_domain *K)
{
  size_t n = ofw_domain_dim(K);
  double centre[MOST_DIM], y[MOST_DIM], z[MOST_DIM], x[MOST_DIM], r = K->r;
  chance c = {2};
  assert_true(r > 0.0 && r <= K->R);
  ofw_domain_centre(K, centre);
  for (int t = 0; t < 200; t++) {
    random_feasible(K, &c, y);
    random_feasible(K, &c, z);
    for (size_t i = 0; i < n; i++)
      y[i] -= z[i];
    double length = (double)slow_norm(n, y);
    for (size_t i = 0; i < n && length > 0.0; i++)
      x[i] = centre[i] + r * y[i] / length;
    if (length > 0.0)
      assert_at_most(ofw_domain_excess(K, x), 1e-13L * K->R);
  }
}

static void the_spec_makes_it_again(ofw_domain *K)
{
  size_t n = ofw_domain_dim(K), rows[2], cols[2];
  ofw_domain *again = domain_of(K->spec);
  double a[MOST_DIM], b[MOST_DIM], d[MOST_DIM];
  chance c = {3};
  assert_string_equal(again->spec, K->spec);
  assert_int_equal(ofw_domain_dim(again), n);
  ofw_domain_shape(K, &rows[0], &cols[0]);
  ofw_domain_shape(again, &rows[1], &cols[1]);
  assert_true(rows[0] == rows[1] && cols[0] == cols[1] && rows[0] * cols[0] == n);
  assert_true(again->R == K->R);
  assert_true(again->r == K->r);
  assert_int_equal(again->from_centre, K->from_centre);
  ofw_domain_centre(K, a);
  ofw_domain_centre(again, b);
  assert_memory_equal(a, b, n * sizeof *a);
  for (int t = 0; t < 50; t++) {
    chance_normals(&c, n, d);
    assert_int_equal(ofw_domain_minimise(K, d, 1e-3, a, NULL, NULL), OFW_OK);
    assert_int_equal(ofw_domain_minimise(again, d, 1e-3, b, NULL, NULL), OFW_OK);
    assert_memory_equal(a, b, n * sizeof *a);
  }
  ofw_domain_free(again);
}

/* A wrapper and a second handle outlive the first. */
static void is_counted_by_reference(ofw_domain *K)
{
  size_t n = ofw_domain_dim(K);
  double d[MOST_DIM] = {1.0}, v[MOST_DIM];
  ofw_domain *first = domain_of(K->spec), *kept = ofw_domain_keep(first);
  ofw_domain *shrunk = ofw_domain_create_shrunk(first, 0.5, NULL), *counted = ofw_domain_create_counted(first, NULL);
  assert_ptr_equal(first, kept);
  ofw_domain *left[] = {first, kept, shrunk, counted};
  for (size_t i = 0; i < 4; i++) {
    for (size_t k = i; k < 4; k++) {
      assert_int_equal(ofw_domain_dim(left[k]), n);
      assert_int_equal(ofw_domain_minimise(left[k], d, 1e-6, v, NULL, NULL), OFW_OK);
    }
    ofw_domain_free(left[i]);
  }
}

/* Nothing is written where the call makes no sense. */
static void refuses_bad_calls(ofw_domain *K)
{
  static const double tolerances[] = {0.0, -1.0, NAN};
  size_t n = ofw_domain_dim(K), at = n / 2;
  double d[MOST_DIM], v[MOST_DIM] = {7.0}, error = 7.0;
  char words[TEXT];
  ofw_error err = {0};
  chance c = {4};
  chance_normals(&c, n, d);
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(ofw_domain_minimise(K, d, tolerances[i], v, &error, &err), OFW_USAGE);
    assert_string_equal(err.message, "the oracle's tolerance must be positive");
    assert_int_equal(ofw_domain_minimise(K, d, tolerances[i], v, &error, NULL), OFW_USAGE);
  }
  for (int i = 0; i < 3; i++) {
    d[at] = i == 0 ? NAN : i == 1 ? INFINITY : -INFINITY;
    assert_int_equal(ofw_domain_minimise(K, d, 1e-3, v, &error, &err), OFW_BAD_DATA);
    say(words, "direction: number %zu is not finite", at + 1);
    assert_string_equal(err.message, words);
    assert_int_equal(err.status, OFW_BAD_DATA);
  }
  assert_true(v[0] == 7.0 && error == 7.0);
}

/* Whatever is not a number is not in K. */
static void does_not_hold_a_nan(ofw_domain *K)
{
  double x[MOST_DIM];
  for (size_t at = 0; at < ofw_domain_dim(K); at++) {
    ofw_domain_centre(K, x);
    assert_true(ofw_domain_excess(K, x) <= 1e-15 * K->R);
    x[at] = NAN;
    if (ofw_domain_excess(K, x) == 0.0)
      fail_msg("%s holds a point with a NaN at coordinate %zu", K->spec, at + 1);
  }
}

/* A learner may ask with what has overflowed before it notices: any answer will do, or a refusal, and the next is right. */
static void survives_what_is_not_finite(ofw_domain *K)
{
  static const double odd[] = {INFINITY, -INFINITY, NAN, DBL_MAX, -DBL_MAX};
  size_t n = ofw_domain_dim(K);
  double d[MOST_DIM], v[MOST_DIM], y[MOST_DIM];
  chance c = {5};
  opened o = open_seeded(ofw_domain_keep(K), 3);
  for (int t = 0; t < 300; t++) {
    ofw_answer out = {0};
    chance_normals(&c, n, d);
    for (size_t i = 0; i < n; i++)
      if (t % 10 == 0 || chance_below(&c, n) == 0)
        d[i] = odd[chance_below(&c, 5)];
    ofw_status st = answer(o, d, 1e-3, INFINITY, &out);
    assert_true(st == OFW_OK || st == OFW_NUMERICAL);
    chance_normals(&c, n, d);
    assert_int_equal(answer(o, d, 1e-9, INFINITY, &out), OFW_OK);
    ofw_sum_dense(out.atom, n, v);
    random_feasible(K, &c, y);
    if (!(slow_dot(n, d, v) <= slow_dot(n, d, y) + out.error + 1e-12L * K->R * slow_norm(n, d)))
      fail_msg("%s: after a direction that was not finite, %.17Lg where %.17Lg is possible", K->spec, slow_dot(n, d, v),
               slow_dot(n, d, y));
  }
  shut(o);
}

#define WALK(name)                     \
  static void all_##name(void **state) \
  {                                    \
    (void)state;                       \
    for_each(name);                    \
  }

WALK(minimises)
WALK(holds_its_inner_ball)
WALK(the_spec_makes_it_again)
WALK(is_counted_by_reference)
WALK(refuses_bad_calls)
WALK(does_not_hold_a_nan)
WALK(survives_what_is_not_finite)

static void the_registry(void **state)
{
  (void)state;
  size_t n = ofw_domain_types();
  assert_true(n >= 8);
  for (size_t i = 0; i < n; i++) {
    const ofw_type *type = ofw_domain_type(i);
    assert_true(i == 0 || i == ofw_domain_sets_count || strcmp(ofw_domain_type(i - 1)->name, type->name) < 0);
    assert_non_null(type->options);
    assert_true(strlen(type->summary) > 0);
    assert_int_equal(strncmp(type->example, type->name, strlen(type->name)), 0);
    assert_true(type->example[strlen(type->name)] == ':');
    ofw_error err = {0};
    assert_null(ofw_domain_create(type->name, &err)); /* none can be made without an option */
    assert_int_equal(err.status, OFW_USAGE);
    assert_non_null(strstr(err.message, " is required"));
  }
  assert_null(ofw_domain_type(n));
  assert_null(ofw_domain_type(SIZE_MAX));
  ofw_domain_free(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_minimises),
      cmocka_unit_test(all_holds_its_inner_ball),
      cmocka_unit_test(all_the_spec_makes_it_again),
      cmocka_unit_test(all_is_counted_by_reference),
      cmocka_unit_test(all_refuses_bad_calls),
      cmocka_unit_test(all_does_not_hold_a_nan),
      cmocka_unit_test(all_survives_what_is_not_finite),
      cmocka_unit_test(the_registry),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
