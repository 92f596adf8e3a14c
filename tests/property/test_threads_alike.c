/* Learners in several threads over one shared domain do what they do alone, and a learner with several threads of its
 * own does what it does with one. Also run under ThreadSanitizer. */
#include "property/everything.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 40, MOST = 64 };

typedef struct job {
  const ofw_domain *K;
  const char *learner;
  uint64_t seed;
  double decision[MOST];
  int failed;
} job;

/* No cmocka in here: its failures are not for threads. */
static void *play(void *arg)
{
  job *j = arg;
  const ofw_point *x = NULL;
  ofw_stream *s = ofw_stream_create("quadratic", j->K, ROUNDS, j->seed, NULL);
  ofw_learner_settings settings = {.size = sizeof settings,
                                   .horizon = ROUNDS,
                                   .lipschitz = s ? ofw_stream_constants(s)->lipschitz : 0.0,
                                   .strong_convexity = 1.0,
                                   .seed = j->seed};
  ofw_learner *l = s ? ofw_learner_create_over(j->learner, j->K, &settings, NULL) : NULL;
  j->failed = !l;
  for (uint64_t t = 1; !j->failed && t <= ROUNDS; t++) {
    ofw_full fb = {0};
    j->failed =
        ofw_learner_decide(l, &x) != OFW_OK || ofw_stream_reveal(s, t, x, &fb) != OFW_OK || tell(l, &fb) != OFW_OK;
  }
  if (!j->failed)
    j->failed = ofw_learner_decide(l, &x) != OFW_OK || ofw_point_dense(x, j->decision) != OFW_OK;
  ofw_learner_free(l);
  ofw_stream_free(s);
  return NULL;
}

static void shares_its_domain(const setting *s)
{
  ofw_domain *K = make_domain(s->domain);
  assert_true(ofw_domain_dim(K) <= MOST);
  pthread_t thread[THREADS];
  job alone[THREADS] = {0}, together[THREADS] = {0};
  for (size_t n = 0; n < THREADS; n++) {
    alone[n] = together[n] = (job){.K = K, .learner = s->learner, .seed = n + 1};
    play(&alone[n]);
    assert_false(alone[n].failed);
  }
  for (size_t n = 0; n < THREADS; n++)
    assert_int_equal(pthread_create(&thread[n], NULL, play, &together[n]), 0);
  for (size_t n = 0; n < THREADS; n++) {
    assert_int_equal(pthread_join(thread[n], NULL), 0);
    assert_false(together[n].failed);
    assert_memory_equal(alone[n].decision, together[n].decision, sizeof alone[n].decision);
  }
  ofw_domain_free(K);
}

static void test_shared_domain(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_domain_types(); i++)
    for (size_t k = 0; k < ofw_learner_types(); k++) {
      setting s = {.learner = ofw_learner_type(k)->name, .domain = ofw_domain_type(i)->example};
      if_offered(&s, shares_its_domain);
    }
}

/* ---- threads of its own ---- */

#define BALL       "trace-ball:rows=270,cols=250,radius=40" /* so large that its arrays are shared out */
#define SOURCE     "matrix-completion:users=270,items=250,ratings=5000,rank=3,batch=100"
#define STRUCTURED SOURCE ",constraint=exposure"
enum { OWN_ROUNDS = 8, OWN_MOST = 3 };

typedef struct player {
  ofw_stream *stream;
  ofw_learner *l;
} player;

static player make_player(const setting *s, const ofw_domain *K, size_t threads)
{
  const char *set[MOST_SETS];
  char words[SET_TEXT];
  player p = {make_stream(is_factored(s) ? STRUCTURED : SOURCE, K, OWN_ROUNDS, 5), NULL};
  const ofw_constants *c = ofw_stream_constants(p.stream);
  ofw_learner_settings settings = {.size = sizeof settings,
                                   .horizon = OWN_ROUNDS,
                                   .lipschitz = c->lipschitz,
                                   .loss_bound = c->loss_bound,
                                   .strong_convexity = c->strong_convexity,
                                   .seed = 3,
                                   .options = split_options(s, words, set),
                                   .option = set,
                                   .threads = threads};
  ofw_error err = {0};
  p.l = ofw_learner_create_over(s->learner, K, &settings, &err);
  if (!p.l)
    fail_msg("%s %s: %s", s->learner, s->option, err.message);
  return p;
}

static void end_player(player *p)
{
  ofw_learner_free(p->l);
  ofw_stream_free(p->stream);
}

static void play_round(player *p, uint64_t t, double *decision)
{
  const ofw_point *x;
  ofw_full fb = {0};
  assert_int_equal(ofw_learner_decide(p->l, &x), OFW_OK);
  assert_int_equal(ofw_stream_reveal(p->stream, t, x, &fb), OFW_OK);
  assert_int_equal(ofw_point_dense(x, decision), OFW_OK);
  assert_int_equal(tell(p->l, &fb), OFW_OK);
}

/* One thread, two and three, decision by decision and state by state; half-way each goes on from another's state. */
static void own_threads(const setting *s)
{
  ofw_domain *K = make_domain(BALL);
  size_t dim = ofw_domain_dim(K);
  player p[OWN_MOST];
  double *decision[OWN_MOST];
  ofw_state state[OWN_MOST] = {{0}};
  for (size_t n = 0; n < OWN_MOST; n++) {
    p[n] = make_player(s, K, n + 1);
    decision[n] = malloc(dim * sizeof **decision);
    assert_non_null(decision[n]);
  }
  for (uint64_t t = 1; t <= OWN_ROUNDS; t++) {
    for (size_t n = 0; n < OWN_MOST; n++) {
      play_round(&p[n], t, decision[n]);
      assert_memory_equal(decision[n], decision[0], dim * sizeof **decision);
      assert_int_equal(ofw_learner_save_state(p[n].l, &state[n]), OFW_OK);
      assert_int_equal(state[n].size, state[0].size);
      assert_memory_equal(state[n].bytes, state[0].bytes, state[0].size);
    }
    for (size_t n = 0; n < OWN_MOST && t == OWN_ROUNDS / 2; n++)
      assert_int_equal(ofw_learner_load_state(p[n].l, &state[(n + 1) % OWN_MOST]), OFW_OK);
  }
  for (size_t n = 0; n < OWN_MOST; n++) {
    end_player(&p[n]);
    free(decision[n]);
    ofw_state_free(&state[n]);
  }
  ofw_domain_free(K);
}

static void test_own_threads(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_learner_types(); i++) {
    setting s = {ofw_learner_type(i)->name, "", BALL, 0};
    own_threads(&s);
  }
  own_threads(&(setting){"ofw-tvc", "restart=keep sigma=line-search sample=yes", BALL, 0});
  own_threads(&(setting){"scofw-tvc", "storage=float", BALL, 0});
  own_threads(&(setting){"scofw-tvc", "storage=factored rank=4", BALL, 0});
  own_threads(&(setting){"ofw-ada", "storage=factored", BALL, 0});
}

static void test_too_many(void **unused)
{
  (void)unused;
  ofw_error err = {0};
  ofw_domain *K = make_domain("l2-ball:dim=3");
  ofw_learner_settings s = {.size = sizeof s, .horizon = 5, .lipschitz = 1.0, .threads = 1000000};
  assert_null(ofw_learner_create_over("ofw-tvc", K, &s, &err));
  assert_int_equal(err.status, OFW_USAGE);
  assert_string_equal(err.message, "ofw-tvc: 1000000 threads, expected at most 200");
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared_domain), cmocka_unit_test(test_own_threads),
                                     cmocka_unit_test(test_too_many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
