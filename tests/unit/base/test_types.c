#include "base/option_table.h"
#include "unit/base/check.h"

#include "domain/set.h"

static void test_spec(void **state)
{
  (void)state;
  size_t length;
  assert_string_equal(ofw_spec_split("l1-ball:dim=2,of=(a:b)", &length), "dim=2,of=(a:b)");
  assert_int_equal(length, 7);
  assert_string_equal(ofw_spec_split("linear", &length), "");
  assert_int_equal(length, 6);
  assert_string_equal(ofw_spec_split("linear:", &length), "");
  assert_int_equal(length, 6);
}

static void test_type_find(void **state)
{
  (void)state;
  ofw_error err = {0};
  size_t n = ofw_domain_types();
  for (size_t i = 0; i < n; i++) {
    const char *name = ofw_domain_type(i)->name;
    assert_int_equal(ofw_type_find(name, strlen(name), n, ofw_domain_type, "domain", &err), (int)i);
  }
  assert_int_equal(ofw_type_find("l1-bal:dim=3", 6, n, ofw_domain_type, "domain", &err), -1);
  assert_string_equal(err.message, "no domain 'l1-bal'; did you mean 'l1-ball'?");
  assert_int_equal(ofw_type_find("dodecahedron", 12, n, ofw_domain_type, "domain", &err), -1);
  assert_string_equal(err.message, "no domain 'dodecahedron'; see 'ofw list'");
  assert_int_equal(ofw_type_find("", 0, n, ofw_domain_type, "domain", NULL), -1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spec),
      cmocka_unit_test(test_type_find),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
