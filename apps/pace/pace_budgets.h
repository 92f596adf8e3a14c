/* pace_budgets.h — the campaigns and their budgets per day */
#pragma once

#include "pace_table.h"

#include "base/limits.h"

/* Amounts of one campaign: of single days, sorted by day, and of all others. */
typedef struct pace_campaign {
  char *name;
  double every; /* of a day that has no row of its own; NaN: none */
  size_t days, room;
  struct {
    int64_t day;
    double amount;
  } * on;
} pace_campaign;

typedef struct pace_budgets {
  size_t campaigns, room, rows;
  pace_campaign *campaign; /* in the order in which they were named */
  size_t *sorted;          /* their places, by name */
  size_t sorted_room;
} pace_budgets;

/* A campaign's budget of every day: "NAME=AMOUNT". */
ofw_status pace_budgets_add(pace_budgets *b, const char *text, ofw_error *err);
/* A line of a table with the columns campaign, budget and perhaps day. */
ofw_status pace_budgets_line(pace_budgets *b, pace_table *t, char *line, size_t length, ofw_error *err);
/* The table that pace_budgets_line reads. */
pace_table pace_budgets_table(const char *where);
/* Where a campaign is; `campaigns`: it is not there. */
size_t pace_budgets_find(const pace_budgets *b, const char *name);
/* What a campaign may spend on a day; NaN: nothing is said of it. */
double pace_budgets_on(const pace_campaign *c, int64_t day);
void pace_budgets_free(pace_budgets *b);
