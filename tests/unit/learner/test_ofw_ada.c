/* OFW-Ada by hand on [-1, 1], D = 2, and what it promises: no unit, no horizon, no bound changes a decision. Whole plays
 * are compared with a slow version in tests/parity. */
#include "unit/learner/hand.h"

static const char *const four[] = {"kappa=4"};

static void test_first_rounds(void **unused)
{
  (void)unused;
  hand h = open_hand("ofw-ada", 0, 0.0, 1, four);
  assert_near(decision(&h), 0.0);
  feed(&h, 0.5, NAN, 0.0); /* Gf = 1/2, B = D Gf = 1: the minimiser of x/2 + x^2/4, which takes 1/4 off */
  assert_near(decision(&h), -1.0);
  feed(&h, -0.5, NAN, 0.0); /* B = 1 + 4/4 = 2: from -1 the slope is -1/2, the curvature 1 */
  assert_near(decision(&h), -0.5);
  assert_near(info_of(&h).gap, 1.0);
  /* certain are 5/4 2 + 1/4 after round 1, 5/4 5/2 + 7/8 = 4 after round 2, so b = 4 / (Gf 2) = 4 and w = exp(q/16) */
  feed(&h, 0.0, 0.5, 1.0);
  assert_near(info_of(&h).log_price, 1.0 / 32);
  assert_near(decision(&h), -0.5 - 0.4 * exp(1.0 / 32)); /* B = 5/2: slope w/2, curvature 5/4 */
  assert_int_equal(info_of(&h).oracle_calls, 3);
  close_hand(&h);
}

static void test_strong_convexity(void **unused)
{
  (void)unused;
  hand h = open_hand("ofw-ada-sc", 0, 1.5, 1, four);
  feed(&h, 0.5, NAN, 0.0); /* x/2 + (1/4 + 3/4) x^2 */
  assert_near(decision(&h), -0.25);
  close_hand(&h);
  ofw_domain *K = make_domain("l2-ball:dim=1");
  ofw_learner_settings s = {.size = sizeof s};
  ofw_error err = {0};
  assert_null(ofw_learner_create("ofw-ada-sc", K, &s, &err));
  assert_string_equal(err.message, "ofw-ada-sc: a strong convexity above 0 is needed; for other losses use ofw-ada");
  ofw_domain_free(K);
}

/* ---- units ---- */

enum { DIM = 12, ROUNDS = 80, CONSTRAINTS = 2 };

static double any(uint64_t *x)
{
  *x = *x * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)*x / 9.3e18;
}

typedef struct game {
  const char *learner, *domain;
  double a, b; /* what losses and constraints are multiplied by */
  uint64_t horizon;
  double lipschitz;
} game;

/* The decisions of a game against noise: some rounds without a loss, some without a constraint. */
static void play(const game *g, double out[ROUNDS][DIM])
{
  ofw_domain *K = make_domain(g->domain);
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = g->horizon,
                            .lipschitz = g->lipschitz,
                            .strong_convexity = strcmp(g->learner, "ofw-ada-sc") == 0 ? 0.25 * g->a : 0.0};
  ofw_learner *l = ofw_learner_create(g->learner, K, &s, NULL);
  uint64_t seed = 5;
  assert_non_null(l);
  for (int t = 0; t < ROUNDS; t++) {
    const ofw_point *x;
    double f[DIM], c[CONSTRAINTS][DIM], value[CONSTRAINTS];
    for (int i = 0; i < DIM; i++) {
      f[i] = t % 7 < 2 ? 0.0 : g->a * (any(&seed) + 0.3);
      for (int k = 0; k < CONSTRAINTS; k++)
        c[k][i] = g->b * (any(&seed) - 0.2);
    }
    for (int k = 0; k < CONSTRAINTS; k++)
      value[k] = g->b * any(&seed);
    ofw_vec vf = ofw_vec_dense(DIM, f), vc[] = {ofw_vec_dense(DIM, c[0]), ofw_vec_dense(DIM, c[1])};
    ofw_sum sums[] = {{1, &vc[0]}, {1, &vc[1]}};
    ofw_full fb = {{g->a * any(&seed), t % 5 ? CONSTRAINTS : 0, value}, {1, &vf}, sums};
    assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
    assert_int_equal(ofw_point_dense(x, out[t]), OFW_OK);
    assert_int_equal(ofw_learner_observe(l, &fb), OFW_OK);
  }
  ofw_learner_free(l);
  ofw_domain_free(K);
}

static void assert_same(const game *g, double wanted[ROUNDS][DIM])
{
  static double got[ROUNDS][DIM];
  play(g, got);
  for (int t = 0; t < ROUNDS; t++)
    for (int i = 0; i < DIM; i++)
      if (got[t][i] != wanted[t][i])
        fail_msg("%s on %s, a = %g, b = %g: round %d, coordinate %d: %.17g, not %.17g", g->learner, g->domain, g->a,
                 g->b, t + 1, i, got[t][i], wanted[t][i]);
}

/* Powers of two, so that scaling itself rounds nothing; from 1e-10 to 1e10 and a few far beyond. */
static void test_no_unit_changes_a_bit(void **unused)
{
  (void)unused;
  static const char *const learners[] = {"ofw-ada", "ofw-ada-sc"};
  static const char *const domains[] = {"l2-ball:dim=12", "simplex:dim=12", "trace-ball:rows=4,cols=3,radius=2"};
  static const int powers[] = {-33, -20, -7, -1, 1, 9, 22, 33, -300, 300};
  static double wanted[ROUNDS][DIM];
  for (size_t i = 0; i < 2; i++)
    for (size_t d = 0; d < 3; d++) {
      play(&(game){learners[i], domains[d], 1.0, 1.0, 0, 0.0}, wanted);
      for (size_t k = 0; k < sizeof powers / sizeof *powers; k++)
        for (size_t m = 0; m < sizeof powers / sizeof *powers; m++)
          assert_same(&(game){learners[i], domains[d], exp2(powers[k]), exp2(powers[m]), 0, 0.0}, wanted);
    }
}

static void test_no_horizon_and_no_bound_is_looked_at(void **unused)
{
  (void)unused;
  static double wanted[ROUNDS][DIM];
  play(&(game){"ofw-ada", "l1-ball:dim=12", 1.0, 1.0, 0, 0.0}, wanted);
  assert_same(&(game){"ofw-ada", "l1-ball:dim=12", 1.0, 1.0, 10, 1e-3}, wanted);
  assert_same(&(game){"ofw-ada", "l1-ball:dim=12", 1.0, 1.0, 1000000, 1e3}, wanted);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_rounds),
      cmocka_unit_test(test_strong_convexity),
      cmocka_unit_test(test_no_unit_changes_a_bit),
      cmocka_unit_test(test_no_horizon_and_no_bound_is_looked_at),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
