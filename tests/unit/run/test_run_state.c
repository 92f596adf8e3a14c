/* A run saved and loaded goes on to the same bits; what does not fit is refused and changes nothing. */
#include "unit/run/played.h"

enum { T = 60, HALF = 23 };
static const plan plans[] = {
    {"ofw-tvc", "l2-ball:dim=7,radius=2", "linear", NULL, T, 1},
    {"scofw-tvc", "simplex:dim=8,sum=2.5", "quadratic", NULL, T, 2},
    {"scofw-tvc", NULL, "matrix-completion:users=30,items=20,ratings=250,rank=2,batch=25", NULL, T, 3},
};
enum { PLANS = sizeof plans / sizeof *plans };

static ofw_state saved(ofw_run *run)
{
  ofw_state s = {0};
  assert_int_equal(ofw_run_save(run, &s), OFW_OK);
  return s;
}

static void test_goes_on(void **state)
{
  (void)state;
  for (size_t k = 0; k < PLANS; k++) {
    played whole = set_up(&plans[k]), second = set_up(&plans[k]);
    assert_int_equal(ofw_run_play(whole.run, HALF, NULL, NULL), OFW_OK);
    ofw_state s = saved(whole.run), a, b;
    assert_int_equal(ofw_run_load(second.run, &s), OFW_OK);
    check_same_row(ofw_run_account(second.run), ofw_run_account(whole.run));
    assert_int_equal(ofw_run_play(whole.run, T - HALF, NULL, NULL), OFW_OK);
    assert_int_equal(ofw_run_play(second.run, T - HALF, NULL, NULL), OFW_OK);
    check_same_row(ofw_run_account(second.run), ofw_run_account(whole.run));
    ofw_state_free(&s);
    /* and the learners hold the same numbers */
    a = (ofw_state){0}, b = (ofw_state){0};
    assert_int_equal(ofw_learner_save_state(whole.l, &a), OFW_OK);
    assert_int_equal(ofw_learner_save_state(second.l, &b), OFW_OK);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    ofw_state_free(&a), ofw_state_free(&b);
    clear_away(&whole);
    clear_away(&second);
  }
}

/* A run made by `p` refuses the state and still is where it was. */
static void refused_by(const plan *p, const ofw_state *s, const char *message)
{
  played g = set_up(p);
  assert_int_equal(ofw_run_play(g.run, 5, NULL, NULL), OFW_OK);
  ofw_state before = saved(g.run);
  assert_int_equal(ofw_run_load(g.run, s), OFW_BAD_DATA);
  if (message)
    assert_string_equal(ofw_run_error(g.run), message);
  ofw_state after = saved(g.run);
  assert_int_equal(before.size, after.size);
  assert_memory_equal(before.bytes, after.bytes, before.size);
  ofw_state_free(&before), ofw_state_free(&after);
  clear_away(&g);
}

static ofw_state half_of(const plan *p)
{
  played g = set_up(p);
  assert_int_equal(ofw_run_play(g.run, HALF, NULL, NULL), OFW_OK);
  ofw_state s = saved(g.run);
  clear_away(&g);
  return s;
}

static void test_another_learner_or_domain(void **state)
{
  (void)state;
  ofw_state s = half_of(&plans[0]);
  plan p = plans[0];
  p.set = "step=2";
  refused_by(&p, &s, "a state saved with 'step=1', but this play has 'step=2'; use the same options");
  p = plans[0];
  p.rounds++; /* and with it the learner's horizon */
  refused_by(&p, &s, "a state saved with 'horizon=60', but this play has 'horizon=61'; use the same options");
  p = plans[0];
  p.domain = "l2-ball:dim=7,radius=3";
  refused_by(&p, &s,
             "a state saved with 'domain=l2-ball:dim=7,radius=2', but this play has 'domain=l2-ball:dim=7,radius=3'; "
             "use the same options");
  p = plans[0];
  p.stream = "linear:tight=0.25";
  refused_by(&p, &s, "a state saved with 'tight=0.5', but this play has 'tight=0.25'; use the same options");
  ofw_state_free(&s);
}

/* The same spec with another seed, or made for another number of rounds, is another stream. */
static void test_another_stream_seed(void **state)
{
  (void)state;
  ofw_state s = half_of(&plans[0]);
  plan p = plans[0];
  p.seed++; /* the learner's own seed stays 0 */
  refused_by(&p, &s, "a state saved with 'seed=1', but this play has 'seed=2'; use the same options");
  ofw_state_free(&s);
}

static void test_another_stream_length(void **state)
{
  (void)state;
  ofw_state s = half_of(&plans[0]);
  const plan *p = &plans[0];
  ofw_domain *K = domain(p->domain);
  played g = set_up_on(K, stream(p->stream, K, 2 * T, p->seed), p); /* another x*, and so other constraints */
  assert_int_equal(ofw_run_load(g.run, &s), OFW_BAD_DATA);
  clear_away(&g);
  ofw_state_free(&s);
}

static void test_damaged(void **state)
{
  (void)state;
  ofw_state s = half_of(&plans[0]);
  size_t whole = s.size;
  for (s.size = 0; s.size < whole; s.size += s.size < 200 ? 1 : 41)
    refused_by(&plans[0], &s, NULL);
  s.size = whole;
  for (size_t at = 0; at < 32; at++) {
    s.bytes[at] ^= 0x10;
    refused_by(&plans[0], &s, NULL);
    s.bytes[at] ^= 0x10;
  }
  ofw_state_free(&s);
}

/* learner.h: the message is "" where the last call did not fail. */
static void test_message_is_cleared(void **state)
{
  (void)state;
  played g = set_up(&plans[0]);
  ofw_state good = {0}, bad = {0};
  assert_int_equal(ofw_learner_save_state(g.l, &good), OFW_OK);
  assert_int_equal(ofw_learner_load_state(g.l, &bad), OFW_BAD_DATA);
  assert_string_equal(ofw_learner_error(g.l), "not a saved state");
  assert_int_equal(ofw_learner_load_state(g.l, &good), OFW_OK);
  assert_string_equal(ofw_learner_error(g.l), "");
  ofw_state_free(&good);
  clear_away(&g);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_goes_on),
      cmocka_unit_test(test_another_learner_or_domain),
      cmocka_unit_test(test_another_stream_seed),
      cmocka_unit_test(test_another_stream_length),
      cmocka_unit_test(test_damaged),
      cmocka_unit_test(test_message_is_cleared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
