/* Results that outlive a kill: what was kept is found again to the bits, a torn end is dropped, damage is refused. */
#include "unit/lab/lab_folder.h"

static lab_result made(uint64_t *seed)
{
  lab_result r = {.G = any_real(seed), .D = 2.0, .metrics = {.size = sizeof r.metrics}};
  ofw_metrics *m = &r.metrics;
  m->rounds = any_word(seed);
  m->loss = any_real(seed);
  m->regret = (double)NAN;
  m->interval_regret = -INFINITY;
  m->ccv = any_real(seed) * 1e300;
  m->dynamic_regret = any_real(seed) * 1e-300;
  m->oracle_calls = any_word(seed);
  m->seconds = any_real(seed);
  if (any_below(seed, 3) == 0) {
    r = (lab_result){.status = OFW_NUMERICAL};
    r.error = strdup("round 3: 100% of it\tis\nnot finite");
  }
  return r;
}

static void key_of(size_t i, char key[64])
{
  snprintf(key, 64, "learner=ofw-tvc seed=%zu", i);
}

static void same_double(double a, double b)
{
  if (isnan(a) || isnan(b))
    assert_true(isnan(a) && isnan(b));
  else
    assert_bits(a, b);
}

static void same_result(const lab_result *found, const lab_result *want)
{
  assert_non_null(found);
  assert_int_equal(found->status, want->status);
  if (want->error)
    assert_string_equal(found->error, want->error);
  else
    assert_null(found->error);
  const ofw_metrics *a = &found->metrics, *b = &want->metrics;
  assert_true(a->rounds == b->rounds && a->oracle_calls == b->oracle_calls);
  const double left[] = {found->G, a->loss, a->regret, a->interval_regret, a->dynamic_regret, a->ccv, a->seconds};
  const double right[] = {want->G, b->loss, b->regret, b->interval_regret, b->dynamic_regret, b->ccv, b->seconds};
  for (size_t i = 0; i < sizeof left / sizeof *left; i++)
    same_double(left[i], right[i]);
}

static void add(lab_journal *j, size_t i, uint64_t seed)
{
  char key[64];
  ofw_error err = {0};
  key_of(i, key);
  lab_result r = made(&seed);
  assert_int_equal(lab_journal_add(j, key, &r, &err), OFW_OK);
  assert_null(r.error); /* it is the journal's now */
}

static void holds(const lab_journal *j, size_t i, uint64_t seed)
{
  char key[64];
  key_of(i, key);
  lab_result want = made(&seed);
  same_result(lab_journal_find(j, key), &want);
  lab_result_free(&want);
}

static void test_keeps(void **state)
{
  (void)state;
  enum { N = 700 };
  char key[64];
  lab_journal *j = opened();
  for (size_t i = 0; i < N; i++) {
    key_of(i, key);
    assert_null(lab_journal_find(j, key));
    add(j, i, i);
    if (i % 100 == 99) {
      lab_journal_close(j);
      j = opened();
    }
  }
  for (size_t i = 0; i < N; i++)
    holds(j, i, i);
  add(j, 5, 1000); /* a second time */
  holds(j, 5, 1000);
  lab_journal_close(j);
  j = opened();
  holds(j, 5, 1000);
  holds(j, 6, 6);
  lab_journal_close(j);
}

static void test_in_memory(void **state)
{
  (void)state;
  lab_journal *j;
  assert_int_equal(lab_journal_open(NULL, head, &j, NULL), OFW_OK);
  for (size_t i = 0; i < 300; i++)
    add(j, i, i);
  for (size_t i = 0; i < 300; i++)
    holds(j, i, i);
  lab_journal_close(j);
  lab_journal_close(NULL);
}

/* Cut at every byte, the file still opens, has every line that is whole, and can be added to. */
static void test_torn(void **state)
{
  (void)state;
  enum { N = 5 };
  lab_journal *j = opened();
  for (size_t i = 0; i < N; i++)
    add(j, i, i);
  lab_journal_close(j);
  size_t size, after;
  char *text = contents(&size), key[64];
  for (size_t cut = 0; cut <= size; cut++) {
    size_t lines = 0;
    for (size_t i = 0; i < cut; i++)
      lines += text[i] == '\n';
    put_contents(text, cut);
    j = opened();
    for (size_t i = 0; i < N; i++) {
      key_of(i, key);
      if (i + 1 < lines)
        holds(j, i, i);
      else
        assert_null(lab_journal_find(j, key));
    }
    for (size_t i = lines ? lines - 1 : 0; i < N; i++)
      add(j, i, i);
    lab_journal_close(j);
    char *again = contents(&after);
    assert_int_equal(after, size);
    assert_memory_equal(again, text, size);
    free(again);
  }
  free(text);
}

/* A power cut can leave a last line of the right length and the wrong bytes. */
static void test_last_line_of_zeros(void **state)
{
  (void)state;
  lab_journal *j = opened();
  add(j, 1, 1);
  add(j, 2, 2);
  lab_journal_close(j);
  size_t size;
  char *text = contents(&size);
  for (size_t i = size - 20; i + 1 < size; i++)
    text[i] = 0;
  put_contents(text, size);
  free(text);
  j = opened();
  holds(j, 1, 1);
  assert_null(lab_journal_find(j, "learner=ofw-tvc seed=2"));
  lab_journal_close(j);
}

static void refused(ofw_status want, const char *end)
{
  lab_journal *j;
  ofw_error err = {0};
  assert_int_equal(lab_journal_open(folder, head, &j, &err), want);
  assert_null(j);
  char message[300];
  snprintf(message, sizeof message, "%s%s", journal_file, end);
  assert_string_equal(err.message, message);
}

static void test_damaged(void **state)
{
  (void)state;
  lab_journal *j = opened();
  for (size_t i = 0; i < 3; i++)
    add(j, i, i);
  lab_journal_close(j);
  size_t size;
  char *text = contents(&size), *second = strchr(text, '\n') + 1, *third = strchr(second, '\n') + 1;
  for (char *at = second; at + 1 < third; at++) {
    char was = *at;
    *at = was == 'x' ? 'y' : 'x';
    put_contents(text, size);
    refused(OFW_BAD_DATA, ":2: damaged; delete the line to have its cell played again");
    *at = was;
  }
  memmove(second, third, strlen(third) + 1); /* as the message says */
  put_contents(text, strlen(text));
  free(text);
  j = opened();
  holds(j, 1, 1);
  assert_null(lab_journal_find(j, "learner=ofw-tvc seed=0"));
  lab_journal_close(j);
}

static void test_of_another_version(void **state)
{
  (void)state;
  put_contents("ofw older\n", 10);
  refused(OFW_USAGE, " was written by 'ofw older', this is 'ofw test': choose another folder");
}

static void test_one_at_a_time(void **state)
{
  (void)state;
  lab_journal *j = opened();
  refused(OFW_USAGE, " is in use by another ofw");
  lab_journal_close(j);
  lab_journal_close(opened());
}

static void test_folders(void **state)
{
  (void)state;
  char deep[128];
  lab_journal *j;
  ofw_error err = {0};
  snprintf(deep, sizeof deep, "%s/a/b", folder);
  assert_int_equal(lab_journal_open(deep, head, &j, &err), OFW_OK);
  lab_journal_close(j);
  snprintf(deep, sizeof deep, "%s/a/b/cells.tsv", folder);
  assert_int_equal(lab_journal_open(deep, head, &j, &err), OFW_FAILED); /* a file */
  assert_int_equal(unlink(deep), 0);
  snprintf(deep, sizeof deep, "%s/a/b", folder);
  assert_int_equal(rmdir(deep), 0);
  snprintf(deep, sizeof deep, "%s/a", folder);
  assert_int_equal(rmdir(deep), 0);
  assert_int_equal(lab_journal_open("/proc/nowhere/at/all", head, &j, &err), OFW_FAILED);
  assert_string_equal(err.message, "cannot make the folder /proc/nowhere/at/all: No such file or directory");
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, begin_folder, end_folder)
  const struct CMUnitTest tests[] = {
      IN_FOLDER(test_keeps),         cmocka_unit_test(test_in_memory),
      IN_FOLDER(test_torn),          IN_FOLDER(test_last_line_of_zeros),
      IN_FOLDER(test_damaged),       IN_FOLDER(test_of_another_version),
      IN_FOLDER(test_one_at_a_time), IN_FOLDER(test_folders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
