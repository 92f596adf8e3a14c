/* trace_file.h — ofw run --trace: the file, which a resumed play continues */
#pragma once

#include "cli.h"

typedef struct trace_file {
  const char *path; /* NULL: none */
  uint64_t every;   /* which rounds are due, as in ofw_trace_due */
  FILE *out;
  uint64_t written; /* the last round in it */
  /* up to the last row that was due: what an uninterrupted play would have written by now */
  uint64_t bytes, round;
  int failed; /* the errno of what could not be written; then no checkpoint may say that it was */
  int named;  /* its name is on the disk, too */
} trace_file;

/* --trace and --trace-every; 0, or an exit code after a complaint, like the rest. */
int read_trace_file(const command *self, const arguments *args, trace_file *t);
int begin_trace(const command *self, trace_file *t, size_t threads, const ofw_learner *l, const ofw_stream *s);
/* Goes on in a file that had these bytes, the last row of them of this round; what is behind them is dropped. */
int resume_trace(const command *self, trace_file *t, uint64_t bytes, uint64_t round);
/* A row that is due, or one that only tells how far an interrupted play was. */
void trace_row(trace_file *t, const ofw_trace_row *row, int due);
/* On the disk, not only in a buffer. */
int sync_trace(const command *self, trace_file *t);
/* The exit code: `code`, or that of a file that could not be written. */
int end_trace(const command *self, trace_file *t, int code);
