/* sql.c — SQLite calls that return ofw's statuses, with messages that name the file */
#include "lab/sql.h"

#include "base/limits.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ofw_status sql_fail(const results *r, ofw_error *err)
{
  int code = r->db ? sqlite3_errcode(r->db) : SQLITE_NOMEM;
  if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
    return ofw_fail(err, OFW_BAD_DATA, "%.300s is not a results database of ofw, or a damaged one", r->path);
  if (code == SQLITE_INTERRUPT) /* by results_guard.c */
    return ofw_fail(err, OFW_BAD_DATA, "%.300s is damaged: reading it takes too long for its size", r->path);
  int more = r->db ? sqlite3_extended_errcode(r->db) : code, why = r->db ? sqlite3_system_errno(r->db) : 0;
  if (more == SQLITE_READONLY_ROLLBACK || more == SQLITE_READONLY_RECOVERY || more == SQLITE_READONLY_CANTINIT)
    return ofw_fail(err, OFW_BAD_DATA, "%.300s was left half-written; repeat the sweep that wrote it to repair it",
                    r->path);
  if (code == SQLITE_READONLY)
    return ofw_fail(err, OFW_FAILED, "%.300s cannot be written; look at the permissions of it and of its folder",
                    r->path);
  if (code == SQLITE_CANTOPEN && (why == EACCES || why == EPERM || why == EROFS))
    return ofw_fail(err, OFW_FAILED, "%.300s cannot be opened: %s", r->path, strerror(why));
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
  while (i + 1 < SQL_KEPT && r->kept[i] && strcmp(sqlite3_sql(r->kept[i]), text) != 0)
    i++;
  if (!r->kept[i] || strcmp(sqlite3_sql(r->kept[i]), text) != 0) { /* the last place is shared by all that have none */
    sqlite3_finalize(r->kept[i]);
    r->kept[i] = NULL;
    OFW_TRY(sql_prepare(r, text, &r->kept[i], err));
  }
  *out = r->kept[i];
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

ofw_status sql_first(results *r, const char *query, const char *parameter, sqlite3_stmt **out, int *there,
                     ofw_error *err)
{
  *out = NULL;
  *there = 0;
  OFW_TRY(sql_prepare(r, query, out, err));
  if (parameter)
    sqlite3_bind_text(*out, 1, parameter, -1, SQLITE_STATIC);
  return sql_step(r, *out, there, err);
}

ofw_status sql_number(results *r, const char *query, int64_t *out, ofw_error *err)
{
  sqlite3_stmt *s;
  int there;
  ofw_status st = sql_first(r, query, NULL, &s, &there, err);
  *out = there ? sqlite3_column_int64(s, 0) : 0;
  sqlite3_finalize(s);
  return st;
}

/* ---- rows ---- */

static const results_kind *kind_of(const results_column *column)
{
  return &results_kinds[column->kind & ~(unsigned)KIND_OR_NULL];
}

void sql_bind_row(sqlite3_stmt *s, int table, const void *row)
{
  for (size_t i = 0; i < results_tables[table].columns; i++) {
    const results_column *c = &results_tables[table].column[i];
    const results_kind *kind = kind_of(c);
    int to = (int)i + 1;
    if (c->member == NO_MEMBER)
      continue;
    const void *at = (const char *)row + c->member;
    if (kind->type == RESULTS_REAL)
      sqlite3_bind_double(s, to, *(const double *)at);
    else if (kind->type == RESULTS_COUNT)
      sqlite3_bind_int64(s, to, *(const int64_t *)at);
    else if (kind->word[0])
      sqlite3_bind_text(s, to, kind->word[*(const int64_t *)at != 0], -1, SQLITE_STATIC);
    else
      sqlite3_bind_text(s, to, *(char *const *)at, -1, SQLITE_STATIC);
  }
}

static int64_t read_word(sqlite3_stmt *s, int column, const results_kind *kind)
{
  const char *text = (const char *)sqlite3_column_text(s, column);
  return text && strcmp(text, kind->word[1]) == 0;
}

ofw_status sql_read_row(sqlite3_stmt *s, int table, void *row, ofw_error *err)
{
  for (size_t i = 0; i < results_tables[table].columns; i++) {
    const results_column *c = &results_tables[table].column[i];
    const results_kind *kind = kind_of(c);
    int from = (int)i;
    if (c->member == NO_MEMBER)
      continue;
    void *at = (char *)row + c->member;
    if (kind->type == RESULTS_REAL)
      *(double *)at = sql_real(s, from);
    else if (kind->type == RESULTS_COUNT)
      *(int64_t *)at = sqlite3_column_int64(s, from);
    else if (kind->word[0])
      *(int64_t *)at = read_word(s, from, kind);
    else
      OFW_TRY(sql_text(s, from, at, err));
  }
  return OFW_OK;
}

void sql_free_row(int table, void *row)
{
  for (size_t i = 0; i < results_tables[table].columns; i++) {
    const results_column *c = &results_tables[table].column[i];
    if (c->member != NO_MEMBER && kind_of(c)->type == RESULTS_TEXT && !kind_of(c)->word[0])
      free(*(char **)((char *)row + c->member));
  }
}

ofw_status sql_text(sqlite3_stmt *s, int column, char **out, ofw_error *err)
{
  const char *text = (const char *)sqlite3_column_text(s, column);
  *out = text ? ofw_copy_text(text) : NULL;
  return !text || *out ? OFW_OK : ofw_fail_memory(err, strlen(text));
}

double sql_real(sqlite3_stmt *s, int column)
{
  return sqlite3_column_type(s, column) == SQLITE_NULL ? NAN : sqlite3_column_double(s, column);
}
