/* A name has the label, and only those options in which arms of the label differ. */
#include "unit/base/check.h"

#include "lab/arm_name.h"

#include <stdlib.h>

static void names(void **state)
{
  (void)state;
  static const char *const given[][3] = {/* label, options, name */
                                         {"OFW", "", "OFW"},
                                         {"OPDP", "step=0.5 gamma=1", "OPDP step=0.5"},
                                         {"OPDP", "step=2 gamma=1", "OPDP step=2"},
                                         {"alone", "step=2 gamma=1", "alone"},
                                         {"two", "a=1 b=1", "two a=1 b=1"},
                                         {"two", "a=1 b=2", "two a=1 b=2"},
                                         {"two", "a=10 b=1", "two a=10 b=1"},
                                         {"some", "a=1", "some a=1"},
                                         {"some", "", "some"}};
  enum { N = sizeof given / sizeof *given };
  results_arm arm[N] = {0};
  for (size_t i = 0; i < N; i++)
    arm[i] = (results_arm){.label = (char *)given[i][0], .options = (char *)given[i][1]};
  for (size_t i = 0; i < N; i++) {
    char *name = lab_arm_name(arm, N, i);
    assert_string_equal(name, given[i][2]);
    free(name);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
