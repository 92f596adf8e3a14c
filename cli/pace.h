/* pace.h — shared by the files of 'ofw pace' */
#pragma once

#include "cli.h"

#include "apps/pace/pacer.h"

/* A campaign's day. */
typedef struct pace_day {
  size_t campaign;
  int64_t day;
  pacer_account account;
} pace_day;

/* A campaign's slot, as the figure needs it. */
typedef struct pace_mark {
  size_t campaign;
  double begins, multiplier, spent, planned, budget;
} pace_mark;

typedef struct pacing {
  const command *self;
  pace_budgets budgets;
  pacer *p;
  pace_table table; /* of opportunities, or of outcomes */
  pace_day *days;
  size_t n_days, days_room;
  FILE *slots; /* --slots */
  int draws;   /* --figure */
  pace_mark *marks;
  size_t n_marks, marks_room;
  double slot, day, midnight;
  int failed; /* no memory for what is kept of slots and days */
} pacing;

enum { PACE_TIME, PACE_CAMPAIGN, PACE_VALUE, PACE_COST, PACE_WON, PACE_PAID, PACE_COLUMNS };
/* An opportunity from the last line of the table. Messages name line and column. */
typedef struct pace_offer {
  double time, value;
  size_t campaign;
} pace_offer;
ofw_status pace_read_offer(const pacing *a, pace_offer *out, ofw_error *err);
/* A message of the pacer's as one of the line's. */
ofw_status pace_at_line(const pacing *a, ofw_status st, const ofw_error *why, ofw_error *err);

/* --live. 0, or an exit code after a complaint, here and below. */
int pace_live(pacing *a, const arguments *args);
/* The result, for those who read it or as JSON. */
void pace_report(const pacing *a, int as_json);
int pace_draw(const pacing *a, const char *path);
