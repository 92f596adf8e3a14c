/* suites.c — the build makes a text of each file of experiments/ (experiments/CMakeLists.txt); here they get their names */
#include "suites.h"

#include "base/basics.h"

#include <stdlib.h>
#include <string.h>

extern const char experiment_movielens[], experiment_movielens_quick[], experiment_filmtrust[],
    experiment_filmtrust_quick[], experiment_growth_table1[], experiment_growth_ada[], experiment_compare_rivals[],
    experiment_compare_ada[];

static const struct {
  const char *name, *text;
} suites[] = {
    {"movielens", experiment_movielens},           {"movielens-quick", experiment_movielens_quick},
    {"filmtrust", experiment_filmtrust},           {"filmtrust-quick", experiment_filmtrust_quick},
    {"growth-table1", experiment_growth_table1},   {"growth-ada", experiment_growth_ada},
    {"compare-rivals", experiment_compare_rivals}, {"compare-ada", experiment_compare_ada},
};

const char *suite_text(const char *name)
{
  for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
    if (strcmp(suites[i].name, name) == 0)
      return suites[i].text;
  return NULL;
}

int suite_read(const command *self, const char *name, const char *first, const char *second, lab_experiment *out)
{
  char full[64];
  ofw_error err = {0};
  if (strcmp(name, first) != 0 && strcmp(name, second) != 0)
    return complain(self, EXIT_USAGE, "no suite '%s'; there are %s and %s", name, first, second);
  snprintf(full, sizeof full, "%s-%s", self->name, name);
  ofw_status st = lab_experiment_read(full, suite_text(full), out, &err);
  return st == OFW_OK ? 0 : refuse(self, &err);
}
