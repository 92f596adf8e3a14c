#include "base/option_table.h"
#include "unit/base/check.h"

#include <stdlib.h>

typedef struct sample {
  double share, step, gamma;
  uint64_t count, zero, needed, many;
  int choice, open;
  char *text;
} sample;

#define AT(field) offsetof(sample, field)
static const ofw_option table[] = {
    OFW_REAL_ROW(AT(share), "share", "0.5", NULL, 0, 1, "a share"),
    OFW_POSITIVE_ROW(AT(step), "step", NULL, "1/T", "a step"),
    {"gamma", OFW_REAL, NULL, "1", "lambda|mu", 1e-300, 1e300, "a weight", AT(gamma)},
    OFW_COUNT_ROW(AT(count), "count", "3", NULL, 1, 1e12, "how many"),
    OFW_COUNT_ROW(AT(zero), "zero", NULL, NULL, 0, 9, "how few"),
    OFW_COUNT_ROW(AT(needed), "needed", NULL, NULL, 1, 10, "no default"),
    OFW_COUNT_OR_ROW(AT(many), "many", "7", "all|most", 1, 1e9, "a number or a word"),
    OFW_CHOICE_ROW(AT(choice), "choice", "b", NULL, "a|b|cc", "one of three"),
    OFW_CHOICE_ROW(AT(open), "open", NULL, "it depends", "yes|no", "worked out"),
    OFW_TEXT_ROW(AT(text), "text", "some words"),
    {0},
};

static sample values;
static ofw_options options = {table, &values, 0};
static ofw_error err;

static int fresh(void **state)
{
  (void)state;
  ofw_options_default(options);
  options.given = 0;
  err = (ofw_error){0};
  return 0;
}

static int done(void **state)
{
  (void)state;
  ofw_options_free(options);
  assert_null(values.text);
  return 0;
}

/* Each call is a new spec over the values that are there. */
static void sets(const char *pairs)
{
  options.given = 0;
  assert_int_equal(ofw_options_set_all(&options, 1, "part", pairs, &err), OFW_OK);
}

static void refuses(const char *pairs, const char *message)
{
  err = (ofw_error){0};
  options.given = 0;
  assert_int_equal(ofw_options_set_all(&options, 1, "part", pairs, &err), OFW_USAGE);
  assert_string_equal(err.message, message);
  assert_int_equal(err.status, OFW_USAGE);
}

static void test_defaults(void **state)
{
  (void)state;
  assert_bits(values.share, 0.5);
  assert_true(isnan(values.step) && isnan(values.gamma));
  assert_int_equal(values.count, 3);
  assert_int_equal(values.zero, 0);
  assert_int_equal(values.needed, 0);
  assert_int_equal(values.choice, 1);
  assert_int_equal(values.open, -1);
  assert_null(values.text);
}

static void test_real(void **state)
{
  (void)state;
  sets("share=0");
  assert_bits(values.share, 0.0);
  sets("share=1");
  assert_bits(values.share, 1.0);
  sets("share=1.25e-3");
  assert_bits(values.share, 1.25e-3);
  refuses("share=1.5", "part: share=1.5 is not in [0, 1]");
  refuses("share=-0.1", "part: share=-0.1 is not in [0, 1]");
  refuses("step=0", "part: step=0 is not in [1e-300, 1e+300]");
  refuses("share=half", "part: share=half is not a number");
  refuses("share=", "part: share= is not a number");
  refuses("share=nan", "part: share=nan is not a number");
  refuses("share=0x1", "part: share=0x1 is not a number");
  assert_bits(values.share, 1.25e-3);
}

static void test_real_words(void **state)
{
  (void)state;
  sets("gamma=lambda");
  assert_bits(values.gamma, -1.0);
  sets("gamma=mu");
  assert_bits(values.gamma, -2.0);
  sets("gamma=7");
  assert_bits(values.gamma, 7.0);
  refuses("gamma=-1", "part: gamma=-1 is not in [1e-300, 1e+300]");
  refuses("gamma=lamb", "part: gamma=lamb is not a number or lambda|mu");
  assert_bits(values.gamma, 7.0);
}

static void test_count(void **state)
{
  (void)state;
  sets("count=1e12");
  assert_int_equal(values.count, 1000000000000);
  sets("count=42,zero=0");
  assert_int_equal(values.count, 42);
  refuses("count=0", "part: count=0 is not in [1, 1e+12]");
  refuses("count=1e17", "part: count=1e17 is not in [1, 1e+12]");
  refuses("count=99999999999999999999", "part: count=99999999999999999999 is not in [1, 1e+12]");
  refuses("count=-3", "part: count=-3 is not a whole number >= 0");
  refuses("count=1.5", "part: count=1.5 is not a whole number >= 0");
  refuses("count=ten", "part: count=ten is not a whole number >= 0");
  refuses("count=", "part: count= is not a whole number >= 0");
  assert_int_equal(values.count, 42);
}

/* A word where a number may be, stored beyond all numbers that are allowed. */
static void test_count_or_word(void **state)
{
  (void)state;
  assert_int_equal(values.many, 7);
  sets("many=all");
  assert_true(values.many == UINT64_MAX);
  sets("many=most");
  assert_true(values.many == UINT64_MAX - 1);
  sets("many=1e9");
  assert_int_equal(values.many, 1000000000);
  refuses("many=al", "part: many=al is not a whole number >= 0 or all|most");
  refuses("many=18446744073709551615", "part: many=18446744073709551615 is not in [1, 1e+09]");
  assert_int_equal(values.many, 1000000000);
}

static void test_choice(void **state)
{
  (void)state;
  static const char *const words[] = {"choice=a", "choice=b", "choice=cc"};
  for (int i = 0; i < 3; i++) {
    sets(words[i]);
    assert_int_equal(values.choice, i);
  }
  refuses("choice=c", "part: choice=c is not one of a|b|cc");
  refuses("choice=ccc", "part: choice=ccc is not one of a|b|cc");
  refuses("choice=a|b", "part: choice=a|b is not one of a|b|cc");
  refuses("choice=", "part: choice= is not one of a|b|cc");
  assert_int_equal(values.choice, 2);
}

static void test_text_and_parentheses(void **state)
{
  (void)state;
  sets("text=once");
  sets("text=(shrunk:factor=0.5,of=(l1-ball:dim=3,radius=2)),count=7");
  assert_string_equal(values.text, "(shrunk:factor=0.5,of=(l1-ball:dim=3,radius=2))");
  assert_int_equal(values.count, 7);
  sets("text=a=b");
  assert_string_equal(values.text, "a=b");
  sets("text=,count=8");
  assert_string_equal(values.text, "");
  assert_int_equal(values.count, 8);
}

/* A trace and a log keep a text in one line; bytes that are not UTF-8 may be a file's name. */
static void test_text_of_one_line(void **state)
{
  (void)state;
  refuses("text=a\nb", "part: text=a?b contains a control character, such as a line break; remove it");
  for (char c = 1; c < ' '; c++) {
    char pairs[] = {'t', 'e', 'x', 't', '=', 'a', c, 0};
    assert_int_equal(ofw_options_set_all(&options, 1, "part", pairs, &err), c == '\t' ? OFW_OK : OFW_USAGE);
    options.given = 0;
  }
  refuses("text=\x7f", "part: text=? contains a control character, such as a line break; remove it");
  refuses("text=\xc2\x80", "part: text=\xc2\x80 contains a control character, such as a line break; remove it");
  refuses("text=\xc2\x9f", "part: text=\xc2\x9f contains a control character, such as a line break; remove it");
  sets("text=\xc2\xa0 \xc2 \xff\xfe caf\xe9");
  assert_string_equal(values.text, "\xc2\xa0 \xc2 \xff\xfe caf\xe9");
}

static void test_malformed(void **state)
{
  (void)state;
  sets("");
  refuses("count=9,", "part: expected key=value after the last comma, found nothing");
  refuses("count=9,,share=1", "part: expected key=value, found ''");
  refuses(",count=9", "part: expected key=value, found ''");
  refuses("count", "part: expected key=value, found 'count'");
  refuses("=4", "part: expected key=value, found '=4'");
  refuses("count=(9,share=1", "part: count=(9,share=1 is not a whole number >= 0");
  refuses("count=9,share=1,count=9", "part: count is given twice");
  refuses("0123456789012345678901234567890123456789012345678901234567890123456789=1",
          "part: no option '012345678901234567890123456789012345678901234567890123456789012...'");
}

static void test_did_you_mean(void **state)
{
  (void)state;
  refuses("coutn=4", "part: no option 'coutn'; did you mean 'count'?");
  refuses("shares=4", "part: no option 'shares'; did you mean 'share'?");
  refuses("elephant=4",
          "part: no option 'elephant'; its options: share, step, gamma, count, zero, needed, many, choice, open, text");
  static const ofw_option none[] = {{0}};
  ofw_options empty = {none, NULL, 0};
  assert_int_equal(ofw_options_set(&empty, 1, "part", "x=1", 3, &err), OFW_USAGE);
  assert_string_equal(err.message, "part: no option 'x'; its options: none");
}

static void test_several_tables(void **state)
{
  (void)state;
  static const ofw_option more[] = {OFW_COUNT_ROW(0, "extra", "1", NULL, 0, 9, "another"), {0}};
  uint64_t extra = 0;
  ofw_options both[] = {options, {more, &extra, 0}};
  assert_int_equal(ofw_options_set(both, 2, "part", "extra=6junk", 7, &err), OFW_OK);
  assert_int_equal(extra, 6);
  assert_int_equal(ofw_options_set(both, 2, "part", "count=6", 7, &err), OFW_OK);
  assert_int_equal(values.count, 6);
  assert_int_equal(ofw_options_set(both, 2, "part", "extar=6", 7, &err), OFW_USAGE);
  assert_string_equal(err.message, "part: no option 'extar'; did you mean 'extra'?");
}

static void test_required(void **state)
{
  (void)state;
  assert_int_equal(ofw_options_require(options, "part", &err), OFW_USAGE);
  assert_string_equal(err.message, "part: needed is required (no default)");
  sets("needed=4");
  assert_int_equal(ofw_options_require(options, "part", &err), OFW_USAGE);
  assert_string_equal(err.message, "part: text is required (some words)");
  sets("text=");
  assert_int_equal(ofw_options_require(options, "part", &err), OFW_OK);
}

/* What is printed, with commas for spaces, gives the same values when read. */
static void reads_back(const char *printed)
{
  ofw_text text = {0};
  ofw_options_print(options, &text);
  assert_false(text.failed);
  assert_string_equal(text.chars, printed);
  for (char *c = text.chars; *c; c++)
    *c = *c == ' ' ? ',' : *c;
  sample again, kept = values;
  ofw_options copy = {table, &again, 0};
  ofw_options_default(copy);
  assert_int_equal(ofw_options_set_all(&copy, 1, "part", text.chars + 1, &err), OFW_OK);
  assert_bits(again.share, kept.share);
  assert_bits(again.gamma, kept.gamma);
  assert_int_equal(again.count, kept.count);
  assert_true(again.many == kept.many);
  assert_int_equal(again.choice, kept.choice);
  assert_int_equal(again.open, kept.open);
  ofw_options_free(copy);
  free(text.chars);
}

static void test_print(void **state)
{
  (void)state;
  reads_back(" share=0.5 count=3 zero=0 many=7 choice=b");
  sets("share=0.1,gamma=0.75,count=1e12,needed=2,choice=cc,open=no,text=(a:b=c)");
  reads_back(" share=0.10000000000000001 gamma=0.75 count=1000000000000 zero=0 needed=2 many=7 choice=cc "
             "open=no text=(a:b=c)");
}

static void test_print_of_a_word(void **state)
{
  (void)state;
  sets("gamma=mu,many=most");
  reads_back(" share=0.5 gamma=mu count=3 zero=0 many=most choice=b");
}

/* What was worked out must be in the option's range as well. */
static void test_check(void **state)
{
  (void)state;
  assert_int_equal(ofw_options_check(options, "part", &err), OFW_OK);
  values.step = 1e300;
  assert_int_equal(ofw_options_check(options, "part", &err), OFW_OK);
  values.step = INFINITY;
  assert_int_equal(ofw_options_check(options, "part", &err), OFW_USAGE);
  assert_string_equal(err.message, "part: step is computed as inf, which is not in [1e-300, 1e+300]; set it yourself");
  values.step = 0.0;
  assert_int_equal(ofw_options_check(options, "part", NULL), OFW_USAGE);
}

#define OPTION_TEST(test) cmocka_unit_test_setup_teardown(test, fresh, done)

int main(void)
{
  const struct CMUnitTest tests[] = {
      OPTION_TEST(test_defaults),
      OPTION_TEST(test_real),
      OPTION_TEST(test_real_words),
      OPTION_TEST(test_count),
      OPTION_TEST(test_count_or_word),
      OPTION_TEST(test_choice),
      OPTION_TEST(test_text_and_parentheses),
      OPTION_TEST(test_text_of_one_line),
      OPTION_TEST(test_malformed),
      OPTION_TEST(test_did_you_mean),
      OPTION_TEST(test_several_tables),
      OPTION_TEST(test_required),
      OPTION_TEST(test_print),
      OPTION_TEST(test_print_of_a_word),
      OPTION_TEST(test_check),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
