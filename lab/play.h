/* play.h — one play of an experiment, in this process: everything that decides its outcome, and the outcome
 *
 * It plays what 'ofw run' would with the same learner, stream, options and seed, on one thread, and prints nothing.
 */
#pragma once

#include "lab/plan.h"
#include "lab/results.h"
#include "learner/method.h"

/* What came of a play: the cell filled in, and the rounds that are kept. */
typedef struct lab_outcome {
  results_cell cell; /* lab_outcome_free frees its config and error */
  ofw_trace_row *point;
  size_t points;
} lab_outcome;

/* Plays a cell of that arm; about `series` rounds are kept if it is no tuning cell. OFW_OK also if the play failed: the
 * outcome says so. OFW_FAILED: no memory for the outcome. */
ofw_status lab_play(const lab_arm *arm, const results_cell *cell, uint64_t series, lab_outcome *out, ofw_error *err);
/* The same without a round: of its outcome only the config counts. */
ofw_status lab_play_nothing(const lab_arm *arm, const results_cell *cell, lab_outcome *out, ofw_error *err);
/* The config that the cell would have: all is made and nothing is played. free() returns it. */
ofw_status lab_play_config(const lab_arm *arm, const results_cell *cell, char **out, ofw_error *err);
/* Makes the outcome that of a failed play: no numbers, no rounds, an exit code and one line. */
ofw_status lab_outcome_fail(lab_outcome *o, int code, const char *why, ofw_error *err);
void lab_outcome_free(lab_outcome *o);

/* OFW_USAGE: the learner has no such setting or option, or it takes no such value. NULL: not every learner has it. */
ofw_status lab_setting_check(const ofw_type *learner, const char *key, const char *value, ofw_error *err);
/* OFW_USAGE: it is nothing of that learner that a factor could multiply. */
ofw_status lab_constant_check(const ofw_type *learner, const char *name, ofw_error *err);
