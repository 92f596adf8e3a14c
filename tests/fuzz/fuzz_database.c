/* fuzz_database.c — results databases: any bytes; a whole one that was damaged; a whole one on which any statements were run
 *
 * What is accepted can be read to its end by all that read it, and holds nothing but what its columns may hold: names that can be
 * shown, counts in their range, references to what is there. What is refused is refused in one line, after work that the file's size
 * bounds.
 */
#include "fuzz.h"

#include "base/limits.h"
#include "base/plain.h"
#include "lab/choices.h"
#include "lab/claims.h"
#include "lab/curve.h"
#include "lab/sql.h"
#include "lab/tune.h"

/* ---- a whole one ---- */

static const char experiment[] =
    "[experiment]\ntitle = t\nrounds = 9\nseeds = 3\n[stream s]\nstream = linear\n[learner A]\n"
    "learner = ofw\n[learner B]\nlearner = ofw-tvc\ntune = yes\n[claim 1]\ntext = c\n"
    "better = B\nthan = A\nmetric = ccv, loss\n";
/* Arm 1 has plays 1 to 3, arm 2 a tuning of 22 runs and its plays. */
static const char rows[] =
    "INSERT INTO meta VALUES ('format', '2'), ('title', 't'), ('version', '0'), ('kernel', 'k');"
    "INSERT INTO arm VALUES (1, 's', 'linear', NULL, 'A', 'ofw', '', 0, NULL, NULL),"
    " (2, 's', 'linear', 'l2-ball:dim=2', 'B', 'ofw-tvc', 'a=1', 1, 'step', 'c');"
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 28)"
    " INSERT INTO cell SELECT x, 1 + (x > 3), CASE WHEN x BETWEEN 4 AND 25 THEN 'tune' ELSE 'play' END, x, 1.0, 9,"
    " 1 + x % 3, 'l\ns', '0', 'k', 1, 'ok', NULL, 0, x % 7, x % 5, x % 4, 0.0, NULL, 2.0, 2.0, 9, 0, 0, x % 5, NULL, "
    "1, 9 FROM n;"
    "UPDATE cell SET status = 'failed', exit_code = 4, error = 'e', loss = NULL WHERE cell IN (9, 28);"
    "INSERT INTO timing SELECT cell, 'm', '2026', 0.5 FROM cell;"
    "INSERT INTO series SELECT cell, r, r * 0.5, 0.25 * cell, NULL, r, 0 FROM cell, (SELECT 3 AS r UNION SELECT 9)"
    " WHERE role = 'play' AND status = 'ok';"
    "INSERT INTO timing_series SELECT cell, round, 0.1 FROM series;";

static unsigned char *make_whole(size_t *size)
{
  sqlite3 *db;
  sqlite3_stmt *s;
  sqlite3_int64 length = 0;
  MUST(sqlite3_open(":memory:", &db) == SQLITE_OK);
  MUST(sqlite3_exec(db, "PRAGMA page_size = 512", NULL, NULL, NULL) == SQLITE_OK);
  for (size_t i = 0; i < RESULTS_TABLES; i++)
    MUST(sqlite3_exec(db, results_tables[i].made, NULL, NULL, NULL) == SQLITE_OK);
  MUST(sqlite3_exec(db, rows, NULL, NULL, NULL) == SQLITE_OK);
  MUST(sqlite3_prepare_v2(db, "INSERT INTO meta VALUES ('experiment', ?)", -1, &s, NULL) == SQLITE_OK);
  MUST(sqlite3_bind_text(s, 1, experiment, -1, SQLITE_STATIC) == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE);
  sqlite3_finalize(s);
  unsigned char *bytes = sqlite3_serialize(db, "main", &length, 0);
  MUST(bytes && length > 1024);
  sqlite3_close(db);
  *size = (size_t)length;
  return bytes;
}

/* A copy of it, which sqlite3_free returns; it is made once. */
static unsigned char *copy_whole(size_t *size)
{
  static unsigned char *whole;
  static size_t length;
  if (!whole)
    whole = make_whole(&length);
  unsigned char *copy = sqlite3_malloc64(length);
  MUST(copy);
  memcpy(copy, whole, length);
  *size = length;
  return copy;
}

/* ---- what is promised of one that is accepted ---- */

static void must_show(const char *text, const char *but)
{
  MUST(text && !*ofw_plain_end(text, but));
}

static void must_show_or_null(const char *text, const char *but)
{
  if (text)
    must_show(text, but);
}

static void must_hold_arm(const results_arm *a)
{
  MUST(a->arm >= 1 && a->arm <= OFW_MOST_CELLS);
  must_show(a->stream, "\t");
  must_show(a->stream_spec, "\t");
  must_show(a->label, "\t");
  must_show(a->learner, "\t");
  must_show(a->options, "\t");
  must_show_or_null(a->domain, "\t");
  must_show_or_null(a->constant[0], "\t");
  must_show_or_null(a->constant[1], "\t");
  MUST(!a->tuned || (a->constant[0] && a->constant[1]));
}

static void must_hold_cell(const results_cell *c, const results_arm *arm, size_t arms)
{
  size_t k = 0;
  while (k < arms && arm[k].arm != c->arm)
    k++;
  MUST(k < arms && c->cell >= 1 && c->cell <= OFW_MOST_CELLS && c->rounds >= 1 && c->rounds <= OFW_MOST_ROUNDS);
  MUST(c->seed <= INT64_MAX && c->oracle_calls <= INT64_MAX && c->passes <= INT64_MAX && c->projections <= INT64_MAX);
  MUST(c->exit_code >= 0 && c->exit_code <= 255 && (c->exit_code == 0) == (c->error == NULL));
  must_show_or_null(c->error, "\t");
  must_show_or_null(c->config, "\t\n");
}

static void must_hold_series(results *r, const results_cell *c)
{
  ofw_trace_row *point;
  size_t n;
  MUST(results_series(r, c->cell, &point, &n, NULL) == OFW_OK);
  MUST(n == 0 || (!c->tune && !c->error));
  for (size_t i = 0; i < n; i++)
    MUST(point[i].round > (i ? point[i - 1].round : 0) && point[i].round <= c->rounds);
  free(point);
}

/* Its cells, as figures and reports read them; how many there are. */
static size_t read_arm(results *r, const results_arm *a)
{
  results_cell *cell;
  results_curve curve;
  lab_tuning tuned;
  size_t n;
  MUST(results_cells(r, a->arm, &cell, &n, NULL) == OFW_OK);
  for (size_t i = 0; i < n; i++)
    MUST(cell[i].arm == a->arm);
  MUST(results_curve_read(r, cell, n, &curve, NULL) == OFW_OK);
  for (size_t i = 0; i < curve.moments; i++)
    MUST(curve.moment[i].round > (i ? curve.moment[i - 1].round : 0));
  results_curve_free(&curve);
  MUST(lab_tuning_read(cell, n, &tuned, NULL) == OFW_OK);
  MUST(tuned.runs == 0 || tuned.runs == LAB_TUNE_RUNS || tuned.runs == LAB_FINE_RUNS);
  results_cells_free(cell, n);
  return n;
}

static void read_choices(results *r, const lab_judgement *judged, size_t n)
{
  lab_choices c;
  ofw_error err = {0};
  ofw_status st = lab_choices_read(r, judged, n, &c, &err);
  if (st != OFW_OK)
    must_explain(st, err.message);
  for (size_t i = 0; i < c.rows.n && st == OFW_OK; i++) {
    for (int rule = 0; rule < LAB_RULES; rule++) {
      const lab_run *run = c.arm[i].by[rule].run;
      MUST(!run || (c.rows.arm[i].tuned && !run->error));
    }
    for (size_t k = 0; k < c.arm[i].seeds; k++)
      MUST(c.arm[i].seed[k].run || !c.arm[i].by[LAB_BY_SCORE].run);
  }
  MUST(st != OFW_OK || c.n >= LAB_RULES * n);
  lab_choices_free(&c);
}

static void read_claims(results *r)
{
  char *text = NULL;
  lab_experiment x = {0};
  lab_judgement *judged = NULL;
  size_t n = 0;
  ofw_error err = {0};
  ofw_status st = results_meta(r, "experiment", &text, &err);
  if (st == OFW_OK) {
    must_show(text, "\t\n\r");
    st = lab_experiment_read_played("fuzz.db", text, &x, &err); /* as reports read it */
  }
  if (st == OFW_OK && x.seeds <= 20) /* more take their time: 100 000 random signs a claim */
    st = lab_claims_judge(&x, r, &judged, &n, &err);
  if (st != OFW_OK)
    must_explain(st, err.message);
  MUST(st == OFW_OK || n == 0);
  for (size_t i = 0; i < n; i++) {
    MUST(judged[i].claim && judged[i].stream && judged[i].metric && lab_verdict_name(judged[i].verdict));
    MUST(judged[i].p_holm >= judged[i].paired.p && judged[i].p_holm <= 1.0);
  }
  read_choices(r, judged, n);
  free(judged);
  lab_experiment_free(&x);
  free(text);
}

static void count_row(void *ctx, const results_value *value, size_t n)
{
  ++*(size_t *)ctx;
  for (size_t i = 0; i < n; i++)
    if (value[i].kind == RESULTS_TEXT)
      must_show(value[i].text, "\t\n\r");
}

static void must_hold(results *r, size_t size)
{
  results_arm *arm;
  results_cell *cell;
  size_t arms, cells, of_arms = 0;
  MUST(results_arms(r, &arm, &arms, NULL) == OFW_OK && results_cells(r, 0, &cell, &cells, NULL) == OFW_OK);
  for (size_t i = 0; i < arms; i++) {
    must_hold_arm(&arm[i]);
    of_arms += read_arm(r, &arm[i]);
  }
  MUST(of_arms == cells);
  for (size_t i = 0; i < cells; i++) {
    must_hold_cell(&cell[i], arm, arms);
    must_hold_series(r, &cell[i]);
  }
  for (size_t i = 0; i < RESULTS_TABLES; i++) {
    size_t seen = 0;
    MUST(results_table(r, results_tables[i].name, count_row, &seen, NULL) == OFW_OK);
    MUST(seen >= 1 && seen <= size); /* a row takes bytes */
  }
  read_claims(r);
  results_cells_free(cell, cells);
  results_arms_free(arm, arms);
}

/* 1: it was accepted. */
static int judge(const void *data, size_t size)
{
  ofw_error err = {0};
  results *r = calloc(1, sizeof *r);
  unsigned char *bytes = malloc(size + 1); /* of its own, so that reading beyond its end is seen */
  MUST(r && bytes && sqlite3_open(":memory:", &r->db) == SQLITE_OK);
  if (size)
    memcpy(bytes, data, size);
  *r = (results){.db = r->db, .path = strdup("fuzz.db"), .lock = -1};
  MUST(sqlite3_deserialize(r->db, "main", bytes, (sqlite3_int64)size, (sqlite3_int64)size,
                           SQLITE_DESERIALIZE_READONLY) == SQLITE_OK);
  ofw_status st = sql_guard(r, size, &err);
  if (st == OFW_OK)
    st = sql_do(r, "BEGIN", &err);
  if (st == OFW_OK)
    st = results_verify(r, size, &err);
  if (st == OFW_OK)
    must_hold(r, size);
  else {
    must_explain(st, err.message);
    must_show(err.message, "");
  }
  MUST(r->work <= r->most_work + 1000);
  results_close(r);
  free(bytes);
  return st == OFW_OK;
}

/* ---- what is given ---- */

/* Nothing outside of the memory, and not for long. */
static int allow(void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
  (void)ctx, (void)a, (void)b, (void)c, (void)d;
  return action == SQLITE_ATTACH || action == SQLITE_DETACH ? SQLITE_DENY : SQLITE_OK;
}

static int stop(void *ctx)
{
  return ++*(size_t *)ctx > 200;
}

static void run_statements(const uint8_t *data, size_t size)
{
  sqlite3_int64 length = 0;
  size_t steps = 0, whole;
  char *text = fuzz_text(data, size);
  sqlite3 *db;
  unsigned char *copy = copy_whole(&whole);
  MUST(sqlite3_open(":memory:", &db) == SQLITE_OK);
  MUST(sqlite3_deserialize(db, "main", copy, (sqlite3_int64)whole, (sqlite3_int64)whole,
                           SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK);
  MUST(sqlite3_exec(db, "PRAGMA writable_schema = ON; PRAGMA ignore_check_constraints = ON", NULL, NULL, NULL) ==
       SQLITE_OK);
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
  sqlite3_set_authorizer(db, allow, NULL);
  sqlite3_progress_handler(db, 1000, stop, &steps);
  sqlite3_exec(db, text, NULL, NULL, NULL); /* as far as it goes */
  sqlite3_progress_handler(db, 0, NULL, NULL);
  if (!sqlite3_get_autocommit(db))
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
  unsigned char *bytes = sqlite3_serialize(db, "main", &length, 0);
  if (bytes)
    judge(bytes, (size_t)length);
  sqlite3_free(bytes);
  sqlite3_close(db);
  free(text);
}

/* Bytes changed, copied from elsewhere in the file, or cut off. */
static void damage(fuzz_bytes *b)
{
  size_t size;
  unsigned char *bytes = copy_whole(&size);
  if (!b->left)
    MUST(judge(bytes, size)); /* else nothing would ever be accepted */
  while (b->left >= 4) {
    size_t at = fuzz_below(b, size), from = fuzz_below(b, size), n = 1 + fuzz_below(b, 32);
    for (size_t k = 0; k < n && at + k < size; k++)
      bytes[at + k] = from % 3 ? fuzz_byte(b) : bytes[(from + k) % size];
  }
  judge(bytes, b->left ? size - fuzz_byte(b) * size / 256 : size);
  sqlite3_free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes b = {data, size};
  int how = fuzz_byte(&b) % 3;
  if (how == 0)
    judge(b.at, b.left);
  else if (how == 1)
    run_statements(b.at, b.left);
  else
    damage(&b);
  return 0;
}
