/* measured.h — all arms of a results database with what came of them, in memory */
#ifndef OFW_LAB_MEASURED_H
#define OFW_LAB_MEASURED_H

#include "lab/plays.h"
#include "lab/tune.h"

typedef struct lab_measured {
  results_arm *arm;
  results_cell *cell;
  size_t cells;
  lab_tuning tuning;
  lab_plays plays;
} lab_measured;

typedef struct lab_rows {
  results_arm *arm;
  lab_measured *row; /* one per arm */
  size_t n;
} lab_rows;

/* lab_rows_free returns it, also where this failed. */
ofw_status lab_rows_read(results *from, lab_rows *out, ofw_error *err);
void lab_rows_free(lab_rows *rows);

#endif
