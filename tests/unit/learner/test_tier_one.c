/* The first tier: specs and plain arrays play the same rounds as settings and structured feedback, bit for bit. */
#include "property/everything.h"

#include <math.h>
#include <unistd.h>

enum { DIM = 3, ROUNDS = 150 };

#define DOMAIN "l2-ball:dim=3,radius=2"

static ofw_learner *make(const char *learner, const char *domain)
{
  ofw_error err;
  ofw_learner *l = ofw_learner_create(learner, domain, &err);
  if (!l)
    fail_msg("%s over %s: %s", learner, domain, err.message);
  return l;
}

static void expect_none(const char *learner, const char *domain, const char *message)
{
  ofw_error err;
  assert_null(ofw_learner_create(learner, domain, &err));
  assert_int_equal(err.status, OFW_USAGE);
  assert_string_equal(err.message, message);
  assert_null(ofw_learner_create(learner, domain, NULL));
}

/* Round t at x: f and its gradient, and g and its gradient, but for every fifth round, which has no constraint. */
typedef struct revealed {
  double f, df[DIM], g, dg[DIM];
  int constrained;
} revealed;

static revealed round_at(int t, const double *x)
{
  revealed r = {.f = 0.0, .g = -0.5, .dg = {1.0, 1.0, 0.0}, .constrained = t % 5 != 0};
  for (int i = 0; i < DIM; i++) {
    r.df[i] = x[i] - cos(t + i);
    r.f += 0.5 * r.df[i] * r.df[i];
    r.g += r.dg[i] * x[i];
  }
  return r;
}

static ofw_status tell_one(ofw_learner *l, const revealed *r)
{
  if (l->method->bandit)
    return ofw_learner_tell_values(l, r->f, r->constrained ? r->g : 0.0);
  return ofw_learner_tell(l, r->f, r->df, r->constrained ? r->g : 0.0, r->constrained ? r->dg : NULL);
}

static ofw_status observe_two(ofw_learner *l, const revealed *r)
{
  ofw_vec df = ofw_vec_dense(DIM, r->df), dg = ofw_vec_dense(DIM, r->dg);
  ofw_sum sum = {1, &dg};
  ofw_full fb = {{r->f, r->constrained ? 1 : 0, &r->g}, {1, &df}, &sum};
  return l->method->bandit ? ofw_learner_observe_values(l, &fb.values) : ofw_learner_observe(l, &fb);
}

/* Plays rounds first .. last and keeps the last decision. */
static void play(ofw_learner *l, int first, int last, double x[DIM])
{
  for (int t = first; t <= last; t++) {
    assert_int_equal(ofw_learner_ask(l, x), OFW_OK);
    revealed r = round_at(t, x);
    if (tell_one(l, &r) != OFW_OK)
      fail_msg("round %d: %s", t, ofw_learner_error(l));
  }
}

static void test_as_the_second_tier(void **unused)
{
  (void)unused;
  static const char *const option[] = {"oracle-tolerance=1e-4"};
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = 100,
                            .lipschitz = 5.0,
                            .loss_bound = 9.0,
                            .strong_convexity = 1.0,
                            .seed = 7,
                            .options = 1,
                            .option = option,
                            .threads = 2};
  ofw_domain *K = make_domain(DOMAIN);
  for (size_t i = 0; i < ofw_learner_types(); i++) {
    char spec[200];
    snprintf(spec, sizeof spec,
             "%s:horizon=100,oracle-tolerance=1e-4,lipschitz=5,loss-bound=9,strong-convexity=1,seed=7,threads=2",
             ofw_learner_type(i)->name);
    ofw_learner *one = make(spec, DOMAIN), *two = ofw_learner_create_over(ofw_learner_type(i)->name, K, &s, NULL);
    assert_non_null(two);
    assert_string_equal(ofw_learner_config(one), ofw_learner_config(two));
    assert_int_equal(ofw_learner_dim(one), DIM);
    for (int t = 1; t <= ROUNDS; t++) {
      const ofw_point *p;
      double x[DIM], y[DIM], again[DIM];
      assert_int_equal(ofw_learner_ask(one, x), OFW_OK);
      assert_int_equal(ofw_learner_ask(one, again), OFW_OK);
      assert_int_equal(ofw_learner_decide(two, &p), OFW_OK);
      assert_int_equal(ofw_point_dense(p, y), OFW_OK);
      if (memcmp(x, y, sizeof x) != 0 || memcmp(x, again, sizeof x) != 0)
        fail_msg("%s: round %d differs", ofw_learner_type(i)->name, t);
      revealed r = round_at(t, x);
      assert_int_equal(tell_one(one, &r), OFW_OK);
      assert_int_equal(observe_two(two, &r), OFW_OK);
    }
    ofw_learner_free(one);
    ofw_learner_free(two);
  }
  ofw_domain_free(K);
}

static void test_defaults(void **unused)
{
  (void)unused;
  ofw_learner *l = make("ofw-tvc:horizon=auto,lipschitz=2", "simplex:dim=4");
  const char *config = ofw_learner_config(l);
  assert_non_null(strstr(config, "horizon=64 lipschitz=2 loss-bound=0 strong-convexity=0 seed=1 "));
  assert_non_null(strstr(config, " epoch=yes")); /* the horizon is not known */
  ofw_learner_free(l);
}

static void test_bad_specs(void **unused)
{
  (void)unused;
  expect_none(NULL, DOMAIN, "expected two specs, a learner's and a domain's, found NULL");
  expect_none("ofw-ada", NULL, "expected two specs, a learner's and a domain's, found NULL");
  expect_none("ofw-adda", DOMAIN, "no learner 'ofw-adda'; did you mean 'ofw-ada'?");
  expect_none("ofw-ada", "l3-ball:dim=2", "no domain 'l3-ball'; did you mean 'l1-ball'?");
  expect_none("ofw-ada", "l2-ball", "l2-ball: dim is required (dimension n)");
  expect_none("ofw-tvc:horizon=9", DOMAIN,
              "ofw-tvc: the Lipschitz constant is 0, expected a number above 0; set lipschitz");
  expect_none("ofw-tvc:horizon=-1", DOMAIN, "ofw-tvc: horizon=-1 is not a whole number >= 0");
  expect_none("ofw-ada:threads=0", DOMAIN, "ofw-ada: threads=0 is not in [1, 200]");
  expect_none("ofw-ada:seed=1,seed=2", DOMAIN, "ofw-ada: seed is given twice");
  expect_none("ofw-ada:first=1,first=2", DOMAIN, "ofw-ada: first is given twice");
  expect_none("ofw-ada:seed", DOMAIN, "ofw-ada: expected key=value, found 'seed'");
  expect_none("ofw-ada:seed=1,", DOMAIN, "ofw-ada: expected key=value after the last comma, found nothing");
  expect_none("ofw-ada:kapa=1", DOMAIN, "ofw-ada: no option 'kapa'; did you mean 'kappa'?");
}

/* What is refused changes nothing, and the round can be answered again. */
static void refused(ofw_learner *l, ofw_status got, ofw_status wanted, const char *message)
{
  assert_int_equal(got, wanted);
  assert_string_equal(ofw_learner_error(l), message);
  ofw_info info = {.size = sizeof info};
  assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
  assert_int_equal(info.round, 1);
}

static void test_refusals(void **unused)
{
  (void)unused;
  static const double df[DIM] = {1, 2, 3}, dg[DIM] = {0, 1, 0}, odd[DIM] = {0, NAN, 0};
  double x[DIM];
  ofw_learner *l = make("ofw-ada", DOMAIN);
  refused(l, ofw_learner_tell(l, 1.0, df, 0.0, NULL), OFW_USAGE,
          "feedback without a decision: ask for the decision of round 1 first");
  assert_int_equal(ofw_learner_ask(l, x), OFW_OK);
  refused(l, ofw_learner_tell(l, 1.0, NULL, 0.5, dg), OFW_USAGE, "ofw-ada: the gradient of the loss is missing");
  refused(l, ofw_learner_tell(l, 1.0, df, 0.5, NULL), OFW_USAGE,
          "ofw-ada: constraint=0.5 is violated and its gradient is missing");
  refused(l, ofw_learner_tell(l, 1.0, df, NAN, NULL), OFW_USAGE,
          "ofw-ada: constraint=nan is violated and its gradient is missing");
  refused(l, ofw_learner_tell(l, NAN, df, 0.5, dg), OFW_BAD_DATA, "loss is not a finite number");
  refused(l, ofw_learner_tell(l, 1.0, df, INFINITY, dg), OFW_BAD_DATA, "constraint: number 1 is not finite");
  refused(l, ofw_learner_tell(l, 1.0, df, 0.5, odd), OFW_BAD_DATA, "constraint_gradient: number 2 is not a number");
  refused(l, ofw_learner_tell_values(l, 1.0, 0.5), OFW_USAGE, "ofw-ada needs gradients, found numbers only");
  assert_int_equal(ofw_learner_tell(l, 1.0, df, 0.5, dg), OFW_OK);
  assert_string_equal(ofw_learner_error(l), "");
  ofw_learner_free(l);
  l = make("bfw-ada", DOMAIN);
  assert_int_equal(ofw_learner_ask(l, x), OFW_OK);
  refused(l, ofw_learner_tell(l, 1.0, NULL, 0.0, NULL), OFW_USAGE,
          "bfw-ada is a bandit learner: it takes numbers, not gradients");
  refused(l, ofw_learner_tell_values(l, 1.0, NAN), OFW_BAD_DATA, "constraint: number 1 is not finite");
  assert_int_equal(ofw_learner_tell_values(l, 1.0, -1.0), OFW_OK);
  ofw_learner_free(l);
}

/* A decision that is never written out; the second tier can still play it. */
static void test_too_large(void **unused)
{
  (void)unused;
  double x;
  ofw_learner *l = make("ofw-ada:storage=factored,rank=2", "trace-ball:rows=1000000,cols=100000");
  assert_int_equal(ofw_learner_dim(l), 100000000000);
  assert_int_equal(ofw_learner_ask(l, &x), OFW_UNSUPPORTED);
  assert_string_equal(ofw_learner_error(l),
                      "ofw-ada: the decision's 100000000000 numbers are too many to write out; use ofw_learner_decide");
  ofw_learner_free(l);
}

/* ---- files ---- */

static void damage(const char *path)
{
  FILE *f = fopen(path, "r+b");
  assert_non_null(f);
  assert_int_equal(fseek(f, -9, SEEK_END), 0);
  int c = fgetc(f);
  assert_int_equal(fseek(f, -9, SEEK_END), 0);
  fputc(c ^ 1, f);
  fclose(f);
}

static void test_files(void **unused)
{
  (void)unused;
  char folder[] = "/tmp/ofw-tier-one-XXXXXX", path[64], older[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/state", folder);
  snprintf(older, sizeof older, "%s/state.1", folder);
  for (size_t i = 0; i < 2; i++) {
    const char *spec = i ? "bfw-ada:seed=3" : "ofw-tvc:horizon=100,lipschitz=5";
    double x[DIM], y[DIM];
    ofw_learner *l = make(spec, DOMAIN), *other = make(spec, DOMAIN), *wrong = make("ofw-ada", DOMAIN);
    assert_int_equal(ofw_learner_load(l, path), OFW_END);
    assert_string_not_equal(ofw_learner_error(l), "");
    play(l, 1, 20, x);
    assert_int_equal(ofw_learner_save(l, path), OFW_OK);
    assert_string_equal(ofw_learner_error(l), "");
    play(l, 21, 40, x);
    assert_int_equal(ofw_learner_load(other, path), OFW_OK);
    play(other, 21, 40, y);
    assert_memory_equal(x, y, sizeof x);
    assert_int_equal(ofw_learner_load(wrong, path), OFW_BAD_DATA);
    assert_non_null(strstr(ofw_learner_error(wrong), "learner="));
    damage(path);
    assert_int_equal(ofw_learner_load(other, path), OFW_BAD_DATA);
    assert_int_equal(ofw_learner_ask(other, y), OFW_OK); /* nothing has changed */
    assert_int_equal(ofw_learner_ask(l, x), OFW_OK);
    assert_memory_equal(x, y, sizeof x);
    assert_int_equal(ofw_learner_save(l, path), OFW_OK);
    assert_int_equal(access(older, F_OK), 0); /* the file before it */
    unlink(path), unlink(older);
    ofw_learner_free(l), ofw_learner_free(other), ofw_learner_free(wrong);
  }
  ofw_learner *l = make("ofw-ada", DOMAIN);
  snprintf(path, sizeof path, "%s/none/state", folder);
  assert_int_equal(ofw_learner_save(l, path), OFW_FAILED);
  assert_non_null(strstr(ofw_learner_error(l), path));
  ofw_learner_free(l);
  rmdir(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_as_the_second_tier), cmocka_unit_test(test_defaults),  cmocka_unit_test(test_bad_specs),
      cmocka_unit_test(test_refusals),           cmocka_unit_test(test_too_large), cmocka_unit_test(test_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
