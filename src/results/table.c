/* table.c — any table of a results database, row by row */
#include "results/sql.h"

#include <stdlib.h>
#include <string.h>

/* OFW_USAGE where there is no table or view of that name. */
static ofw_status check_table(results *r, const char *table, ofw_error *err)
{
  sqlite3_stmt *s = NULL;
  ofw_text names = {0};
  int found = 0, there = 1;
  ofw_status st =
      sql_prepare(r, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid", &s, err);
  while (st == OFW_OK && !found) {
    st = sql_step(r, s, &there, err);
    if (st != OFW_OK || !there)
      break;
    const char *name = (const char *)sqlite3_column_text(s, 0);
    found = name && strcmp(name, table) == 0;
    ofw_text_add(&names, "%s%s", names.length ? ", " : "", name ? name : "");
  }
  sqlite3_finalize(s);
  if (st == OFW_OK && !found)
    st = ofw_fail(err, OFW_USAGE, "no table '%.80s' in %.200s; it has %.160s", table, r->path,
                  names.chars ? names.chars : "none");
  free(names.chars);
  return st;
}

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

ofw_status results_table(results *r, const char *table, void (*row)(void *ctx, const results_value *value, size_t n),
                         void *ctx, ofw_error *err)
{
  sqlite3_stmt *s = NULL;
  OFW_TRY(check_table(r, table, err));
  char *query = sqlite3_mprintf("SELECT * FROM \"%w\"", table); /* which walks the key: all have one */
  ofw_status st = query ? sql_prepare(r, query, &s, err) : ofw_fail_memory(err, strlen(table));
  results_value *value = st == OFW_OK ? ofw_array((size_t)sqlite3_column_count(s), sizeof *value) : NULL;
  if (st == OFW_OK)
    st = value ? walk(r, s, value, row, ctx, err) : ofw_fail_memory(err, sizeof *value);
  free(value);
  sqlite3_finalize(s);
  sqlite3_free(query);
  return st;
}
