/* results_read.c — reads a results database */
#include "lab/sql.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the file ---- */

void results_close(results *r)
{
  if (!r)
    return;
  for (size_t i = 0; i < SQL_KEPT; i++)
    sqlite3_finalize(r->kept[i]);
  sqlite3_close(r->db);
  free(r->span);
  if (r->lock >= 0)
    close(r->lock);
  free(r->path);
  free(r);
}

ofw_status sql_abandon(results **r, ofw_status st)
{
  results_close(*r);
  *r = NULL;
  return st;
}

/* The size of the file and, once it is open, of its log, which has the newest pages while a sweep writes. OFW_BAD_DATA: no regular
 * file. */
static ofw_status measure(const results *r, uint64_t *out, ofw_error *err)
{
  struct stat about;
  const char *log = r->db ? sqlite3_filename_wal(sqlite3_db_filename(r->db, "main")) : NULL;
  if (stat(r->path, &about) != 0)
    return ofw_fail(err, OFW_BAD_DATA, "cannot read %.300s: %s", r->path, strerror(errno));
  if (!S_ISREG(about.st_mode))
    return ofw_fail(err, OFW_BAD_DATA, "%.300s is not a regular file", r->path);
  *out = (uint64_t)about.st_size;
  if (log && stat(log, &about) == 0)
    *out += (uint64_t)about.st_size;
  return OFW_OK;
}

ofw_status sql_open(results *r, int flags, ofw_error *err)
{
  char *name =
      ofw_format("%s%s", r->path[0] == '/' ? "" : "./", r->path); /* "file:..." would be an address to SQLite */
  int code = name ? sqlite3_open_v2(name, &r->db, flags, NULL) : SQLITE_NOMEM;
  free(name);
  return code == SQLITE_OK ? OFW_OK : sql_fail(r, err);
}

static ofw_status open_to_read(results *r, ofw_error *err)
{
  uint64_t bytes;
  OFW_TRY(measure(r, &bytes, err));
  OFW_TRY(sql_open(r, SQLITE_OPEN_READONLY, err));
  sqlite3_busy_timeout(r->db, 10000);
  OFW_TRY(sql_guard(r, bytes, err));
  OFW_TRY(sql_do(r, "BEGIN; SELECT 1 FROM sqlite_schema", err)); /* from here on it is as it is now */
  OFW_TRY(measure(r, &bytes, err));
  return results_verify(r, bytes, err);
}

results *sql_handle(char *path, ofw_error *err)
{
  results *r = path ? calloc(1, sizeof *r) : NULL;
  if (r)
    *r = (results){.path = path, .lock = -1};
  else {
    free(path);
    ofw_fail_memory(err, sizeof *r);
  }
  return r;
}

ofw_status results_open(const char *path, results **out, ofw_error *err)
{
  struct stat about;
  int is_folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
  *out = sql_handle(ofw_format("%s%s", path, is_folder ? "/results.db" : ""), err);
  ofw_status st = *out ? open_to_read(*out, err) : OFW_FAILED;
  return st == OFW_OK ? st : sql_abandon(out, st);
}

const char *results_path(const results *r)
{
  return r->path;
}

ofw_status results_meta(results *r, const char *key, char **out, ofw_error *err)
{
  sqlite3_stmt *s;
  int there;
  *out = NULL;
  ofw_status st = sql_first(r, "SELECT value FROM meta WHERE key = ?", key, &s, &there, err);
  if (st == OFW_OK && there)
    st = sql_text(s, 0, out, err);
  sqlite3_finalize(s);
  return st == OFW_OK && !*out ? ofw_fail(err, OFW_BAD_DATA, "%.300s is damaged: it does not say its %s", r->path, key)
                               : st;
}

/* ---- rows into an array ---- */

/* A kind of row: how large it is, and the query whose columns are a table's, then perhaps the seconds. */
typedef struct shape {
  const char *query;
  int table;
  size_t size, seconds; /* where they are in a row; 0: there are none */
} shape;

static const shape arms = {"SELECT * FROM arm ORDER BY arm", TABLE_ARM, sizeof(results_arm), 0};
static const shape cells = {
    "SELECT cell.*, seconds"
    " FROM cell LEFT JOIN timing USING (cell) WHERE ?1 IN (0, arm) AND cell BETWEEN ?2 AND ?3 ORDER BY cell",
    TABLE_CELL, sizeof(results_cell), offsetof(results_cell, seconds)};
static const shape points = {"SELECT series.*, seconds"
                             " FROM series LEFT JOIN timing_series USING (cell, round) WHERE cell = ? ORDER BY round",
                             TABLE_SERIES, sizeof(ofw_trace_row), offsetof(ofw_trace_row, seconds)};

static void free_rows(const shape *kind, void *rows, size_t n)
{
  for (size_t i = 0; i < n; i++)
    sql_free_row(kind->table, (char *)rows + i * kind->size);
  free(rows);
}

static ofw_status read_row(const shape *kind, sqlite3_stmt *s, char *row, ofw_error *err)
{
  memset(row, 0, kind->size);
  if (kind->seconds)
    *(double *)(void *)(row + kind->seconds) = sql_real(s, (int)results_tables[kind->table].columns);
  return sql_read_row(s, kind->table, row, err);
}

static ofw_status read_rows(results *r, const shape *kind, const int64_t *parameter, void **out, size_t *n,
                            ofw_error *err)
{
  sqlite3_stmt *s = NULL;
  size_t room = 0;
  int there = 1;
  *out = NULL;
  *n = 0;
  ofw_status st = sql_prepare(r, kind->query, &s, err);
  for (int i = 0; st == OFW_OK && parameter && i < sqlite3_bind_parameter_count(s); i++)
    sqlite3_bind_int64(s, i + 1, parameter[i]);
  while (st == OFW_OK && (st = sql_step(r, s, &there, err)) == OFW_OK && there)
    if ((st = ofw_grow(out, *n, 1, &room, kind->size, err)) == OFW_OK)
      st = read_row(kind, s, (char *)*out + (*n)++ * kind->size, err);
  sqlite3_finalize(s);
  if (st != OFW_OK) {
    free_rows(kind, *out, *n);
    *out = NULL;
    *n = 0;
  }
  return st;
}

ofw_status results_arms(results *r, results_arm **out, size_t *n, ofw_error *err)
{
  void *rows;
  ofw_status st = read_rows(r, &arms, NULL, &rows, n, err);
  *out = rows;
  return st;
}

void results_arms_free(results_arm *arm, size_t n)
{
  free_rows(&arms, arm, n);
}

ofw_status results_cells(results *r, int64_t arm, results_cell **out, size_t *n, ofw_error *err)
{
  void *rows;
  int64_t of[] = {arm, 1, INT64_MAX};
  if (arm > 0 && (size_t)arm < r->spans) {
    of[1] = r->span[arm].first;
    of[2] = r->span[arm].last;
  }
  ofw_status st = read_rows(r, &cells, of, &rows, n, err);
  *out = rows;
  return st;
}

void results_cells_free(results_cell *cell, size_t n)
{
  free_rows(&cells, cell, n);
}

int results_is_shown(const results_cell *cell, size_t n, size_t i)
{
  const results_cell *last = cell + n - 1; /* a plan has the longest last */
  return !cell[i].tune && !cell[i].error && cell[i].rounds >= last->rounds;
}

ofw_status results_series(results *r, int64_t cell, ofw_trace_row **out, size_t *n, ofw_error *err)
{
  void *rows;
  ofw_status st = read_rows(r, &points, &cell, &rows, n, err);
  *out = rows;
  return st;
}
