/* lagrangian.h — shared by LPM and LBPM: gradient steps on a regularised Lagrangian by blocks of K rounds
 *
 *     L_t(x, lambda) = f_t(x) + lambda g_t^+(x) - (rho/2) lambda^2,   rho = theta eta
 *     every round    y -= eta grad_x L_t            x is played throughout the block
 *     its end        (x, y) = CIP(x, y, eps),   lambda = max(0, lambda + mu sum over the block of grad_lambda L_t)
 *
 * A method adds eta grad_x L_t, or an estimate of it, to d = x - y, and then ends the round. CIP may make `budget` calls of
 * the oracle a block, and what earlier blocks have left.
 */
#pragma once

#include "learner/method.h"

enum { OFW_PARAMS_PRACTICAL, OFW_PARAMS_THEORY };

/* The first members of a method's options. */
typedef struct ofw_lagrangian_options {
  int params;
  double step, theta, theta_scale, mu, eps;
  uint64_t block, budget;
} ofw_lagrangian_options;

/* The first members of its state. */
typedef struct ofw_lagrangian {
  /* constants */
  double eta, rho;
  /* state */
  double lambda, violation; /* the multiplier; sum of g^+ in this block */
  uint64_t calls;           /* of the oracle, that may still be made */
} ofw_lagrangian;

/* Resolves the options and sets the constants. */
ofw_status ofw_lagrangian_start(ofw_learner *l);
/* Counts the round, and ends its block if that is due. */
ofw_status ofw_lagrangian_end_round(ofw_learner *l, const ofw_round *now);
extern const ofw_field ofw_lagrangian_fields[];

/* cip.c: (x, y) = CIP(x, y, eps). Makes at most *calls calls of the oracle, and takes those made off it. If they do not suffice, x and y are as far as
 * they came, all of the above but |x - y|^2 <= 3 eps holds, and l->info.capped counts it. */
ofw_status ofw_cip(ofw_learner *l, double eps, uint64_t *calls);

#define OFW_LAGRANGIAN_ROWS                                                                                          \
  OFW_CHOICE_ROW(offsetof(ofw_lagrangian_options, params), "params", "practical", NULL, "practical|theory",          \
                 "practical: block and eps for usual horizons; theory: those of the paper, with which x "            \
                 "stays at the origin up to T = 32 400"),                                                            \
      OFW_POSITIVE_ROW(offsetof(ofw_lagrangian_options, step), "step", "1", NULL,                                    \
                       "multiplies the learning rate eta = R/(G T^(3/4))"),                                          \
      OFW_POSITIVE_ROW(offsetof(ofw_lagrangian_options, theta), "theta", NULL, "4 block G^2",                        \
                       "how fast the multiplier decays: rho = theta eta"),                                           \
      OFW_POSITIVE_ROW(offsetof(ofw_lagrangian_options, theta_scale), "theta-scale", "1", NULL, "multiplies theta"), \
      OFW_POSITIVE_ROW(offsetof(ofw_lagrangian_options, mu), "mu", NULL, "1/(20 G R T^(3/4))",                       \
                       "the multiplier's learning rate"),                                                            \
      OFW_COUNT_ROW(offsetof(ofw_lagrangian_options, block), "block", NULL,                                          \
                    "round(sqrt T); round(5 sqrt T) with params=theory", 1, 1e12, "K, rounds between updates"),      \
      OFW_POSITIVE_ROW(offsetof(ofw_lagrangian_options, eps), "eps", NULL,                                           \
                       "R^2/sqrt T; 60 R^2/sqrt T with params=theory",                                               \
                       "accuracy: the infeasible projection ends within sqrt(3 eps) of the set"),                    \
      OFW_COUNT_ROW(offsetof(ofw_lagrangian_options, budget), "budget", NULL, "block", 1, 1e15,                      \
                    "oracle calls that each block adds to the allowance, so that at most T are made; a "             \
                    "warning says when it runs out")
