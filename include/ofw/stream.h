/* stream.h — where rounds come from: a generator, a recorded file, your own functions
 *
 * A stream reads the decision and reveals the loss and the constraints of the round. It depends on the number of the round,
 * its seed and the decision, never on a learner.
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

/* Constants of a stream's losses and constraints, which a learner needs. */
typedef struct ofw_constants {
  double lipschitz;        /* G */
  double loss_bound;       /* M; 0: not known */
  double strong_convexity; /* alpha; 0: none */
  ofw_terms terms;         /* the form of its gradients */
} ofw_constants;

/* Your own stream. Only reveal and G are required. */
typedef struct ofw_stream_callbacks {
  size_t size;             /* sizeof(ofw_stream_callbacks) */
  ofw_constants constants; /* for the learner */
  /* Round t (from 1) at x; returns 0, or else it failed. The memory behind *out must stay valid until the next reveal. */
  int (*reveal)(void *ctx, uint64_t t, const ofw_point *x, ofw_full *out);
  /* f_t at the comparator; NULL: not known. */
  int (*comparator)(void *ctx, uint64_t t, double *loss);
  void *ctx; /* passed to all three */
  /* A hint about the constraints of round t + 1, after round t was revealed at x: sets out->size to sizeof(ofw_hint) and
   * fills in *out, or leaves it unchanged for no hint. NULL: never a hint. */
  int (*hint)(void *ctx, uint64_t t, const ofw_point *x, ofw_hint *out);
} ofw_stream_callbacks;

/* Makes the stream that a spec describes, over K, which it keeps by reference; K = NULL: the stream's own domain, if it has
 * one. `rounds` is the number of rounds to be played, which places the comparator of some streams. */
OFW_API ofw_stream *ofw_stream_create(const char *spec, const ofw_domain *K, uint64_t rounds, uint64_t seed,
                                      ofw_error *err);
/* The same from your functions. `own` is copied, the memory behind its ctx is not. */
OFW_API ofw_stream *ofw_stream_create_own(const ofw_stream_callbacks *own, const ofw_domain *K, ofw_error *err);
/* NULL is accepted. */
OFW_API void ofw_stream_free(ofw_stream *s);

/* The set of its decisions. Valid as long as s. */
OFW_API const ofw_domain *ofw_stream_domain(const ofw_stream *s);
/* Its constants, for a learner. Valid as long as s. */
OFW_API const ofw_constants *ofw_stream_constants(const ofw_stream *s);

/* The i-th registered stream, in alphabetical order; NULL after the last. */
OFW_API const ofw_type *ofw_stream_type(size_t i);

#ifdef __cplusplus
}
#endif
#endif
