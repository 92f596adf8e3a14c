/* roster.c — the table of sessions in SQLite */
#include "server/roster.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct roster {
  sqlite3 *db;
  pthread_mutex_t lock; /* one statement at a time */
};

static ofw_status fail(const roster *r, ofw_error *err)
{
  return ofw_fail(err, OFW_FAILED, "the list of sessions: %s", sqlite3_errmsg(r->db));
}

static ofw_status run(const roster *r, const char *sql, ofw_error *err)
{
  return sqlite3_exec(r->db, sql, NULL, NULL, NULL) == SQLITE_OK ? OFW_OK : fail(r, err);
}

/* application_id is "ofws". AUTOINCREMENT: a number is never used twice. */
static const char schema[] =
    "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA locking_mode = EXCLUSIVE;"
    "PRAGMA application_id = 1868986227; PRAGMA user_version = 1;"
    "CREATE TABLE IF NOT EXISTS session (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,"
    " created INTEGER NOT NULL, name TEXT NOT NULL, learner TEXT NOT NULL, domain TEXT NOT NULL,"
    " options TEXT NOT NULL, pairs TEXT NOT NULL, seed INTEGER NOT NULL) STRICT";

ofw_status roster_open(const char *path, roster **out, ofw_error *err)
{
  roster *r = calloc(1, sizeof *r);
  *out = NULL;
  if (!r)
    return ofw_fail_memory(err, sizeof *r);
  pthread_mutex_init(&r->lock, NULL);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  ofw_error why = {0};
  ofw_status st = sqlite3_open_v2(path, &r->db, flags, NULL) == SQLITE_OK ? run(r, schema, &why) : fail(r, &why);
  if (st == OFW_OK)
    *out = r;
  else {
    ofw_fail(err, st, "%.200s: %s", path, why.message);
    roster_close(r);
  }
  return st;
}

void roster_close(roster *r)
{
  if (!r)
    return;
  sqlite3_close(r->db);
  pthread_mutex_destroy(&r->lock);
  free(r);
}

/* ---- rows ---- */

static char *text_at(sqlite3_stmt *row, int column)
{
  const char *text = (const char *)sqlite3_column_text(row, column);
  return ofw_copy_text(text ? text : "");
}

static ofw_status hand_out(sqlite3_stmt *row, roster_row each, void *ctx, ofw_error *err)
{
  session_spec spec = {.created = sqlite3_column_int64(row, 2),
                       .name = text_at(row, 3),
                       .learner = text_at(row, 4),
                       .domain = text_at(row, 5),
                       .options = text_at(row, 6),
                       .pairs = text_at(row, 7),
                       .seed = (uint64_t)sqlite3_column_int64(row, 8)};
  const char *id = (const char *)sqlite3_column_text(row, 1);
  if (!spec.name || !spec.learner || !spec.domain || !spec.options || !spec.pairs || !id) {
    session_spec_free(&spec);
    return ofw_fail_memory(err, 1024);
  }
  if (!session_id_fits(id)) {
    session_spec_free(&spec);
    return ofw_fail(err, OFW_BAD_DATA, "the list of sessions: '%.40s' is no id", id);
  }
  return each(ctx, id, (uint64_t)sqlite3_column_int64(row, 0), &spec, err);
}

ofw_status roster_each(roster *r, roster_row each, void *ctx, ofw_error *err)
{
  sqlite3_stmt *row = NULL;
  ofw_status st = OFW_OK;
  int got = sqlite3_prepare_v2(r->db,
                               "SELECT number, id, created, name, learner, domain, options, pairs, seed FROM session "
                               "ORDER BY number",
                               -1, &row, NULL);
  if (got != SQLITE_OK)
    return fail(r, err);
  while (st == OFW_OK && (got = sqlite3_step(row)) == SQLITE_ROW)
    st = hand_out(row, each, ctx, err);
  if (st == OFW_OK && got != SQLITE_DONE)
    st = fail(r, err);
  sqlite3_finalize(row);
  return st;
}

/* A statement whose values are bound: done, and gone. */
static ofw_status finish(const roster *r, sqlite3_stmt *s, ofw_error *err)
{
  ofw_status st = sqlite3_step(s) == SQLITE_DONE ? OFW_OK : fail(r, err);
  sqlite3_finalize(s);
  return st;
}

ofw_status roster_add(roster *r, session *s, ofw_error *err)
{
  const session_spec *spec = &s->spec;
  const char *const texts[] = {s->id, spec->name, spec->learner, spec->domain, spec->options, spec->pairs};
  sqlite3_stmt *row = NULL;
  ofw_status st = OFW_OK;
  pthread_mutex_lock(&r->lock);
  if (sqlite3_prepare_v2(r->db,
                         "INSERT INTO session (id, name, learner, domain, options, pairs, created, seed) "
                         "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                         -1, &row, NULL) != SQLITE_OK)
    st = fail(r, err);
  for (int k = 0; k < 6 && st == OFW_OK; k++)
    sqlite3_bind_text(row, k + 1, texts[k], -1, SQLITE_STATIC);
  if (st == OFW_OK) {
    sqlite3_bind_int64(row, 7, spec->created);
    sqlite3_bind_int64(row, 8, (int64_t)spec->seed);
    st = finish(r, row, err);
  }
  s->number = (uint64_t)sqlite3_last_insert_rowid(r->db);
  pthread_mutex_unlock(&r->lock);
  return st;
}

ofw_status roster_remove(roster *r, const char *id, ofw_error *err)
{
  sqlite3_stmt *row = NULL;
  ofw_status st = OFW_OK;
  pthread_mutex_lock(&r->lock);
  if (sqlite3_prepare_v2(r->db, "DELETE FROM session WHERE id = ?", -1, &row, NULL) != SQLITE_OK)
    st = fail(r, err);
  if (st == OFW_OK) {
    sqlite3_bind_text(row, 1, id, -1, SQLITE_STATIC);
    st = finish(r, row, err);
  }
  pthread_mutex_unlock(&r->lock);
  return st;
}
