/* cell.h — one play of an experiment: everything that decides what comes of it, and what came of it */
#ifndef OFW_LAB_CELL_H
#define OFW_LAB_CELL_H

#include <stdatomic.h>

#include <ofw/metrics.h>

#include "lab/scale.h"

/* What plays share that differ in their length and their seed. The texts are the caller's. */
typedef struct lab_setup {
  const char *learner, *stream;
  const char *domain;     /* NULL: the stream brings its own */
  const char *const *set; /* options of the learner */
  size_t sets;
  int untold; /* 1: the learner is not told the horizon */
} lab_setup;

/* What came of a cell. */
typedef struct lab_result {
  ofw_status status;   /* OFW_OK, or why there are no metrics */
  char *error;         /* in words; NULL: it went well */
  double G, D;         /* the stream's Lipschitz constant and twice the domain's radius R */
  ofw_metrics metrics; /* from the rows of all rounds */
} lab_result;

typedef struct lab_cell {
  const lab_setup *of;
  double factor[2]; /* what the learner's two constants to tune are multiplied by; 1: they are as they are */
  uint64_t rounds, seed;
  const lab_result *result; /* NULL: not played yet */
} lab_cell;

/* Plays it. OFW_OK also where it failed: *out says so. OFW_END where *stop (may be NULL) was set, by a signal or another
 * thread, before it was done; OFW_FAILED where there is no memory for *out. */
ofw_status lab_cell_play(const lab_cell *c, const atomic_int *stop, lab_result *out);
/* Makes all that it needs and plays nothing: OFW_OK, or why it cannot be. */
ofw_status lab_cell_check(const lab_cell *c, ofw_error *err);
/* The options that its factors come to, "step=10"; "" for a factor of 1. */
ofw_status lab_cell_scaled(const lab_cell *c, char out[2][LAB_SCALED_TEXT], ofw_error *err);
/* The texts by which it is known, without blanks; free() returns them. NULL: no memory. */
char *lab_cell_key(const lab_cell *c);

void lab_result_free(lab_result *r);

/* A text without blanks, tabs, ends of lines and percent signs, which become %20 and so on; and back, in place. */
char *lab_escape(const char *text);
void lab_unescape(char *text);

#endif
