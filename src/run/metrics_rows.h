/* metrics_rows.h — metrics row by row, and one table of them for text, JSON, CSV and the manual */
#ifndef OFW_SRC_METRICS_H
#define OFW_SRC_METRICS_H

#include "run/trace_columns.h"

#include <ofw/metrics.h>

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

extern const ofw_column ofw_metric_table[];
extern const size_t ofw_metric_count;

#endif
