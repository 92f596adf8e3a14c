/* trace_read.c — reads a trace strictly: only what ofw writes */
#include "run/trace.h"

#include "base/limits.h"
#include "base/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  const char *path;
  FILE *in;
  ofw_lines lines;
  char *line; /* without its end */
  int named;  /* the line of names has been seen */
  size_t rows_room, headers_room;
  ofw_trace *out;
  ofw_error *err;
} reader;

/* For a file that cannot be read, as for one that says something else. */
static ofw_status no_file(const reader *r)
{
  return ofw_fail(r->err, errno == ENOMEM ? OFW_FAILED : OFW_BAD_DATA, "cannot read %.300s: %s", r->path,
                  strerror(errno));
}

static ofw_status bad_line(const reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static ofw_status bad_line(const reader *r, const char *format, ...)
{
  char what[160];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return ofw_fail(r->err, OFW_BAD_DATA, "%.300s:%llu: %s", r->path, (unsigned long long)r->lines.number, what);
}

/* The next line; *end if there is none. */
static ofw_status next_line(reader *r, int *end)
{
  size_t length;
  ofw_line_status got = ofw_lines_next(&r->lines, &r->line, &length);
  *end = got == OFW_NO_LINE;
  if (*end)
    return OFW_OK;
  if (got == OFW_LINE_TOO_LONG)
    return bad_line(r, "the line is longer than %d bytes", OFW_LONGEST_TRACE);
  if (got != OFW_LINE)
    return no_file(r);
  if (!r->lines.ended)
    return bad_line(r, "the file ends in the middle of a line");
  return strlen(r->line) == length ? OFW_OK : bad_line(r, "the line contains a NUL byte");
}

/* Without the quotes of cells. */
static void unquote(char *text)
{
  char *to = text;
  for (const char *from = text; *from; from++) {
    *to++ = *from;
    if (*from == ',' && from[1] == '\'' && ofw_trace_is_quoted(from + 2))
      from++;
  }
  *to = 0;
}

static ofw_status add_header(reader *r)
{
  ofw_trace *t = r->out;
  if (t->headers == OFW_MOST_TRACE_HEADS)
    return bad_line(r, "more than %d lines begin with #", OFW_MOST_TRACE_HEADS);
  OFW_TRY(ofw_grow(&t->header, t->headers, 1, &r->headers_room, sizeof *t->header, r->err));
  char *copy = ofw_copy_text(r->line + 1 + (r->line[1] == ' '));
  if (!copy)
    return ofw_fail_memory(r->err, strlen(r->line));
  unquote(copy);
  t->header[t->headers++] = copy;
  return OFW_OK;
}

/* The next cell of a line, which is cut off it; NULL: there is none. */
static char *next_cell(char **rest)
{
  char *cell = *rest;
  if (!cell)
    return NULL;
  char *comma = strchr(cell, ',');
  if (comma)
    *comma = 0;
  *rest = comma ? comma + 1 : NULL;
  return cell;
}

static ofw_status read_names(reader *r)
{
  char *rest = r->line;
  for (size_t i = 0; i < ofw_trace_columns_count; i++) {
    const char *name = next_cell(&rest);
    if (!name || strcmp(name, ofw_trace_columns[i].name) != 0)
      return bad_line(r, "column %zu is '%.40s', expected '%s'", i + 1, name ? name : "", ofw_trace_columns[i].name);
  }
  r->named = 1;
  return rest ? bad_line(r, "'%.40s' is not a column of a trace", rest) : OFW_OK;
}

static ofw_status read_cell(const reader *r, const ofw_column *column, const char *cell, ofw_trace_row *row)
{
  void *at = (char *)row + column->offset;
  int whole = column->kind == OFW_COUNT;
  int read = !whole ? ofw_read_cell(cell, at) : cell[strspn(cell, "0123456789")] == 0 ? ofw_read_count(cell, at) : 0;
  if (read == 1)
    return OFW_OK;
  return bad_line(r, "%s: '%.40s' is not a %snumber", column->name, cell, whole ? "whole " : "");
}

static ofw_status add_row(reader *r)
{
  ofw_trace *t = r->out;
  ofw_trace_row row = {0};
  char *rest = r->line;
  for (size_t i = 0; i < ofw_trace_columns_count; i++) {
    const char *cell = next_cell(&rest);
    if (!cell)
      return bad_line(r, "found %zu cells, expected %zu", i, ofw_trace_columns_count);
    OFW_TRY(read_cell(r, &ofw_trace_columns[i], cell, &row));
  }
  if (rest)
    return bad_line(r, "more than %zu cells", ofw_trace_columns_count);
  uint64_t before = t->rows ? t->row[t->rows - 1].round : 0;
  if (row.round <= before)
    return bad_line(r, "found round %llu after round %llu; rounds must increase", (unsigned long long)row.round,
                    (unsigned long long)before);
  if (t->rows == OFW_MOST_TRACE_ROWS)
    return bad_line(r, "more than %d rounds", OFW_MOST_TRACE_ROWS);
  OFW_TRY(ofw_grow(&t->row, t->rows, 1, &r->rows_room, sizeof *t->row, r->err));
  t->row[t->rows++] = row;
  return OFW_OK;
}

static ofw_status read_lines(reader *r)
{
  for (int end = 0;;) {
    OFW_TRY(next_line(r, &end));
    if (end)
      break;
    OFW_TRY(r->line[0] == '#' ? add_header(r) : r->named ? add_row(r) : read_names(r));
  }
  return r->named ? OFW_OK
                  : ofw_fail(r->err, OFW_BAD_DATA, "%.300s: expected a line with the names of the columns, found none",
                             r->path);
}

ofw_status ofw_trace_read(const char *path, ofw_trace *out, ofw_error *err)
{
  reader r = {.path = path, .in = fopen(path, "r"), .out = out, .err = err};
  *out = (ofw_trace){0};
  if (!r.in)
    return no_file(&r);
  r.lines = (ofw_lines){.read = ofw_lines_from_file, .ctx = r.in, .limit = OFW_LONGEST_TRACE};
  ofw_status st = read_lines(&r);
  if (st != OFW_OK)
    ofw_trace_free(out);
  ofw_lines_free(&r.lines);
  (void)fclose(r.in);
  return st;
}

void ofw_trace_free(ofw_trace *trace)
{
  for (size_t i = 0; i < trace->headers; i++)
    free(trace->header[i]);
  free(trace->header);
  free(trace->row);
  *trace = (ofw_trace){0};
}
