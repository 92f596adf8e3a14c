/* schedule.h — which ratings a round shows, and which none does
 *
 * A pass plays batches of those in play, until no whole batch is left; what is over stays out of it. Shuffled, each
 * pass has an order of its own. What is held out is chosen by the seed, whatever the order.
 */
#pragma once

#include "base/owned.h"
#include "ratings/ratings.h"

typedef struct ofw_schedule {
  size_t count, in_play, held_out, batch; /* all ratings; .. */
  uint32_t *play;                         /* those in play, as they are given; behind them those held out */
  int shuffled;                           /* each pass has another order */
  uint64_t seed;
  uint64_t pass;      /* from 1; 0: none begun yet */
  uint32_t *order;    /* its batches one after the other, each increasing */
  uint32_t *batch_of; /* room to sort them: a rating's batch, */
  size_t *next;       /* and where the next of a batch goes */
} ofw_schedule;

/* Its memory is own's. */
ofw_status ofw_schedule_open(ofw_schedule *s, ofw_owned *own, const ofw_ratings *r, int shuffled, size_t held_out,
                             size_t batch, uint64_t seed, ofw_error *err);
/* The batch of round t, in the order of its cells; valid until the next pass begins. If a batch is all that is in play, it
 * is the same for ever. */
const uint32_t *ofw_schedule_batch(ofw_schedule *s, uint64_t t);
