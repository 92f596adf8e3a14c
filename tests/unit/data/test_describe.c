/* What is said of ratings, against slow sums; singular values against LAPACK's. */
#include "lab/data/describe.h"
#include "unit/base/check.h"

#include <math.h>
#include <stdlib.h>

#include <lapacke.h>

/* Of 0 or more values `value`, on cells that grow. */
static ofw_ratings rated(size_t users, size_t items, size_t count, const size_t *cell, const double *value)
{
  ofw_ratings r = {.users = users, .items = items, .count = count, .duplicates = 2};
  r.cell = ofw_array(count, sizeof *r.cell);
  r.value = ofw_array(count, sizeof *r.value);
  assert_true(r.cell && r.value);
  memcpy(r.cell, cell, count * sizeof *cell);
  memcpy(r.value, value, count * sizeof *value);
  return r;
}

static void test_small(void **state)
{
  (void)state;
  /* user 0 rates items 0, 1, 3; user 1 item 1; user 2 nothing; user 3 items 0, 1 */
  const size_t cell[] = {0, 1, 3, 5, 12, 13};
  const double value[] = {2, 4, 4, 1, 2, 5};
  ofw_ratings r = rated(4, 4, 6, cell, value);
  data_description d;
  assert_int_equal(data_describe(&r, &d, NULL), OFW_OK);
  assert_true(d.rows == 8 && d.duplicates == 2 && d.users == 4 && d.items == 4);
  assert_bits(d.density, 6.0 / 16.0);
  assert_bits(d.mean, 3.0);
  assert_near(d.deviation, sqrt((1 + 1 + 1 + 4 + 1 + 4) / 6.0), 1e-15);
  assert_int_equal(d.values, 4);
  const double values[] = {1, 2, 4, 5};
  const size_t of_value[] = {1, 2, 2, 1};
  assert_memory_equal(d.value, values, sizeof values);
  assert_memory_equal(d.of_value, of_value, sizeof of_value);
  assert_true(d.per_user.least == 0 && d.per_user.most == 3); /* 0, 1, 2, 3 */
  assert_bits(d.per_user.quartile[0], 0.75);
  assert_bits(d.per_user.quartile[1], 1.5);
  assert_bits(d.per_user.quartile[2], 2.25);
  assert_true(d.per_item.least == 0 && d.per_item.most == 3); /* 0, 1, 2, 3, too: item 2 has none */
  assert_bits(d.per_item.quartile[1], 1.5);
  ofw_ratings_free(&r);
}

static void test_many_values(void **state)
{
  (void)state;
  size_t cell[DATA_MOST_VALUES + 1];
  double value[DATA_MOST_VALUES + 1];
  for (size_t k = 0; k <= DATA_MOST_VALUES; k++) {
    cell[k] = k;
    value[k] = 0.25 * (double)k - 3.0;
  }
  for (size_t n = DATA_MOST_VALUES; n <= DATA_MOST_VALUES + 1; n++) {
    ofw_ratings r = rated(1, n, n, cell, value);
    data_description d;
    assert_int_equal(data_describe(&r, &d, NULL), OFW_OK);
    assert_int_equal(d.values, n == DATA_MOST_VALUES ? n : 0);
    assert_bits(d.lowest, -3.0);
    assert_bits(d.highest, value[n - 1]);
    assert_int_equal(d.singular, 1);
    double square = 0.0;
    for (size_t k = 0; k < n; k++)
      square += value[k] * value[k];
    assert_near(d.singular_value[0], sqrt(square), 1e-9);
    ofw_ratings_free(&r);
  }
}

/* All singular values by LAPACK, falling. */
static void all_of(const ofw_ratings *r, double less, double *out)
{
  double *a = ofw_doubles(r->users * r->items), unused;
  assert_non_null(a);
  for (size_t k = 0; k < r->count; k++)
    a[r->cell[k]] = r->value[k] - less;
  int m = (int)r->items, n = (int)r->users; /* column by column it is the transpose */
  assert_int_equal(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, m, out, &unused, 1, &unused, 1), 0);
  free(a);
}

static void test_spectrum(void **state)
{
  (void)state;
  const size_t shapes[][3] = {{60, 90, 900}, {200, 40, 1500}, {300, 260, 4000}, {7, 300, 600}, {5, 4, 10}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (int centred = 0; centred < 2; centred++) {
      ofw_ratings r;
      double less = centred ? 3.5 : 0.0, wanted[300], found[10];
      size_t n, least = shapes[s][0] < shapes[s][1] ? shapes[s][0] : shapes[s][1];
      assert_int_equal(ofw_ratings_generate(&r, &(ofw_ratings_shape){shapes[s][0], shapes[s][1], shapes[s][2], 3}, NULL,
                                            s + 1, NULL),
                       OFW_OK);
      assert_int_equal(data_spectrum(&r, less, 10, found, &n, NULL), OFW_OK);
      all_of(&r, less, wanted);
      assert_true(n <= 10 && n <= least);
      for (size_t k = 0; k < 10 && k < least; k++)
        assert_near(k < n ? found[k] : 0.0, wanted[k], 1e-4 * wanted[0]);
      ofw_ratings_free(&r);
    }
}

/* Ratings that are all alike are nothing without their mean. */
static void test_nothing_left(void **state)
{
  (void)state;
  const size_t cell[] = {0, 1, 2, 3};
  const double value[] = {3, 3, 3, 3};
  ofw_ratings r = rated(2, 2, 4, cell, value);
  data_description d;
  assert_int_equal(data_describe(&r, &d, NULL), OFW_OK);
  assert_int_equal(d.singular, 1);
  assert_near(d.singular_value[0], 6.0, 1e-12);
  assert_int_equal(d.centred_singular, 0);
  ofw_ratings_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_many_values),
                                     cmocka_unit_test(test_spectrum), cmocka_unit_test(test_nothing_left)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
