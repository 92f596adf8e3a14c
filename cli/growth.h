/* growth.h — the parts of ofw growth: what is played, and how what came of it is told */
#ifndef OFW_GROWTH_H
#define OFW_GROWTH_H

#include "lab.h"

enum { MOST_HORIZONS = 32, MOST_VARIANTS = 16, MOST_PAIRS = 16 };

/* One of --constants: options that are set, or constants that are tuned. */
typedef struct variant {
  char *name;                              /* as it was given */
  char *pairs;                             /* what it sets, cut into single options */
  const char *set[MOST_SETS + MOST_PAIRS]; /* --set, then its own */
  size_t sets, own;                        /* how many in all; how many of them are its own */
  int theorem, by_default, tuned;          /* its name */
} variant;

/* What was asked for and cannot be played. */
typedef struct left_out {
  char *what, *why;
} left_out;

typedef struct growth {
  const command *self;
  const arguments *args;
  /* what is asked for */
  const char *learner[MOST_REPEATED], *stream[MOST_REPEATED], *domain[MOST_REPEATED];
  size_t learners, streams, domains; /* no domain: the streams bring theirs */
  variant variant[MOST_VARIANTS];
  size_t variants;
  uint64_t rounds[MOST_HORIZONS];
  size_t horizons;
  uint64_t seed, seeds, tune_seeds;
  int untold; /* --horizon auto */
  int suite;  /* what is not registered is left out instead of refused */
  /* what is played */
  lab_row *row;
  size_t rows;
  lab_tuning *tuning;
  size_t tunings;
  left_out *left;
  size_t lefts;
} growth;

/* What is asked for, then the rows; 0, or an exit code after a complaint. */
int growth_plan(growth *g);
void growth_free(growth *g);

void growth_print_table(const growth *g);
void growth_print_json(const growth *g);
int growth_write_csv(const growth *g, const char *path);
/* Before anything is played: whether a figure can be drawn. */
int growth_can_draw(const growth *g);
int growth_draw(const growth *g, const char *path);

#endif
