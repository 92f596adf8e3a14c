/* results.h — the results of an experiment, in one SQLite file
 *
 * results_schema.c has the tables. An arm is a learner with certain options on a stream; a cell is one play of it. What comes of
 * a cell is kept in one transaction, so a kill at any moment leaves whole cells and nothing else. Rows are named by
 * their place in the experiment, not by when they came, and what depends on the machine and the moment (times) has
 * tables of its own: two sweeps of one experiment by one build are equal in all the others.
 */
#pragma once

#include "base/option_table.h"

#include <ofw/run.h>

typedef struct results results;

/* A learner with one combination of its options, on a stream. A text that may be NULL says so. */
typedef struct results_arm {
  int64_t arm; /* from 1 */
  char *stream, *stream_spec;
  char *domain; /* NULL: the stream's own */
  char *label, *learner;
  char *options;     /* "key=value key=value" */
  int64_t tuned;     /* 1: the two constants were chosen by plays on other seeds */
  char *constant[2]; /* their names; NULL: none */
} results_arm;

/* A play. Numbers that are not known are NaN; of a failed one none is, and its counts are 0. */
typedef struct results_cell {
  int64_t cell, arm; /* from 1 */
  int64_t tune;      /* 1: played to choose constants; 0: to be reported */
  double factor[2];  /* of the two constants; 1: as they are */
  uint64_t rounds, seed;
  char *config;      /* every resolved setting, a line the learner's, a line the stream's; NULL: it failed */
  char *error;       /* NULL: it went well */
  int64_t exit_code; /* 0: it went well; else as the command's, 128 and more: ended by a signal */
  double loss, regret, ccv, soft_violation, held_out_rmse;
  double G, D; /* the Lipschitz constant and twice the domain's radius */
  uint64_t oracle_calls, passes, projections;
  double interval_regret, dynamic_regret; /* as ofw/metrics.h defines them */
  uint64_t interval_first, interval_last;
  double seconds; /* of play */
} results_cell;

/* What a play is measured by, for those who choose by name. */
typedef struct results_metric {
  const char *name;
  ofw_option_kind kind; /* OFW_COUNT or OFW_REAL */
  size_t offset;        /* in a results_cell */
} results_metric;
extern const results_metric results_metrics[];               /* ends with a NULL name */
const results_metric *results_metric_find(const char *name); /* NULL: there is none */
double results_metric_of(const results_cell *cell, const results_metric *metric);

/* ---- read ---- */

/* To be read alone; also while a sweep writes it, of which nothing is seen from then on. The path is the file's, or that of a
 * folder with a results.db. A file may come from anybody: it is checked as a whole first, and OFW_BAD_DATA says what is wrong
 * (docs/experiments.md). */
ofw_status results_open(const char *path, results **out, ofw_error *err);
/* NULL is accepted. */
void results_close(results *r);
/* The file's. */
const char *results_path(const results *r);

/* How much is in a whole database. */
typedef struct results_found {
  uint64_t arms, plays, tunings, failed; /* failed: of plays and tuning runs */
} results_found;

/* Whether a file is a results database and whole. OFW_BAD_DATA: err has one line that says what is wrong first; OFW_FAILED: the
 * system let it down. Then nothing was found. The file is not changed. */
ofw_status results_check(const char *path, results_found *out, ofw_error *err);

/* "title", "experiment" (the whole file), "version", "kernel", "format"; free() returns it. OFW_BAD_DATA: it is not
 * there. */
ofw_status results_meta(results *r, const char *key, char **out, ofw_error *err);
/* All of them in their order; the free function returns them. */
ofw_status results_arms(results *r, results_arm **out, size_t *n, ofw_error *err);
void results_arms_free(results_arm *arm, size_t n);
/* Those that are there: of one arm, or of all (arm 0). */
ofw_status results_cells(results *r, int64_t arm, results_cell **out, size_t *n, ofw_error *err);
void results_cells_free(results_cell *cell, size_t n);
/* 1: the i-th of an arm's n cells is a play that went well, and none that was reported is longer: what figures, claims and
 * reports are of. */
int results_is_shown(const results_cell *cell, size_t n, size_t i);
/* The recorded rounds of a cell: of each what a series holds, the rest is 0; free() returns them. None for a tuning or a failed cell. */
ofw_status results_series(results *r, int64_t cell, ofw_trace_row **out, size_t *n, ofw_error *err);

/* A value of a table; of the members that its kind does not have nothing is said. */
typedef struct results_value {
  enum { RESULTS_NULL, RESULTS_COUNT, RESULTS_REAL, RESULTS_TEXT } kind;
  int64_t count;
  double real;
  const char *text;
} results_value;

/* Calls `row` for every row of a table, or of "play", in the order of its key; the first time with the names as texts. A table
 * of another name is OFW_USAGE, and err names those that there are. */
ofw_status results_table(results *r, const char *table, void (*row)(void *ctx, const results_value *value, size_t n),
                         void *ctx, ofw_error *err);

/* ---- write ---- */

/* What an experiment is, and what plays it. */
typedef struct results_head {
  const char *title, *experiment, *version, *kernel;
  const results_arm *arm;
  size_t arms;
} results_head;

/* Opens or makes results.db in a folder that is there. One process at a time may; what was begun by another version or
 * kernel is refused. The head is written if the file is new, and else by results_renew. */
ofw_status results_create(const char *folder, const results_head *head, results **out, ofw_error *err);

/* Where a cell goes. */
typedef struct results_place {
  int64_t cell, arm; /* cell 0: it is deleted */
} results_place;
/* Makes it the database of another experiment, all at once: the cell with number i + 1 goes to to[i], of which there are n;
 * no two to one place. Cells may be put from here on, as after results_begin. */
ofw_status results_renew(results *r, const results_head *head, const results_place *to, size_t n, ofw_error *err);
/* Does work that may change the database and says whether it could be done, but changes nothing: all of it is taken back. */
ofw_status results_try(results *r, ofw_status (*work)(void *ctx), void *ctx, ofw_error *err);
/* From here on cells are put: by write-ahead log, so that readers and the writer do not wait for each other. */
ofw_status results_begin(results *r, ofw_error *err);
/* Keeps a cell with its series; what was there of it is replaced. */
ofw_status results_put(results *r, const results_cell *cell, const ofw_trace_row *point, size_t points,
                       const char *started, const char *machine, ofw_error *err);
/* No more cells come: the log goes, and the file stands alone, unless somebody is reading it. */
ofw_status results_finish(results *r, ofw_error *err);

/* ---- two databases ---- */

/* Keeps a cell of another database as it is there, with its series and times; what was there of it is replaced. */
ofw_status results_copy(results *to, results *from, int64_t cell, ofw_error *err);
/* OFW_BAD_DATA: the two that have the cell differ in it, or in its series; err has their names, `what` the cell is, and the first
 * difference. Times do not count. */
ofw_status results_compare(results *a, results *b, int64_t cell, const char *what, ofw_error *err);
