/* trace.h — what a run leaves behind: CSV, one row a recorded round
 *
 * Sums are cumulative, so a thinned trace loses nothing at the rounds it keeps. Lines that begin with '#' hold the
 * configuration. A number that is not known is an empty cell.
 */
#ifndef OFW_TRACE_H
#define OFW_TRACE_H

#include <stdio.h>

#include <ofw/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A run's account after a round; its members are the columns. */
typedef struct ofw_trace_row {
  uint64_t round;                /* t, from 1 */
  double loss;                   /* f_t(x_t) */
  double constraint;             /* g_t(x_t), combined as the learner combines several; NaN: no constraint this round */
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

/* Which rounds are written: every n-th and the last; n = 0: at 1, 2, .. 9, 10, 20, .. 90, 100, .. and the last. */
OFW_API int ofw_trace_due(uint64_t every, uint64_t round, uint64_t last);

/* A '#' line for each of the n "key=value" texts, then the names of the columns. A control character in a text becomes '?', and
 * a ' stands after a comma if what follows would be a formula to a spreadsheet. */
OFW_API ofw_status ofw_trace_begin(FILE *out, size_t n, const char *const *header);
/* One line. OFW_FAILED where `out` refuses it. */
OFW_API ofw_status ofw_trace_write(FILE *out, const ofw_trace_row *row);

/* A trace in memory. */
typedef struct ofw_trace {
  size_t headers;     /* how many lines began with '#' */
  char **header;      /* what they say, without the mark */
  size_t rows;        /* how many rounds are recorded */
  ofw_trace_row *row; /* in the order of the rounds */
} ofw_trace;

/* Reads a trace back, every number to its bits. OFW_BAD_DATA: the file is no trace, or a damaged one; err says in which
 * line. Where it fails there is nothing to free. */
OFW_API ofw_status ofw_trace_read(const char *path, ofw_trace *out, ofw_error *err);
/* Returns its memory and leaves it as {0}. */
OFW_API void ofw_trace_free(ofw_trace *trace);

#ifdef __cplusplus
}
#endif
#endif
