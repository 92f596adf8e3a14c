/* front.h — an arm on its way through its cells: the tuning's, stage by stage, then the plays with the constants that it chose
 *
 * It knows what is to be played next and with which factors, and nothing of who plays it.
 */
#pragma once

#include "lab/plan.h"
#include "lab/tune.h"

/* `ready` of its cells may be played, `next` of those were taken, `done` are done. */
typedef struct lab_front {
  const lab_plan *plan;
  const lab_arm *arm;
  size_t next, ready, done;
  double factor[2];    /* of its plays */
  lab_tuning tuning;   /* if it is tuned */
  results_cell *tuned; /* the outcomes of the tuning's cells */
} lab_front;

/* lab_front_close returns it, also if this failed. */
ofw_status lab_front_open(lab_front *f, const lab_plan *plan, const lab_arm *arm, ofw_error *err);
void lab_front_close(lab_front *f);
/* The cell at place k of the arm, below `ready`, as it is to be played. */
results_cell lab_front_cell(const lab_front *f, size_t k);
/* What came of a cell of the arm. Once all that were ready are done, the next stage of the tuning is, or the plays with its choice.
 * *settled: this was the tuning's last. */
ofw_status lab_front_note(lab_front *f, const results_cell *c, int *settled, ofw_error *err);
