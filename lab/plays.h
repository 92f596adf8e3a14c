/* plays.h — an arm's reported plays by horizon and seed: their means, and how they grow with the horizon */
#pragma once

#include "lab/fit.h"
#include "lab/tune.h"

typedef struct lab_plays {
  const results_cell *cell; /* cell[i * seeds + k]: horizon i, seed k */
  size_t horizons, seeds;
} lab_plays;

/* A metric's growth beside what is proved of it. */
typedef struct lab_growth {
  ofw_exponent exponent;
  ofw_rate rate; /* what is proved; power 0: nothing */
  double proved; /* its slope over these horizons; NaN: nothing is proved */
  ofw_verdict verdict;
} lab_growth;

/* Those of an arm's n cells that follow its tuning; horizons of which not all seeds are there yet do not count. */
lab_plays lab_plays_of(const results_cell *cell, size_t n);
/* 1: no play with seed k failed. */
int lab_plays_whole(const lab_plays *p, size_t k);
/* Mean and standard deviation of a metric (by its offset in a results_cell, a double) over the whole seeds, at horizon i.
 * NaN if there are none. */
void lab_plays_mean(const lab_plays *p, size_t offset, size_t i, double *mean, double *deviation);
/* The fit over the whole seeds; fewer than OFW_FIT_SEEDS give no exponent. `seed` is the bootstrap's. */
ofw_status lab_plays_fit(const lab_plays *p, size_t offset, ofw_rate rate, uint64_t seed, lab_growth *out,
                         ofw_error *err);

/* ---- all arms of a results database with what came of them, in memory ---- */

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
  const lab_measured **by_name; /* the same in the order of label and stream */
} lab_rows;

/* lab_rows_free returns it, also if this failed. */
ofw_status lab_rows_read(results *from, lab_rows *out, ofw_error *err);
void lab_rows_free(lab_rows *rows);
/* The arm of this label on this stream; NULL: there is none, or several with different options. */
const lab_measured *lab_rows_find(const lab_rows *rows, const char *label, const char *stream);
