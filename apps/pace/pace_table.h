/* pace_table.h — lines of CSV or NDJSON as cells of named columns
 *
 * The first line that is not empty tells the format: it begins with '{', or it is the header of a CSV file. Other columns and fields
 * than the wanted ones are skipped. Cells are texts in either format; what they must hold is the reader's affair.
 */
#pragma once

#include "base/basics.h"

enum { PACE_MOST_COLUMNS = 8, PACE_MOST_CELLS = 1024, PACE_MOST_NESTING = 32 };

typedef enum pace_format { PACE_FORMAT_OPEN, PACE_CSV, PACE_NDJSON } pace_format;

/* Start it with the first five set and the rest 0. */
typedef struct pace_table {
  size_t columns;
  const char *name[PACE_MOST_COLUMNS];
  unsigned needed;   /* bits: columns that a CSV header must have */
  const char *where; /* what messages begin with: the file's name, or NULL */
  const char *hint;  /* what a message on a missing column ends with, or NULL */
  pace_format format;
  uint64_t number;               /* of the line being read, which the caller sets */
  size_t place[PACE_MOST_CELLS]; /* CSV: which wanted column a cell is, or `columns` */
  size_t cells;                  /* of the CSV header */
  char *cell[PACE_MOST_COLUMNS]; /* of the last row; NULL: not there, empty, or null. In the line's own memory */
} pace_table;

/* The cells of a line, which is changed. OFW_END: it is no row (empty, or the header). Messages name line and column. */
ofw_status pace_table_line(pace_table *t, char *line, size_t length, ofw_error *err);

/* "FILE: line 7, column "value": expected a number from 0 on, found "abc"" */
ofw_status pace_table_refuse(const pace_table *t, size_t column, const char *expected, ofw_error *err);
/* A cell that must be there and be a number from `least` to `most`. */
ofw_status pace_table_number(const pace_table *t, size_t column, double least, double most, double *out,
                             ofw_error *err);
/* A cell that must be there: at most `longest` bytes of plain text. */
ofw_status pace_table_text(const pace_table *t, size_t column, size_t longest, const char **out, ofw_error *err);
/* Seconds: a number, or a date and time as 2026-11-17T10:30:00, with a fraction, Z or +01:00 behind it if wanted. */
ofw_status pace_table_time(const pace_table *t, size_t column, double *out, ofw_error *err);
/* 2026-11-17 as days since 1970; 0: it is no date. */
int pace_read_date(const char *text, int64_t *days);
