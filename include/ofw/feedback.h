/* feedback.h — what a round reveals after the decision
 *
 * Numbers and, with full information, gradients at the decision. A bandit learner gets an ofw_values, which has no
 * gradients.
 */
#ifndef OFW_FEEDBACK_H
#define OFW_FEEDBACK_H

#include <ofw/vec.h>

/* A round's numbers. */
typedef struct ofw_values {
  double loss;              /* f_t(x_t) */
  size_t constraints;       /* number of constraints; 0: none in this round */
  const double *constraint; /* g_t^i(x_t); <= 0: satisfied, > 0: violated */
} ofw_values;

/* A round's numbers and gradients. */
typedef struct ofw_full {
  ofw_values values;                  /* the numbers */
  ofw_sum loss_gradient;              /* of f_t at x_t */
  const ofw_sum *constraint_gradient; /* one per constraint */
} ofw_full;

/* A hint about the constraints of the coming round, before it is decided: their values and gradients at the decision that
 * was just played. A learner may use it or not (docs/algorithms.md). It is a separate struct that begins with its size,
 * because ofw_full does not: programs compiled before there were hints still work. */
typedef struct ofw_hint {
  size_t size;                        /* sizeof(ofw_hint) */
  size_t constraints;                 /* number of constraints; 0: the coming round has none */
  const double *constraint;           /* g_(t+1)^i(x_t) */
  const ofw_sum *constraint_gradient; /* one per constraint */
} ofw_hint;

/* The form of the gradients, as far as it is known before play. */
typedef enum ofw_terms {
  OFW_TERMS_ANY,        /* not known */
  OFW_TERMS_STRUCTURED, /* sparse vectors and matrices of rank one, which a learner can store without forming a matrix */
  OFW_TERMS_DENSE       /* others too */
} ofw_terms;

#endif
