/* report_claims.c — the claims that were tested, from claims.json beside the results */
#include "report.h"

#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h> /* which reads JSON */
#include <stdlib.h>
#include <string.h>

/* A whole file; *out stays NULL where there is none. */
static ofw_status read_file(const char *path, char **out, ofw_error *err)
{
  size_t room = 0;
  FILE *file = fopen(path, "r");
  if (!file)
    return errno == ENOENT ? OFW_OK : ofw_fail(err, OFW_BAD_DATA, "cannot read %s: %s", path, strerror(errno));
  ssize_t length = getdelim(out, &room, '\0', file);
  int failed = ferror(file);
  fclose(file);
  if (length >= 0 && !failed)
    return OFW_OK;
  free(*out);
  *out = NULL;
  return ofw_fail(err, OFW_BAD_DATA, "cannot read %s: %s", path, failed ? strerror(errno) : "it is empty");
}

static void write_field(json *j, sqlite3_stmt *row, int i)
{
  const char *key = sqlite3_column_name(row, i);
  int kind = sqlite3_column_type(row, i);
  if (kind == SQLITE_TEXT)
    json_text(j, key, (const char *)sqlite3_column_text(row, i));
  else
    json_real(j, key, kind == SQLITE_NULL ? NAN : sqlite3_column_double(row, i));
}

static ofw_status write_claims(json *j, sqlite3 *db, const char *path, const char *text, ofw_error *err)
{
  static const char *sql =
      "SELECT value ->> 'claim' AS claim, value ->> 'text' AS text, value ->> 'stream' AS stream,"
      " value ->> 'metric' AS metric, value ->> 'better' AS better, value ->> 'than' AS than,"
      " value ->> 'better_mean' AS better_mean, value ->> 'better_sd' AS better_sd, value ->> 'than_mean' AS than_mean,"
      " value ->> 'than_sd' AS than_sd, value ->> 'difference' AS difference, value ->> 'effect' AS effect,"
      " value ->> 'p' AS p, value ->> 'verdict' AS verdict FROM json_each(?, '$.claims')";
  sqlite3_stmt *row = NULL;
  int code = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_bind_text(row, 1, text, -1, SQLITE_STATIC);
  json_open_list(j, "claims");
  while (code == SQLITE_OK || code == SQLITE_ROW) {
    code = sqlite3_step(row);
    if (code != SQLITE_ROW)
      break;
    json_open(j, NULL);
    for (int i = 0; i < sqlite3_column_count(row); i++)
      write_field(j, row, i);
    json_close(j);
  }
  json_close_list(j);
  sqlite3_finalize(row);
  return code == SQLITE_DONE ? OFW_OK : ofw_fail(err, OFW_BAD_DATA, "%s: %s", path, sqlite3_errmsg(db));
}

ofw_status report_claims(json *j, const char *results_file, ofw_error *err)
{
  sqlite3 *db = NULL;
  char *text = NULL, *path = report_beside(results_file, "claims.json");
  ofw_status st = path ? read_file(path, &text, err) : ofw_fail_memory(err, strlen(results_file));
  if (text && sqlite3_open(":memory:", &db) != SQLITE_OK)
    st = ofw_fail(err, OFW_FAILED, "cannot read %s: %s", path, db ? sqlite3_errmsg(db) : "no memory");
  else if (text)
    st = write_claims(j, db, path, text, err);
  else
    json_null(j, "claims");
  sqlite3_close(db);
  free(text);
  free(path);
  return st;
}
