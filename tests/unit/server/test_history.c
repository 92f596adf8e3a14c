/* However many rounds there were, the rows are equally far apart, as many as there is room for, and true. */
#include "server/history.h"
#include "unit/base/check.h"

#include <stdlib.h>
#include <string.h>

static void row_of(uint64_t round, double row[COLUMNS])
{
  for (size_t k = 0; k < COLUMNS; k++)
    row[k] = (double)round * (k ? (double)k + 0.5 : 1.0);
}

static void test_thinning(void **state)
{
  history h = {0};
  double row[COLUMNS], now[COLUMNS];
  (void)state;
  for (uint64_t t = 1; t <= 20000; t++) {
    row_of(t, row);
    if (history_due(&h, t))
      history_add(&h, row);
    uint64_t stride = h.stride ? h.stride : 1;
    assert_int_equal(h.rows, t / stride);
    assert_true(h.rows <= HISTORY_MOST && (t < HISTORY_MOST || h.rows >= HISTORY_MOST / 2));
  }
  for (size_t k = 0; k < h.rows; k++) {
    row_of((k + 1) * h.stride, row);
    assert_memory_equal(row, h.number + k * COLUMNS, sizeof row);
  }
  for (size_t points = 2; points <= HISTORY_MOST + 1; points += 37) {
    ofw_text out = {0};
    size_t rows = 0;
    row_of(20001, now);
    history_print(&h, now, points, &out);
    const char *at = strstr(out.chars, "\"rows\":[");
    assert_non_null(at);
    while ((at = strchr(at + 1, '[')))
      rows++;
    assert_true(rows >= 1 && rows - 1 <= points + 1);
    assert_non_null(strstr(out.chars, "[20001,"));
    free(out.chars);
  }
  history_free(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_thinning)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
