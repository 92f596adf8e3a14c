#include "stream/ndjson.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const field_names[] = {"loss", "loss_gradient", "constraint", "constraint_gradient"};
enum { LOSS, LOSS_GRADIENT, CONSTRAINT, CONSTRAINT_GRADIENT, FIELDS };
enum { LONGEST_KEY = 63, LONGEST_NUMBER = 400 };

size_t ofw_ndjson_longest(size_t dim)
{
  return dim > (SIZE_MAX - 65536) / 64 ? SIZE_MAX : 65536 + 64 * dim;
}

void ofw_ndjson_free(ofw_ndjson *n)
{
  free(n->number);
  free(n->index);
  free(n->vec);
  free(n->sum);
  *n = (ofw_ndjson){0};
}

/* Where the reader is. The numbers of one line share one array, which may move as it grows, so that vectors are kept as
 * positions until the line is done. */
typedef struct cursor {
  ofw_ndjson *n;
  const char *start, *at, *end;
  const char *field; /* being read, for messages; NULL: the line itself */
  ofw_ndjson_mode mode;
  locale_t locale;
  ofw_error *err;
} cursor;

static ofw_status refuse(const cursor *c, const char *what)
{
  return ofw_fail(c->err, OFW_BAD_DATA, "%s%s%s at column %zu", c->field ? c->field : "", c->field ? ": " : "", what,
                  (size_t)(c->at - c->start) + 1);
}

static void skip_space(cursor *c)
{
  while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r' || *c->at == '\n'))
    c->at++;
}

static int next_is(cursor *c, char ch)
{
  skip_space(c);
  return c->at < c->end && *c->at == ch;
}

static int accept(cursor *c, char ch)
{
  if (!next_is(c, ch))
    return 0;
  c->at++;
  return 1;
}

/* room for one more item */
static ofw_status grow(const cursor *c, void *array, size_t used, size_t *room, size_t item)
{
  if (used < *room)
    return OFW_OK;
  size_t more = 2 * *room + 16;
  void *grown = more > SIZE_MAX / item ? NULL : realloc(*(void **)array, more * item);
  if (!grown)
    return ofw_fail_memory(c->err, more * item);
  *(void **)array = grown;
  *room = more;
  return OFW_OK;
}

/* So that a position in an array is a place in memory, also where a line puts nothing there. */
static ofw_status open_room(const cursor *c)
{
  ofw_ndjson *n = c->n;
  OFW_TRY(grow(c, &n->number, 0, &n->number_room, sizeof *n->number));
  OFW_TRY(grow(c, &n->index, 0, &n->index_room, sizeof *n->index));
  return grow(c, &n->vec, 0, &n->vec_room, sizeof *n->vec);
}

static const char *skip_digits(const char *at, const char *end)
{
  while (at < end && *at >= '0' && *at <= '9')
    at++;
  return at;
}

/* The end of a JSON number at c->at, or NULL: -? (0 | [1-9][0-9]*) (.[0-9]+)? ([eE][+-]?[0-9]+)? */
static const char *number_end(const cursor *c)
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

static ofw_status read_number(cursor *c, double *out)
{
  char text[LONGEST_NUMBER + 1];
  skip_space(c);
  const char *end = number_end(c);
  if (!end || (end < c->end && (isalnum((unsigned char)*end) || *end == '.' || *end == '_')))
    return refuse(c, "a number is expected");
  size_t length = (size_t)(end - c->at);
  if (length > LONGEST_NUMBER)
    return refuse(c, "a number of more than 400 characters");
  memcpy(text, c->at, length);
  text[length] = 0;
  *out = strtod_l(text, NULL, c->locale);
  if (!isfinite(*out))
    return refuse(c, "a number too large for a double");
  c->at = end;
  return OFW_OK;
}

/* A key, which holds no escapes: no field's name has any. */
static ofw_status read_key(cursor *c, char key[LONGEST_KEY + 1])
{
  if (!accept(c, '"'))
    return refuse(c, "a field's name in quotes is expected");
  const char *end = memchr(c->at, '"', (size_t)(c->end - c->at));
  if (!end)
    return refuse(c, "a name without its closing quote");
  size_t length = (size_t)(end - c->at), kept = length < LONGEST_KEY ? length : LONGEST_KEY;
  for (size_t i = 0; i < kept; i++)
    key[i] = isprint((unsigned char)c->at[i]) ? c->at[i] : '?';
  key[kept] = 0;
  c->at = end + 1;
  return accept(c, ':') ? OFW_OK : refuse(c, "a colon is expected");
}

/* [number, ...] at the end of the shared numbers */
static ofw_status read_numbers(cursor *c, size_t *count)
{
  ofw_ndjson *n = c->n;
  size_t before = n->numbers;
  if (!accept(c, '['))
    return refuse(c, "a list of numbers is expected");
  if (!accept(c, ']'))
    do {
      OFW_TRY(grow(c, &n->number, n->numbers, &n->number_room, sizeof *n->number));
      OFW_TRY(read_number(c, &n->number[n->numbers]));
      n->numbers++;
    } while (accept(c, ','));
  if (n->numbers > before && !accept(c, ']'))
    return refuse(c, "a comma or ] is expected");
  *count = n->numbers - before;
  return OFW_OK;
}

static ofw_status read_indices(cursor *c, size_t *count)
{
  ofw_ndjson *n = c->n;
  size_t first = n->numbers;
  OFW_TRY(read_numbers(c, count));
  for (size_t k = 0; k < *count; k++) {
    double x = n->number[first + k];
    if (x > 9007199254740992.0)
      return ofw_fail(c->err, OFW_BAD_DATA, "%s: index number %zu is too large", c->field, k + 1);
    if (x < 0.0 || x != floor(x))
      return ofw_fail(c->err, OFW_BAD_DATA, "%s: index number %zu is not a whole number from 0 on", c->field, k + 1);
    OFW_TRY(grow(c, &n->index, n->indices, &n->index_room, sizeof *n->index));
    n->index[n->indices++] = (size_t)x;
  }
  n->numbers = first;
  return OFW_OK;
}

/* Until the line is done, value and index hold positions in the shared arrays. */
static const double *number_at(size_t position)
{
  return (const double *)(uintptr_t)position;
}

static ofw_status read_sparse(cursor *c, ofw_vec *v)
{
  size_t indices = 0, values = 0, first_index = c->n->indices, first_value = c->n->numbers;
  int seen = 0; /* 1: index, 2: value */
  accept(c, '{');
  do {
    char key[LONGEST_KEY + 1];
    OFW_TRY(read_key(c, key));
    int which = strcmp(key, "index") == 0 ? 1 : strcmp(key, "value") == 0 ? 2 : 0;
    if (!which || (seen & which))
      return ofw_fail(c->err, OFW_BAD_DATA, "%s: %s '%s' in a sparse vector", c->field,
                      which ? "a second" : "an unknown", key);
    seen |= which;
    if (which == 2)
      first_value = c->n->numbers;
    OFW_TRY(which == 1 ? read_indices(c, &indices) : read_numbers(c, &values));
  } while (accept(c, ','));
  if (!accept(c, '}'))
    return refuse(c, "a comma or } is expected");
  if (seen != 3)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: a sparse vector needs 'index' and 'value'", c->field);
  if (indices != values)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: %zu indices and %zu values", c->field, indices, values);
  *v = ofw_vec_sparse(indices, (const size_t *)(uintptr_t)first_index, number_at(first_value));
  return OFW_OK;
}

/* One more vector at the end of the shared ones. */
static ofw_status read_vec(cursor *c)
{
  ofw_ndjson *n = c->n;
  OFW_TRY(grow(c, &n->vec, n->vecs, &n->vec_room, sizeof *n->vec));
  ofw_vec *v = &n->vec[n->vecs++];
  if (next_is(c, '{'))
    return read_sparse(c, v);
  if (!next_is(c, '['))
    return refuse(c, "[numbers] or {\"index\":[..],\"value\":[..]} is expected");
  size_t first = n->numbers, count;
  OFW_TRY(read_numbers(c, &count));
  *v = ofw_vec_dense(count, number_at(first));
  return OFW_OK;
}

/* What the fields said, as positions. */
typedef struct parts {
  int seen[FIELDS];
  double loss;
  size_t loss_gradient;             /* in vec */
  int one_value, one_gradient;      /* not in a list */
  size_t values, first_value;       /* constraint, in number */
  size_t gradients, first_gradient; /* constraint_gradient, in vec */
} parts;

static ofw_status read_constraint(cursor *c, parts *p)
{
  p->first_value = c->n->numbers;
  p->one_value = !next_is(c, '[');
  if (!p->one_value)
    return read_numbers(c, &p->values);
  OFW_TRY(grow(c, &c->n->number, c->n->numbers, &c->n->number_room, sizeof *c->n->number));
  OFW_TRY(read_number(c, &c->n->number[c->n->numbers]));
  c->n->numbers++;
  p->values = 1;
  return OFW_OK;
}

/* A list whose first item is a list or an object is a list of vectors. */
static int is_list_of_vectors(cursor *c)
{
  const char *before = c->at;
  int nested = accept(c, '[') && (next_is(c, '[') || next_is(c, '{'));
  c->at = before;
  return nested;
}

static ofw_status read_constraint_gradient(cursor *c, parts *p)
{
  p->first_gradient = c->n->vecs;
  p->one_gradient = !is_list_of_vectors(c);
  p->gradients = 1;
  if (p->one_gradient)
    return read_vec(c);
  accept(c, '[');
  do
    OFW_TRY(read_vec(c));
  while (accept(c, ','));
  p->gradients = c->n->vecs - p->first_gradient;
  return accept(c, ']') ? OFW_OK : refuse(c, "a comma or ] is expected");
}

static ofw_status read_field(cursor *c, parts *p)
{
  char key[LONGEST_KEY + 1];
  int which = 0;
  c->field = NULL;
  OFW_TRY(read_key(c, key));
  while (which < FIELDS && strcmp(key, field_names[which]) != 0)
    which++;
  if (which == FIELDS) {
    const char *near = ofw_nearest(key, field_names, FIELDS);
    return ofw_fail(c->err, OFW_BAD_DATA, "unknown field '%s'%s%s%s", key, near ? "; did you mean '" : "",
                    near ? near : "", near ? "'?" : "");
  }
  if (c->mode == OFW_NDJSON_VALUES && (which == LOSS_GRADIENT || which == CONSTRAINT_GRADIENT))
    return ofw_fail(c->err, OFW_BAD_DATA, "field '%s': a bandit learner takes no gradients", key);
  if (p->seen[which]++)
    return ofw_fail(c->err, OFW_BAD_DATA, "field '%s' appears twice", key);
  c->field = field_names[which];
  switch (which) {
  case LOSS:
    return read_number(c, &p->loss);
  case LOSS_GRADIENT:
    p->loss_gradient = c->n->vecs;
    return read_vec(c);
  case CONSTRAINT:
    return read_constraint(c, p);
  default:
    return read_constraint_gradient(c, p);
  }
}

static ofw_status check_parts(cursor *c, parts *p)
{
  if (c->mode != OFW_NDJSON_FULL && p->seen[LOSS])
    return OFW_OK;
  for (int i = 0; i < CONSTRAINT; i++)
    if (!p->seen[i])
      return ofw_fail(c->err, OFW_BAD_DATA, "field '%s' is missing", field_names[i]);
  if (p->seen[CONSTRAINT] != p->seen[CONSTRAINT_GRADIENT])
    return ofw_fail(c->err, OFW_BAD_DATA, "field '%s' is missing",
                    field_names[p->seen[CONSTRAINT] ? CONSTRAINT_GRADIENT : CONSTRAINT]);
  if (!p->seen[CONSTRAINT])
    return OFW_OK;
  /* [] says as a gradient either a vector of no numbers or a list of no vectors */
  if (p->values == 0 && !p->one_value && p->one_gradient && c->n->vec[p->first_gradient].kind == OFW_VEC_DENSE &&
      c->n->vec[p->first_gradient].as.dense.n == 0)
    p->gradients = 0;
  else if (p->one_value != p->one_gradient)
    return ofw_fail(c->err, OFW_BAD_DATA, "constraint_gradient: %s",
                    p->one_value ? "one constraint takes one vector, not a list of vectors"
                                 : "a list of constraints takes a list of vectors");
  if (p->values != p->gradients)
    return ofw_fail(c->err, OFW_BAD_DATA, "constraint_gradient: %zu vectors for %zu constraints", p->gradients,
                    p->values);
  return OFW_OK;
}

/* Positions become pointers now that nothing moves any more. */
static ofw_status settle(cursor *c, const parts *p, ofw_full *out)
{
  ofw_ndjson *n = c->n;
  for (size_t k = 0; k < n->vecs; k++) {
    ofw_vec *v = &n->vec[k];
    if (v->kind == OFW_VEC_DENSE)
      v->as.dense.value = n->number + (uintptr_t)v->as.dense.value;
    else {
      v->as.sparse.value = n->number + (uintptr_t)v->as.sparse.value;
      v->as.sparse.index = n->index + (uintptr_t)v->as.sparse.index;
    }
  }
  for (size_t k = 0; k < p->gradients; k++) {
    OFW_TRY(grow(c, &n->sum, k, &n->sum_room, sizeof *n->sum));
    n->sum[k] = (ofw_sum){1, &n->vec[p->first_gradient + k]};
  }
  *out = (ofw_full){.values = {p->loss, p->values, n->number + p->first_value},
                    .loss_gradient = {p->seen[LOSS_GRADIENT] ? 1 : 0, n->vec + p->loss_gradient},
                    .constraint_gradient = n->sum};
  return OFW_OK;
}

ofw_status ofw_ndjson_read(ofw_ndjson *n, const char *line, size_t length, ofw_ndjson_mode mode, ofw_full *out,
                           ofw_error *err)
{
  cursor c = {n, line, line, line + length, NULL, mode, newlocale(LC_ALL_MASK, "C", (locale_t)0), err};
  parts p = {0};
  n->numbers = n->indices = n->vecs = 0;
  OFW_TRY(open_room(&c));
  if (!accept(&c, '{'))
    return refuse(&c, "not a JSON object");
  if (!accept(&c, '}')) {
    do
      OFW_TRY(read_field(&c, &p));
    while (accept(&c, ','));
    c.field = NULL;
    if (!accept(&c, '}'))
      return refuse(&c, "a comma or } is expected");
  }
  skip_space(&c);
  if (c.at < c.end)
    return refuse(&c, "something follows the object");
  OFW_TRY(check_parts(&c, &p));
  return settle(&c, &p, out);
}
