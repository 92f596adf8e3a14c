/* Generated ratings as a slow version draws them, one number at a time: what a seed means must not change. */
#include "linalg/kernels.h"
#include "linalg/rng.h"
#include "ratings/ratings.h"
#include "unit/base/check.h"

#include <stdlib.h>

typedef struct shape {
  size_t users, items, ratings, rank;
} shape;

/* As src/ratings/ratings.c numbers them. */
enum { USER_BIAS = 1, ITEM_BIAS, USER_FACTOR, ITEM_FACTOR, USER_ACTIVITY, ITEM_POPULARITY, PAIRS, NOISE };

static double normal(uint64_t seed, uint64_t what, size_t at)
{
  double x;
  ofw_rng_normal((ofw_rng_key){seed, OFW_RNG_DATA, what}, at, 1, &x);
  return x;
}

/* The first whose running total of exp(spread * normal) is above a uniform part of the whole. */
static size_t drawn(size_t n, double spread, uint64_t seed, uint64_t what, size_t at)
{
  double sum = 0.0, so_far = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += exp(spread * normal(seed, what, i));
  double limit = ofw_rng_unit((ofw_rng_key){seed, OFW_RNG_DATA, PAIRS}, at) * sum;
  for (size_t i = 0; i + 1 < n; i++)
    if (limit < (so_far += exp(spread * normal(seed, what, i))))
      return i;
  return n - 1;
}

/* taken[cell]: is it rated? */
static void slow_pairs(const shape *s, uint64_t seed, unsigned char *taken)
{
  for (size_t have = 0, at = 0; have < s->ratings; at += 2) {
    size_t i = drawn(s->users, 1.0, seed, USER_ACTIVITY, at), j = drawn(s->items, 1.4, seed, ITEM_POPULARITY, at + 1);
    have += !taken[i * s->items + j];
    taken[i * s->items + j] = 1;
  }
}

static double slow_truth(const shape *s, uint64_t seed, size_t i, size_t j)
{
  double p[16], q[16];
  for (size_t k = 0; k < s->rank; k++) {
    p[k] = normal(seed, USER_FACTOR, i * s->rank + k);
    q[k] = normal(seed, ITEM_FACTOR, j * s->rank + k);
  }
  double taste = ofw_dot(s->rank, p, q) / sqrt((double)s->rank);
  return 3.5 + 0.4 * normal(seed, USER_BIAS, i) + 0.4 * normal(seed, ITEM_BIAS, j) + 0.6 * taste;
}

static void check_shape(const shape *s, uint64_t seed)
{
  ofw_ratings r;
  unsigned char *taken = calloc(s->users * s->items, 1);
  slow_pairs(s, seed, taken);
  assert_int_equal(
      ofw_ratings_generate(&r, &(ofw_ratings_shape){s->users, s->items, s->ratings, s->rank}, NULL, seed, NULL),
      OFW_OK);
  assert_int_equal(r.count, s->ratings);
  size_t k = 0;
  for (size_t cell = 0; cell < s->users * s->items; cell++) {
    if (!taken[cell])
      continue;
    double truth = slow_truth(s, seed, cell / s->items, cell % s->items);
    double rating = round(truth + 0.7 * normal(seed, NOISE, k));
    assert_int_equal(r.cell[k], cell);
    assert_near(r.truth[k], truth, 1e-6);
    assert_bits(r.value[k++], rating < 1.0 ? 1.0 : rating > 5.0 ? 5.0 : rating);
  }
  assert_int_equal(k, s->ratings);
  assert_null(r.sequence);
  ofw_ratings_free(&r);
  free(taken);
}

static void test_as_ever(void **state)
{
  (void)state;
  static const shape shapes[] = {{1, 2, 1, 1},    {2, 1, 1, 3},   {3, 4, 6, 2},     {40, 1, 20, 2},
                                 {1, 40, 20, 10}, {9, 7, 31, 16}, {60, 45, 600, 5}, {13, 90, 585, 4}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (uint64_t seed = 1; seed <= 3; seed++)
      check_shape(&shapes[i], seed);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_ever)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
