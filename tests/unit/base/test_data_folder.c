#include "base/data_folder.h"
#include "unit/base/check.h"

#include <stdlib.h>

/* NULL: not set. */
static void set(const char *name, const char *value)
{
  if (value)
    setenv(name, value, 1);
  else
    unsetenv(name);
}

static void check(const char *chosen, const char *shared, const char *home, const char *wanted)
{
  char *folder;
  set("OFW_DATA_DIR", chosen);
  set("XDG_DATA_HOME", shared);
  set("HOME", home);
  assert_int_equal(ofw_data_folder(&folder, NULL), OFW_OK);
  if (wanted)
    assert_string_equal(folder, wanted);
  else
    assert_null(folder);
  free(folder);
}

static void test_order(void **state)
{
  (void)state;
  check("data", "/shared", "/home/me", "data");
  check("/data", NULL, NULL, "/data");
  check(NULL, "/shared", "/home/me", "/shared/ofw");
  check("", "/shared", "/home/me", "/shared/ofw");
  check(NULL, NULL, "/home/me", "/home/me/.local/share/ofw");
  check("", "", "/home/me", "/home/me/.local/share/ofw");
  check(NULL, "not/whole", "/home/me", "/home/me/.local/share/ofw");
}

static void test_nothing_set(void **state)
{
  (void)state;
  check(NULL, NULL, NULL, NULL);
  check("", "", "", NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_nothing_set)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
