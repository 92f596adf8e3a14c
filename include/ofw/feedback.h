/* feedback.h — what a round reveals after the decision
 *
 * Numbers and, with full information, gradients at the decision that was played. A learner that may see only numbers
 * is given an ofw_values, which holds no gradient.
 */
#ifndef OFW_FEEDBACK_H
#define OFW_FEEDBACK_H

#include <ofw/vec.h>

/* A round's numbers. */
typedef struct ofw_values {
  double loss;              /* f_t(x_t) */
  size_t constraints;       /* how many; 0: none this round */
  const double *constraint; /* g_t^i(x_t); <= 0 is kept, > 0 is violated */
} ofw_values;

/* A round's numbers and gradients. */
typedef struct ofw_full {
  ofw_values values;                  /* the numbers */
  ofw_sum loss_gradient;              /* of f_t at x_t */
  const ofw_sum *constraint_gradient; /* one a constraint */
} ofw_full;

/* What is told of the coming round's constraints before it is decided: their values at the decision that was just played,
 * and their gradients there. A learner may use it or not (docs/algorithms.md). It is a struct of its own, which begins
 * with its size, because ofw_full does not: programs that were compiled before there were hints still fit. */
typedef struct ofw_hint {
  size_t size;                        /* sizeof(ofw_hint) */
  size_t constraints;                 /* how many; 0: the coming round will have none */
  const double *constraint;           /* g_(t+1)^i(x_t) */
  const ofw_sum *constraint_gradient; /* one a constraint */
} ofw_hint;

/* What gradients are made of, as far as that is known before play. */
typedef enum ofw_terms {
  OFW_TERMS_ANY,        /* not known */
  OFW_TERMS_STRUCTURED, /* sparse vectors and matrices of rank one, which a learner can keep without forming a matrix */
  OFW_TERMS_DENSE       /* others too */
} ofw_terms;

#endif
