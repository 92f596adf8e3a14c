/* Ratings that are like a known set's: counts, values and pairs against what its constants say, singular values against
 * those of the set. */
#include "lab/data/describe.h"
#include "lab/data/sets.h"
#include "ratings/ratings.h"
#include "unit/base/check.h"

#include "stream/generator.h"

#include <math.h>
#include <stdlib.h>

enum { SINGULAR = 10, MOST = 4000 };

/* The ten leading ones of each set, relative to the first: zero-filled, and less the mean. */
static const struct {
  const char *name;
  double first[2], ratio[2][SINGULAR];
} sets[] = {{"movielens-100k",
             {640.63, 89.48},
             {{1, .382, .340, .248, .247, .228, .198, .190, .167, .156},
              {1, .790, .653, .574, .481, .446, .426, .405, .397, .370}}},
            {"filmtrust",
             {430.82, 73.80},
             {{1, .276, .190, .182, .165, .149, .139, .126, .124, .124},
              {1, .515, .453, .404, .360, .347, .338, .336, .318, .309}}}};

static ofw_ratings generated(const ofw_likeness *like, uint64_t seed)
{
  ofw_ratings r;
  assert_int_equal(ofw_ratings_generate_like(&r, like, seed, NULL), OFW_OK);
  return r;
}

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double logarithm_at(const ofw_knot *knot, double share)
{
  size_t k = 1;
  while (knot[k].share < share)
    k++;
  double slope = log(knot[k].count / knot[k - 1].count) / (knot[k].share - knot[k - 1].share);
  return log(knot[k].count) - slope * (knot[k].share - share);
}

/* Each of the sorted counts is the curve's but for the scale that makes the sum right, and for rounding. */
static void check_counts(const ofw_ratings *r, size_t over, size_t n, const ofw_knot *knot)
{
  static double count[MOST];
  memset(count, 0, sizeof count);
  for (size_t k = 0; k < r->count; k++)
    count[r->cell[k] / over % n] += 1.0;
  qsort(count, n, sizeof *count, by_size);
  assert_true(count[0] >= 1.0);
  for (size_t k = 0; k < n; k++) {
    double wanted = exp(logarithm_at(knot, (double)k / (double)(n - 1)));
    assert_near(count[k], wanted, 1.0 + 0.02 * wanted);
  }
}

static void test_counts_and_values(void **state)
{
  (void)state;
  for (size_t s = 0; s < ofw_likenesses_count; s++)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      const ofw_likeness *like = &ofw_likenesses[s];
      ofw_ratings r = generated(like, seed);
      size_t of_value[OFW_VALUES] = {0};
      assert_true(r.users == like->users && r.items == like->items && r.count == like->count);
      for (size_t k = 0; k < r.count; k++) {
        assert_true(r.cell[k] < r.users * r.items && (k == 0 || r.cell[k] > r.cell[k - 1]));
        double step = (r.value[k] - like->lowest) / like->step;
        assert_true(step >= 0.0 && step < OFW_VALUES && step == floor(step));
        of_value[(size_t)step]++;
      }
      assert_memory_equal(of_value, like->of_value, sizeof of_value);
      check_counts(&r, r.items, r.users, like->user);
      check_counts(&r, 1, r.items, like->item);
      assert_null(r.truth);
      ofw_ratings_free(&r);
    }
}

static void test_seed(void **state)
{
  (void)state;
  for (size_t s = 0; s < ofw_likenesses_count; s++) {
    ofw_ratings a = generated(&ofw_likenesses[s], 7), b = generated(&ofw_likenesses[s], 7);
    ofw_ratings c = generated(&ofw_likenesses[s], 8);
    assert_memory_equal(a.cell, b.cell, a.count * sizeof *a.cell);
    assert_memory_equal(a.value, b.value, a.count * sizeof *a.value);
    assert_memory_not_equal(a.cell, c.cell, a.count * sizeof *a.cell);
    ofw_ratings_free(&a), ofw_ratings_free(&b), ofw_ratings_free(&c);
  }
}

static void test_spectrum(void **state)
{
  (void)state;
  for (size_t s = 0; s < ofw_likenesses_count; s++) {
    assert_string_equal(ofw_likenesses[s].name, sets[s].name);
    ofw_ratings r = generated(&ofw_likenesses[s], 1);
    double mean = 0.0, value[SINGULAR];
    for (size_t k = 0; k < r.count; k++)
      mean += r.value[k] / (double)r.count;
    for (int centred = 0; centred < 2; centred++) {
      size_t found;
      assert_int_equal(data_spectrum(&r, centred ? mean : 0.0, SINGULAR, value, &found, NULL), OFW_OK);
      assert_int_equal(found, SINGULAR);
      for (size_t k = 0; k < SINGULAR; k++) {
        double wanted = sets[s].first[centred] * sets[s].ratio[centred][k];
        assert_near(value[k], wanted, 0.15 * wanted);
      }
    }
    ofw_ratings_free(&r);
  }
}

/* With one user and one item that have two pairs and two of each that have one, those two meet in 4 of the 5 sets of
 * pairs. ln m_i ln n_j is 0 for all others, so they meet with probability 4 w / (4 w + 1), w = exp(nested (ln 2)^2). */
static void test_law_of_pairs(void **state)
{
  (void)state;
  enum { SEEDS = 3000 };
  for (double nested = -3.0; nested <= 1.5; nested += 1.5) {
    const ofw_likeness like = {.users = 3,
                               .items = 3,
                               .count = 4,
                               .user = {{0, 1}, {.5, 1}, {1, 2}},
                               .item = {{0, 1}, {.5, 1}, {1, 2}},
                               .nested = nested};
    double met = 0.0, w = exp(nested * log(2.0) * log(2.0)), p = 4.0 * w / (4.0 * w + 1.0);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      size_t cell[4], user[3] = {0}, item[3] = {0};
      assert_int_equal(ofw_likeness_pairs(&like, seed, cell, NULL), OFW_OK);
      for (size_t k = 0; k < 4; k++) {
        user[cell[k] / 3]++;
        item[cell[k] % 3]++;
      }
      for (size_t k = 0; k < 4; k++)
        met += user[cell[k] / 3] == 2 && item[cell[k] % 3] == 2;
    }
    assert_near(met / SEEDS, p, 4.5 * sqrt(p * (1.0 - p) / SEEDS));
  }
}

/* Without any preference each of the 6 ways to pair three users with three items is as likely. */
static void test_even_law(void **state)
{
  (void)state;
  enum { SEEDS = 3000 };
  const ofw_likeness like = {.users = 3, .items = 3, .count = 3, .user = {{0, 1}, {1, 1}}, .item = {{0, 1}, {1, 1}}};
  double seen[27] = {0};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    size_t cell[3], item[3] = {0};
    assert_int_equal(ofw_likeness_pairs(&like, seed, cell, NULL), OFW_OK);
    for (size_t k = 0; k < 3; k++)
      item[cell[k] / 3] = cell[k] % 3;
    seen[9 * item[0] + 3 * item[1] + item[2]] += 1.0;
  }
  for (size_t code = 0; code < 27; code++) {
    int apart = code / 9 != code / 3 % 3 && code / 9 != code % 3 && code / 3 % 3 != code % 3;
    assert_near(seen[code] / SEEDS, apart ? 1.0 / 6.0 : 0.0, apart ? 4.5 * sqrt(5.0 / 36.0 / SEEDS) : 0.0);
  }
}

/* The stream's option has the names of the table, in its order, and the sets are those that can be imported. */
static void test_names(void **state)
{
  (void)state;
  char words[200] = "none";
  assert_int_equal(ofw_likenesses_count, data_sets_count);
  for (size_t s = 0; s < ofw_likenesses_count; s++) {
    const ofw_likeness *like = &ofw_likenesses[s];
    strcat(strcat(words, "|"), like->name);
    assert_string_equal(data_sets[s].name, like->name);
    assert_true(data_sets[s].users == like->users && data_sets[s].items == like->items);
    assert_true(data_sets[s].rows >= like->count);
    assert_bits(data_sets[s].lowest, like->lowest);
    assert_bits(data_sets[s].step, like->step);
  }
  int found = 0;
  for (size_t k = 0; k < ofw_stream_types(); k++)
    for (const ofw_option *o = ofw_stream_type(k)->options; o->name; o++)
      if (strcmp(o->name, "like") == 0) {
        assert_string_equal(o->words, words);
        found++;
      }
  assert_int_equal(found, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts_and_values), cmocka_unit_test(test_seed),     cmocka_unit_test(test_spectrum),
      cmocka_unit_test(test_law_of_pairs),      cmocka_unit_test(test_even_law), cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
