/* accounts.h — constraints that each have an account and a price of their own: constraints=each and constraints=budgets
 *
 *     each      Q_i = sum g_i^+: nothing is ever paid back
 *     budgets   S_i = sum g_i over the period: what one round saves another may spend; c_i is what g_i counts for
 *
 *         c_i = g_i + gain S_i / left,  left = max(rounds left, cbrt(period))      c_i = g_i without a period
 *
 * so that what was saved or overspent is spread over the rounds that are left, and a period's last rounds do not have to
 * make good for all of it. A constraint is known by its place: every round has as many as the first that had any, or none,
 * which counts as zeros.
 */
#pragma once

#include "base/basics.h"
#include "base/visitor.h"

#include <ofw/feedback.h>

typedef struct ofw_accounts {
  int credit;      /* budgets */
  uint64_t period; /* rounds after which S_i restarts; 0: never */
  double gain;
  size_t wide;  /* numbers of a gradient, if a method keeps the sums of gradients; 0: it does not */
  size_t count; /* constraints; 0: none was seen yet */
  /* `count` numbers each */
  double *sum;    /* Q_i or S_i */
  double *over;   /* what budgets were overspent by in the periods before */
  double *level;  /* this and the next four are the method's: what the price goes by */
  double *price;  /* that the past has been multiplied by */
  double *square; /* the sum of c_i^2 */
  double *seen;   /* of how many rounds */
  double *unit;   /* log2 of what these are kept over */
  /* the method's, too */
  double *history; /* count x wide: the sums of the constraints' gradients */
  double *loss;    /* wide: that of the loss's */
  /* of this round, and no part of a state */
  double *value;  /* c_i, or g_i^+ */
  double *weight; /* the method's: what a gradient is multiplied by */
  double *room;   /* all of these */
  double *spare;  /* the same for `spare_count` constraints, not taken yet */
  size_t spare_count;
} ofw_accounts;

/* Whether a round may have so many constraints; makes room for the first that has any, and changes nothing else. */
ofw_status ofw_accounts_admit(ofw_accounts *a, const char *who, size_t constraints, ofw_error *err);
/* Round t, from 1, which was admitted. */
void ofw_accounts_add(ofw_accounts *a, uint64_t t, const ofw_values *values);
/* S_i after round t, over what the next round spreads it over; 0 after a period's last, and if there is none. */
double ofw_accounts_due(const ofw_accounts *a, uint64_t t, size_t i);
/* The largest Q_i; of budgets what one was overspent by in all periods so far, this one as it stands. */
double ofw_accounts_worst(const ofw_accounts *a);
/* ln of the mean of exp(log_of(with, i)) over all constraints, whose shares of that sum become the weights. */
double ofw_accounts_share(ofw_accounts *a, double (*log_of)(const void *with, size_t i), const void *with);
ofw_status ofw_accounts_visit(ofw_accounts *a, ofw_visitor *v);
/* Everything of `from`, which is left without; both are of the same kind. */
void ofw_accounts_move(ofw_accounts *from, ofw_accounts *to);
void ofw_accounts_close(ofw_accounts *a);
