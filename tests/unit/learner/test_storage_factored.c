/* x and d as factors: which learners and sets can do with them, what is refused and when, when they are chosen, and how far
 * the play is from that over all of the matrix */
#include "property/everything.h"

#include <math.h>

#define BALL     "trace-ball:rows=30,cols=20,radius=60"
#define EXPOSURE "matrix-completion:users=30,items=20,ratings=250,rank=2,batch=25,constraint=exposure"
#define RECOVERY "trace-recovery:rows=30,cols=20,rank=3"
enum { ROUNDS = 80, DIM = 600 };

static ofw_learner_settings settings_of(size_t n, const char *const *set)
{
  return (ofw_learner_settings){.size = sizeof(ofw_learner_settings),
                                .horizon = ROUNDS,
                                .lipschitz = 1.0,
                                .loss_bound = 100.0,
                                .strong_convexity = 0.5,
                                .options = n,
                                .option = set};
}

/* ---- what is refused ---- */

static void refused(const char *learner, const char *spec, const char *more, ofw_status status, const char *why)
{
  const char *set[] = {"storage=factored", more};
  ofw_learner_settings s = settings_of(more ? 2 : 1, set);
  ofw_error err = {0};
  ofw_domain *K = make_domain(spec);
  assert_null(ofw_learner_create_over(learner, K, &s, &err));
  assert_string_equal(err.message, why);
  assert_int_equal(err.status, status);
  ofw_domain_free(K);
}

static void test_refusals(void **unused)
{
  (void)unused;
#define NO(learner, spec, more, why) \
  refused(learner, spec, more, OFW_UNSUPPORTED, learner " over " spec ": storage=factored does not work: " why)
  NO("bfw-tvc", BALL, NULL, "the probes of a bandit learner are no sums of a few factors");
  NO("ogd", BALL, NULL, "a projection needs the whole matrix");
  NO("ofw-tvc", BALL, "sample=yes", "sample=yes stores a whole vertex");
  NO("ofw-tvc", "l1-ball:dim=4", NULL,
     "expected a set of matrices around 0 whose oracle needs only products with the direction");
  NO("ofw-tvc", "box:dim=2,lower=1,upper=2", NULL,
     "expected a set of matrices around 0 whose oracle needs only products with the direction");
  refused("ofw-tvc", "trace-ball:rows=3,cols=2,radius=1e60", NULL, OFW_UNSUPPORTED,
          "ofw-tvc: storage=factored: the radius 1e+60 and G = 1 must be in [1e-50, 1e50]");
  refused("ofw-tvc", BALL, "rank=0", OFW_USAGE, "ofw-tvc: rank=0 is not in [1, 4096]");
}

static void test_refused_settings(void **unused)
{
  (void)unused;
  static const char *const factored[] = {"storage=factored"}, *const rank[] = {"rank=7"};
  ofw_error err = {0};
  ofw_domain *K = make_domain(BALL);
  ofw_learner_settings s = settings_of(1, factored);
  s.horizon = OFW_HORIZON_AUTO;
  assert_null(ofw_learner_create_over("ofw-tvc", K, &s, &err));
  assert_int_equal(err.status, OFW_UNSUPPORTED);
  assert_string_equal(err.message,
                      "ofw-tvc: storage=factored needs a horizon: without one, every epoch stores a whole decision");
  s = settings_of(1, rank);
  assert_null(ofw_learner_create_over("ofw-tvc", K, &s, &err));
  assert_int_equal(err.status, OFW_USAGE);
  assert_string_equal(err.message, "ofw-tvc: rank needs storage=factored");
  ofw_domain_free(K);
}

/* A stream that is known to have other gradients is refused with the run, one that turns out to in the round. */
static void test_refused_gradients(void **unused)
{
  (void)unused;
  static const char *const set[] = {"storage=factored"};
  ofw_learner_settings s = settings_of(1, set);
  ofw_error err = {0};
  ofw_domain *K = make_domain(BALL);
  ofw_stream *uniform =
      make_stream("matrix-completion:users=30,items=20,ratings=250,batch=25,constraint=uniform", K, ROUNDS, 5);
  ofw_learner *l = ofw_learner_create_over("ofw-tvc", K, &s, &err);
  assert_non_null(l);
  assert_null(ofw_run_create(l, uniform, &err));
  assert_int_equal(err.status, OFW_UNSUPPORTED);
  assert_string_equal(err.message,
                      "storage=factored needs gradients that are sparse or of rank one, and this stream has others");
  const ofw_point *x;
  ofw_full fb = {0};
  ofw_state before = {0}, after = {0};
  assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
  assert_int_equal(ofw_stream_reveal(uniform, 1, x, &fb), OFW_UNSUPPORTED); /* <P, X> of a dense P cannot be had */
  double value[DIM] = {1.0}, g = 1.0;
  ofw_vec dense = ofw_vec_dense(DIM, value);
  ofw_sum sum = {1, &dense};
  fb = (ofw_full){{1.0, 1, &g}, {0, NULL}, &sum};
  assert_int_equal(ofw_learner_save_state(l, &before), OFW_OK);
  assert_int_equal(ofw_learner_observe(l, &fb), OFW_UNSUPPORTED);
  assert_string_equal(ofw_learner_error(l), "constraint_gradient: storage=factored takes sparse vectors and whole "
                                            "matrices of rank one, found a dense vector");
  assert_int_equal(ofw_learner_save_state(l, &after), OFW_OK);
  assert_int_equal(before.size, after.size);
  assert_memory_equal(before.bytes, after.bytes, before.size);
  fb.values.constraints = 0;
  assert_int_equal(ofw_learner_observe(l, &fb), OFW_OK); /* and the round can still be answered */
  ofw_state_free(&before);
  ofw_state_free(&after);
  ofw_learner_free(l);
  ofw_stream_free(uniform);
  ofw_domain_free(K);
}

/* ---- when it is chosen ---- */

static int chosen(const char *learner, const char *spec, ofw_terms terms, uint64_t horizon)
{
  ofw_learner_settings s = settings_of(0, NULL);
  s.terms = terms;
  s.horizon = horizon;
  ofw_domain *K = make_domain(spec);
  ofw_error err = {0};
  ofw_learner *l = ofw_learner_create_over(learner, K, &s, &err);
  if (!l)
    fail_msg("%s %s: %s", learner, spec, err.message);
  int factored = strstr(ofw_learner_config(l), " storage=factored rank=") != NULL;
  assert_true(factored ||
              (strstr(ofw_learner_config(l), " storage=double") && !strstr(ofw_learner_config(l), "rank=")));
  ofw_learner_free(l);
  ofw_domain_free(K);
  return factored;
}

static void test_choice(void **unused)
{
  (void)unused;
  static const char large[] = "trace-ball:rows=4096,cols=4096", small[] = "trace-ball:rows=4096,cols=4095";
  assert_true(chosen("ofw-tvc", large, OFW_TERMS_STRUCTURED, 9));
  assert_false(chosen("ofw-tvc", small, OFW_TERMS_STRUCTURED, 9));
  assert_false(chosen("ofw-tvc", large, OFW_TERMS_ANY, 9));
  assert_false(chosen("ofw-tvc", large, OFW_TERMS_DENSE, 9));
  assert_false(chosen("bfw-tvc", large, OFW_TERMS_STRUCTURED, 9));
  assert_false(chosen("ofw-tvc", large, OFW_TERMS_STRUCTURED, OFW_HORIZON_AUTO));
  assert_true(chosen("ofw-ada", large, OFW_TERMS_STRUCTURED, OFW_HORIZON_AUTO));
  assert_true(chosen("ofw-tvc", "trace-ball:rows=1e6,cols=1e6", OFW_TERMS_ANY, 9)); /* nothing else would do */
}

static void test_terms_of_streams(void **unused)
{
  (void)unused;
  static const struct {
    const char *spec;
    ofw_terms terms;
  } known[] = {{EXPOSURE, OFW_TERMS_STRUCTURED},
               {RECOVERY, OFW_TERMS_STRUCTURED},
               {"matrix-completion:users=30,items=20,ratings=250,batch=25,constraint=none", OFW_TERMS_STRUCTURED},
               {"matrix-completion:users=30,items=20,ratings=250,batch=25", OFW_TERMS_DENSE},
               {"quadratic", OFW_TERMS_DENSE}};
  ofw_domain *K = make_domain(BALL);
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    ofw_stream *s = make_stream(known[k].spec, strcmp(known[k].spec, RECOVERY) == 0 ? NULL : K, ROUNDS, 3);
    assert_int_equal(ofw_stream_constants(s)->terms, known[k].terms);
    ofw_stream_free(s);
  }
  ofw_domain_free(K);
}

/* ---- the play ---- */

typedef struct player {
  ofw_stream *stream;
  ofw_learner *l;
  const ofw_point *x;
  double decision[DIM];
} player;

static void begin(player *p, const char *learner, const char *spec, const char *storage, const char *more)
{
  const char *set[] = {storage, "oracle-tolerance=1e-13", more};
  ofw_learner_settings s = settings_of(more ? 3 : 2, set);
  ofw_error err = {0};
  p->stream = make_stream(spec, NULL, ROUNDS, 5);
  s.lipschitz = ofw_stream_constants(p->stream)->lipschitz;
  p->l = ofw_learner_create_over(learner, ofw_stream_domain(p->stream), &s, &err);
  if (!p->l)
    fail_msg("%s: %s", learner, err.message);
}

static void play_round(player *p, uint64_t t)
{
  ofw_full fb = {0};
  assert_int_equal(ofw_learner_decide(p->l, &p->x), OFW_OK);
  assert_int_equal(ofw_point_dense(p->x, p->decision), OFW_OK);
  assert_int_equal(ofw_stream_reveal(p->stream, t, p->x, &fb), OFW_OK);
  assert_int_equal(ofw_learner_observe(p->l, &fb), OFW_OK);
}

static void end(player *p)
{
  ofw_learner_free(p->l);
  ofw_stream_free(p->stream);
}

static double distance(const double *a, const double *b)
{
  double sum = 0.0;
  for (size_t i = 0; i < DIM; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/* Every learner that can: the same decisions. */
static void test_without_compression(void **unused)
{
  (void)unused;
  static const char *const streams[] = {EXPOSURE, RECOVERY};
  size_t played = 0;
  ofw_domain *K = make_domain(BALL);
  for (size_t i = 0; i < ofw_learner_types(); i++)
    for (size_t k = 0; k < 2; k++) {
      const char *name = ofw_learner_type(i)->name;
      if (!is_offered(&(setting){name, "storage=factored", BALL, 0}, K))
        continue;
      player dense = {0}, factored = {0};
      begin(&dense, name, streams[k], "storage=double", NULL);
      begin(&factored, name, streams[k], "storage=factored", NULL);
      double R = ofw_stream_domain(dense.stream)->R;
      for (uint64_t t = 1; t <= ROUNDS; t++) {
        play_round(&dense, t);
        play_round(&factored, t);
        if (!(distance(dense.decision, factored.decision) <= 1e-8 * R))
          fail_msg("%s %s round %d: %g apart", name, streams[k], (int)t, distance(dense.decision, factored.decision));
      }
      ofw_info info = {.size = sizeof info};
      assert_int_equal(ofw_learner_info(factored.l, &info), OFW_OK);
      assert_int_equal(info.compressions, 0);
      assert_true(info.lost <= 1e-9 * R);
      played++;
      end(&dense);
      end(&factored);
    }
  assert_true(played >= 10);
  ofw_domain_free(K);
}

/* What is lost is reported, and what is left is a decision of the set. */
static void test_with_compression(void **unused)
{
  (void)unused;
  static const char *const names[] = {"ofw-tvc", "scofw-tvc", "ofw-ada"};
  for (size_t i = 0; i < 3; i++) {
    player p = {0};
    ofw_info info = {.size = sizeof info};
    begin(&p, names[i], RECOVERY, "storage=factored", "rank=3");
    for (uint64_t t = 1; t <= ROUNDS; t++) {
      play_round(&p, t);
      assert_true(ofw_domain_excess(ofw_stream_domain(p.stream), p.decision) <= 1e-12);
    }
    assert_int_equal(ofw_learner_info(p.l, &info), OFW_OK);
    assert_true(info.compressions > 3 && info.lost > 0.0 && info.lost_direction > 0.0);
    assert_true(info.left > 0 && info.left <= 3 + 1 + 8 && info.right > 0 && info.right <= 3 + 1 + 8);
    assert_true(info.entries > 0 && info.entries <= DIM);
    end(&p);
  }
}

/* What others have of these is 0. */
static void test_others(void **unused)
{
  (void)unused;
  player p = {0};
  ofw_info info = {.size = sizeof info};
  begin(&p, "ofw-tvc", RECOVERY, "storage=double", NULL);
  play_round(&p, 1);
  assert_int_equal(ofw_learner_info(p.l, &info), OFW_OK);
  assert_true(info.left == 0 && info.right == 0 && info.entries == 0 && info.compressions == 0 && info.lost == 0.0 &&
              info.lost_direction == 0.0);
  end(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_refusals),          cmocka_unit_test(test_refused_settings),
      cmocka_unit_test(test_refused_gradients), cmocka_unit_test(test_choice),
      cmocka_unit_test(test_terms_of_streams),  cmocka_unit_test(test_without_compression),
      cmocka_unit_test(test_with_compression),  cmocka_unit_test(test_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
