/* sweep.h — plays an experiment, several cells at once, into a results database
 *
 * Cells are played by worker processes (process.h). A finished one is kept in one transaction; what the database has is not
 * played again, so a sweep that was ended in any way resumes where it was, and one whose file has grown plays what is new
 * (grow.h). The constants of a tuned arm are computed again from
 * the tuning cells each time, and what was played with others is replaced.
 */
#pragma once

#include "lab/share.h"
#include "lab/tally.h"

typedef struct lab_sweep {
  const lab_experiment *of;
  const char *folder; /* it is made if it is missing */
  int drop;    /* 1: plays of an earlier text that this one does not ask for are deleted; 0: then nothing is played */
  size_t jobs; /* plays at a time, at least 1 */
  lab_share share;   /* which of them */
  const char *tuned; /* of LAB_PLAY: the database with the tunings; NULL: none is tuned */
  void (*watch)(
      void *ctx,
      const lab_tally *so_far); /* before the first cell is played, when it begins, and after every cell; may be NULL */
  void *ctx;
} lab_sweep;

/* OFW_OK also if cells failed: the tally says so. A tuning run that the learner refuses before the first round is no failure,
 * unless it refuses them all. OFW_END: SIGINT or SIGTERM came; what was done is kept, and the
 * processes that were under way are gone. One thread of a program at a time may sweep, and no other may take signals. */
ofw_status lab_sweep_play(const lab_sweep *sweep, lab_tally *tally, ofw_error *err);
/* How many processors this process may use. */
size_t lab_processors(void);
