#include "unit/base/check.h"

#include "run/trace.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

static void test_due_every(void **state)
{
  (void)state;
  for (uint64_t every = 1; every <= 12; every++)
    for (uint64_t last = 1; last <= 40; last++)
      for (uint64_t round = 1; round <= last; round++) {
        int due = round == last;
        for (uint64_t k = every; k <= round; k += every)
          due |= k == round;
        assert_int_equal(ofw_trace_due(every, round, last) != 0, due);
      }
}

/* 1, 2, .. 9, 10, 20, .. 90, 100, .. and the last, listed by hand. */
static void test_due_log(void **state)
{
  (void)state;
  enum { LAST = 123456 };
  static char listed[LAST + 1];
  for (size_t decade = 1; decade <= LAST; decade *= 10)
    for (size_t k = 1; k <= 9 && k * decade <= LAST; k++)
      listed[k * decade] = 1;
  listed[LAST] = 1;
  for (uint64_t round = 1; round <= LAST; round++)
    assert_int_equal(ofw_trace_due(0, round, LAST) != 0, listed[round]);
  /* no overflow at the top */
  assert_false(ofw_trace_due(0, UINT64_MAX - 1, UINT64_MAX));
  assert_true(ofw_trace_due(0, UINT64_MAX, UINT64_MAX));
  assert_true(ofw_trace_due(0, 10000000000000000000u, UINT64_MAX));
  assert_false(ofw_trace_due(0, 10000000000000000001u, UINT64_MAX));
}

static const ofw_trace_row row = {.round = 12345678901234567890u,
                                  .loss = 0.1,
                                  .constraint = -0.5,
                                  .loss_sum = 1234567.25,
                                  .ccv = 1e300,
                                  .comparator_loss_sum = -3,
                                  .target_loss_sum = 0x1p-1074,
                                  .price = DBL_MAX,
                                  .sigma = 1,
                                  .gap = 2.5e-8,
                                  .oracle_calls = 42,
                                  .passes = 0,
                                  .oracle_error = 0,
                                  .seconds = 1.5};

/* What was written to the file. */
static char *text;
static size_t length;

static FILE *begin(void)
{
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  return out;
}

static void wrote(FILE *out, const char *want)
{
  fclose(out);
  assert_string_equal(text, want);
  free(text);
}

static const char columns[] = "round,loss,constraint,loss_sum,ccv,comparator_loss_sum,target_loss_sum,price,sigma,gap,"
                              "oracle_calls,passes,oracle_error,seconds\n";
static const char full_row[] = "12345678901234567890,0.10000000000000001,-0.5,1234567.25,1.0000000000000001e+300,-3,"
                               "4.9406564584124654e-324,1.7976931348623157e+308,1,2.4999999999999999e-08,42,0,0,1.5\n";

static void test_header(void **state)
{
  (void)state;
  static const char *const header[] = {"learner=ofw-tvc", "seed=7"};
  char want[400];
  FILE *out = begin();
  assert_int_equal(ofw_trace_begin(out, 2, header), OFW_OK);
  snprintf(want, sizeof want, "# learner=ofw-tvc\n# seed=7\n%s", columns);
  wrote(out, want);
  out = begin();
  assert_int_equal(ofw_trace_begin(out, 0, NULL), OFW_OK);
  wrote(out, columns);
}

static void writes_the_row(void)
{
  FILE *out = begin();
  assert_int_equal(ofw_trace_write(out, &row), OFW_OK);
  wrote(out, full_row);
}

static size_t commas(const char *line)
{
  size_t n = 0;
  for (; *line; line++)
    n += *line == ',';
  return n;
}

/* Neither more lines nor formulas, whatever is in a comment. */
static void test_comments(void **state)
{
  (void)state;
  static const char *const header[] = {"a=b\nround,1\r\x1b\x7f", "list=(1,-2,-.5,+3,=4,@5,-x,\t=6,,'7,'=8)"};
  FILE *out = begin();
  assert_int_equal(ofw_trace_begin(out, 2, header), OFW_OK);
  fclose(out);
  const char *expected = "# a=b?round,1???\n# list=(1,-2,-.5,'+3,'=4,'@5,'-x,'\t=6,,''7,''=8)\nround,";
  assert_memory_equal(text, expected, strlen(expected));
  free(text);
}

static void test_row(void **state)
{
  (void)state;
  writes_the_row();
  assert_int_equal(commas(full_row), commas(columns));
}

static void test_empty_cells(void **state)
{
  (void)state;
  ofw_trace_row unknown = {.round = 3,
                           .constraint = (double)NAN,
                           .comparator_loss_sum = (double)NAN,
                           .target_loss_sum = -(double)NAN,
                           .gap = (double)NAN};
  FILE *out = begin();
  assert_int_equal(ofw_trace_write(out, &unknown), OFW_OK);
  wrote(out, "3,0,,0,0,,,0,0,,0,0,0,0\n");
}

/* Every cell reads back to the bits that went in. */
static void test_reads_back(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int k = 0; k < 2000; k++) {
    double in[11];
    for (size_t i = 0; i < 11; i++) {
      uint64_t bits = any_word(&seed);
      memcpy(&in[i], &bits, sizeof bits);
      in[i] = isfinite(in[i]) ? in[i] : 0.0;
    }
    ofw_trace_row r = {any_word(&seed), in[0], in[1], in[2],           in[3],           in[4], in[5],
                       in[6],           in[7], in[8], any_word(&seed), any_word(&seed), in[9], in[10]};
    FILE *out = begin();
    assert_int_equal(ofw_trace_write(out, &r), OFW_OK);
    fclose(out);
    char *at = text;
    assert_true(strtoull(at, &at, 10) == r.round);
    for (size_t i = 0; i < 11; i++) {
      if (i == 9) {
        assert_true(strtoull(at + 1, &at, 10) == r.oracle_calls);
        assert_true(strtoull(at + 1, &at, 10) == r.passes);
      }
      assert_int_equal(*at, ',');
      assert_bits(strtod(at + 1, &at), in[i]);
    }
    assert_string_equal(at, "\n");
    free(text);
  }
}

static void test_decimal_comma(void **state)
{
  (void)state;
  locale_t comma = comma_locale();
  if (!comma)
    skip();
  locale_t before = uselocale(comma);
  writes_the_row();
  uselocale(before);
  freelocale(comma);
}

static void test_full_disk(void **state)
{
  (void)state;
  FILE *out = fopen("/dev/full", "w");
  if (!out)
    skip();
  setvbuf(out, NULL, _IONBF, 0);
  assert_int_equal(ofw_trace_begin(out, 0, NULL), OFW_FAILED);
  clearerr(out);
  assert_int_equal(ofw_trace_write(out, &row), OFW_FAILED);
  fclose(out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_due_every),  cmocka_unit_test(test_due_log),       cmocka_unit_test(test_header),
      cmocka_unit_test(test_comments),   cmocka_unit_test(test_row),           cmocka_unit_test(test_empty_cells),
      cmocka_unit_test(test_reads_back), cmocka_unit_test(test_decimal_comma), cmocka_unit_test(test_full_disk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
