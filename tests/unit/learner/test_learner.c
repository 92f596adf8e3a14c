/* What every learner promises through the handle: refusals change nothing, failures are final, info tells. */
#include "property/everything.h"

#include <math.h>

enum { DIM = 3 };

static ofw_learner *open_learner(const char *name, size_t sets, const char *const *set)
{
  ofw_domain *K = make_domain("l2-ball:dim=3,radius=2");
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = 100,
                            .lipschitz = 5.0,
                            .strong_convexity = 1.0,
                            .seed = 1,
                            .options = sets,
                            .option = set};
  ofw_error err = {0};
  ofw_learner *l = ofw_learner_create_over(name, K, &s, &err);
  ofw_domain_free(K); /* the learner keeps its own */
  if (!l)
    fail_msg("%s", err.message);
  return l;
}

static void decide(ofw_learner *l, double x[DIM])
{
  const ofw_point *p;
  assert_int_equal(ofw_learner_decide(l, &p), OFW_OK);
  assert_int_equal(p->at->dim, DIM);
  assert_int_equal(ofw_point_dense(p, x), OFW_OK);
}

/* One round's feedback, whose parts a test may spoil. */
typedef struct round {
  double f[DIM], g[DIM], value[2];
  ofw_vec vf, vg;
  ofw_sum grad_g[2];
  ofw_full fb;
} round_data;

static void make_round(round_data *r)
{
  *r = (round_data){.f = {1, 2, 3}, .g = {0, 1, 0}, .value = {0.5, -0.5}};
  r->vf = ofw_vec_dense(DIM, r->f);
  r->vg = ofw_vec_dense(DIM, r->g);
  r->grad_g[0] = r->grad_g[1] = (ofw_sum){1, &r->vg};
  r->fb = (ofw_full){{1.5, 1, r->value}, {1, &r->vf}, r->grad_g};
}

static void expect_refusal(ofw_learner *l, const ofw_full *fb, ofw_status status, const char *message)
{
  ofw_state before = {0}, after = {0};
  assert_int_equal(ofw_learner_save_state(l, &before), OFW_OK);
  assert_int_equal(ofw_learner_observe(l, fb), status);
  assert_string_equal(ofw_learner_error(l), message);
  assert_int_equal(ofw_learner_save_state(l, &after), OFW_OK);
  assert_int_equal(before.size, after.size);
  assert_memory_equal(before.bytes, after.bytes, before.size);
  ofw_state_free(&before);
  ofw_state_free(&after);
}

static void expect_values_refused(ofw_learner *l, ofw_values v, const char *message)
{
  ofw_state before = {0}, after = {0};
  assert_int_equal(ofw_learner_save_state(l, &before), OFW_OK);
  assert_true(ofw_learner_observe_values(l, &v) != OFW_OK);
  assert_string_equal(ofw_learner_error(l), message);
  assert_int_equal(ofw_learner_save_state(l, &after), OFW_OK);
  assert_memory_equal(before.bytes, after.bytes, before.size);
  ofw_state_free(&before);
  ofw_state_free(&after);
}

static void bandit_refusals(ofw_learner *l)
{
  double x[DIM], g[] = {1.0, INFINITY};
  expect_values_refused(l, (ofw_values){1.0, 0, NULL},
                        "feedback without a decision: ask for the decision of round 1 first");
  decide(l, x);
  expect_values_refused(l, (ofw_values){NAN, 0, NULL}, "loss is not a finite number");
  expect_values_refused(l, (ofw_values){1.0, 2, g}, "constraint: number 2 is not finite");
  assert_int_equal(ofw_learner_observe_values(l, &(ofw_values){1.0, 1, g}), OFW_OK);
}

static void test_refusals_change_nothing(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_learner_types(); i++) {
    ofw_learner *l = open_learner(ofw_learner_type(i)->name, 0, NULL);
    round_data r;
    double x[DIM];
    size_t far = DIM, twice[] = {1, 1};
    if (l->method->bandit) {
      bandit_refusals(l);
      ofw_learner_free(l);
      continue;
    }
    make_round(&r);
    expect_refusal(l, &r.fb, OFW_USAGE, "feedback without a decision: ask for the decision of round 1 first");
    decide(l, x);

    r.fb.values.loss = NAN;
    expect_refusal(l, &r.fb, OFW_BAD_DATA, "loss is not a finite number");
    make_round(&r);
    r.value[0] = -INFINITY;
    expect_refusal(l, &r.fb, OFW_BAD_DATA, "constraint: number 1 is not finite");
    make_round(&r);
    r.f[2] = INFINITY;
    expect_refusal(l, &r.fb, OFW_BAD_DATA, "loss_gradient: number 3 is infinite");
    make_round(&r);
    r.g[1] = NAN;
    expect_refusal(l, &r.fb, OFW_BAD_DATA, "constraint_gradient: number 2 is not a number");
    make_round(&r);
    r.vf.as.dense.n = DIM - 1;
    expect_refusal(l, &r.fb, OFW_BAD_DATA, "loss_gradient has length 2, but the dimension is 3");
    make_round(&r);
    r.vg.as.dense.n = DIM + 1;
    expect_refusal(l, &r.fb, OFW_BAD_DATA, "constraint_gradient has length 4, but the dimension is 3");
    make_round(&r);
    r.vf = ofw_vec_sparse(1, &far, r.f);
    expect_refusal(l, &r.fb, OFW_BAD_DATA, "loss_gradient: index 3 is not below the dimension 3");
    make_round(&r);
    r.vf = ofw_vec_sparse(2, twice, r.f);
    expect_refusal(l, &r.fb, OFW_BAD_DATA, "loss_gradient: index 1 appears twice");
    make_round(&r);
    r.vf.scale = NAN;
    expect_refusal(l, &r.fb, OFW_BAD_DATA, "loss_gradient: its scale is not a finite number");

    make_round(&r);
    assert_int_equal(ofw_learner_observe(l, &r.fb), OFW_OK); /* the same round, answered well */
    assert_string_equal(ofw_learner_error(l), "");
    expect_refusal(l, &r.fb, OFW_USAGE, "feedback without a decision: ask for the decision of round 2 first");
    ofw_learner_free(l);
  }
}

static void expect_no_learner(const char *name, ofw_learner_settings s, const char *message)
{
  ofw_error err = {0};
  ofw_domain *K = make_domain("l2-ball:dim=3");
  assert_null(ofw_learner_create_over(name, K, &s, &err));
  assert_int_equal(err.status, OFW_USAGE);
  assert_string_equal(err.message, message);
  assert_null(ofw_learner_create_over(name, K, &s, NULL)); /* the words may be left out */
  ofw_domain_free(K);
}

/* Each kind of learner is given the other's feedback. */
static void test_feedback_of_the_other_kind(void **unused)
{
  (void)unused;
  static const char *const name[] = {"ofw-tvc", "bfw-tvc"},
                           *const why[] = {"ofw-tvc needs gradients, found numbers only",
                                           "bfw-tvc is a bandit learner: it takes numbers, not gradients"};
  ofw_learner_settings s = {.size = sizeof s, .horizon = 10, .lipschitz = 1.0, .loss_bound = 1.0};
  ofw_domain *K = ofw_domain_create("l2-ball:dim=2", NULL);
  ofw_vec f = ofw_vec_dense(2, (double[]){1.0, 0.0});
  ofw_full full = {.values.loss = 1.0, .loss_gradient = {1, &f}};
  for (int bandit = 0; bandit < 2; bandit++) {
    const ofw_point *x;
    ofw_learner *l = ofw_learner_create_over(name[bandit], K, &s, NULL);
    assert_non_null(l);
    assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
    assert_int_equal(bandit ? ofw_learner_observe(l, &full) : ofw_learner_observe_values(l, &full.values), OFW_USAGE);
    assert_string_equal(ofw_learner_error(l), why[bandit]);
    assert_int_equal(bandit ? ofw_learner_observe_values(l, &full.values) : ofw_learner_observe(l, &full), OFW_OK);
    ofw_learner_free(l);
  }
  ofw_error err = {0};
  assert_null(ofw_learner_create_over(NULL, K, &s, &err));
  assert_string_equal(err.message, "expected a learner's name and a domain, found NULL");
  assert_null(ofw_learner_create_over("ofw-tvc", NULL, &s, &err));
  assert_int_equal(err.status, OFW_USAGE);
  ofw_domain_free(K);
}

static void test_creation_refusals(void **unused)
{
  (void)unused;
  const char *set[1];
  ofw_learner_settings good = {.size = sizeof good, .horizon = 10, .lipschitz = 1.0, .options = 1, .option = set}, s;
  set[0] = "step=1";
  expect_no_learner("ofw-tcv", good, "no learner 'ofw-tcv'; did you mean 'ofw-tvc'?");
  expect_no_learner("gradient", good, "no learner 'gradient'; see 'ofw list'");
  s = good, s.lipschitz = 0.0;
  expect_no_learner("ofw-tvc", s, "ofw-tvc: the Lipschitz constant is 0, expected a number above 0; set lipschitz");
  s = good, s.lipschitz = INFINITY;
  expect_no_learner("ofw-tvc", s, "ofw-tvc: the Lipschitz constant is inf, expected a number above 0; set lipschitz");
  s = good, s.strong_convexity = -1.0;
  expect_no_learner("ofw-tvc", s, "ofw-tvc: the strong convexity is -1, expected 0 or more");
  s = good, s.loss_bound = NAN;
  expect_no_learner("ofw-tvc", s, "ofw-tvc: the loss bound is nan, expected 0 or more");
  set[0] = "sigmma=printed";
  expect_no_learner("ofw-tvc", good, "ofw-tvc: no option 'sigmma'; did you mean 'sigma'?");
  set[0] = "sigma=exact";
  expect_no_learner("ofw-tvc", good, "ofw-tvc: sigma=exact is not one of printed|line-search");
  set[0] = "beta=0";
  expect_no_learner("ofw-tvc", good, "ofw-tvc: beta=0 is not in [1e-300, 1e+300]");
  set[0] = "gamma=mu";
  expect_no_learner("ofw-tvc", good, "ofw-tvc: gamma=mu is not a number or lambda");
  set[0] = "oracle-tolerance";
  expect_no_learner("ofw-tvc", good, "ofw-tvc: expected key=value, found 'oracle-tolerance'");
  set[0] = "params=theorem";
  expect_no_learner("scofw-tvc", good,
                    "scofw-tvc: expected a strong convexity above 0, found none; for other losses use ofw-tvc");
}

/* The structs as they might have been in an older version, in memory of that size: a read beyond it is seen. */
typedef struct older_settings {
  size_t size;
  uint64_t horizon;
  double lipschitz;
} older_settings;
typedef struct older_info {
  size_t size;
  uint64_t round;
  double violation;
} older_info;

static void test_older_settings(void **unused)
{
  (void)unused;
  ofw_learner_settings now = {.size = sizeof now, .horizon = 10, .lipschitz = 1.0};
  older_settings *old = malloc(sizeof *old);
  assert_non_null(old);
  *old = (older_settings){sizeof *old, 10, 1.0};
  ofw_domain *K = make_domain("l2-ball:dim=3,radius=2");
  ofw_learner *l = ofw_learner_create_over("ofw-tvc", K, (void *)old, NULL);
  assert_non_null(l);
  assert_non_null(strstr(ofw_learner_config(l), " horizon=10 lipschitz=1 loss-bound=0 strong-convexity=0 seed=0 "));
  ofw_learner_free(l);
  free(old);
  ofw_error err;
  now.size = sizeof now + 8;
  assert_null(ofw_learner_create_over("ofw-tvc", K, &now, &err));
  char message[sizeof err.message];
  snprintf(message, sizeof message,
           "ofw_learner_settings: size is %zu, but ofw %s knows only %zu bytes of it; update the library", now.size,
           ofw_version(), sizeof now);
  assert_string_equal(err.message, message);
  for (size_t k = 0; k < 3; k++) { /* none, or cut within a word */
    now.size = (size_t[]){0, 4, sizeof now - 1}[k];
    assert_null(ofw_learner_create_over("ofw-tvc", K, &now, &err));
    snprintf(message, sizeof message, "ofw_learner_settings: size is %zu; set it to sizeof(ofw_learner_settings)",
             now.size);
    assert_string_equal(err.message, message);
  }
  assert_null(ofw_learner_create_over("ofw-tvc", K, NULL, &err));
  assert_string_equal(err.message, "ofw_learner_settings: size is 0; set it to sizeof(ofw_learner_settings)");
  ofw_domain_free(K);
}

static int failing(void *ctx, const double *d, double *v)
{
  int *calls = ctx;
  v[0] = d[0] > 0.0 ? -1.0 : 1.0;
  return ++*calls >= 2 ? 42 : 0;
}

/* An oracle that fails marks the handle: only save, info and free are left. */
static void test_failure_is_final(void **unused)
{
  (void)unused;
  int calls = 0;
  ofw_domain_callbacks own = {.size = sizeof own, .dim = 1, .R = 1.0, .r = 1.0, .minimise = failing, .ctx = &calls};
  ofw_learner_settings s = {.size = sizeof s, .horizon = 10, .lipschitz = 1.0};
  ofw_domain *K = ofw_domain_create_own(&own, NULL);
  ofw_learner *l = ofw_learner_create_over("ofw-tvc", K, &s, NULL);
  const ofw_point *x;
  double one = 1.0;
  ofw_vec v = ofw_vec_dense(1, &one);
  ofw_full fb = {{1.0, 0, NULL}, {1, &v}, NULL};
  ofw_info info = {.size = sizeof info};
  ofw_state state = {0};
  assert_non_null(l);
  assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
  assert_int_equal(ofw_learner_observe(l, &fb), OFW_OK);
  assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
  assert_int_equal(ofw_learner_observe(l, &fb), OFW_NUMERICAL);
  assert_string_equal(ofw_learner_error(l), "the domain's own minimise returned 42, expected 0");
  assert_int_equal(ofw_learner_decide(l, &x), OFW_NUMERICAL);
  assert_int_equal(ofw_learner_observe(l, &fb), OFW_NUMERICAL);
  assert_string_equal(ofw_learner_error(l), "the domain's own minimise returned 42, expected 0");
  assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
  assert_int_equal(ofw_learner_save_state(l, &state), OFW_OK);
  ofw_state_free(&state);
  ofw_learner_free(l);
  ofw_domain_free(K);
}

static void test_info(void **unused)
{
  (void)unused;
  ofw_learner *l = open_learner("ofw-tvc", 0, NULL);
  ofw_info info = {.size = sizeof info}, wrong = {.size = 4};
  round_data r;
  double x[DIM];
  assert_int_equal(ofw_learner_info(l, &wrong), OFW_USAGE);
  assert_string_equal(ofw_learner_error(l), "ofw_info: size is 4; set it to sizeof(ofw_info)");
  wrong.size = sizeof wrong + 8;
  assert_int_equal(ofw_learner_info(l, &wrong), OFW_USAGE);
  assert_non_null(strstr(ofw_learner_error(l), "; update the library"));
  assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
  assert_int_equal(info.round, 1);
  assert_int_equal(info.oracle_calls, 0);
  make_round(&r);
  decide(l, x);
  assert_int_equal(ofw_learner_observe(l, &r.fb), OFW_OK);
  decide(l, x);
  r.f[0] = 100.0; /* longer than G = 5 */
  assert_int_equal(ofw_learner_observe(l, &r.fb), OFW_OK);
  assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
  assert_int_equal(info.round, 3);
  assert_int_equal(info.oracle_calls, 2);
  assert_int_equal(info.steep, 1);
  assert_true(info.violation == 1.0);
  /* beta = 1/(64 G D) = 1/1280, lambda = T^(-3/4)/2: ln w = ln lambda + lambda beta Q */
  double lambda = 0.5 / pow(100.0, 0.75);
  assert_true(fabs(info.log_price - (log(lambda) + lambda / 1280.0)) < 1e-14);
  /* beta gamma G = 1/256, doubled once */
  assert_true(fabs(info.log2_guess - -7.0) < 1e-12);
  older_info *old = malloc(sizeof *old);
  assert_non_null(old);
  old->size = sizeof *old;
  assert_int_equal(ofw_learner_info(l, (void *)old), OFW_OK);
  assert_true(old->size == sizeof *old && old->round == 3 && old->violation == 1.0);
  free(old);
  ofw_learner_free(l);
}

/* max: the largest constraint alone; sum: those that are violated. The decision shows which gradients came in. */
static void test_several_constraints(void **unused)
{
  (void)unused;
  const char *words[] = {"constraints=max", "constraints=sum"};
  for (size_t k = 0; k < 2; k++) {
    ofw_learner *several = open_learner("ofw-tvc", 1, &words[k]), *one = open_learner("ofw-tvc", 0, NULL);
    double a[] = {3, 0, 0}, b[] = {0, 0, 4}, c[] = {0, 1, 0}, left[DIM], right[DIM];
    ofw_vec va = ofw_vec_dense(DIM, a), vb = ofw_vec_dense(DIM, b), vc = ofw_vec_dense(DIM, c), both[] = {va, vb};
    ofw_sum grads[] = {{1, &vc}, {1, &va}, {1, &vb}}, same = k ? (ofw_sum){2, both} : (ofw_sum){1, &va};
    double values[] = {-1.0, 0.75, 0.25}, value = k ? 1.0 : 0.75;
    round_data r;
    make_round(&r);
    for (int t = 0; t < 5; t++) {
      decide(several, left);
      decide(one, right);
      assert_memory_equal(left, right, sizeof left);
      r.fb.values = (ofw_values){1.5, 3, values};
      r.fb.constraint_gradient = grads;
      assert_int_equal(ofw_learner_observe(several, &r.fb), OFW_OK);
      r.fb.values = (ofw_values){1.5, 1, &value};
      r.fb.constraint_gradient = &same;
      assert_int_equal(ofw_learner_observe(one, &r.fb), OFW_OK);
    }
    ofw_learner_free(several);
    ofw_learner_free(one);
  }
}

static void test_config_names_everything(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_learner_types(); i++) {
    ofw_learner *l = open_learner(ofw_learner_type(i)->name, 0, NULL);
    const char *config = ofw_learner_config(l);
    for (const ofw_option *o = ofw_learner_type(i)->options; o->name; o++) {
      char key[64];
      snprintf(key, sizeof key, " %s=", o->name);
      if (!strstr(config, key) && strcmp(o->name, "window") != 0) /* which states from before it do not have */
        fail_msg("%s: no%s in '%s'", ofw_learner_type(i)->name, key, config);
    }
    assert_non_null(strstr(config, "domain=l2-ball:dim=3,radius=2"));
    ofw_learner_free(l);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_refusals_change_nothing), cmocka_unit_test(test_feedback_of_the_other_kind),
      cmocka_unit_test(test_creation_refusals),       cmocka_unit_test(test_older_settings),
      cmocka_unit_test(test_failure_is_final),        cmocka_unit_test(test_info),
      cmocka_unit_test(test_several_constraints),     cmocka_unit_test(test_config_names_everything),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
