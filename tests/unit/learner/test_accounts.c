/* Constraints that each have an account: what they add up to, what is refused, what is saved; and of ofw-ada and ofw-tvc
 * with them what the options promise. Whole plays are compared with slow versions in tests/parity. */
#include "unit/learner/units.h"

enum { MOST = 3 };

/* One round of values v, gradients e_i, loss gradient f, on a simplex of `n` numbers. */
static ofw_status told(ofw_learner *l, size_t n, const double *f, size_t m, const double *v, double unit)
{
  const ofw_point *x;
  double gradient[MOST][DIM] = {{0}};
  ofw_vec vf = ofw_vec_dense(n, f), vg[MOST];
  ofw_sum sums[MOST];
  for (size_t i = 0; i < m; i++) {
    gradient[i][i] = unit;
    vg[i] = ofw_vec_dense(n, gradient[i]);
    sums[i] = (ofw_sum){1, &vg[i]};
  }
  ofw_full fb = {{0.0, m, v}, {1, &vf}, sums};
  assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
  return ofw_learner_observe(l, &fb);
}

static ofw_learner *made(const char *name, size_t sets, const char *const *set)
{
  ofw_domain *K = make_domain("simplex:dim=4");
  ofw_learner_settings s = {.size = sizeof s, .horizon = 100, .lipschitz = 2.0, .options = sets, .option = set};
  ofw_error err = {0};
  ofw_learner *l = ofw_learner_create_over(name, K, &s, &err);
  ofw_domain_free(K);
  if (!l)
    fail_msg("%s", err.message);
  return l;
}

static double violation(ofw_learner *l)
{
  ofw_info info = {.size = sizeof info};
  assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
  return info.violation;
}

static const double slopes[4] = {-1.0, -0.5, -0.25, 0.5};
static const char *const learners[] = {"ofw-ada", "ofw-tvc"};

/* Q: without credit the largest sum of positive parts, with it the largest signed sum that is above 0. */
static void test_what_counts_as_violation(void **unused)
{
  (void)unused;
  static const char *const each[] = {"constraints=each"}, *const budgets[] = {"constraints=budgets"};
  static const double round[][2] = {{0.5, -1.0}, {-0.75, 2.0}, {1.0, -3.0}};
  static const double without[] = {0.5, 2.0, 2.0}, with[] = {0.5, 1.0, 0.75};
  for (size_t k = 0; k < 2; k++) {
    ofw_learner *a = made(learners[k], 1, each), *b = made(learners[k], 1, budgets);
    for (size_t t = 0; t < 3; t++) {
      assert_int_equal(told(a, 4, slopes, 2, round[t], 1.0), OFW_OK);
      assert_int_equal(told(b, 4, slopes, 2, round[t], 1.0), OFW_OK);
      assert_true(violation(a) == without[t]);
      assert_true(violation(b) == with[t]);
    }
    ofw_learner_free(a);
    ofw_learner_free(b);
  }
}

/* A period of 8: S is 1, -1, 3, 3, 2, 2, 2 and 4 at the end of its rounds, and 4 stays; then -5 and 1. What counts is spread
 * over the rounds that are left, 8, 7, .. 2 and then the cube root of 8. */
static void test_period(void **unused)
{
  (void)unused;
  ofw_accounts a = {.credit = 1, .period = 8, .gain = 0.5};
  static const double g[] = {1.0, -2.0, 4.0, 0.0, -1.0, 0.0, 0.0, 2.0, -5.0, 6.0};
  static const double spread[] = {0.0, 0.5 / 7, -0.5 / 6, 1.5 / 5, 1.5 / 4, 1.0 / 3, 1.0 / 2, 1.0 / 2, 0.0, -2.5 / 7};
  static const double due[] = {1.0 / 7, -1.0 / 6, 3.0 / 5, 3.0 / 4, 2.0 / 3, 2.0 / 2, 2.0 / 2, 0.0, -5.0 / 7, 1.0 / 6};
  static const double worst[] = {1.0, 0.0, 3.0, 3.0, 2.0, 2.0, 2.0, 4.0, 4.0, 5.0};
  for (uint64_t t = 1; t <= 10; t++) {
    ofw_values values = {0.0, 1, &g[t - 1]};
    assert_int_equal(ofw_accounts_admit(&a, "x", 1, NULL), OFW_OK);
    ofw_accounts_add(&a, t, &values);
    assert_near(a.value[0], g[t - 1] + spread[t - 1]);
    assert_near(ofw_accounts_due(&a, t, 0), due[t - 1]);
    assert_near(ofw_accounts_worst(&a), worst[t - 1]);
  }
  ofw_accounts_close(&a);
}

static double log_of(const void *with, size_t i)
{
  return ((const double *)with)[i];
}

/* Of prices beyond all numbers, and of none. */
static void test_shares(void **unused)
{
  (void)unused;
  ofw_accounts a = {.credit = 1};
  double none[] = {0.0, 0.0, 0.0};
  assert_int_equal(ofw_accounts_admit(&a, "x", 3, NULL), OFW_OK);
  ofw_accounts_add(&a, 1, &(ofw_values){0.0, 3, none});
  assert_near(ofw_accounts_share(&a, log_of, (double[]){5000.0, 5000.0 + log(2.0), -1e300}), 5000.0);
  assert_true(fabs(a.weight[0] - 1.0 / 3.0) < 1e-11 && fabs(a.weight[1] - 2.0 / 3.0) < 1e-11);
  assert_true(a.weight[2] == 0.0);
  assert_true(ofw_accounts_share(&a, log_of, (double[]){-INFINITY, -INFINITY, -INFINITY}) == -INFINITY);
  assert_true(a.weight[0] == 0.0 && a.weight[1] == 0.0 && a.weight[2] == 0.0);
  ofw_accounts_close(&a);
}

/* The first round that has any says how many; a refusal changes nothing, and a round without any is one of zeros. */
static void test_number_of_constraints(void **unused)
{
  (void)unused;
  static const char *const sets[][1] = {{"constraints=each"}, {"constraints=budgets"}};
  static const double v[] = {0.5, -0.25, 0.125}, zero[3] = {0.0, 0.0, 0.0};
  for (size_t k = 0; k < 4; k++) {
    ofw_learner *l = made(learners[k / 2], 1, sets[k % 2]), *other = made(learners[k / 2], 1, sets[k % 2]);
    ofw_state before = {0}, after = {0};
    char wanted[128];
    snprintf(wanted, sizeof wanted, "%s: %s: expected 2 constraints, as in the rounds before, found 3", learners[k / 2],
             sets[k % 2][0]);
    assert_int_equal(told(l, 4, slopes, 0, NULL, 1.0), OFW_OK);
    assert_int_equal(told(l, 4, slopes, 2, v, 1.0), OFW_OK);
    double x[4];
    assert_int_equal(ofw_learner_ask(l, x), OFW_OK);
    assert_int_equal(ofw_learner_save_state(l, &before), OFW_OK);
    assert_int_equal(told(l, 4, slopes, 3, v, 1.0), OFW_BAD_DATA);
    assert_string_equal(ofw_learner_error(l), wanted);
    assert_int_equal(ofw_learner_save_state(l, &after), OFW_OK);
    assert_true(before.size == after.size && memcmp(before.bytes, after.bytes, after.size) == 0);
    assert_int_equal(ofw_learner_load_state(other, &before), OFW_OK);
    assert_int_equal(told(l, 4, slopes, 0, NULL, 1.0), OFW_OK);
    assert_int_equal(told(other, 4, slopes, 2, zero, 0.0), OFW_OK);
    double left[4], right[4];
    assert_int_equal(ofw_learner_ask(l, left), OFW_OK);
    assert_int_equal(ofw_learner_ask(other, right), OFW_OK);
    assert_memory_equal(left, right, sizeof left);
    ofw_state_free(&before);
    ofw_state_free(&after);
    ofw_learner_free(l);
    ofw_learner_free(other);
  }
}

static void refused_with(const char *name, const char *set, ofw_status status, const char *why)
{
  ofw_domain *K = make_domain("l2-ball:dim=3");
  const char *const sets[] = {set};
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = 100,
                            .lipschitz = 1.0,
                            .loss_bound = 1.0,
                            .strong_convexity = 1.0,
                            .options = 1,
                            .option = sets};
  ofw_error err = {0};
  char wanted[128];
  snprintf(wanted, sizeof wanted, "%s: %s", name, why);
  assert_null(ofw_learner_create_over(name, K, &s, &err));
  assert_int_equal(err.status, status);
  assert_string_equal(err.message, wanted);
  ofw_domain_free(K);
}

static void test_other_learners_refuse(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_learner_types(); i++) {
    const char *name = ofw_learner_type(i)->name;
    refused_with(name, "period=10", OFW_USAGE, "period needs constraints=budgets");
    if (strcmp(name, "ofw-ada") == 0 || strcmp(name, "ofw-tvc") == 0)
      continue;
    refused_with(name, "constraints=each", OFW_UNSUPPORTED, "constraints=each works only with ofw-ada and ofw-tvc");
    refused_with(name, "constraints=budgets", OFW_UNSUPPORTED,
                 "constraints=budgets works only with ofw-ada and ofw-tvc");
  }
  refused_with("ofw-ada", "period=1", OFW_USAGE, "period=1 is not in [2, 1e+12]");
}

/* ---- units ---- */

/* A play against noise of losses times a and two constraints times b[0] and b[1]; the decisions. */
static void play_in(const char *name, size_t sets, const char *const *set, double a, const double b[2],
                    double out[ROUNDS][DIM])
{
  ofw_domain *K = make_domain("simplex:dim=12");
  ofw_learner_settings s = {.size = sizeof s, .horizon = 100, .lipschitz = 4.0, .options = sets, .option = set};
  ofw_learner *l = ofw_learner_create_over(name, K, &s, NULL);
  uint64_t seed = 9;
  assert_non_null(l);
  for (int t = 0; t < ROUNDS; t++) {
    const ofw_point *x;
    double f[DIM], c[2][DIM], value[2];
    for (int i = 0; i < DIM; i++) {
      f[i] = t % 7 < 1 ? 0.0 : a * (any(&seed) + 0.3);
      for (int k = 0; k < 2; k++)
        c[k][i] = b[k] * (any(&seed) - 0.2);
    }
    for (int k = 0; k < 2; k++)
      value[k] = b[k] * (any(&seed) + 0.1);
    ofw_vec vf = ofw_vec_dense(DIM, f), vc[] = {ofw_vec_dense(DIM, c[0]), ofw_vec_dense(DIM, c[1])};
    ofw_sum sums[] = {{1, &vc[0]}, {1, &vc[1]}};
    ofw_full fb = {{0.0, t % 5 ? 2 : 0, value}, {1, &vf}, sums};
    assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
    assert_int_equal(ofw_point_dense(x, out[t]), OFW_OK);
    assert_int_equal(ofw_learner_observe(l, &fb), OFW_OK);
  }
  ofw_learner_free(l);
  ofw_domain_free(K);
}

/* Any unit of the loss and of each constraint: to the bit for powers of two, to rounding for others. */
static void test_no_unit(void **unused)
{
  (void)unused;
  static const char *const sets[][2] = {
      {"constraints=budgets"}, {"constraints=budgets", "period=10"}, {"constraints=each"}};
  static const double units[][3] = {{0x1p40, 0x1p-33, 8.0}, {0x1p-200, 0x1p-90, 0x1p200}, {3.7, 1e-5, 41.0}};
  static double wanted[ROUNDS][DIM], got[ROUNDS][DIM];
  for (size_t k = 0; k < 3; k++) {
    play_in("ofw-ada", k == 1 ? 2 : 1, sets[k], 1.0, (double[]){1.0, 1.0}, wanted);
    assert_true(memcmp(wanted[ROUNDS - 1], wanted[0], sizeof wanted[0]) != 0);
    for (size_t u = 0; u < 3; u++) {
      play_in("ofw-ada", k == 1 ? 2 : 1, sets[k], units[u][0], &units[u][1], got);
      for (int t = 0; t < ROUNDS; t++)
        for (int i = 0; i < DIM; i++)
          if (u < 2 ? got[t][i] != wanted[t][i] : !(fabs(got[t][i] - wanted[t][i]) < 1e-9))
            fail_msg("%s, units %zu: round %d, coordinate %d: %.17g, not %.17g", sets[k][0], u, t + 1, i, got[t][i],
                     wanted[t][i]);
    }
  }
}

/* Losses and budgets that grow and shrink beyond all measure: decisions stay in the set, and nothing fails. */
static void test_growth(void **unused)
{
  (void)unused;
  static const char *const sets[][2] = {
      {"constraints=budgets"}, {"constraints=budgets", "period=10"}, {"constraints=each"}};
  static const double f_scale[] = {1e-280, 1e-150, 1e250, 1e-20, 1e280}, g_scale[] = {1e-250, 1.0, 1e200, 1e-100};
  for (size_t k = 0; k < 3; k++) {
    ofw_learner *l = made("ofw-ada", k == 1 ? 2 : 1, sets[k]);
    uint64_t seed = 11;
    for (int t = 0; t < 60; t++) {
      double f[4], x[4], g[2], unit = g_scale[t / 5 % 4], sum = 0.0;
      for (int i = 0; i < 4; i++)
        f[i] = f_scale[t / 7 % 5] * any(&seed);
      g[0] = unit * any(&seed);
      g[1] = unit * any(&seed);
      assert_int_equal(told(l, 4, f, 2, g, unit), OFW_OK);
      assert_int_equal(ofw_learner_ask(l, x), OFW_OK);
      for (int i = 0; i < 4; i++) {
        assert_true(x[i] >= -1e-12);
        sum += x[i];
      }
      assert_true(fabs(sum - 1.0) < 1e-9);
    }
    ofw_learner_free(l);
  }
}

/* ---- what budgets are for ---- */

/* Two goods, of value 1 and 1/2 a unit; the first costs 1, and its plan is 0.4 a round. In half of the rounds it costs twice
 * that. Each of its units is worth more than the other's: 0.4/1.5 of it is best on average. */
static void test_a_budget_is_spent(void **unused)
{
  (void)unused;
  static const char *const sets[][2] = {{"constraints=budgets"}, {"constraints=budgets", "period=50"}};
  enum { T = 4000 };
  for (size_t k = 0; k < 2; k++) {
    ofw_domain *K = make_domain("simplex:dim=2");
    ofw_learner_settings s = {.size = sizeof s, .options = k + 1, .option = sets[k]};
    ofw_learner *l = ofw_learner_create_over("ofw-ada", K, &s, NULL);
    double spent = 0.0, value = 0.0, x[2];
    uint64_t seed = 3;
    assert_non_null(l);
    for (int t = 0; t < T; t++) {
      double cost = any(&seed) > 0.0 ? 1.0 : 2.0, f[] = {-1.0, -0.5}, n[] = {cost, 0.0};
      assert_int_equal(ofw_learner_ask(l, x), OFW_OK);
      value += x[0] + 0.5 * x[1];
      spent += cost * x[0];
      assert_int_equal(ofw_learner_tell(l, -(x[0] + 0.5 * x[1]), f, cost * x[0] - 0.4, n), OFW_OK);
    }
    assert_true(spent < 1.01 * 0.4 * T && spent > 0.97 * 0.4 * T);
    assert_true(value > 0.98 * T * (0.5 + 0.5 * 0.4 / 1.5));
    ofw_learner_free(l);
    ofw_domain_free(K);
  }
}

/* Without any loss a budget is kept all the same. */
static void test_no_loss(void **unused)
{
  (void)unused;
  static const char *const set[] = {"constraints=budgets"};
  ofw_learner *l = made("ofw-ada", 1, set);
  double x[4], none[4] = {0.0, 0.0, 0.0, 0.0}, n[] = {1.0, 1.0, -1.0, 2.0};
  for (int t = 0; t < 20; t++) {
    assert_int_equal(ofw_learner_ask(l, x), OFW_OK);
    assert_int_equal(ofw_learner_tell(l, 0.0, none, x[0] + x[1] - x[2] + 2.0 * x[3], n), OFW_OK);
  }
  assert_true(x[2] > 0.9 && violation(l) == 0.0);
  ofw_learner_free(l);
}

/* One constraint alone: each is what max is. */
static void test_one_constraint(void **unused)
{
  (void)unused;
  static const char *const each[] = {"constraints=each"};
  for (size_t k = 0; k < 2; k++) {
    ofw_learner *one = made(learners[k], 0, NULL), *several = made(learners[k], 1, each);
    for (int t = 0; t < 40; t++) {
      double left[4], right[4], g = t % 3 ? 0.1 : -0.2;
      assert_int_equal(ofw_learner_ask(one, left), OFW_OK);
      assert_int_equal(ofw_learner_ask(several, right), OFW_OK);
      for (int i = 0; i < 4; i++)
        assert_true(fabs(left[i] - right[i]) < 1e-12);
      assert_int_equal(told(one, 4, slopes, 1, &g, 1.0), OFW_OK);
      assert_int_equal(told(several, 4, slopes, 1, &g, 1.0), OFW_OK);
    }
    ofw_learner_free(one);
    ofw_learner_free(several);
  }
}

/* Three times the same constraint has the prices of one, and bounds that know of three. */
static void test_bound_of_each(void **unused)
{
  (void)unused;
  static const char *const each[] = {"constraints=each"};
  ofw_domain *K = make_domain("l2-ball:dim=1");
  ofw_learner_settings s = {.size = sizeof s, .options = 1, .option = each};
  ofw_learner *l[2] = {ofw_learner_create_over("ofw-ada", K, &s, NULL),
                       ofw_learner_create_over("ofw-ada", K, &s, NULL)};
  double f = -0.5, slope = 2.0, g[] = {1.0, 1.0, 1.0};
  ofw_vec vf = ofw_vec_dense(1, &f), vg = ofw_vec_dense(1, &slope);
  ofw_sum sums[] = {{1, &vg}, {1, &vg}, {1, &vg}};
  for (int t = 0; t < 9; t++)
    for (size_t k = 0; k < 2; k++) {
      const ofw_point *x;
      ofw_full fb = {{0.0, k ? 3 : 1, g}, {1, &vf}, sums};
      assert_int_equal(ofw_learner_decide(l[k], &x), OFW_OK);
      assert_int_equal(ofw_learner_observe(l[k], &fb), OFW_OK);
    }
  const ofw_ada *one = l[0]->state, *three = l[1]->state;
  assert_near(three->b, one->b);
  assert_near(three->log_w, one->log_w);
  assert_near(three->reach - one->reach, 1.5 * one->b * log(3.0) / (one->since * exp2(-one->shift)));
  ofw_learner_free(l[0]);
  ofw_learner_free(l[1]);
  ofw_domain_free(K);
}

/* A saved state of another number of constraints is loaded; one whose accounts do not fit is refused and changes nothing. */
static void test_states(void **unused)
{
  (void)unused;
  static const char *const set[] = {"constraints=budgets", "period=5"};
  static const double v[] = {0.5, -0.25, 0.125};
  ofw_learner *l = made("ofw-ada", 2, set), *other = made("ofw-ada", 2, set);
  ofw_state empty = {0}, full = {0};
  double left[4], right[4];
  assert_int_equal(ofw_learner_save_state(l, &empty), OFW_OK);
  for (int t = 0; t < 7; t++) {
    assert_int_equal(told(l, 4, slopes, 3, v, 2.0), OFW_OK);
    assert_int_equal(told(other, 4, slopes, 2, v, 1.0), OFW_OK);
  }
  assert_int_equal(ofw_learner_save_state(l, &full), OFW_OK);
  assert_int_equal(ofw_learner_load_state(other, &full), OFW_OK);
  for (int t = 0; t < 7; t++) {
    assert_int_equal(told(l, 4, slopes, 3, v, 2.0), OFW_OK);
    assert_int_equal(told(other, 4, slopes, 3, v, 2.0), OFW_OK);
    assert_int_equal(ofw_learner_ask(l, left), OFW_OK);
    assert_int_equal(ofw_learner_ask(other, right), OFW_OK);
    assert_memory_equal(left, right, sizeof left);
    assert_true(violation(l) == violation(other));
  }
  assert_int_equal(ofw_learner_load_state(other, &empty), OFW_OK);
  assert_int_equal(told(other, 4, slopes, 2, v, 1.0), OFW_OK);
  ofw_state_free(&empty);
  ofw_state_free(&full);
  ofw_learner_free(l);
  ofw_learner_free(other);
}

/* Where the horizon is not known, accounts go on from one epoch to the next, and a state of any epoch can be loaded. */
static void test_epochs(void **unused)
{
  (void)unused;
  static const char *const set[] = {"constraints=budgets", "period=500"};
  ofw_domain *K = make_domain("simplex:dim=4");
  ofw_learner_settings s = {.size = sizeof s, .lipschitz = 2.0, .options = 2, .option = set};
  ofw_learner *l = ofw_learner_create_over("ofw-tvc", K, &s, NULL), *other;
  static const double v[] = {0.5, -0.25};
  double left[4], right[4];
  for (int t = 1; t <= 300; t++) {
    assert_int_equal(told(l, 4, slopes, 2, v, 1.0), OFW_OK);
    assert_true(violation(l) == 0.5 * t);
    if (t != 70 && t != 256)
      continue;
    ofw_state state = {0};
    other = ofw_learner_create_over("ofw-tvc", K, &s, NULL);
    assert_int_equal(ofw_learner_save_state(l, &state), OFW_OK);
    assert_int_equal(ofw_learner_load_state(other, &state), OFW_OK);
    assert_int_equal(told(l, 4, slopes, 2, v, 1.0), OFW_OK);
    assert_int_equal(told(other, 4, slopes, 2, v, 1.0), OFW_OK);
    t++;
    assert_int_equal(ofw_learner_ask(l, left), OFW_OK);
    assert_int_equal(ofw_learner_ask(other, right), OFW_OK);
    assert_memory_equal(left, right, sizeof left);
    ofw_state_free(&state);
    ofw_learner_free(other);
  }
  ofw_learner_free(l);
  ofw_domain_free(K);
}

typedef struct offered {
  const uint64_t *word;
  size_t words;
  ofw_error err;
} offered;

static ofw_status offer(void *ctx, const char *name, const ofw_packed *item)
{
  offered *o = ctx;
  assert_string_equal(name, "accounts");
  return item->check(item->object, o->word, o->words, &o->err);
}

/* A state's accounts are hostile until they are checked. */
static void test_hostile_accounts(void **unused)
{
  (void)unused;
  static const uint64_t words[64] = {2}, many[64] = {UINT64_MAX}, most[64] = {UINT64_C(1) << 62};
  static const struct {
    const uint64_t *word;
    size_t words;
  } bad[] = {{words, 0}, {words, 1}, {words, 23}, {words, 25}, {many, 64}, {most, 64}, {many, 1}};
  ofw_accounts a = {.credit = 1, .wide = 3};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    offered o = {bad[k].word, bad[k].words, {0}};
    ofw_visitor v = {NULL, &o, offer};
    assert_int_equal(ofw_accounts_visit(&a, &v), OFW_BAD_DATA);
    assert_non_null(strstr(o.err.message, "the state's accounts are not "));
    assert_true(a.count == 0 && !a.room && !a.spare);
  }
  offered good = {words, 1 + 7 * 2 + 3 * 3, {0}};
  ofw_visitor v = {NULL, &good, offer};
  assert_int_equal(ofw_accounts_visit(&a, &v), OFW_OK);
  ofw_accounts_close(&a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_counts_as_violation),
      cmocka_unit_test(test_period),
      cmocka_unit_test(test_shares),
      cmocka_unit_test(test_number_of_constraints),
      cmocka_unit_test(test_other_learners_refuse),
      cmocka_unit_test(test_no_unit),
      cmocka_unit_test(test_growth),
      cmocka_unit_test(test_a_budget_is_spent),
      cmocka_unit_test(test_no_loss),
      cmocka_unit_test(test_one_constraint),
      cmocka_unit_test(test_bound_of_each),
      cmocka_unit_test(test_states),
      cmocka_unit_test(test_epochs),
      cmocka_unit_test(test_hostile_accounts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
