/* What the learners' files promise is Table 1's, and what they leave to tune are numbers that they have. */
#include "unit/base/check.h"

#include "learner/method.h"

/* Table 1 of the paper. */
static const struct {
  const char *learner;
  ofw_rate regret, ccv;
} table[] = {
    {"opdp", {5.0 / 6.0, 0.0}, {11.0 / 12.0, 0.0}},
    {"lpm", {0.75, 0.5}, {7.0 / 8.0, 0.0}},
    {"ofw-tvc", {0.75, 0.0}, {0.75, 1.0}},
    {"scofw-tvc", {2.0 / 3.0, 0.0}, {5.0 / 6.0, 0.0}},
    {"lbpm", {0.75, 0.5}, {7.0 / 8.0, 1.0}},
    {"bfw-tvc", {0.75, 0.0}, {0.75, 1.0}},
    {"scbfw-tvc", {2.0 / 3.0, 1.0}, {5.0 / 6.0, 1.0}},
};

static void same_rate(ofw_rate found, ofw_rate want)
{
  assert_near(found.power, want.power, 1e-15);
  assert_near(found.log_power, want.log_power, 0.0);
}

static void test_table(void **state)
{
  (void)state;
  size_t rows = 0;
  for (size_t i = 0; i < ofw_learner_types(); i++)
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
      if (strcmp(ofw_learner_type(i)->name, table[k].learner) == 0) {
        const ofw_promise *p = ofw_learner_type(i)->promise;
        assert_non_null(p);
        same_rate(p->regret, table[k].regret);
        same_rate(p->ccv, table[k].ccv);
        assert_non_null(p->tuned[0]);
        rows++;
      }
  assert_true(rows >= 4);
}

static int is_number(const ofw_option *o, const char *name)
{
  for (; o->name; o++)
    if (strcmp(o->name, name) == 0)
      return o->kind == OFW_REAL;
  return 0;
}

static void test_tuned(void **state)
{
  (void)state;
  for (size_t i = 0; i < ofw_learner_types(); i++) {
    const ofw_type *type = ofw_learner_type(i);
    const ofw_promise *p = type->promise;
    if (!p || !p->tuned[0])
      continue;
    assert_non_null(p->tuned[1]);
    assert_string_not_equal(p->tuned[0], p->tuned[1]);
    assert_true(is_number(type->options, p->tuned[0]) && is_number(type->options, p->tuned[1]));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_tuned)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
