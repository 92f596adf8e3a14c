/* cmd_export.c — ofw export: a table of a results database, as CSV or JSON */

#include "choices_table.h"
#include "csv.h"
#include "verdicts.h"
#include "whole_file.h"

#include "base/owned.h"
#include "lab/results.h"

#include <string.h>

const option_id export_options[] = {OPT_TABLE, OPT_AS_CSV, OPT_JSON, OPT_OUTPUT_FILE, OPT_HELP, OPTIONS};

/* The names of the columns come first. */
typedef struct writer {
  FILE *out;
  json j;
  const char **name;
  ofw_owned owned; /* the names */
} writer;

/* ---- tables: the database's own, and two that are computed from it ---- */

static ofw_status compute_table(results *r, int of_claims, choices_row *row, void *ctx, ofw_error *err)
{
  claims judged = {0};
  lab_choices c = {0};
  ofw_status st = claims_read(r, &judged, err);
  if (st == OFW_OK)
    st = lab_choices_read(r, judged.judged, judged.n, &c, err);
  if (st == OFW_OK)
    (of_claims ? choice_claims_table : choices_table)(&c, row, ctx);
  lab_choices_free(&c);
  claims_free(&judged);
  return st;
}

static ofw_status read_table(results *r, const char *table, choices_row *row, void *ctx, ofw_error *err)
{
  int of_claims = strcmp(table, "choice_claims") == 0;
  if (of_claims || strcmp(table, "choices") == 0)
    return compute_table(r, of_claims, row, ctx, err);
  ofw_status st = results_table(r, table, row, ctx, err);
  size_t said = strlen(err->message);
  if (st == OFW_USAGE) /* the message ends with the tables that there are */
    snprintf(err->message + said, sizeof err->message - said, ", choices, choice_claims");
  return st;
}

/* ---- CSV ---- */

static void csv_row(void *ctx, const results_value *value, size_t n)
{
  FILE *out = ((writer *)ctx)->out;
  for (size_t i = 0; i < n; i++) {
    if (i)
      fputc(',', out);
    if (value[i].kind == RESULTS_COUNT)
      fprintf(out, "%lld", (long long)value[i].count);
    else if (value[i].kind == RESULTS_REAL)
      csv_real(out, value[i].real);
    else if (value[i].kind == RESULTS_TEXT)
      csv_text(out, value[i].text);
  }
  fputc('\n', out);
}

/* ---- JSON: a list of objects, one per line ---- */

static void keep_names(writer *w, const results_value *value, size_t n)
{
  w->name = ofw_owned_array(&w->owned, n, sizeof *w->name);
  for (size_t i = 0; i < n && w->name; i++)
    w->name[i] = ofw_owned_take(&w->owned, ofw_copy_text(value[i].text), 1);
}

static void json_row(void *ctx, const results_value *value, size_t n)
{
  writer *w = ctx;
  if (!w->name && !w->owned.missing)
    keep_names(w, value, n);
  else if (!w->owned.missing) {
    json_open(&w->j, NULL);
    for (size_t i = 0; i < n; i++)
      if (value[i].kind == RESULTS_COUNT && value[i].count >= 0)
        json_count(&w->j, w->name[i], (uint64_t)value[i].count);
      else if (value[i].kind == RESULTS_REAL)
        json_real(&w->j, w->name[i], value[i].real);
      else if (value[i].kind == RESULTS_TEXT)
        json_text(&w->j, w->name[i], value[i].text);
      else
        json_null(&w->j, w->name[i]);
    json_close(&w->j);
    fputc('\n', w->out);
  }
}

static ofw_status write_json(results *r, const char *table, writer *w, ofw_error *err)
{
  w->j.out = w->out;
  json_open_list(&w->j, NULL);
  ofw_status st = read_table(r, table, json_row, w, err);
  json_close_list(&w->j);
  fputc('\n', w->out);
  if (st == OFW_OK)
    st = ofw_owned_check(&w->owned, err);
  ofw_owned_free(&w->owned);
  return st;
}

int export_main(const command *self, const arguments *args)
{
  const char *table = args->value[OPT_TABLE] ? args->value[OPT_TABLE] : "play", *path = args->value[OPT_OUTPUT_FILE];
  writer w = {0};
  ofw_error err = {0};
  results *r;
  if (args->words == 0)
    return complain(self, EXIT_USAGE, "FILE is missing; see 'ofw help export'");
  if (args->value[OPT_AS_CSV] && args->value[OPT_JSON])
    return complain(self, EXIT_USAGE, "found both --csv and --json; give one of them");
  if (results_open(args->word[0], &r, &err) != OFW_OK)
    return refuse(self, &err);
  int code = open_result(self, path, &w.out);
  if (!code) {
    ofw_status st = args->value[OPT_JSON] ? write_json(r, table, &w, &err) : read_table(r, table, csv_row, &w, &err);
    if (st != OFW_OK)
      code = refuse(self, &err);
    if (code)
      drop_result(path, w.out);
    else
      code = close_result(self, path, w.out);
  }
  results_close(r);
  return code;
}
