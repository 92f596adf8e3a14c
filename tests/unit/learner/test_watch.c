/* Windows of ofw-ada: what begins anew, when, and what is left of before; whole plays are compared in tests/parity. */
#include "unit/learner/units.h"

/* After 5 rounds a learner of its own begins at the decision, and knows Gf. */
static void test_window(void **unused)
{
  (void)unused;
  static const char *const set[] = {"window=5"};
  hand h = open_hand("ofw-ada", 0, 0.0, 1, set);
  const ofw_ada *s = h.l->state;
  double raised = 0.0;
  for (int t = 1; t <= 23; t++) {
    feed(&h, t % 2 ? -0.75 : 0.75, t % 5 == 2 ? 0.2 : NAN, 0.1);
    raised = fmax(raised, s->raised);
    assert_int_equal(s->epochs, t / 5);
    assert_int_equal(ofw_learner_tau(h.l), t % 5);
    if (t % 5)
      continue;
    assert_begun(s, 1.5, 1.5 * 2.0 * ofw_ada_unit(s) / 2.0);
    assert_true(s->Gf == 0.75 && s->raised == 0.0 && s->spread == 0.0 && s->lead2 == 0.0 && s->since == 0.0);
  }
  assert_true(raised > 0.0);
  close_hand(&h);
}

/* What an open end has never had is not in its configuration, so that states from before there were windows load. */
static void test_config(void **unused)
{
  (void)unused;
  static const char *const set[] = {"window=auto"};
  hand open = open_hand("ofw-ada", 0, 0.0, 0, NULL), watched = open_hand("ofw-ada", 0, 0.0, 1, set);
  assert_null(strstr(ofw_learner_config(open.l), "window"));
  assert_non_null(strstr(ofw_learner_config(watched.l), " window=auto "));
  close_hand(&open);
  close_hand(&watched);
}

/* Losses that turn round after 100 rounds, on [-1, 1]: one that ends at 128 begins anew, and gains at once. If the constraint
 * x <= -1/2 is what holds x back, nothing has changed. */
static void test_auto(void **unused)
{
  (void)unused;
  static const char *const set[] = {"window=auto"};
  for (int limited = 0; limited < 2; limited++) {
    hand h = open_hand("ofw-ada", 0, 0.0, 1, set), other = open_hand("ofw-ada", 0, 0.0, 1, set);
    const ofw_ada *s = h.l->state;
    uint64_t begun = 0, since = 0;
    for (int t = 1; t <= 200; t++) {
      double f = t <= 100 || limited ? -1.0 : 1.0, x = decision(&h);
      feed(&h, f, limited ? x + 0.5 : -1.0, 1.0);
      begun += h.l->since != since;
      since = h.l->since;
      ofw_state state = {0};
      assert_int_equal(ofw_learner_save_state(h.l, &state), OFW_OK);
      assert_int_equal(ofw_learner_load_state(other.l, &state), OFW_OK);
      ofw_state_free(&state);
      assert_true(decision(&h) == decision(&other));
      feed(&other, f, -1.0, 1.0);
    }
    assert_int_equal(begun, !limited);
    assert_int_equal(since, limited ? 0 : 128);
    assert_true(limited ? s->watch.kept[0] == 200.0 : decision(&h) < -0.9);
    close_hand(&h);
    close_hand(&other);
  }
}

static void test_refused(void **unused)
{
  (void)unused;
  ofw_error err = {0};
  assert_null(ofw_learner_create("ofw-ada:window=1", "l2-ball:dim=2", &err));
  assert_string_equal(err.message, "ofw-ada: window=1 is not in [2, 1e+15]");
  assert_null(ofw_learner_create("ofw-ada:window=some", "l2-ball:dim=2", &err));
  assert_non_null(strstr(err.message, "auto"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_window),
      cmocka_unit_test(test_config),
      cmocka_unit_test(test_auto),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
