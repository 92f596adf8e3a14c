/* follow.h — the second stage of a sweep: constants come from the database of the first */
#pragma once

#include "lab/front.h"

/* Leads the fronts of a plan, one per arm, through their tunings by what a database has of them: their plays are next. `tuned` may be
 * NULL if no arm is tuned. OFW_USAGE: a tuning is missing, or the database is of another experiment, version or kernel. */
ofw_status lab_follow(const lab_plan *plan, lab_front *front, const char *tuned, ofw_error *err);
