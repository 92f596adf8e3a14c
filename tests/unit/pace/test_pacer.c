#include "apps/pace/pacer.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { HOUR = 3600 };

static const char *const option[] = {"constraints=budgets"};

static pacer_settings plain(void)
{
  return (pacer_settings){
      .slot = 60.0, .day = HOUR, .first = 0.5, .guard = 1, .learner = "ofw-ada", .options = 1, .option = option};
}

typedef struct seen {
  size_t slots, days;
  pacer_slot slot[2000]; /* the last ones */
  pacer_account day[200];
} seen;

static void on_slot(void *ctx, const pacer_slot *s)
{
  seen *x = ctx;
  assert_true(x->slots < sizeof x->slot / sizeof *x->slot);
  x->slot[x->slots++] = *s;
}

static void on_day(void *ctx, size_t campaign, int64_t day, const pacer_account *account)
{
  seen *x = ctx;
  (void)campaign;
  (void)day;
  assert_true(x->days < sizeof x->day / sizeof *x->day);
  x->day[x->days++] = *account;
}

static double offer(pacer *p, double time, double value, double cost)
{
  double multiplier, bid;
  ofw_error err = {0};
  assert_int_equal(pacer_bid(p, time, 0, value, &multiplier, &bid, &err), OFW_OK);
  assert_int_equal(pacer_outcome(p, 0, value, cost, bid >= cost, cost, &err), OFW_OK);
  return bid;
}

/* Auctions of value 1 cost 0.1, 0.2, .. 1.0 in turn, ten per slot: 5.5 in all. With 1.5 per slot a multiplier of 0.5 is right. */
static void it_finds_the_multiplier(void **state)
{
  (void)state;
  pace_budgets b = {0};
  static seen x;
  ofw_error err = {0};
  x = (seen){0};
  pacer_settings s = plain();
  assert_int_equal(pace_budgets_add(&b, "a=90", &err), OFW_OK);
  pacer *p = pacer_create(&s, &b, &err);
  assert_non_null(p);
  pacer_listen(p, on_slot, on_day, &x);
  for (int day = 0; day < 4; day++)
    for (int i = 0; i < 600; i++)
      offer(p, HOUR * day + 6.0 * i, 1.0, 0.1 * (1 + (7 * i) % 10));
  assert_int_equal(pacer_finish(p, &err), OFW_OK);
  assert_int_equal(x.slots, 240);
  assert_int_equal(x.days, 4);
  for (size_t i = 120; i < x.slots; i++)
    assert_true(x.slot[i].multiplier > 0.35 && x.slot[i].multiplier < 0.75);
  for (size_t i = 1; i < x.days; i++)
    assert_true(x.day[i].spend > 0.95 * 90.0 && x.day[i].spend <= 90.0 && x.day[i].over == 0.0 &&
                x.day[i].opportunities == 600);
  pacer_free(p);
  pace_budgets_free(&b);
}

static void bids_and_refusals(void **state)
{
  (void)state;
  pace_budgets b = {0};
  ofw_error err = {0};
  double multiplier, bid;
  pacer_settings s = plain();
  char line[][32] = {"campaign,day,budget", "a,0,10", "a,1,0"};
  pace_table t = pace_budgets_table(NULL);
  for (size_t i = 0; i < 3; i++)
    pace_budgets_line(&b, &t, line[i], strlen(line[i]), &err);
  pacer *p = pacer_create(&s, &b, &err);
  assert_true(offer(p, 5.0, 8.0, 3.0) == 4.0);  /* the first multiplier, until a slot is over */
  assert_true(offer(p, 6.0, 18.0, 6.5) == 7.0); /* 3 of 10 are spent */
  assert_true(offer(p, 6.0, 8.0, 1.0) == 0.5);
  assert_int_equal(pacer_bid(p, 5.9, 0, 1.0, &multiplier, &bid, &err), OFW_BAD_DATA);
  assert_int_equal(pacer_bid(p, 2.0 * HOUR, 0, 1.0, &multiplier, &bid, &err), OFW_BAD_DATA);
  assert_true(offer(p, 6.0, 1e6, 7.0) == 0.5); /* refusals have changed nothing */
  assert_true(offer(p, HOUR + 1.0, 8.0, 0.0) == 0.0);
  assert_int_equal(pacer_finish(p, &err), OFW_OK);
  pacer_free(p);
  pace_budgets_free(&b);
}

/* What a slot is planned for includes the slots before it in which nothing came, and never more than 1.5 times the first plan. */
static void plans(void **state)
{
  (void)state;
  pace_budgets b = {0};
  static seen x;
  ofw_error err = {0};
  x = (seen){0};
  pacer_settings s = plain();
  assert_int_equal(pace_budgets_add(&b, "a=60", &err), OFW_OK);
  pacer *p = pacer_create(&s, &b, &err);
  pacer_listen(p, on_slot, on_day, &x);
  offer(p, 0.0, 1.0, 1e6);         /* slot 0; nothing is won: it costs more than the budget */
  offer(p, 60.0 * 30, 1.0, 1e6);   /* slot 30 */
  offer(p, 60.0 * 59, 1.0, 1e6);   /* slot 59 */
  offer(p, HOUR + 60.0, 1.0, 1e6); /* slot 1 of the next day */
  assert_int_equal(pacer_finish(p, &err), OFW_OK);
  assert_int_equal(x.slots, 4);
  assert_true(fabs(x.slot[0].plan - 1.0) < 1e-12);
  assert_true(fabs(x.slot[1].plan - 60.0 * 30 / 59) < 1e-9);
  assert_true(fabs(x.slot[2].plan - 1.5 * 29) < 1e-9);
  assert_true(fabs(x.slot[1].planned - 31.0) < 1e-9 && fabs(x.slot[2].planned - 60.0) < 1e-9);
  assert_true(x.slot[3].begins == HOUR + 60.0 && x.slot[3].spent == 0.0);
  pacer_free(p);
  pace_budgets_free(&b);
}

/* Two campaigns, three days; some slots have no auction of one of them. */
enum { OFFERS = 3 * 200 };

static double play(pacer *p, int k)
{
  double time = 18.0 * k, value = 1.0 + 0.3 * (k % 5), cost = 0.2 + 0.17 * ((7 * k) % 11), multiplier, bid;
  size_t which = k % 7 < 2 || (k / 30) % 3 == 0;
  ofw_error err = {0};
  assert_int_equal(pacer_bid(p, time, which, value, &multiplier, &bid, &err), OFW_OK);
  assert_int_equal(pacer_outcome(p, which, value, cost, bid >= cost, cost, &err), OFW_OK);
  return bid;
}

static pacer *made(const pacer_settings *s, pace_budgets *b, const char *first, const char *second)
{
  ofw_error err = {0};
  assert_int_equal(pace_budgets_add(b, first, &err), OFW_OK);
  assert_int_equal(pace_budgets_add(b, second, &err), OFW_OK);
  pacer *p = pacer_create(s, b, &err);
  assert_non_null(p);
  return p;
}

static void assert_same_state(pacer *p, pacer *q)
{
  ofw_state a = {0}, b = {0};
  ofw_error err = {0};
  assert_int_equal(pacer_save(p, NULL, &a, &err), OFW_OK);
  assert_int_equal(pacer_save(q, NULL, &b, &err), OFW_OK);
  assert_int_equal(a.size, b.size);
  assert_memory_equal(a.bytes, b.bytes, a.size);
  ofw_state_free(&a);
  ofw_state_free(&b);
}

static void a_loaded_one_goes_on(void **state)
{
  (void)state;
  pacer_settings s = plain();
  for (int at = 0; at < OFFERS; at += at < 12 ? 1 : 97) {
    pace_budgets b = {0}, c = {0};
    pacer *p = made(&s, &b, "a=40", "b=25"), *q = made(&s, &c, "a=40", "b=25");
    ofw_state saved = {0};
    ofw_error err = {0};
    for (int k = 0; k < at; k++)
      play(p, k);
    for (int k = 0; k < at / 2; k++) /* what is loaded over */
      play(q, 2 * k);
    assert_int_equal(pacer_save(p, NULL, &saved, &err), OFW_OK);
    if (pacer_load(q, NULL, &saved, &err) != OFW_OK)
      fail_msg("%s", err.message);
    assert_same_state(p, q);
    for (int k = at; k < OFFERS; k++)
      assert_true(play(p, k) == play(q, k));
    assert_int_equal(pacer_finish(p, &err), OFW_OK);
    assert_int_equal(pacer_finish(q, &err), OFW_OK);
    assert_same_state(p, q);
    ofw_state_free(&saved);
    pacer_free(p);
    pacer_free(q);
    pace_budgets_free(&b);
    pace_budgets_free(&c);
  }
}

static void refused(pacer *p, const ofw_state *saved, const char *words)
{
  ofw_state before = {0}, after = {0};
  ofw_error err = {0};
  pacer_save(p, NULL, &before, &err);
  assert_int_equal(pacer_load(p, NULL, saved, &err), OFW_BAD_DATA);
  if (!strstr(err.message, words))
    fail_msg("'%s' does not say '%s'", err.message, words);
  pacer_save(p, NULL, &after, &err);
  assert_int_equal(before.size, after.size);
  assert_memory_equal(before.bytes, after.bytes, before.size);
  ofw_state_free(&before);
  ofw_state_free(&after);
}

/* The words of the first item of this name that has any. */
static unsigned char *item_of(const ofw_state *state, const char *name)
{
  ofw_state_texts texts;
  ofw_state_item item;
  assert_int_equal(ofw_state_describe(state, &texts, NULL), OFW_OK);
  size_t at = texts.items;
  while (ofw_state_next(state, &at, &item))
    if (item.count > 0 && item.length == strlen(name) && memcmp(item.name, name, item.length) == 0)
      return state->bytes + (item.words - state->bytes);
  fail_msg("no %s", name);
  return NULL;
}

/* The state with one word of an item changed, whose checksum fits. */
static void forge(ofw_state *state, const char *name, size_t word, uint64_t to)
{
  enum { CHECKSUM = 32, HEADER = 40 };
  memcpy(item_of(state, name) + 8 * word, &to, sizeof to);
  uint64_t sum = ofw_state_sum(state->bytes + HEADER, state->size - HEADER);
  memcpy(state->bytes + CHECKSUM, &sum, sizeof sum);
}

static void other_states_are_refused(void **state)
{
  (void)state;
  enum { STARTED, DAY, SLOT, PLANNED };
  pacer_settings s = plain(), t = s;
  pace_budgets b[4] = {{0}};
  ofw_state saved = {0};
  ofw_error err = {0};
  t.slot = 30.0;
  pacer *p = made(&s, &b[0], "a=40", "b=25"), *turned = made(&s, &b[1], "b=25", "a=40"),
        *longer = made(&s, &b[2], "a=40", "bb=25"), *shorter = made(&t, &b[3], "a=40", "b=25");
  for (int k = 0; k < 100; k++)
    play(p, k);
  assert_int_equal(pacer_save(p, NULL, &saved, &err), OFW_OK);
  for (int k = 0; k < 10; k++)
    play(turned, k);
  refused(turned, &saved, "other campaigns");
  refused(longer, &saved, "other campaigns");
  refused(shorter, &saved, "'slot=60', but this play has 'slot=30'");
  saved.bytes[saved.size / 2] ^= 1;
  refused(p, &saved, "does not match its checksum");
  saved.bytes[saved.size / 2] ^= 1;
  forge(&saved, "place", SLOT, 60);
  refused(p, &saved, "the state is damaged: its slot is not one of a day's 60");
  forge(&saved, "place", SLOT, 59);
  forge(&saved, "place", PLANNED, 61);
  refused(p, &saved, "the state is damaged: its slot is not one of a day's 60");
  forge(&saved, "place", PLANNED, 60);
  forge(&saved, "auctions", 0, UINT64_C(0x7ff8000000000000)); /* NaN */
  refused(p, &saved, "the state is damaged: place 0 of auctions has no auction");
  ofw_state_free(&saved);
  pacer_free(p);
  pacer_free(turned);
  pacer_free(longer);
  pacer_free(shorter);
  for (int k = 0; k < 4; k++)
    pace_budgets_free(&b[k]);
}

static void a_learner_that_cannot_be(void **state)
{
  (void)state;
  pace_budgets b = {0};
  ofw_error err = {0};
  pacer_settings s = plain();
  s.learner = "bfw-ada"; /* sees numbers only */
  assert_int_equal(pace_budgets_add(&b, "a=60", &err), OFW_OK);
  assert_null(pacer_create(&s, &b, &err));
  assert_true(err.status != OFW_OK && err.message[0]);
  pace_budgets_free(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_finds_the_multiplier),
      cmocka_unit_test(bids_and_refusals),
      cmocka_unit_test(plans),
      cmocka_unit_test(a_loaded_one_goes_on),
      cmocka_unit_test(other_states_are_refused),
      cmocka_unit_test(a_learner_that_cannot_be),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
