/* still.c — the learner that stays where it starts
 *
 * Problem   any losses and constraints over any set
 * Feedback  full information, of which only the numbers are counted
 * Oracle    none
 * Promise   none: what another learner does not beat, it has not learned
 */
#include "learner/method.h"

#include <math.h>

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  (void)l, (void)now;
  return OFW_OK;
}

static ofw_status start(ofw_learner *l)
{
  l->info.log_price = -INFINITY;
  return OFW_OK;
}

static const ofw_option options[] = {{0}};

const ofw_method ofw_still_method = {
    .type = {.name = "still", .summary = "repeats the first decision; every learner must beat it", .options = options},
    .start = start,
    .observe = observe,
};
