/* process.h — a worker: a process that plays one cell after the other, and the parent's end of it
 *
 * A play that crashes, or is killed for memory, takes its worker with it and no other play. A worker is a copy of its
 * parent (fork), so both ends know the plan, and it ends when its parent does.
 */
#pragma once

#include "lab/play.h"

#include <sys/types.h>

typedef struct lab_worker {
  pid_t pid; /* 0: none */
  int link;  /* readable when the worker has answered, or is gone */
} lab_worker;

/* Hands the worker a cell of the plan; starts the worker if there is none, or if it has died since its last answer. A
 * worker takes no SIGINT: a terminal sends that to children too, and it is the parent that ends them. */
ofw_status lab_worker_send(lab_worker *w, const lab_plan *plan, const results_cell *cell, ofw_error *err);
/* Waits for what came of that cell. OFW_OK also if the play failed, or if the worker died of it: the outcome says so. */
ofw_status lab_worker_receive(lab_worker *w, const results_cell *cell, lab_outcome *out, ofw_error *err);
/* The config that the cell would have, found by the worker: a GPU that a process has used is none to those that it forks later.
 * free() returns it. */
ofw_status lab_worker_config(lab_worker *w, const lab_plan *plan, const results_cell *cell, char **out, ofw_error *err);
/* Ends it, whatever it does. One that is not there is accepted. */
void lab_worker_end(lab_worker *w);
