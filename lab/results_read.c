/* results_read.c — what is in a results database */
#include "lab/sql.h"

#include <errno.h>
#include <stdio.h>
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
    sqlite3_finalize(r->kept[i].statement);
  sqlite3_close(r->db);
  free(r->span);
  if (r->lock >= 0)
    close(r->lock);
  free(r->path);
  free(r);
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
  ofw_text name = {0};
  ofw_text_add(&name, "%s%s", r->path[0] == '/' ? "" : "./", r->path); /* "file:..." would be an address to SQLite */
  int code = name.failed ? SQLITE_NOMEM : sqlite3_open_v2(name.chars, &r->db, flags, NULL);
  free(name.chars);
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

ofw_status results_open(const char *path, results **out, ofw_error *err)
{
  struct stat about;
  ofw_text file = {0};
  results *r = *out = calloc(1, sizeof *r);
  ofw_text_add(&file, "%s%s", path, stat(path, &about) == 0 && S_ISDIR(about.st_mode) ? "/results.db" : "");
  if (!r || file.failed) {
    free(file.chars);
    free(r);
    *out = NULL;
    return ofw_fail_memory(err, sizeof *r + strlen(path));
  }
  *r = (results){.path = file.chars, .lock = -1};
  ofw_status st = open_to_read(r, err);
  if (st != OFW_OK) {
    results_close(r);
    *out = NULL;
  }
  return st;
}

const char *results_path(const results *r)
{
  return r->path;
}

ofw_status results_meta(results *r, const char *key, char **out, ofw_error *err)
{
  sqlite3_stmt *s = NULL;
  int i = 0, there = 0;
  *out = NULL;
  ofw_status st = sql_prepare(r, "SELECT value FROM meta WHERE key = ?", &s, err);
  if (st == OFW_OK) {
    sql_bind_text(s, &i, key);
    st = sql_step(r, s, &there, err);
    i = 0;
  }
  if (st == OFW_OK && there)
    st = sql_text(s, &i, out, err);
  sqlite3_finalize(s);
  return st == OFW_OK && !*out ? ofw_fail(err, OFW_BAD_DATA, "%.300s does not say its %s", r->path, key) : st;
}

/* ---- rows into an array ---- */

/* A kind of row: how large it is, and how it is read from the columns of its statement. */
typedef struct shape {
  const char *query;
  size_t size;
  ofw_status (*read)(sqlite3_stmt *s, void *row, ofw_error *err);
} shape;

static ofw_status grow(void **array, size_t n, size_t *room, size_t size, ofw_error *err)
{
  if (n < *room)
    return OFW_OK;
  size_t more = 2 * *room + 64;
  void *at = realloc(*array, more * size);
  if (!at)
    return ofw_fail_memory(err, more * size);
  *array = at;
  *room = more;
  return OFW_OK;
}

/* What has been read stays in *out also where it fails, for the caller to free. */
static ofw_status read_rows(results *r, const shape *kind, const int64_t *parameter, void **out, size_t *n,
                            ofw_error *err)
{
  sqlite3_stmt *s = NULL;
  size_t room = 0;
  *out = NULL;
  *n = 0;
  ofw_status st = sql_prepare(r, kind->query, &s, err);
  for (int i = 0; st == OFW_OK && i < sqlite3_bind_parameter_count(s); i++)
    sqlite3_bind_int64(s, i + 1, parameter[i]);
  for (int there = 1; st == OFW_OK;) {
    st = sql_step(r, s, &there, err);
    if (st != OFW_OK || !there)
      break;
    if ((st = grow(out, *n, &room, kind->size, err)) == OFW_OK) {
      char *row = (char *)*out + *n * kind->size;
      memset(row, 0, kind->size);
      ++*n;
      st = kind->read(s, row, err);
    }
  }
  sqlite3_finalize(s);
  return st;
}

static ofw_status read_arm(sqlite3_stmt *s, void *row, ofw_error *err)
{
  results_arm *a = row;
  int i = 0;
  a->arm = (int64_t)sql_count(s, &i);
  OFW_TRY(sql_text(s, &i, &a->stream, err));
  OFW_TRY(sql_text(s, &i, &a->stream_spec, err));
  OFW_TRY(sql_text(s, &i, &a->domain, err));
  OFW_TRY(sql_text(s, &i, &a->label, err));
  OFW_TRY(sql_text(s, &i, &a->learner, err));
  OFW_TRY(sql_text(s, &i, &a->options, err));
  a->tuned = sql_count(s, &i) != 0;
  OFW_TRY(sql_text(s, &i, &a->constant[0], err));
  return sql_text(s, &i, &a->constant[1], err);
}

void results_arms_free(results_arm *arm, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    char *text[] = {arm[i].stream,  arm[i].stream_spec, arm[i].domain,      arm[i].label,
                    arm[i].learner, arm[i].options,     arm[i].constant[0], arm[i].constant[1]};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
      free(text[k]);
  }
  free(arm);
}

ofw_status results_arms(results *r, results_arm **out, size_t *n, ofw_error *err)
{
  static const shape arms = {"SELECT arm, stream, stream_spec, domain, label, learner, options, tuned, constant1,"
                             " constant2 FROM arm ORDER BY arm",
                             sizeof(results_arm), read_arm};
  static const int64_t all = 0;
  void *rows;
  ofw_status st = read_rows(r, &arms, &all, &rows, n, err);
  *out = rows;
  if (st != OFW_OK) {
    results_arms_free(rows, *n);
    *out = NULL;
    *n = 0;
  }
  return st;
}

static ofw_status read_cell(sqlite3_stmt *s, void *row, ofw_error *err)
{
  results_cell *c = row;
  int i = 0;
  c->cell = (int64_t)sql_count(s, &i);
  c->arm = (int64_t)sql_count(s, &i);
  c->tune = sql_count(s, &i) != 0;
  c->factor[0] = sql_real(s, &i);
  c->factor[1] = sql_real(s, &i);
  c->rounds = sql_count(s, &i);
  c->seed = sql_count(s, &i);
  OFW_TRY(sql_text(s, &i, &c->config, err));
  OFW_TRY(sql_text(s, &i, &c->error, err));
  c->exit_code = (int)sql_count(s, &i);
  c->loss = sql_real(s, &i);
  c->regret = sql_real(s, &i);
  c->ccv = sql_real(s, &i);
  c->soft_violation = sql_real(s, &i);
  c->held_out_rmse = sql_real(s, &i);
  c->G = sql_real(s, &i);
  c->D = sql_real(s, &i);
  c->oracle_calls = sql_count(s, &i);
  c->passes = sql_count(s, &i);
  c->projections = sql_count(s, &i);
  c->interval_regret = sql_real(s, &i);
  c->dynamic_regret = sql_real(s, &i);
  c->interval_first = sql_count(s, &i);
  c->interval_last = sql_count(s, &i);
  c->seconds = sql_real(s, &i);
  return OFW_OK;
}

void results_cells_free(results_cell *cell, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    free(cell[i].config);
    free(cell[i].error);
  }
  free(cell);
}

int results_is_shown(const results_cell *cell, size_t n, size_t i)
{
  const results_cell *last = cell + n - 1; /* a plan has the longest last */
  return !cell[i].tune && !cell[i].error && cell[i].rounds >= last->rounds;
}

ofw_status results_cells(results *r, int64_t arm, results_cell **out, size_t *n, ofw_error *err)
{
  static const shape cells = {
      "SELECT cell, arm, role = 'tune', factor1, factor2, rounds, seed, config, error, exit_code, loss, regret, ccv,"
      " soft_violation, held_out_rmse, G, D, oracle_calls, passes, projections, interval_regret,"
      " dynamic_regret, interval_first, interval_last, seconds"
      " FROM cell LEFT JOIN timing USING (cell) WHERE ?1 IN (0, arm) AND cell BETWEEN ?2 AND ?3 ORDER BY cell",
      sizeof(results_cell), read_cell};
  void *rows;
  int64_t of[] = {arm, 1, INT64_MAX};
  if (arm > 0 && (size_t)arm < r->spans) {
    of[1] = r->span[arm].first;
    of[2] = r->span[arm].last;
  }
  ofw_status st = read_rows(r, &cells, of, &rows, n, err);
  *out = rows;
  if (st != OFW_OK) {
    results_cells_free(rows, *n);
    *out = NULL;
    *n = 0;
  }
  return st;
}

static ofw_status read_point(sqlite3_stmt *s, void *row, ofw_error *err)
{
  results_point *p = row;
  int i = 0;
  (void)err;
  p->round = sql_count(s, &i);
  p->loss_sum = sql_real(s, &i);
  p->ccv = sql_real(s, &i);
  p->comparator_loss_sum = sql_real(s, &i);
  p->oracle_calls = sql_count(s, &i);
  p->passes = sql_count(s, &i);
  p->seconds = sql_real(s, &i);
  return OFW_OK;
}

ofw_status results_series(results *r, int64_t cell, results_point **out, size_t *n, ofw_error *err)
{
  static const shape points = {"SELECT round, loss_sum, ccv, comparator_loss_sum, oracle_calls, passes, seconds"
                               " FROM series LEFT JOIN timing_series USING (cell, round) WHERE cell = ? ORDER BY round",
                               sizeof(results_point), read_point};
  void *rows;
  ofw_status st = read_rows(r, &points, &cell, &rows, n, err);
  *out = rows;
  if (st != OFW_OK) {
    free(rows);
    *out = NULL;
    *n = 0;
  }
  return st;
}
