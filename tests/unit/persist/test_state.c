#include "persist/walk.h"
#include "unit/base/check.h"

#include <stdio.h>
#include <stdlib.h>

/* Something with a state: a count, a name longer than a word, an empty item, and several numbers. */
typedef struct thing {
  uint64_t t;
  double value[3];
  double last;
} thing;

static ofw_status visit(void *object, ofw_visitor *v)
{
  thing *x = object;
  OFW_TRY(ofw_visit_u64(v, "t", &x->t, 1));
  OFW_TRY(v->words(v->ctx, "a-rather-long-name", x->value, 3));
  OFW_TRY(v->words(v->ctx, "nothing", x->value, 0));
  return v->words(v->ctx, "eight888", &x->last, 1);
}

static const thing original = {77, {1.5, (double)NAN, -0.0}, 1e308};
static const thing other = {1, {2, 3, 4}, 5};

static ofw_saved part(thing *x, const char *config)
{
  return (ofw_saved){x, visit, config};
}

static ofw_state saved(void)
{
  thing x = original;
  ofw_saved p = part(&x, "thing=1");
  ofw_state state = {0};
  assert_int_equal(ofw_state_save(&p, 1, &state, NULL), OFW_OK);
  return state;
}

/* Refused for that reason (NULL: any), and nothing changed. */
static void refused(const ofw_state *state, const char *config, const char *message)
{
  thing x = other;
  ofw_saved p = part(&x, config);
  ofw_error err = {0};
  assert_int_equal(ofw_state_load(&p, 1, state, &err), OFW_BAD_DATA);
  assert_int_equal(err.status, OFW_BAD_DATA);
  assert_true(err.message[0] != 0);
  if (message)
    assert_string_equal(err.message, message);
  assert_memory_equal(&x, &other, sizeof x);
  assert_int_equal(ofw_state_load(&p, 1, state, NULL), OFW_BAD_DATA);
}

static void test_round_trip(void **state)
{
  (void)state;
  ofw_state s = saved(), again = {0};
  thing x = other;
  ofw_saved p = part(&x, "thing=1");
  assert_int_equal(ofw_state_load(&p, 1, &s, NULL), OFW_OK);
  assert_memory_equal(&x, &original, sizeof x);
  assert_int_equal(ofw_state_save(&p, 1, &again, NULL), OFW_OK);
  assert_int_equal(again.size, s.size);
  assert_memory_equal(again.bytes, s.bytes, s.size);
  x.t++; /* saving into a used one replaces it */
  assert_int_equal(ofw_state_save(&p, 1, &again, NULL), OFW_OK);
  x = other;
  assert_int_equal(ofw_state_load(&p, 1, &again, NULL), OFW_OK);
  assert_int_equal(x.t, original.t + 1);
  ofw_state_free(&s), ofw_state_free(&again);
  assert_null(s.bytes);
  ofw_state_free(&s);
}

/* The layout that state.h writes down, read here by hand: a header and "thing=1" with its 0, which need no padding. */
enum { HEADER = 40, ITEMS = 48 };

static uint64_t number_at(const ofw_state *s, size_t at)
{
  uint64_t x;
  assert_true(at + 8 <= s->size);
  memcpy(&x, s->bytes + at, 8);
  return x;
}

/* Marks the bytes that say what a number is, not the numbers themselves or padding: 1 means it must not change. */
static unsigned char *structure(const ofw_state *s)
{
  unsigned char *fixed = calloc(s->size, 1);
  assert_non_null(fixed);
  memset(fixed, 1, ITEMS);
  for (size_t at = ITEMS; at < s->size;) {
    size_t length = (size_t)number_at(s, at);
    memset(fixed + at, 1, 8 + length);
    at += 8 + (length + 7) / 8 * 8;
    memset(fixed + at, 1, 8);
    at += 8 + 8 * (size_t)number_at(s, at);
  }
  return fixed;
}

static void test_layout(void **state)
{
  (void)state;
  ofw_state s = saved();
  assert_memory_equal(s.bytes, "ofwstate", 8);
  assert_int_equal(number_at(&s, 8), 2);
  assert_int_equal(number_at(&s, 16), 8);
  assert_int_equal(number_at(&s, 24), s.size - HEADER);
  assert_string_equal((char *)s.bytes + HEADER, "thing=1");
  assert_int_equal(number_at(&s, 48), 1);
  assert_int_equal(s.bytes[56], 't');
  assert_int_equal(number_at(&s, 64), 1);
  assert_int_equal(number_at(&s, 72), 77);
  assert_int_equal(number_at(&s, 80), strlen("a-rather-long-name"));
  assert_int_equal(s.size, ITEMS + (8 + 8 + 8 + 8) + (8 + 24 + 8 + 24) + (8 + 8 + 8) + (8 + 8 + 8 + 8));
  ofw_state_free(&s);
}

static void test_another_configuration(void **state)
{
  (void)state;
  ofw_state s = saved();
  static const char *const configs[][2] = {
      {"thing=2", "a state saved with 'thing=1', but this play has 'thing=2'; use the same options"},
      {"thing=1 ", "a state saved without '', which this play has; use the same options"},
      {"thing=1 more=2", "a state saved without 'more=2', which this play has; use the same options"},
      {"", "a state saved with 'thing=1', but this play has ''; use the same options"},
      {"thing=", "a state saved with 'thing=1', but this play has 'thing='; use the same options"},
      {"1=thing", "a state saved with 'thing=1', but this play has '1=thing'; use the same options"},
  };
  for (size_t i = 0; i < sizeof configs / sizeof *configs; i++)
    refused(&s, configs[i][0], configs[i][1]);
  ofw_state_free(&s);
}

/* Configurations are told apart part by part: "ab", "c" is not "a", "bc". */
static void test_parts(void **state)
{
  (void)state;
  thing x = original, y = other;
  ofw_saved first[] = {part(&x, "ab"), part(&y, "c")}, second[] = {part(&x, "a"), part(&y, "bc")};
  ofw_state s = {0};
  ofw_error err = {0};
  assert_int_equal(ofw_state_save(first, 2, &s, NULL), OFW_OK);
  assert_int_equal(ofw_state_load(second, 2, &s, &err), OFW_BAD_DATA);
  assert_string_equal(err.message, "a state saved with 'ab', but this play has 'a'; use the same options");
  assert_int_equal(ofw_state_load(first, 1, &s, &err), OFW_BAD_DATA);
  assert_string_equal(err.message, "the state has other parts than this play");
  x = other, y = original;
  assert_int_equal(ofw_state_load(first, 2, &s, NULL), OFW_OK);
  assert_memory_equal(&x, &original, sizeof x);
  assert_memory_equal(&y, &other, sizeof y);
  ofw_state_free(&s);
}

static void test_another_version(void **state)
{
  (void)state;
  ofw_state s = saved();
  s.bytes[8] = 3;
  refused(&s, "thing=1", "the state has version 3; this ofw reads versions 1 to 2");
  s.bytes[8] = 0;
  refused(&s, "thing=1", "the state has version 0; this ofw reads versions 1 to 2");
  s.bytes[8] = 1; /* whose header is shorter, and whose third number is a hash */
  refused(&s, "thing=1", "the state needs 160 bytes, found 168");
  uint64_t follows = s.size - 32;
  memcpy(s.bytes + 24, &follows, 8);
  refused(&s, "thing=1", "a state saved with other options; use the same ones");
  s.bytes[0] = 'O';
  refused(&s, "thing=1", "not a saved state");
  ofw_state_free(&s);
  refused(&(ofw_state){0}, "thing=1", "not a saved state");
}

/* So that the size and the checksum in its header are those of what it has become. */
static void seal(ofw_state *s)
{
  uint64_t follows = s->size - HEADER, sum = ofw_state_sum(s->bytes + HEADER, s->size - HEADER);
  memcpy(s->bytes + 24, &follows, 8);
  memcpy(s->bytes + 32, &sum, 8);
}

/* Cut at every length, as it is and with a header that agrees; in memory of just that size. */
static void test_truncated(void **state)
{
  (void)state;
  ofw_state s = saved();
  for (size_t size = 0; size < s.size; size++) {
    ofw_state cut = {malloc(size ? size : 1), size};
    assert_non_null(cut.bytes);
    memcpy(cut.bytes, s.bytes, size);
    refused(&cut, "thing=1", size < HEADER ? "not a saved state" : NULL);
    if (size >= HEADER) {
      seal(&cut);
      refused(&cut, "thing=1", NULL);
    }
    free(cut.bytes);
  }
  s.size -= 8;
  refused(&s, "thing=1", "the state needs 160 bytes, found 152");
  seal(&s);
  refused(&s, "thing=1", "the state ends within eight888");
  s.size -= 24;
  seal(&s);
  refused(&s, "thing=1", "the state ends before eight888");
  ofw_state_free(&s);
}

static void test_going_on(void **state)
{
  (void)state;
  ofw_state s = saved();
  for (size_t more = 1; more <= 24; more++) {
    ofw_state longer = {calloc(s.size + more, 1), s.size + more};
    assert_non_null(longer.bytes);
    memcpy(longer.bytes, s.bytes, s.size);
    refused(&longer, "thing=1", NULL); /* the header says less */
    seal(&longer);
    refused(&longer, "thing=1", "bytes follow the end of the state");
    free(longer.bytes);
  }
  ofw_state_free(&s);
}

/* Every byte by every mask; and what says what a number is even where the checksum fits. */
static void test_flipped(void **state)
{
  (void)state;
  ofw_state s = saved();
  unsigned char *fixed = structure(&s);
  for (size_t at = 0; at < s.size; at++)
    for (unsigned mask = 1; mask < 256; mask++) {
      s.bytes[at] = (unsigned char)(s.bytes[at] ^ mask);
      refused(&s, "thing=1", NULL);
      if (at >= HEADER && fixed[at]) {
        seal(&s);
        refused(&s, "thing=1", NULL);
      }
      s.bytes[at] = (unsigned char)(s.bytes[at] ^ mask);
      seal(&s);
    }
  s.bytes[ITEMS + 24] ^= 1;
  refused(&s, "thing=1", "the state is damaged: it does not match its checksum");
  s.bytes[ITEMS + 24] ^= 1;
  s.bytes[ITEMS + 8] = 'q', seal(&s);
  refused(&s, "thing=1", "the state has 'q' in place of t");
  s.bytes[ITEMS + 8] = 't';
  s.bytes[ITEMS + 16] = 3, seal(&s);
  refused(&s, "thing=1",
          "the state has 3 numbers for t, expected 1: another release of ofw or other settings wrote it");
  free(fixed);
  ofw_state_free(&s);
}

static ofw_status stubborn(void *object, ofw_visitor *v)
{
  (void)object, (void)v;
  return OFW_FAILED;
}

static void test_failed_save(void **state)
{
  (void)state;
  ofw_state s = saved(), kept = s;
  ofw_saved p = {NULL, stubborn, "x"};
  ofw_error err = {0};
  assert_int_equal(ofw_state_save(&p, 1, &s, &err), OFW_FAILED);
  assert_true(err.message[0] != 0);
  assert_ptr_equal(s.bytes, kept.bytes); /* the old one is still there */
  assert_int_equal(s.size, kept.size);
  ofw_state_free(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_layout),
      cmocka_unit_test(test_another_configuration),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_another_version),
      cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_going_on),
      cmocka_unit_test(test_flipped),
      cmocka_unit_test(test_failed_save),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
