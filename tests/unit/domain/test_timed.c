#include "unit/domain/oracle_check.h"

#include "learner/method.h"
#include "vector/vec_arithmetic.h"

#include <time.h>

/* The same answers, to the last bit, and how long they took. */
static void times_and_changes_nothing(void **state)
{
  (void)state;
  static const char *const spec[][2] = {
      {"l1-ball:dim=12,radius=3", "timed:of=(l1-ball:dim=12,radius=3)"},
      {"shrunk:factor=0.5,of=(simplex:dim=12)", "timed:of=(shrunk:factor=0.5,of=(simplex:dim=12))"},
      {"trace-ball:rows=4,cols=3", "timed:of=(trace-ball:rows=4,cols=3)"}};
  chance c = {1};
  for (size_t k = 0; k < 3; k++) {
    opened plain = open_seeded(domain_of(spec[k][0]), 5), timed = open_seeded(domain_of(spec[k][1]), 5);
    double d[12], v[12], w[12], total = 0.0;
    assert_true(plain.K->R == timed.K->R);
    assert_true(plain.K->passes_only == timed.K->passes_only && timed.K->ops->project);
    for (int t = 0; t < 300; t++) {
      ofw_answer a, b;
      chance_normals(&c, 12, d);
      assert_int_equal(answer(plain, d, 1e-3, INFINITY, &a), OFW_OK);
      assert_int_equal(answer(timed, d, 1e-3, INFINITY, &b), OFW_OK);
      ofw_sum_dense(a.atom, 12, v);
      ofw_sum_dense(b.atom, 12, w);
      assert_memory_equal(v, w, sizeof v);
      assert_true(a.value == b.value && a.error == b.error && a.passes == b.passes && a.seconds == 0.0);
      assert_true(b.seconds >= 0.0 && b.seconds < 60.0);
      total += b.seconds;
    }
    assert_true(total > 0.0);
    shut(plain);
    shut(timed);
  }
}

static int sleeps(void *ctx, const double *d, double *v)
{
  (void)ctx, (void)d;
  nanosleep(&(struct timespec){0, 20000000}, NULL);
  *v = 1.0;
  return 0;
}

/* At least what the oracle sleeps; sets around pass it on, and who counts adds it up. */
static void the_seconds_get_through(void **state)
{
  (void)state;
  ofw_domain_callbacks own = {.size = sizeof own, .dim = 1, .R = 1.0, .r = 1.0, .minimise = sleeps};
  ofw_domain *inner = ofw_domain_create_own(&own, NULL), *K = domain_of("timed:of=(box:dim=1,lower=0,upper=1)");
  ofw_domain *box = K->of; /* what it wraps gives way to what sleeps */
  K->of = inner;
  ofw_domain_free(box);
  ofw_domain *shrunk = ofw_domain_create_shrunk(K, 0.5, NULL);
  opened o = open_seeded(ofw_domain_create_counted(shrunk, NULL), 1);
  ofw_answer out;
  for (int t = 1; t <= 3; t++) {
    assert_int_equal(answer(o, (double[]){1.0}, 1e-3, INFINITY, &out), OFW_OK);
    assert_true(out.seconds >= 0.02);
    assert_true(ofw_counted_read(o.work).seconds >= 0.02 * t);
  }
  shut(o);
  ofw_domain_free(shrunk);
  ofw_domain_free(K);
}

/* A learner says so, and nothing else of it is different; a state has no seconds. */
static void a_learner_says_so(void **state)
{
  (void)state;
  ofw_domain *plain = domain_of("l1-ball:dim=3"), *timed = domain_of("timed:of=(l1-ball:dim=3)");
  ofw_learner_settings settings = {.size = sizeof settings, .horizon = 100, .lipschitz = 2.0};
  ofw_learner *l[2] = {ofw_learner_create_over("ofw-tvc", plain, &settings, NULL),
                       ofw_learner_create_over("ofw-tvc", timed, &settings, NULL)};
  ofw_info info[2] = {{.size = sizeof info[0]}, {.size = sizeof info[0]}};
  double x[2][3], slope[3] = {1.0, -0.5, 0.25};
  for (int t = 0; t < 100; t++)
    for (int k = 0; k < 2; k++) {
      const ofw_point *at;
      ofw_vec gradient = ofw_vec_dense(3, slope);
      assert_int_equal(ofw_learner_decide(l[k], &at), OFW_OK);
      assert_int_equal(ofw_point_dense(at, x[k]), OFW_OK);
      ofw_full seen = {.values = {.loss = (double)slow_dot(3, slope, x[k])}, .loss_gradient = {1, &gradient}};
      assert_int_equal(ofw_learner_observe(l[k], &seen), OFW_OK);
    }
  for (int k = 0; k < 2; k++)
    assert_int_equal(ofw_learner_info(l[k], &info[k]), OFW_OK);
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  assert_true(info[0].oracle_seconds == 0.0 && info[1].oracle_seconds > 0.0);
  assert_int_equal(info[0].oracle_calls, info[1].oracle_calls);
  ofw_state saved = {0};
  assert_int_equal(ofw_learner_save_state(l[1], &saved), OFW_OK);
  ofw_learner *again = ofw_learner_create_over("ofw-tvc", timed, &settings, NULL);
  assert_int_equal(ofw_learner_load_state(again, &saved), OFW_OK);
  assert_int_equal(ofw_learner_info(again, &info[0]), OFW_OK);
  assert_true(info[0].oracle_calls == info[1].oracle_calls && info[0].oracle_seconds == 0.0);
  ofw_state_free(&saved);
  ofw_learner_free(again);
  for (int k = 0; k < 2; k++)
    ofw_learner_free(l[k]);
  ofw_domain_free(plain);
  ofw_domain_free(timed);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("timed", "", ": of is required (the set K, as (spec))");
  misused("timed", ":of=(l1-ball:dim=0)", ": l1-ball: dim=0 is not in [1, 1e+12]");
  misused("timed", ":of=(l1-ball:dim=1),by=2", ": no option 'by'; its options: of");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(times_and_changes_nothing),
      cmocka_unit_test(the_seconds_get_through),
      cmocka_unit_test(a_learner_says_so),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
