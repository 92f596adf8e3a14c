/* resume.h — --checkpoint, --checkpoint-every, --resume: when one is due, and its contents beside the state */
#pragma once

#include "lock.h"
#include "trace_file.h"

typedef struct checkpointing {
  const char *path;       /* NULL: none are written */
  uint64_t every;         /* rounds; 0: after some seconds */
  uint64_t round;         /* of the last one */
  double second;          /* when that was */
  lock lock;              /* of the path, from open_checkpoints on */
  const ofw_split *split; /* of a matrix that ranks share, who write together (rank_files.h); NULL: there are none */
  size_t cols;
} checkpointing;

/* 0, or an exit code after a complaint. */
int read_checkpointing(const command *self, const arguments *args, checkpointing *c);
/* For this process alone, until unlock_file; nothing if none are written. */
int open_checkpoints(const command *self, checkpointing *c);

/* With `resume`, continues from the checkpoint if there is one. Without it, refuses to overwrite an existing checkpoint.
 * *resumed is 1 if the play continues; the trace is then open. */
int resume_run(const command *self, checkpointing *c, int resume, ofw_run *run, trace_file *t, int *resumed);
/* Run, learner and stream as they are now, and where the trace is. */
int checkpoint_run(const command *self, checkpointing *c, ofw_run *run, trace_file *t);

/* 1: after this round one is to be written. */
int checkpoint_due(const checkpointing *c, uint64_t round);
/* Notes that one of this round is on the disk. */
void checkpoint_done(checkpointing *c, uint64_t round);
