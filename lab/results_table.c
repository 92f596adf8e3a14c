/* results_table.c — a table of a results database, row by row, or the plays */
#include "lab/sql.h"

#include <stdlib.h>

static results_value column(sqlite3_stmt *s, int i)
{
  switch (sqlite3_column_type(s, i)) {
  case SQLITE_INTEGER:
    return (results_value){.kind = RESULTS_COUNT, .count = sqlite3_column_int64(s, i)};
  case SQLITE_FLOAT:
    return (results_value){.kind = RESULTS_REAL, .real = sqlite3_column_double(s, i)};
  case SQLITE_TEXT:
    return (results_value){.kind = RESULTS_TEXT, .text = (const char *)sqlite3_column_text(s, i)};
  default:
    return (results_value){.kind = RESULTS_NULL};
  }
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
