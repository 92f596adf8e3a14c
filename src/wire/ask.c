/* ask.c — requests about a decision: read, checked against its shape, answered */
#include "wire/ask.h"

#include "base/limits.h"
#include "vector/vec_arithmetic.h"
#include "wire/cursor.h"

#include <string.h>

/* Its first field, or the one behind an id, says so. */
int ofw_is_ask(const char *line, size_t length)
{
  ofw_ndjson room = {0};
  ofw_cursor c = {.n = &room, .start = line, .at = line, .end = line + length};
  char key[OFW_LONGEST_KEY + 1];
  if (!ofw_cursor_begins(&c, "id"))
    return ofw_cursor_begins(&c, "ask");
  if (!ofw_cursor_accept(&c, '{') || ofw_cursor_key(&c, key) != OFW_OK || ofw_cursor_id(&c) != OFW_OK ||
      !ofw_cursor_accept(&c, ','))
    return 0;
  return ofw_cursor_key(&c, key) == OFW_OK && strcmp(key, "ask") == 0;
}

/* ---- the request ---- */

static ofw_status check_below(const ofw_cursor *c, const char *what, size_t i, size_t limit, const char *of)
{
  if (i < limit)
    return OFW_OK;
  return ofw_fail(c->err, OFW_BAD_DATA, "%s: %s %zu is not below the %s %zu", c->field, what, i, of, limit);
}

static ofw_status read_indices(ofw_cursor *c, ofw_ask *a, const char *what, size_t limit, const char *of)
{
  OFW_TRY(ofw_cursor_indices(c, &a->n));
  for (size_t k = 0; k < a->n; k++)
    OFW_TRY(check_below(c, what, c->n->index[k], limit, of));
  return OFW_OK;
}

static ofw_status read_entries(ofw_cursor *c, ofw_ask *a)
{
  return read_indices(c, a, "index", c->n->rows * c->n->cols, "dimension");
}

/* [row, column], as one more coordinate */
static ofw_status read_cell(ofw_cursor *c)
{
  ofw_ndjson *n = c->n;
  size_t count;
  OFW_TRY(ofw_cursor_indices(c, &count));
  if (count != 2)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: expected a cell [row, column], found %zu numbers", c->field, count);
  size_t *at = n->index + n->indices - 2;
  OFW_TRY(check_below(c, "row", at[0], n->rows, "number of rows"));
  OFW_TRY(check_below(c, "column", at[1], n->cols, "number of columns"));
  at[0] = at[0] * n->cols + at[1];
  n->indices--;
  return OFW_OK;
}

static ofw_status read_cells(ofw_cursor *c, ofw_ask *a)
{
  if (!ofw_cursor_accept(c, '['))
    return ofw_cursor_refuse(c, "a list of cells [row, column]");
  if (ofw_cursor_accept(c, ']'))
    return OFW_OK;
  do
    OFW_TRY(read_cell(c));
  while (ofw_cursor_accept(c, ','));
  a->n = c->n->indices;
  return ofw_cursor_accept(c, ']') ? OFW_OK : ofw_cursor_refuse(c, "a comma or ]");
}

static ofw_status read_row(ofw_cursor *c, ofw_ask *a)
{
  OFW_TRY(ofw_cursor_index(c, "the row", &a->row));
  return check_below(c, "row", a->row, c->n->rows, "number of rows");
}

static ofw_status read_dot(ofw_cursor *c, ofw_ask *a)
{
  (void)a;
  OFW_TRY(ofw_cursor_vec(c));
  OFW_TRY(ofw_cursor_room_numbers(c, 1)); /* the answer's: from here on nothing moves */
  ofw_cursor_settle(c);
  return ofw_sum_check((ofw_sum){1, c->n->vec}, c->n->rows * c->n->cols, c->field, c->err);
}

enum { TOP_ROW, TOP_K, TOP_EXCLUDE, TOP_FIELDS };

static ofw_status read_top_field(ofw_cursor *c, ofw_ask *a, int *seen)
{
  static const char *const fields[] = {"row", "k", "exclude"};
  int which;
  OFW_TRY(ofw_cursor_part(c, fields, TOP_FIELDS, "", seen, &which));
  if (which == TOP_ROW)
    return read_row(c, a);
  if (which == TOP_K)
    return ofw_cursor_index(c, "k", &a->k);
  return read_indices(c, a, "column", c->n->cols, "number of columns");
}

static ofw_status read_top(ofw_cursor *c, ofw_ask *a)
{
  int seen = 0;
  if (!ofw_cursor_accept(c, '{'))
    return ofw_cursor_refuse(c, "{\"row\":r,\"k\":n,\"exclude\":[..]}");
  do
    OFW_TRY(read_top_field(c, a, &seen));
  while (ofw_cursor_accept(c, ','));
  if (!ofw_cursor_accept(c, '}'))
    return ofw_cursor_refuse(c, "a comma or }");
  if (!(seen >> TOP_K & 1))
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: 'k' is missing", c->field);
  if (!(seen >> TOP_ROW & 1) && c->n->rows > 1)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: 'row' is missing", c->field);
  a->k = a->k < c->n->cols ? a->k : c->n->cols;
  return OFW_OK;
}

static ofw_status read_nothing(ofw_cursor *c, ofw_ask *a)
{
  (void)a;
  return ofw_cursor_accept(c, '{') && ofw_cursor_accept(c, '}') ? OFW_OK : ofw_cursor_refuse(c, "{}");
}

static ofw_status read_decide(ofw_cursor *c, ofw_ask *a)
{
  static const char *const fields[] = {"round"};
  int seen = 0, which;
  size_t round;
  if (!ofw_cursor_accept(c, '{'))
    return ofw_cursor_refuse(c, "{} or {\"round\":t}");
  if (ofw_cursor_accept(c, '}'))
    return OFW_OK;
  OFW_TRY(ofw_cursor_part(c, fields, 1, "", &seen, &which));
  OFW_TRY(ofw_cursor_index(c, "the round", &round));
  if (round == 0)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: rounds are counted from 1, found 0", c->field);
  a->round = round;
  return ofw_cursor_accept(c, '}') ? OFW_OK : ofw_cursor_refuse(c, "}");
}

/* By kind; messages call the value as `field` does. */
static const char *const names[] = {"entries", "cells", "row", "dot", "top", "info", "sample", "decide"};
static const struct {
  const char *field;
  ofw_status (*read)(ofw_cursor *c, ofw_ask *a);
} forms[] = {[OFW_ASK_ENTRIES] = {"ask: entries", read_entries},
             [OFW_ASK_CELLS] = {"ask: cells", read_cells},
             [OFW_ASK_ROW] = {"ask: row", read_row},
             [OFW_ASK_DOT] = {"ask: dot", read_dot},
             [OFW_ASK_TOP] = {"ask: top", read_top},
             [OFW_ASK_INFO] = {"ask: info", read_nothing},
             [OFW_ASK_SAMPLE] = {"ask: sample", read_nothing},
             [OFW_ASK_DECIDE] = {"ask: decide", read_decide}};
enum { FORMS = sizeof forms / sizeof *forms };

static ofw_status read_form(ofw_cursor *c, ofw_ask *a)
{
  int which;
  c->field = "ask";
  OFW_TRY(ofw_cursor_field(c, names, FORMS, &which));
  a->kind = (ofw_ask_kind)which;
  c->field = forms[which].field;
  return forms[which].read(c, a);
}

/* How many numbers the answer has, at most. */
static size_t numbers_of(const ofw_ndjson *n, const ofw_ask *a)
{
  switch (a->kind) {
  case OFW_ASK_ROW:
    return n->cols;
  case OFW_ASK_DOT:
    return 1;
  case OFW_ASK_TOP:
    return a->k;
  case OFW_ASK_SAMPLE:
    return n->rows * n->cols;
  default:
    return a->n;
  }
}

/* The answer's numbers come behind the request's, whose own are read already. */
static ofw_status open_answer(const ofw_cursor *c, ofw_ask *a)
{
  ofw_ndjson *n = c->n;
  size_t numbers = numbers_of(n, a);
  if (numbers > OFW_MOST_ASKED)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: %zu numbers, expected at most %d", forms[a->kind].field, numbers,
                    OFW_MOST_ASKED);
  OFW_TRY(ofw_cursor_room_numbers(c, numbers));
  if (a->kind == OFW_ASK_TOP)
    OFW_TRY(ofw_cursor_room_indices(c, numbers));
  a->value = n->number + n->numbers;
  a->place = n->index + n->indices;
  a->index = n->index;
  a->vec = n->vec;
  a->id = n->id;
  return OFW_OK;
}

/* "ask":{..} and "id":.., in any order. */
static ofw_status read_fields(ofw_cursor *c, ofw_ask *out)
{
  static const char *const fields[] = {"ask", "id"};
  int which, asked = 0;
  do {
    c->field = NULL;
    OFW_TRY(ofw_cursor_field(c, fields, 2, &which));
    c->field = fields[which];
    if (which == 1) {
      OFW_TRY(ofw_cursor_id(c));
      continue;
    }
    if (asked++)
      return ofw_fail(c->err, OFW_BAD_DATA, "field 'ask' appears twice");
    if (!ofw_cursor_accept(c, '{'))
      return ofw_cursor_refuse(c, "an object");
    OFW_TRY(read_form(c, out));
    c->field = "ask";
    if (!ofw_cursor_accept(c, '}'))
      return ofw_cursor_refuse(c, "} after the one request of a line");
  } while (ofw_cursor_accept(c, ','));
  return asked ? OFW_OK : ofw_fail(c->err, OFW_BAD_DATA, "expected a request, found no field 'ask'");
}

ofw_status ofw_ask_read(ofw_ndjson *n, const char *line, size_t length, ofw_ask *out, ofw_error *err)
{
  ofw_cursor c;
  int empty;
  *out = (ofw_ask){0};
  OFW_TRY(ofw_cursor_open(&c, n, line, length, err, &empty));
  if (empty)
    return ofw_fail(err, OFW_BAD_DATA, "expected a request, found no field 'ask'");
  OFW_TRY(read_fields(&c, out));
  OFW_TRY(ofw_cursor_close(&c));
  return open_answer(&c, out);
}

/* ---- the answer ---- */

static ofw_status find(const ofw_ask *a, const ofw_point *x, size_t *found)
{
  size_t rows, cols;
  switch (a->kind) {
  case OFW_ASK_ENTRIES:
  case OFW_ASK_CELLS:
    *found = a->n;
    return ofw_point_entries(x, a->n, a->index, a->value);
  case OFW_ASK_ROW:
    ofw_point_shape(x, &rows, found);
    return ofw_point_row(x, a->row, a->value);
  case OFW_ASK_DOT:
    *found = 1;
    return ofw_point_dot(x, (ofw_sum){1, a->vec}, a->value);
  case OFW_ASK_INFO:
    return OFW_OK;
  case OFW_ASK_SAMPLE:
    ofw_point_shape(x, &rows, &cols);
    *found = rows * cols;
    return OFW_OK;
  case OFW_ASK_TOP:
    return ofw_point_top(x, a->row, a->k, a->n, a->index, a->place, a->value, found);
  case OFW_ASK_DECIDE:
    break;
  }
  return OFW_USAGE;
}

static void add_places(ofw_text *out, size_t n, const size_t *place)
{
  ofw_text_add(out, "[");
  for (size_t i = 0; i < n; i++)
    ofw_text_add(out, "%s%zu", i ? "," : "", place[i]);
  ofw_text_add(out, "]");
}

static void add_info(ofw_text *out, const ofw_info *info)
{
  const struct {
    const char *name;
    double value;
  } row[] = {{"violation", info->violation},
             {"log_price", info->log_price},
             {"sigma", info->sigma},
             {"gap", info->gap},
             {"regret_bound", info->regret_bound},
             {"ccv_bound", info->ccv_bound},
             {"bound_failure", info->bound_failure}};
  ofw_text_add(out, "{\"oracle_calls\":%llu", (unsigned long long)info->oracle_calls);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    ofw_text_add(out, ",\"%s\":", row[i].name);
    ofw_text_add_number(out, row[i].value);
  }
  ofw_text_add(out, "}");
}

static void add_found(ofw_text *out, const ofw_ask *ask, const ofw_info *info, size_t found)
{
  if (ask->kind == OFW_ASK_INFO) {
    add_info(out, info);
    return;
  }
  if (ask->kind == OFW_ASK_TOP) {
    ofw_text_add(out, "{\"index\":");
    add_places(out, found, ask->place);
    ofw_text_add(out, ",\"value\":");
  }
  if (ask->kind == OFW_ASK_DOT)
    ofw_text_add_number(out, ask->value[0]);
  else
    ofw_text_add_numbers(out, found, ask->value);
  ofw_text_add(out, ask->kind == OFW_ASK_TOP ? "}" : "");
}

ofw_status ofw_ask_answer(const ofw_ask *ask, const ofw_info *info, const ofw_point *x, ofw_text *out, ofw_error *err)
{
  size_t found = 0, rows, cols;
  ofw_status st = find(ask, x, &found);
  ofw_point_shape(x, &rows, &cols);
  if (st == OFW_FAILED)
    return ofw_fail_memory(err, cols * sizeof(double));
  if (st != OFW_OK)
    return ofw_fail(err, st, "%s: this decision cannot answer this request", forms[ask->kind].field);
  ofw_text_add(out, "{\"round\":%llu,\"%s\":", (unsigned long long)info->round, names[ask->kind]);
  add_found(out, ask, info, found);
  ofw_text_add(out, "%s%s}\n", ask->id[0] ? ",\"id\":" : "", ask->id);
  return out->failed ? ofw_fail_memory(err, out->length) : OFW_OK;
}
