/* cap.h — a cap on the mean score of a group of items, kept by a price per user
 *
 *     g_t = mean of x_ij over i in U_t, j in S  -  cap            violation of a round: max(0, g_t)
 *
 * This is the constraint of the stream matrix-completion:constraint=exposure. U_t are the users of a round of ratings and S is the
 * group. A user's scores change within a round. So g_t is the larger of two: with the scores at each user's first prediction in the
 * round, and with those at the last one.
 *
 * Before each prediction the user's scores in S are lowered by a price d >= 0: x_ij = clip(x_ij - d a_j). d is the least number that is
 * at least 0.9 of the base price, and with which both means over all users met in this round are at most cap + slack. So a user below the
 * cap leaves credit for others, and no round violates the cap unless slack is positive: the means are within it after every prediction.
 *
 * a_j       divides the price so that it costs least: sum_j n_j (d a_j)^2 is least for a_j ~ 1 / n_j. Kept from 1/4 to 4 times the mean,
 *           computed when a round begins.
 * base      what a round would need if all of its users paid the same, averaged over rounds. Without it the first users of a round
 *           would pay for themselves alone, however high their scores are.
 */
#pragma once

#include "base/owned.h"

typedef struct cap_state {
  size_t group;                         /* items in S; 0: there is no cap */
  uint32_t *item;                       /* them */
  double *share;                        /* a_j of each of them */
  double *item_share;                   /* the same by item; 0 outside of S */
  double *scores;                       /* room for a user's scores in S */
  double cap, slack;                    /* on the scale within */
  uint64_t round;                       /* the one being played, from 1 */
  uint64_t ratings;                     /* in it so far */
  uint64_t *met;                        /* per user: the round in which it was met last; 0: never */
  double *paid, *free;                  /* per user met in this round: their mean score with their price, and without */
  double users;                         /* met in this round; sums over them: */
  double sum_first, sum_paid, sum_free; /* of paid at their first prediction; of paid; of free */
  double base;                          /* price of a user in an average round */
} cap_state;
