/* stream.h — where rounds come from: a generator, a recorded file, a caller's own functions
 *
 * A stream reads the decision and reveals the round's loss and constraints there. It depends on the round's number, its
 * seed and the decision, never on a learner.
 */
#ifndef OFW_STREAM_H
#define OFW_STREAM_H

#include <ofw/domain.h>
#include <ofw/feedback.h>
#include <ofw/point.h>
#include <ofw/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle on a stream. */
typedef struct ofw_stream ofw_stream;

/* What a stream knows of its losses and constraints; what a learner needs to be told. */
typedef struct ofw_constants {
  double lipschitz;        /* G */
  double loss_bound;       /* M; 0: not known */
  double strong_convexity; /* alpha; 0: none */
} ofw_constants;

/* A stream of the caller's own. reveal is all it must bring, next to G. */
typedef struct ofw_stream_callbacks {
  size_t size;             /* sizeof(ofw_stream_callbacks) */
  ofw_constants constants; /* what a learner should be told */
  /* Round t (from 1) at x; what *out points to stays valid until the next round is revealed. Not 0: it failed. */
  int (*reveal)(void *ctx, uint64_t t, const ofw_point *x, ofw_full *out);
  /* f_t at the fixed point that the run is compared with; NULL: not known. */
  int (*comparator)(void *ctx, uint64_t t, double *loss);
  void *ctx; /* handed to both */
} ofw_stream_callbacks;

/* The stream that a spec describes, over K, which is kept by reference; NULL: the domain that the stream's data ask
 * for, where they ask for one. `rounds` is how many will be played: some streams place their comparator by it. */
OFW_API ofw_stream *ofw_stream_create(const char *spec, const ofw_domain *K, uint64_t rounds, uint64_t seed,
                                      ofw_error *err);
/* The same from the caller's functions. `own` is copied, what its ctx points to is not. */
OFW_API ofw_stream *ofw_stream_create_own(const ofw_stream_callbacks *own, const ofw_domain *K, ofw_error *err);
/* NULL is accepted. */
OFW_API void ofw_stream_free(ofw_stream *s);

/* The set that its decisions are from. Valid as long as s. */
OFW_API const ofw_domain *ofw_stream_domain(const ofw_stream *s);
/* What a learner needs to be told of it. Valid as long as s. */
OFW_API const ofw_constants *ofw_stream_constants(const ofw_stream *s);
/* What its gradients are made of: for ofw_learner_settings. */
OFW_API ofw_terms ofw_stream_terms(const ofw_stream *s);
/* Every option with its resolved value, "stream=linear rounds=... drift=...", and what was worked out from them or read
 * from files. */
OFW_API const char *ofw_stream_config(const ofw_stream *s);
/* What one should know of its data before trusting what is played on them, in a line; "" where there is nothing. */
OFW_API const char *ofw_stream_note(const ofw_stream *s);
/* Why the last call on this handle failed; "" where it did not. */
OFW_API const char *ofw_stream_error(const ofw_stream *s);

/* Round t (from 1) at x; what *out points to stays valid until the next round is revealed. OFW_END: there is no such
 * round. */
OFW_API ofw_status ofw_stream_reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out);
/* OFW_UNSUPPORTED where the stream has none. */
OFW_API ofw_status ofw_stream_comparator(ofw_stream *s, uint64_t t, double *loss);
/* f_t at what generated the data, which may move from round to round and need not keep the constraints;
 * OFW_UNSUPPORTED where there is none. */
OFW_API ofw_status ofw_stream_target(ofw_stream *s, uint64_t t, double *loss);
/* The root mean square error of x on data that no round shows; OFW_UNSUPPORTED where none are kept for that. */
OFW_API ofw_status ofw_stream_held_out(ofw_stream *s, const ofw_point *x, double *rmse);
/* The same error of two predictors, which a decision's should be below: the mean of all that rounds show, and the mean of
 * what they show of the same item (a column; of all, where they show nothing of it). */
OFW_API ofw_status ofw_stream_held_out_baselines(ofw_stream *s, double *mean, double *item_mean);

/* How many streams are registered. */
OFW_API size_t ofw_stream_types(void);
/* The i-th of them, in alphabetical order; NULL beyond the last. */
OFW_API const ofw_type *ofw_stream_type(size_t i);

#ifdef __cplusplus
}
#endif
#endif
