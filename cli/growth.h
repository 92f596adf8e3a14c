/* growth.h — the parts of ofw growth: the plan and the report */
#pragma once

#include "analysis.h"
#include "compose.h"

#include "base/owned.h"

enum { MOST_HORIZONS = 32, MOST_CONSTANTS = 16, LONGEST_NAME = 120 };
enum { MOST_PAIRS = LONGEST_NAME / 4 + 1 }; /* "a=1+b=2" */

/* What was asked for and cannot be played. */
typedef struct left_out {
  const char *what, *why;
} left_out;

/* An arm's growth. */
typedef struct growth_row {
  const lab_measured *of;
  const char *constants; /* "theorem", "gamma=lambda", "tight", "tuned" */
  lab_growth regret, ccv;
} growth_row;

typedef struct growth {
  const command *self;
  const arguments *args;
  /* what is asked for */
  lab_experiment suite; /* empty: --learner and --stream choose */
  const char *learner[MOST_REPEATED], *stream[MOST_REPEATED], *domain[MOST_REPEATED];
  size_t learners, streams, domains; /* no domain: the streams bring theirs */
  const char *constants[MOST_CONSTANTS];
  size_t variants;
  uint64_t rounds[MOST_HORIZONS];
  size_t horizons;
  uint64_t seed, seeds, tune_seeds;
  int untold; /* --horizon auto */
  place place[MOST_PLACES];
  size_t places;
  ofw_text text;   /* the experiment */
  ofw_owned owned; /* texts, and the rows */
  left_out *left;
  size_t lefts;
  /* what came of it */
  analysis found;
  growth_row *row; /* learner by learner */
  size_t rows;
} growth;

/* What is asked for, as the text of an experiment; 0, or an exit code after a complaint. */
int growth_plan(growth *g);

void growth_print_table(const growth *g);
void growth_print_json(const growth *g);
int growth_write_csv(const growth *g, const char *path);
int growth_draw(const growth *g, const char *path);
