/* test_ask.c — requests and their answers, against a decision that is known */
#include "unit/engine/held.h"
#include "wire/ask.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 3, COLS = 4, DIM = ROWS * COLS };
static ofw_ndjson parser;
static ofw_error err;
static ofw_domain *K;
static held h;

static ofw_status reads(const char *line, size_t length, ofw_ask *out)
{
  char *copy = malloc(length ? length : 1); /* of exactly its length */
  assert_non_null(copy);
  memcpy(copy, line, length);
  err = (ofw_error){0};
  ofw_status st = ofw_ask_read(&parser, copy, length, out, &err);
  memset(copy, 'x', length);
  free(copy);
  assert_int_equal(st == OFW_OK, err.message[0] == 0);
  return st;
}

/* Of the decision at x. */
static void answers_at(const ofw_point *x, const char *request, const char *want)
{
  char line[400];
  ofw_text out = {0};
  ofw_ask ask;
  snprintf(line, sizeof line, " { \"ask\" : {%s} } \r", request);
  assert_true(ofw_is_ask(line, strlen(line)));
  if (reads(line, strlen(line), &ask) != OFW_OK)
    fail_msg("%s: %s", line, err.message);
  ofw_text_add(&out, "before\n");
  assert_int_equal(ofw_ask_answer(&ask, &(ofw_info){.round = 7, .violation = 0.5, .regret_bound = NAN}, x, &out, &err),
                   OFW_OK);
  snprintf(line, sizeof line, "before\n{\"round\":7,%s}\n", want);
  assert_string_equal(out.chars, line);
  assert_int_equal(out.length, strlen(out.chars));
  free(out.chars);
}

/* What is answered to {"ask":{request}}, by the engine that has the decision and by a copy of it. */
static void answers(const char *request, const char *want)
{
  double number[DIM];
  ofw_copied copy;
  assert_int_equal(ofw_point_dense(&h.at, NULL), OFW_OK);
  assert_int_equal(ofw_point_dense(&h.at, number), OFW_OK);
  const ofw_point copied = ofw_copied_point(&copy, h.at.at->rows, h.at.at->cols, number);
  answers_at(&h.at, request, want);
  answers_at(&copied, request, want);
}

static void test_answers(void **state)
{
  (void)state;
  answers("\"entries\":[0,11,5,5]", "\"entries\":[0.5,-1,5.5,5.5]");
  answers("\"entries\":[]", "\"entries\":[]");
  answers("\"cells\":[[0,0],[2,3],[ 1 , 1 ]]", "\"cells\":[0.5,-1,5.5]");
  answers("\"cells\":[]", "\"cells\":[]");
  answers("\"row\":1", "\"row\":[4.5,5.5,6.5,7.5]");
  answers("\"dot\":{\"index\":[11,0],\"value\":[1,4]}", "\"dot\":1");
  answers("\"dot\":[1,0,0,0,0,0,0,0,0,0,0,2]", "\"dot\":-1.5");
  answers("\"dot\":{\"u\":[0,1,0],\"v\":[1,0,0,1],\"scale\":2}", "\"dot\":24");
  answers("\"dot\":{\"u\":{\"index\":[1],\"value\":[1e300]},\"v\":[0,0,0,1e300]}", "\"dot\":null");
  answers("\"info\":{ }", "\"info\":{\"oracle_calls\":0,\"violation\":0.5,\"log_price\":0,\"sigma\":0,\"gap\":0,"
                          "\"regret_bound\":null,\"ccv_bound\":0,\"bound_failure\":0}");
  answers("\"top\":{\"row\":0,\"k\":2}", "\"top\":{\"index\":[3,2],\"value\":[3.5,2.5]}");
  answers("\"top\":{\"exclude\":[3,1,3],\"k\":9,\"row\":0}", "\"top\":{\"index\":[2,0],\"value\":[2.5,0.5]}");
  answers("\"top\":{\"row\":2,\"k\":3}", "\"top\":{\"index\":[0,1,2],\"value\":[8.5,8.5,8.5]}");
  answers("\"top\":{\"row\":2,\"k\":0}", "\"top\":{\"index\":[],\"value\":[]}");
  answers("\"top\":{\"row\":2,\"k\":9007199254740992,\"exclude\":[0,1,2,3]}", "\"top\":{\"index\":[],\"value\":[]}");
}

/* A vector is one row, which need not be said. */
static void test_vectors(void **state)
{
  (void)state;
  ofw_domain *V = domain("l2-ball:dim=3");
  held before = h;
  h = hold(V);
  memcpy(h.x, (const double[]){1, 3, 2}, 3 * sizeof *h.x);
  parser.rows = 1;
  parser.cols = 3;
  answers("\"row\":0", "\"row\":[1,3,2]");
  answers("\"cells\":[[0,2]]", "\"cells\":[2]");
  answers("\"top\":{\"k\":2}", "\"top\":{\"index\":[1,2],\"value\":[3,2]}");
  answers("\"dot\":{\"u\":[2],\"v\":[1,0,0]}", "\"dot\":2");
  parser.rows = ROWS;
  parser.cols = COLS;
  let_go(&h);
  h = before;
  ofw_domain_free(V);
}

static void test_a_round_may_be_named(void **state)
{
  static const char none[] = "{\"ask\":{\"decide\":{ }}}", some[] = "{\"id\":1,\"ask\":{\"decide\":{\"round\": 12 }}}";
  ofw_ask ask;
  (void)state;
  assert_int_equal(reads(none, strlen(none), &ask), OFW_OK);
  assert_int_equal(ask.round, 0);
  assert_int_equal(reads(some, strlen(some), &ask), OFW_OK);
  assert_true(ask.kind == OFW_ASK_DECIDE && ask.round == 12);
}

static void refused(const char *line, const char *message)
{
  ofw_ask ask;
  assert_int_equal(reads(line, strlen(line), &ask), OFW_BAD_DATA);
  assert_string_equal(err.message, message);
}
#define A(request) "{\"ask\":{" request "}}"

static void test_refusals(void **state)
{
  (void)state;
  refused("", "column 1: expected a JSON object, found the end of the line");
  refused("{}", "expected a request, found no field 'ask'");
  refused("{\"id\":1}", "expected a request, found no field 'ask'");
  refused("{\"loss\":1}", "unknown field 'loss'; expected ask or id");
  refused("{\"ask\":{\"row\":1},\"ask\":{\"row\":1}}", "field 'ask' appears twice");
  refused("{\"ask\":{\"row\":1},\"id\":1,\"id\":2}", "field 'id' appears twice");
  refused("{\"ask\":{\"row\":1},\"id\":[1]}",
          "id, column 23: expected a number, or a text of ASCII characters without escapes, found '['");
  refused("{\"ask\":{\"row\":1},\"id\":\"a\\n\"}",
          "id, column 23: expected a number, or a text of ASCII characters without escapes, found '\"a\\n\"'");
  refused("{\"ask\":{\"row\":1},\"id\":\"open}",
          "id, column 23: expected a number, or a text of ASCII characters without escapes, found '\"'");
  refused("{\"ask\":{\"sample\":3}}", "ask: sample, column 18: expected {}, found '3'");
  refused("{\"ask\":{\"decide\":3}}", "ask: decide, column 18: expected {} or {\"round\":t}, found '3'");
  refused(A("\"decide\":{\"round\":0}"), "ask: decide: rounds are counted from 1, found 0");
  refused(A("\"decide\":{\"round\":1.5}"), "ask: decide: the round is not a whole number >= 0");
  refused(A("\"decide\":{\"round\":1e300}"), "ask: decide: the round is too large");
  refused(A("\"decide\":{\"row\":1}"), "ask: decide: an unknown 'row'");
  refused(A("\"decide\":{\"round\":1,\"round\":1}"), "ask: decide, column 28: expected }, found ','");
  refused("{\"ask\":3}", "ask, column 8: expected an object, found '3'");
  refused("{\"ask\":{}}", "ask, column 9: expected a field's name in quotes, found '}'");
  refused(A("\"info\":{\"row\":1}"), "ask: info, column 17: expected {}, found '\"row\"'");
  refused(A("\"info\":[]"), "ask: info, column 16: expected {}, found '['");
  refused(A("\"rows\":1"), "ask: unknown field 'rows'; did you mean 'row'?");
  refused(A("\"row\":1,\"row\":2"), "ask, column 16: expected } after the one request of a line, found ','");
  refused("{\"ask\":{\"row\":1},\"loss\":1}", "unknown field 'loss'; expected ask or id");
  refused("{\"ask\":{\"row\":1}", "column 17: expected a comma or }, found the end of the line");
  refused(A("\"row\":1") "x", "column 18: expected the end of the line, found 'x'");
  refused(A("\"entries\":[12]"), "ask: entries: index 12 is not below the dimension 12");
  refused(A("\"entries\":[1,-1]"), "ask: entries: index number 2 is not a whole number >= 0");
  refused(A("\"entries\":[1e16]"), "ask: entries: index number 1 is too large");
  refused(A("\"entries\":[1,x]"), "ask: entries, column 22: expected a number, found 'x'");
  refused(A("\"entries\":3"), "ask: entries, column 19: expected a list of numbers, found '3'");
  refused(A("\"cells\":[[0,4]]"), "ask: cells: column 4 is not below the number of columns 4");
  refused(A("\"cells\":[[3,0]]"), "ask: cells: row 3 is not below the number of rows 3");
  refused(A("\"cells\":[[1]]"), "ask: cells: expected a cell [row, column], found 1 numbers");
  refused(A("\"cells\":[[1,1,1]]"), "ask: cells: expected a cell [row, column], found 3 numbers");
  refused(A("\"cells\":[1,1]"), "ask: cells, column 18: expected a list of numbers, found '1'");
  refused(A("\"cells\":{}"), "ask: cells, column 17: expected a list of cells [row, column], found '{'");
  refused(A("\"cells\":[[1,1];"), "ask: cells, column 23: expected a comma or ], found ';'");
  refused(A("\"row\":3"), "ask: row: row 3 is not below the number of rows 3");
  refused(A("\"row\":0.5"), "ask: row: the row is not a whole number >= 0");
  refused(A("\"row\":[0]"), "ask: row, column 15: expected a number, found '['");
  refused(A("\"dot\":[1,2]"), "ask: dot has length 2, but the dimension is 12");
  refused(A("\"dot\":{\"index\":[1,1],\"value\":[1,1]}"), "ask: dot: index 1 appears twice");
  refused(A("\"dot\":{\"u\":[1,2],\"v\":[1,2,3,4]}"), "ask: dot: u has length 2, but the dimension is 3");
  refused(A("\"dot\":1"), "ask: dot, column 15: expected [numbers] or {\"index\":[..],\"value\":[..]}, found '1'");
  refused(A("\"top\":1"), "ask: top, column 15: expected {\"row\":r,\"k\":n,\"exclude\":[..]}, found '1'");
  refused(A("\"top\":{\"row\":1}"), "ask: top: 'k' is missing");
  refused(A("\"top\":{\"k\":1}"), "ask: top: 'row' is missing");
  refused(A("\"top\":{\"row\":3,\"k\":1}"), "ask: top: row 3 is not below the number of rows 3");
  refused(A("\"top\":{\"k\":1,\"k\":1}"), "ask: top: a second 'k'");
  refused(A("\"top\":{\"n\":1}"), "ask: top: an unknown 'n'");
  refused(A("\"top\":{\"k\":-1,\"row\":0}"), "ask: top: k is not a whole number >= 0");
  refused(A("\"top\":{\"row\":0,\"k\":1,\"exclude\":[1,4]}"),
          "ask: top: column 4 is not below the number of columns 4");
  refused(A("\"top\":{\"row\":0,\"k\":1]"), "ask: top, column 29: expected a comma or }, found ']'");
}

/* No request may begin a play without room: a row of a vector can be as long as the memory. */
static void test_too_many_numbers(void **state)
{
  (void)state;
  parser.rows = 1;
  parser.cols = 1000000000000;
  refused(A("\"row\":0"), "ask: row: 1000000000000 numbers, expected at most 10000000");
  refused(A("\"top\":{\"k\":10000001}"), "ask: top: 10000001 numbers, expected at most 10000000");
  refused(A("\"entries\":[1000000000000]"),
          "ask: entries: index 1000000000000 is not below the dimension 1000000000000");
  ofw_ask ask;
  const char last[] = A("\"entries\":[999999999999]");
  assert_int_equal(reads(last, strlen(last), &ask), OFW_OK);
  assert_int_equal(ask.index[0], 999999999999);
  parser.rows = ROWS;
  parser.cols = COLS;
}

/* Only what begins as a request is one; feedback is not, whatever comes later in it. */
static void test_which_ask(void **state)
{
  (void)state;
  static const char *const others[] = {
      "", "{", "{}", "{\"as", "{\"ask", "{\"asks\":1}", "ask", "[\"ask\"]", "{\"loss\":1,\"ask\":{}}", "{ask}"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    assert_false(ofw_is_ask(others[k], strlen(others[k])));
  static const char behind[] = "{\"id\":\"x\",\"ask\":1";
  assert_true(ofw_is_ask(behind, strlen(behind)));
  assert_false(ofw_is_ask(behind, strlen(behind) - 6));
  assert_true(ofw_is_ask("\t{ \"ask\"", 8));
  assert_false(ofw_is_ask("\t{ \"ask\"", 7));
}

/* Every cut of a request is refused, and what an earlier line left does not matter. */
static void test_cuts(void **state)
{
  (void)state;
  static const char *const lines[] = {A("\"top\":{\"row\":0,\"k\":3,\"exclude\":[1,2]}"), A("\"cells\":[[1,2],[2,3]]"),
                                      A("\"dot\":{\"u\":[1,2,3],\"v\":{\"index\":[1],\"value\":[2]},\"scale\":-1}")};
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
    for (size_t length = 0; length < strlen(lines[k]); length++) {
      ofw_ask ask;
      assert_int_equal(reads(lines[k], length, &ask), OFW_BAD_DATA);
    }
  test_answers(state);
}

/* A decision that cannot answer says so, and nothing is written. */
static ofw_status no_row(const ofw_engine *E, size_t row, double *out)
{
  (void)E;
  (void)row;
  (void)out;
  return OFW_UNSUPPORTED;
}

static void test_no_answer(void **state)
{
  (void)state;
  static const ofw_engine_view view = {.row = no_row};
  static const ofw_engine_ops ops = {.view = &view};
  const ofw_engine other = {.ops = &ops, .dim = DIM, .rows = ROWS, .cols = COLS};
  const ofw_point at = {.at = &other};
  const char line[] = A("\"row\":0");
  ofw_ask ask;
  ofw_text out = {0};
  assert_int_equal(reads(line, strlen(line), &ask), OFW_OK);
  assert_int_equal(ofw_ask_answer(&ask, &(ofw_info){.round = 1}, &at, &out, &err), OFW_UNSUPPORTED);
  assert_string_equal(err.message, "ask: row: this decision cannot answer this request");
  assert_null(out.chars);
}

static int open_all(void **state)
{
  (void)state;
  K = domain("trace-ball:rows=3,cols=4");
  h = hold(K);
  for (size_t i = 0; i < DIM; i++)
    h.x[i] = i < 8 ? (double)i + 0.5 : 8.5;
  h.x[DIM - 1] = -1.0;
  parser = (ofw_ndjson){.rows = ROWS, .cols = COLS};
  return 0;
}

static int close_all(void **state)
{
  (void)state;
  let_go(&h);
  ofw_domain_free(K);
  ofw_ndjson_free(&parser);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answers),  cmocka_unit_test(test_vectors),   cmocka_unit_test(test_a_round_may_be_named),
      cmocka_unit_test(test_refusals), cmocka_unit_test(test_which_ask), cmocka_unit_test(test_too_many_numbers),
      cmocka_unit_test(test_cuts),     cmocka_unit_test(test_no_answer),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
