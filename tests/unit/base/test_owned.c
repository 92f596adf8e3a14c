#include "base/owned.h"
#include "unit/base/check.h"

#include <stdlib.h>
#include <string.h>

static void pieces_stay_until_all_go(void **state)
{
  (void)state;
  ofw_owned o = {0};
  double *x[20];
  for (size_t k = 0; k < 20; k++) {
    x[k] = ofw_owned_doubles(&o, k);
    assert_non_null(x[k]);
    assert_int_equal((uintptr_t)x[k] % 64, 0);
    for (size_t i = 0; i < k; i++) {
      assert_true(x[k][i] == 0.0);
      x[k][i] = (double)(k * i);
    }
  }
  size_t *whole = ofw_owned_array(&o, 3, sizeof *whole);
  char *text = strdup("somebody else's");
  assert_ptr_equal(ofw_owned_take(&o, text, strlen(text) + 1), text);
  assert_non_null(whole);
  assert_int_equal(o.pieces, 22);
  assert_int_equal(ofw_owned_check(&o, NULL), OFW_OK);
  for (size_t k = 0; k < 20; k++)
    for (size_t i = 0; i < k; i++)
      assert_true(x[k][i] == (double)(k * i));
  ofw_owned_free(&o); /* all of it: a sanitizer would see what is left */
  assert_int_equal(o.pieces, 0);
  assert_non_null(ofw_owned_doubles(&o, 1));
  ofw_owned_free(&o);
}

/* What is not to be had is remembered, whatever comes after it. */
static void a_missing_piece_is_remembered(void **state)
{
  (void)state;
  ofw_owned o = {0};
  ofw_error err = {0};
  assert_non_null(ofw_owned_doubles(&o, 1));
  assert_null(ofw_owned_array(&o, SIZE_MAX, sizeof(double)));
  assert_non_null(ofw_owned_doubles(&o, 1));
  assert_int_equal(ofw_owned_check(&o, &err), OFW_FAILED);
  assert_non_null(strstr(err.message, "out of memory"));
  ofw_owned_free(&o);
  assert_int_equal(ofw_owned_check(&o, NULL), OFW_OK);
  assert_null(ofw_owned_take(&o, NULL, 0));
  assert_int_equal(ofw_owned_check(&o, NULL), OFW_FAILED);
  ofw_owned_free(&o);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_stay_until_all_go),
      cmocka_unit_test(a_missing_piece_is_remembered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
