/* Random valid lines, cut and changed: the parser may refuse, and may accept only what the text still says. What it
 * says is found by a second reader that knows no fields: brackets that close, names from the list, and all the numbers.
 */
#include "unit/base/check.h"
#include "wire/ndjson.h"

#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 2000, MOST = 400 };

typedef struct text {
  char at[LONGEST];
  size_t length;
} text;

static uint64_t seed = 17;

static void add(text *t, const char *what)
{
  static const char *const space[] = {" ", "\t", "\r\n"};
  if (any_below(&seed, 8) == 0)
    add(t, space[any_below(&seed, 3)]);
  size_t n = strlen(what);
  memcpy(t->at + t->length, what, n);
  t->length += n;
}

static void add_number(text *t, int whole)
{
  char number[40];
  if (whole)
    snprintf(number, sizeof number, "%d", (int)any_below(&seed, 50));
  else
    snprintf(number, sizeof number, "%.*g", (int)(1 + any_below(&seed, 17)),
             ldexp(any_real(&seed), (int)any_below(&seed, 30) - 9));
  add(t, number);
}

static void add_list(text *t, size_t n, int whole)
{
  add(t, "[");
  for (size_t i = 0; i < n; i++) {
    if (i)
      add(t, ",");
    add_number(t, whole);
  }
  add(t, "]");
}

enum { ROWS = 2, COLS = 3 };

/* Two factors and a scale, in any of three orders. */
static void add_factors(text *t)
{
  static const char *const name[] = {"\"u\":", "\"v\":", "\"scale\":"};
  size_t turn = any_below(&seed, 3);
  for (size_t k = 0; k < 3; k++) {
    size_t which = (k + turn) % 3;
    add(t, k ? "," : "{");
    add(t, name[which]);
    if (which == 2)
      add_number(t, 0);
    else
      add_list(t, which ? COLS : ROWS, 0);
  }
  add(t, "}");
}

static void add_vec(text *t)
{
  size_t n = any_below(&seed, 4), first = any_below(&seed, 4); /* 2: dense; 3: of rank one */
  if (first == 3) {
    add_factors(t);
    return;
  }
  if (first == 2) {
    add_list(t, n, 0);
    return;
  }
  add(t, first ? "{\"value\":" : "{\"index\":");
  add_list(t, n, !first);
  add(t, first ? ",\"index\":" : ",\"value\":");
  add_list(t, n, (int)first);
  add(t, "}");
}

static void add_field(text *t, size_t which, size_t constraints)
{
  static const char *const name[] = {"\"loss\":", "\"loss_gradient\":", "\"constraint\":", "\"constraint_gradient\":"};
  add(t, name[which]);
  if (which == 0 || (which == 2 && constraints == 1))
    add_number(t, 0);
  else if (which == 1 || (which == 3 && constraints == 1))
    add_vec(t);
  else if (which == 2)
    add_list(t, constraints, 0);
  else {
    add(t, "[");
    for (size_t i = 0; i < constraints; i++) {
      if (i)
        add(t, ",");
      add_vec(t);
    }
    add(t, "]");
  }
}

static text any_line(void)
{
  text t = {.length = 0};
  size_t fields = any_below(&seed, 4) ? 4 : 2, constraints = 1 + any_below(&seed, 3), turn = any_below(&seed, fields);
  add(&t, "{");
  for (size_t k = 0; k < fields; k++) {
    if (k)
      add(&t, ",");
    add_field(&t, (k + turn) % fields, constraints);
  }
  add(&t, "}");
  return t;
}

/* ---- the second reader ---- */

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The numbers outside quotes, sorted; SIZE_MAX where the text is no JSON of ours at all. */
static size_t read_again(const text *t, double *number)
{
  static const char names[] =
      "\"loss\"\"loss_gradient\"\"constraint\"\"constraint_gradient\"\"index\"\"value\"\"u\"\"v\"\"scale\"";
  char open[LONGEST], copy[LONGEST + 1];
  size_t depth = 0, n = 0;
  memcpy(copy, t->at, t->length);
  copy[t->length] = 0;
  for (size_t i = 0; i < t->length; i++) {
    if (strchr("{[", copy[i]) && copy[i])
      open[depth++] = copy[i] == '{' ? '}' : ']';
    else if (copy[i] == '}' || copy[i] == ']') {
      if (!depth || open[--depth] != copy[i])
        return SIZE_MAX;
    } else if (copy[i] == '"') {
      size_t length = 2 + strcspn(copy + i + 1, "\"");
      char name[LONGEST + 1];
      memcpy(name, copy + i, length);
      name[length] = 0;
      if (!strstr(names, name))
        return SIZE_MAX;
      i += length - 1;
    } else if (copy[i] && strchr("-0123456789", copy[i])) {
      char *end;
      number[n++] = strtod(copy + i, &end);
      i = (size_t)(end - copy) - 1;
    } else if (!copy[i] || !strchr(":, \t\r\n", copy[i]))
      return SIZE_MAX;
  }
  qsort(number, n, sizeof *number, by_value);
  return depth ? SIZE_MAX : n;
}

static size_t take(ofw_sum sum, double *number)
{
  size_t n = 0;
  const ofw_vec *v = sum.term;
  assert_int_equal(sum.n, 1);
  if (v->kind == OFW_VEC_DENSE)
    for (; n < v->as.dense.n; n++)
      number[n] = v->as.dense.value[n];
  else if (v->kind == OFW_VEC_SPARSE)
    for (size_t k = 0; k < v->as.sparse.nnz; k++) {
      number[n++] = v->as.sparse.value[k];
      number[n++] = (double)v->as.sparse.index[k];
    }
  else {
    assert_true(v->as.rank_one.rows == ROWS && v->as.rank_one.cols == COLS);
    for (size_t k = 0; k < ROWS + COLS; k++)
      number[n++] = k < ROWS ? v->as.rank_one.u[k] : v->as.rank_one.v[k - ROWS];
    number[n++] = v->scale;
  }
  return n;
}

/* All that was accepted, sorted. */
static size_t gather(const ofw_full *fb, double *number)
{
  size_t n = 0;
  number[n++] = fb->values.loss;
  n += take(fb->loss_gradient, number + n);
  for (size_t i = 0; i < fb->values.constraints; i++) {
    number[n++] = fb->values.constraint[i];
    n += take(fb->constraint_gradient[i], number + n);
  }
  qsort(number, n, sizeof *number, by_value);
  return n;
}

static ofw_ndjson parser = {.rows = ROWS, .cols = COLS};

/* 1: accepted, and it says the same. */
static int check(const text *t)
{
  ofw_error err = {0};
  ofw_full fb;
  double mine[MOST], theirs[MOST];
  char *exact = malloc(t->length ? t->length : 1);
  assert_non_null(exact);
  memcpy(exact, t->at, t->length);
  ofw_status st = ofw_ndjson_read(&parser, exact, t->length, OFW_NDJSON_FULL, &fb, &err);
  free(exact);
  if (st != OFW_OK) {
    assert_int_equal(st, OFW_BAD_DATA);
    assert_int_equal(err.status, OFW_BAD_DATA);
    assert_true(err.message[0] != 0);
    return 0;
  }
  size_t n = read_again(t, mine), m = gather(&fb, theirs);
  int same = n == m;
  for (size_t i = 0; same && i < n; i++)
    same = mine[i] == theirs[i];
  if (!same)
    fail_msg("accepted wrongly: %.*s", (int)t->length, t->at);
  return 1;
}

static void mutate(text *t)
{
  static const char likely[] = "{}[]\",:.-+eE0123456789 \n_ax\\/";
  size_t at = any_below(&seed, t->length), other = any_below(&seed, t->length);
  char c = any_below(&seed, 5) ? likely[any_below(&seed, sizeof likely - 1)] : (char)any_below(&seed, 256);
  switch (any_below(&seed, 5)) {
  case 0: /* replace */
    t->at[at] = c;
    break;
  case 1: /* delete */
    memmove(t->at + at, t->at + at + 1, t->length-- - at - 1);
    break;
  case 2: /* insert */
    memmove(t->at + at + 1, t->at + at, t->length++ - at);
    t->at[at] = c;
    break;
  case 3: /* swap */
    c = t->at[at];
    t->at[at] = t->at[other];
    t->at[other] = c;
    break;
  default: /* cut */
    t->length = at;
  }
}

static void test_valid(void **state)
{
  (void)state;
  for (int k = 0; k < 2000; k++) {
    text t = any_line();
    if (!check(&t))
      fail_msg("refused: %.*s", (int)t.length, t.at);
  }
}

static void test_every_cut(void **state)
{
  (void)state;
  for (int k = 0; k < 50; k++) {
    text t = any_line();
    for (t.length--; t.length > 0; t.length--)
      assert_int_equal(check(&t), 0);
  }
}

static void test_mutations(void **state)
{
  (void)state;
  int accepted = 0;
  for (int k = 0; k < 20000; k++) {
    text t = any_line();
    for (size_t changes = 1 + any_below(&seed, 3); changes && t.length; changes--)
      mutate(&t);
    accepted += check(&t);
  }
  assert_true(accepted > 500 && accepted < 15000); /* both happen: digits and spaces change, structure breaks */
}

static int close_parser(void **state)
{
  (void)state;
  ofw_ndjson_free(&parser);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_valid),
      cmocka_unit_test(test_every_cut),
      cmocka_unit_test(test_mutations),
  };
  return cmocka_run_group_tests(tests, NULL, close_parser);
}
