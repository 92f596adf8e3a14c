/* price.h — prices and guesses of the gradient bound that cannot overflow, for the methods that share them
 *
 * The price of violation is w = Phi'(q), q = beta Q, Q the violation so far:
 *
 *     exp               Phi = exp(l q) - 1    Phi' = l exp(l q)
 *     quadratic-linear  Phi = q^2 + q         Phi' = 2 q + 1
 *     quadratic         Phi = q^2             Phi' = 2 q
 *     linear            Phi = q               Phi' = 1
 *
 * exp overflows within a few hundred rounds on real problems, so prices are given by their logarithms, and learners work
 * with ratios: rho = w / gamma is the price relative to the loss.
 */
#pragma once

#include "learner/method.h"

#include <math.h>

/* 2^e: the bits of exp2, in a fraction of its time if e is whole, as exponents of units are. */
static inline double ofw_two_to(double e)
{
  if (!(fabs(e) < 1022.0) || (double)(int)e != e)
    return e > 1100.0 ? (double)INFINITY : e < -1100.0 ? 0.0 : exp2(e);
  union {
    uint64_t word;
    double number;
  } two = {.word = (uint64_t)(1023 + (int)e) << 52};
  return two.number;
}

/* x 2^e for a whole e, rounded once. Beyond 2200 all but 0 is infinite, or 0. Of two steps one at most rounds: what the first leaves of
 * digits below all doubles, the second takes to 0. */
static inline double ofw_times_two_to(double x, double e)
{
  if (x == 0.0)
    return x;
  if (fabs(e) < 1022.0 || fabs(e) > 2200.0)
    return x * ofw_two_to(e);
  double half = (double)((int)e / 2);
  return fabs(e) < 2042.0 ? x * ofw_two_to(half) * ofw_two_to(e - half) : ldexp(x, (int)e);
}

/* Which Phi; as an option's words, in the same order. */
typedef enum ofw_lyapunov_kind {
  OFW_LYAPUNOV_EXP,
  OFW_LYAPUNOV_QUADRATIC_LINEAR,
  OFW_LYAPUNOV_QUADRATIC,
  OFW_LYAPUNOV_LINEAR
} ofw_lyapunov_kind;
#define OFW_LYAPUNOV_WORDS "exp|quadratic-linear|quadratic|linear"

typedef struct ofw_lyapunov {
  ofw_lyapunov_kind kind;
  double rate, log_rate; /* l of exp, and ln l */
} ofw_lyapunov;
ofw_lyapunov ofw_lyapunov_of(ofw_lyapunov_kind kind, double rate);

/* ln Phi'(beta Q), for beta > 0 and Q >= 0 of any size: -infinity if Phi' = 0, never NaN, at most 1e300. */
double ofw_lyapunov_log_price(const ofw_lyapunov *phi, double beta, double Q);

/* w = Phi'(beta Q) and rho = w / gamma; all of it constants. */
typedef struct ofw_price {
  ofw_lyapunov phi;
  double beta, gamma, log_gamma;
} ofw_price;
ofw_price ofw_price_of(int lyapunov, double lambda, double beta, double gamma);
/* ln rho at this Q; ln w goes into the account. */
double ofw_price_at(ofw_learner *l, const ofw_price *p, double Q);

/* 1/(1 + rho) and rho/(1 + rho), and log2(1 + rho). All of it 0: of no rho yet. */
typedef struct ofw_shares {
  double log_rho, f, g, log2_total;
} ofw_shares;
/* Those of this rho. They stay as they are in rounds that keep the constraint, since the price does. */
void ofw_shares_at(ofw_shares *s, double log_rho);

/* size / 2^exponent for a method that carries d over 2^exponent, after raising the exponent (and lowering d) if the
 * size of what is added to d has outgrown it; the size is given by its logarithm. The exponent is whole, and a double
 * because it may exceed any integer. */
double ofw_scaled(ofw_learner *l, double log_size, double *exponent);
/* How many octaves a size may grow by before d is scaled down for it. */
double ofw_scale_room(const ofw_learner *l);

/* max(0, (1 - decay) lambda + rise): the multiplier of the primal-dual methods, whatever the sizes */
double ofw_multiplier(double lambda, double decay, double rise);

/* Options that several methods have; `at` is the field's offset. */
#define OFW_LYAPUNOV_ROW(at, value) \
  OFW_CHOICE_ROW(at, "lyapunov", value, NULL, OFW_LYAPUNOV_WORDS, "Phi, whose slope is the price of violation")
#define OFW_LAMBDA_ROW(at) \
  OFW_POSITIVE_ROW(at, "lambda", NULL, "T^(-3/4)/2", "the rate in Phi = exp(lambda x) - 1, with lyapunov=exp")
#define OFW_BETA_ROW(at, formula) OFW_POSITIVE_ROW(at, "beta", NULL, formula, "how fast the price rises with violation")
#define OFW_BETA_SCALE_ROW(at)    OFW_POSITIVE_ROW(at, "beta-scale", "1", NULL, "multiplies beta")
#define OFW_GAMMA_SCALE_ROW(at)   OFW_POSITIVE_ROW(at, "gamma-scale", "1", NULL, "multiplies gamma")
/* gamma of the exponential methods, which may be `lambda` */
#define OFW_GAMMA_LAMBDA (-1.0)
#define OFW_GAMMA_EXP_ROW(at)                                                                 \
  {                                                                                           \
    "gamma", OFW_REAL, NULL, "1", "lambda", 1e-300, 1e300,                                    \
        "the weight of the loss relative to the price; with gamma=lambda the relative price " \
        "starts at 1 and the guarantee holds",                                                \
        at                                                                                    \
  }
/* gamma of the strongly convex methods */
#define OFW_GAMMA_SC_ROW(at) \
  OFW_POSITIVE_ROW(at, "gamma", NULL, "G/(G + alpha D)", "the weight of the loss relative to the price")
/* where a bandit method takes its price */
enum { OFW_PRICE_CURRENT, OFW_PRICE_PREVIOUS };
#define OFW_PRICE_ROW(at)                                                                                       \
  OFW_CHOICE_ROW(at, "price", "current", NULL, "current|previous",                                              \
                 "current: the price at Q_t, which depends on the probe; previous: at Q_(t-1), which does not " \
                 "(docs/errata.md, 7)")
