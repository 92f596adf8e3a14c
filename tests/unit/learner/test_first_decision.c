/* start=vertex: the same vertex whatever x is kept as, kept by states and epochs, and written down only if it is asked for.
 * property/test_feasible.c has every learner on every set. */
#include "property/everything.h"
#include "unit/base/check.h"

#define BALL "trace-ball:rows=30,cols=20,radius=60"
enum { ROWS = 30, COLS = 20, DIM = ROWS * COLS, ROUNDS = 40 };

/* "key=value key=value" */
static ofw_learner *open_learner(const char *name, const char *spec, uint64_t horizon, uint64_t seed,
                                 const char *options)
{
  const char *set[MOST_SETS];
  char words[SET_TEXT];
  setting s = {.learner = name};
  snprintf(s.option, sizeof s.option, "%s", options);
  ofw_learner_settings settings = {.size = sizeof settings,
                                   .horizon = horizon,
                                   .lipschitz = 5.0,
                                   .loss_bound = 5.0,
                                   .strong_convexity = 0.5,
                                   .seed = seed,
                                   .options = split_options(&s, words, set),
                                   .option = set};
  ofw_error err = {0};
  ofw_domain *K = make_domain(spec);
  ofw_learner *l = ofw_learner_create_over(name, K, &settings, &err);
  ofw_domain_free(K);
  if (!l)
    fail_msg("%s: %s", options, err.message);
  return l;
}

static void decide(ofw_learner *l, double *x)
{
  const ofw_point *at;
  if (ofw_learner_decide(l, &at) != OFW_OK)
    fail_msg("%s", ofw_learner_error(l));
  assert_int_equal(ofw_point_dense(at, x), OFW_OK);
}

/* A round that pulls and limits a few entries, of sparse gradients, which all storages take. */
static void play(ofw_learner *l, uint64_t t)
{
  static double x[DIM];
  size_t index[3] = {t % 7, 50 + 3 * t % 90, 300 + 7 * t % 300}, limited[2] = {t % 11, 400};
  double f[3], g[2] = {0.5, -0.25}, loss = 0.0, value = 0.1;
  decide(l, x);
  for (size_t k = 0; k < 3; k++) {
    f[k] = x[index[k]] - 1.0;
    loss += f[k] * f[k] / 2.0;
  }
  for (size_t k = 0; k < 2; k++)
    value += g[k] * x[limited[k]];
  ofw_vec vf = ofw_vec_sparse(3, index, f), vg = ofw_vec_sparse(2, limited, g);
  ofw_sum gradient = {1, &vg};
  ofw_full fb = {{loss, 1, &value}, {1, &vf}, &gradient};
  if (tell(l, &fb) != OFW_OK)
    fail_msg("%s", ofw_learner_error(l));
}

/* c u v' has no other singular value: all minors are 0. */
static void check_of_rank_one(const double *x, double slack)
{
  double square = 0.0;
  size_t top = 0;
  for (size_t i = 0; i < DIM; i++) {
    square += x[i] * x[i];
    top = fabs(x[i]) > fabs(x[top]) ? i : top;
  }
  assert_near(sqrt(square), 60.0, 60.0 * slack);
  for (size_t i = 0; i < DIM; i++)
    assert_near(x[i] * x[top], x[i / COLS * COLS + top % COLS] * x[top / COLS * COLS + i % COLS], 3600.0 * slack);
}

static void test_storages(void **unused)
{
  (void)unused;
  static const char *const storage[] = {"double", "float", "factored"};
  double x[3][DIM], last[DIM] = {0};
  for (uint64_t seed = 1; seed <= 4; seed++) {
    for (size_t k = 0; k < 3; k++) {
      char options[SET_TEXT];
      double slack = k == 1 ? 1e-6 : 1e-13;
      snprintf(options, sizeof options, "start=vertex storage=%s", storage[k]);
      ofw_learner *l = open_learner("ofw-ada", BALL, ROUNDS, seed, options);
      decide(l, x[k]);
      check_of_rank_one(x[k], slack);
      for (size_t i = 0; i < DIM; i++)
        assert_near(x[k][i], x[0][i], 60.0 * slack);
      ofw_learner_free(l);
    }
    double apart = 0.0;
    for (size_t i = 0; i < DIM; i++)
      apart += (x[0][i] - last[i]) * (x[0][i] - last[i]);
    assert_true(sqrt(apart) > 30.0); /* another seed, another vertex */
    memcpy(last, x[0], sizeof last);
  }
}

/* 5 * 10^9 numbers, of which none but the factors' is ever written. */
static void test_a_huge_set(void **unused)
{
  (void)unused;
  ofw_learner *l = open_learner("ofw-tvc", "trace-ball:rows=100000,cols=50000,radius=1e6", ROUNDS, 1,
                                "start=vertex storage=factored rank=2 restart=keep");
  size_t index[3] = {0, 49999, (size_t)99999 * 50000 + 7};
  double at[3];
  ofw_info info = {.size = sizeof info};
  const ofw_point *x;
  assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
  assert_int_equal(ofw_point_entries(x, 3, index, at), OFW_OK);
  for (size_t k = 0; k < 3; k++)
    assert_true(at[k] != 0.0 && fabs(at[k]) < 1e6 * 25.0 / sqrt(5e9)); /* 1e6 u_i v_j of two unit vectors */
  assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
  assert_true(info.left == 1 && info.right == 1 && info.oracle_calls == 0);
  ofw_learner_free(l);
}

/* What is saved and loaded goes on bit for bit: also x_1, which restart=keep and guess=track pull back to. */
static void check_split(const char *options, uint64_t horizon, uint64_t rounds, uint64_t at)
{
  double expected[DIM], got[DIM];
  ofw_state state = {0};
  ofw_learner *whole = open_learner("ofw-tvc", BALL, horizon, 3, options);
  ofw_learner *first = open_learner("ofw-tvc", BALL, horizon, 3, options);
  ofw_learner *second = open_learner("ofw-tvc", BALL, horizon, 3, options);
  for (uint64_t t = 1; t <= rounds; t++)
    play(whole, t);
  decide(whole, expected);
  for (uint64_t t = 1; t <= at; t++)
    play(first, t);
  play(second, 1); /* into a used handle */
  assert_int_equal(ofw_learner_save_state(first, &state), OFW_OK);
  if (ofw_learner_load_state(second, &state) != OFW_OK)
    fail_msg("%s: %s", options, ofw_learner_error(second));
  for (uint64_t t = at + 1; t <= rounds; t++)
    play(second, t);
  decide(second, got);
  assert_memory_equal(got, expected, sizeof got);
  ofw_info info = {.size = sizeof info};
  assert_int_equal(ofw_learner_info(second, &info), OFW_OK);
  assert_int_equal(info.oracle_calls, rounds); /* one per round, none for the start */
  ofw_state_free(&state);
  ofw_learner_free(whole), ofw_learner_free(first), ofw_learner_free(second);
}

static void test_splits(void **unused)
{
  (void)unused;
  static const char *const way[] = {"", "restart=keep", "guess=track sigma=line-search"}, *const storage[] = {
                                                                                              "double", "float",
                                                                                              "factored"};
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < 3; k++)
      for (uint64_t at = 0; at <= ROUNDS; at += 8) {
        char options[SET_TEXT];
        snprintf(options, sizeof options, "start=vertex beta=0.1 storage=%s %s", storage[k], way[i]);
        check_split(options, ROUNDS, ROUNDS, at);
        if (k < 2) /* an unknown horizon: epochs of 64, 128, .. rounds */
          check_split(options, OFW_HORIZON_AUTO, 100, 20 * (at / 8));
      }
}

/* The first epoch is a learner of its horizon, and starts as one. */
static void test_epochs_start_there_once(void **unused)
{
  (void)unused;
  double a[DIM], b[DIM], last[DIM];
  ofw_learner *unknown = open_learner("ofw-tvc", BALL, OFW_HORIZON_AUTO, 3, "start=vertex restart=keep");
  ofw_learner *known = open_learner("ofw-tvc", BALL, 64, 3, "start=vertex restart=keep");
  for (uint64_t t = 1; t <= 64; t++) {
    decide(unknown, a);
    decide(known, b);
    assert_memory_equal(a, b, sizeof a);
    play(unknown, t), play(known, t);
  }
  decide(known, last); /* where the next epoch begins */
  decide(unknown, a);
  assert_memory_equal(a, last, sizeof a);
  ofw_learner_free(unknown), ofw_learner_free(known);
}

static void test_sample(void **unused)
{
  (void)unused;
  double x[DIM], z[DIM];
  ofw_learner *l = open_learner("ofw-tvc", BALL, ROUNDS, 2, "start=vertex sample=yes");
  decide(l, x);
  assert_int_equal(ofw_learner_sample(l, z), OFW_OK);
  assert_memory_equal(x, z, sizeof x);
  ofw_learner_free(l);
}

/* start=zero is the default, and states from before there was a choice are states of it. */
static void test_configuration(void **unused)
{
  (void)unused;
  ofw_state state = {0};
  ofw_learner *none = open_learner("ofw-tvc", BALL, ROUNDS, 2, "");
  ofw_learner *zero = open_learner("ofw-tvc", BALL, ROUNDS, 2, "start=zero");
  ofw_learner *vertex = open_learner("ofw-tvc", BALL, ROUNDS, 2, "start=vertex");
  assert_string_equal(ofw_learner_config(none), ofw_learner_config(zero));
  assert_null(strstr(ofw_learner_config(none), " start="));
  assert_non_null(strstr(ofw_learner_config(vertex), " start=vertex"));
  assert_int_equal(ofw_learner_save_state(none, &state), OFW_OK);
  assert_int_equal(ofw_learner_load_state(zero, &state), OFW_OK);
  assert_int_equal(ofw_learner_load_state(vertex, &state), OFW_BAD_DATA);
  ofw_state_free(&state);
  ofw_learner_free(none), ofw_learner_free(zero), ofw_learner_free(vertex);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_storages), cmocka_unit_test(test_a_huge_set),
      cmocka_unit_test(test_splits),   cmocka_unit_test(test_epochs_start_there_once),
      cmocka_unit_test(test_sample),   cmocka_unit_test(test_configuration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
