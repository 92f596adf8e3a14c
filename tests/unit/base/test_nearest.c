#include "unit/base/check.h"

#include "base/basics.h"

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours from a to b, by trying everything. */
static size_t slow_edits(const char *a, size_t m, const char *b, size_t n)
{
  if (m == 0 || n == 0)
    return m + n;
  size_t best = slow_edits(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
  best = least(best, slow_edits(a, m - 1, b, n) + 1);
  best = least(best, slow_edits(a, m, b, n - 1) + 1);
  if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1])
    best = least(best, slow_edits(a, m - 2, b, n - 2) + 1);
  return best;
}

/* The first of the names with the fewest edits, if these are few enough: one in a word of up to four letters, else
 * about a third of them. */
static const char *slow_nearest(const char *word, const char *const *names, size_t n)
{
  const char *best = NULL;
  size_t letters = strlen(word), fewest = 1 + (letters <= 4 ? 1 : (letters + 1) / 3);
  for (size_t i = 0; i < n; i++) {
    size_t e = slow_edits(word, strlen(word), names[i], strlen(names[i]));
    if (e < fewest) {
      fewest = e;
      best = names[i];
    }
  }
  return best;
}

static void any_name(uint64_t *seed, char name[8])
{
  size_t length = any_below(seed, 7);
  for (size_t i = 0; i < length; i++)
    name[i] = (char)('a' + any_below(seed, 3));
  name[length] = 0;
}

static void test_random_words(void **state)
{
  (void)state;
  enum { NAMES = 4 };
  uint64_t seed = 11;
  int found = 0, none = 0;
  for (int k = 0; k < 1500; k++) {
    char text[NAMES][8], word[8];
    const char *names[NAMES];
    for (size_t i = 0; i < NAMES; i++) {
      any_name(&seed, text[i]);
      names[i] = text[i];
    }
    any_name(&seed, word);
    const char *want = slow_nearest(word, names, NAMES), *got = ofw_nearest(word, names, NAMES);
    assert_ptr_equal(got, want);
    found += want != NULL;
    none += want == NULL;
  }
  assert_true(found > 100 && none > 100); /* both happen */
}

static void test_slips(void **state)
{
  (void)state;
  static const char *const names[] = {"radius", "dim", "oracle-tolerance", "gamma", "gamma-scale"};
  static const struct {
    const char *word, *name;
  } cases[] = {
      {"radius", "radius"},
      {"raduis", "radius"},
      {"radiu", "radius"},
      {"radiuss", "radius"},
      {"dmi", "dim"},
      {"din", "dim"},
      {"gama", "gamma"},
      {"gamma-scael", "gamma-scale"},
      {"oracle_tolerence", "oracle-tolerance"},
      {"temperature", NULL},
      {"xyz", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *got = ofw_nearest(cases[i].word, names, 5);
    if (cases[i].name)
      assert_string_equal(got, cases[i].name);
    else
      assert_null(got);
  }
  assert_null(ofw_nearest("radius", NULL, 0));
}

static void test_ties_go_to_the_first(void **state)
{
  (void)state;
  static const char *const names[] = {"bat", "cat", "hat"};
  assert_ptr_equal(ofw_nearest("rat", names, 3), names[0]);
  assert_ptr_equal(ofw_nearest("hat", names, 3), names[2]);
}

/* However long the word, a name that shares nothing with it is not near. */
static void test_long_words(void **state)
{
  (void)state;
  static const char *const names[] = {"dim", "radius"};
  char word[400];
  for (size_t length = 50; length < sizeof word; length++) {
    memset(word, 'x', length);
    word[length] = 0;
    assert_null(ofw_nearest(word, names, 2));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_words),
      cmocka_unit_test(test_slips),
      cmocka_unit_test(test_ties_go_to_the_first),
      cmocka_unit_test(test_long_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
