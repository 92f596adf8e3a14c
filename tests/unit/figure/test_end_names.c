/* Names never cover each other, stay between the ends, and no other places that do so are nearer to the curves. */
#include "unit/base/check.h"

#include "lab/figure/panel.h"

enum { MOST_NAMES = 12 };

static double cost(const end_name *name, const double *at, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += (at[i] - name[i].y) * (at[i] - name[i].y);
  return sum;
}

static int fits(const double *at, size_t n, double line, double top, double bottom)
{
  for (size_t i = 0; i < n; i++)
    if (at[i] < top - 1e-9 || at[i] > bottom + 1e-9 || (i > 0 && at[i] < at[i - 1] + line - 1e-9))
      return 0;
  return 1;
}

static void apart_and_near(void **state)
{
  (void)state;
  uint64_t seed = 7;
  for (int trial = 0; trial < 3000; trial++) {
    end_name name[MOST_NAMES];
    double at[MOST_NAMES], line = 15.0, top = 40.0;
    size_t n = 1 + any_below(&seed, MOST_NAMES);
    double bottom = top + line * (double)(n - 1) + 200.0 * any_share(&seed);
    for (size_t i = 0; i < n; i++)
      name[i] =
          (end_name){.text = "name",
                     .y = top + (bottom - top) * (trial % 2 ? any_share(&seed) : (double)any_below(&seed, 3) / 2.0)};
    end_names_spread(name, n, line, top, bottom);
    for (size_t i = 0; i < n; i++) {
      at[i] = name[i].at;
      assert_true(i == 0 || name[i].y >= name[i - 1].y);
    }
    assert_true(fits(at, n, line, top, bottom));
    double least = cost(name, at, n);
    for (int other = 0; other < 200; other++) { /* one run of names moves a little */
      double moved[MOST_NAMES], by = (any_share(&seed) - 0.5) * 4.0;
      size_t first = any_below(&seed, n), last = first + any_below(&seed, n - first);
      for (size_t i = 0; i < n; i++)
        moved[i] = at[i] + (i >= first && i <= last ? by : 0.0);
      if (fits(moved, n, line, top, bottom))
        assert_true(cost(name, moved, n) >= least - 1e-6);
    }
  }
}

static void by_hand(void **state)
{
  (void)state;
  end_name name[3] = {{.text = "a", .y = 100.0}, {.text = "b", .y = 50.0}, {.text = "c", .y = 100.0}};
  end_names_spread(name, 3, 10.0, 0.0, 200.0);
  assert_true(name[0].at == 50.0 && name[1].at == 95.0 && name[2].at == 105.0);
  end_names_spread(name, 0, 10.0, 0.0, 200.0);
  name[0].y = 500.0;
  end_names_spread(name, 1, 10.0, 0.0, 200.0);
  assert_true(name[0].at == 200.0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(apart_and_near), cmocka_unit_test(by_hand)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
