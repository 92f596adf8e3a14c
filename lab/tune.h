/* tune.h — the two constants that a learner leaves to tune, chosen by plays on seeds of their own
 *
 * Coordinate by coordinate over factors 10^-5, 10^-4, .. 10^5: first the first constant with the second as it is, then
 * the second with the best of the first. 22 runs, the same number for every learner; a run is one pair of factors
 * played with each seed. The score of a run is
 *
 *     (regret^+ + ccv) / (G D T)          means over the seeds
 *
 * Loss and constraint have the same Lipschitz constant G over the same set, so both terms are shares of the same most,
 * G D T, and count alike; regret below 0, which is had by breaking constraints, earns nothing. Where the regret is not
 * known the loss stands for it. A run that is refused or fails for a seed has an infinite score. Scores within 1% of
 * the least count as equal, and of those the one nearest to the defaults is taken, so that a plateau's far end is not.
 */
#ifndef OFW_LAB_TUNE_H
#define OFW_LAB_TUNE_H

#include "lab/cell.h"

enum { LAB_GRID = 11, LAB_TUNE_RUNS = 2 * LAB_GRID };

/* Constants are tuned on seeds so much further than those that are reported. */
#define LAB_TUNE_SEEDS_FROM 1000000u

/* One pair of factors and what came of it. */
typedef struct lab_run {
  double factor[2];
  double regret, loss, ccv; /* means; NaN: not known */
  double score;
  const char *error;   /* of the first seed that failed; NULL: none did */
  unsigned char front; /* 1: no run has less regret (or loss) and less violation */
} lab_run;

typedef struct lab_tuning {
  const lab_setup *of;
  uint64_t rounds, first_seed;
  size_t seeds;
  lab_cell *cell; /* LAB_TUNE_RUNS times `seeds` */
  lab_run run[LAB_TUNE_RUNS];
  size_t best; /* of the runs */
} lab_tuning;

/* Room for the cells; lab_tuning_free returns it. */
ofw_status lab_tuning_open(lab_tuning *t, const lab_setup *of, uint64_t rounds, uint64_t first_seed, size_t seeds,
                           ofw_error *err);
void lab_tuning_free(lab_tuning *t);

/* The cells of one half, LAB_GRID times `seeds`, to be played: half 0 first, then half 1. */
lab_cell *lab_tuning_half(lab_tuning *t, int half);
/* The best run and the front, once both halves are played. OFW_FAILED: no memory. */
ofw_status lab_tuning_settle(lab_tuning *t, ofw_error *err);
/* "step 10, gamma-scale 0.1": the constants that were chosen, as factors of their defaults. */
enum { LAB_CHOICE_TEXT = 160 };
const char *lab_tuning_text(const lab_tuning *t, char out[LAB_CHOICE_TEXT]);

#endif
