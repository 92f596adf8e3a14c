/* grow.h — an experiment that has changed since its database was begun
 *
 * A play is known by what decides its outcome: stream, domain, learner, options, whether it is tuned, the tuning run, rounds
 * and seed, and which of its rounds are kept. Names, claims and comments are not among them. So the plays that the changed
 * experiment still asks for move to their new places, and only the others have to be played.
 */
#pragma once

#include "lab/plan.h"
#include "lab/results.h"

/* Makes the database that of the plan, in one transaction; it is left alone if its text is the plan's already. OFW_BAD_DATA: a
 * cell is not what the database's own text asks for. OFW_USAGE: it has plays that the plan does not ask for, and `drop` is 0. */
ofw_status lab_grow(results *r, const lab_plan *plan, const results_head *head, int drop, ofw_error *err);
/* The plan of the text that a database was played from; OFW_BAD_DATA: no ofw has made that. lab_plan_free and lab_experiment_free
 * return both, also if this failed. */
ofw_status lab_plan_played(const char *path, const char *text, lab_experiment *x, lab_plan *out, ofw_error *err);
/* That each cell of the database at `path` is what the plan asks for at its place: a file may come from anybody. OFW_BAD_DATA: one
 * is not. */
ofw_status lab_check_cells(const lab_plan *plan, const char *path, const results_cell *cell, size_t n, ofw_error *err);
