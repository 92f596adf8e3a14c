/* generator.h — the parts of a stream
 *
 * A new stream is one file that defines an ofw_stream_kind, one row in streams.c, and one test file.
 */
#pragma once

#include "base/option_table.h"
#include "domain/set.h"
#include "persist/walk.h"

#include <ofw/stream.h>

typedef struct ofw_stream_ops {
  void (*make)(ofw_stream *s, uint64_t t); /* what the next three read of round t; NULL: nothing */
  ofw_status (*reveal)(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out); /* out: valid until the next */
  ofw_status (*hint)(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_hint *out);   /* NULL: none is told */
  ofw_status (*comparator)(ofw_stream *s, uint64_t t, double *loss);                  /* NULL: not known */
  ofw_status (*target)(ofw_stream *s, uint64_t t, double *loss);                      /* NULL: none */
  ofw_status (*held_out)(ofw_stream *s, const ofw_point *x, double *rmse);            /* NULL: nothing is */
  ofw_status (*held_out_baselines)(ofw_stream *s, double *mean, double *item_mean);   /* there if held_out is */
  void (*destroy)(void *data);                                                        /* NULL: they are memory alone */
} ofw_stream_ops;

struct ofw_stream {
  const ofw_stream_ops *ops;
  void *data;              /* data_size bytes, zero before build */
  ofw_owned own;           /* what they point to, unless destroy returns it */
  uint64_t ready;          /* the round that was made last */
  ofw_constants constants; /* its terms are those below, once it is built */
  ofw_terms terms;         /* OFW_TERMS_DENSE, unless build says otherwise */
  ofw_domain *K;           /* set before build, or by it */
  const ofw_ranks *ranks;  /* that share its matrix; NULL: none */
  const double *best;      /* x*, whose losses the comparator's are; NULL: not known. It belongs to data */
  uint64_t rounds, seed;
  int gradients;  /* 0: a bandit learner asks, and gradients need not be there */
  char facts[64]; /* what its data turned out to be or build worked out, " key=value ..", for config */
  char note[240]; /* what a user should know of them, in a line */
  char *config;   /* every option with its resolved value */
  ofw_error err;
};

/* build fills in data and constants, best if it is known, K if it is NULL; and in options what they come to if
 * they were left to a formula. A half-built stream must be fit for destroy. */
typedef struct ofw_stream_kind {
  ofw_type type;
  size_t data_size;
  const ofw_stream_ops *ops;
  int brings_domain; /* 1: K is NULL if none was named; else that is refused */
  int shares;        /* 1: ranks can share it by rows, and build agrees with all of them */
  ofw_status (*build)(ofw_stream *s, void *options, ofw_error *err);
} ofw_stream_kind;

extern const ofw_stream_kind *const ofw_stream_kinds[];
extern const size_t ofw_stream_kinds_count;

/* Options that several streams have. */
#define OFW_TIGHT_OPTION(type, value)                             \
  OFW_REAL_ROW(offsetof(type, tight), "tight", value, NULL, 0, 1, \
               "the share of rounds whose constraint is tight at the comparator")
#define OFW_LIPSCHITZ_OPTION(type) OFW_REAL_ROW(offsetof(type, lipschitz), "lipschitz", "1", NULL, 1e-100, 1e100, "G")
#define OFW_STRENGTH_OPTION(type)  OFW_REAL_ROW(offsetof(type, strength), "strength", "1", NULL, 1e-100, 1e100, "alpha")

/* A round's one constraint. */
static inline void ofw_full_constrain(ofw_full *out, const double *value, const ofw_sum *gradient)
{
  out->values.constraints = 1;
  out->values.constraint = value;
  out->constraint_gradient = gradient;
}

/* A trace-ball of its own, for a stream that brings its domain. */
ofw_status ofw_stream_make_trace_ball(ofw_stream *s, uint64_t rows, uint64_t cols, double radius, ofw_error *err);

/* As ofw_stream_create, for ranks that share its matrix; NULL: there are none. */
ofw_stream *ofw_stream_create_shared(const ofw_ranks *ranks, const char *spec, const ofw_domain *K, uint64_t rounds,
                                     uint64_t seed, ofw_error *err);

size_t ofw_stream_types(void);

/* Every option with its resolved value, "stream=linear rounds=... drift=...", and what was worked out from them or read
 * from files. */
const char *ofw_stream_config(const ofw_stream *s);
/* What one should know of its data before trusting what is played on them, in a line; "" if there is nothing. */
const char *ofw_stream_note(const ofw_stream *s);
/* Why the last call on this handle failed; "" if it did not. */
const char *ofw_stream_error(const ofw_stream *s);

/* Round t (from 1) at x; what *out points to stays valid until the next round is revealed. OFW_END: there is no such
 * round. */
ofw_status ofw_stream_reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out);
/* What is told, after round t was revealed at x, of the constraints of round t + 1; valid as long. out->size is 0 if nothing
 * is told. */
ofw_status ofw_stream_hint(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_hint *out);
/* OFW_UNSUPPORTED if the stream has none. */
ofw_status ofw_stream_comparator(ofw_stream *s, uint64_t t, double *loss);
/* f_t at what generated the data, which may move from round to round and need not keep the constraints;
 * OFW_UNSUPPORTED if there is none. */
ofw_status ofw_stream_target(ofw_stream *s, uint64_t t, double *loss);
/* The root mean square error of x on data that no round shows; OFW_UNSUPPORTED if none are kept for that. */
ofw_status ofw_stream_held_out(ofw_stream *s, const ofw_point *x, double *rmse);
/* The same error of two predictors, which a decision's should be below: the mean of all that rounds show, and the mean of
 * what they show of the same item (a column; of all, if they show nothing of it). */
ofw_status ofw_stream_held_out_baselines(ofw_stream *s, double *mean, double *item_mean);

/* The walk over its state, for a run that saves it with its own. */
ofw_saved ofw_stream_saved(ofw_stream *s);
