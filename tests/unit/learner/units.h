/* units.h — games against noise in any units, for the learners that have none of their own */
#ifndef OFW_TEST_UNITS_H
#define OFW_TEST_UNITS_H

#include "learner/ada.h"
#include "unit/learner/hand.h"

enum { DIM = 12, ROUNDS = 80, CONSTRAINTS = 2 };

static inline double any(uint64_t *x)
{
  *x = *x * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)*x / 9.3e18;
}

typedef struct game {
  const char *learner, *domain;
  double a, b; /* what losses and constraints are multiplied by */
  uint64_t horizon;
  double lipschitz;
  double level; /* what is added to losses */
  int quiet;    /* so many rounds at the beginning have the same loss */
  double each;  /* above 0: a round's constraints are multiplied by a power of this as well, another in each round */
} game;

/* The decisions of a game against noise: some rounds without a loss, some without a constraint. */
static inline void play(const game *g, double out[ROUNDS][DIM])
{
  ofw_domain *K = make_domain(g->domain);
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = g->horizon,
                            .lipschitz = g->lipschitz,
                            .strong_convexity = strcmp(g->learner, "ofw-ada-sc") == 0 ? 0.25 * g->a : 0.0};
  ofw_learner *l = ofw_learner_create_over(g->learner, K, &s, NULL);
  uint64_t seed = 5;
  assert_non_null(l);
  for (int t = 0; t < ROUNDS; t++) {
    const ofw_point *x;
    double f[DIM], c[CONSTRAINTS][DIM], value[CONSTRAINTS],
        b = g->b * (g->each > 0.0 ? pow(g->each, t * 7 % 41 - 20) : 1.0);
    for (int i = 0; i < DIM; i++) {
      f[i] = t % 7 < 2 ? 0.0 : g->a * (any(&seed) + 0.3);
      for (int k = 0; k < CONSTRAINTS; k++)
        c[k][i] = b * (any(&seed) - 0.2);
    }
    for (int k = 0; k < CONSTRAINTS; k++)
      value[k] = b * any(&seed);
    ofw_vec vf = ofw_vec_dense(DIM, f), vc[] = {ofw_vec_dense(DIM, c[0]), ofw_vec_dense(DIM, c[1])};
    ofw_sum sums[] = {{1, &vc[0]}, {1, &vc[1]}};
    double loss = g->level + g->a * any(&seed);
    ofw_full fb = {{t < g->quiet ? g->level : loss, t % 5 ? CONSTRAINTS : 0, value}, {1, &vf}, sums};
    assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
    assert_int_equal(ofw_point_dense(x, out[t]), OFW_OK);
    ofw_status st = l->method->bandit ? ofw_learner_observe_values(l, &fb.values) : ofw_learner_observe(l, &fb);
    assert_int_equal(st, OFW_OK);
  }
  ofw_learner_free(l);
  ofw_domain_free(K);
}

static inline void assert_same(const game *g, double wanted[ROUNDS][DIM])
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
static inline void no_unit_changes_a_bit(const char *learner, int quiet)
{
  static const char *const domains[] = {"l2-ball:dim=12", "simplex:dim=12", "trace-ball:rows=4,cols=3,radius=2"};
  static const int powers[] = {-33, -20, -7, -1, 1, 9, 22, 33, -300, 300};
  static double wanted[ROUNDS][DIM];
  for (size_t d = 0; d < 3; d++) {
    play(&(game){learner, domains[d], 1.0, 1.0, .quiet = quiet}, wanted);
    for (size_t k = 0; k < sizeof powers / sizeof *powers; k++)
      for (size_t m = 0; m < sizeof powers / sizeof *powers; m++)
        assert_same(&(game){learner, domains[d], exp2(powers[k]), exp2(powers[m]), .quiet = quiet}, wanted);
  }
}

/* Each constraint counts by its own length: any unit of any round, to the bit if it is a power of two. */
static inline void each_round_has_its_own_unit(const char *learner)
{
  static double wanted[ROUNDS][DIM], got[ROUNDS][DIM];
  play(&(game){learner, "l2-ball:dim=12", 1.0, 1.0, .each = 0.0}, wanted);
  assert_same(&(game){learner, "l2-ball:dim=12", 1.0, 1.0, .each = 2.0}, wanted);
  play(&(game){learner, "l2-ball:dim=12", 1.0, 1.0, .each = 1.7}, got);
  for (int t = 0; t < ROUNDS; t++)
    for (int i = 0; i < DIM; i++)
      assert_true(fabs(got[t][i] - wanted[t][i]) < 1e-9);
}

/* Losses on [-1, 1] that pull to 1 and double ten times a round, from 2^-900 to 2^900, against x <= -1/2: what is reported is
 * a number, and holds. With violations Gf grows by epochs, without any it outgrows its unit in one. */
static inline void losses_of_all_lengths(const char *learner, double alpha, int violations)
{
  hand h = open_hand(learner, 0, alpha, 0, NULL);
  double regret = 0.0, violation = 0.0;
  for (int t = 1; t <= 180; t++) {
    double x = decision(&h), f = -exp2(10.0 * t - 900.0), g = x + 0.5;
    assert_true(x >= -1.0 && x <= 1.0);
    regret += f * (x + 0.5);
    violation += violations ? fmax(g, 0.0) : 0.0;
    feed(&h, f, violations ? g : NAN, 1.0);
    ofw_info info = info_of(&h);
    assert_true(isfinite(info.regret_bound) && isfinite(info.ccv_bound));
    assert_true(regret <= info.regret_bound && violation <= info.ccv_bound * (1.0 + 1e-12));
  }
  assert_true(violations ? violation > 0.0 : decision(&h) > 0.5);
  close_hand(&h);
}

/* 2000 rounds that no point of [-1, 1] keeps, which raise the price beyond all doubles, and then losses 20 times as steep: the
 * new epoch has numbers only, and nothing is reported as proved. */
static inline void an_epoch_after_the_impossible(const char *learner, double alpha)
{
  hand h = open_hand(learner, 0, alpha, 0, NULL);
  const ofw_ada *s = h.l->state;
  for (int t = 1; t <= 2100; t++) {
    double x = decision(&h);
    feed(&h, t <= 2000 ? -1.0 : -20.0, t <= 2000 ? x + 9.0 : NAN, 1.0);
  }
  ofw_info info = info_of(&h);
  assert_true(s->epochs > 0 && isfinite(s->pays) && isfinite(s->b) && isfinite(s->B));
  assert_true(isnan(info.regret_bound) && isnan(info.ccv_bound) && isnan(info.bound_failure));
  close_hand(&h);
}

/* A round after which all is as at an epoch's beginning. */
static inline void assert_begun(const ofw_ada *s, double first, double b)
{
  assert_true(s->q == 0.0 && s->A == 0.0 && s->extra == 0.0 && s->taken == 0.0 && s->left == 0.0 && s->C == 0.0);
  assert_near(s->B, first * 2.0 * ofw_ada_unit(s));
  assert_true(s->b == b);
}

/* Losses that pull to 1, and, after 20 rounds without one, constraints on [-1, 1] that pull to -1/2 in every second round,
 * and from round 60 on to both sides in turn: the price falls. From round 160 on losses are 20 times as steep. What is saved
 * after a round and loaded elsewhere plays the next one to the bit. */
static inline void epochs_of_both_kinds(const char *learner, double alpha, const char *first)
{
  const char *const set[] = {first, "kappa=5"};
  hand h = open_hand(learner, 0, alpha, 2, set), other = open_hand(learner, 0, alpha, 2, set);
  const ofw_ada *s = h.l->state;
  int by_price = 0, by_losses = 0;
  for (int t = 1; t <= 200; t++) {
    ofw_state state = {0};
    assert_int_equal(ofw_learner_save_state(h.l, &state), OFW_OK);
    assert_int_equal(ofw_learner_load_state(other.l, &state), OFW_OK);
    ofw_state_free(&state);
    double x = decision(&h), f = t < 160 ? -1.0 : -20.0, side = t > 60 && t / 3 % 2 == 0 ? -1.0 : 1.0;
    int silent = t <= 20 || (t <= 60 && t % 2);
    ofw_ada before = *s;
    feed(&h, f, silent ? NAN : side * x + 0.5, side);
    feed(&other, f, silent ? NAN : side * x + 0.5, side);
    assert_true(decision(&h) == decision(&other));
    if (t == 160) {
      assert_true(s->epochs > before.epochs && s->Gf == 20.0 && (s->since == 0.0 || s->since == 20.0));
      by_losses++;
    } else if (s->epochs != before.epochs) {
      assert_int_equal(s->epochs, before.epochs + 1);
      assert_begun(s, atof(first + strlen("first=")), 2.0 * before.b);
      by_price++;
    }
  }
  assert_int_equal(by_losses, 1);
  assert_true(by_price > 0);
  close_hand(&h);
  close_hand(&other);
}

#endif
