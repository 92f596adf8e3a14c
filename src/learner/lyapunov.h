/* lyapunov.h — Phi', the price of violation, safe for any amount of it
 *
 *     exp               Phi = exp(l q) - 1    Phi' = l exp(l q)
 *     quadratic-linear  Phi = q^2 + q         Phi' = 2 q + 1
 *     quadratic         Phi = q^2             Phi' = 2 q
 *     linear            Phi = q               Phi' = 1
 *
 * with q = beta Q, Q the violation so far. exp overflows within a few hundred rounds on real problems, so the price is
 * given by its logarithm and learners work with ratios of prices.
 */
#ifndef OFW_SRC_LYAPUNOV_H
#define OFW_SRC_LYAPUNOV_H

#include "base/basics.h"

/* Which Phi. */
typedef enum ofw_lyapunov_kind {
  OFW_LYAPUNOV_EXP,              /* exp(l q) - 1 */
  OFW_LYAPUNOV_QUADRATIC_LINEAR, /* q^2 + q */
  OFW_LYAPUNOV_QUADRATIC,        /* q^2 */
  OFW_LYAPUNOV_LINEAR            /* q */
} ofw_lyapunov_kind;

/* The same names, in that order, as an option's words. */
#define OFW_LYAPUNOV_WORDS "exp|quadratic-linear|quadratic|linear"

/* Phi with its constant. */
typedef struct ofw_lyapunov {
  ofw_lyapunov_kind kind; /* which */
  double rate;            /* l of exp */
} ofw_lyapunov;

/* ln Phi'(beta Q), for beta > 0 and Q >= 0 of any size: -infinity where Phi' = 0, never NaN, at most 1e300. */
double ofw_lyapunov_log_price(const ofw_lyapunov *phi, double beta, double Q);

#endif
