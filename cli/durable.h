/* durable.h — what makes a play over a pipe outlast a crash: its log, and the checkpoint beside it */
#pragma once

#include "resume.h"

#include "persist/log.h"

typedef struct durable {
  const command *self;
  ofw_learner *l;
  ofw_log *log; /* NULL: nothing is kept */
  checkpointing checkpoint;
  uint64_t keep;         /* rounds that stay in the log behind a checkpoint; UINT64_MAX: all */
  uint64_t line, before; /* of the log, that the checkpoint has, and that the one before it has; 0: not known */
  int warned;            /* that a checkpoint could not be written, since one could */
} durable;

/* One line of the log to the learner. */
typedef ofw_status (*feed_line)(void *ctx, const char *line, size_t length, ofw_error *err);

/* --checkpoint, --checkpoint-every, --log-keep. 0, or an exit code after a complaint, as below. */
int read_durable(const command *self, const arguments *args, durable *d);
/* The learner after the lines of the log at path, which is made if there is none; *lines: how many there are. Nothing on
 * the disk changes before all of it has been checked. */
int open_durable(durable *d, const char *path, feed_line feed, void *ctx, uint64_t *lines);
/* The learner after so many lines, all of them in the log, is kept as a checkpoint. The log has everything, so that a
 * failure is only worth a warning. Then the lines that no checkpoint needs may go. An exit code after a complaint: the log
 * takes no more. */
int keep_checkpoint(durable *d, uint64_t lines);
void close_durable(durable *d);
