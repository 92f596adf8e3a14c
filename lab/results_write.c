/* results_write.c — a results database as a sweep fills it */
#include "lab/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* ---- the file ---- */

/* SQLite's own locks are on the file, so this one is on the folder. */
static ofw_status lock_folder(results *r, const char *folder, ofw_error *err)
{
  r->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (r->lock >= 0 && flock(r->lock, LOCK_EX | LOCK_NB) == 0)
    return OFW_OK;
  if (r->lock >= 0 && errno == EWOULDBLOCK)
    return ofw_fail(err, OFW_USAGE, "%.300s is in use by another ofw; wait until it ends", folder);
  return ofw_fail(err, OFW_FAILED, "cannot lock %.300s: %s", folder, strerror(errno));
}

/* Once the file is open, SQLite rolls back a journal that somebody left beside it, at the first statement. One that ends with this
 * mark names another file, which SQLite then deletes. Those of ofw never do: they are of one file alone. */
static ofw_status check_journal(const results *r, ofw_error *err)
{
  static const unsigned char mark[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  unsigned char end[sizeof mark] = {0};
  const char *path = sqlite3_filename_journal(sqlite3_db_filename(r->db, "main")); /* beside what a link leads to */
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  off_t size = file >= 0 ? lseek(file, 0, SEEK_END) : 0;
  int names = size >= (off_t)sizeof mark && pread(file, end, sizeof end, size - (off_t)sizeof end) == sizeof end &&
              memcmp(end, mark, sizeof mark) == 0;
  if (file >= 0)
    close(file);
  return names
             ? ofw_fail(err, OFW_BAD_DATA,
                        "%.300s-journal names another file, as no journal of ofw does; choose another folder", r->path)
             : OFW_OK;
}

static ofw_status put_meta(results *r, const results_head *head, ofw_error *err)
{
  char format[16];
  snprintf(format, sizeof format, "%d", RESULTS_FORMAT);
  const char *const row[][2] = {{"format", format},
                                {"title", head->title},
                                {"experiment", head->experiment},
                                {"version", head->version},
                                {"kernel", head->kernel}};
  sqlite3_stmt *s = NULL;
  ofw_status st = sql_prepare(r, "REPLACE INTO meta VALUES (?, ?)", &s, err);
  for (size_t k = 0; k < sizeof row / sizeof *row && st == OFW_OK; k++) {
    sqlite3_bind_text(s, 1, row[k][0], -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, row[k][1], -1, SQLITE_STATIC);
    st = sql_run(r, s, err);
  }
  sqlite3_finalize(s);
  return st;
}

static ofw_status put_head(results *r, const results_head *head, ofw_error *err)
{
  OFW_TRY(put_meta(r, head, err));
  sqlite3_stmt *s = NULL;
  ofw_status st = sql_prepare(r, "INSERT INTO arm VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", &s, err);
  for (const results_arm *a = head->arm; a < head->arm + head->arms && st == OFW_OK; a++) {
    sql_bind_row(s, TABLE_ARM, a);
    st = sql_run(r, s, err);
  }
  sqlite3_finalize(s);
  return st;
}

/* Plays of two versions or kernels may differ in their last bits. */
static ofw_status check_meta(results *r, const results_head *head, ofw_error *err)
{
  const char *const is[] = {head->version, head->kernel};
  static const char *const key[] = {"version", "kernel"};
  for (size_t k = 0; k < 2; k++) {
    char *was;
    OFW_TRY(results_meta(r, key[k], &was, err));
    int same = strcmp(was, is[k]) == 0;
    if (!same)
      ofw_fail(err, OFW_USAGE, "%.300s was written with %s %.40s, but this is %.40s; choose another folder", r->path,
               key[k], was, is[k]);
    free(was);
    if (!same)
      return OFW_USAGE;
  }
  return OFW_OK;
}

static ofw_status fill(results *r, const results_head *head, ofw_error *err)
{
  for (size_t i = 0; i < RESULTS_TABLES; i++)
    OFW_TRY(sql_do(r, results_tables[i].made, err));
  return put_head(r, head, err);
}

ofw_status sql_commit(results *r, ofw_status st, ofw_error *err)
{
  if (st == OFW_OK)
    st = sql_do(r, "COMMIT", err);
  if (st != OFW_OK)
    sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
  return st;
}

static ofw_status open_to_write(results *r, const char *folder, const results_head *head, ofw_error *err)
{
  int64_t filled;
  results *again;
  OFW_TRY(lock_folder(r, folder, err));
  OFW_TRY(sql_open(r, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err));
  OFW_TRY(check_journal(r, err));
  OFW_TRY(sql_guard(r, 0, err));
  sqlite3_busy_timeout(r->db, 60000); /* a reader that turns the log back into the file */
  OFW_TRY(sql_number(r, "SELECT 1 FROM sqlite_master", &filled, err));
  r->most_work = 0; /* what is written is ours; what is read, others have checked */
  if (!filled) {
    OFW_TRY(sql_do(r, "BEGIN IMMEDIATE", err));
    return sql_commit(r, fill(r, head, err), err);
  }
  OFW_TRY(results_open(r->path, &again, err)); /* that it is one of ours, and whole */
  results_close(again);
  return check_meta(r, head, err);
}

ofw_status results_create(const char *folder, const results_head *head, results **out, ofw_error *err)
{
  *out = sql_handle(ofw_format("%s/results.db", folder), err);
  ofw_status st = *out ? open_to_write(*out, folder, head, err) : OFW_FAILED;
  return st == OFW_OK ? st : sql_abandon(out, st);
}

/* A cell that the log had not yet on the disk when the power went is played again, so the log need not wait for it. */
ofw_status results_begin(results *r, ofw_error *err)
{
  return sql_do(r, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", err);
}

ofw_status results_finish(results *r, ofw_error *err)
{
  sqlite3_busy_timeout(r->db, 0);
  ofw_status st = sql_do(r, "PRAGMA journal_mode = DELETE", err);
  return st != OFW_OK && sqlite3_errcode(r->db) == SQLITE_BUSY ? OFW_OK : st; /* somebody reads: the log stays */
}

/* ---- a cell ---- */

static const char *const of_cells[] = {"timing_series", "timing", "series", "cell"};
enum { SQL_TEXT = 100 };

ofw_status sql_forget(results *r, int64_t cell, ofw_error *err)
{
  for (size_t k = 0; k < sizeof of_cells / sizeof *of_cells; k++) {
    char text[SQL_TEXT];
    sqlite3_stmt *s;
    snprintf(text, sizeof text, "DELETE FROM %s WHERE cell = ?", of_cells[k]);
    OFW_TRY(sql_kept(r, text, &s, err));
    sqlite3_bind_int64(s, 1, cell);
    OFW_TRY(sql_run(r, s, err));
  }
  return OFW_OK;
}

static ofw_status put_cell(results *r, const results_cell *c, ofw_error *err)
{
  static const char text[] =
      "INSERT INTO cell SELECT ?, ?, ?, ?, ?, ?, ?, ?, v.value, k.value, 1, ?12, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
      " ?, ?, ?, ? FROM meta v, meta k WHERE v.key = 'version' AND k.key = 'kernel'";
  sqlite3_stmt *s;
  OFW_TRY(sql_kept(r, text, &s, err));
  sql_bind_row(s, TABLE_CELL, c);
  for (int i = CELL_OUTCOME; c->exit_code && i < (int)results_tables[TABLE_CELL].columns; i++)
    sqlite3_bind_null(s, i + 1);
  return sql_run(r, s, err);
}

static ofw_status put_timing(results *r, const results_cell *c, const char *started, const char *machine,
                             ofw_error *err)
{
  sqlite3_stmt *s;
  OFW_TRY(sql_kept(r, "INSERT INTO timing VALUES (?, ?, ?, ?)", &s, err));
  sql_bind_row(s, TABLE_TIMING, c);
  sqlite3_bind_text(s, 2, machine, -1, SQLITE_STATIC);
  sqlite3_bind_text(s, 3, started, -1, SQLITE_STATIC);
  return sql_run(r, s, err);
}

static ofw_status put_series(results *r, int64_t cell, const ofw_trace_row *point, size_t n, ofw_error *err)
{
  sqlite3_stmt *row, *time;
  OFW_TRY(sql_kept(r, "INSERT INTO series VALUES (?, ?, ?, ?, ?, ?, ?)", &row, err));
  OFW_TRY(sql_kept(r, "INSERT INTO timing_series VALUES (?, ?, ?)", &time, err));
  sqlite3_bind_int64(row, 1, cell);
  sqlite3_bind_int64(time, 1, cell);
  for (size_t i = 0; i < n; i++) {
    sql_bind_row(row, TABLE_SERIES, &point[i]);
    OFW_TRY(sql_run(r, row, err));
    sql_bind_row(time, TABLE_TIMING_SERIES, &point[i]);
    OFW_TRY(sql_run(r, time, err));
  }
  return OFW_OK;
}

static ofw_status put_all(results *r, const results_cell *cell, const ofw_trace_row *point, size_t points,
                          const char *started, const char *machine, ofw_error *err)
{
  OFW_TRY(sql_forget(r, cell->cell, err));
  OFW_TRY(put_cell(r, cell, err));
  OFW_TRY(put_timing(r, cell, started, machine, err));
  return put_series(r, cell->cell, point, points, err);
}

ofw_status results_put(results *r, const results_cell *cell, const ofw_trace_row *point, size_t points,
                       const char *started, const char *machine, ofw_error *err)
{
  OFW_TRY(sql_do(r, "BEGIN IMMEDIATE", err));
  return sql_commit(r, put_all(r, cell, point, points, started, machine, err), err);
}

/* ---- another experiment ---- */

/* A statement for every cell that stays: ?1 is its number to be, ?2 its number, ?3 its arm to be. */
static ofw_status move_cells(results *r, const char *text, const results_place *to, size_t n, ofw_error *err)
{
  sqlite3_stmt *s = NULL;
  ofw_status st = sql_prepare(r, text, &s, err);
  for (size_t k = 0; k < n && st == OFW_OK; k++)
    if (to[k].cell) {
      sqlite3_bind_int64(s, 1, to[k].cell);
      sqlite3_bind_int64(s, 2, (int64_t)k + 1);
      sqlite3_bind_int64(s, 3, to[k].arm);
      st = sql_run(r, s, err);
    }
  sqlite3_finalize(s);
  return st;
}

static ofw_status renew(results *r, const results_head *head, const results_place *to, size_t n, ofw_error *err)
{
  for (size_t k = 0; k < n; k++)
    if (!to[k].cell)
      OFW_TRY(sql_forget(r, (int64_t)k + 1, err));
  OFW_TRY(move_cells(r, "UPDATE cell SET arm = ?3 WHERE cell = ?2 AND arm <> ?3", to, n, err));
  for (size_t k = 0; k < sizeof of_cells / sizeof *of_cells; k++) {
    char text[SQL_TEXT]; /* by way of numbers below 0, so that no two cells meet */
    snprintf(text, sizeof text, "UPDATE %s SET cell = -?1 WHERE cell = ?2 AND ?1 <> ?2", of_cells[k]);
    OFW_TRY(move_cells(r, text, to, n, err));
    snprintf(text, sizeof text, "UPDATE %s SET cell = -cell WHERE cell < 0", of_cells[k]);
    OFW_TRY(sql_do(r, text, err));
  }
  OFW_TRY(sql_do(r, "DELETE FROM arm", err));
  return put_head(r, head, err);
}

ofw_status results_renew(results *r, const results_head *head, const results_place *to, size_t n, ofw_error *err)
{
  if (!sqlite3_get_autocommit(r->db)) /* within results_try */
    return renew(r, head, to, n, err);
  OFW_TRY(results_begin(r, err)); /* so that readers find the old database or the new one, also after a kill */
  OFW_TRY(sql_do(r, "BEGIN IMMEDIATE", err));
  return sql_commit(r, renew(r, head, to, n, err), err);
}

/* Nothing is written before the end, and at the end all of it is forgotten. A log that an earlier writer has left keeps the file as it
 * is by itself. */
ofw_status results_try(results *r, ofw_status (*work)(void *ctx), void *ctx, ofw_error *err)
{
  int64_t has_log;
  OFW_TRY(sql_number(r, "SELECT journal_mode = 'wal' FROM pragma_journal_mode", &has_log, err));
  if (!has_log)
    OFW_TRY(sql_do(r, "PRAGMA cache_spill = OFF; PRAGMA journal_mode = MEMORY", err));
  OFW_TRY(sql_do(r, "BEGIN IMMEDIATE", err));
  ofw_status st = work(ctx);
  sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
  ofw_status after =
      has_log ? OFW_OK : sql_do(r, "PRAGMA journal_mode = DELETE; PRAGMA cache_spill = ON", st == OFW_OK ? err : NULL);
  return st == OFW_OK ? after : st;
}
