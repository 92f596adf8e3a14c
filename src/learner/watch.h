/* watch.h — detects a change of the losses by blocks of rounds
 *
 * Rounds are counted from the last beginning, in blocks of 32, 64, 128, .. rounds, each of two of the size below. For a block
 * of tau rounds, with sums over it:
 *
 *     F = sum grad f_t,  A = sum n_t,  a = sum (g_t(x_t)/|grad g_t| - <n_t, x_t>)       n_t = grad g_t/|grad g_t|
 *     regret <= sum <grad f_t, x_t> - min over v in K of [<F + mu A, v> + mu a]         for every mu >= 0
 *
 * against every point that keeps the block's constraints. The world has changed if the least of these is more than
 * theta D tau^(1/4) sqrt(sum |grad f_t|^2). mu = 0 is tried first, others only if that is more.
 */
#pragma once

#include "learner/method.h"

/* All of it is one array, so that a state has it or not. */
typedef struct ofw_watch {
  size_t words;
  double
      *kept; /* rounds since the beginning; for each level's block so far three sums, F and A. NULL: nobody watches */
  double *gradient; /* room for one, then for a direction */
} ofw_watch;

ofw_status ofw_watch_open(ofw_learner *l, ofw_watch *w);
void ofw_watch_begin(ofw_watch *w);
/* One more round, at x, before the learner leaves it; *changed: it ends a block that shows it. */
ofw_status ofw_watch_round(ofw_learner *l, ofw_watch *w, const ofw_round *now, int *changed);
