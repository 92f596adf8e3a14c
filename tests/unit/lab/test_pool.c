/* Cells played by several threads come to what one comes to; what is known is not played again; a stop keeps what is
 * done. Also run under ThreadSanitizer. */
#include "unit/lab/lab_folder.h"

#include "lab/pool.h"

enum { CELLS = 160 }; /* so many that the journal grows meanwhile */

static const lab_setup setups[] = {
    {.learner = "ofw-tvc", .stream = "linear", .domain = "l2-ball:dim=4"},
    {.learner = "scofw-tvc", .stream = "quadratic", .domain = "l1-ball:dim=4"},
    {.learner = "bfw-tvc", .stream = "quadratic", .domain = "simplex:dim=4"},
    {.learner = "scofw-tvc", .stream = "linear", .domain = "l2-ball:dim=4"}, /* which is refused */
};

typedef struct batch {
  lab_cell cell[CELLS];
  lab_cell *list[CELLS];
  size_t fresh, known, without; /* without a result */
  size_t stop_at;               /* 0: never */
  atomic_int stop;
} batch;

static void make(batch *b)
{
  *b = (batch){0};
  for (size_t i = 0; i < CELLS; i++) {
    b->cell[i] = (lab_cell){.of = &setups[i % 4], .factor = {1, i % 3 ? 1 : 10}, .rounds = 40, .seed = i};
    b->list[i] = &b->cell[i];
  }
}

/* No cmocka in here: its failures are not for threads. */
static void done(void *ctx, const lab_cell *c, int known)
{
  batch *b = ctx;
  b->without += !c->result;
  b->fresh += !known;
  b->known += (size_t)known;
  if (b->stop_at && b->fresh == b->stop_at)
    b->stop = 1;
}

static ofw_status play(batch *b, lab_journal *j, size_t jobs)
{
  ofw_error err = {0};
  lab_pool pool = {.journal = j, .jobs = jobs, .stop = &b->stop, .done = done, .ctx = b};
  ofw_status st = lab_pool_play(&pool, b->list, CELLS, &err);
  assert_int_equal(st, err.status);
  assert_int_equal(b->without, 0);
  return st;
}

static void same_results(const batch *a, const batch *b)
{
  for (size_t i = 0; i < CELLS; i++) {
    const lab_result *x = a->cell[i].result, *y = b->cell[i].result;
    assert_int_equal(x->status, i % 4 == 3 ? OFW_USAGE : OFW_OK);
    assert_int_equal(x->status, y->status);
    assert_bits(x->metrics.loss, y->metrics.loss);
    assert_bits(x->metrics.ccv, y->metrics.ccv);
    assert_bits(x->metrics.regret, y->metrics.regret);
  }
}

static void test_threads(void **state)
{
  (void)state;
  static batch one, many;
  lab_journal *j, *k;
  assert_int_equal(lab_journal_open(NULL, head, &j, NULL), OFW_OK);
  make(&one);
  assert_int_equal(play(&one, j, 1), OFW_OK);
  assert_int_equal(one.fresh, CELLS);
  for (size_t jobs = 2; jobs <= 128; jobs *= 4) {
    assert_int_equal(lab_journal_open(NULL, head, &k, NULL), OFW_OK);
    make(&many);
    assert_int_equal(play(&many, k, jobs), OFW_OK);
    same_results(&one, &many);
    lab_journal_close(k);
  }
  lab_journal_close(j);
}

static void test_goes_on(void **state)
{
  (void)state;
  static batch whole, part;
  lab_journal *j;
  assert_int_equal(lab_journal_open(NULL, head, &j, NULL), OFW_OK);
  make(&whole);
  assert_int_equal(play(&whole, j, 2), OFW_OK);
  size_t before = 0;
  for (size_t stop_at = 7; before < CELLS; stop_at = 43) {
    lab_journal *k = opened();
    make(&part);
    part.stop_at = stop_at;
    ofw_status st = play(&part, k, 3);
    assert_int_equal(part.known, before);
    assert_true(st == OFW_END ? part.fresh >= stop_at && part.fresh <= stop_at + 2 : part.known + part.fresh == CELLS);
    before += part.fresh;
    lab_journal_close(k);
  }
  lab_journal *k = opened();
  make(&part);
  assert_int_equal(play(&part, k, 2), OFW_OK);
  assert_int_equal(part.known, CELLS);
  same_results(&whole, &part);
  lab_journal_close(k);
  lab_journal_close(j);
}

/* What the system refused may work today; what was refused by the learner will be again. */
static void test_tries_again(void **state)
{
  (void)state;
  static batch b;
  make(&b);
  lab_journal *j;
  assert_int_equal(lab_journal_open(NULL, head, &j, NULL), OFW_OK);
  for (size_t i = 0; i < 2; i++) {
    lab_result r = {.status = i ? OFW_NUMERICAL : OFW_FAILED, .error = strdup("once")};
    char *key = lab_cell_key(&b.cell[i]);
    assert_int_equal(lab_journal_add(j, key, &r, NULL), OFW_OK);
    free(key);
  }
  assert_int_equal(play(&b, j, 2), OFW_OK);
  assert_int_equal(b.known, 1);
  assert_int_equal(b.cell[0].result->status, OFW_OK);
  assert_string_equal(b.cell[1].result->error, "once");
  lab_journal_close(j);
}

static void test_full_disk(void **state)
{
  (void)state;
  static batch b;
  make(&b);
  lab_journal *j = opened();
  /* the journal's file now refuses every byte */
  char link[64];
  for (int fd = 3; fd < 64; fd++) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(path, link, sizeof link - 1);
    if (n < 0)
      continue;
    link[n] = 0;
    if (strcmp(link, journal_file) == 0) {
      FILE *full = fopen("/dev/full", "a");
      assert_non_null(full);
      assert_int_equal(dup2(fileno(full), fd), fd);
      fclose(full);
    }
  }
  ofw_error err = {0};
  lab_pool pool = {.journal = j, .jobs = 2};
  assert_int_equal(lab_pool_play(&pool, b.list, CELLS, &err), OFW_FAILED);
  char want[160];
  snprintf(want, sizeof want, "cannot write %s: No space left on device", journal_file);
  assert_string_equal(err.message, want);
  lab_journal_close(j);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads),
      cmocka_unit_test_setup_teardown(test_goes_on, begin_folder, end_folder),
      cmocka_unit_test(test_tries_again),
      cmocka_unit_test_setup_teardown(test_full_disk, begin_folder, end_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
