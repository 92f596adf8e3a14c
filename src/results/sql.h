/* sql.h — the few lines between SQLite and ofw's way of failing */
#ifndef OFW_RESULTS_SQL_H
#define OFW_RESULTS_SQL_H

#include "base/base.h"
#include "results/results.h"

#include <sqlite3.h>

struct results {
  sqlite3 *db;
  char *path;
  int lock; /* on the folder, of one that writes; -1: none */
};

extern const char results_schema[];
enum { RESULTS_FORMAT = 1 };

/* Why SQLite refused, with the file's name. */
ofw_status sql_fail(const results *r, ofw_error *err);
/* Statements without results. */
ofw_status sql_do(results *r, const char *text, ofw_error *err);
/* A statement; sqlite3_finalize returns it, also where this failed. */
ofw_status sql_prepare(results *r, const char *text, sqlite3_stmt **out, ofw_error *err);
/* The next row: *there = 0 after the last. */
ofw_status sql_step(results *r, sqlite3_stmt *s, int *there, ofw_error *err);
/* Runs a statement that has been bound, and makes it ready for the next time. */
ofw_status sql_run(results *r, sqlite3_stmt *s, ofw_error *err);

/* Parameters and columns are counted from *i on, which moves. NULL and NaN are NULL. */
void sql_bind_text(sqlite3_stmt *s, int *i, const char *text);
void sql_bind_real(sqlite3_stmt *s, int *i, double x);
void sql_bind_count(sqlite3_stmt *s, int *i, uint64_t n);
ofw_status sql_text(sqlite3_stmt *s, int *i, char **out, ofw_error *err);
double sql_real(sqlite3_stmt *s, int *i);
uint64_t sql_count(sqlite3_stmt *s, int *i);

#endif
