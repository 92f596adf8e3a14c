#include "apps/pace/pace_budgets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ONE, TWO };

static pace_table new_table(void)
{
  return (pace_table){.columns = 2, .name = {"one", "two"}, .needed = 1u << ONE};
}

/* Reads a line, of which a copy is kept until the next one. */
static ofw_status take(pace_table *t, const char *line, ofw_error *err)
{
  static char kept[4096];
  *err = (ofw_error){0};
  snprintf(kept, sizeof kept, "%s", line);
  t->number++;
  return pace_table_line(t, kept, strlen(kept), err);
}

static void has(const pace_table *t, const char *one, const char *two)
{
  const char *wanted[] = {one, two};
  for (size_t i = 0; i < 2; i++)
    if (wanted[i]) {
      assert_non_null(t->cell[i]);
      assert_string_equal(t->cell[i], wanted[i]);
    } else
      assert_null(t->cell[i]);
}

static void cells_of_csv(void **state)
{
  (void)state;
  ofw_error err;
  pace_table t = new_table();
  assert_int_equal(take(&t, "", &err), OFW_END);
  assert_int_equal(take(&t, "\xef\xbb\xbftwo,\"other \"\"one\"\"\",one\r", &err), OFW_END);
  assert_int_equal(take(&t, "b,x,a", &err), OFW_OK);
  has(&t, "a", "b");
  assert_int_equal(take(&t, "\"a,\"\"b\"\"\",,\"\"", &err), OFW_OK);
  has(&t, NULL, "a,\"b\"");
  assert_int_equal(take(&t, "  ", &err), OFW_END);
  assert_int_equal(take(&t, "a,b", &err), OFW_BAD_DATA);
  assert_string_equal(err.message, "line 6: fewer cells than the header, which has 3");
  assert_int_equal(take(&t, "a,b,c,", &err), OFW_BAD_DATA);
  assert_int_equal(take(&t, "a,\"b,c", &err), OFW_BAD_DATA);
  assert_string_equal(err.message, "line 8, byte 3: expected a closing quote");
}

static void cells_of_json(void **state)
{
  (void)state;
  ofw_error err;
  pace_table t = new_table();
  assert_int_equal(take(&t, " { \"two\" : -1.5e3 , \"one\" : \"a\\u0041\\n\\\\\" } ", &err), OFW_OK);
  has(&t, "aA\n\\", "-1.5e3");
  assert_int_equal(take(&t, "{\"x\":{\"one\":[1,\"]\",{}]},\"one\":true}", &err), OFW_OK);
  has(&t, "true", NULL);
  assert_int_equal(take(&t, "{\"one\":null,\"two\":\"\"}", &err), OFW_OK);
  has(&t, NULL, NULL);
  assert_int_equal(take(&t, "{\"one\":\"\\ud83d\\ude00\",\"two\":[1]}", &err), OFW_OK);
  has(&t, "\xf0\x9f\x98\x80", NULL);
  assert_int_equal(take(&t, "{}", &err), OFW_OK);
  has(&t, NULL, NULL);
  static const char *const bad[] = {
      "{",          "[1]",          "{\"one\"}",     "{\"one\":}",        "{\"one\":1,}",
      "{\"one\":1", "{\"one\":1}}", "{\"one\":1 2}", "{\"one\":\"\\x\"}", "{\"one\":\"a}",
      "{one:1}",    "{\"x\":[1}}",  "{\"x\":{1]}",   "{\"x\":]}",         "{\"one\":1,\"one\":2}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(take(&t, bad[i], &err), OFW_BAD_DATA);
    assert_non_null(strstr(err.message, "line "));
  }
}

static void a_zero_byte(void **state)
{
  (void)state;
  ofw_error err = {0};
  pace_table t = new_table();
  char line[] = "{\"one\":1}\0";
  assert_int_equal(pace_table_line(&t, line, sizeof line - 1, &err), OFW_BAD_DATA);
}

static void a_compressed_file(void **state)
{
  (void)state;
  ofw_error err = {0};
  pace_table t = new_table();
  char line[] = "\x1f\x8b\x08\0";
  assert_int_equal(pace_table_line(&t, line, sizeof line - 1, &err), OFW_BAD_DATA);
  assert_non_null(strstr(err.message, "byte 1: expected text, found a file compressed by gzip; unpack it first"));
}

static void times(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    double seconds; /* NaN: refused */
  } row[] = {{"0", 0.0},
             {"-1.25e3", -1250.0},
             {"1970-01-01T00:00:00", 0.0},
             {"1969-12-31T23:59:59Z", -1.0},
             {"2000-03-01 00:00", 951868800.0},
             {"2024-02-29T12:30:15.25+01:30", 1709204415.25},
             {"2024-02-29T12:30:15-0130", 1709215215.0},
             {"2100-02-28T00:00:00Z", 4107456000.0},
             {"2100-02-29T00:00:00Z", NAN},
             {"2024-13-01T00:00:00", NAN},
             {"2024-1-01T00:00:00", NAN},
             {"2024-01-01", NAN},
             {"2024-01-01T24:00:00", NAN},
             {"2024-01-01T00:00:00+1", NAN},
             {"2024-01-01T00:00:00Zulu", NAN},
             {"1e13", NAN},
             {"inf", NAN},
             {"noon", NAN}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    ofw_error err = {0};
    pace_table t = new_table();
    char text[64];
    double found;
    snprintf(text, sizeof text, "%s", row[i].text);
    t.cell[ONE] = text;
    ofw_status st = pace_table_time(&t, ONE, &found, &err);
    assert_int_equal(st, isnan(row[i].seconds) ? OFW_BAD_DATA : OFW_OK);
    if (st == OFW_OK)
      assert_true(fabs(found - row[i].seconds) < 1e-6);
  }
}

static void refuse_budget(const char *file, const char *message)
{
  pace_budgets b = {0};
  pace_table t = pace_budgets_table("b.csv");
  ofw_error err = {0};
  ofw_status st = OFW_OK;
  char kept[400], *rest = kept, *line;
  snprintf(kept, sizeof kept, "%s", file);
  while ((st == OFW_OK || st == OFW_END) && (line = strsep(&rest, "\n"))) {
    t.number++;
    st = pace_budgets_line(&b, &t, line, strlen(line), &err);
  }
  assert_int_equal(st, OFW_BAD_DATA);
  assert_non_null(strstr(err.message, message));
  pace_budgets_free(&b);
}

static void budgets(void **state)
{
  (void)state;
  pace_budgets b = {0};
  ofw_error err = {0};
  assert_int_equal(pace_budgets_add(&b, "z=9", &err), OFW_OK);
  assert_int_equal(pace_budgets_add(&b, "a=b=1.5", &err), OFW_OK);
  char lines[][40] = {"budget,day,campaign", "5,2,m", "4,1,m", "6,1970-01-04,m", "1,7,z"};
  pace_table t = pace_budgets_table(NULL);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(pace_budgets_line(&b, &t, lines[i], strlen(lines[i]), &err), i ? OFW_OK : OFW_END);
  assert_int_equal(b.campaigns, 3);
  assert_int_equal(pace_budgets_find(&b, "z"), 0);
  assert_int_equal(pace_budgets_find(&b, "a=b"), 1);
  assert_int_equal(pace_budgets_find(&b, "m"), 2);
  assert_int_equal(pace_budgets_find(&b, "n"), 3);
  const pace_campaign *m = &b.campaign[2];
  assert_true(pace_budgets_on(m, 1) == 4.0 && pace_budgets_on(m, 2) == 5.0 && pace_budgets_on(m, 3) == 6.0);
  assert_true(isnan(pace_budgets_on(m, 0)) && isnan(pace_budgets_on(m, 4)));
  assert_true(pace_budgets_on(&b.campaign[0], 7) == 1.0 && pace_budgets_on(&b.campaign[0], 8) == 9.0);
  assert_int_equal(pace_budgets_add(&b, "z=1", &err), OFW_USAGE);
  assert_int_equal(pace_budgets_add(&b, "q=nan", &err), OFW_USAGE);
  assert_int_equal(pace_budgets_add(&b, "none", &err), OFW_USAGE);
  pace_budgets_free(&b);
  refuse_budget("campaign,budget\na,1\na,2", "b.csv: line 3, column \"campaign\": expected one budget");
  refuse_budget("campaign,budget,day\na,1,3\na,2,1970-01-04", "line 3, column \"day\": expected one budget");
  refuse_budget("campaign,budget\na,1e19", "column \"budget\": expected a number from 0 to 1e+18, found \"1e19\"");
  refuse_budget("campaign,budget\na\x01,1", "column \"campaign\": expected a text");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_of_csv),      cmocka_unit_test(cells_of_json), cmocka_unit_test(a_zero_byte),
      cmocka_unit_test(a_compressed_file), cmocka_unit_test(times),         cmocka_unit_test(budgets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
