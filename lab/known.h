/* known.h — plays that are done, by their numbers */
#pragma once

#include "lab/results.h"

/* Of a database; results_cells_free returns the cells. */
typedef struct lab_known {
  results_cell *cell; /* by their numbers */
  size_t n;
} lab_known;

/* 1: nobody needs to play it again: it went well, or failed in a way that it always will. What the system ended, or refused for
 * want of memory, is played again. */
int lab_is_final(const results_cell *c);
/* 1: both are played with the same constants. */
int lab_same_factors(const results_cell *a, const results_cell *b);
/* What is known of a cell as it is to be played, with its factors; NULL: nothing that is final. */
const results_cell *lab_known_find(const lab_known *known, const results_cell *c);
