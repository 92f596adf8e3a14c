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

static void refused(const char *learner, const char *spec, double G, const char *storage, const char *why)
{
  ofw_error err = {0};
  ofw_domain *K = make_domain(spec);
  assert_null(open_learner(learner, K, G, storage, NULL, &err));
  assert_int_equal(err.status, OFW_UNSUPPORTED);
  assert_string_equal(err.message, why);
  ofw_domain_free(K);
}

static void test_refusals(void **unused)
{
  (void)unused;
  refused("ofw-tvc", "l1-ball:dim=3", 1.0, "storage=cuda",
          "ofw-tvc: storage=cuda: the oracle of l1-ball:dim=3 works only with storage=double; leave storage out");
  refused("ofw-tvc", "l1-ball:dim=3", 1.0, "storage=cuda-float",
          "ofw-tvc: storage=cuda-float: the oracle of l1-ball:dim=3 works only with storage=double; leave storage out");
  refused("ofw-tvc", BALL, 1e20, "storage=cuda-float",
          "ofw-tvc: storage=cuda-float: the radius 60 and G = 1e+20 must be in [1e-15, 1e15]");
  refused("ogd", BALL, 1.0, "storage=cuda", "ogd does not support storage=cuda; leave storage out");
  refused("ogd", BALL, 1.0, "storage=cuda-float", "ogd does not support storage=cuda-float; leave storage out");
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

static double far(const double *a, const double *b)
{
  double most = 0.0;
  for (size_t j = 0; j < DIM; j++)
    most = fmax(most, fabs(a[j] - b[j]));
  return most;
}

/* Every learner that can, on every kind of feedback. With floats it may take other passes. */
static void test_parity(void **unused)
{
  (void)unused;
  static const char *const more[] = {NULL, "start=vertex", "sample=yes"};
  static const struct {
    const char *storage;
    double tolerance;
  } kinds[] = {{"storage=cuda", 1e-8}, {"storage=cuda-float", 1e-4}};
  ofw_domain *K = make_domain(BALL);
  size_t played = 0;
  for (size_t i = 0; i < ofw_learner_types(); i++)
    for (size_t k = 0; k < sizeof streams / sizeof *streams; k++) {
      const char *name = ofw_learner_type(i)->name, *with = more[(i + k) % 3];
      double here[DIM], there[DIM], again[DIM];
      if (!is_offered(&(setting){name, "storage=cuda", BALL, 0}, K))
        continue;
      uint64_t passes = whole_play(name, K, streams[k], "storage=double", with, here);
      for (size_t f = 0; f < 2; f++) {
        uint64_t took = whole_play(name, K, streams[k], kinds[f].storage, with, there);
        whole_play(name, K, streams[k], kinds[f].storage, with, again);
        assert_memory_equal(there, again, sizeof there);
        if (!(far(here, there) <= kinds[f].tolerance * 60.0) || (f == 0 && took != passes))
          fail_msg("%s on %s %s, %s: the decisions are %g apart, after %d and %d passes", name, streams[k],
                   with ? with : "", kinds[f].storage, far(here, there), (int)passes, (int)took);
      }
      played++;
    }
  assert_true(played >= 40);
  ofw_domain_free(K);
}

/* A state continues bit for bit, and belongs to its storage alone. */
static void check_states(const char *name, const char *storage, const char *another, const char *why)
{
  ofw_domain *K = make_domain(BALL);
  ofw_stream *stream = make_stream(SOURCE, K, ROUNDS, 5);
  double G = ofw_stream_constants(stream)->lipschitz, decision[3][DIM];
  ofw_state state = {0};
  ofw_learner *l = open_learner(name, K, G, storage, NULL, NULL), *other;
  assert_non_null(l);
  play_between(l, stream, 1, 9, decision[0]);
  assert_int_equal(ofw_learner_save_state(l, &state), OFW_OK);
  play_between(l, stream, 10, 20, decision[1]);
  other = open_learner(name, K, G, storage, NULL, NULL);
  assert_int_equal(ofw_learner_load_state(other, &state), OFW_OK);
  play_between(other, stream, 10, 20, decision[2]);
  assert_memory_equal(decision[1], decision[2], sizeof decision[1]);
  ofw_learner_free(other);
  other = open_learner(name, K, G, another, NULL, NULL);
  assert_int_equal(ofw_learner_load_state(other, &state), OFW_BAD_DATA);
  assert_string_equal(ofw_learner_error(other), why);
  ofw_learner_free(other);
  ofw_learner_free(l);
  ofw_state_free(&state);
  ofw_stream_free(stream);
  ofw_domain_free(K);
}

static void test_states(void **unused)
{
  (void)unused;
  static const char *const names[] = {"scofw-tvc", "ofw-ada", "bfw-tvc", "lpm"};
  for (size_t i = 0; i < 4; i++) {
    check_states(names[i], "storage=cuda", "storage=double",
                 "a state saved with 'storage=cuda', but this play has 'storage=double'; use the same options");
    check_states(names[i], "storage=cuda-float", "storage=cuda",
                 "a state saved with 'storage=cuda-float', but this play has 'storage=cuda'; use the same options");
  }
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
