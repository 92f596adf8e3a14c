/* row.h — one row of measurements: a setup at several horizons, each with the same seeds, and what the growth is */
#ifndef OFW_LAB_ROW_H
#define OFW_LAB_ROW_H

#include "lab/fit.h"
#include "lab/tune.h"

/* A metric's growth beside what is proved of it. */
typedef struct lab_growth {
  ofw_exponent exponent;
  ofw_rate rate; /* what is proved; power 0: nothing */
  double proved; /* its slope over these horizons; NaN: nothing is proved */
  ofw_verdict verdict;
} lab_growth;

typedef struct lab_row {
  lab_setup setup;
  const char *constants; /* "theorem", "gamma=lambda", "tight", "tuned" */
  lab_tuning *tuning;    /* NULL: the constants are not tuned */
  size_t horizons, seeds;
  const uint64_t *rounds; /* ascending */
  uint64_t first_seed;
  lab_cell *cell; /* cell[i * seeds + k]: rounds[i], seed first_seed + k */
  size_t whole;   /* seeds of which no cell failed */
  lab_growth regret, ccv;
} lab_row;

/* Makes the cells of a row whose other members are set. */
ofw_status lab_row_open(lab_row *row, ofw_error *err);
void lab_row_free(lab_row *row);
/* Gives the cells the constants that its tuning came to. */
void lab_row_take_tuning(lab_row *row);

/* The fits, once all cells have results; seeds of which a cell failed are left out, and fewer than OFW_FIT_SEEDS give no
 * exponent. `seed` is the bootstrap's. */
ofw_status lab_row_fit(lab_row *row, uint64_t seed, ofw_error *err);
/* Mean and standard deviation of a metric (by its offset in ofw_metrics, a double) over the whole seeds, at horizon i.
 * NaN where there are none. */
void lab_row_mean(const lab_row *row, size_t offset, size_t i, double *mean, double *deviation);
/* 1: no cell of this seed failed. */
int lab_row_is_whole(const lab_row *row, size_t k);

#endif
