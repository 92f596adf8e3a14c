/* run_state.h — what the command needs of a run beside playing: its progress, saving and loading */
#pragma once

#include <ofw/run.h>
#include <ofw/state.h>

/* The learner's latest decision, which is that of the next round (a bandit learner: the point around which it
 * probes). Nothing changes, and it may be asked after any round; valid until the next play, load or free. */
const ofw_point *ofw_run_decision(ofw_run *run);
/* ofw_stream_held_out at that decision. Nothing changes here either; ofw_run_play never asks, since it costs. */
ofw_status ofw_run_held_out(ofw_run *run, double *rmse);

/* The run, its learner and its stream, bit for bit; see ofw_learner_save_state. */
ofw_status ofw_run_save(ofw_run *run, ofw_state *state);
/* Loading needs a learner and a stream made as the saved ones were; see ofw_learner_load_state. */
ofw_status ofw_run_load(ofw_run *run, const ofw_state *state);
