/* test_directions.c — recorded directions: what is written is read, what is bad is refused, and recording changes nothing */
#include "bench/directions/directions.h"

#include "domain/set.h"
#include "unit/base/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATH "directions.test"
enum { ROWS = 3, COLS = 5, CELLS = ROWS * COLS };

static void fill(uint64_t *state, double *d)
{
  for (size_t i = 0; i < CELLS; i++)
    d[i] = any_real(state);
}

/* k directions in PATH, of rounds 7, 14, .. */
static void write_some(size_t k, double (*d)[CELLS])
{
  uint64_t state = 1;
  ofw_error err = {0};
  directions_file *f = directions_open(PATH, ROWS, COLS, &err);
  assert_non_null(f);
  for (size_t i = 0; i < k; i++) {
    fill(&state, d[i]);
    assert_int_equal(directions_put(f, 7 * (i + 1), d[i], &err), OFW_OK);
  }
  assert_int_equal(access(PATH, F_OK), -1); /* no half file has the name */
  assert_int_equal(directions_close(f, &err), k ? OFW_OK : OFW_END);
  assert_int_equal(access(PATH ".part", F_OK), -1);
}

static void what_is_written_is_read(void **state)
{
  (void)state;
  double d[4][CELLS];
  directions all;
  ofw_error err = {0};
  write_some(4, d);
  assert_int_equal(directions_read(PATH, &all, &err), OFW_OK);
  assert_int_equal(all.rows, ROWS);
  assert_int_equal(all.cols, COLS);
  assert_int_equal(all.count, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(all.round[i], 7 * (i + 1));
    assert_memory_equal(all.at[i], d[i], sizeof d[i]);
  }
  FILE *copy = tmpfile(), *file = fopen(PATH, "rb");
  assert_int_equal(directions_write(&all, copy, &err), OFW_OK);
  rewind(copy);
  for (int byte; (byte = getc(file)) != EOF;)
    assert_int_equal(getc(copy), byte);
  assert_int_equal(getc(copy), EOF);
  fclose(file);
  fclose(copy);
  directions_free(&all);
  remove(PATH);
  write_some(0, NULL);
  assert_int_equal(access(PATH, F_OK), -1); /* nothing was recorded: no file */
}

/* The bytes of a good file, changed, are refused with a word from the message. */
static void refuse(const unsigned char *bytes, size_t n, const char *word)
{
  directions all = {.count = 1};
  ofw_error err = {0};
  FILE *file = fopen(PATH, "wb");
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  fclose(file);
  assert_int_equal(directions_read(PATH, &all, &err), OFW_BAD_DATA);
  if (!strstr(err.message, word))
    fail_msg("no '%s' in '%s'", word, err.message);
  assert_int_equal(all.count, 0);
  remove(PATH);
}

static void bad_files_are_refused(void **state)
{
  (void)state;
  enum { HEAD = 32, ONE = 8 + 8 * CELLS, BYTES = HEAD + 2 * ONE };
  double d[2][CELLS];
  unsigned char good[BYTES], bad[BYTES];
  write_some(2, d);
  FILE *file = fopen(PATH, "rb");
  assert_int_equal(fread(good, 1, BYTES, file), BYTES);
  assert_int_equal(getc(file), EOF);
  fclose(file);
  remove(PATH);
  for (size_t n = 0; n < BYTES; n++)
    if (n != HEAD + ONE)
      refuse(good, n, n < 8 ? "does not begin with" : n < HEAD ? "first 32 bytes" : "ends within");
  const struct {
    size_t at;
    unsigned char byte;
    const char *word;
  } change[] = {{0, 'O', "does not begin with"},
                {8, 2, "version 2"},
                {16, 0, "0 x 5"},
                {31, 1, "a matrix of 3 x "},
                {HEAD + 8 + 7, 0x7f, "finite"},
                {20, 1, "a matrix of "},
                {26, 1, "ends within its first"}};
  for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
    memcpy(bad, good, BYTES);
    bad[change[i].at] = change[i].byte;
    if (change[i].byte == 0x7f)
      bad[change[i].at - 1] = 0xf0; /* infinity */
    refuse(bad, BYTES, change[i].word);
  }
  memset(good + HEAD + 8, 0, 8 * CELLS);
  refuse(good, BYTES, "direction 1 is 0");
  directions all;
  ofw_error err = {0};
  assert_int_equal(directions_read("no-such-file", &all, &err), OFW_BAD_DATA);
  assert_int_equal(directions_read(".", &all, &err), OFW_BAD_DATA);
  assert_null(directions_open("no-such-folder/file", ROWS, COLS, &err));
  assert_int_equal(err.status, OFW_FAILED);
}

static ofw_status count(void *ctx, const double *d, ofw_error *err)
{
  (void)err;
  assert_true(d[0] != 0.0);
  ++*(int *)ctx;
  return OFW_OK;
}

/* A learner over a recorded set plays as over the set itself. */
static void recording_changes_nothing(void **state)
{
  (void)state;
  int seen = 0;
  ofw_error err = {0};
  ofw_domain *K = ofw_domain_create("simplex:dim=4", &err), *R = recorded_domain(K, count, &seen, &err);
  uint64_t random = 3;
  for (int again = 0; again < 20; again++) {
    double d[4], v[4], w[4];
    for (size_t i = 0; i < 4; i++)
      d[i] = any_real(&random);
    assert_int_equal(ofw_domain_minimise(K, d, 1e-3, v, NULL, &err), OFW_OK);
    assert_int_equal(ofw_domain_minimise(R, d, 1e-3, w, NULL, &err), OFW_OK);
    assert_memory_equal(v, w, sizeof v);
    assert_true(ofw_domain_excess(K, d) == ofw_domain_excess(R, d));
  }
  assert_int_equal(seen, 20);
  double centre[4];
  ofw_domain_centre(R, centre);
  assert_true(centre[3] == 0.25);
  assert_string_equal(R->spec, "simplex:dim=4");
  ofw_domain_free(K); /* R keeps its own */
  ofw_domain_centre(R, centre);
  ofw_domain_free(R);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read),
      cmocka_unit_test(bad_files_are_refused),
      cmocka_unit_test(recording_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
