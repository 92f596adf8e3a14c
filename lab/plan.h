/* plan.h — the plays that an experiment asks for, in an order that its file alone decides
 *
 * Streams in their order, on each the learners in theirs, of each the combinations of its options, the last key
 * changing fastest. An arm's cells are the tuning runs, if any, each with every tuning seed, then per horizon a play per
 * seed.
 */
#pragma once

#include "lab/experiment.h"

typedef struct lab_arm {
  const lab_source *source;
  const lab_player *player;
  char **option;     /* "key=value", as many as the player has axes */
  char *options;     /* the same with blanks between */
  size_t first;      /* its first cell's place in the plan, from 0 */
  size_t tune, play; /* cells of either kind */
  size_t tunings;    /* tuned arms before it */
} lab_arm;

typedef struct lab_plan {
  const lab_experiment *of;
  lab_arm *arm;
  size_t arms, cells;
  double work;               /* the rounds of all cells */
  const struct lab_gpu *gpu; /* that its workers share; NULL: none */
} lab_plan;

/* OFW_USAGE: more plays than OFW_MOST_CELLS. lab_plan_free returns it, also if this failed. */
ofw_status lab_plan_make(const lab_experiment *of, lab_plan *out, ofw_error *err);
void lab_plan_free(lab_plan *plan);

/* What decides a cell's outcome, beside what its arm is and the factors that tuning chooses. */
typedef struct lab_place {
  int tune;
  size_t run; /* of the tuning; of a play 0 */
  uint64_t rounds, seed;
  uint64_t every; /* of a play: lab_series_every */
} lab_place;

/* Every so many rounds of a play are kept, so that there are about `series`. */
uint64_t lab_series_every(uint64_t rounds, uint64_t series);
/* The k-th cell of an arm of the plan, from 0. They ascend, tuning cells first, by run, rounds and seed. */
lab_place lab_plan_place(const lab_plan *plan, const lab_arm *arm, size_t k);
