/* units.h — games against noise in any units, for the learners that have none of their own */
#ifndef OFW_TEST_UNITS_H
#define OFW_TEST_UNITS_H

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

#endif
