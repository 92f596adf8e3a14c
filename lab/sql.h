/* sql.h — the few lines between SQLite and ofw's way of failing */
#pragma once

#include "base/basics.h"
#include "lab/results.h"

#include <sqlite3.h>

/* The first and the last cell of an arm. */
typedef struct results_span {
  int64_t first, last;
} results_span;

enum { SQL_KEPT = 8 };

struct results {
  sqlite3 *db;
  char *path;
  int lock;                 /* on the folder, of one that writes; -1: none */
  uint64_t work, most_work; /* SQLite's steps so far, and how many there may be; most_work 0: any number */
  results_span *span;       /* by the arm's number; NULL: not known, as in a file that is written */
  size_t spans;
  sqlite3_stmt *kept[SQL_KEPT]; /* by sql_kept */
};

/* ---- the tables ---- */

/* What the values of a column are. */
enum {
  KIND_CELL,
  KIND_ROUND,
  KIND_FLAG,
  KIND_EXIT_CODE,
  KIND_COUNT,
  KIND_REAL,
  KIND_NAME,
  KIND_ROLE,
  KIND_STATUS,
  KIND_LINES,
  KIND_FILE,
  KIND_OR_NULL = 16 /* added to one of them */
};

typedef struct results_kind {
  int type;            /* RESULTS_COUNT, RESULTS_REAL or RESULTS_TEXT */
  int64_t least, most; /* a count; the most bytes of a text */
  const char *but;     /* the control characters that a text may hold */
  const char *word[2]; /* what is 0 and what is not in memory, of a text that is a number there */
} results_kind;
extern const results_kind results_kinds[];

/* In memory a count is an int64_t or uint64_t, a number a double, a text a char *. */
typedef struct results_column {
  unsigned char kind;
  size_t member; /* where it is in a results_arm, results_cell or ofw_trace_row; NO_MEMBER: nowhere */
} results_column;
#define NO_MEMBER SIZE_MAX

typedef struct results_table_kind {
  const char *name;
  const char *made;  /* the statement that makes it, as SQLite keeps it */
  const char *query; /* its rows */
  const results_column *column;
  size_t columns; /* 0: it is a view */
} results_table_kind;

enum {
  RESULTS_FORMAT = 2,
  RESULTS_TABLES = 7,
  TABLE_META = 0,
  TABLE_ARM,
  TABLE_CELL,
  TABLE_SERIES,
  TABLE_TIMING,
  TABLE_TIMING_SERIES
};
enum { CELL_OUTCOME = 14 }; /* from this column on, all of a failed cell are empty */
extern const results_table_kind results_tables[RESULTS_TABLES];
const results_table_kind *results_table_find(const char *name); /* NULL: there is none */
/* Format 1 had fewer columns of cells: how it made them, and a view that stands in front of them with the others empty. */
extern const char results_cell_made_1[], results_cell_from_1[];

/* ---- files that may have been made to hurt: results_guard.c, results_check.c ---- */

/* A handle for the file at that path, which is taken over; NULL: no memory. And what is left of one that could not be opened. */
results *sql_handle(char *path, ofw_error *err);
ofw_status sql_abandon(results **r, ofw_status st);
/* Opens r->path by SQLite's flags. */
ofw_status sql_open(results *r, int flags, ofw_error *err);
/* Before the first statement: no function, trigger, view or extension that the file names is run, rows have a longest length, and
 * the work that SQLite may do is bounded by the file's size. */
ofw_status sql_guard(results *r, uint64_t bytes, ofw_error *err);
/* That what is open is a results database of ofw: its tables are exactly those above, SQLite finds them whole, and every value is
 * what its column may hold. `bytes` is the size of the file and its log. A transaction is open, so that what was checked is what
 * is read later. */
ofw_status results_verify(results *r, uint64_t bytes, ofw_error *err);

/* Why SQLite refused, with the file's name. */
ofw_status sql_fail(const results *r, ofw_error *err);
/* Statements without results. */
ofw_status sql_do(results *r, const char *text, ofw_error *err);
/* A statement; sqlite3_finalize returns it, also if this failed. */
ofw_status sql_prepare(results *r, const char *text, sqlite3_stmt **out, ofw_error *err);
/* A statement that is run for every cell: made once if there are at most SQL_KEPT, with nothing bound, not to be finalized. */
ofw_status sql_kept(results *r, const char *text, sqlite3_stmt **out, ofw_error *err);
/* The next row: *there = 0 after the last. */
ofw_status sql_step(results *r, sqlite3_stmt *s, int *there, ofw_error *err);
/* Runs a statement that has been bound, and makes it ready for the next time. */
ofw_status sql_run(results *r, sqlite3_stmt *s, ofw_error *err);

/* Ends a transaction: all of it is kept if `st` is OFW_OK, and nothing otherwise. */
ofw_status sql_commit(results *r, ofw_status st, ofw_error *err);
/* Deletes a cell from all tables, within a transaction. */
ofw_status sql_forget(results *r, int64_t cell, ofw_error *err);

/* The first row of a query, whose parameter, if it has one, is the text; sqlite3_finalize returns the statement, also if this
 * failed. */
ofw_status sql_first(results *r, const char *query, const char *parameter, sqlite3_stmt **out, int *there,
                     ofw_error *err);
/* The whole number that the query's first row begins with; 0: there is none. */
ofw_status sql_number(results *r, const char *query, int64_t *out, ofw_error *err);

/* Binds the columns of a table that a row in memory has: parameter i is column i, from 1 on. NULL and NaN are NULL. */
void sql_bind_row(sqlite3_stmt *s, int table, const void *row);
/* Reads them from a statement that begins with all columns. sql_free_row frees the texts, also if this failed. */
ofw_status sql_read_row(sqlite3_stmt *s, int table, void *row, ofw_error *err);
void sql_free_row(int table, void *row);
ofw_status sql_text(sqlite3_stmt *s, int column, char **out, ofw_error *err);
double sql_real(sqlite3_stmt *s, int column);
