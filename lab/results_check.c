/* results_check.c — whether a file is a results database of ofw, and a whole one
 *
 * Whoever can send a file can send any. So before anything is read: the tables are those that ofw makes, to the letter; SQLite's own
 * check finds the file whole, which also means that no page is used twice; every value has its column's type and range; and
 * what refers to another row finds it. The caller has begun a transaction, so nothing can be put in the place of what was checked.
 */
#include "lab/sql.h"

#include "base/limits.h"
#include "base/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 60 }; /* characters of a name from the file in a message */

/* ---- the tables ---- */

/* A text of the file for a message. SQLite's own have lines, of which the last says what is wrong. */
static const char *shown(sqlite3_stmt *s, int column, char out[SHOWN])
{
  const char *text = (const char *)sqlite3_column_text(s, column), *line = text ? strrchr(text, '\n') : NULL;
  snprintf(out, SHOWN, "%s", line ? line + 1 : text ? text : "");
  ofw_make_plain(out, "");
  return out;
}

/* What ANALYZE leaves is no harm. */
static int is_statistics(const char *made)
{
  return strcmp(made, "CREATE TABLE sqlite_stat1(tbl,idx,stat)") == 0 ||
         strcmp(made, "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)") == 0;
}

static ofw_status check_object(results *r, sqlite3_stmt *s, int format, size_t *known, ofw_error *err)
{
  char type[SHOWN], name[SHOWN];
  const char *text = (const char *)sqlite3_column_text(s, 2), *made = text ? text : "";
  shown(s, 0, type);
  shown(s, 1, name);
  const results_table_kind *wanted = results_table_find(name);
  if (is_statistics(made))
    return OFW_OK;
  if (!wanted)
    return ofw_fail(err, OFW_BAD_DATA, "%.300s has the %s '%s', which ofw did not make; ofw reads only its own files",
                    r->path, type, name);
  const char *as = format == 1 && strcmp(name, "cell") == 0 ? results_cell_made_1 : wanted->made;
  if (strcmp(type, wanted->columns ? "table" : "view") != 0 || strcmp(made, as) != 0)
    return ofw_fail(err, OFW_BAD_DATA,
                    "%.300s has a %s '%s' that differs from the one ofw makes; ofw reads only its own files", r->path,
                    type, name);
  ++*known;
  return OFW_OK;
}

/* The format comes before all else, so that a file of another version is told as such. */
static ofw_status check_format(results *r, int *format, ofw_error *err)
{
  char *text = NULL, found[21];
  sqlite3_stmt *s;
  int there;
  ofw_status st = sql_first(r, "SELECT 1 FROM sqlite_schema WHERE name = 'meta' AND type = 'table' AND sql = ?",
                            results_tables[TABLE_META].made, &s, &there, err);
  sqlite3_finalize(s);
  if (st == OFW_OK && !there)
    st = ofw_fail(err, OFW_BAD_DATA, "%.300s is not a results database of ofw, or an empty one", r->path);
  OFW_TRY(st);
  OFW_TRY(results_meta(r, "format", &text, err));
  *format = strcmp(text, "1") == 0 ? 1 : strcmp(text, "2") == 0 ? 2 : 0;
  snprintf(found, sizeof found, "%s", text); /* cut first: a character that is cut is none */
  ofw_make_plain(found, "");
  free(text);
  return *format
             ? OFW_OK
             : ofw_fail(err, OFW_BAD_DATA, "%.300s has format %s, but this ofw reads formats 1 and 2", r->path, found);
}

static ofw_status check_tables(results *r, int format, ofw_error *err)
{
  sqlite3_stmt *s = NULL;
  size_t known = 0;
  int there = 1;
  ofw_status st = sql_prepare(r, "SELECT type, name, sql FROM sqlite_schema", &s, err);
  while (st == OFW_OK && (st = sql_step(r, s, &there, err)) == OFW_OK && there)
    st = check_object(r, s, format, &known, err);
  sqlite3_finalize(s);
  if (st == OFW_OK && known != RESULTS_TABLES)
    st = ofw_fail(err, OFW_BAD_DATA, "%.300s has only %zu of the %d tables of a results database", r->path, known,
                  RESULTS_TABLES);
  return st == OFW_OK && format == 1 ? sql_do(r, results_cell_from_1, err) : st;
}

/* ---- the pages ---- */

/* SQLite's check takes memory by the number of pages that a log claims. */
static ofw_status check_size(results *r, uint64_t bytes, ofw_error *err)
{
  int64_t pages, size;
  OFW_TRY(sql_number(r, "PRAGMA page_count", &pages, err));
  OFW_TRY(sql_number(r, "PRAGMA page_size", &size, err));
  if (pages < 0 || (uint64_t)pages > bytes / (uint64_t)(size > 0 ? size : 1))
    return ofw_fail(err, OFW_BAD_DATA, "%.300s is damaged: it claims %lld pages of %lld bytes, but has %llu bytes",
                    r->path, (long long)pages, (long long)size, (unsigned long long)bytes);
  return OFW_OK;
}

static ofw_status check_pages(results *r, ofw_error *err)
{
  char found[SHOWN];
  sqlite3_stmt *s;
  int there;
  ofw_status st = sql_first(r, "PRAGMA integrity_check(1)", NULL, &s, &there, err);
  if (st == OFW_OK && there && strcmp(shown(s, 0, found), "ok") != 0)
    st = ofw_fail(err, OFW_BAD_DATA, "%.300s is damaged: %s", r->path, found);
  sqlite3_finalize(s);
  return st;
}

/* ---- the values ---- */

/* What is wrong with a value; NULL: nothing. */
static const char *fault_of(sqlite3_stmt *s, int i, unsigned kind)
{
  const results_kind *k = &results_kinds[kind & ~(unsigned)KIND_OR_NULL];
  int type = sqlite3_column_type(s, i);
  if (type == SQLITE_NULL)
    return kind & KIND_OR_NULL ? NULL : "is missing";
  if (k->type == RESULTS_REAL)
    return type == SQLITE_FLOAT ? NULL : "is not a number";
  if (k->type == RESULTS_COUNT) {
    int64_t n = sqlite3_column_int64(s, i);
    return type != SQLITE_INTEGER ? "is not a whole number" : n < k->least || n > k->most ? "is out of range" : NULL;
  }
  const char *text = type == SQLITE_TEXT ? (const char *)sqlite3_column_text(s, i) : NULL;
  if (!text)
    return "is not a text";
  const char *end = ofw_plain_end(text, k->but);
  if (*end || end - text != sqlite3_column_bytes(s, i))
    return "contains a control character, or is not UTF-8";
  return end - text > k->most ? "is too long" : NULL;
}

static ofw_status check_row(results *r, const results_table_kind *table, sqlite3_stmt *s, uint64_t row, ofw_error *err)
{
  for (size_t i = 0; i < table->columns; i++) {
    const char *fault = fault_of(s, (int)i, table->column[i].kind);
    if (fault)
      return ofw_fail(err, OFW_BAD_DATA, "%.300s is damaged: table %s, row %llu, %s %s", r->path, table->name,
                      (unsigned long long)row, sqlite3_column_name(s, (int)i), fault);
  }
  return OFW_OK;
}

static ofw_status check_values(results *r, const results_table_kind *table, ofw_error *err)
{
  sqlite3_stmt *s = NULL;
  int there = 1;
  ofw_status st = sql_prepare(r, table->query, &s, err);
  for (uint64_t row = 1; st == OFW_OK && (st = sql_step(r, s, &there, err)) == OFW_OK && there; row++)
    st = check_row(r, table, s, row, err);
  sqlite3_finalize(s);
  return st;
}

/* ---- what values have to do with each other ---- */

/* A query finds the number of the first row that should not be there. */
static const struct {
  const char *query, *table, *fault;
} rules[] = {
    {"SELECT arm FROM arm WHERE tuned = 1 AND (constant1 IS NULL OR constant2 IS NULL) LIMIT 1", "arm",
     "is tuned, but its constants have no names"},
    /* SQLite forgets the CHECKs of a file that is opened to be read */
    {"SELECT cell FROM cell WHERE role NOT IN ('tune', 'play') OR status NOT IN ('ok', 'failed') LIMIT 1", "cell",
     "has an unknown role or status"},
    {"SELECT cell FROM cell WHERE (exit_code = 0) <> (status = 'ok') OR (exit_code = 0) <> (error IS NULL) LIMIT 1",
     "cell", "both failed and succeeded"},
    {"SELECT cell FROM cell WHERE factor1 - factor1 IS NULL OR factor2 - factor2 IS NULL LIMIT 1", "cell",
     "has factors that are not finite"},
    {"SELECT series.cell FROM series JOIN cell USING (cell) WHERE role <> 'play' OR status <> 'ok' OR round > rounds"
     " LIMIT 1",
     "cell", "has a series that belongs to no play"},
};

static ofw_status check_rules(results *r, ofw_error *err)
{
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    int64_t row;
    OFW_TRY(sql_number(r, rules[i].query, &row, err));
    if (row)
      return ofw_fail(err, OFW_BAD_DATA, "%.300s is damaged: %s %lld %s", r->path, rules[i].table, (long long)row,
                      rules[i].fault);
  }
  return OFW_OK;
}

static ofw_status check_references(results *r, ofw_error *err)
{
  char from[SHOWN], to[SHOWN];
  sqlite3_stmt *s;
  int there;
  ofw_status st = sql_first(r, "PRAGMA foreign_key_check", NULL, &s, &there, err);
  if (st == OFW_OK && there)
    st = ofw_fail(err, OFW_BAD_DATA, "%.300s is damaged: a row of %s names no existing %s", r->path, shown(s, 0, from),
                  shown(s, 2, to));
  sqlite3_finalize(s);
  return st;
}

/* ---- all of it ---- */

/* Without an index, an arm's cells are found between its first and its last. */
static ofw_status find_spans(results *r, ofw_error *err)
{
  sqlite3_stmt *s = NULL;
  int64_t most;
  int there = 1;
  OFW_TRY(sql_number(r, "SELECT max(arm) FROM arm", &most, err));
  r->spans = (size_t)most + 1;
  r->span = calloc(r->spans, sizeof *r->span);
  if (!r->span)
    return ofw_fail_memory(err, r->spans * sizeof *r->span);
  ofw_status st = sql_prepare(r, "SELECT arm, cell FROM cell ORDER BY cell", &s, err);
  while (st == OFW_OK && (st = sql_step(r, s, &there, err)) == OFW_OK && there) {
    results_span *of = &r->span[sqlite3_column_int64(s, 0)];
    of->last = sqlite3_column_int64(s, 1);
    of->first = of->first ? of->first : of->last;
  }
  sqlite3_finalize(s);
  return st;
}

ofw_status results_verify(results *r, uint64_t bytes, ofw_error *err)
{
  int format;
  OFW_TRY(check_format(r, &format, err));
  OFW_TRY(check_tables(r, format, err));
  OFW_TRY(check_size(r, bytes, err));
  OFW_TRY(check_pages(r, err));
  for (size_t i = 0; i < RESULTS_TABLES; i++)
    if (results_tables[i].columns)
      OFW_TRY(check_values(r, &results_tables[i], err));
  OFW_TRY(check_references(r, err));
  OFW_TRY(check_rules(r, err));
  return find_spans(r, err);
}

ofw_status results_check(const char *path, results_found *out, ofw_error *err)
{
  static const char *const query[] = {"SELECT count(*) FROM arm", "SELECT count(*) FROM cell WHERE role = 'play'",
                                      "SELECT count(*) FROM cell WHERE role = 'tune'",
                                      "SELECT count(*) FROM cell WHERE status = 'failed'"};
  int64_t n[sizeof query / sizeof *query] = {0};
  results *r;
  *out = (results_found){0};
  ofw_status st = results_open(path, &r, err);
  for (size_t i = 0; i < sizeof n / sizeof *n && st == OFW_OK; i++)
    st = sql_number(r, query[i], &n[i], err);
  results_close(r);
  OFW_TRY(st);
  *out = (results_found){(uint64_t)n[0], (uint64_t)n[1], (uint64_t)n[2], (uint64_t)n[3]};
  return OFW_OK;
}
