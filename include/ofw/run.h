/* run.h — plays a learner against a stream and keeps the account
 *
 * It owns the number of the round and the clock; the learner and the stream stay the caller's, must outlive it, and are
 * saved and loaded with it.
 */
#ifndef OFW_RUN_H
#define OFW_RUN_H

#include <ofw/learner.h>
#include <ofw/stream.h>
#include <ofw/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle on a run. */
typedef struct ofw_run ofw_run;

/* Called after every round. Not 0: stop after this round. */
typedef int (*ofw_run_watch)(void *ctx, const ofw_trace_row *row);

/* NULL where learner and stream do not fit together; err says why. */
OFW_API ofw_run *ofw_run_create(ofw_learner *l, ofw_stream *s, ofw_error *err);
/* The learner and the stream stay. NULL is accepted. */
OFW_API void ofw_run_free(ofw_run *run);

/* Plays at most `rounds` more. OFW_OK also where watch (may be NULL) stopped it; OFW_END where the stream ended. */
OFW_API ofw_status ofw_run_play(ofw_run *run, uint64_t rounds, ofw_run_watch watch, void *ctx);
/* The account after the last round; round 0 before the first. */
OFW_API const ofw_trace_row *ofw_run_account(const ofw_run *run);
/* The decision that the learner has come to, which is the next round's (a bandit learner: the point around which it
 * probes). Nothing changes, and it may be asked after any round; valid until the next play, load or free. */
OFW_API const ofw_point *ofw_run_decision(ofw_run *run);
/* ofw_stream_held_out at that decision. Nothing changes here either; ofw_run_play never asks, since it costs. */
OFW_API ofw_status ofw_run_held_out(ofw_run *run, double *rmse);
/* Why the last call on this handle failed; "" where it did not. */
OFW_API const char *ofw_run_error(const ofw_run *run);

/* The run, its learner and its stream, bit for bit; see ofw_learner_save. */
OFW_API ofw_status ofw_run_save(ofw_run *run, ofw_state *state);
/* Loading needs a learner and a stream made as the saved ones were; see ofw_learner_load. */
OFW_API ofw_status ofw_run_load(ofw_run *run, const ofw_state *state);

#ifdef __cplusplus
}
#endif
#endif
