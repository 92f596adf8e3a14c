/* Verdicts by p and by size, Holm's correction over the comparisons that are tests, and when nothing can be decided */
#include "unit/base/check.h"

#include "lab/claims.h"

static void test_relative(void **state)
{
  (void)state;
  const struct {
    double better, than, want;
  } cases[] = {{95.0, 100.0, -0.05},
               {100.0, 95.0, 0.05},
               {0.0, 0.0, 0.0},
               {0.0, 3.0, -1.0},
               {-4.0, -2.0, -0.5},
               {-2.0, 2.0, -2.0},
               {3.0, 3.0, 0.0},
               {(double)NAN, 0.0, (double)NAN},
               {0.0, (double)NAN, (double)NAN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double got = lab_relative(cases[i].better, cases[i].than);
    assert_true(isnan(cases[i].want) ? isnan(got) : fabs(got - cases[i].want) < 1e-15);
  }
}

static void test_verdicts(void **state)
{
  (void)state;
  static const struct {
    double p, difference, relative;
    const char *want;
  } cases[] = {
      {0.049, -1.0, -0.05, "holds"},
      {0.05, -1.0, -0.9, "not decided"},
      {0.049, 1.0, 0.05, "does not"},
      {0.05, 1.0, 0.9, "not decided"},
      {0.001, -1.0, -0.049, "negligible"},
      {0.001, 1.0, 0.049, "negligible"},
      {0.001, -1.0, 0.5, "not decided"}, /* the pairs say one thing, the means of all plays another */
      {0.001, 1.0, -0.5, "not decided"},
      {1.0, 0.0, 0.0, "not decided"},
      {(double)NAN, -1.0, -0.5, "not decided"},
      {0.001, -1.0, (double)NAN, "not decided"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(lab_verdict_name(lab_verdict_of(cases[i].p, cases[i].difference, cases[i].relative)),
                        cases[i].want);
}

static lab_judgement judgement(size_t n, double p, double difference, const char *unclear)
{
  return (lab_judgement){.paired = {.n = n, .mean = difference, .p = p},
                         .relative = difference,
                         .unclear = unclear,
                         .p_holm = 1.0,
                         .verdict = LAB_NOT_DECIDED};
}

/* One that is unclear is no test: with it in the family 0.02 would become 0.06. */
static void test_unclear_ones_do_not_count(void **state)
{
  (void)state;
  lab_judgement of[] = {judgement(8, 0.02, -0.5, NULL), judgement(0, 1.0, -0.5, "gone"), judgement(8, 0.03, 0.5, NULL)};
  lab_judgement *all[] = {&of[0], &of[1], &of[2]};
  assert_int_equal(lab_claims_correct(all, 3, NULL), OFW_OK);
  assert_near(of[0].p_holm, 0.04, 1e-15);
  assert_near(of[1].p_holm, 1.0, 0.0);
  assert_near(of[2].p_holm, 0.04, 1e-15);
  assert_int_equal(of[0].verdict, LAB_HOLDS);
  assert_int_equal(of[1].verdict, LAB_NOT_DECIDED);
  assert_int_equal(of[2].verdict, LAB_DOES_NOT);
  /* some of them alone, as ofw compare does */
  assert_int_equal(lab_claims_correct(all, 1, NULL), OFW_OK);
  assert_near(of[0].p_holm, 0.02, 0.0);
}

static void test_power(void **state)
{
  (void)state;
  enum { MOST = 26 };
  lab_judgement of[MOST + 1];
  for (size_t i = 0; i < MOST; i++)
    of[i] = judgement(10, 1.0, 0.0, NULL);
  of[MOST] = judgement(0, 1.0, 0.0, "gone");
  lab_power enough = lab_claims_power(of + 1, MOST), few = lab_claims_power(of, MOST + 1),
            none = lab_claims_power(of, 0);
  assert_true(enough.tests == 25 && !enough.too_few);
  assert_true(few.tests == 26 && few.games == 10 && few.too_few && few.needed == 11);
  assert_true(none.tests == 0 && !none.too_few);
  of[3].paired.n = 11; /* one that can be decided is enough */
  assert_false(lab_claims_power(of, MOST + 1).too_few);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_relative),
      cmocka_unit_test(test_verdicts),
      cmocka_unit_test(test_unclear_ones_do_not_count),
      cmocka_unit_test(test_power),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
