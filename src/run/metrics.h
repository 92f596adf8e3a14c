/* metrics.h — the metrics of a trace: regrets, violation, the oracle's work
 *
 * Read from the rows of a trace alone, in a file (ofw_trace_read) or as a run hands them out; never from a learner.
 */
#pragma once

#include "run/trace.h"

/* A trace's account in figures. A number that the trace does not tell is NaN. */
typedef struct ofw_metrics {
  uint64_t rounds;         /* T, the last recorded round */
  double loss;             /* of rounds 1 to T */
  double regret;           /* that minus the comparator's */
  double interval_regret;  /* the worst window's: the most that rounds a + 1 to b cost beyond the comparator, over
                               recorded rounds a < b (a may be 0) */
  uint64_t interval_first; /* that window's a + 1; 0: not known */
  uint64_t interval_last;  /* its b; 0: not known */
  double dynamic_regret;   /* the loss minus that of the target, which may move */
  double ccv;              /* the sum of g^+ */
  double soft_violation;   /* (sum of g)^+, in which good rounds make up for bad ones; known if no round is left out */
  uint64_t oracle_calls;   /* in rounds 1 to T */
  uint64_t passes;         /* reads of the whole direction by an iterative oracle */
  double seconds;          /* since the run began */
} ofw_metrics;

/* Of n rows in the order of their rounds, n >= 1. `window` is how many rounds the window of interval_regret has; 0: any
 * number. OFW_USAGE if there are no rows. */
ofw_status ofw_metrics_of(const ofw_trace_row *row, size_t n, uint64_t window, ofw_metrics *out);

/* The metrics of the rows so far, in O(1) a row, over windows of any length. */
typedef struct ofw_account {
  ofw_metrics so_far;
  double least;         /* the least regret up to here, and 0 before the first round */
  uint64_t least_round; /* where that was */
  double constraints;   /* sum of g */
  int gaps;             /* 1: rounds were left out */
} ofw_account;

void ofw_account_begin(ofw_account *a);
void ofw_account_add(ofw_account *a, const ofw_trace_row *row);

/* One table of them for text, JSON, CSV and the manual. */
extern const ofw_column ofw_metric_table[];
extern const size_t ofw_metric_count;
