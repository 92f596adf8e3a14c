/* pacer_parts.h — what a pacer is made of */
#pragma once

#include "pacer.h"

typedef struct auction {
  double value, cost;
} auction;

/* What is kept of a campaign. */
typedef struct campaign {
  double unit; /* the middle of its grid; 0: nothing has been seen yet */
  double point[PACER_POINTS];
  double multiplier; /* of this slot */
  pacer_account today;
  double value, spend; /* of this slot */
  double plan;         /* for this slot */
  size_t seen, room;   /* auctions of this slot */
  size_t loading;      /* how many of them a state that has been checked holds */
  auction *auction;
  double *share; /* [slot of a day]: the expected spend, up to a factor */
  double *curve; /* [slot of a day][point]: what each would have spent today */
} campaign;

struct pacer {
  pacer_settings s;
  const pace_budgets *budgets;
  size_t campaigns, slots; /* of a day */
  int started;
  int64_t day;
  size_t slot;    /* of the day */
  size_t planned; /* the first that no plan was made for before this slot */
  double time;    /* of the last opportunity */
  uint64_t days;
  campaign *of;
  ofw_domain *K;
  ofw_learner *l;
  char *config;
  double *x, *loss, *spend; /* the decision and the gradients, PACER_POINTS per campaign */
  double *g;
  size_t *index; /* 0, 1, .. */
  ofw_vec loss_vec, *spend_vec;
  ofw_sum *spend_sum;
  pacer_on_slot *on_slot;
  pacer_on_day *on_day;
  void *ctx;
};
