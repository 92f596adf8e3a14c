/* rank_files.h — a checkpoint that ranks write together: one file per rank, and a manifest that names them
 *
 *     PATH                the manifest, a checkpoint whose text says which round, rows and files it is of; without a state
 *     PATH.r12.0of4       what rank 0 of 4 had after round 12
 *
 * The manifest is written when every file is on the disk, and takes the place of the one before, which stays as PATH.1 with its
 * files. So whenever a rank dies, PATH is whole. Any number of ranks reads it: each takes its rows out of the files that have
 * them (run/join.h). All ranks need to see the folder.
 */
#pragma once

#include "base/ranks.h"
#include "persist/checkpoint.h"

/* All ranks together, after this round; the checkpoint before was of round `before`, 0: there was none. `st` is how saving the
 * state has ended, and err says why; if one rank failed, all do and nothing has changed. */
ofw_status rank_files_write(const ofw_split *split, const char *path, uint64_t round, uint64_t before, ofw_status st,
                            const ofw_state *state, const char *about, ofw_error *err);
/* All ranks together: the state of this one's rows, and the text that was given. `own` is a state of this play before its first
 * round: another configuration is refused. As ofw_checkpoint_read, at all ranks. */
ofw_status rank_files_read(const ofw_split *split, size_t cols, const char *path, const ofw_state *own,
                           ofw_checkpoint *out, ofw_error *err);
/* 1: it is such a manifest. */
int is_of_ranks(const ofw_checkpoint *c);

typedef struct rank_files_found {
  size_t ranks;
  uint64_t bytes; /* of their states */
} rank_files_found;
/* By one process: whether the files are there and whole that a manifest of the checkpoint PATH names; `c` is read up. */
ofw_status rank_files_check(const char *path, ofw_checkpoint *c, rank_files_found *out, ofw_error *err);
/* A file of a rank that is there, whether or not a manifest names it; NULL: there is none. *many: they are of several rounds. */
char *rank_files_left(const char *path, int *many);
