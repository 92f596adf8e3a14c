/* results_copy.c — a cell of two results databases: copied from one to the other, or compared
 *
 * Both go by SQLite's values, so that every bit, every NULL and every type stays what it is.
 */
#include "lab/sql.h"

#include "base/plain.h"

#include <stdio.h>
#include <string.h>

enum { SQL_TEXT = 160 };

/* The rows of a cell in a table, by their key. */
static ofw_status select_rows(results *r, int table, int64_t cell, sqlite3_stmt **out, ofw_error *err)
{
  char text[SQL_TEXT];
  int rounds = table == TABLE_SERIES || table == TABLE_TIMING_SERIES;
  snprintf(text, sizeof text, "SELECT * FROM %s WHERE cell = ? ORDER BY %s", results_tables[table].name,
           rounds ? "round" : "cell");
  OFW_TRY(sql_kept(r, text, out, err));
  sqlite3_bind_int64(*out, 1, cell);
  return OFW_OK;
}

/* ---- copied ---- */

static ofw_status insert_into(results *r, int table, sqlite3_stmt **out, ofw_error *err)
{
  char text[SQL_TEXT];
  int end = snprintf(text, sizeof text, "INSERT INTO %s VALUES (?", results_tables[table].name);
  for (size_t i = 1; i < results_tables[table].columns; i++)
    end += snprintf(text + end, sizeof text - (size_t)end, ", ?");
  snprintf(text + end, sizeof text - (size_t)end, ")");
  return sql_kept(r, text, out, err);
}

static ofw_status copy_rows(results *to, results *from, int table, int64_t cell, ofw_error *err)
{
  sqlite3_stmt *row, *put;
  int there = 1;
  OFW_TRY(select_rows(from, table, cell, &row, err));
  ofw_status st = insert_into(to, table, &put, err);
  while (st == OFW_OK && (st = sql_step(from, row, &there, err)) == OFW_OK && there) {
    for (int i = 0; i < sqlite3_column_count(row); i++)
      sqlite3_bind_value(put, i + 1, sqlite3_column_value(row, i));
    st = sql_run(to, put, err);
  }
  sqlite3_reset(row);
  return st;
}

static ofw_status copy_all(results *to, results *from, int64_t cell, ofw_error *err)
{
  OFW_TRY(sql_forget(to, cell, err));
  for (int table = TABLE_CELL; table <= TABLE_TIMING_SERIES; table++)
    OFW_TRY(copy_rows(to, from, table, cell, err));
  return OFW_OK;
}

ofw_status results_copy(results *to, results *from, int64_t cell, ofw_error *err)
{
  OFW_TRY(sql_do(to, "BEGIN IMMEDIATE", err));
  return sql_commit(to, copy_all(to, from, cell, err), err);
}

/* ---- compared ---- */

/* The same row of both. */
typedef struct pair {
  results *r[2];
  sqlite3_stmt *row[2];
  int64_t cell;
  const char *what;
} pair;

static int same_value(const pair *p, int i)
{
  sqlite3_stmt *a = p->row[0], *b = p->row[1];
  int type = sqlite3_column_type(a, i);
  if (type != sqlite3_column_type(b, i))
    return 0;
  if (type == SQLITE_INTEGER)
    return sqlite3_column_int64(a, i) == sqlite3_column_int64(b, i);
  if (type == SQLITE_FLOAT) {
    double x = sqlite3_column_double(a, i), y = sqlite3_column_double(b, i);
    return memcmp(&x, &y, sizeof x) == 0;
  }
  const void *x = sqlite3_column_blob(a, i), *y = sqlite3_column_blob(b, i);
  int n = sqlite3_column_bytes(a, i);
  return n == sqlite3_column_bytes(b, i) && (n == 0 || memcmp(x, y, (size_t)n) == 0);
}

/* A value for a message. */
static const char *shown(sqlite3_stmt *s, int i, char out[OFW_REAL_TEXT])
{
  const char *text = (const char *)sqlite3_column_text(s, i);
  if (sqlite3_column_type(s, i) == SQLITE_FLOAT)
    return ofw_print_real(sqlite3_column_double(s, i), out);
  snprintf(out, OFW_REAL_TEXT, "%s", text ? text : "not known");
  ofw_make_plain(out, "");
  return out;
}

static ofw_status refuse(const pair *p, int i, ofw_error *err)
{
  char a[OFW_REAL_TEXT], b[OFW_REAL_TEXT];
  return ofw_fail(err, OFW_BAD_DATA, "%.110s and %.110s differ in cell %lld (%.100s): %s is %s and %s", p->r[0]->path,
                  p->r[1]->path, (long long)p->cell, p->what, sqlite3_column_name(p->row[0], i), shown(p->row[0], i, a),
                  shown(p->row[1], i, b));
}

static ofw_status compare_rows(pair *p, ofw_error *err)
{
  for (int there[2] = {1, 1};;) {
    for (int k = 0; k < 2; k++)
      OFW_TRY(sql_step(p->r[k], p->row[k], &there[k], err));
    if (there[0] != there[1])
      return ofw_fail(err, OFW_BAD_DATA, "%.110s and %.110s differ in cell %lld (%.100s): one has fewer rounds",
                      p->r[0]->path, p->r[1]->path, (long long)p->cell, p->what);
    if (!there[0])
      return OFW_OK;
    for (int i = 0; i < sqlite3_column_count(p->row[0]); i++)
      if (!same_value(p, i))
        return refuse(p, i, err);
  }
}

ofw_status results_compare(results *a, results *b, int64_t cell, const char *what, ofw_error *err)
{
  for (int table = TABLE_CELL; table <= TABLE_SERIES; table++) {
    pair p = {.r = {a, b}, .cell = cell, .what = what};
    for (int k = 0; k < 2; k++)
      OFW_TRY(select_rows(p.r[k], table, cell, &p.row[k], err));
    ofw_status st = compare_rows(&p, err);
    sqlite3_reset(p.row[0]);
    sqlite3_reset(p.row[1]);
    OFW_TRY(st);
  }
  return OFW_OK;
}
