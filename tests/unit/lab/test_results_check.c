/* What results_check says of whole databases, and what it finds first in others. */
#include "unit/base/check.h"
#include "unit/lab/results_folder.h"

#include "lab/results.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two arms; a tuning run, a play and one that failed. */
static void make(void)
{
  static const results_arm arms[] = {{1, "s", "linear", "l2-ball:dim=3", "A", "ofw", "", 0, {NULL, NULL}},
                                     {2, "s", "linear", NULL, "\xc3\xa9t\xc3\xa9", "ofw-tvc", "step=1", 1, {"a", "b"}}};
  static const results_head head = {"A title", "[experiment]\r\ntitle = A title\r\n", "0.1.0", "avx2", arms, 2};
  static const ofw_trace_row series[] = {
      {.round = 1, .loss_sum = 0.5, .comparator_loss_sum = 0.5, .oracle_calls = 1, .seconds = 0.1},
      {.round = 9, .loss_sum = -1.5, .comparator_loss_sum = 0.5, .oracle_calls = 9, .seconds = 0.2}};
  results *r;
  ofw_error err = {0};
  assert_int_equal(results_create(folder, &head, &r, &err), OFW_OK);
  for (int64_t k = 1; k <= 3; k++) {
    const results_cell c = {.cell = k,
                            .arm = 1 + (k == 2),
                            .tune = k == 2,
                            .factor = {1.0, 10.0},
                            .rounds = 9,
                            .seed = 7,
                            .config = k < 3 ? "learner=ofw\nstream=linear" : NULL,
                            .error = k == 3 ? "it failed" : NULL,
                            .exit_code = k == 3 ? 4 : 0};
    assert_int_equal(results_put(r, &c, series, k == 1 ? 2 : 0, "2026-01-01T00:00:00Z", "a machine", &err), OFW_OK);
  }
  results_close(r);
}

static void change(const char *statements)
{
  sqlite3 *db;
  char *why = NULL;
  assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
  if (sqlite3_exec(db, statements, NULL, NULL, &why) != SQLITE_OK)
    fail_msg("%s: %s", statements, why);
  sqlite3_close(db);
}

static void finds(const char *message)
{
  results_found found = {1, 1, 1, 1};
  ofw_error err = {0};
  assert_int_equal(results_check(file, &found, &err), OFW_BAD_DATA);
  assert_true(found.arms == 0 && found.plays == 0 && found.tunings == 0 && found.failed == 0);
  if (!strstr(err.message, message))
    fail_msg("'%s' is not in '%s'", message, err.message);
}

static void test_whole(void **state)
{
  (void)state;
  results_found found;
  ofw_error err = {0};
  finds("cannot read");
  make();
  if (results_check(folder, &found, &err) != OFW_OK)
    fail_msg("%s", err.message);
  assert_true(found.arms == 2 && found.plays == 2 && found.tunings == 1 && found.failed == 1);
  change("DELETE FROM series; DELETE FROM timing_series; DELETE FROM timing; DELETE FROM cell; DELETE FROM arm");
  assert_int_equal(results_check(file, &found, &err), OFW_OK);
  assert_true(found.arms == 0 && found.plays == 0 && found.tunings == 0 && found.failed == 0);
}

static void test_others(void **state)
{
  (void)state;
  static const struct {
    const char *statements, *message;
  } cases[] = {
      {"CREATE TABLE more (x)", "has the table 'more', which ofw did not make"},
      {"CREATE TRIGGER t AFTER INSERT ON cell BEGIN SELECT 1; END", "has the trigger 't', which ofw did not make"},
      {"DROP VIEW play; CREATE VIEW play AS SELECT * FROM cell",
       "has a view 'play' that differs from the one ofw makes"},
      {"DROP VIEW play", "has only 6 of the 7 tables of a results database"},
      {"DROP TABLE meta", "is not a results database of ofw, or an empty one"},
      {"UPDATE meta SET value = '3' WHERE key = 'format'", "has format 3, but this ofw reads formats 1 and 2"},
      {"UPDATE meta SET value = '1234567890123456789\xc3\xa9' WHERE key = 'format'",
       "has format 1234567890123456789?, but this ofw reads formats 1 and 2"},
      {"DELETE FROM meta WHERE key = 'format'", "does not say its format"},
      {"UPDATE arm SET label = 'a' || char(10)",
       "table arm, row 1, label contains a control character, or is not UTF-8"},
      {"UPDATE arm SET label = CAST(x'c328' AS TEXT) WHERE arm = 2",
       "table arm, row 2, label contains a control character, or is not UTF-8"},
      {"UPDATE cell SET passes = -1 WHERE cell = 2", "table cell, row 2, passes is out of range"},
      {"UPDATE cell SET seed = -1", "table cell, row 1, seed is out of range"},
      {"UPDATE cell SET rounds = 1000000000001", "table cell, row 1, rounds is out of range"},
      {"UPDATE cell SET rounds = 8", "cell 1 has a series that belongs to no play"},
      {"UPDATE cell SET role = 'tune'", "cell 1 has a series that belongs to no play"},
      {"UPDATE cell SET error = NULL", "cell 3 both failed and succeeded"},
      {"UPDATE cell SET factor1 = -9e999 WHERE cell = 3", "cell 3 has factors that are not finite"},
      {"UPDATE arm SET constant1 = NULL", "arm 2 is tuned, but its constants have no names"},
      {"PRAGMA foreign_keys = OFF; DELETE FROM arm WHERE arm = 2", "a row of cell names no existing arm"},
      {"PRAGMA ignore_check_constraints = ON; UPDATE cell SET role = 'x' WHERE cell = 2",
       "cell 2 has an unknown role or status"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    make();
    change(cases[i].statements);
    finds(cases[i].message);
    unlink(file);
  }
}

/* Cut anywhere, it is refused or, between two pages of a file whose last ones are free, whole. */
static void test_cut(void **state)
{
  (void)state;
  results_found found;
  make();
  FILE *in = fopen(file, "r");
  static char bytes[1 << 20];
  size_t size = fread(bytes, 1, sizeof bytes, in);
  fclose(in);
  assert_true(size > 0 && size < sizeof bytes);
  for (size_t cut = 0; cut < size; cut += 1 + cut / 7) {
    assert_int_equal(truncate(file, (off_t)cut), 0);
    assert_int_equal(results_check(file, &found, NULL), OFW_BAD_DATA);
    FILE *out = fopen(file, "w");
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(out);
  }
  assert_int_equal(results_check(file, &found, NULL), OFW_OK);
}

/* The arms' cells need not be next to each other. */
static void test_cells_of_an_arm(void **state)
{
  (void)state;
  results *r;
  results_cell *cell;
  size_t n;
  make();
  assert_int_equal(results_open(file, &r, NULL), OFW_OK);
  assert_int_equal(results_cells(r, 1, &cell, &n, NULL), OFW_OK);
  assert_true(n == 2 && cell[0].cell == 1 && cell[1].cell == 3);
  results_cells_free(cell, n);
  assert_int_equal(results_cells(r, 2, &cell, &n, NULL), OFW_OK);
  assert_true(n == 1 && cell[0].cell == 2);
  results_cells_free(cell, n);
  assert_int_equal(results_cells(r, 3, &cell, &n, NULL), OFW_OK);
  assert_int_equal(n, 0);
  results_cells_free(cell, n);
  results_close(r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_whole, begin, end),
      cmocka_unit_test_setup_teardown(test_others, begin, end),
      cmocka_unit_test_setup_teardown(test_cut, begin, end),
      cmocka_unit_test_setup_teardown(test_cells_of_an_arm, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
