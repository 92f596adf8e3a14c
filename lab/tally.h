/* tally.h — how far a sweep is, and what of it failed */
#pragma once

#include "lab/front.h"

typedef struct lab_tally {
  size_t cells;                         /* planned */
  size_t known, played;                 /* done before; done now */
  size_t started;                       /* handed to workers */
  double work, known_work, played_work; /* the same in rounds */
  size_t failed;                        /* of these */
  size_t ended;                         /* of the failed those that are not final (known.h) */
  size_t first_failed;                  /* the place of the failure that is told */
  char failure[400];                    /* of the first in the plan's order: what, and why */
  char *refused; /* of each tuning that refused some of its runs, a line; NULL: none has. free() returns it */
  int signal;    /* that ended it; 0: none did */
} lab_tally;

/* A cell of that arm that is done. A tuning run that the learner refuses is no failure .. */
void lab_tally_done(lab_tally *t, const lab_arm *arm, const results_cell *c);
/* .. unless it refuses them all: then it cannot be played so. To be called once when the tuning is settled. */
void lab_tally_settled(lab_tally *t, const lab_front *f);
/* Fills `refused`. */
ofw_status lab_tally_refusals(lab_tally *t, const lab_front *front, size_t n, ofw_error *err);
