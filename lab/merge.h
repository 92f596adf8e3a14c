/* merge.h — several results databases of one experiment joined into one: the shards of a sweep
 *
 * A cell that several of them have is the same in all, or nothing is written. Copied cells keep their bits and their times, and go
 * in in the order of the plan, so that the merged database equals that of one sweep in every table but those of times. A cell
 * that the system ended counts as missing, and so does a play with other constants than its tuning chooses: a sweep would play
 * both again.
 */
#pragma once

#include "lab/share.h"
#include "lab/tally.h"

typedef struct lab_merge {
  const char *const *from; /* folders or files */
  size_t n;
  const char *folder; /* it is made if it is missing; a database that is there gets what it lacks */
  int drop;           /* as of lab_sweep, for that database */
  lab_stage stage;    /* LAB_TUNE: reported plays are not missed; LAB_WHOLE: unless there are some */
} lab_merge;

typedef struct lab_merged {
  lab_tally tally;        /* cells: those that are asked for; known: those that are there */
  size_t copied, missing; /* missing: of those that are asked for */
  size_t missing_tunings; /* of these, tuning runs */
  size_t tunings, plays;  /* tuning runs and reported plays that are there */
  int plays_asked;        /* 0: reported plays are not missed */
  char *gaps;             /* of each arm that lacks cells, a line; NULL: none does. free() returns it */
} lab_merged;

/* OFW_OK also if cells are missing or failed. OFW_USAGE: a database is of another experiment, version or kernel, or of the folder
 * itself. OFW_BAD_DATA: two differ in a cell, or one is damaged. */
ofw_status lab_merge_into(const lab_merge *ask, lab_merged *out, ofw_error *err);
