/* A play with late feedback that is saved anywhere, thrown away and loaded into a used handle goes on bit for bit: each learner
 * that takes a delay, with its options, over several sets, in any order of arrival. */
#include "linalg/rng.h"
#include "property/everything.h"

enum { ROUNDS = 90, DELAY = 6, MOST_DIM = 12 };

static const char *const domains[] = {"l1-ball:dim=9,radius=3", "simplex:dim=8,sum=2.5",
                                      "trace-ball:rows=4,cols=3,radius=3"};
static const char *const options[] = {"delay=6",
                                      "delay=6 constraints=sum",
                                      "delay=6 constraints=each",
                                      "delay=6 constraints=budgets",
                                      "delay=6 sample=yes",
                                      "delay=6 start=vertex",
                                      "delay=6 storage=float",
                                      "delay=6 window=20",
                                      "delay=6 preset=tight"};

/* What a game's rounds are made of: everything by the seed and the round. */
static double draw(uint64_t round, uint64_t which)
{
  return 2.0 * ofw_rng_unit((ofw_rng_key){3, OFW_RNG_LOSS, round}, which) - 1.0;
}

/* Two constraints, and none in every fifth round. */
static void answer(ofw_learner *l, uint64_t round)
{
  double f[MOST_DIM], g[2][MOST_DIM], value[2] = {draw(round, 100), draw(round, 101)};
  for (size_t i = 0; i < l->dim; i++) {
    f[i] = draw(round, i);
    g[0][i] = draw(round, 20 + i);
    g[1][i] = draw(round, 40 + i);
  }
  ofw_vec vf = ofw_vec_dense(l->dim, f), vg[] = {ofw_vec_dense(l->dim, g[0]), ofw_vec_dense(l->dim, g[1])};
  ofw_sum sums[] = {{1, &vg[0]}, {1, &vg[1]}};
  ofw_full fb = {{0.0, round % 5 ? 2 : 0, value}, {1, &vf}, sums};
  if (ofw_learner_observe_round(l, round, &fb) != OFW_OK)
    fail_msg("round %d: %s", (int)round, ofw_learner_error(l));
}

/* The last decision and the account; reload: through a state after every call. */
static ofw_state play(const setting *s, const ofw_domain *K, uint64_t horizon, int reload)
{
  ofw_constants c = {.lipschitz = 9.0};
  ofw_learner *l = make_learner(s, K, horizon, &c, 0, NULL), *used = make_learner(s, K, horizon, &c, 0, NULL);
  ofw_state state = {0};
  const ofw_point *x;
  for (uint64_t t = 1, calls = 0; t <= ROUNDS;) {
    size_t open = l->open->count;
    double chance = ofw_rng_unit((ofw_rng_key){5, OFW_RNG_ORDER, calls++}, 0);
    if (open > DELAY || (open > 0 && chance < 0.5))
      answer(l, l->open->list[(size_t)(chance * 977.0) % open].round);
    else if (ofw_learner_decide(l, &x) == OFW_OK)
      t++;
    else
      fail_msg("%s", ofw_learner_error(l));
    if (!reload)
      continue;
    assert_int_equal(ofw_learner_save_state(l, &state), OFW_OK);
    if (ofw_learner_load_state(used, &state) != OFW_OK)
      fail_msg("%s", ofw_learner_error(used));
    ofw_learner *before = l;
    l = used;
    used = before;
  }
  assert_int_equal(ofw_learner_save_state(l, &state), OFW_OK);
  ofw_learner_free(l);
  ofw_learner_free(used);
  return state;
}

static void test_saved_after_every_call(void **unused)
{
  (void)unused;
  static const char *const learners[] = {"ofw-ada", "ofw-tvc"};
  size_t played = 0;
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    for (size_t k = 0; k < sizeof domains / sizeof *domains; k++)
      for (size_t n = 0; n < 4; n++) { /* also with epochs */
        setting s = {learners[n % 2], "", domains[k], 0};
        if (strstr(options[i], n % 2 ? "window" : "preset"))
          continue;
        snprintf(s.option, sizeof s.option, "%s", options[i]);
        ofw_domain *K = make_domain(s.domain);
        if (is_offered(&s, K)) {
          ofw_state whole = play(&s, K, n < 2 ? ROUNDS : OFW_HORIZON_AUTO, 0);
          ofw_state split = play(&s, K, n < 2 ? ROUNDS : OFW_HORIZON_AUTO, 1);
          if (whole.size != split.size || memcmp(whole.bytes, split.bytes, whole.size) != 0)
            fail_msg("%s %s over %s: loading changes the play", s.learner, s.option, s.domain);
          ofw_state_free(&whole);
          ofw_state_free(&split);
          played++;
        }
        ofw_domain_free(K);
      }
  assert_true(played > 80);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_saved_after_every_call)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
