/* Feedback that comes late: which rounds are open, what is refused, and one step per feedback, followed by hand on [-1, 1].
 * Whole plays are compared with a slow version in tests/parity. */
#include "unit/learner/hand.h"

enum { T = 16 };

/* Slope f of the loss, no constraint. */
static ofw_status answer(hand *h, uint64_t round, double f)
{
  ofw_vec v = ofw_vec_dense(1, &f);
  return ofw_learner_observe_round(h->l, round, &(ofw_full){.loss_gradient = {1, &v}});
}

static void must(ofw_status st)
{
  assert_int_equal(st, OFW_OK);
}

static ofw_state saved(const hand *h)
{
  ofw_state s = {0};
  assert_int_equal(ofw_learner_save_state(h->l, &s), OFW_OK);
  return s;
}

/* It was refused with these words, and the learner is as it was before. */
static void refused(const hand *h, ofw_status st, const char *words, ofw_state *before)
{
  assert_int_equal(st, OFW_USAGE);
  if (!strstr(ofw_learner_error(h->l), words))
    fail_msg("'%s' does not say '%s'", ofw_learner_error(h->l), words);
  ofw_state now = saved(h); /* which is no failure: the words are gone */
  assert_int_equal(now.size, before->size);
  assert_memory_equal(now.bytes, before->bytes, now.size);
  ofw_state_free(&now);
  ofw_state_free(before);
}

static void test_the_list(void **unused)
{
  (void)unused;
  ofw_open_round room[4];
  ofw_open_rounds o = {.most = 4, .list = room, .near = INFINITY};
  for (uint64_t round = 5; round < 9; round++, o.path += 0.25)
    ofw_open_rounds_add(&o, round);
  assert_int_equal(ofw_open_rounds_find(&o, 5), 0);
  assert_int_equal(ofw_open_rounds_find(&o, 8), 3);
  assert_int_equal(ofw_open_rounds_find(&o, 4), 4);
  assert_int_equal(ofw_open_rounds_find(&o, 9), 4);
  ofw_open_rounds_close(&o, 1, 10.0); /* round 6, decided at 0.25 of 1.0 */
  assert_near(o.late, 0.75);
  assert_int_equal(o.count, 3);
  assert_int_equal(ofw_open_rounds_find(&o, 6), 3);
  assert_int_equal(ofw_open_rounds_find(&o, 7), 1);
  ofw_open_rounds_close(&o, 0, 0.5); /* no two points are farther apart than the diameter */
  assert_near(o.late, 0.5);
}

/* By the minimiser: near it then, how far it has moved, near it now. */
static void test_the_shorter_way_counts(void **unused)
{
  (void)unused;
  ofw_open_round room[2];
  ofw_open_rounds o = {.most = 2, .list = room, .near = 0.125};
  ofw_open_rounds_add(&o, 1);
  o.path = 7.0;
  ofw_open_rounds_aim(&o, 0.25, 0.0625);
  ofw_open_rounds_close(&o, 0, 10.0);
  assert_near(o.late, 0.125 + 0.25 + 0.0625);
}

/* T = 16 and G = 1: eta p = f/16 as in test_ofw_tvc.c, and every decision is the latest x. */
static void test_one_step_per_feedback(void **unused)
{
  (void)unused;
  const char *set[] = {"delay=2", "sigma=line-search"};
  hand h = open_hand("ofw-tvc", T, 0.0, 2, set);
  assert_near(decision(&h), 0.0);
  assert_near(decision(&h), 0.0);
  assert_near(decision(&h), 0.0); /* rounds 1, 2 and 3 */
  assert_int_equal(info_of(&h).open, 3);
  assert_int_equal(info_of(&h).round, 4);
  must(answer(&h, 3, 1.0)); /* the minimiser of x/16 + x^2 */
  must(answer(&h, 1, 1.0)); /* of 2x/16 + x^2 */
  assert_int_equal(info_of(&h).open, 1);
  assert_near(decision(&h), -2.0 / 32); /* round 4 */
  must(answer(&h, 2, 1.0));
  must(answer(&h, 4, -1.0));
  assert_near(decision(&h), -2.0 / 32);
  assert_int_equal(info_of(&h).oracle_calls, 4);
  close_hand(&h);
}

static void test_refusals_change_nothing(void **unused)
{
  (void)unused;
  const char *set[] = {"delay=1"}, *names[] = {"ofw-ada", "ofw-tvc"};
  double one = 1.0;
  ofw_vec v = ofw_vec_dense(1, &one);
  ofw_full fb = {.loss_gradient = {1, &v}};
  ofw_hint hint = {.size = sizeof hint};
  const ofw_point *x;
  for (size_t i = 0; i < 2; i++) {
    hand h = open_hand(names[i], T, 0.0, 1, set);
    ofw_state before = saved(&h);
    refused(&h, answer(&h, 1, 1.0), "round 1: feedback without a decision; the next decision is of round 1", &before);
    before = saved(&h);
    refused(&h, ofw_learner_observe(h.l, &fb), "ask for the decision of round 1 first", &before);
    decision(&h);
    decision(&h);
    before = saved(&h);
    refused(&h, ofw_learner_decide(h.l, &x), "delay=1: 2 decisions wait for their feedback", &before);
    before = saved(&h);
    refused(&h, answer(&h, 3, 1.0), "round 3: feedback without a decision", &before);
    before = saved(&h);
    refused(&h, answer(&h, 0, 1.0), "round 0: feedback without a decision", &before);
    before = saved(&h);
    refused(&h, ofw_learner_observe(h.l, &fb), "feedback must name its round: 2 decisions wait for theirs", &before);
    must(answer(&h, 2, 1.0));
    before = saved(&h);
    refused(&h, answer(&h, 2, 1.0), "round 2 has its feedback already", &before);
    before = saved(&h);
    refused(&h, ofw_learner_observe_hinted(h.l, &fb, &hint), "does not work with delay", &before);
    must(ofw_learner_observe(h.l, &fb)); /* the one that is open */
    assert_int_equal(info_of(&h).open, 0);
    close_hand(&h);
  }
}

/* A round may be named without a delay, too: it must be the pending one. */
static void test_named_rounds_without_a_delay(void **unused)
{
  (void)unused;
  hand h = open_hand("scofw-tvc", T, 1.0, 0, NULL);
  decision(&h);
  decision(&h); /* the same */
  ofw_state before = saved(&h);
  refused(&h, answer(&h, 2, 1.0), "round 2: feedback without a decision; the next decision is of round 2", &before);
  must(answer(&h, 1, 1.0));
  before = saved(&h);
  refused(&h, answer(&h, 1, 1.0), "round 1 has its feedback already", &before);
  decision(&h);
  must(answer(&h, 2, 1.0));
  close_hand(&h);
}

static void refused_with(const char *learner, size_t sets, const char *const *set, const char *words)
{
  ofw_domain *K = make_domain("l2-ball:dim=1");
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = T,
                            .lipschitz = 1.0,
                            .loss_bound = 1.0,
                            .strong_convexity = 1.0,
                            .options = sets,
                            .option = set};
  ofw_error err = {0};
  assert_null(ofw_learner_create_over(learner, K, &s, &err));
  if (!strstr(err.message, words))
    fail_msg("'%s' does not say '%s'", err.message, words);
  ofw_domain_free(K);
}

static void test_who_takes_a_delay(void **unused)
{
  (void)unused;
  const char *period[] = {"delay=3", "constraints=budgets", "period=10"}, *window[] = {"delay=3", "window=auto"};
  const char *none[] = {"delay=0"};
  size_t others = 0;
  for (size_t i = 0; i < ofw_methods_count; i++) {
    if (ofw_methods[i]->delays)
      continue;
    refused_with(ofw_methods[i]->type.name, 1, period, ": delay works only with ofw-ada and ofw-tvc");
    others++;
  }
  assert_int_equal(others, ofw_methods_count - 2);
  refused_with("ofw-ada", 3, period, "delay does not work with period");
  refused_with("ofw-ada", 2, window, "delay does not work with window=auto");
  refused_with("ofw-tvc", 1, none, "delay=0 is not in [1, 65536]");
}

/* A play of 30 rounds in which feedback comes at once; x is what is decided in the end. */
static double play_at_once(const char *learner, size_t sets, const char *const *set)
{
  hand h = open_hand(learner, T, 0.0, sets, set);
  for (int t = 1; t <= 30; t++)
    feed(&h, t % 4 ? 0.75 : -1.0, t % 3 ? 0.25 * decision(&h) + 0.1 : NAN, 0.25);
  double x = decision(&h);
  close_hand(&h);
  return x;
}

/* decide twice in `feed` and above is two rounds with a delay, so that here each round has one decision. */
static double play_with_room(const char *learner, size_t sets, const char *const *set)
{
  hand h = open_hand(learner, T, 0.0, sets, set);
  for (uint64_t t = 1; t <= 30; t++) {
    double f = t % 4 ? 0.75 : -1.0, slope = 0.25, g = 0.25 * decision(&h) + 0.1;
    ofw_vec vf = ofw_vec_dense(1, &f), vg = ofw_vec_dense(1, &slope);
    ofw_sum grad_g = {1, &vg};
    ofw_full fb = {{0.0, t % 3 ? 1 : 0, &g}, {1, &vf}, &grad_g};
    must(ofw_learner_observe_round(h.l, t, &fb));
  }
  double x = decision(&h);
  close_hand(&h);
  return x;
}

/* If no feedback is late, a learner that allows for it decides as one that does not. */
static void test_feedback_in_time(void **unused)
{
  (void)unused;
  const char *none[] = {"beta=0.5"}, *room[] = {"beta=0.5", "delay=9"}, *ada[] = {"delay=9"};
  assert_true(play_at_once("ofw-tvc", 1, none) == play_with_room("ofw-tvc", 2, room));
  assert_true(play_at_once("ofw-ada", 0, NULL) == play_with_room("ofw-ada", 1, ada));
}

/* The bounds on T^(3/4) with late feedback: see docs/theory.md. */
static void test_default_beta(void **unused)
{
  (void)unused;
  const char *few[] = {"delay=4"}, *many[] = {"delay=8"}, *tight[] = {"delay=4", "preset=tight"};
  hand h = open_hand("ofw-tvc", T, 0.0, 1, few);                        /* sqrt T = 4, D = 2 */
  assert_non_null(strstr(ofw_learner_config(h.l), " beta=0.0078125 ")); /* 1/(64 G D) */
  assert_non_null(strstr(ofw_learner_config(h.l), " delay=4"));
  close_hand(&h);
  h = open_hand("ofw-tvc", T, 0.0, 1, many);
  assert_non_null(strstr(ofw_learner_config(h.l), " beta=0.00390625 ")); /* 1/(64 2 G D) */
  close_hand(&h);
  h = open_hand("ofw-tvc", T, 0.0, 2, tight);
  assert_non_null(strstr(ofw_learner_config(h.l), " beta=0.041666666666666664 ")); /* 1/(12 G D) */
  close_hand(&h);
}

/* Slope 1 of the loss, and the limit x >= -1/2, as round s saw it. */
static void answer_limited(hand *h, uint64_t round, double played)
{
  double f = 1.0, slope = -0.5, g = -0.5 * played - 0.25;
  ofw_vec vf = ofw_vec_dense(1, &f), vg = ofw_vec_dense(1, &slope);
  ofw_sum grad_g = {1, &vg};
  must(ofw_learner_observe_round(h->l, round, &(ofw_full){{0.0, 1, &g}, {1, &vf}, &grad_g}));
}

/* Every fourth round all that is open is answered, from the last on; every eighth but for one. Epochs end meanwhile. */
static double play_late(const char *learner, uint64_t horizon, int reload, double *bound)
{
  const char *set[] = {"delay=5"};
  hand h = open_hand(learner, horizon, 0.0, 1, set);
  double played[151];
  for (uint64_t t = 1; t <= 150; t++) {
    played[t] = decision(&h);
    if (reload) {
      ofw_state s = saved(&h);
      close_hand(&h);
      h = open_hand(learner, horizon, 0.0, 1, set);
      must(ofw_learner_load_state(h.l, &s));
      ofw_state_free(&s);
    }
    for (size_t k = t % 4 ? 0 : h.l->open->count; k-- > (t % 8 ? 0 : 1);)
      answer_limited(&h, h.l->open->list[k].round, played[h.l->open->list[k].round]);
  }
  double x = decision(&h);
  *bound = info_of(&h).regret_bound;
  close_hand(&h);
  return x;
}

static void test_reloaded_with_open_rounds(void **unused)
{
  (void)unused;
  const char *names[] = {"ofw-ada", "ofw-tvc"};
  for (size_t i = 0; i < 2; i++)
    for (uint64_t horizon = 0; horizon <= 150; horizon += 150) {
      double bound, again;
      double x = play_late(names[i], horizon, 0, &bound), y = play_late(names[i], horizon, 1, &again);
      assert_true(x == y && (bound == again || (isnan(bound) && isnan(again))));
    }
}

static void test_first_tier(void **unused)
{
  (void)unused;
  double x[2], gradient[2] = {1.0, 0.0};
  ofw_learner *l = ofw_learner_create("ofw-ada:delay=2", "simplex:dim=2", NULL);
  assert_non_null(l);
  for (int t = 1; t <= 3; t++)
    must(ofw_learner_ask(l, x));
  assert_int_equal(ofw_learner_ask(l, x), OFW_USAGE);
  must(ofw_learner_tell_round(l, 2, 0.5, gradient, 0.0, NULL));
  assert_int_equal(ofw_learner_tell_round(l, 2, 0.5, gradient, 0.0, NULL), OFW_USAGE);
  assert_int_equal(ofw_learner_tell(l, 0.5, gradient, 0.0, NULL), OFW_USAGE);
  assert_non_null(strstr(ofw_learner_error(l), "feedback must name its round"));
  must(ofw_learner_tell_round(l, 1, 0.5, gradient, 0.0, NULL));
  must(ofw_learner_tell(l, 0.5, gradient, 0.0, NULL)); /* the one that is open */
  ofw_learner_free(l);
}

/* What is forged into the list of a state is refused. */
static void test_damaged_list(void **unused)
{
  (void)unused;
  const char *set[] = {"delay=3"}, *fewer[] = {"delay=2"};
  hand h = open_hand("ofw-tvc", T, 0.0, 1, set), other = open_hand("ofw-tvc", T, 0.0, 1, fewer);
  decision(&h);
  decision(&h);
  ofw_state s = saved(&h);
  assert_int_equal(ofw_learner_load_state(other.l, &s), OFW_BAD_DATA); /* of another configuration */
  h.l->open->list[1].round = 1;                                        /* twice */
  ofw_state bad = saved(&h);
  assert_int_equal(ofw_learner_load_state(h.l, &bad), OFW_BAD_DATA);
  assert_non_null(strstr(ofw_learner_error(h.l), "the state's list of open rounds is damaged"));
  must(ofw_learner_load_state(h.l, &s));
  assert_int_equal(h.l->open->list[1].round, 2);
  ofw_state_free(&s);
  ofw_state_free(&bad);
  close_hand(&h);
  close_hand(&other);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_list),
      cmocka_unit_test(test_the_shorter_way_counts),
      cmocka_unit_test(test_one_step_per_feedback),
      cmocka_unit_test(test_refusals_change_nothing),
      cmocka_unit_test(test_named_rounds_without_a_delay),
      cmocka_unit_test(test_who_takes_a_delay),
      cmocka_unit_test(test_feedback_in_time),
      cmocka_unit_test(test_default_beta),
      cmocka_unit_test(test_reloaded_with_open_rounds),
      cmocka_unit_test(test_first_tier),
      cmocka_unit_test(test_damaged_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
