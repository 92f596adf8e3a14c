/* sql.c — SQLite calls that return ofw's statuses, with messages that name the file */
#include "lab/sql.h"

#include "base/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ofw_status sql_fail(const results *r, ofw_error *err)
{
  int code = r->db ? sqlite3_errcode(r->db) : SQLITE_NOMEM;
  if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
    return ofw_fail(err, OFW_BAD_DATA, "%.300s is no results database of ofw, or a damaged one", r->path);
  if (code == SQLITE_INTERRUPT) /* by results_guard.c */
    return ofw_fail(err, OFW_BAD_DATA, "%.300s takes more work than a file of its size can hold; it is damaged",
                    r->path);
  if (code == SQLITE_READONLY) /* a journal has to be rolled back first */
    return ofw_fail(err, OFW_BAD_DATA, "%.300s was left half-written; the sweep that wrote it mends it", r->path);
  if (code == SQLITE_TOOBIG)
    return ofw_fail(err, OFW_BAD_DATA, "%.300s has a row of more than %d bytes", r->path, OFW_LONGEST_RESULT);
  return ofw_fail(err, code == SQLITE_CANTOPEN ? OFW_BAD_DATA : OFW_FAILED, "%.300s: %.120s", r->path,
                  r->db ? sqlite3_errmsg(r->db) : "out of memory");
}

ofw_status sql_do(results *r, const char *text, ofw_error *err)
{
  return sqlite3_exec(r->db, text, NULL, NULL, NULL) == SQLITE_OK ? OFW_OK : sql_fail(r, err);
}

ofw_status sql_prepare(results *r, const char *text, sqlite3_stmt **out, ofw_error *err)
{
  return sqlite3_prepare_v2(r->db, text, -1, out, NULL) == SQLITE_OK ? OFW_OK : sql_fail(r, err);
}

ofw_status sql_kept(results *r, const char *text, sqlite3_stmt **out, ofw_error *err)
{
  size_t i = 0;
  while (i + 1 < SQL_KEPT && r->kept[i].text && strcmp(r->kept[i].text, text) != 0)
    i++;
  if (!r->kept[i].text || strcmp(r->kept[i].text, text) != 0) { /* the last place is shared by all that have none */
    sqlite3_finalize(r->kept[i].statement);
    r->kept[i].statement = NULL;
    r->kept[i].text = NULL;
    OFW_TRY(sql_prepare(r, text, &r->kept[i].statement, err));
  }
  r->kept[i].text = text;
  *out = r->kept[i].statement;
  sqlite3_clear_bindings(*out);
  return OFW_OK;
}

ofw_status sql_step(results *r, sqlite3_stmt *s, int *there, ofw_error *err)
{
  int code = sqlite3_step(s);
  *there = code == SQLITE_ROW;
  return code == SQLITE_ROW || code == SQLITE_DONE ? OFW_OK : sql_fail(r, err);
}

ofw_status sql_run(results *r, sqlite3_stmt *s, ofw_error *err)
{
  int there;
  ofw_status st = sql_step(r, s, &there, err);
  sqlite3_reset(s);
  return st;
}

void sql_bind_text(sqlite3_stmt *s, int *i, const char *text)
{
  sqlite3_bind_text(s, ++*i, text, -1, SQLITE_STATIC); /* NULL binds NULL */
}

void sql_bind_real(sqlite3_stmt *s, int *i, double x)
{
  sqlite3_bind_double(s, ++*i, x); /* NaN binds NULL */
}

void sql_bind_count(sqlite3_stmt *s, int *i, uint64_t n)
{
  sqlite3_bind_int64(s, ++*i, (sqlite3_int64)n);
}

ofw_status sql_text(sqlite3_stmt *s, int *i, char **out, ofw_error *err)
{
  const char *text = (const char *)sqlite3_column_text(s, (*i)++);
  *out = text ? ofw_copy_text(text) : NULL;
  return !text || *out ? OFW_OK : ofw_fail_memory(err, strlen(text));
}

double sql_real(sqlite3_stmt *s, int *i)
{
  int at = (*i)++;
  return sqlite3_column_type(s, at) == SQLITE_NULL ? NAN : sqlite3_column_double(s, at);
}

uint64_t sql_count(sqlite3_stmt *s, int *i)
{
  return (uint64_t)sqlite3_column_int64(s, (*i)++);
}
