/* A trace read back: what was written, to the bits; anything else is refused with its line. */
#include "unit/base/check.h"

#include "run/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/ofw-trace-XXXXXX";

#define NAMES                                                                                                   \
  "round,loss,constraint,loss_sum,ccv,comparator_loss_sum,target_loss_sum,price,sigma,gap,oracle_calls,passes," \
  "oracle_error,seconds\n"
#define ROW(round) round ",1,2,3,4,5,6,7,1,8,9,10,0,0.5\n"

static void put(const char *bytes, size_t n)
{
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  assert_int_equal(fwrite(bytes, 1, n, out), n);
  assert_int_equal(fclose(out), 0);
}

static void test_reads_back(void **state)
{
  (void)state;
  enum { ROWS = 500 };
  static const char *const header[] = {"ofw 0.1.0", "", "stream=linear rounds=(5,-1,=2,'3,'+4,-x)"};
  static ofw_trace_row row[ROWS];
  uint64_t seed = 1, round = 0;
  FILE *out = fopen(path, "w");
  assert_int_equal(ofw_trace_begin(out, 3, header), OFW_OK);
  for (size_t k = 0; k < ROWS; k++) {
    double in[11];
    for (size_t i = 0; i < 11; i++) {
      uint64_t bits = any_word(&seed);
      memcpy(&in[i], &bits, sizeof bits);
      if (isnan(in[i]))
        in[i] = (double)NAN; /* which of the NaN it was is not written */
    }
    if (k % 7 == 0)
      in[k % 11] = k % 2 ? INFINITY : -INFINITY;
    round += 1 + any_below(&seed, 3);
    row[k] = (ofw_trace_row){round, in[0], in[1], in[2],           in[3],           in[4], in[5],
                             in[6], in[7], in[8], any_word(&seed), any_word(&seed), in[9], in[10]};
    assert_int_equal(ofw_trace_write(out, &row[k]), OFW_OK);
  }
  fclose(out);
  ofw_trace trace;
  ofw_error err = {0};
  assert_int_equal(ofw_trace_read(path, &trace, &err), OFW_OK);
  assert_int_equal(trace.headers, 3);
  for (size_t i = 0; i < 3; i++)
    assert_string_equal(trace.header[i], header[i]);
  assert_int_equal(trace.rows, ROWS);
  assert_memory_equal(trace.row, row, sizeof row); /* it has no padding */
  ofw_trace_free(&trace);
  assert_null(trace.row);
  ofw_trace_free(&trace);
}

static void refuses(const char *text, size_t n, const char *line, const char *message)
{
  ofw_trace trace;
  ofw_error err = {0};
  char want[600];
  put(text, n);
  assert_int_equal(ofw_trace_read(path, &trace, &err), OFW_BAD_DATA);
  assert_int_equal(err.status, OFW_BAD_DATA);
  snprintf(want, sizeof want, "%s:%s%s", path, line, message);
  assert_string_equal(err.message, want);
  assert_true(trace.rows == 0 && !trace.row && !trace.header);
  assert_int_equal(ofw_trace_read(path, &trace, NULL), OFW_BAD_DATA);
}

static void test_refusals(void **state)
{
  (void)state;
  static const struct {
    const char *text, *line, *message;
  } cases[] = {
      {"", "", " expected a line with the names of the columns, found none"},
      {"# a\n# b\n", "", " expected a line with the names of the columns, found none"},
      {NAMES "1,2,3", "2:", " the file ends in the middle of a line"},
      {"# a", "1:", " the file ends in the middle of a line"},
      {"1,2\n", "1:", " column 1 is '1', expected 'round'"},
      {"round,loss\n", "1:", " column 3 is '', expected 'constraint'"},
      {"# x\nround,loss,loss_sum\n", "2:", " column 3 is 'loss_sum', expected 'constraint'"},
      {"round,loss,constraint,loss_sum,ccv,comparator_loss_sum,target_loss_sum,price,sigma,gap,oracle_calls,passes,"
       "oracle_error,seconds,colour\n",
       "1:", " 'colour' is not a column of a trace"},
      {NAMES "\n", "2:", " round: '' is not a whole number"},
      {NAMES ROW("1") "2,1\n", "3:", " found 2 cells, expected 14"},
      {NAMES ROW("1") "2,1,2,3,4,5,6,7,1,8,9,10,0,0.5,\n", "3:", " more than 14 cells"},
      {NAMES ROW("1") ROW("1"), "3:", " found round 1 after round 1; rounds must increase"},
      {NAMES "# late\n" ROW("7") "# later\n" ROW("3"), "5:", " found round 3 after round 7; rounds must increase"},
      {NAMES ROW("0"), "2:", " found round 0 after round 0; rounds must increase"},
      {NAMES ROW("1.0"), "2:", " round: '1.0' is not a whole number"},
      {NAMES ROW("-1"), "2:", " round: '-1' is not a whole number"},
      {NAMES ROW("1e3"), "2:", " round: '1e3' is not a whole number"},
      {NAMES ROW("99999999999999999999"), "2:", " round: '99999999999999999999' is not a whole number"},
      {NAMES "1,x,2,3,4,5,6,7,1,8,9,10,0,0.5\n", "2:", " loss: 'x' is not a number"},
      {NAMES "1,1,2,3, 4,5,6,7,1,8,9,10,0,0.5\n", "2:", " ccv: ' 4' is not a number"},
      {NAMES "1,1,nan,3,4,5,6,7,1,8,9,10,0,0.5\n", "2:", " constraint: 'nan' is not a number"},
      {NAMES "1,1,0x1,3,4,5,6,7,1,8,9,10,0,0.5\n", "2:", " constraint: '0x1' is not a number"},
      {NAMES "1,1,2,3,4,5,6,7,1,8,9,,0,0.5\n", "2:", " passes: '' is not a whole number"},
      {NAMES "1,1,2,3,4,5,6,7,1,8,9,10,0,0.5\r\n", "2:", " seconds: '0.5?' is not a number"},
      {NAMES "1,1,2,3,\"4\",5,6,7,1,8,9,10,0,0.5\n", "2:", " ccv: '\"4\"' is not a number"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    refuses(cases[i].text, strlen(cases[i].text), cases[i].line, cases[i].message);
  refuses(NAMES ROW("1") "2\0,1\n", sizeof(NAMES ROW("1") "2\0,1\n") - 1, "3:", " the line contains a NUL byte");
}

static void test_limits(void **state)
{
  (void)state;
  enum { LINE = 1 << 20, HEADS = 1000 };
  static char text[2 * LINE];
  ofw_trace trace;
  ofw_error err = {0};
  memset(text, 'x', LINE);
  text[0] = '#';
  memcpy(text + LINE, "\n" NAMES, sizeof("\n" NAMES)); /* as long as a line may be */
  put(text, strlen(text));
  assert_int_equal(ofw_trace_read(path, &trace, &err), OFW_OK);
  assert_int_equal(strlen(trace.header[0]), LINE - 1);
  ofw_trace_free(&trace);
  memcpy(text + LINE, "x\n" NAMES, sizeof("x\n" NAMES));
  refuses(text, strlen(text), "1:", " the line is longer than 1048576 bytes");
  for (int k = 0; k <= HEADS; k++)
    memcpy(text + 2 * k, "#\n", 2);
  refuses(text, 2 * HEADS + 2, "1001:", " more than 1000 lines begin with #");
}

/* A file cut anywhere is read up to a whole line, or refused. */
static void test_cut(void **state)
{
  (void)state;
  static const char text[] = "# one\n" NAMES ROW("1") ROW("2") ROW("5");
  for (size_t n = 0; n < sizeof text - 1; n++) {
    ofw_trace trace;
    size_t rows = 0, lines = 0;
    for (size_t i = 0; i < n; i++)
      lines += text[i] == '\n';
    int whole = n > 0 && text[n - 1] == '\n' && lines >= 2;
    put(text, n);
    ofw_error err = {0};
    assert_int_equal(ofw_trace_read(path, &trace, &err), whole ? OFW_OK : OFW_BAD_DATA);
    rows = whole ? lines - 2 : 0;
    assert_int_equal(trace.rows, rows);
    if (rows)
      assert_near(trace.row[rows - 1].seconds, 0.5, 0.0);
    ofw_trace_free(&trace);
  }
}

static void test_no_file(void **state)
{
  (void)state;
  ofw_trace trace;
  ofw_error err = {0};
  assert_int_equal(ofw_trace_read("/nowhere/trace.csv", &trace, &err), OFW_BAD_DATA);
  assert_string_equal(err.message, "cannot read /nowhere/trace.csv: No such file or directory");
  assert_int_equal(ofw_trace_read("/tmp", &trace, &err), OFW_BAD_DATA);
  assert_string_equal(err.message, "cannot read /tmp: Is a directory");
}

static void test_decimal_comma(void **state)
{
  (void)state;
  ofw_trace trace;
  locale_t comma = comma_locale();
  if (!comma)
    skip();
  put(NAMES ROW("3"), sizeof(NAMES ROW("3")) - 1);
  locale_t before = uselocale(comma);
  assert_int_equal(ofw_trace_read(path, &trace, NULL), OFW_OK);
  uselocale(before);
  freelocale(comma);
  assert_near(trace.row[0].seconds, 0.5, 0.0);
  ofw_trace_free(&trace);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reads_back), cmocka_unit_test(test_refusals), cmocka_unit_test(test_limits),
      cmocka_unit_test(test_cut),        cmocka_unit_test(test_no_file),  cmocka_unit_test(test_decimal_comma),
  };
  int file = mkstemp(path);
  if (file < 0)
    return 1;
  close(file);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
