/* results_guard.c — a connection that a file which was made to hurt cannot lead
 *
 * A database brings its own program along: views, triggers, expressions in the schema, and trees whose branches grow together, so
 * that a few pages hold more rows than can ever be read. None of that is run here, and what SQLite does is counted.
 */
#include "lab/sql.h"

#include "base/limits.h"

/* A row takes at least a few bytes of the file, and is walked a few times with about 100 steps each. */
enum { STEPS = 1000, FREE_WORK = 20000000, WORK_PER_BYTE = 100 };

static int on_steps(void *ctx)
{
  results *r = ctx;
  r->work += STEPS;
  return r->most_work && r->work > r->most_work;
}

static int configure(sqlite3 *db)
{
  static const struct {
    int which, value;
  } settings[] = {
      {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
      {SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
      {SQLITE_DBCONFIG_DQS_DDL, 0},        {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
  };
  int bad = SQLITE_OK;
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    bad |= sqlite3_db_config(db, settings[i].which, settings[i].value, NULL);
  return bad;
}

static void limit(sqlite3 *db)
{
  static const struct {
    int which, most;
  } limits[] = {
      {SQLITE_LIMIT_LENGTH, OFW_LONGEST_RESULT},
      {SQLITE_LIMIT_SQL_LENGTH, 65536},
      {SQLITE_LIMIT_COLUMN, 64},
      {SQLITE_LIMIT_EXPR_DEPTH, 64},
      {SQLITE_LIMIT_ATTACHED, 0},
      {SQLITE_LIMIT_COMPOUND_SELECT, 8},
      {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
      {SQLITE_LIMIT_WORKER_THREADS, 0},
      {SQLITE_LIMIT_VDBE_OP, 100000},
  };
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    sqlite3_limit(db, limits[i].which, limits[i].most);
}

ofw_status sql_guard(results *r, uint64_t bytes, ofw_error *err)
{
  if (configure(r->db) != SQLITE_OK)
    return sql_fail(r, err);
  limit(r->db);
  r->most_work = FREE_WORK + (bytes < UINT64_MAX / 1000 ? bytes * WORK_PER_BYTE : UINT64_MAX / 10);
  sqlite3_progress_handler(r->db, STEPS, on_steps, r);
  return sql_do(r, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY", err);
}
