/* run.h — plays a learner on a stream and keeps the account
 *
 * A run owns the number of the round and the clock. The learner and the stream belong to the caller and must outlive it.
 */
#ifndef OFW_RUN_H
#define OFW_RUN_H

#include <ofw/learner.h>
#include <ofw/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle on a run. */
typedef struct ofw_run ofw_run;

/* The account of a run after a round. Sums are over rounds 1 to t. */
typedef struct ofw_trace_row {
  uint64_t round;                /* t, from 1 */
  double loss;                   /* f_t(x_t) */
  double constraint;             /* g_t(x_t), several combined as the learner does; NaN: no constraint in this round */
  double loss_sum;               /* sum of f_t(x_t) */
  double ccv;                    /* sum of g^+ */
  double comparator_loss_sum;    /* NaN: not known */
  double target_loss_sum;        /* NaN: not known */
  double price;                  /* Phi'(beta Q), at most DBL_MAX */
  double sigma, gap;             /* as in ofw_info */
  uint64_t oracle_calls, passes; /* as in ofw_info */
  double oracle_error;           /* as in ofw_info */
  double seconds;                /* since the run began, pauses left out */
} ofw_trace_row;

/* Called after every round; returns 0 to continue, or else the run stops. */
typedef int (*ofw_run_watch)(void *ctx, const ofw_trace_row *row);

/* Returns NULL if learner and stream do not fit together; err says why. */
OFW_API ofw_run *ofw_run_create(ofw_learner *l, ofw_stream *s, ofw_error *err);
/* Does not free the learner and the stream. NULL is accepted. */
OFW_API void ofw_run_free(ofw_run *run);

/* Plays at most `rounds` more rounds. OFW_OK also if watch (may be NULL) stopped it; OFW_END if the stream ended. */
OFW_API ofw_status ofw_run_play(ofw_run *run, uint64_t rounds, ofw_run_watch watch, void *ctx);
/* The account after the last round; round 0 before the first. */
OFW_API const ofw_trace_row *ofw_run_account(const ofw_run *run);
/* Why the last call on this handle failed; "" if it did not. */
OFW_API const char *ofw_run_error(const ofw_run *run);

#ifdef __cplusplus
}
#endif
#endif
