/* Learners in several threads over one shared domain do what they do alone. Also run under ThreadSanitizer. */
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
  ofw_learner *l = s ? ofw_learner_create(j->learner, j->K, &settings, NULL) : NULL;
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

static void test_shared_domain(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_domain_types(); i++)
    for (size_t k = 0; k < ofw_learner_types(); k++) {
      ofw_domain *K = make_domain(ofw_domain_type(i)->example);
      assert_true(ofw_domain_dim(K) <= MOST);
      pthread_t thread[THREADS];
      job alone[THREADS] = {0}, together[THREADS] = {0};
      for (size_t n = 0; n < THREADS; n++) {
        alone[n] = together[n] = (job){.K = K, .learner = ofw_learner_type(k)->name, .seed = n + 1};
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
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared_domain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
