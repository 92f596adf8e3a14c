/* Decisions of open rounds beside a list that is searched from end to end: kept, dropped in any order, saved, refused. */
#include "engine/engine.h"
#include "linalg/rng.h"
#include "persist/walk.h"
#include "server/open_decisions.h"
#include "unit/base/check.h"

#include <string.h>

enum { MOST = 7, DIM = 3, STEPS = 5000 };

/* The slow version: rounds in any order, 0: a free place. */
typedef struct slow {
  uint64_t round[MOST];
  double x[MOST][DIM];
} slow;

static double draw(uint64_t step, uint64_t which)
{
  return ofw_rng_unit((ofw_rng_key){9, OFW_RNG_LOSS, step}, which);
}

static size_t place_of(const slow *s, uint64_t round)
{
  size_t k = 0;
  while (k < MOST && s->round[k] != round)
    k++;
  return k;
}

static void must_agree(const open_decisions *o, const slow *s, uint64_t last)
{
  size_t count = 0;
  for (uint64_t round = 1; round <= last + 1; round++) {
    const double *found = open_decisions_find(o, round);
    size_t k = place_of(s, round);
    assert_int_equal(found != NULL, k < MOST);
    if (found)
      assert_memory_equal(found, s->x[k], sizeof s->x[k]);
    count += found != NULL;
  }
  assert_int_equal(o->count, count);
}

static ofw_status visit(void *object, ofw_visitor *v)
{
  return open_decisions_visit(object, v);
}

/* Into another that holds something else. */
static void move(open_decisions *from, open_decisions *to)
{
  ofw_state state = {0};
  ofw_error err = {0};
  assert_int_equal(ofw_state_save(&(ofw_saved){from, visit, "x"}, 1, &state, &err), OFW_OK);
  if (ofw_state_load(&(ofw_saved){to, visit, "x"}, 1, &state, &err) != OFW_OK)
    fail_msg("%s", err.message);
  ofw_state_free(&state);
}

static void test_kept_dropped_and_saved(void **unused)
{
  (void)unused;
  open_decisions now, other;
  slow s = {0};
  uint64_t last = 0;
  assert_int_equal(open_decisions_open(&now, MOST, DIM, NULL), OFW_OK);
  assert_int_equal(open_decisions_open(&other, MOST, DIM, NULL), OFW_OK);
  for (uint64_t step = 0; step < STEPS; step++) {
    size_t k = place_of(&s, 0);
    if (k < MOST && draw(step, 0) < 0.5) {
      ofw_copied copy;
      for (size_t i = 0; i < DIM; i++)
        s.x[k][i] = draw(step, 1 + i);
      s.round[k] = ++last;
      ofw_point x = ofw_copied_point(&copy, 1, DIM, s.x[k]);
      open_decisions_add(&now, last, &x);
    } else {
      uint64_t round = s.round[(size_t)(MOST * draw(step, 4))];
      round = round ? round : 1 + (uint64_t)((double)last * draw(step, 5)); /* which may be none that is kept */
      k = place_of(&s, round);
      if (k < MOST)
        s.round[k] = 0;
      open_decisions_drop(&now, round);
    }
    if (step % 50 == 0) {
      must_agree(&now, &s, last);
      move(&now, &other);
      open_decisions before = now;
      now = other;
      other = before;
      must_agree(&now, &s, last);
    }
  }
  assert_true(last > STEPS / 4);
  open_decisions_close(&now);
  open_decisions_close(&other);
}

/* A state of another size, of too many, or in no order. */
static void test_damage(void **unused)
{
  (void)unused;
  open_decisions from, to;
  const double number[DIM] = {1, 2, 3};
  ofw_copied copy;
  ofw_point x = ofw_copied_point(&copy, 1, DIM, number);
  ofw_error err = {0};
  assert_int_equal(open_decisions_open(&from, 2, DIM, NULL), OFW_OK);
  open_decisions_add(&from, 4, &x);
  open_decisions_add(&from, 5, &x);
  static const struct {
    size_t most, dim;
    uint64_t second;
  } cases[] = {{1, DIM, 5}, {2, DIM + 1, 5}, {2, DIM, 4}, {2, DIM, 0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ofw_state state = {0};
    from.list[1].round = cases[k].second;
    assert_int_equal(ofw_state_save(&(ofw_saved){&from, visit, "x"}, 1, &state, &err), OFW_OK);
    assert_int_equal(open_decisions_open(&to, cases[k].most, cases[k].dim, NULL), OFW_OK);
    assert_int_equal(ofw_state_load(&(ofw_saved){&to, visit, "x"}, 1, &state, &err), OFW_BAD_DATA);
    assert_non_null(strstr(err.message, "the decisions of open rounds are damaged"));
    assert_int_equal(to.count, 0);
    open_decisions_close(&to);
    ofw_state_free(&state);
  }
  open_decisions_close(&from);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept_dropped_and_saved), cmocka_unit_test(test_damage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
