/* What is put into a results database comes back to the bits, whole cells at a time; what is not ours is refused. */
#include "unit/base/check.h"
#include "unit/lab/results_folder.h"

#include "lab/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const results_arm arms[] = {
    {1, "uniform", "linear", "l2-ball:dim=3", "OFW", "ofw", "", 0, {NULL, NULL}},
    {2,
     "own",
     "matrix-completion:batch=5",
     NULL,
     "it's \"tuned\"",
     "ofw-tvc",
     "sigma=line-search step=0.1",
     1,
     {"step", "gamma-scale"}},
};
static const results_head head = {"A title", "[experiment]\ntitle = 'A title'\n", "0.1.0", "avx2", arms, 2};

static results *created(const results_head *h)
{
  results *r;
  ofw_error err = {0};
  if (results_create(folder, h, &r, &err) != OFW_OK)
    fail_msg("%s", err.message);
  return r;
}

static results_cell made(int64_t cell, uint64_t seed)
{
  results_cell c = {.cell = cell, .arm = 1 + cell % 2, .tune = cell == 2, .factor = {1e-5, 1.0}};
  c.rounds = 400;
  c.seed = (uint64_t)1 << 62;
  c.config = "learner=ofw-tvc horizon=400\nstream=linear";
  c.loss = any_real(&seed) * 1e-300;
  c.regret = (double)NAN;
  c.ccv = INFINITY;
  c.soft_violation = -0.0;
  c.held_out_rmse = any_real(&seed);
  c.G = any_real(&seed);
  c.D = 2.0;
  c.oracle_calls = any_word(&seed) >> 1; /* SQLite has 63 bits for it */
  c.passes = any_word(&seed) >> 1;
  c.interval_regret = any_real(&seed);
  c.dynamic_regret = (double)NAN;
  c.interval_first = any_word(&seed) >> 1;
  c.interval_last = any_word(&seed) >> 1;
  c.seconds = any_real(&seed);
  return c;
}

static results_cell failed(int64_t cell)
{
  results_cell c = {.cell = cell, .arm = 2, .factor = {1.0, 1.0}, .rounds = 400, .seed = 7};
  c.error = "round 3: it's not finite";
  c.exit_code = 4;
  c.loss = c.regret = c.ccv = c.soft_violation = c.held_out_rmse = c.G = c.D = c.seconds = (double)NAN;
  c.interval_regret = c.dynamic_regret = (double)NAN;
  return c;
}

static void put(results *r, const results_cell *c, const ofw_trace_row *p, size_t n)
{
  ofw_error err = {0};
  if (results_put(r, c, p, n, "2026-01-01T00:00:00Z", "a machine", &err) != OFW_OK)
    fail_msg("%s", err.message);
}

static void same_double(double a, double b)
{
  if (isnan(a) || isnan(b))
    assert_true(isnan(a) && isnan(b));
  else
    assert_bits(a, b);
}

static void same_text(const char *a, const char *b)
{
  assert_true(!a == !b);
  if (a)
    assert_string_equal(a, b);
}

static void same_cell(const results_cell *a, const results_cell *b)
{
  const double left[] = {a->factor[0],     a->factor[1], a->loss, a->regret, a->ccv,
                         a->held_out_rmse, a->G,         a->D,    a->seconds};
  const double right[] = {b->factor[0],     b->factor[1], b->loss, b->regret, b->ccv,
                          b->held_out_rmse, b->G,         b->D,    b->seconds};
  for (size_t i = 0; i < sizeof left / sizeof *left; i++)
    same_double(left[i], right[i]);
  assert_true(a->soft_violation == b->soft_violation || (isnan(a->soft_violation) && isnan(b->soft_violation)));
  assert_true(a->cell == b->cell && a->arm == b->arm && a->tune == b->tune && a->exit_code == b->exit_code);
  assert_true(a->rounds == b->rounds && a->seed == b->seed && a->oracle_calls == b->oracle_calls);
  assert_true(a->passes == b->passes && a->projections == b->projections);
  same_double(a->interval_regret, b->interval_regret);
  same_double(a->dynamic_regret, b->dynamic_regret);
  assert_true(a->interval_first == b->interval_first && a->interval_last == b->interval_last);
  same_text(a->config, b->config);
  same_text(a->error, b->error);
}

static const ofw_trace_row series[] = {
    {.round = 1, .loss_sum = 0.1, .comparator_loss_sum = (double)NAN, .oracle_calls = 1, .seconds = 1e-9},
    {.round = 400,
     .loss_sum = -1e300,
     .ccv = 0.2,
     .comparator_loss_sum = 0.3,
     .oracle_calls = 800,
     .passes = 9,
     .seconds = 0.5}};

/* In another order than they are named, with a pause, and one of them twice. */
static void write_cells(const results_cell want[4])
{
  ofw_error err = {0};
  results *r = created(&head);
  assert_int_equal(results_begin(r, &err), OFW_OK);
  put(r, &want[3], series, 2);
  put(r, &want[2], NULL, 0);
  put(r, &want[0], series, 1);
  results_close(r);
  r = created(&head);
  assert_int_equal(results_begin(r, &err), OFW_OK);
  put(r, &want[1], NULL, 0);
  put(r, &want[0], series + 1, 1);
  assert_int_equal(results_finish(r, &err), OFW_OK);
  results_close(r);
}

static void holds_arms(results *r)
{
  results_arm *arm;
  size_t n;
  ofw_error err = {0};
  assert_int_equal(results_arms(r, &arm, &n, &err), OFW_OK);
  assert_int_equal(n, 2);
  for (size_t i = 0; i < n; i++) {
    assert_true(arm[i].arm == arms[i].arm && arm[i].tuned == arms[i].tuned);
    same_text(arm[i].stream, arms[i].stream);
    same_text(arm[i].stream_spec, arms[i].stream_spec);
    same_text(arm[i].domain, arms[i].domain);
    same_text(arm[i].label, arms[i].label);
    same_text(arm[i].learner, arms[i].learner);
    same_text(arm[i].options, arms[i].options);
    same_text(arm[i].constant[0], arms[i].constant[0]);
    same_text(arm[i].constant[1], arms[i].constant[1]);
  }
  results_arms_free(arm, n);
}

static void holds_series(results *r, int64_t cell, const ofw_trace_row *want, size_t wanted)
{
  ofw_trace_row *point;
  size_t n;
  ofw_error err = {0};
  assert_int_equal(results_series(r, cell, &point, &n, &err), OFW_OK);
  assert_int_equal(n, wanted);
  for (size_t i = 0; i < n; i++) {
    assert_true(point[i].round == want[i].round && point[i].oracle_calls == want[i].oracle_calls);
    assert_true(point[i].passes == want[i].passes);
    same_double(point[i].loss_sum, want[i].loss_sum);
    same_double(point[i].ccv, want[i].ccv);
    same_double(point[i].comparator_loss_sum, want[i].comparator_loss_sum);
    same_double(point[i].seconds, want[i].seconds);
  }
  free(point);
}

static void test_comes_back(void **state)
{
  (void)state;
  ofw_error err = {0};
  const results_cell want[] = {made(1, 1), made(2, 2), failed(3), made(40, 4)};
  results *r;
  results_cell *cell;
  size_t n;
  char *text;
  write_cells(want);
  assert_int_equal(results_open(file, &r, &err), OFW_OK);
  assert_string_equal(results_path(r), file);
  holds_arms(r);
  assert_int_equal(results_cells(r, 0, &cell, &n, &err), OFW_OK);
  assert_int_equal(n, 4);
  for (size_t i = 0; i < n; i++)
    same_cell(&cell[i], &want[i]);
  results_cells_free(cell, n);
  assert_int_equal(results_cells(r, 2, &cell, &n, &err), OFW_OK);
  assert_true(n == 2 && cell[0].cell == 1 && cell[1].cell == 3);
  results_cells_free(cell, n);
  holds_series(r, 40, series, 2);
  holds_series(r, 1, series + 1, 1);
  holds_series(r, 2, NULL, 0);
  assert_int_equal(results_meta(r, "experiment", &text, &err), OFW_OK);
  assert_string_equal(text, head.experiment);
  free(text);
  assert_int_equal(results_meta(r, "nothing", &text, &err), OFW_BAD_DATA);
  results_close(r);
}

static void refused(const results_head *h, const char *message)
{
  results *r;
  ofw_error err = {0};
  assert_int_equal(results_create(folder, h, &r, &err), OFW_USAGE);
  assert_null(r);
  if (!strstr(err.message, message))
    fail_msg("'%s' is not in '%s'", message, err.message);
}

static void test_refuses_others(void **state)
{
  (void)state;
  results_head other = head;
  results *r = created(&head);
  refused(&head, " is in use by another ofw");
  results_close(r);
  other.version = "0.2.0";
  refused(&other, "/results.db was written with version 0.1.0, but this is 0.2.0; choose another folder");
  other = head;
  other.kernel = "portable";
  refused(&other, "/results.db was written with kernel avx2, but this is portable; choose another folder");
}

/* Cells change places, one goes, all at once; the text, the title and the arms are the new ones. */
static void test_another_experiment(void **state)
{
  (void)state;
  static const results_place to[] = {{3, 2}, {0, 0}, {1, 1}, {4, 2}, {0, 0}};
  results_arm renamed[] = {arms[1], arms[0], arms[0]};
  const results_head other = {"Another", "[experiment]\n", head.version, head.kernel, renamed, 3};
  results_cell want[] = {made(1, 1), made(2, 2), failed(3), made(4, 4)}, *cell;
  ofw_error err = {0};
  size_t n;
  for (size_t i = 0; i < 3; i++)
    renamed[i].arm = (int64_t)i + 1;
  results *r = created(&head);
  for (size_t i = 0; i < 4; i++)
    put(r, &want[i], series, i == 0 || i == 3 ? 2 : 0);
  assert_int_equal(results_renew(r, &other, to, 5, &err), OFW_OK);
  assert_int_equal(results_finish(r, &err), OFW_OK);
  results_close(r);
  assert_int_equal(results_open(file, &r, &err), OFW_OK); /* which checks all of it */
  char *title;
  assert_int_equal(results_meta(r, "title", &title, &err), OFW_OK);
  assert_string_equal(title, "Another");
  free(title);
  assert_int_equal(results_cells(r, 0, &cell, &n, &err), OFW_OK);
  assert_int_equal(n, 3);
  want[2].cell = 1, want[2].arm = 1;
  want[0].cell = 3, want[0].arm = 2;
  want[3].arm = 2;
  same_cell(&cell[0], &want[2]);
  same_cell(&cell[1], &want[0]);
  same_cell(&cell[2], &want[3]);
  results_cells_free(cell, n);
  holds_series(r, 1, NULL, 0);
  holds_series(r, 3, series, 2);
  holds_series(r, 4, series, 2);
  results_arm *arm;
  assert_int_equal(results_arms(r, &arm, &n, &err), OFW_OK);
  assert_int_equal(n, 3);
  same_text(arm[0].label, arms[1].label);
  results_arms_free(arm, n);
  results_close(r);
}

static void test_refuses_what_is_no_database(void **state)
{
  (void)state;
  static const char *const content[] = {"", "cells\n", "SQLite format 3"};
  results *r;
  ofw_error err = {0};
  assert_int_equal(results_open(file, &r, &err), OFW_BAD_DATA);
  assert_null(r);
  for (size_t i = 0; i < 3; i++) {
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    for (int k = 0; k < 100 && content[i][0]; k++)
      fputs(content[i], out);
    fclose(out);
    assert_int_equal(results_open(file, &r, &err), OFW_BAD_DATA);
    assert_null(r);
    assert_non_null(strstr(err.message, "is not a results database of ofw"));
  }
}

/* "name|name\nvalue|value\n" */
static void add_row(void *ctx, const results_value *value, size_t n)
{
  char *text = ctx;
  for (size_t i = 0; i < n; i++) {
    size_t at = strlen(text);
    const char *begin = i ? "|" : "";
    if (value[i].kind == RESULTS_TEXT)
      snprintf(text + at, 2000 - at, "%s%s", begin, value[i].text);
    else if (value[i].kind == RESULTS_REAL)
      snprintf(text + at, 2000 - at, "%s%g", begin, value[i].real);
    else if (value[i].kind == RESULTS_COUNT)
      snprintf(text + at, 2000 - at, "%s%lld", begin, (long long)value[i].count);
    else
      snprintf(text + at, 2000 - at, "%snull", begin);
  }
  strcat(text, "\n");
}

static void test_walks_tables(void **state)
{
  (void)state;
  char text[2048] = "";
  ofw_error err = {0};
  results *r = created(&head);
  const results_cell tune = made(2, 1), lost = failed(3);
  put(r, &lost, NULL, 0);
  put(r, &tune, NULL, 0);
  assert_int_equal(results_table(r, "play", add_row, text, &err), OFW_OK);
  assert_string_equal(text, "cell|stream|label|learner|options|tuned|factor1|factor2|rounds|seed|status|error|loss|"
                            "regret|ccv|soft_violation|held_out_rmse|oracle_calls|passes|projections\n"
                            "3|own|it's \"tuned\"|ofw-tvc|sigma=line-search step=0.1|1|1|1|400|7|failed|"
                            "round 3: it's not finite|null|null|null|null|null|null|null|null\n");
  text[0] = 0;
  assert_int_equal(results_table(r, "timing", add_row, text, &err), OFW_OK);
  assert_non_null(strstr(text, "\n3|a machine|2026-01-01T00:00:00Z|null\n"));
  assert_int_equal(results_table(r, "plays\"; DROP TABLE cell", add_row, text, &err), OFW_USAGE);
  assert_non_null(strstr(err.message, "it has meta, arm, cell, series, timing, timing_series, play"));
  results_close(r);
}

static void test_metrics_by_name(void **state)
{
  (void)state;
  results_cell c = {.ccv = 0.5, .passes = 7};
  assert_bits(results_metric_of(&c, results_metric_find("ccv")), 0.5);
  assert_bits(results_metric_of(&c, results_metric_find("passes")), 7.0);
  assert_null(results_metric_find("seed"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_comes_back, begin, end),
      cmocka_unit_test_setup_teardown(test_refuses_others, begin, end),
      cmocka_unit_test_setup_teardown(test_another_experiment, begin, end),
      cmocka_unit_test_setup_teardown(test_refuses_what_is_no_database, begin, end),
      cmocka_unit_test_setup_teardown(test_walks_tables, begin, end),
      cmocka_unit_test(test_metrics_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
