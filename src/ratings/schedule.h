/* schedule.h — which ratings a round shows, and which none does
 *
 * A pass plays batches of those in play, until no whole batch is left; what is over stays out of it. Shuffled, each
 * pass has an order of its own. What is held out is chosen by the seed, whatever the order.
 *
 * If ranks share the ratings, each draws the order of all of them, at 4 bytes per rating, and keeps what it has itself.
 */
#pragma once

#include "base/owned.h"
#include "ratings/ratings.h"

typedef struct ofw_schedule {
  size_t in_play, held_out, batch;         /* of all ratings, at all ranks */
  size_t before, play_here, held_out_here; /* those in play before this rank's; those that are here */
  uint32_t *play;                          /* those in play, as they are given; behind them those held out */
  int shuffled;                            /* each pass has another order */
  uint64_t seed;
  uint64_t pass;   /* from 1; 0: none begun yet */
  size_t count;    /* ratings that are here */
  uint32_t *order; /* the pass's batches one after the other, each increasing; before that the order of all in play */
  uint32_t *batch_of; /* room to sort them: a rating's batch, */
  size_t *next;       /* and where the next of a batch goes; then where a batch ends */
} ofw_schedule;

/* Its memory is own's. */
ofw_status ofw_schedule_open(ofw_schedule *s, ofw_owned *own, const ofw_ratings *r, int shuffled, size_t held_out,
                             size_t batch, uint64_t seed, ofw_error *err);
/* The batch of round t, as far as it is here: n ratings in the order of their cells; valid until the next pass begins. If a
 * batch is all that is in play, it is the same for ever. */
const uint32_t *ofw_schedule_batch(ofw_schedule *s, uint64_t t, size_t *n);
