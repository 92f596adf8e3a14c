/* test_dense_words.c — draws that x meets as it is written, next to those that it meets when it is asked */
#include "unit/engine/held.h"

enum { ROWS = 263, COLS = 251, CELLS = ROWS * COLS };

typedef struct player {
  ofw_engine *E;
  double u[ROWS], v[COLS];
} player;

static ofw_domain *K;

static player begin(int floats, size_t threads)
{
  player p = {.E = ofw_engine_open_dense(K, 0, floats, threads, NULL)};
  uint64_t seed = 9;
  assert_non_null(p.E);
  assert_int_equal(p.E->ops->lead->keep(p.E, NULL), OFW_OK);
  any_reals(&seed, ROWS, p.u);
  any_reals(&seed, COLS, p.v);
  return p;
}

static ofw_vec draws(uint64_t round)
{
  ofw_vec P = ofw_vec_random(CELLS, (ofw_rng_key){3, 4, round}, OFW_UNIFORM);
  P.scale = -1.5;
  return P;
}

static double meet(const player *p, uint64_t round)
{
  double out;
  ofw_vec P = draws(round);
  assert_int_equal(p->E->ops->view->dot(p->E, (ofw_sum){1, &P}, &out), OFW_OK);
  return out;
}

static double meet_lead(const player *p, uint64_t round)
{
  ofw_vec P = draws(round);
  return p->E->ops->lead->dot(p->E, (ofw_sum){1, &P});
}

static void pull(player *p, uint64_t round)
{
  ofw_vec P = draws(round);
  p->E->ops->pull(p->E, 1.0, 0.0, 0.25, (ofw_sum){1, &P});
}

static double step(player *p, int both)
{
  ofw_vec atom = ofw_vec_rank_one(ROWS, COLS, p->u, p->v);
  ofw_sum v = {1, &atom};
  if (both)
    return p->E->ops->lead->step_both(p->E, v, 0.25, 0.75, 2.0);
  double lead2 = p->E->ops->lead->step(p->E, v, 0.25, 0.75);
  p->E->ops->step(p->E, v, 0.25, 2.0);
  return lead2;
}

/* x, d and y as they are */
typedef struct arrays {
  size_t n;
  double *at[3];
} arrays;

static ofw_status look(void *ctx, const char *name, void *item, size_t n)
{
  arrays *a = ctx;
  (void)name;
  (void)n;
  a->at[a->n++] = item;
  return OFW_OK;
}

static void assert_same(const player *a, const player *b)
{
  arrays of[2] = {0};
  assert_int_equal(a->E->ops->visit(a->E, &(ofw_visitor){.words = look, .ctx = &of[0]}), OFW_OK);
  assert_int_equal(b->E->ops->visit(b->E, &(ofw_visitor){.words = look, .ctx = &of[1]}), OFW_OK);
  for (size_t k = 0; k < 3; k++)
    assert_memory_equal(of[0].at[k], of[1].at[k], CELLS * sizeof(float));
}

/* One plays in turn, so that words are drawn ahead. The other is asked for draws of another time before each step, so that
 * none are, and moves x and y apart from each other. Not a bit differs, with any number of threads. */
static void in_turn(void **state)
{
  (void)state;
  for (int floats = 0; floats < 2; floats++) {
    player ahead = begin(floats, 1), plain = begin(floats, 1), threads = begin(floats, 3);
    for (uint64_t t = 1; t < 8; t++) {
      double x = meet(&ahead, t), y = meet_lead(&ahead, t);
      assert_true(meet(&plain, t) == x && meet_lead(&plain, t) == y);
      assert_true(meet(&threads, t) == x && meet_lead(&threads, t) == y);
      assert_true(t < 3 || (x != 0.0 && y != 0.0));
      pull(&ahead, t);
      pull(&plain, t);
      pull(&threads, t);
      meet(&plain, 1000 + 7 * t);
      double lead2 = step(&ahead, 1);
      assert_true(step(&plain, 0) == lead2 && step(&threads, 1) == lead2);
    }
    assert_same(&ahead, &plain);
    assert_same(&ahead, &threads);
    ahead.E->ops->close(ahead.E);
    plain.E->ops->close(plain.E);
    threads.E->ops->close(threads.E);
  }
}

/* What was drawn ahead is of no use if x or y has gone on since, or if another vec comes. */
static void out_of_turn(void **state)
{
  (void)state;
  static double x[CELLS];
  for (int way = 0; way < 4; way++) {
    player p = begin(0, 1), plain = begin(0, 1);
    for (uint64_t t = 1; t < 5; t++) {
      meet(&p, t);
      step(&p, 1);
      step(&plain, 0);
    }
    if (way == 1) {
      step(&p, 1); /* without a meeting */
      step(&plain, 0);
    }
    for (size_t i = 0; i < CELLS && way == 2; i++)
      x[i] = (double)i;
    if (way == 2) {
      p.E->ops->restart(p.E, x);
      plain.E->ops->restart(plain.E, x);
    }
    uint64_t next = way == 3 ? 77 : 5;
    double got = meet(&p, next), lead = meet_lead(&p, next);
    assert_true(got == meet(&plain, next) && lead == meet_lead(&plain, next) && got != 0.0);
    pull(&p, next);
    pull(&plain, next);
    assert_same(&p, &plain);
    p.E->ops->close(p.E);
    plain.E->ops->close(plain.E);
  }
}

static int open_ball(void **state)
{
  (void)state;
  K = domain("trace-ball:rows=263,cols=251,radius=2");
  return 0;
}

static int close_ball(void **state)
{
  (void)state;
  ofw_domain_free(K);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_turn), cmocka_unit_test(out_of_turn)};
  return cmocka_run_group_tests(tests, open_ball, close_ball);
}
