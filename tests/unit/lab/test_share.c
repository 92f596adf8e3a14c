/* Shares of a plan: every cell is in exactly one of them, tunings stay whole, and none has much more than another. */
#include "unit/base/check.h"

#include "lab/share.h"

enum { ARMS = 13, TUNE = 6, PLAY = 5, MOST = 40 };

/* Every third arm is not tuned. */
static lab_plan made(lab_arm arm[ARMS])
{
  lab_plan plan = {.arm = arm, .arms = ARMS};
  for (size_t i = 0, tunings = 0; i < ARMS; i++) {
    size_t tune = i % 3 ? TUNE : 0;
    arm[i] = (lab_arm){.first = plan.cells, .tune = tune, .play = PLAY, .tunings = tunings};
    tunings += tune > 0;
    plan.cells += tune + PLAY;
  }
  return plan;
}

/* Which shard, from 1, has the cell in that stage; 0: none has. */
static size_t owner(const lab_plan *plan, lab_stage stage, size_t shards, size_t arm, size_t k)
{
  size_t found = 0;
  for (size_t i = 1; i <= shards; i++) {
    const lab_share share = {stage, i, shards};
    if (lab_share_has(&share, plan, &plan->arm[arm], k)) {
      assert_int_equal(found, 0);
      found = i;
    }
  }
  return found;
}

static void each_cell_has_one_owner(void **state)
{
  (void)state;
  lab_arm arm[ARMS];
  const lab_plan plan = made(arm);
  for (size_t n = 1; n <= MOST; n++)
    for (size_t i = 0; i < ARMS; i++)
      for (size_t k = 0; k < arm[i].tune + PLAY; k++) {
        size_t tune = owner(&plan, LAB_TUNE, n, i, k), play = owner(&plan, LAB_PLAY, n, i, k);
        assert_int_equal(tune != 0, k < arm[i].tune);
        assert_int_equal(play != 0, k >= arm[i].tune);
        if (tune)
          assert_int_equal(tune, owner(&plan, LAB_TUNE, n, i, 0)); /* a tuning is one shard's */
      }
}

static void shares_are_alike(void **state)
{
  (void)state;
  lab_arm arm[ARMS];
  const lab_plan plan = made(arm);
  for (size_t n = 1; n <= MOST; n++) {
    size_t tunings[MOST + 1] = {0}, plays[MOST + 1] = {0};
    for (size_t i = 0; i < ARMS; i++) {
      if (arm[i].tune)
        tunings[owner(&plan, LAB_TUNE, n, i, 0)]++;
      for (size_t k = arm[i].tune; k < arm[i].tune + PLAY; k++)
        plays[owner(&plan, LAB_PLAY, n, i, k)]++;
    }
    for (size_t i = 1; i <= n; i++) {
      assert_in_range(tunings[i], 8 / n, 8 / n + 1);
      assert_in_range(plays[i], ARMS * PLAY / n, ARMS * PLAY / n + 1);
      assert_int_equal(tunings[i] > 0, i <= lab_shards_used(&plan, LAB_TUNE, n));
      assert_int_equal(plays[i] > 0, i <= lab_shards_used(&plan, LAB_PLAY, n));
    }
  }
}

static void all_of_it_is_a_share(void **state)
{
  (void)state;
  lab_arm arm[ARMS];
  const lab_plan plan = made(arm);
  const lab_share all = {0};
  for (size_t k = 0; k < arm[1].tune + PLAY; k++)
    assert_true(lab_share_has(&all, &plan, &arm[1], k));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_cell_has_one_owner), cmocka_unit_test(shares_are_alike),
                                     cmocka_unit_test(all_of_it_is_a_share)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
