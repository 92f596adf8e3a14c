/* tune.h — the two constants that a learner leaves to tune, chosen by plays on seeds of their own
 *
 * Coordinate by coordinate over factors 10^-5, 10^-4, .. 10^5: first the first constant with the second as it is, then
 * the second with the best of the first. These are 22 runs, the same number for every learner. A fine tuning has four more: half a
 * decade, the factor sqrt(10), to each side of the best of the 22, in either constant. A run is one pair of factors played
 * with each seed. The score of a run is
 *
 *     (regret^+ + ccv) / (G D T)          means over the seeds
 *
 * Loss and constraint have the same Lipschitz constant G over the same set, so both terms are shares of the same most,
 * G D T, and count alike; regret below 0, which is had by breaking constraints, earns nothing. If the regret is not
 * known the loss stands for it. A run that is refused or fails for a seed has an infinite score. Scores within 1% of
 * the least count as equal, and of those the one nearest to the defaults is taken, so that a plateau's far end is not.
 */
#pragma once

#include "lab/results.h"
#include "learner/registry.h"

enum { LAB_GRID = 11, LAB_TUNE_RUNS = 2 * LAB_GRID, LAB_FINE_RUNS = LAB_TUNE_RUNS + 4 };

/* Constants are tuned on seeds so much further than those that are reported. */
#define LAB_TUNE_SEEDS_FROM 1000000u

/* One pair of factors and what came of it. */
typedef struct lab_run {
  double factor[2];
  double regret, loss, ccv; /* means; NaN: not known */
  double score;
  const char *error;     /* of the first seed that failed, the cell's; NULL: none did */
  unsigned char refused; /* 1: the learner refused these constants before the first round; nothing else went wrong */
  unsigned char front;   /* 1: no run has less regret (or loss) and less violation */
} lab_run;

/* Run i's cells are `seeds` from cell[i * seeds] on, as a plan has them. */
typedef struct lab_tuning {
  size_t seeds; /* that each run is played with; 0: nothing is tuned */
  size_t laid;  /* runs whose factors are known, the stages so far */
  size_t runs;  /* LAB_TUNE_RUNS or LAB_FINE_RUNS; 0: not all of them are played */
  lab_run run[LAB_FINE_RUNS];
  size_t best; /* of the runs */
} lab_tuning;

/* Lays out the factors of the first stage. */
void lab_tuning_begin(lab_tuning *t, size_t seeds);
/* Those of the next one, once the cells of all before it are played: 11 and 11 runs, then the four of a fine tuning. */
void lab_tuning_go_on(lab_tuning *t, const results_cell *cell);
/* The best run and the front, once all cells of what is laid out are played. OFW_FAILED: no memory. */
ofw_status lab_tuning_settle(lab_tuning *t, const results_cell *cell, ofw_error *err);
/* The run of the least score as the header says, whatever the scores are; those of infinite score come last. */
size_t lab_tuning_best(const lab_tuning *t);
/* The tuning of an arm with these n cells, of which its own come first. Of a fine one that is not done, the first 22 runs.
 * OFW_FAILED: no memory. */
ofw_status lab_tuning_read(const results_cell *cell, size_t n, lab_tuning *out, ofw_error *err);
/* 1: the cell is a tuning's, and the learner refused its constants before the first round. */
int lab_is_refused(const results_cell *cell);
/* How many runs of a tuning were refused. */
size_t lab_tuning_refused(const lab_tuning *t);
/* "step 10, gamma-scale 0.1": the constants that were chosen, as factors of their defaults; "": nothing was tuned. */
enum { LAB_CHOICE_TEXT = 160 };
const char *lab_tuning_text(const lab_tuning *t, const results_arm *arm, char out[LAB_CHOICE_TEXT]);

/* What is proved of a learner of the library, or of `own` (may be NULL), and what it leaves to tune; NULL: nothing is known. */
const ofw_promise *lab_promise(const ofw_registry *own, const char *learner);
