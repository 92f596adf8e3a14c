/* x and d as floats: which sets can do with them, how far the play is from that in doubles, and whose states are whose */
#include "property/everything.h"

#include <math.h>

#define BALL   "trace-ball:rows=30,cols=20,radius=60"
#define SOURCE "matrix-completion:users=30,items=20,ratings=250,rank=2,batch=25"
enum { ROUNDS = 60, DIM = 600 };

static ofw_learner *open_learner(const char *name, const ofw_domain *K, double G, const char *storage, ofw_error *err)
{
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = ROUNDS,
                            .lipschitz = G,
                            .loss_bound = 100.0,
                            .strong_convexity = 1.0,
                            .options = 1,
                            .option = &storage};
  return ofw_learner_create_over(name, K, &s, err);
}

static void refused(const char *spec, double G, const char *why)
{
  ofw_error err = {0};
  ofw_domain *K = make_domain(spec);
  assert_null(open_learner("ofw-tvc", K, G, "storage=float", &err));
  assert_int_equal(err.status, OFW_UNSUPPORTED);
  assert_string_equal(err.message, why);
  ofw_domain_free(K);
}

static void test_refusals(void **unused)
{
  (void)unused;
#define READS(spec) \
  refused(spec, 1.0, "ofw-tvc: storage=float: the oracle of " spec " works only with storage=double; leave storage out")
  READS("l1-ball:dim=3");
  READS("l2-ball:dim=3");
  READS("linf-ball:dim=3");
  READS("box:dim=2,lower=0,upper=1");
  READS("simplex:dim=3");
  READS("counted:of=(simplex:dim=3)");
  READS("shrunk:factor=0.5,of=(l1-ball:dim=3)");
  refused("trace-ball:rows=3,cols=2,radius=1e16", 1.0,
          "ofw-tvc: storage=float: the radius 1e+16 and G = 1 must be in [1e-15, 1e15]");
  refused("trace-ball:rows=3,cols=2", 1e-16,
          "ofw-tvc: storage=float: the radius 1 and G = 1e-16 must be in [1e-15, 1e15]");
}

/* Every registered set either is refused or plays. */
static void test_every_set(void **unused)
{
  (void)unused;
  size_t plays = 0;
  for (size_t i = 0; i < ofw_domain_types(); i++) {
    ofw_error err = {0};
    ofw_domain *K = make_domain(ofw_domain_type(i)->example);
    ofw_learner *l = open_learner("ofw-tvc", K, 1.0, "storage=float", &err);
    assert_true(l || err.status == OFW_UNSUPPORTED);
    plays += l != NULL;
    ofw_learner_free(l);
    ofw_domain_free(K);
  }
  assert_true(plays > 0 && plays < ofw_domain_types());
  static const char *const wrapped[] = {"counted:of=(" BALL ")", "shrunk:factor=0.5,of=(" BALL ")"};
  for (size_t i = 0; i < 2; i++) {
    ofw_domain *K = make_domain(wrapped[i]);
    ofw_learner *l = open_learner("ofw-tvc", K, 1.0, "storage=float", NULL);
    assert_non_null(l);
    ofw_learner_free(l);
    ofw_domain_free(K);
  }
}

/* After a round that moves x the two are apart by rounding, and not by nothing. */
static void test_rounding(void **unused)
{
  (void)unused;
  ofw_domain *K = make_domain(BALL);
  for (size_t i = 0; i < ofw_learner_types(); i++) {
    const char *name = ofw_learner_type(i)->name;
    double decision[2][DIM], most = 0.0, moved = 0.0;
    if (!is_offered(&(setting){name, "storage=float", BALL, 0}, K))
      continue; /* it projects, doubles alone */
    for (size_t k = 0; k < 2; k++) {
      ofw_stream *stream = make_stream(SOURCE, K, ROUNDS, 5);
      double G = ofw_stream_constants(stream)->lipschitz;
      ofw_learner *l = open_learner(name, K, G, k ? "storage=float" : "storage=double", NULL);
      assert_non_null(l);
      assert_non_null(strstr(ofw_learner_config(l), k ? " storage=float" : " storage=double"));
      play_between(l, stream, 1, ROUNDS / 2, decision[k]);
      ofw_learner_free(l);
      ofw_stream_free(stream);
    }
    for (size_t j = 0; j < DIM; j++) {
      most = fmax(most, fabs(decision[0][j] - decision[1][j]));
      moved = fmax(moved, fabs(decision[0][j]));
    }
    if (!((most > 0.0 || moved == 0.0) && most < 1e-4 * 60.0))
      fail_msg("%s: the decisions are %g apart", name, most);
  }
  ofw_domain_free(K);
}

/* Rounded numbers prove nothing. */
static void test_no_bounds(void **unused)
{
  (void)unused;
  ofw_domain *K = make_domain(BALL);
  for (size_t k = 0; k < 2; k++) {
    ofw_stream *stream = make_stream(SOURCE, K, ROUNDS, 5);
    ofw_learner *l = open_learner("ofw-ada", K, 1.0, k ? "storage=float" : "storage=double", NULL);
    double decision[DIM];
    ofw_info info = {.size = sizeof info};
    play_between(l, stream, 1, 5, decision);
    assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
    assert_true(isnan(info.regret_bound) == (k == 1) && isnan(info.ccv_bound) == (k == 1));
    ofw_learner_free(l);
    ofw_stream_free(stream);
  }
  ofw_domain_free(K);
}

static void test_states(void **unused)
{
  (void)unused;
  static const char *const kinds[] = {"storage=double", "storage=float"};
  ofw_domain *K = make_domain(BALL);
  ofw_stream *stream = make_stream(SOURCE, K, ROUNDS, 5);
  double G = ofw_stream_constants(stream)->lipschitz, decision[3][DIM];
  ofw_state state[2] = {{0}};
  ofw_learner *l[2];
  for (size_t k = 0; k < 2; k++) {
    l[k] = open_learner("scofw-tvc", K, G, kinds[k], NULL);
    assert_non_null(l[k]);
    play_between(l[k], stream, 1, 10, decision[0]);
    assert_int_equal(ofw_learner_save_state(l[k], &state[k]), OFW_OK);
    play_between(l[k], stream, 11, 20, decision[1]);
    assert_int_equal(ofw_learner_load_state(l[k], &state[k]), OFW_OK); /* and so on from there, with the same bits */
    play_between(l[k], stream, 11, 20, decision[2]);
    assert_memory_equal(decision[1], decision[2], sizeof decision[1]);
  }
  assert_true(state[1].size + 8 * DIM <= state[0].size + 64);
  for (size_t k = 0; k < 2; k++) {
    assert_int_equal(ofw_learner_load_state(l[k], &state[1 - k]), OFW_BAD_DATA);
    assert_string_equal(
        ofw_learner_error(l[k]),
        k ? "a state saved with 'storage=double', but this play has 'storage=float'; use the same options"
          : "a state saved with 'storage=float', but this play has 'storage=double'; use the same options");
  }
  for (size_t k = 0; k < 2; k++) {
    ofw_learner_free(l[k]);
    ofw_state_free(&state[k]);
  }
  ofw_stream_free(stream);
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_refusals),  cmocka_unit_test(test_every_set), cmocka_unit_test(test_rounding),
      cmocka_unit_test(test_no_bounds), cmocka_unit_test(test_states),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
