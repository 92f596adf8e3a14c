/* pacer.h — bid multipliers that spend daily budgets well
 *
 * Time is cut into slots. At the start of a slot every campaign gets a multiplier m; an opportunity of value v is bid on with m v. In a
 * second-price auction the cost that a bid has to reach tells what every other multiplier would have won and paid, so a slot reveals
 * the value and the spend of a whole grid of multipliers. A learner decides over mixtures of them, a simplex per campaign:
 *
 *     f_t(x) = -sum_c <V_tc, x_c>            what the mixture wins
 *     g_tc(x) = <S_tc, x_c> - plan_tc        a budget per campaign: what it spends above the plan, signed
 *
 * Played is the geometric mean of the grid under the mixture. The plan spreads what remains of the day's budget over the slots that
 * remain, in proportion to what one multiplier would have spent in them on the days before.
 */
#pragma once

#include "pace_budgets.h"

#include "persist/walk.h"

#include <ofw/learner.h>

typedef struct pacer_settings {
  double slot, day;    /* seconds; a day is one to OFW_MOST_SLOTS slots */
  double midnight;     /* when a day begins, in seconds behind a multiple of `day` */
  double first;        /* the multiplier of a campaign of which nothing has been seen yet */
  int profit;          /* 1: what is won is value minus cost; 0: value */
  int guard;           /* 1: no bid is above what remains of the day's budget */
  const char *learner; /* its name */
  size_t options;      /* of the learner, each as "key=value"; only read by pacer_create */
  const char *const *option;
} pacer_settings;

enum { PACER_POINTS = 33 };

/* The results of a campaign's day, or of all its days. */
typedef struct pacer_account {
  uint64_t opportunities, won;
  double value, spend, budget, over; /* over: of spend above the budget */
} pacer_account;

typedef struct pacer pacer;

/* A slot that is over, of one campaign. */
typedef struct pacer_slot {
  size_t campaign;
  double begins;     /* in seconds */
  double multiplier; /* that was played */
  double value, spend, plan;
  double spent, planned; /* of the day up to the end of the slot; planned as at the day's beginning */
  double budget;         /* of the day */
} pacer_slot;
typedef void pacer_on_slot(void *ctx, const pacer_slot *slot);
/* A campaign's day that is over. */
typedef void pacer_on_day(void *ctx, size_t campaign, int64_t day, const pacer_account *account);

/* The budgets stay the caller's, as long as the pacer is used. NULL: err says why. */
pacer *pacer_create(const pacer_settings *s, const pace_budgets *budgets, ofw_error *err);
void pacer_free(pacer *p);
/* Who is told of slots and days that are over; either may be NULL. */
void pacer_listen(pacer *p, pacer_on_slot *slot, pacer_on_day *day, void *ctx);

/* The bid on an opportunity. Time never goes back. OFW_BAD_DATA: it does, or the campaign has no budget that day; nothing
 * has changed then. */
ofw_status pacer_bid(pacer *p, double time, size_t campaign, double value, double *multiplier, double *bid,
                     ofw_error *err);
/* What came of it: the cost that a bid had to reach, whether it was won, and what was paid if so. */
ofw_status pacer_outcome(pacer *p, size_t campaign, double value, double cost, int won, double paid, ofw_error *err);
/* Ends the slot and the day that are open. */
ofw_status pacer_finish(pacer *p, ofw_error *err);
/* How it is configured, with the learner. */
const char *pacer_config(const pacer *p);

/* Bit for bit: a loaded one goes on as the saved one would have, with the budgets that it had for a day that has begun. Loading
 * needs the settings of the saved one, and its campaigns in the same order; what does not fit is refused and changes nothing.
 * `more` (NULL: nothing) is kept with it, by a walk of its own. */
ofw_status pacer_save(pacer *p, const ofw_saved *more, ofw_state *state, ofw_error *err);
ofw_status pacer_load(pacer *p, const ofw_saved *more, const ofw_state *state, ofw_error *err);
