/* tuned.h — an arm's tuning runs as its results have them, with the scores and the front that tune.h defines */
#ifndef OFW_LAB_TUNED_H
#define OFW_LAB_TUNED_H

#include "lab/results.h"
#include "lab/tune.h"

typedef struct lab_tuned {
  size_t seeds;               /* that each run was played with; 0: nothing was tuned */
  size_t runs;                /* LAB_TUNE_RUNS; 0: not all of them are played */
  lab_run run[LAB_TUNE_RUNS]; /* their errors are the cells' */
} lab_tuned;

/* Of an arm's n cells those of the tuning, which come first. OFW_FAILED: no memory. */
ofw_status lab_tuned_read(const results_cell *cell, size_t n, lab_tuned *out, ofw_error *err);

#endif
