#include "linalg/rng.h"
#include "unit/base/check.h"
#include "vector/vec_arithmetic.h"

enum { DIM = 1400, NNZ = 60, ROWS = 31, COLS = 43, LONG = 1200 };
static double dense[LONG], value[NNZ], u[ROWS], v[COLS];
static size_t indices[NNZ];
static ofw_vec term[6];

/* Six terms of all kinds, at various offsets and scales; the random ones cross the length that is drawn at a time. */
static int make(void **state)
{
  (void)state;
  uint64_t seed = 5;
  any_reals(&seed, LONG, dense);
  any_reals(&seed, NNZ, value);
  any_reals(&seed, ROWS, u);
  any_reals(&seed, COLS, v);
  for (size_t k = 0; k < NNZ; k++)
    indices[k] = (k * 577 + 11) % 1301; /* distinct, in no order */
  term[0] = ofw_vec_dense(LONG, dense);
  term[1] = ofw_vec_sparse(NNZ, indices, value);
  term[2] = ofw_vec_rank_one(ROWS, COLS, u, v);
  term[3] = ofw_vec_random(LONG, (ofw_rng_key){9, OFW_RNG_CONSTRAINT, 3}, OFW_UNIFORM);
  term[4] = ofw_vec_dense(7, dense + 3);
  term[5] = ofw_vec_random(3, (ofw_rng_key){9, OFW_RNG_CONSTRAINT, 4}, OFW_UNIFORM);
  for (size_t k = 0; k < 6; k++) {
    assert_bits(term[k].scale, 1.0);
    assert_int_equal(term[k].offset, 0);
    term[k].scale = 0.5 - (double)k;
    term[k].offset = 13 * k;
  }
  return 0;
}

/* Coordinate i, by the definition at the head of vec.h. */
static double entry(const ofw_vec *a, size_t i)
{
  double x = 0.0;
  if (i < a->offset)
    return 0.0;
  i -= a->offset;
  switch (a->kind) {
  case OFW_VEC_DENSE:
    x = i < a->as.dense.n ? a->as.dense.value[i] : 0.0;
    break;
  case OFW_VEC_SPARSE:
    for (size_t k = 0; k < a->as.sparse.nnz; k++)
      x += a->as.sparse.index[k] == i ? a->as.sparse.value[k] : 0.0;
    break;
  case OFW_VEC_RANK_ONE:
    if (i < a->as.rank_one.rows * a->as.rank_one.cols)
      x = a->as.rank_one.u[i / a->as.rank_one.cols] * a->as.rank_one.v[i % a->as.rank_one.cols];
    break;
  case OFW_VEC_RANDOM:
    if (i < a->as.random.n)
      ofw_rng_uniform(a->as.random.key, i, 1, &x);
    break;
  }
  return a->scale * x;
}

static double sum_entry(ofw_sum sum, size_t i)
{
  double x = 0.0;
  for (size_t k = 0; k < sum.n; k++)
    x += entry(&sum.term[k], i);
  return x;
}

/* Each term alone, then all together, then none. */
static ofw_sum choice(size_t k)
{
  return k < 6 ? (ofw_sum){1, &term[k]} : (ofw_sum){k == 6 ? 6 : 0, term};
}
enum { CHOICES = 8 };

static void test_dense(void **state)
{
  (void)state;
  static double out[DIM];
  for (size_t k = 0; k < CHOICES; k++) {
    any_reals(&(uint64_t){1}, DIM, out); /* to be overwritten */
    ofw_sum_dense(choice(k), DIM, out);
    for (size_t i = 0; i < DIM; i++)
      assert_near(out[i], sum_entry(choice(k), i), 1e-14);
  }
}

static void test_windows(void **state)
{
  (void)state;
  enum { EDGE = 3 };
  static double out[DIM + 2 * EDGE], before[DIM + 2 * EDGE];
  uint64_t seed = 6;
  for (size_t k = 0; k < CHOICES; k++)
    for (int w = 0; w < 60; w++) {
      size_t from = any_below(&seed, DIM), n = any_below(&seed, w < 30 ? 20 : DIM) % (DIM - from + 1);
      double c = any_real(&seed);
      any_reals(&seed, DIM + 2 * EDGE, before);
      memcpy(out, before, sizeof out);
      ofw_sum_add(choice(k), c, from, n, out + EDGE);
      for (size_t i = 0; i < DIM + 2 * EDGE; i++)
        if (i >= EDGE && i < EDGE + n)
          assert_near(out[i], before[i] + c * sum_entry(choice(k), from + i - EDGE), 1e-14);
        else
          assert_bits(out[i], before[i]);
    }
}

static void test_dot(void **state)
{
  (void)state;
  static double x[DIM], y[DIM];
  uint64_t seed = 7;
  for (size_t k = 0; k < CHOICES; k++) {
    any_reals(&seed, DIM, x);
    for (size_t i = 0; i < DIM; i++)
      y[i] = sum_entry(choice(k), i);
    assert_near(ofw_sum_dot(choice(k), x), slow_dot(DIM, x, y), 1e-12);
  }
}

static void test_norm(void **state)
{
  (void)state;
  static double y[DIM];
  for (size_t k = 0; k < CHOICES; k++) {
    for (size_t i = 0; i < DIM; i++)
      y[i] = sum_entry(choice(k), i);
    double want = slow_norm(DIM, y), got = ofw_sum_norm(choice(k));
    if (k >= 6)
      assert_true(got >= want); /* a bound */
    else if (term[k].kind == OFW_VEC_RANDOM)
      assert_near(got, fabs(term[k].scale) * sqrt((double)term[k].as.random.n / 3.0), 1e-12);
    else
      assert_near(got, want, 1e-12 * want);
  }
  assert_near(ofw_sum_norm(choice(3)), slow_norm(DIM, (ofw_sum_dense(choice(3), DIM, y), y)), 1.0);
  /* no overflow or underflow on the way */
  static const double big[] = {3e300, -4e300}, small[] = {3e-300, 4e-300}, tiny[] = {0x1p-1074, 0};
  ofw_vec a = ofw_vec_dense(2, big), b = ofw_vec_dense(2, small), c = ofw_vec_dense(2, tiny);
  assert_near(ofw_sum_norm((ofw_sum){1, &a}), 5e300, 1e286);
  assert_near(ofw_sum_norm((ofw_sum){1, &b}), 5e-300, 1e-314);
  assert_bits(ofw_sum_norm((ofw_sum){1, &c}), 0x1p-1074);
}

static void test_extent(void **state)
{
  (void)state;
  static const size_t want[] = {LONG, 1301, ROWS * COLS, LONG, 7, 3};
  for (size_t k = 0; k < 6; k++) {
    size_t last = 0;
    for (size_t i = 0; i < DIM; i++)
      last = entry(&term[k], i) != 0.0 ? i + 1 : last;
    assert_true(ofw_vec_extent(&term[k]) + term[k].offset >= last);
    assert_true(ofw_vec_extent(&term[k]) <= want[k]);
  }
}

static void refused(ofw_vec a, size_t dim, const char *message)
{
  ofw_error err = {0};
  ofw_status st = ofw_sum_check((ofw_sum){1, &a}, dim, "p", &err);
  assert_string_equal(err.message, message);
  assert_int_equal(st, OFW_BAD_DATA);
  assert_int_equal(err.status, OFW_BAD_DATA);
  assert_int_equal(ofw_sum_check((ofw_sum){1, &a}, dim, "p", NULL), OFW_BAD_DATA);
}

static ofw_vec shifted(ofw_vec a, size_t offset)
{
  a.offset = offset;
  return a;
}

static ofw_vec scaled(ofw_vec a, double scale)
{
  a.scale = scale;
  return a;
}

static void test_refuses_what_does_not_fit(void **state)
{
  (void)state;
  static const size_t to4[] = {0, 4};
  static const double two[] = {1, 2};
  ofw_vec random4 = ofw_vec_random(4, (ofw_rng_key){0}, OFW_UNIFORM);
  refused(ofw_vec_dense(5, dense), 4, "p has length 5, but the dimension is 4");
  refused(ofw_vec_dense(3, dense), 4, "p has length 3, but the dimension is 4");
  refused(shifted(ofw_vec_dense(3, dense), 2), 4, "p has length 5, but the dimension is 4");
  refused(shifted(ofw_vec_dense(1, dense), 9), 4, "p has length 10, but the dimension is 4");
  refused(ofw_vec_sparse(2, to4, two), 4, "p: index 4 is not below the dimension 4");
  refused(shifted(ofw_vec_sparse(2, to4, two), 2), 6, "p: index 6 is not below the dimension 6");
  refused(ofw_vec_rank_one(2, 3, u, v), 5, "p has length 6, but the dimension is 5");
  refused(ofw_vec_rank_one((size_t)1 << 33, (size_t)1 << 31, u, v), 4, "p: 8589934592 x 2147483648 is too large");
  refused(random4, 3, "p has length 4, but the dimension is 3");
  refused(shifted(random4, 1), 4, "p has length 5, but the dimension is 4");
}

static void test_refuses_the_largest_index(void **state)
{
  (void)state;
  static const size_t last[] = {1, SIZE_MAX};
  static const double two[] = {1, 2};
  refused(ofw_vec_sparse(2, last, two), 4, "p: index 18446744073709551615 is not below the dimension 4");
}

static void test_refuses_what_is_not_finite(void **state)
{
  (void)state;
  static const double bad[] = {1, (double)NAN, 3}, worse[] = {1, 2, -INFINITY};
  static const size_t at[] = {2, 0, 1};
  refused(ofw_vec_dense(3, bad), 3, "p: number 2 is not a number");
  refused(ofw_vec_dense(3, worse), 3, "p: number 3 is infinite");
  refused(ofw_vec_sparse(3, at, worse), 9, "p: number 3 is infinite");
  refused(ofw_vec_rank_one(3, 2, bad, u), 6, "p: number 2 is not a number");
  refused(ofw_vec_rank_one(2, 3, u, worse), 6, "p: number 3 is infinite");
  refused(scaled(ofw_vec_dense(3, dense), (double)NAN), 3, "p: its scale is not a finite number");
  refused(scaled(ofw_vec_random(3, (ofw_rng_key){0}, OFW_UNIFORM), INFINITY), 3, "p: its scale is not a finite number");
}

static void test_refuses_repeats_and_no_kind(void **state)
{
  (void)state;
  static const size_t in_order[] = {0, 1, 1, 2}, mixed[] = {5, 3, 0, 3};
  refused(ofw_vec_sparse(4, in_order, dense), 9, "p: index 1 appears twice");
  refused(ofw_vec_sparse(4, mixed, dense), 9, "p: index 3 appears twice");
  ofw_vec none = {.kind = (ofw_vec_kind)9, .scale = 1.0};
  ofw_error err = {0};
  assert_int_equal(ofw_sum_check((ofw_sum){1, &none}, 3, "p", &err), OFW_USAGE);
  assert_string_equal(err.message, "p: 9 is not a kind of vector");
}

static void test_accepts(void **state)
{
  (void)state;
  ofw_error err = {0};
  for (size_t k = 0; k < CHOICES; k++)
    if (k > 6 || choice(k).n > 1 || term[k].kind != OFW_VEC_DENSE) /* a dense vector alone must be whole */
      assert_int_equal(ofw_sum_check(choice(k), DIM, "p", &err), OFW_OK);
  ofw_vec whole = ofw_vec_dense(9, dense), none = ofw_vec_sparse(0, NULL, NULL);
  assert_int_equal(ofw_sum_check((ofw_sum){1, &whole}, 9, "p", NULL), OFW_OK);
  assert_int_equal(ofw_sum_check((ofw_sum){1, &none}, 9, "p", NULL), OFW_OK);
  assert_string_equal(err.message, "");
  ofw_vec bad[] = {term[4], scaled(term[5], -INFINITY)}; /* the second term is looked at as well */
  assert_int_equal(ofw_sum_check((ofw_sum){2, bad}, DIM, "p", &err), OFW_BAD_DATA);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dense),
      cmocka_unit_test(test_windows),
      cmocka_unit_test(test_dot),
      cmocka_unit_test(test_norm),
      cmocka_unit_test(test_extent),
      cmocka_unit_test(test_refuses_what_does_not_fit),
      cmocka_unit_test(test_refuses_the_largest_index),
      cmocka_unit_test(test_refuses_what_is_not_finite),
      cmocka_unit_test(test_refuses_repeats_and_no_kind),
      cmocka_unit_test(test_accepts),
  };
  return cmocka_run_group_tests(tests, make, NULL);
}
