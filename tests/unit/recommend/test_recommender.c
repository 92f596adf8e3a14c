/* What is promised of a recommender: scores on the scale, refusals that change nothing, a cap that holds after every prediction, a
 * ranking as a sort gives it, and states that go on bit for bit. tests/parity compares its predictions with a slow version. */
#include "apps/recommend/recommender.h"
#include "persist/walk.h"
#include "unit/base/check.h"

#include <stdlib.h>

enum { USERS = 40, ITEMS = 30, RATINGS = 900, GROUP = 6 };
static const uint32_t group[GROUP] = {3, 0, 7, 11, 29, 5};

typedef struct rating {
  size_t user, item;
  double value;
} rating;

/* Distinct pairs, in an order of no meaning. */
static void make_ratings(rating *out)
{
  uint64_t rng = 11;
  double p[USERS], q[ITEMS];
  for (size_t i = 0; i < USERS; i++)
    p[i] = 2.0 * any_real(&rng);
  for (size_t j = 0; j < ITEMS; j++)
    q[j] = 2.0 * any_real(&rng);
  for (size_t k = 0; k < RATINGS; k++) {
    size_t pair = k * 7919 % (USERS * ITEMS);
    out[k] = (rating){pair / ITEMS, pair % ITEMS, 0.0};
    out[k].value = fmin(5.0, fmax(1.0, round(3.0 + p[out[k].user] * q[out[k].item] + any_real(&rng))));
  }
}

static recommender_settings settings(int capped)
{
  recommender_settings s = {.users = USERS, .items = ITEMS, .lowest = 1.0, .highest = 5.0, .seed = 1};
  ofw_options_default((ofw_options){recommender_options, &s.constants, 0});
  s.constants.batch = 60;
  s.constants.ridge = 1.0;
  if (capped) {
    s.group = GROUP;
    s.grouped = group;
    s.cap = 2.5;
    s.round = 45;
  }
  return s;
}

static recommender *made(const recommender_settings *s)
{
  ofw_error err = {0};
  recommender *r = recommender_create(s, &err);
  if (!r)
    fail_msg("%s", err.message);
  return r;
}

static double rate(recommender *r, const rating *x)
{
  double prediction;
  ofw_error err = {0};
  if (recommender_rate(r, x->user, x->item, x->value, &prediction, &err) != OFW_OK)
    fail_msg("%s", err.message);
  return prediction;
}

static void errors_are_summed(void **state)
{
  (void)state;
  static rating x[RATINGS];
  recommender_settings s = settings(0);
  recommender *r = made(&s);
  double square = 0.0, size = 0.0, last = 0.0;
  make_ratings(x);
  for (size_t k = 0; k < RATINGS; k++) {
    double before = recommender_predict(r, x[k].user, x[k].item), prediction = rate(r, &x[k]);
    assert_bits(prediction, before);
    assert_true(prediction >= 1.0 && prediction <= 5.0);
    square += (prediction - x[k].value) * (prediction - x[k].value);
    size += fabs(prediction - x[k].value);
    last += k >= RATINGS / 2 ? (prediction - x[k].value) * (prediction - x[k].value) : 0.0;
  }
  const recommender_account *a = recommender_accounts(r);
  assert_int_equal(a->ratings, RATINGS);
  assert_int_equal(a->rounds, 0);
  assert_near(a->square_error, square, 1e-9);
  assert_near(a->error, size, 1e-9);
  assert_true(last < 0.4 * square); /* the second half is predicted better than the first */
  recommender_free(r);
}

/* The mean over the users met in a round is at most the cap after each prediction: of their scores at their last one, and at their
 * first one. */
static void the_cap_holds_after_every_prediction(void **state)
{
  (void)state;
  static rating x[RATINGS];
  recommender_settings s = settings(1);
  recommender *r = made(&s);
  double mean[USERS], first[USERS];
  int met[USERS] = {0}, above = 0;
  make_ratings(x);
  for (size_t k = 0; k < RATINGS; k++) {
    if (k % s.round == 0)
      memset(met, 0, sizeof met);
    mean[x[k].user] = 0.0;
    for (size_t g = 0; g < GROUP; g++)
      mean[x[k].user] += recommender_predict(r, x[k].user, group[g]) / GROUP;
    first[x[k].user] = met[x[k].user] ? first[x[k].user] : mean[x[k].user];
    met[x[k].user] = 1;
    above += mean[x[k].user] > s.cap + 0.01;
    double sum = 0.0, sum_first = 0.0;
    int users = 0;
    for (size_t i = 0; i < USERS; i++) {
      sum += met[i] ? mean[i] : 0.0;
      sum_first += met[i] ? first[i] : 0.0;
      users += met[i];
    }
    assert_at_most(sum / users, s.cap + 1e-12);
    assert_at_most(sum_first / users, s.cap + 1e-12);
    rate(r, &x[k]);
  }
  assert_int_equal(recommender_accounts(r)->rounds, RATINGS / s.round);
  assert_true(recommender_accounts(r)->violation == 0.0);
  assert_true(above > 20); /* users below the cap leave credit, which others use */
  recommender_free(r);
}

static void a_cap_at_the_bottom(void **state)
{
  (void)state;
  static rating x[RATINGS];
  recommender_settings s = settings(1);
  s.cap = s.lowest;
  recommender *r = made(&s);
  make_ratings(x);
  for (size_t k = 0; k < 200; k++) {
    for (size_t g = 0; g < GROUP; g++)
      assert_true(recommender_predict(r, x[k].user, group[g]) == s.lowest);
    rate(r, &x[k]);
  }
  assert_true(recommender_accounts(r)->violation == 0.0);
  recommender_free(r);
}

static void top_is_a_sort(void **state)
{
  (void)state;
  static rating x[RATINGS];
  for (int capped = 0; capped < 2; capped++) {
    recommender_settings s = settings(capped);
    recommender *r = made(&s);
    make_ratings(x);
    for (size_t k = 0; k < 500; k++)
      rate(r, &x[k]);
    for (size_t user = 0; user < USERS; user++) {
      int rated[ITEMS] = {0};
      size_t item[ITEMS], left = 0;
      double score[ITEMS];
      for (size_t k = 0; k < 500; k++)
        rated[x[k].item] |= x[k].user == user;
      for (size_t j = 0; j < ITEMS; j++)
        left += !rated[j];
      for (size_t k = 0; k <= ITEMS; k += 5) {
        size_t n;
        assert_int_equal(recommender_top(r, user, k, item, score, &n, NULL), OFW_OK);
        assert_int_equal(n, k < left ? k : left);
        for (size_t at = 0; at < n; at++) {
          assert_false(rated[item[at]]);
          assert_bits(score[at], recommender_predict(r, user, item[at]));
          assert_true(at == 0 || score[at] < score[at - 1] || (score[at] == score[at - 1] && item[at] > item[at - 1]));
        }
        for (size_t j = 0; j < ITEMS && n > 0; j++) { /* none that is left out is better */
          int in = rated[j];
          for (size_t at = 0; at < n; at++)
            in |= item[at] == j;
          assert_true(in || recommender_predict(r, user, j) <= score[n - 1]);
        }
      }
    }
    recommender_free(r);
  }
}

static void a_loaded_one_goes_on(void **state)
{
  (void)state;
  static rating x[RATINGS];
  make_ratings(x);
  for (int capped = 0; capped < 2; capped++)
    for (size_t at = 0; at < RATINGS; at += 137) {
      recommender_settings s = settings(capped);
      recommender *r = made(&s), *other = made(&s);
      ofw_state saved = {0}, first = {0}, second = {0};
      ofw_error err = {0};
      for (size_t k = 0; k < at; k++)
        rate(r, &x[k]);
      for (size_t k = 0; k < at / 2; k++) /* what is loaded over */
        rate(other, &x[RATINGS - 1 - k]);
      assert_int_equal(recommender_save(r, "these", &saved, &err), OFW_OK);
      assert_int_equal(recommender_load(other, "these", &saved, &err), OFW_OK);
      for (size_t k = at; k < RATINGS; k++)
        assert_bits(rate(r, &x[k]), rate(other, &x[k]));
      assert_int_equal(recommender_save(r, "these", &first, &err), OFW_OK);
      assert_int_equal(recommender_save(other, "these", &second, &err), OFW_OK);
      assert_int_equal(first.size, second.size);
      assert_memory_equal(first.bytes, second.bytes, first.size);
      ofw_state_free(&saved);
      ofw_state_free(&first);
      ofw_state_free(&second);
      recommender_free(r);
      recommender_free(other);
    }
}

static void other_states_are_refused(void **state)
{
  (void)state;
  static rating x[RATINGS];
  recommender_settings s = settings(1), t = s;
  ofw_state saved = {0}, before = {0}, after = {0};
  ofw_error err = {0};
  uint32_t other_group[GROUP];
  make_ratings(x);
  recommender *r = made(&s);
  for (size_t k = 0; k < 100; k++)
    rate(r, &x[k]);
  assert_int_equal(recommender_save(r, "these", &saved, &err), OFW_OK);
  recommender_save(r, "these", &before, &err);
  assert_int_equal(recommender_load(r, "those", &saved, &err), OFW_BAD_DATA);
  assert_string_equal(err.message, "a state saved with 'these', but this play has 'those'; use the same options");
  saved.bytes[saved.size / 2] ^= 4;
  assert_int_equal(recommender_load(r, "these", &saved, &err), OFW_BAD_DATA);
  saved.bytes[saved.size / 2] ^= 4;
  recommender_save(r, "these", &after, &err);
  assert_memory_equal(before.bytes, after.bytes, before.size);
  recommender_free(r);
  memcpy(other_group, group, sizeof group);
  other_group[2] = 8;
  t.grouped = other_group;
  r = made(&t);
  assert_int_equal(recommender_load(r, "these", &saved, &err), OFW_BAD_DATA);
  recommender_free(r);
  t = s;
  t.constants.forget = 0.5;
  r = made(&t);
  assert_int_equal(recommender_load(r, "these", &saved, &err), OFW_BAD_DATA);
  assert_string_equal(
      err.message,
      "a state saved with 'forget=0.98999999999999999', but this play has 'forget=0.5'; use the same options");
  recommender_free(r);
  ofw_state_free(&saved);
  ofw_state_free(&before);
  ofw_state_free(&after);
}

/* A state whose checksums fit, and whose history names what is not there. */
static void forged_histories_are_refused(void **state)
{
  (void)state;
  enum { CHECKSUM = 32, HEADER = 40 };
  recommender_settings s = settings(0);
  ofw_error err = {0};
  ofw_state saved = {0};
  recommender *r = made(&s);
  rate(r, &(rating){7, 9, 4.0});
  assert_int_equal(recommender_save(r, "", &saved, &err), OFW_OK);
  size_t at = 0;
  uint32_t ids[2] = {7, 9};
  while (memcmp(saved.bytes + at, ids, sizeof ids) != 0)
    at += 4;
  for (size_t side = 0; side < 3; side++) {
    unsigned char was[16];
    memcpy(was, saved.bytes + at, sizeof was);
    if (side < 2)
      memcpy(saved.bytes + at + 4 * side, &(uint32_t){side ? ITEMS : USERS}, 4);
    else
      memcpy(saved.bytes + at + 8, &(double){NAN}, 8);
    uint64_t sum = ofw_state_sum(saved.bytes + HEADER, saved.size - HEADER);
    memcpy(saved.bytes + CHECKSUM, &sum, sizeof sum);
    assert_int_equal(recommender_load(r, "", &saved, &err), OFW_BAD_DATA);
    assert_string_equal(err.message, "the state is damaged: place 0 of history has no rating");
    memcpy(saved.bytes + at, was, sizeof was);
  }
  ofw_state_free(&saved);
  recommender_free(r);
}

static void refused(const recommender_settings *s, const char *message)
{
  ofw_error err = {0};
  assert_null(recommender_create(s, &err));
  assert_int_equal(err.status, OFW_USAGE);
  assert_string_equal(err.message, message);
}

static void bad_settings(void **state)
{
  (void)state;
  recommender_settings s = settings(1);
  s.users = 0;
  refused(&s, "recommender: found 0 users and 30 items, expected 1 to 1000000 of each");
  s = settings(1);
  s.highest = s.lowest;
  refused(&s, "recommender: expected a scale from a lower number to a higher one");
  s.highest = NAN;
  refused(&s, "recommender: expected a scale from a lower number to a higher one");
  s = settings(1);
  s.constants.rank = 65;
  refused(&s, "recommender: found rank 65, expected at most 64");
  s = settings(1);
  s.cap = 5.5;
  refused(&s, "recommender: expected a cap within the scale and at least 1 rating per round");
  s = settings(1);
  s.grouped = (const uint32_t[]){0, 1, 2, 3, 4, 30};
  refused(&s, "recommender: item 30 of the group is too large");
  s.grouped = (const uint32_t[]){0, 1, 2, 3, 1, 5};
  refused(&s, "recommender: item 1 of the group is in it twice");
}

static void bad_ratings_change_nothing(void **state)
{
  (void)state;
  static const struct {
    size_t user, item;
    double value;
    const char *message;
  } bad[] = {{USERS, 0, 3.0, "recommender: found user 40 and item 0, expected numbers below 40 and 30"},
             {0, ITEMS, 3.0, "recommender: found user 0 and item 30, expected numbers below 40 and 30"},
             {0, 0, 5.5, "recommender: found a rating of 5.5, expected one from 1 to 5"},
             {0, 0, NAN, "recommender: found a rating of nan, expected one from 1 to 5"}};
  recommender_settings s = settings(1);
  recommender *r = made(&s);
  rate(r, &(rating){1, 2, 4.0});
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    ofw_state before = {0}, after = {0};
    ofw_error err = {0};
    recommender_save(r, "", &before, &err);
    assert_int_equal(recommender_rate(r, bad[k].user, bad[k].item, bad[k].value, NULL, &err), OFW_BAD_DATA);
    assert_string_equal(err.message, bad[k].message);
    recommender_save(r, "", &after, &err);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.bytes, after.bytes, before.size);
    ofw_state_free(&before);
    ofw_state_free(&after);
  }
  recommender_free(r);
}

/* Ratings on another scale are predicted alike, moved and stretched. */
static void scales_do_not_matter(void **state)
{
  (void)state;
  static rating x[RATINGS];
  recommender_settings s = settings(1), t = s;
  t.lowest = -10.0;
  t.highest = 22.0;
  t.cap = -10.0 + 8.0 * (s.cap - 1.0);
  recommender *r = made(&s), *other = made(&t);
  make_ratings(x);
  for (size_t k = 0; k < RATINGS; k++) {
    rating moved = {x[k].user, x[k].item, -10.0 + 8.0 * (x[k].value - 1.0)};
    double a = rate(r, &x[k]), b = rate(other, &moved);
    assert_near(b, -10.0 + 8.0 * (a - 1.0), 1e-6);
  }
  recommender_free(r);
  recommender_free(other);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_summed),
      cmocka_unit_test(the_cap_holds_after_every_prediction),
      cmocka_unit_test(a_cap_at_the_bottom),
      cmocka_unit_test(top_is_a_sort),
      cmocka_unit_test(a_loaded_one_goes_on),
      cmocka_unit_test(other_states_are_refused),
      cmocka_unit_test(forged_histories_are_refused),
      cmocka_unit_test(bad_settings),
      cmocka_unit_test(bad_ratings_change_nothing),
      cmocka_unit_test(scales_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
