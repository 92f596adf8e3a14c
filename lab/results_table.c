/* results_table.c — a table of a results database, row by row, or the plays */
#include "lab/sql.h"

#include <stdlib.h>

static results_value column(sqlite3_stmt *s, int i)
{
  results_value v = {.kind = RESULTS_NULL};
  switch (sqlite3_column_type(s, i)) {
  case SQLITE_INTEGER:
    v.kind = RESULTS_COUNT;
    v.count = sqlite3_column_int64(s, i);
    break;
  case SQLITE_FLOAT:
    v.kind = RESULTS_REAL;
    v.real = sqlite3_column_double(s, i);
    break;
  case SQLITE_TEXT:
    v.kind = RESULTS_TEXT;
    v.text = (const char *)sqlite3_column_text(s, i);
    break;
  default:
    break;
  }
  return v;
}

static ofw_status walk(results *r, sqlite3_stmt *s, results_value *value,
                       void (*row)(void *ctx, const results_value *value, size_t n), void *ctx, ofw_error *err)
{
  int n = sqlite3_column_count(s);
  for (int i = 0; i < n; i++)
    value[i] = (results_value){.kind = RESULTS_TEXT, .text = sqlite3_column_name(s, i)};
  row(ctx, value, (size_t)n);
  for (int there = 1;;) {
    OFW_TRY(sql_step(r, s, &there, err));
    if (!there)
      return OFW_OK;
    for (int i = 0; i < n; i++)
      value[i] = column(s, i);
    row(ctx, value, (size_t)n);
  }
}

static ofw_status refuse(const results *r, const char *table, ofw_error *err)
{
  ofw_text names = {0};
  for (size_t i = 0; i < RESULTS_TABLES; i++)
    ofw_text_add(&names, "%s%s", i ? ", " : "", results_tables[i].name);
  ofw_status st =
      names.failed ? ofw_fail_memory(err, names.room)
                   : ofw_fail(err, OFW_USAGE, "no table '%.80s' in %.200s; it has %.160s", table, r->path, names.chars);
  free(names.chars);
  return st;
}

ofw_status results_table(results *r, const char *table, void (*row)(void *ctx, const results_value *value, size_t n),
                         void *ctx, ofw_error *err)
{
  sqlite3_stmt *s = NULL;
  const results_table_kind *kind = results_table_find(table);
  if (!kind)
    return refuse(r, table, err);
  ofw_status st = sql_prepare(r, kind->query, &s, err);
  results_value *value = st == OFW_OK ? ofw_array((size_t)sqlite3_column_count(s), sizeof *value) : NULL;
  if (st == OFW_OK)
    st = value ? walk(r, s, value, row, ctx, err) : ofw_fail_memory(err, sizeof *value);
  free(value);
  sqlite3_finalize(s);
  return st;
}
