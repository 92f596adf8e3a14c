/* test_storage_cuda.c — plays with x and d on a device: as those in this process but for rounding, the same bits every time
 *
 * The device is whatever libofw-cuda.so is found (tests/CMakeLists.txt).
 */
#include "property/everything.h"

#include <math.h>

#define BALL   "trace-ball:rows=30,cols=20,radius=60"
#define SOURCE "matrix-completion:users=30,items=20,ratings=250,rank=2,batch=25"
enum { ROUNDS = 24, DIM = 600 };

static const char *const streams[] = {SOURCE, SOURCE ",constraint=exposure", SOURCE ",constraint=none",
                                      "matrix-completion:users=30,items=20,ratings=250,rank=2,batch=all"};

static ofw_learner *open_learner(const char *name, const ofw_domain *K, double G, const char *storage, const char *more,
                                 ofw_error *err)
{
  const char *set[] = {storage, more};
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = ROUNDS,
                            .lipschitz = G,
                            .loss_bound = 100.0,
                            .strong_convexity = 1.0,
                            .options = more ? 2 : 1,
                            .option = set};
  return ofw_learner_create_over(name, K, &s, err);
}

static void refused(const char *learner, const char *spec, const char *why)
{
  ofw_error err = {0};
  ofw_domain *K = make_domain(spec);
  assert_null(open_learner(learner, K, 1.0, "storage=cuda", NULL, &err));
  assert_int_equal(err.status, OFW_UNSUPPORTED);
  assert_string_equal(err.message, why);
  ofw_domain_free(K);
}

static void test_refusals(void **unused)
{
  (void)unused;
  refused("ofw-tvc", "l1-ball:dim=3",
          "ofw-tvc: storage=cuda: the oracle of l1-ball:dim=3 works only with storage=double; leave storage out");
  refused("ogd", BALL, "ogd does not support storage=cuda; leave storage out");
}

/* The last decision of a whole play, and how many passes its oracle took. */
static uint64_t whole_play(const char *name, const ofw_domain *K, const char *source, const char *storage,
                           const char *more, double *decision)
{
  ofw_error err = {0};
  ofw_info info = {.size = sizeof info};
  ofw_stream *stream = make_stream(source, K, ROUNDS, 3);
  ofw_learner *l = open_learner(name, K, ofw_stream_constants(stream)->lipschitz, storage, more, &err);
  if (!l)
    fail_msg("%s: %s", name, err.message);
  play_between(l, stream, 1, ROUNDS, decision);
  assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
  ofw_learner_free(l);
  ofw_stream_free(stream);
  return info.oracle_passes;
}

/* Every learner that can, on every kind of feedback. */
static void test_parity(void **unused)
{
  (void)unused;
  static const char *const more[] = {NULL, "start=vertex", "sample=yes"};
  ofw_domain *K = make_domain(BALL);
  size_t played = 0;
  for (size_t i = 0; i < ofw_learner_types(); i++)
    for (size_t k = 0; k < sizeof streams / sizeof *streams; k++) {
      const char *name = ofw_learner_type(i)->name, *with = more[(i + k) % 3];
      double decision[3][DIM], most = 0.0;
      if (!is_offered(&(setting){name, "storage=cuda", BALL, 0}, K))
        continue;
      uint64_t here = whole_play(name, K, streams[k], "storage=double", with, decision[0]);
      uint64_t there = whole_play(name, K, streams[k], "storage=cuda", with, decision[1]);
      whole_play(name, K, streams[k], "storage=cuda", with, decision[2]);
      assert_memory_equal(decision[1], decision[2], sizeof decision[1]);
      for (size_t j = 0; j < DIM; j++)
        most = fmax(most, fabs(decision[0][j] - decision[1][j]));
      if (!(most <= 1e-8 * 60.0) || here != there)
        fail_msg("%s on %s %s: the decisions are %g apart, after %d and %d passes", name, streams[k], with ? with : "",
                 most, (int)here, (int)there);
      played++;
    }
  assert_true(played >= 40);
  ofw_domain_free(K);
}

/* A state continues bit for bit, and belongs to this storage alone. */
static void test_states(void **unused)
{
  (void)unused;
  static const char *const names[] = {"scofw-tvc", "ofw-ada", "bfw-tvc", "lpm"};
  ofw_domain *K = make_domain(BALL);
  for (size_t i = 0; i < 4; i++) {
    ofw_stream *stream = make_stream(SOURCE, K, ROUNDS, 5);
    double G = ofw_stream_constants(stream)->lipschitz, decision[3][DIM];
    ofw_state state = {0};
    ofw_learner *l = open_learner(names[i], K, G, "storage=cuda", NULL, NULL), *other;
    assert_non_null(l);
    play_between(l, stream, 1, 9, decision[0]);
    assert_int_equal(ofw_learner_save_state(l, &state), OFW_OK);
    play_between(l, stream, 10, 20, decision[1]);
    other = open_learner(names[i], K, G, "storage=cuda", NULL, NULL);
    assert_int_equal(ofw_learner_load_state(other, &state), OFW_OK);
    play_between(other, stream, 10, 20, decision[2]);
    assert_memory_equal(decision[1], decision[2], sizeof decision[1]);
    ofw_learner_free(other);
    other = open_learner(names[i], K, G, "storage=double", NULL, NULL);
    assert_int_equal(ofw_learner_load_state(other, &state), OFW_BAD_DATA);
    assert_string_equal(ofw_learner_error(other),
                        "a state saved with 'storage=cuda', but this play has 'storage=double'; use the same options");
    ofw_learner_free(other);
    ofw_learner_free(l);
    ofw_state_free(&state);
    ofw_stream_free(stream);
  }
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_parity),
      cmocka_unit_test(test_states),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
