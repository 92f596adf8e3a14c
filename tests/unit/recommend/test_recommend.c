/* The public interface of a recommender, ofw/recommend.h: specs, errors on the handle, the cap, files. That it predicts as the command
 * does is one comparison, with the calls that the command is made of. */
#include "apps/recommend/recommender.h"
#include "unit/base/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { USERS = 30, ITEMS = 20, RATINGS = 500 };
#define SPEC "users=30,items=20,lowest=1,highest=5,batch=60,rank=4,ridge=1,seed=3"
static const size_t group[] = {3, 0, 17};

static ofw_recommender *made(const char *spec)
{
  ofw_error err = {0};
  ofw_recommender *r = ofw_recommender_create(spec, &err);
  if (!r)
    fail_msg("%s", err.message);
  return r;
}

static double opinion(size_t user, size_t item)
{
  return user % 3 == item % 3 ? 5.0 : 1.0 + (double)(item % 4);
}

static double rate(ofw_recommender *r, size_t t)
{
  size_t pair = t * 7919 % (USERS * ITEMS);
  double prediction;
  if (ofw_recommender_rate(r, pair / ITEMS, pair % ITEMS, opinion(pair / ITEMS, pair % ITEMS), &prediction) != OFW_OK)
    fail_msg("rating %zu: %s", t, ofw_recommender_error(r));
  return prediction;
}

/* A name in a new folder of its own. */
static const char *new_file(char path[64])
{
  char folder[] = "/tmp/ofw-recommend-XXXXXX";
  if (!mkdtemp(folder))
    fail_msg("no folder");
  snprintf(path, 64, "%s/state", folder);
  return path;
}

static void remove_files(const char *path)
{
  char other[80];
  unlink(path);
  snprintf(other, sizeof other, "%s.1", path);
  unlink(other);
  snprintf(other, sizeof other, "%.*s", (int)(strlen(path) - strlen("/state")), path);
  assert_int_equal(rmdir(other), 0); /* nothing else has been left */
}

static void predicts_as_the_command_does(void **state)
{
  (void)state;
  static const uint32_t grouped[] = {3, 0, 17};
  for (int capped = 0; capped < 2; capped++) {
    recommender_settings s = {.users = USERS, .items = ITEMS, .lowest = 1.0, .highest = 5.0, .seed = 3};
    ofw_options_default((ofw_options){recommender_options, &s.constants, 0});
    s.constants.batch = 60;
    s.constants.rank = 4;
    s.constants.ridge = 1.0;
    ofw_recommender *r = made(SPEC);
    if (capped) {
      s.group = 3;
      s.grouped = grouped;
      s.cap = 2.5;
      s.round = 40;
      assert_int_equal(ofw_recommender_cap(r, 2.5, 3, group, 40), OFW_OK);
    }
    recommender *own = recommender_create(&s, NULL);
    assert_non_null(own);
    for (size_t t = 0; t < RATINGS; t++) {
      size_t pair = t * 7919 % (USERS * ITEMS), user = pair / ITEMS, item = pair % ITEMS;
      double score, prediction;
      assert_int_equal(ofw_recommender_predict(r, user, item, &score), OFW_OK);
      assert_int_equal(recommender_rate(own, user, item, opinion(user, item), &prediction, NULL), OFW_OK);
      assert_bits(score, prediction);
      assert_bits(rate(r, t), prediction);
    }
    const ofw_recommender_account *a = ofw_recommender_accounts(r), *b = recommender_accounts(own);
    assert_true(a->ratings == RATINGS && a->rounds == b->rounds && (a->rounds > 0) == capped);
    assert_bits(a->square_error, b->square_error);
    assert_bits(a->error, b->error);
    for (size_t user = 0; user < USERS; user++) {
      size_t item[5], own_item[5], n, own_n;
      double score[5], own_score[5];
      assert_int_equal(ofw_recommender_top(r, user, 5, item, score, &n), OFW_OK);
      assert_int_equal(recommender_top(own, user, 5, own_item, own_score, &own_n, NULL), OFW_OK);
      assert_int_equal(n, own_n);
      assert_memory_equal(item, own_item, n * sizeof *item);
    }
    recommender_free(own);
    ofw_recommender_free(r);
  }
}

static void refused(const char *spec, const char *message)
{
  ofw_error err = {0};
  assert_null(ofw_recommender_create(spec, &err));
  assert_int_equal(err.status, OFW_USAGE);
  assert_string_equal(err.message, message);
  assert_null(ofw_recommender_create(spec, NULL));
}

static void specs(void **state)
{
  (void)state;
  refused(NULL, "recommender: expected a spec such as users=943,items=1682, found none");
  refused("users=3", "recommender: items is required (how many there are)");
  refused("users=3,items=0", "recommender: items=0 is not in [1, 1e+06]");
  refused("users=3,items=4,rnak=2", "recommender: no option 'rnak'; did you mean 'rank'?");
  refused("users=3,items=4,rank=65", "recommender: rank=65 is not in [0, 64]");
  refused("users=3,items=4,users=5", "recommender: users is given twice");
  refused("users=3,items=4,lowest=5", "recommender: expected a scale from a lower number to a higher one");
  refused("users=3,items=4,", "recommender: expected key=value after the last comma, found nothing");
  ofw_recommender *r = made("users=3,items=4");
  double score;
  assert_int_equal(ofw_recommender_predict(r, 2, 3, &score), OFW_OK);
  assert_true(score == 3.0); /* the middle of 1 to 5 */
  ofw_recommender_free(r);
  ofw_recommender_free(NULL);
}

static void expect(const ofw_recommender *r, ofw_status found, ofw_status wanted, const char *message)
{
  assert_int_equal(found, wanted);
  assert_string_equal(ofw_recommender_error(r), message);
}

static void refusals_change_nothing(void **state)
{
  (void)state;
  ofw_recommender *r = made(SPEC), *other = made(SPEC);
  static const size_t twice[] = {1, 2, 1}, large[] = {1, ITEMS};
  size_t item[1], n;
  double score;
  expect(r, ofw_recommender_cap(r, 5.5, 3, group, 40), OFW_USAGE,
         "recommender: expected a cap within the scale and at least 1 rating per round");
  expect(r, ofw_recommender_cap(r, 2.5, 3, group, 0), OFW_USAGE,
         "recommender: expected a cap within the scale and at least 1 rating per round");
  expect(r, ofw_recommender_cap(r, 2.5, 0, group, 40), OFW_USAGE, "recommender: a group of 0 items, expected 1 to 20");
  expect(r, ofw_recommender_cap(r, 2.5, 3, twice, 40), OFW_USAGE, "recommender: item 1 of the group is in it twice");
  expect(r, ofw_recommender_cap(r, 2.5, 2, large, 40), OFW_USAGE,
         "recommender: item 20 in the group, expected one below 20");
  for (size_t t = 0; t < 200; t++)
    assert_bits(rate(r, t), rate(other, t)); /* there is no cap */
  expect(r, ofw_recommender_cap(r, 2.5, 3, group, 40), OFW_USAGE,
         "recommender: expected the cap before the first rating, found 200 ratings learned");
  expect(r, ofw_recommender_predict(r, USERS, 1, &score), OFW_BAD_DATA,
         "recommender: found user 30 and item 1, expected numbers below 30 and 20");
  expect(r, ofw_recommender_predict(r, 1, ITEMS, &score), OFW_BAD_DATA,
         "recommender: found user 1 and item 20, expected numbers below 30 and 20");
  expect(r, ofw_recommender_top(r, USERS, 1, item, &score, &n), OFW_BAD_DATA,
         "recommender: found user 30 and item 0, expected numbers below 30 and 20");
  expect(r, ofw_recommender_rate(r, 1, 1, 5.5, NULL), OFW_BAD_DATA,
         "recommender: found a rating of 5.5, expected one from 1 to 5");
  expect(r, ofw_recommender_predict(r, 1, 1, &score), OFW_OK, ""); /* the words of a call are gone with the next one */
  for (size_t t = 200; t < RATINGS; t++)
    assert_bits(rate(r, t), rate(other, t));
  ofw_recommender_free(r);
  ofw_recommender_free(other);
}

static void a_file_continues_bit_for_bit(void **state)
{
  (void)state;
  char path[64];
  new_file(path);
  for (size_t at = 0; at <= 240; at += 80) {
    ofw_recommender *r = made(SPEC), *other = made(SPEC);
    assert_int_equal(ofw_recommender_cap(r, 2.5, 3, group, 40), OFW_OK);
    assert_int_equal(ofw_recommender_cap(other, 2.5, 3, group, 40), OFW_OK);
    for (size_t t = 0; t < at; t++)
      rate(r, t);
    for (size_t t = 0; t < at / 2; t++) /* what is loaded over */
      rate(other, RATINGS - t);
    assert_int_equal(ofw_recommender_save(r, path), OFW_OK);
    assert_int_equal(ofw_recommender_load(other, path), OFW_OK);
    for (size_t t = at; t < RATINGS; t++)
      assert_bits(rate(r, t), rate(other, t));
    assert_bits(ofw_recommender_accounts(r)->square_error, ofw_recommender_accounts(other)->square_error);
    ofw_recommender_free(r);
    ofw_recommender_free(other);
  }
  remove_files(path);
}

static void other_files_are_refused(void **state)
{
  (void)state;
  char path[64];
  ofw_recommender *r = made(SPEC), *other = made(SPEC ",forget=0.5"), *capped = made(SPEC);
  new_file(path);
  assert_int_equal(ofw_recommender_load(r, path), OFW_END);
  assert_true(ofw_recommender_error(r)[0] != 0);
  for (size_t t = 0; t < 100; t++) {
    rate(r, t);
    rate(other, t);
  }
  assert_int_equal(ofw_recommender_cap(capped, 2.5, 3, group, 40), OFW_OK);
  assert_int_equal(ofw_recommender_save(r, path), OFW_OK);
  double score, before;
  assert_int_equal(ofw_recommender_predict(other, 1, 2, &before), OFW_OK);
  assert_int_equal(ofw_recommender_load(other, path), OFW_BAD_DATA);
  assert_non_null(strstr(ofw_recommender_error(other), "/state: a state saved with 'forget=0.98999999999999999'"));
  assert_int_equal(ofw_recommender_predict(other, 1, 2, &score), OFW_OK);
  assert_bits(score, before);
  assert_int_equal(ofw_recommender_load(capped, path), OFW_BAD_DATA);
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  fseek(file, -100, SEEK_END);
  fputc('?', file);
  fclose(file);
  assert_int_equal(ofw_recommender_load(r, path), OFW_BAD_DATA);
  assert_non_null(strstr(ofw_recommender_error(r), "damaged"));
  assert_int_equal(ofw_recommender_save(r, "/no/such/folder/state"), OFW_FAILED);
  assert_true(ofw_recommender_error(r)[0] != 0);
  ofw_recommender_free(r);
  ofw_recommender_free(other);
  ofw_recommender_free(capped);
  remove_files(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(predicts_as_the_command_does), cmocka_unit_test(specs),
      cmocka_unit_test(refusals_change_nothing),      cmocka_unit_test(a_file_continues_bit_for_bit),
      cmocka_unit_test(other_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
