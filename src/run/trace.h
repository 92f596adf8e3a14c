/* trace.h — the CSV file of a run, one row per recorded round
 *
 * Sums are cumulative, so a thinned trace loses nothing at the rounds it keeps. Lines that begin with '#' hold the
 * configuration. A number that is not known is an empty cell.
 */
#pragma once

#include "base/option_table.h"

#include <ofw/run.h>

#include <stdio.h>

/* A number of a struct: a column of a trace's rows, or of metrics. */
typedef struct ofw_column {
  const char *name;
  ofw_option_kind kind; /* OFW_COUNT or OFW_REAL */
  size_t offset;
  const char *help;
} ofw_column;

/* One table for the line of names, the rows, the saved account and the manual. */
extern const ofw_column ofw_trace_columns[];
extern const size_t ofw_trace_columns_count;

/* What follows a comma in a comment is quoted by a ' in front: it would be a formula if the file is opened as a table, or
 * begins with a ' itself. The reader takes that away. */
int ofw_trace_is_quoted(const char *cell);

/* Which rounds are written: every n-th and the last; n = 0: at 1, 2, .. 9, 10, 20, .. 90, 100, .. and the last. */
int ofw_trace_due(uint64_t every, uint64_t round, uint64_t last);

/* A '#' line for each of the n "key=value" texts, then the names of the columns. A control character in a text becomes '?', and
 * a ' stands after a comma if what follows would be a formula to a spreadsheet. */
ofw_status ofw_trace_begin(FILE *out, size_t n, const char *const *header);
/* One line. OFW_FAILED if `out` refuses it. */
ofw_status ofw_trace_write(FILE *out, const ofw_trace_row *row);

/* A trace in memory. */
typedef struct ofw_trace {
  size_t headers;     /* how many lines began with '#' */
  char **header;      /* what they say, without the mark */
  size_t rows;        /* how many rounds are recorded */
  ofw_trace_row *row; /* in the order of the rounds */
} ofw_trace;

/* Reads a trace back, every number to its bits. OFW_BAD_DATA: the file is no trace, or a damaged one; err says in which
 * line. On failure nothing has to be freed. */
ofw_status ofw_trace_read(const char *path, ofw_trace *out, ofw_error *err);
/* Returns its memory and leaves it as {0}. */
void ofw_trace_free(ofw_trace *trace);
