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
  ofw_terms terms;         /* what its gradients are made of */
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
  /* What is told of the constraints of round t + 1, after round t was revealed at x: sets out->size to sizeof(ofw_hint) and
   * the rest of *out, or leaves it if nothing is told. NULL: nothing ever is. Handed the same ctx. */
  int (*hint)(void *ctx, uint64_t t, const ofw_point *x, ofw_hint *out);
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

/* The i-th registered stream, in alphabetical order; NULL beyond the last. */
OFW_API const ofw_type *ofw_stream_type(size_t i);

#ifdef __cplusplus
}
#endif
#endif
