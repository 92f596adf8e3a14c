/* test_version.c — the version at compile time is that of the library, and can be compared by the preprocessor */
#include "unit/linalg/chance.h"

#include <ofw/base.h>

#include <stdio.h>

#if OFW_VERSION_NUMBER < 300
#error "the number of this version is not one that the preprocessor can compare"
#endif

static void macros_name_the_library(void **state)
{
  char text[64];
  (void)state;
  snprintf(text, sizeof text, "%d.%d.%d", OFW_VERSION_MAJOR, OFW_VERSION_MINOR, OFW_VERSION_PATCH);
  assert_string_equal(text, ofw_version());
  assert_int_equal(OFW_VERSION_NUMBER, 10000 * OFW_VERSION_MAJOR + 100 * OFW_VERSION_MINOR + OFW_VERSION_PATCH);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(macros_name_the_library)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
