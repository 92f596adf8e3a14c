#include "unit/base/check.h"
#include "vector/vec_arithmetic.h"
#include "wire/ndjson.h"

#include <stdio.h>
#include <stdlib.h>

static ofw_ndjson parser = {.rows = 2, .cols = 3};
static ofw_error err;

/* The line in memory of exactly its length, so that a sanitizer sees the first byte read too far. */
static ofw_status reads(const char *line, size_t length, ofw_full *out)
{
  char *copy = malloc(length ? length : 1);
  assert_non_null(copy);
  memcpy(copy, line, length);
  err = (ofw_error){0};
  ofw_status st = ofw_ndjson_read(&parser, copy, length, OFW_NDJSON_FULL, out, &err);
  memset(copy, 'x', length); /* nothing may point into the line */
  free(copy);
  assert_int_equal(st == OFW_OK, err.message[0] == 0);
  return st;
}

static ofw_full accepted(const char *line)
{
  ofw_full out;
  if (reads(line, strlen(line), &out) != OFW_OK)
    fail_msg("%s: %s", line, err.message);
  return out;
}

static void is_dense(ofw_sum sum, size_t n, const double *value)
{
  assert_int_equal(sum.n, 1);
  assert_int_equal(sum.term->kind, OFW_VEC_DENSE);
  assert_int_equal(sum.term->as.dense.n, n);
  assert_true(sum.term->scale == 1.0 && sum.term->offset == 0);
  for (size_t i = 0; i < n; i++)
    assert_bits(sum.term->as.dense.value[i], value[i]);
}

static void is_sparse(ofw_sum sum, size_t n, const size_t *index, const double *value)
{
  assert_int_equal(sum.n, 1);
  assert_int_equal(sum.term->kind, OFW_VEC_SPARSE);
  assert_int_equal(sum.term->as.sparse.nnz, n);
  assert_true(sum.term->scale == 1.0 && sum.term->offset == 0);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(sum.term->as.sparse.index[i], index[i]);
    assert_bits(sum.term->as.sparse.value[i], value[i]);
  }
}

static const double two[] = {1.5, -2}, three[] = {3, 4e2, 5};
static const size_t places[] = {7, 0, 1000};

static void test_field_orders(void **state)
{
  (void)state;
  static const char *const field[] = {"\"loss\":0.25", "\"loss_gradient\":[1.5,-2]", "\"constraint\":-1",
                                      "\"constraint_gradient\":{\"index\":[7,0,1000],\"value\":[3,4e2,5]}"};
  int orders = 0;
  for (int code = 0; code < 256; code++) {
    int a = code & 3, b = code >> 2 & 3, c = code >> 4 & 3, d = code >> 6;
    if (a == b || a == c || a == d || b == c || b == d || c == d)
      continue;
    char line[400];
    snprintf(line, sizeof line, " {\t%s ,\r%s,%s , %s}\n", field[a], field[b], field[c], field[d]);
    ofw_full out = accepted(line);
    assert_bits(out.values.loss, 0.25);
    is_dense(out.loss_gradient, 2, two);
    assert_int_equal(out.values.constraints, 1);
    assert_bits(out.values.constraint[0], -1.0);
    is_sparse(out.constraint_gradient[0], 3, places, three);
    orders++;
  }
  assert_int_equal(orders, 24);
}

static void test_constraints(void **state)
{
  (void)state;
  ofw_full out = accepted("{\"loss\":1,\"loss_gradient\":[1.5,-2]}");
  assert_int_equal(out.values.constraints, 0);
  out = accepted("{\"loss\":1,\"loss_gradient\":[1.5,-2],\"constraint\":[],\"constraint_gradient\":[]}");
  assert_int_equal(out.values.constraints, 0);
  out = accepted("{\"loss\":1,\"loss_gradient\":[1.5,-2],\"constraint\":[9],\"constraint_gradient\":[[1.5,-2]]}");
  assert_int_equal(out.values.constraints, 1);
  assert_bits(out.values.constraint[0], 9.0);
  is_dense(out.constraint_gradient[0], 2, two);
  out = accepted("{\"constraint_gradient\":[{\"value\":[3,4e2,5],\"index\":[7,0,1000]} , [3,4e2,5],[ ],{\"index\":[],"
                 "\"value\":[]}], \"loss\":1, \"constraint\":[1,2,3,-4],\"loss_gradient\":{\"index\":[7,0,1000],"
                 "\"value\":[3,4e2,5]}}");
  assert_int_equal(out.values.constraints, 4);
  for (size_t i = 0; i < 4; i++)
    assert_bits(out.values.constraint[i], i == 3 ? -4.0 : (double)i + 1.0);
  is_sparse(out.loss_gradient, 3, places, three);
  is_sparse(out.constraint_gradient[0], 3, places, three);
  is_dense(out.constraint_gradient[1], 3, three);
  is_dense(out.constraint_gradient[2], 0, NULL);
  is_sparse(out.constraint_gradient[3], 0, NULL, NULL);
}

static void is_rank_one(const char *vec, double scale, const double *u, const double *v)
{
  char line[200];
  snprintf(line, sizeof line, "{\"loss\":1,\"loss_gradient\":%s}", vec);
  ofw_full out = accepted(line);
  const ofw_vec *found = out.loss_gradient.term;
  assert_true(out.loss_gradient.n == 1 && found->kind == OFW_VEC_RANK_ONE && found->offset == 0);
  assert_true(found->as.rank_one.rows == 2 && found->as.rank_one.cols == 3);
  assert_bits(found->scale, scale);
  for (size_t i = 0; i < 2; i++)
    assert_bits(found->as.rank_one.u[i], u[i]);
  for (size_t i = 0; i < 3; i++)
    assert_bits(found->as.rank_one.v[i], v[i]);
}

static void test_factors(void **state)
{
  (void)state;
  static const double u[] = {0, 4}, v[] = {-1, 0, 2.5}, zero[3];
  is_rank_one("{\"u\":[0,4],\"v\":[-1,0,2.5]}", 1.0, u, v);
  is_rank_one("{ \"scale\" : -3e2 , \"v\" : [-1,0,2.5] , \"u\" : [0,4] }", -300.0, u, v);
  is_rank_one("{\"u\":{\"index\":[1],\"value\":[4]},\"v\":{\"value\":[2.5,-1],\"index\":[2,0]},\"scale\":2}", 2.0, u,
              v);
  is_rank_one("{\"v\":[-1,0,2.5],\"u\":{\"index\":[],\"value\":[]}}", 1.0, zero, v);
  ofw_full out = accepted("{\"loss\":1,\"loss_gradient\":[1.5,-2],\"constraint\":[1,2],\"constraint_gradient\":["
                          "{\"u\":{\"index\":[1],\"value\":[4]},\"v\":[-1,0,2.5]},[3,4e2,5]]}");
  assert_bits(out.constraint_gradient[0].term->as.rank_one.u[1], 4.0);
  assert_bits(out.constraint_gradient[0].term->as.rank_one.v[2], 2.5);
  is_dense(out.constraint_gradient[1], 3, three);
  is_dense(out.loss_gradient, 2, two);
}

/* Coordinates of matrices that nobody could write out. */
static void test_huge_indices(void **state)
{
  (void)state;
  static const size_t index[] = {10000000000, 99999999999999, (size_t)1 << 53};
  static const double value[] = {1, 2, 3};
  ofw_full out = accepted("{\"loss\":1,\"loss_gradient\":{\"index\":[10000000000,99999999999999,9007199254740992],"
                          "\"value\":[1,2,3]}}");
  is_sparse(out.loss_gradient, 3, index, value);
  assert_int_equal(ofw_sum_check(out.loss_gradient, ((size_t)1 << 53) + 1, "g", &err), OFW_OK);
  assert_int_equal(ofw_sum_check(out.loss_gradient, (size_t)1 << 53, "g", &err), OFW_BAD_DATA);
  assert_string_equal(err.message, "g: index 9007199254740992 is not below the dimension 9007199254740992");
}

static void refused(const char *line, const char *message)
{
  ofw_full out;
  assert_int_equal(reads(line, strlen(line), &out), OFW_BAD_DATA);
  assert_string_equal(err.message, message);
}

static void test_refuses_lines(void **state)
{
  (void)state;
  refused("", "column 1: expected a JSON object, found the end of the line");
  refused("[1]", "column 1: expected a JSON object, found '['");
  refused("{", "column 2: expected a field's name in quotes, found the end of the line");
  refused("{}", "field 'loss' is missing");
  refused("{\"loss\":1}", "field 'loss_gradient' is missing");
  refused("{\"loss_gradient\":[1]}", "field 'loss' is missing");
  refused("{\"loss\":1,\"loss_gradient\":[1],\"constraint\":1}", "field 'constraint_gradient' is missing");
  refused("{\"loss\":1,\"loss_gradient\":[1],\"constraint_gradient\":[1]}", "field 'constraint' is missing");
  refused("{\"los\":1}", "unknown field 'los'; did you mean 'loss'?");
  refused("{\"LOSS\":1}", "unknown field 'LOSS'; expected loss, loss_gradient, constraint, constraint_gradient, "
                          "next_constraint, next_constraint_gradient, id or round");
  refused("{\"lo\tss\":1}", "unknown field 'lo?ss'; did you mean 'loss'?");
  refused("{\"loss\":1,\"loss\":2}", "field 'loss' appears twice");
  refused("{\"loss\" 1}", "column 9: expected a colon, found '1'");
  refused("{\"loss:1}", "column 3: expected a name with its closing quote, found 'loss'");
  refused("{loss:1}", "column 2: expected a field's name in quotes, found 'loss'");
  refused("{\"loss\":1,}", "column 11: expected a field's name in quotes, found '}'");
  refused("{\"loss\":1;}", "column 10: expected a comma or }, found ';'");
  refused("{\"loss\":1,\"loss_gradient\":[1]", "column 30: expected a comma or }, found the end of the line");
  refused("{\"loss\":1,\"loss_gradient\":[1]} {", "column 32: expected the end of the line, found '{'");
}

static void test_refuses_numbers(void **state)
{
  (void)state;
  static const char *const bad[] = {"",    "01",   ".5",   "+1",    "1.",   "1.e2",     "1e",   "1e+", "-",
                                    "--1", "nan",  "NaN",  "inf",   "-inf", "Infinity", "0x10", "1_0", "1.2.3",
                                    "1a",  "null", "true", "\"1\"", "-01",  "00",       "1E",   "{}"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    char line[80], words[80];
    const char *found = bad[k][0] == '{' ? "{" : bad[k][0] ? bad[k] : ",";
    snprintf(line, sizeof line, "{\"loss\":%s,\"loss_gradient\":[1]}", bad[k]);
    snprintf(words, sizeof words, "loss, column 9: expected a number, found '%s'", found);
    refused(line, words);
  }
  refused("{\"loss\":1e999,\"loss_gradient\":[1]}",
          "loss, column 9: expected a number that a double can hold, found '1e999'");
  refused("{\"loss\":1,\"loss_gradient\":[1,-2e308]}",
          "loss_gradient, column 30: expected a number that a double can hold, found '-2e308'");
  char line[600];
  snprintf(line, sizeof line, "{\"loss\":%0400d,\"loss_gradient\":[1]}", 0);
  line[8] = '1';
  refused(line, "loss, column 9: expected a number that a double can hold, found "
                "'1000000000000000000000000000000000000000..'"); /* 400 digits are read */
  snprintf(line, sizeof line, "{\"loss\":1%0400d,\"loss_gradient\":[1]}", 0);
  refused(line, "loss, column 9: expected a number of at most 400 characters, found "
                "'1000000000000000000000000000000000000000..'");
}

#define F "{\"loss\":1,\"loss_gradient\":"
static void test_refuses_vectors(void **state)
{
  (void)state;
  refused(F "5}", "loss_gradient, column 27: expected [numbers] or {\"index\":[..],\"value\":[..]}, found '5'");
  refused(F "[1 2]}", "loss_gradient, column 30: expected a comma or ], found '2'");
  refused(F "[1,]}", "loss_gradient, column 30: expected a number, found ']'");
  refused(F "[[1]]}", "loss_gradient, column 28: expected a number, found '['");
  refused(F "{}}", "loss_gradient, column 28: expected a field's name in quotes, found '}'");
  refused(F "{\"index\":[0]}}", "loss_gradient: a sparse vector needs 'index' and 'value'");
  refused(F "{\"index\":[0],\"value\":[]}}", "loss_gradient: found 1 indices and 0 values, expected as many of each");
  refused(F "{\"value\":[1,2],\"index\":[0]}}",
          "loss_gradient: found 1 indices and 2 values, expected as many of each");
  refused(F "{\"index\":[0,0.5],\"value\":[1,2]}}", "loss_gradient: index number 2 is not a whole number >= 0");
  refused(F "{\"index\":[-1],\"value\":[1]}}", "loss_gradient: index number 1 is not a whole number >= 0");
  refused(F "{\"index\":[1e17],\"value\":[1]}}", "loss_gradient: index number 1 is too large");
  refused(F "{\"index\":[0],\"index\":[0]}}", "loss_gradient: a second 'index' in a sparse vector");
  refused(F "{\"indices\":[0]}}", "loss_gradient: an unknown 'indices' in a sparse vector");
  refused(F "{\"index\":5}}", "loss_gradient, column 36: expected a list of numbers, found '5'");
  refused(F "{\"index\":[0],\"value\":[1]]}", "loss_gradient, column 51: expected a comma or }, found ']'");
  refused(F "[1],\"constraint\":1,\"constraint_gradient\":[[1]]}",
          "constraint_gradient: expected one vector for one constraint, found a list of vectors");
  refused(F "[1],\"constraint\":[1],\"constraint_gradient\":[1]}",
          "constraint_gradient: expected a list of vectors for a list of constraints, found one vector");
  refused(F "[1],\"constraint\":[1,2],\"constraint_gradient\":[[1]]}",
          "constraint_gradient: found 1 vectors for 2 constraints");
  refused(F "[1],\"constraint\":[],\"constraint_gradient\":[[1]]}",
          "constraint_gradient: found 1 vectors for 0 constraints");
  refused(F "[1],\"constraint\":[1],\"constraint_gradient\":[[1],2]}",
          "constraint_gradient, column 75: expected [numbers] or {\"index\":[..],\"value\":[..]}, found '2'");
}

/* What is told of the coming round is beside what was, and gone with the next line. */
static void test_next_constraint(void **state)
{
  (void)state;
  ofw_full out = accepted(F "[1],\"next_constraint\":-2,\"next_constraint_gradient\":[1.5,-2]}");
  assert_int_equal(out.values.constraints, 0);
  assert_int_equal(parser.hint.size, sizeof parser.hint);
  assert_int_equal(parser.hint.constraints, 1);
  assert_bits(parser.hint.constraint[0], -2.0);
  is_dense(parser.hint.constraint_gradient[0], 2, two);
  out = accepted(
      "{\"next_constraint_gradient\":[[1.5,-2],{\"index\":[7,0,1000],\"value\":[3,4e2,5]}],\"loss\":1,"
      "\"constraint\":[8],\"next_constraint\":[5,6],\"loss_gradient\":[1],\"constraint_gradient\":[[3,400,5]]}");
  assert_int_equal(out.values.constraints, 1);
  assert_bits(out.values.constraint[0], 8.0);
  is_dense(out.constraint_gradient[0], 3, three);
  assert_int_equal(parser.hint.constraints, 2);
  assert_bits(parser.hint.constraint[1], 6.0);
  is_dense(parser.hint.constraint_gradient[0], 2, two);
  is_sparse(parser.hint.constraint_gradient[1], 3, places, three);
  accepted(F "[1],\"next_constraint\":[],\"next_constraint_gradient\":[]}"); /* there will be none */
  assert_true(parser.hint.size == sizeof parser.hint && parser.hint.constraints == 0);
  accepted(F "[1]}");
  assert_int_equal(parser.hint.size, 0);
  refused(F "[1],\"next_constraint\":1}", "field 'next_constraint_gradient' is missing");
  refused(F "[1],\"next_constraint_gradient\":[1]}", "field 'next_constraint' is missing");
  refused(F "[1],\"next_constraint\":1,\"next_constraint\":1}", "field 'next_constraint' appears twice");
  refused(F "[1],\"next_constraint\":[1,2],\"next_constraint_gradient\":[[1]]}",
          "next_constraint_gradient: found 1 vectors for 2 constraints");
  refused(F "[1],\"next_constraint\":[1],\"next_constraint_gradient\":[1]}",
          "next_constraint_gradient: expected a list of vectors for a list of constraints, found one vector");
  refused(F "[1],\"next_constraint\":x}", "next_constraint, column 49: expected a number, found 'x'");
  const char line[] = "{\"loss\":1,\"next_constraint\":2}",
             gradient[] = "{\"loss\":1,\"next_constraint_gradient\":[1]}";
  assert_int_equal(ofw_ndjson_read(&parser, line, sizeof line - 1, OFW_NDJSON_VALUES, &out, &err), OFW_OK);
  assert_int_equal(parser.hint.size, 0); /* a bandit learner has no use for it */
  assert_int_equal(ofw_ndjson_read(&parser, gradient, sizeof gradient - 1, OFW_NDJSON_VALUES, &out, &err),
                   OFW_BAD_DATA);
  assert_string_equal(err.message, "field 'next_constraint_gradient': a bandit learner takes no gradients");
}

static void test_refuses_factors(void **state)
{
  (void)state;
  refused(F "{\"u\":[1,2]}}", "loss_gradient: a matrix of rank one needs 'u' and 'v'");
  refused(F "{\"scale\":2}}", "loss_gradient: a matrix of rank one needs 'u' and 'v'");
  refused(F "{\"u\":[1,2],\"u\":[1,2]}}", "loss_gradient: a second 'u' in a matrix of rank one");
  refused(F "{\"u\":[1,2],\"w\":[1]}}", "loss_gradient: an unknown 'w' in a matrix of rank one");
  refused(F "{\"u\":[1,2],\"index\":[1]}}", "loss_gradient: an unknown 'index' in a matrix of rank one");
  refused(F "{\"index\":[1],\"u\":[1,2]}}", "loss_gradient: an unknown 'u' in a sparse vector");
  refused(F "{\"u\":[1],\"v\":[1,2,3]}}", "loss_gradient: u has length 1, but the dimension is 2");
  refused(F "{\"u\":[1,2],\"v\":[1,2,3,4]}}", "loss_gradient: v has length 4, but the dimension is 3");
  refused(F "{\"v\":{\"index\":[3],\"value\":[1]}}}", "loss_gradient: v: index 3 is not below the dimension 3");
  refused(F "{\"v\":{\"index\":[2,0,2],\"value\":[1,1,1]}}}", "loss_gradient: v: index 2 appears twice");
  refused(F "{\"v\":{\"index\":[2],\"value\":[]}}}",
          "loss_gradient: found 1 indices and 0 values, expected as many of each");
  refused(F "{\"v\":{\"u\":[1,2],\"v\":[1,2,3]}}}", "loss_gradient: an unknown 'u' in a sparse vector");
  refused(F "{\"v\":7}}", "loss_gradient, column 32: expected [numbers] or {\"index\":[..],\"value\":[..]}, found '7'");
  refused(F "{\"u\":[1,2],\"v\":[1,2,3],\"scale\":[1]}}", "loss_gradient, column 58: expected a number, found '['");
  refused(F "{\"u\":[1,2],\"v\":[1,2,3]]}", "loss_gradient, column 49: expected a comma or }, found ']'");
  refused(F "{\"u\":[1,2", "loss_gradient, column 36: expected a comma or ], found the end of the line");
}

/* A short line must not become much memory: sparse factors, written out, are what a line of the longest could say. */
static void test_refuses_much(void **state)
{
  (void)state;
  enum { ROWS = 1000, COLS = 2, MOST = (65536 + 64 * ROWS * COLS) / 2 / (ROWS + COLS) };
  static const char factors[] = "{\"u\":{\"index\":[],\"value\":[]},\"v\":{\"index\":[],\"value\":[]}}";
  for (int vectors = MOST - 1; vectors <= MOST + 1; vectors++) {
    ofw_ndjson large = {.rows = ROWS, .cols = COLS};
    ofw_text line = {0};
    ofw_full out;
    ofw_text_add(&line, "{\"loss\":1,\"loss_gradient\":[],\"constraint_gradient\":[%s", factors);
    for (int i = 1; i < vectors; i++)
      ofw_text_add(&line, ",%s", factors);
    ofw_text_add(&line, "],\"constraint\":[0");
    for (int i = 1; i < vectors; i++)
      ofw_text_add(&line, ",0");
    ofw_text_add(&line, "]}");
    assert_false(line.failed);
    err = (ofw_error){0};
    ofw_status st = ofw_ndjson_read(&large, line.chars, line.length, OFW_NDJSON_FULL, &out, &err);
    assert_int_equal(st, vectors > MOST ? OFW_BAD_DATA : OFW_OK);
    if (vectors > MOST)
      assert_non_null(strstr(err.message, "constraint_gradient: expected at most "));
    ofw_ndjson_free(&large);
    free(line.chars);
  }
}

/* Numbers are those that strtod reads, to the bit, whatever the locale. */
static void check_bits_of_numbers(int lines)
{
  uint64_t seed = 3;
  for (int k = 0; k < lines; k++) {
    char number[2][64], line[256];
    double want[2];
    for (int i = 0; i < 2; i++) {
      uint64_t bits = any_word(&seed);
      memcpy(&want[i], &bits, sizeof want[i]);
      if (!isfinite(want[i]))
        want[i] = any_real(&seed);
      locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
      snprintf(number[i], sizeof number[i], k % 3 ? "%.*g" : "%.*e", (int)(1 + any_below(&seed, 20)), want[i]);
      want[i] = strtod(number[i], NULL);
      uselocale(before);
    }
    if (!isfinite(want[0]) || !isfinite(want[1]))
      continue;
    snprintf(line, sizeof line, "{\"loss\":%s,\"loss_gradient\":[0,%s]}", number[0], number[1]);
    ofw_full out = accepted(line);
    assert_bits(out.values.loss, want[0]);
    assert_bits(out.loss_gradient.term->as.dense.value[1], want[1]);
  }
}

static void test_bits(void **state)
{
  (void)state;
  check_bits_of_numbers(20000);
  locale_t comma = comma_locale();
  if (comma) {
    locale_t before = uselocale(comma);
    check_bits_of_numbers(2000);
    uselocale(before);
    freelocale(comma);
  }
}

/* The parser's room grows and is used again. */
static void test_sizes(void **state)
{
  (void)state;
  enum { N = 5000 };
  char *line = malloc(64 * N), *at = line;
  assert_non_null(line);
  at += sprintf(at, "{\"loss_gradient\":{\"index\":[");
  for (int i = 0; i < N; i++)
    at += sprintf(at, "%s%d", i ? "," : "", 3 * i);
  at += sprintf(at, "],\"value\":[");
  for (int i = 0; i < N; i++)
    at += sprintf(at, "%s%d.5", i ? "," : "", i);
  at += sprintf(at, "]},\"constraint\":[");
  for (int i = 0; i < N; i++)
    at += sprintf(at, "%s%d", i ? "," : "", -i - 1);
  at += sprintf(at, "],\"constraint_gradient\":[");
  for (int i = 0; i < N; i++)
    at += sprintf(at, "%s[%d,1]", i ? "," : "", i);
  sprintf(at, "],\"loss\":8}");
  for (int again = 0; again < 2; again++) {
    ofw_full out = accepted(line);
    assert_int_equal(out.loss_gradient.term->as.sparse.nnz, N);
    assert_int_equal(out.values.constraints, N);
    for (size_t i = 0; i < N; i++) {
      assert_int_equal(out.loss_gradient.term->as.sparse.index[i], 3 * i);
      assert_bits(out.loss_gradient.term->as.sparse.value[i], (double)i + 0.5);
      assert_bits(out.values.constraint[i], -(double)i - 1.0);
      assert_bits(out.constraint_gradient[i].term->as.dense.value[0], (double)i);
    }
    out = accepted("{\"loss\":1,\"loss_gradient\":[1.5,-2]}");
    is_dense(out.loss_gradient, 2, two);
    assert_true(parser.indices == 0 && parser.vecs == 1 && parser.numbers == 2); /* the last line's alone */
  }
  free(line);
  assert_int_equal(ofw_ndjson_longest(0), 65536);
  assert_int_equal(ofw_ndjson_longest(1000), 65536 + 64000);
  assert_int_equal(ofw_ndjson_longest(16776192), (size_t)1 << 30); /* the last that is not cut */
  assert_int_equal(ofw_ndjson_longest(16776193), (size_t)1 << 30);
  assert_int_equal(ofw_ndjson_longest(SIZE_MAX), (size_t)1 << 30);
}

static int close_parser(void **state)
{
  (void)state;
  ofw_ndjson_free(&parser);
  assert_null(parser.number);
  ofw_ndjson_free(&parser);
  return 0;
}

/* The round that a line is the feedback of; a line without one forgets the last. */
static void test_round(void **state)
{
  (void)state;
  accepted(F "[1],\"round\":12}");
  assert_int_equal(parser.round, 12);
  accepted(F "[1]}");
  assert_int_equal(parser.round, 0);
  accepted("{\"round\":9007199254740992,\"loss\":1,\"loss_gradient\":[1]}");
  assert_true(parser.round == UINT64_C(9007199254740992));
  refused(F "[1],\"round\":0}", "field 'round': rounds are counted from 1, found 0");
  refused(F "[1],\"round\":-1}", "round: the round is not a whole number >= 0");
  refused(F "[1],\"round\":\"1\"}", "round, column 39: expected a number, found '\"1\"'");
  refused(F "[1],\"round\":1,\"round\":1}", "field 'round' appears twice");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_field_orders),    cmocka_unit_test(test_constraints),
      cmocka_unit_test(test_refuses_lines),   cmocka_unit_test(test_refuses_numbers),
      cmocka_unit_test(test_refuses_vectors), cmocka_unit_test(test_bits),
      cmocka_unit_test(test_sizes),           cmocka_unit_test(test_factors),
      cmocka_unit_test(test_huge_indices),    cmocka_unit_test(test_next_constraint),
      cmocka_unit_test(test_refuses_factors), cmocka_unit_test(test_refuses_much),
      cmocka_unit_test(test_round),
  };
  return cmocka_run_group_tests(tests, NULL, close_parser);
}
