/* test_panels.c — products with panels, of both variants, against slow ones over the numbers that were written */
#include "linalg/panels.h"
#include "unit/linalg/chance.h"

#include <string.h>

enum { ROWS = 203, MOST = 21, STRIDE = 23 };

static double a[ROWS * STRIDE], z[MOST], u[ROWS], y[MOST];
static float number[ROWS * 24] __attribute__((aligned(64)));

/* The first `count` columns of random numbers, written in two goes and by two parts of the rows. */
static ofw_panels make(chance *c, size_t count)
{
  ofw_panels b = {ROWS, count, number};
  chance_normals(c, ROWS * STRIDE, a);
  memset(number, 0xff, sizeof number); /* NaN, if it is left */
  assert_true(ofw_panels_size(ROWS, count) <= sizeof number / sizeof *number);
  for (size_t known = (count + 1) / 2, go = 0; go < 2; known = count, go++)
    for (size_t k = 0; k < known; k += OFW_PANEL) {
      ofw_panels_write(&b, k / OFW_PANEL, 0, 100, known - k, a + k, STRIDE);
      ofw_panels_write(&b, k / OFW_PANEL, 100, ROWS, known - k, a + k, STRIDE);
    }
  return b;
}

static double rounded(size_t i, size_t k)
{
  return (double)(float)a[i * STRIDE + k];
}

static void compare(const ofw_panel_products *by, chance *c, size_t count)
{
  ofw_panels b = make(c, count);
  double got[ROWS], turned[MOST], both[2][ROWS];
  for (int t = 0; t < 20; t++) {
    size_t from = chance_below(c, ROWS), n = chance_below(c, ROWS - from + 1);
    chance_normals(c, MOST, z);
    chance_normals(c, MOST, y);
    chance_normals(c, ROWS, u);
    memcpy(got, u, sizeof got);
    memcpy(turned, y, sizeof turned);
    by->times(&b, from, n, z, got);
    by->add_turned(&b, from, n, got, turned);
    for (size_t i = 0; i < ROWS; i++) {
      long double sum = u[i];
      for (size_t k = 0; k < count && i < n; k++)
        sum += (long double)rounded(from + i, k) * z[k];
      assert_near(got[i], sum, 1e-13L);
    }
    for (size_t k = 0; k < MOST; k++) {
      long double sum = y[k];
      for (size_t i = 0; i < n && k < count; i++)
        sum += (long double)rounded(from + i, k) * got[i];
      assert_near(turned[k], sum, 1e-11L);
    }
    memcpy(both[0], u, sizeof u);
    memcpy(both[1], y, sizeof y);
    by->pass(&b, from, n, z, both[0], both[1]);
    assert_memory_equal(both[0], got, sizeof got);
    for (size_t k = 0; k < MOST; k++)
      assert_near(both[1][k], turned[k], 1e-11L);
  }
}

static void products(void **state)
{
  (void)state;
  chance c = {41};
  const ofw_panel_products *all[] = {&ofw_panels_portable, ofw_panels_chosen(), ofw_panels_avx2};
  for (size_t k = 0; k < 2; k++) /* the last one is what the second is, or what this processor does not have */
    for (size_t count = 1; count <= MOST; count++)
      compare(all[k], &c, count);
  assert_true(all[1] == all[0] || all[1] == all[2]);
}

/* No columns: nothing changes. */
static void nothing(void **state)
{
  (void)state;
  ofw_panels b = {ROWS, 0, number};
  double one[2] = {1.0, 2.0};
  ofw_panels_chosen()->pass(&b, 0, 1, NULL, &one[0], &one[1]);
  assert_true(one[0] == 1.0 && one[1] == 2.0 && ofw_panels_size(ROWS, 0) == 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
