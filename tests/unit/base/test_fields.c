/* test_fields.c — the walk over a table of fields: which variables it visits, in what order, and what it writes back */
#include "base/fields.h"
#include "unit/base/check.h"

#include <string.h>

typedef struct inner {
  double z;
} inner;

typedef struct thing {
  uint64_t t;
  int flag;
  double *numbers, *none;
  size_t length;
  inner part;
  double last;
} thing;

static const ofw_field fields[] = {
    {OFW_SAME(thing, t)},
    {OFW_FLAG("flag", thing, flag)},
    {OFW_ARRAY("numbers", thing, numbers, length)},
    {OFW_ARRAY("none", thing, none, length)},
    {OFW_WORD("part-z", thing, part.z)},
    {OFW_SAME(thing, last)},
    {0},
};

/* What a walk has met: names, and all words one after the other. */
typedef struct met {
  char names[64];
  uint64_t word[8];
  size_t words;
  int write;  /* 1: words are overwritten by these */
  int refuse; /* the visitor fails at this word, counted from 1; 0: never */
} met;

static ofw_status meet(void *ctx, const char *name, void *item, size_t n)
{
  met *m = ctx;
  strcat(strcat(m->names, name), " ");
  if (m->refuse && m->words + n >= (size_t)m->refuse)
    return OFW_BAD_DATA;
  if (m->write)
    memcpy(item, m->word + m->words, n * 8);
  else
    memcpy(m->word + m->words, item, n * 8);
  m->words += n;
  return OFW_OK;
}

static void test_walk(void **state)
{
  (void)state;
  double numbers[3] = {1.5, -2.0, 1e300}, others[3] = {0};
  thing from = {7, 1, numbers, NULL, 3, {0.25}, 9.0}, to = {0, 0, others, NULL, 3, {0.0}, 0.0};
  met m = {0};
  ofw_visitor v = {.words = meet, .ctx = &m};
  assert_int_equal(ofw_visit_fields(fields, &from, &v), OFW_OK);
  assert_string_equal(m.names, "t flag numbers part-z last ");
  assert_int_equal(m.words, 7);
  assert_int_equal(m.word[0], 7);
  assert_int_equal(m.word[1], 1);
  assert_memory_equal(m.word + 2, numbers, sizeof numbers);
  m.words = 0;
  m.write = 1;
  assert_int_equal(ofw_visit_fields(fields, &to, &v), OFW_OK);
  assert_true(to.t == 7 && to.flag == 1 && to.part.z == 0.25 && to.last == 9.0);
  assert_memory_equal(others, numbers, sizeof numbers);
}

/* A flag is 0 or 1 whatever number is loaded or kept. */
static void test_flags(void **state)
{
  (void)state;
  thing x = {.flag = -5};
  met m = {0};
  ofw_visitor v = {.words = meet, .ctx = &m};
  assert_int_equal(ofw_visit_fields(fields, &x, &v), OFW_OK);
  assert_int_equal(m.word[1], 1);
  m = (met){.write = 1, .word = {0, (uint64_t)1 << 40}};
  assert_int_equal(ofw_visit_fields(fields, &x, &v), OFW_OK);
  assert_int_equal(x.flag, 1);
}

/* The first refusal ends the walk; no table has no fields. */
static void test_ends(void **state)
{
  (void)state;
  double numbers[3] = {0};
  thing x = {.numbers = numbers, .length = 3, .last = 4.0};
  met m = {.refuse = 3, .write = 1};
  ofw_visitor v = {.words = meet, .ctx = &m};
  assert_int_equal(ofw_visit_fields(fields, &x, &v), OFW_BAD_DATA);
  assert_string_equal(m.names, "t flag numbers ");
  assert_true(x.last == 4.0);
  m = (met){0};
  assert_int_equal(ofw_visit_fields(NULL, &x, &v), OFW_OK);
  assert_string_equal(m.names, "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_walk),
      cmocka_unit_test(test_flags),
      cmocka_unit_test(test_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
