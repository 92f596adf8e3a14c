/* cursor.c — the JSON scanner: characters, names, numbers, lists, and the arrays that they go to
 *
 * It is strict (RFC 8259 numbers, no escapes in names), and allocates nothing once the arrays have grown.
 */
#include "wire/cursor.h"

#include "base/decimal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 400, LONGEST_FOUND = 40 /* characters that a message quotes */ };

static int is_wordy(char ch)
{
  return isalnum((unsigned char)ch) || ch == '_' || ch == '.' || ch == '+' || ch == '-';
}

/* Where the word, the text in quotes or the single character at c->at ends. */
static const char *token_end(const ofw_cursor *c)
{
  const char *at = c->at, *quote = at < c->end && *at == '"' ? memchr(at + 1, '"', (size_t)(c->end - at - 1)) : NULL;
  while (at < c->end && is_wordy(*at))
    at++;
  return quote ? quote + 1 : at + (at == c->at && at < c->end);
}

ofw_status ofw_cursor_refuse(const ofw_cursor *c, const char *wanted)
{
  char found[LONGEST_FOUND + 1];
  size_t length = (size_t)(token_end(c) - c->at), kept = length < LONGEST_FOUND ? length : LONGEST_FOUND;
  for (size_t i = 0; i < kept; i++)
    found[i] = isprint((unsigned char)c->at[i]) ? c->at[i] : '?';
  found[kept] = 0;
  return ofw_fail(c->err, OFW_BAD_DATA, "%s%scolumn %zu: expected %s, found %s%s%s%s", c->field ? c->field : "",
                  c->field ? ", " : "", (size_t)(c->at - c->start) + 1, wanted, length ? "'" : "",
                  length ? found : "the end of the line", kept < length ? ".." : "", length ? "'" : "");
}

/* ---- room ---- */

ofw_status ofw_cursor_room_numbers(const ofw_cursor *c, size_t more)
{
  return ofw_grow(&c->n->number, c->n->numbers, more, &c->n->number_room, sizeof *c->n->number, c->err);
}

ofw_status ofw_cursor_room_indices(const ofw_cursor *c, size_t more)
{
  return ofw_grow(&c->n->index, c->n->indices, more, &c->n->index_room, sizeof *c->n->index, c->err);
}

/* So that a position in an array is a place in memory, also if a line puts nothing there. */
static ofw_status open_room(const ofw_cursor *c)
{
  ofw_ndjson *n = c->n;
  n->numbers = n->indices = n->vecs = 0;
  n->id[0] = 0;
  OFW_TRY(ofw_cursor_room_numbers(c, 1));
  OFW_TRY(ofw_cursor_room_indices(c, 1));
  return ofw_grow(&n->vec, 0, 1, &n->vec_room, sizeof *n->vec, c->err);
}

/* ---- characters ---- */

static void skip_space(ofw_cursor *c)
{
  while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r' || *c->at == '\n'))
    c->at++;
}

int ofw_cursor_next_is(ofw_cursor *c, char ch)
{
  skip_space(c);
  return c->at < c->end && *c->at == ch;
}

int ofw_cursor_accept(ofw_cursor *c, char ch)
{
  if (!ofw_cursor_next_is(c, ch))
    return 0;
  c->at++;
  return 1;
}

int ofw_cursor_begins(const ofw_cursor *c, const char *name)
{
  ofw_cursor ahead = *c;
  size_t length = strlen(name);
  return ofw_cursor_accept(&ahead, '{') && ofw_cursor_accept(&ahead, '"') && (size_t)(ahead.end - ahead.at) > length &&
         memcmp(ahead.at, name, length) == 0 && ahead.at[length] == '"';
}

ofw_status ofw_cursor_open(ofw_cursor *c, ofw_ndjson *n, const char *line, size_t length, ofw_error *err, int *empty)
{
  *c = (ofw_cursor){n, line, line, line + length, NULL, newlocale(LC_ALL_MASK, "C", (locale_t)0), err};
  OFW_TRY(open_room(c));
  if (!ofw_cursor_accept(c, '{'))
    return ofw_cursor_refuse(c, "a JSON object");
  *empty = ofw_cursor_next_is(c, '}');
  return OFW_OK;
}

ofw_status ofw_cursor_close(ofw_cursor *c)
{
  c->field = NULL;
  if (!ofw_cursor_accept(c, '}'))
    return ofw_cursor_refuse(c, "a comma or }");
  skip_space(c);
  return c->at < c->end ? ofw_cursor_refuse(c, "the end of the line") : OFW_OK;
}

/* ---- numbers and names ---- */

static const char *skip_digits(const char *at, const char *end)
{
  while (at < end && *at >= '0' && *at <= '9')
    at++;
  return at;
}

/* The end of a JSON number at c->at, or NULL: -? (0 | [1-9][0-9]*) (.[0-9]+)? ([eE][+-]?[0-9]+)? */
static const char *number_end(const ofw_cursor *c)
{
  const char *at = c->at, *from;
  at += at < c->end && *at == '-';
  from = at;
  at = skip_digits(at, c->end);
  if (at == from || (*from == '0' && at > from + 1))
    return NULL;
  if (at < c->end && *at == '.') {
    from = at + 1;
    at = skip_digits(from, c->end);
    if (at == from)
      return NULL;
  }
  if (at < c->end && (*at == 'e' || *at == 'E')) {
    from = at + 1;
    from += from < c->end && (*from == '+' || *from == '-');
    at = skip_digits(from, c->end);
    if (at == from)
      return NULL;
  }
  return at;
}

/* By the C library, which has to know where it ends. */
static double read_long(const ofw_cursor *c, size_t length)
{
  char text[LONGEST_NUMBER + 1];
  memcpy(text, c->at, length);
  text[length] = 0;
  return strtod_l(text, NULL, c->locale);
}

ofw_status ofw_cursor_number(ofw_cursor *c, double *out)
{
  skip_space(c);
  const char *end = number_end(c);
  if (!end || (end < c->end && (isalnum((unsigned char)*end) || *end == '.' || *end == '_')))
    return ofw_cursor_refuse(c, "a number");
  size_t length = (size_t)(end - c->at);
  if (length > LONGEST_NUMBER)
    return ofw_cursor_refuse(c, "a number of at most 400 characters");
  if (!ofw_read_decimal(c->at, end, out)) /* which is the same number sooner */
    *out = read_long(c, length);
  if (!isfinite(*out))
    return ofw_cursor_refuse(c, "a number that a double can hold");
  c->at = end;
  return OFW_OK;
}

/* The end of a text at c->at that reads back as it stands, or NULL. */
static const char *text_end(const ofw_cursor *c)
{
  const char *at = c->at + 1;
  while (at < c->end && *at >= ' ' && *at <= '~' && *at != '"' && *at != '\\')
    at++;
  return at < c->end && *at == '"' ? at + 1 : NULL;
}

ofw_status ofw_cursor_id(ofw_cursor *c)
{
  const char *end = ofw_cursor_next_is(c, '"') ? text_end(c) : number_end(c);
  if (!end)
    return ofw_cursor_refuse(c, "a number, or a text of ASCII characters without escapes");
  size_t length = (size_t)(end - c->at);
  if (c->n->id[0])
    return ofw_fail(c->err, OFW_BAD_DATA, "field 'id' appears twice");
  if (length > OFW_LONGEST_ID)
    return ofw_cursor_refuse(c, "an id of at most 255 characters");
  memcpy(c->n->id, c->at, length);
  c->n->id[length] = 0;
  c->at = end;
  return OFW_OK;
}

ofw_status ofw_cursor_push(ofw_cursor *c, double x)
{
  OFW_TRY(ofw_cursor_room_numbers(c, 1));
  c->n->number[c->n->numbers++] = x;
  return OFW_OK;
}

/* A key, which holds no escapes: no field's name has any. */
ofw_status ofw_cursor_key(ofw_cursor *c, char key[OFW_LONGEST_KEY + 1])
{
  if (!ofw_cursor_accept(c, '"'))
    return ofw_cursor_refuse(c, "a field's name in quotes");
  const char *end = memchr(c->at, '"', (size_t)(c->end - c->at));
  if (!end)
    return ofw_cursor_refuse(c, "a name with its closing quote");
  size_t length = (size_t)(end - c->at), kept = length < OFW_LONGEST_KEY ? length : OFW_LONGEST_KEY;
  for (size_t i = 0; i < kept; i++)
    key[i] = isprint((unsigned char)c->at[i]) ? c->at[i] : '?';
  key[kept] = 0;
  c->at = end + 1;
  return ofw_cursor_accept(c, ':') ? OFW_OK : ofw_cursor_refuse(c, "a colon");
}

enum { SUGGESTION = 200 };

/* n: none of them. */
static int find_name(const char *const *names, int n, const char *key)
{
  int which = 0;
  while (which < n && strcmp(key, names[which]) != 0)
    which++;
  return which;
}

/* "; did you mean 'loss'?", or all names if none is near. */
static void suggest(const char *key, const char *const *names, int n, char text[SUGGESTION])
{
  const char *near = ofw_nearest(key, names, (size_t)n);
  if (near) {
    snprintf(text, SUGGESTION, "; did you mean '%s'?", near);
    return;
  }
  size_t end = (size_t)snprintf(text, SUGGESTION, "; expected ");
  for (int i = 0; i < n && end < SUGGESTION; i++)
    end += (size_t)snprintf(text + end, SUGGESTION - end, "%s%s", i == 0 ? "" : i < n - 1 ? ", " : " or ", names[i]);
}

ofw_status ofw_cursor_field(ofw_cursor *c, const char *const *names, int n, int *which)
{
  char key[OFW_LONGEST_KEY + 1], text[SUGGESTION];
  OFW_TRY(ofw_cursor_key(c, key));
  *which = find_name(names, n, key);
  if (*which < n)
    return OFW_OK;
  suggest(key, names, n, text);
  return ofw_fail(c->err, OFW_BAD_DATA, "%s%sunknown field '%s'%s", c->field ? c->field : "", c->field ? ": " : "", key,
                  text);
}

ofw_status ofw_cursor_part(ofw_cursor *c, const char *const *names, int n, const char *of, int *seen, int *which)
{
  char key[OFW_LONGEST_KEY + 1];
  OFW_TRY(ofw_cursor_key(c, key));
  *which = find_name(names, n, key);
  if (*which == n || *seen >> *which & 1)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: %s '%s'%s", c->field, *which < n ? "a second" : "an unknown", key, of);
  *seen |= 1 << *which;
  return OFW_OK;
}

ofw_status ofw_cursor_numbers(ofw_cursor *c, size_t *count)
{
  size_t before = c->n->numbers;
  if (!ofw_cursor_accept(c, '['))
    return ofw_cursor_refuse(c, "a list of numbers");
  if (!ofw_cursor_accept(c, ']'))
    do {
      double x;
      OFW_TRY(ofw_cursor_number(c, &x));
      OFW_TRY(ofw_cursor_push(c, x));
    } while (ofw_cursor_accept(c, ','));
  if (c->n->numbers > before && !ofw_cursor_accept(c, ']'))
    return ofw_cursor_refuse(c, "a comma or ]");
  *count = c->n->numbers - before;
  return OFW_OK;
}

/* ---- whole numbers ---- */

/* What is wrong with it; NULL: nothing. */
static const char *index_fault(double x)
{
  if (x > 9007199254740992.0)
    return "is too large";
  return x < 0.0 || x != floor(x) ? "is not a whole number >= 0" : NULL;
}

ofw_status ofw_cursor_index(ofw_cursor *c, const char *what, size_t *out)
{
  double x;
  OFW_TRY(ofw_cursor_number(c, &x));
  const char *fault = index_fault(x);
  if (fault)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: %s %s", c->field, what, fault);
  *out = (size_t)x;
  return OFW_OK;
}

ofw_status ofw_cursor_indices(ofw_cursor *c, size_t *count)
{
  ofw_ndjson *n = c->n;
  size_t first = n->numbers;
  OFW_TRY(ofw_cursor_numbers(c, count));
  OFW_TRY(ofw_cursor_room_indices(c, *count));
  for (size_t k = 0; k < *count; k++) {
    const char *fault = index_fault(n->number[first + k]);
    if (fault)
      return ofw_fail(c->err, OFW_BAD_DATA, "%s: index number %zu %s", c->field, k + 1, fault);
    n->index[n->indices++] = (size_t)n->number[first + k];
  }
  n->numbers = first;
  return OFW_OK;
}
