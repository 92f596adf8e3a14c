/* metrics.h — what a trace comes to: regrets, violation, the oracle's work
 *
 * Read from the rows of a trace alone, in a file (ofw_trace_read) or as a run hands them out; never from a learner.
 */
#ifndef OFW_METRICS_H
#define OFW_METRICS_H

#include <ofw/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A trace's account in figures. A number that the trace does not tell is NaN. */
typedef struct ofw_metrics {
  size_t size;             /* sizeof(ofw_metrics), set by the caller */
  uint64_t rounds;         /* T, the last recorded round */
  double loss;             /* of rounds 1 to T */
  double regret;           /* that minus the comparator's */
  double interval_regret;  /* the worst window's: the most that rounds a + 1 to b cost beyond the comparator, over
                               recorded rounds a < b (a may be 0) */
  uint64_t interval_first; /* that window's a + 1; 0: not known */
  uint64_t interval_last;  /* its b; 0: not known */
  double dynamic_regret;   /* the loss minus that of the target, which may move */
  double ccv;              /* the sum of g^+ */
  double soft_violation;   /* (sum of g)^+, where good rounds make up for bad ones; known where no round is left out */
  uint64_t oracle_calls;   /* in rounds 1 to T */
  uint64_t passes;         /* reads of the whole direction by an iterative oracle */
  double seconds;          /* since the run began */
} ofw_metrics;

/* Of n rows in the order of their rounds, n >= 1. `window` is how many rounds the window of interval_regret has; 0: any
 * number. OFW_USAGE where there are no rows. */
OFW_API ofw_status ofw_metrics_of(const ofw_trace_row *row, size_t n, uint64_t window, ofw_metrics *out);

#ifdef __cplusplus
}
#endif
#endif
