/* held_out.h — ofw run --held-out-every: the error on data that no round shows, while it is played, and what to hold it
 * against */
#ifndef OFW_CLI_HELD_OUT_H
#define OFW_CLI_HELD_OUT_H

#include "cli.h"

typedef struct held_errors {
  uint64_t every;         /* rounds; 0: only at the end */
  double mean, item_mean; /* the errors of two predictors; NaN: nothing is held out */
} held_errors;

/* 0, or an exit code after a complaint, like the rest. */
int read_held_out(const command *self, const arguments *args, held_errors *h);
/* Works the predictors out. With --held-out-every they are said, and a stream that holds nothing out is refused. */
int begin_held_out(const command *self, held_errors *h, ofw_stream *s);
/* Of the decision after this round, on stderr. */
int report_held_out(const command *self, ofw_run *run, uint64_t round);

#endif
