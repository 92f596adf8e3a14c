/* durable.h — the log of a play that answers line by line, and the checkpoint beside it, with which it survives a crash */
#pragma once

#include "resume.h"

#include "persist/log.h"

/* What is played: how it is kept, and how it takes a line of the log. */
typedef struct durable_play {
  const char *line, *torn; /* what messages call a line of the log, and the one that a power cut has torn */
  ofw_status (*save)(void *ctx, ofw_state *state, ofw_error *err);
  ofw_status (*load)(void *ctx, const ofw_state *state, ofw_error *err);
  ofw_status (*replay)(void *ctx, const char *line, size_t length, ofw_error *err);
} durable_play;

typedef struct durable {
  const command *self;
  const durable_play *play;
  void *ctx;    /* of its functions */
  ofw_log *log; /* NULL: nothing is kept */
  checkpointing checkpoint;
  uint64_t keep;         /* rounds that stay in the log behind a checkpoint; UINT64_MAX: all */
  uint64_t line, before; /* of the log, that the checkpoint has, and that the one before it has; 0: not known */
  int warned;            /* that a checkpoint could not be written, since one could */
} durable;

/* --checkpoint, --checkpoint-every, --log-keep. 0, or an exit code after a complaint, as below. */
int read_durable(const command *self, const arguments *args, durable *d);
/* The play after the lines of the log at path, which is made if there is none; *lines: how many there are. The log is of this
 * configuration. Nothing on the disk changes before all of it has been checked. */
int open_durable(durable *d, const char *path, const char *config, uint64_t *lines);
/* The play after so many lines, all of them in the log, is kept as a checkpoint; `round` is what --checkpoint-every counts. The
 * log has everything, so that a failure is only worth a warning. Then the lines that no checkpoint needs may go. An exit code
 * after a complaint: the log takes no more. */
int keep_checkpoint(durable *d, uint64_t lines, uint64_t round);
void close_durable(durable *d);
