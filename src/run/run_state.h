/* run_state.h — what the command needs of a run beside playing: its progress, saving and loading */
#pragma once

#include <ofw/run.h>
#include <ofw/state.h>

/* The learner's latest decision, which is that of the next round (a bandit learner: the point around which it
 * probes). Nothing changes, and it may be asked after any round; valid until the next play, load or free. */
const ofw_point *ofw_run_decision(ofw_run *run);
/* ofw_stream_held_out at that decision. Nothing changes here either; ofw_run_play never asks, since it costs. */
ofw_status ofw_run_held_out(ofw_run *run, double *rmse);

/* How late a learner with delay=N gets its feedback: after N more decisions, after 0 to N by the seed, or at once. */
typedef enum ofw_lateness { OFW_LATE_FIXED, OFW_LATE_RANDOM, OFW_LATE_NEVER } ofw_lateness;
/* Before the first round; FIXED is the default. */
void ofw_run_set_late(ofw_run *run, ofw_lateness how);

/* The run, its learner and its stream, bit for bit, with feedback that is held back; see ofw_learner_save_state. */
ofw_status ofw_run_save(ofw_run *run, ofw_state *state);
/* Loading needs a learner and a stream made as the saved ones were; see ofw_learner_load_state. */
ofw_status ofw_run_load(ofw_run *run, const ofw_state *state);
