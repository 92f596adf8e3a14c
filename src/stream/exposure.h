/* exposure.h — a cap on the score that a group of items is predicted to get
 *
 *     g_t(X) = weight (mean of X_ij over i in U_t, j in S  -  cap_t)       cap_t = cap (1 + swing sin(2 pi t / period))
 *
 * U_t are the users of the round's batch. S, the group, are the items rated most often: they are what everybody would be
 * shown, and a cap on them leaves room for the others. Its gradient is the rank-one matrix weight (1_U / |U|)(1_S / |S|)',
 * of length weight / sqrt(|U| |S|). As cap_t > 0, X = 0 keeps the constraint of every round.
 */
#pragma once

#include "ratings/ratings.h"
#include "ratings/schedule.h"
#include "stream/generator.h"

typedef struct ofw_exposure {
  size_t users, items, group; /* group: |S|; users: those that are here */
  const ofw_ranks *ranks;     /* that share the users; NULL: none */
  double cap, swing, period, weight;
  double *u, *v; /* 1_U / |U| of this round, 1_S / |S| */
  double value;  /* g_t at the decision */
  ofw_vec term;
  ofw_sum gradient;
} ofw_exposure;

/* e holds cap, swing, period and weight already, its memory is own's; the group are the `share` of the items rated most often in play. */
ofw_status ofw_exposure_open(ofw_exposure *e, ofw_owned *own, const ofw_ratings *r, const ofw_schedule *s, double share,
                             ofw_error *err);
/* The batch of the rounds to come: n cells, in increasing order, as far as they are here. */
void ofw_exposure_show(ofw_exposure *e, size_t n, const size_t *cell);
/* Round t at x into the constraint part of out. */
ofw_status ofw_exposure_reveal(ofw_exposure *e, uint64_t t, const ofw_point *x, ofw_full *out);
