/* compare.h — the parts of ofw compare: who is compared with whom, and the report */
#pragma once

#include "analysis.h"

#include "base/owned.h"
#include "lab/claims.h"

/* An arm by the name that its learner was given, "NAME:KEY=VALUE,..". */
typedef struct entry {
  const lab_measured *of;
  const char *name;
} entry;

/* Both metrics of a learner and a rival on a stream, as a claim has them; a difference below 0 is good for the learner. */
enum { REGRET, CCV, METRICS };
typedef struct duel {
  const entry *learner, *rival;
  lab_judgement
      *of[METRICS]; /* the loss stands for a regret that is not known; p is corrected for all duels together */
} duel;

typedef struct compare {
  analysis found;
  ofw_owned owned; /* all below */
  entry *entry;    /* one per arm */
  lab_judgement *judged;
  duel *duel; /* stream by stream */
  size_t duels;
} compare;

/* What is asked for, as the text of an experiment: learners, tuned alike if they can be, and a claim per learner that it is
 * better than its rivals. 0, or an exit code after a complaint. */
int compare_plan(const command *self, const arguments *args, ofw_text *out);

void compare_print_table(const compare *c);
void compare_print_json(const compare *c);
