/* ndjson.c — one line of feedback: its fields, and whether they fit together */
#include "wire/cursor.h"

#include "base/limits.h"

#include <stdlib.h>

static const char *const field_names[] = {
    "loss", "loss_gradient", "constraint", "constraint_gradient", "next_constraint", "next_constraint_gradient",
    "id",   "round"};
enum { LOSS, LOSS_GRADIENT, CONSTRAINT, CONSTRAINT_GRADIENT, NEXT, NEXT_GRADIENT, ID, ROUND, FIELDS };

size_t ofw_ndjson_longest(size_t dim)
{
  return dim > (OFW_LONGEST_FEEDBACK - 65536) / 64 ? OFW_LONGEST_FEEDBACK : 65536 + 64 * dim;
}

void ofw_ndjson_free(ofw_ndjson *n)
{
  free(n->number);
  free(n->index);
  free(n->vec);
  free(n->sum);
  *n = (ofw_ndjson){0};
}

/* What two fields said of constraints, as positions. */
typedef struct limits {
  int one_value, one_gradient;      /* not in a list */
  size_t values, first_value;       /* constraint, in number */
  size_t gradients, first_gradient; /* constraint_gradient, in vec */
} limits;

/* What all of them said. */
typedef struct parts {
  ofw_ndjson_mode mode;
  int seen[FIELDS];
  double loss;
  size_t loss_gradient; /* in vec */
  limits now, next;
} parts;

static ofw_status read_constraint(ofw_cursor *c, limits *p)
{
  p->first_value = c->n->numbers;
  p->one_value = !ofw_cursor_next_is(c, '[');
  if (!p->one_value)
    return ofw_cursor_numbers(c, &p->values);
  double x;
  OFW_TRY(ofw_cursor_number(c, &x));
  p->values = 1;
  return ofw_cursor_push(c, x);
}

/* A list whose first item is a list or an object is a list of vectors. */
static int is_list_of_vectors(ofw_cursor *c)
{
  const char *before = c->at;
  int nested = ofw_cursor_accept(c, '[') && (ofw_cursor_next_is(c, '[') || ofw_cursor_next_is(c, '{'));
  c->at = before;
  return nested;
}

static ofw_status read_constraint_gradient(ofw_cursor *c, limits *p)
{
  p->first_gradient = c->n->vecs;
  p->one_gradient = !is_list_of_vectors(c);
  p->gradients = 1;
  if (p->one_gradient)
    return ofw_cursor_vec(c);
  ofw_cursor_accept(c, '[');
  do
    OFW_TRY(ofw_cursor_vec(c));
  while (ofw_cursor_accept(c, ','));
  p->gradients = c->n->vecs - p->first_gradient;
  return ofw_cursor_accept(c, ']') ? OFW_OK : ofw_cursor_refuse(c, "a comma or ]");
}

static ofw_status read_round(ofw_cursor *c)
{
  size_t round;
  OFW_TRY(ofw_cursor_index(c, "the round", &round));
  c->n->round = round;
  return round > 0 ? OFW_OK : ofw_fail(c->err, OFW_BAD_DATA, "field 'round': rounds are counted from 1, found 0");
}

static ofw_status read_field(ofw_cursor *c, parts *p)
{
  int which;
  c->field = NULL;
  OFW_TRY(ofw_cursor_field(c, field_names, FIELDS, &which));
  if (p->mode == OFW_NDJSON_VALUES &&
      (which == LOSS_GRADIENT || which == CONSTRAINT_GRADIENT || which == NEXT_GRADIENT))
    return ofw_fail(c->err, OFW_BAD_DATA, "field '%s': a bandit learner takes no gradients", field_names[which]);
  if (p->seen[which]++)
    return ofw_fail(c->err, OFW_BAD_DATA, "field '%s' appears twice", field_names[which]);
  c->field = field_names[which];
  switch (which) {
  case LOSS:
    return ofw_cursor_number(c, &p->loss);
  case LOSS_GRADIENT:
    p->loss_gradient = c->n->vecs;
    return ofw_cursor_vec(c);
  case CONSTRAINT:
    return read_constraint(c, &p->now);
  case CONSTRAINT_GRADIENT:
    return read_constraint_gradient(c, &p->now);
  case NEXT:
    return read_constraint(c, &p->next);
  case ID:
    return ofw_cursor_id(c);
  case ROUND:
    return read_round(c);
  default:
    return read_constraint_gradient(c, &p->next);
  }
}

/* The constraints that this field and the one after it are of. */
static ofw_status check_limits(ofw_cursor *c, const parts *p, int field, limits *of)
{
  if (p->seen[field] != p->seen[field + 1])
    return ofw_fail(c->err, OFW_BAD_DATA, "field '%s' is missing", field_names[p->seen[field] ? field + 1 : field]);
  if (!p->seen[field])
    return OFW_OK;
  /* [] says as a gradient either a vector of no numbers or a list of no vectors */
  if (of->values == 0 && !of->one_value && of->one_gradient && c->n->vec[of->first_gradient].kind == OFW_VEC_DENSE &&
      c->n->vec[of->first_gradient].as.dense.n == 0)
    of->gradients = 0;
  else if (of->one_value != of->one_gradient)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: %s", field_names[field + 1],
                    of->one_value ? "expected one vector for one constraint, found a list of vectors"
                                  : "expected a list of vectors for a list of constraints, found one vector");
  if (of->values != of->gradients)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: found %zu vectors for %zu constraints", field_names[field + 1],
                    of->gradients, of->values);
  return OFW_OK;
}

static ofw_status check_parts(ofw_cursor *c, parts *p)
{
  if (p->mode != OFW_NDJSON_FULL && p->seen[LOSS])
    return OFW_OK;
  for (int i = 0; i < CONSTRAINT; i++)
    if (!p->seen[i])
      return ofw_fail(c->err, OFW_BAD_DATA, "field '%s' is missing", field_names[i]);
  OFW_TRY(check_limits(c, p, CONSTRAINT, &p->now));
  return check_limits(c, p, NEXT, &p->next);
}

static ofw_status settle(ofw_cursor *c, const parts *p, ofw_full *out)
{
  ofw_ndjson *n = c->n;
  const limits *now = &p->now, *next = &p->next;
  ofw_cursor_settle(c);
  OFW_TRY(ofw_grow(&n->sum, 0, now->gradients + next->gradients, &n->sum_room, sizeof *n->sum, c->err));
  for (size_t k = 0; k < now->gradients; k++)
    n->sum[k] = (ofw_sum){1, &n->vec[now->first_gradient + k]};
  for (size_t k = 0; k < next->gradients; k++)
    n->sum[now->gradients + k] = (ofw_sum){1, &n->vec[next->first_gradient + k]};
  *out = (ofw_full){.values = {p->loss, now->values, n->number + now->first_value},
                    .loss_gradient = {p->seen[LOSS_GRADIENT] ? 1 : 0, n->vec + p->loss_gradient},
                    .constraint_gradient = n->sum};
  n->hint = (ofw_hint){0};
  if (p->mode == OFW_NDJSON_FULL && p->seen[NEXT])
    n->hint = (ofw_hint){sizeof n->hint, next->values, n->number + next->first_value, n->sum + now->gradients};
  return OFW_OK;
}

ofw_status ofw_ndjson_read(ofw_ndjson *n, const char *line, size_t length, ofw_ndjson_mode mode, ofw_full *out,
                           ofw_error *err)
{
  ofw_cursor c;
  parts p = {.mode = mode};
  int empty;
  n->round = 0;
  OFW_TRY(ofw_cursor_open(&c, n, line, length, err, &empty));
  if (!empty)
    do
      OFW_TRY(read_field(&c, &p));
    while (ofw_cursor_accept(&c, ','));
  OFW_TRY(ofw_cursor_close(&c));
  OFW_TRY(check_parts(&c, &p));
  return settle(&c, &p, out);
}
