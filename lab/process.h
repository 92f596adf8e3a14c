/* process.h — a cell as a process of its own: 'ofw run', and what it left behind
 *
 * What it writes goes to files without a name, so nothing stays behind a kill; and it ends when its parent does.
 */
#ifndef OFW_LAB_PROCESS_H
#define OFW_LAB_PROCESS_H

#include "lab/plan.h"
#include "lab/results.h"

#include <stdio.h>
#include <sys/types.h>

typedef struct lab_process {
  pid_t pid;
  FILE *trace, *out, *err;
  char started[32]; /* UTC */
} lab_process;

/* What came of it: the cell filled in, and the rounds that are kept. */
typedef struct lab_outcome {
  results_cell cell; /* its config and error are freed by lab_outcome_free */
  results_point *point;
  size_t points;
} lab_outcome;

/* Starts 'PROGRAM run' on the cell of that arm. It takes no SIGINT: a terminal sends that to children too, and what ends
 * them is their parent. */
ofw_status lab_process_start(const char *program, const lab_arm *arm, const results_cell *cell, lab_process *out,
                             ofw_error *err);
/* After it ended with that status of waitpid: `cell` as it was started, about `series` rounds kept where it is no tuning
 * cell. OFW_OK also where it failed: the outcome says so. */
ofw_status lab_process_read(const lab_process *p, int status, const results_cell *cell, uint64_t series,
                            lab_outcome *out, ofw_error *err);
/* Its files; it must have ended. */
void lab_process_close(lab_process *p);
void lab_outcome_free(lab_outcome *o);

#endif
