/* compare.h — the parts of ofw compare: who plays where, who is held against whom, and how it is told */
#ifndef OFW_COMPARE_H
#define OFW_COMPARE_H

#include "lab.h"

#include "lab/paired.h"

/* A learner as it was named, NAME:KEY=VALUE,.. */
typedef struct contestant {
  const char *text;
  char *name; /* `text`, cut into the name and its options */
  const char *set[MOST_SETS];
  size_t sets;
  int is_rival;
  int group; /* only those of a group are held against each other */
} contestant;

/* A contestant on a stream. */
typedef struct entry {
  const contestant *who;
  size_t place;
  lab_row *row; /* one horizon; where it has a tuning, played with what that chose */
} entry;

typedef struct place {
  const char *stream, *domain; /* NULL: the stream brings its own */
} place;

/* Both metrics of a learner and a rival; a difference below 0 is good for the learner. */
enum { REGRET, CCV, METRICS };
typedef struct duel {
  const entry *learner, *rival;
  int by_loss; /* the regret is not known */
  ofw_paired of[METRICS];
  double holm[METRICS]; /* p, corrected for all that are tested */
} duel;

typedef struct compare {
  const command *self;
  const arguments *args;
  contestant who[2 * MOST_REPEATED];
  size_t contestants;
  place place[MOST_REPEATED * MOST_REPEATED];
  size_t places;
  uint64_t rounds, seed, seeds, tune_seeds;
  /* what is played, and what came of it */
  entry *entry;
  lab_row *row; /* entry i's is row i */
  lab_tuning *tuning;
  size_t entries, tunings;
  duel *duel;
  size_t duels;
} compare;

/* Of a row, the k-th seed's number: the loss stands for a regret that is not known. NaN where the play failed. */
double compare_value(const lab_row *row, int metric, int by_loss, size_t k);
/* (regret^+ + ccv) / (G D T), the mean over the seeds. */
double compare_score(const lab_row *row);
/* "better", "worse", "not decided", "-" where nothing is known */
const char *compare_verdict(const duel *d, int metric);

void compare_print_table(const compare *c);
void compare_print_json(const compare *c);

#endif
