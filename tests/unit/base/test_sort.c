#include "base/sort.h"
#include "unit/base/check.h"

#include <stdlib.h>

typedef struct pair {
  uint64_t key;
  uint32_t with;
} pair;

static int by_key(const void *a, const void *b)
{
  const pair *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->with > y->with) - (x->with < y->with);
}

/* Keys below 2^bits, with their places: where keys are equal, the places must still increase. */
static void check_sort(size_t n, unsigned bits, uint64_t *seed)
{
  uint64_t *key = malloc((n + 1) * sizeof *key), *alone = malloc((n + 1) * sizeof *alone);
  uint32_t *with = malloc((n + 1) * sizeof *with);
  pair *wanted = malloc((n + 1) * sizeof *wanted);
  for (size_t k = 0; k < n; k++) {
    alone[k] = key[k] = bits ? any_word(seed) >> (64 - bits) : 7;
    with[k] = (uint32_t)k;
    wanted[k] = (pair){key[k], with[k]};
  }
  qsort(wanted, n, sizeof *wanted, by_key);
  assert_int_equal(ofw_sort(n, key, with, NULL), OFW_OK);
  assert_int_equal(ofw_sort(n, alone, NULL, NULL), OFW_OK);
  for (size_t k = 0; k < n; k++)
    assert_true(key[k] == wanted[k].key && alone[k] == wanted[k].key && with[k] == wanted[k].with);
  free(key), free(alone), free(with), free(wanted);
}

static void test_sorts(void **state)
{
  (void)state;
  static const size_t counts[] = {0, 1, 2, 3, 63, 64, 65, 100, 5000, 20000};
  static const unsigned bits[] = {0,  1,  8,  12, 13,
                                  24, 34, 40, 60, 64}; /* one digit, some, all of them; few keys, many */
  uint64_t seed = 5;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (size_t j = 0; j < sizeof bits / sizeof *bits; j++)
      check_sort(counts[i], bits[j], &seed);
}

static void test_in_order_already(void **state)
{
  (void)state;
  uint64_t key[] = {1, 1, 2, 1u << 20};
  uint32_t with[] = {9, 3, 5, 0};
  assert_int_equal(ofw_sort(4, key, with, NULL), OFW_OK);
  assert_true(key[3] == 1u << 20 && with[0] == 9 && with[1] == 3 && with[3] == 0);
}

static void test_numbers_as_keys(void **state)
{
  (void)state;
  static const double x[] = {-1e300, -2.0, -1.0 - 0x1p-52, -1.0, -1e-320, 0.0, 5e-324, 1.0, 1.0 + 0x1p-52, 3e9, 1e308};
  for (size_t k = 1; k < sizeof x / sizeof *x; k++)
    assert_true(ofw_sort_key(x[k - 1]) < ofw_sort_key(x[k]));
  assert_true(ofw_sort_key(0.0) == ofw_sort_key(-0.0));
  for (size_t k = 0; k < sizeof x / sizeof *x; k++)
    assert_true(ofw_sort_number(ofw_sort_key(x[k])) == x[k]);
  assert_true(ofw_sort_number(ofw_sort_key(0.0) - 1) == 0.0 && ofw_sort_number(ofw_sort_key(0.0) - 2) == -0x1p-1074);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sorts),
      cmocka_unit_test(test_in_order_already),
      cmocka_unit_test(test_numbers_as_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
