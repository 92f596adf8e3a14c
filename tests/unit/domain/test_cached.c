#include "unit/domain/oracle_check.h"

#include "learner/method.h"
#include "vector/vec_arithmetic.h"

enum { N = 12 };

/* Sets about the origin and not, with answers that are exact and that are not; d is of N numbers. */
static const char *const inner[] = {
    "l1-ball:dim=12,radius=2",  "simplex:dim=12,sum=3",
    "l2-ball:dim=12",           "box:dim=12,lower=1,upper=2",
    "trace-ball:rows=4,cols=3", "product:parts=(hypersimplex:dim=6,k=2;shifted:by=4,of=(l2-ball:dim=6))"};
enum { SETS = sizeof inner / sizeof *inner };

static ofw_domain *cached(const char *of, const char *rest)
{
  char spec[TEXT];
  say(spec, "cached:of=(%s)%s", of, rest);
  return domain_of(spec);
}

/* A direction that turns a little, at a scale that may be anything. */
static void turn(chance *c, double step, double *slope)
{
  for (size_t i = 0; i < N; i++)
    slope[i] += step * chance_normal(c);
}

/* Whatever it answers: a point of K, of that value, and no more than `error` above what K's own oracle finds; from memory
 * only within the accuracy that is wanted. Where directions turn slowly that saves calls, and memory is used at all
 * scales. */
static void within_what_it_says(void **state)
{
  (void)state;
  static const double scales[] = {1.0, 1e-310, 1e-160, 1e160, 1e300}, wanted[] = {0.1, 1e-3, 1e-9};
  for (size_t k = 0; k < SETS; k++)
    for (size_t a = 0; a < 3; a++) {
      opened o = open_seeded(cached(inner[k], ""), 3);
      ofw_domain *K = domain_of(inner[k]);
      chance c = {k};
      double slope[N], d[N], v[N], best[N], R = K->R;
      size_t saved[5] = {0}, hits = 0;
      chance_normals(&c, N, slope);
      for (int t = 0; t < 1500; t++) {
        size_t scale = (size_t)t / 30 % 5;
        ofw_answer out;
        turn(&c, t % 300 == 0 ? 1.0 : 1e-3, slope);
        for (size_t i = 0; i < N; i++)
          d[i] = scales[scale] * slope[i];
        assert_int_equal(answer(o, d, wanted[a], INFINITY, &out), OFW_OK);
        ofw_sum_dense(out.atom, N, v);
        long double norm = slow_norm(N, d), value = slow_dot(N, d, v), rounding = 1e-13L * R * norm + 0x1p-1070L;
        assert_at_most(ofw_domain_excess(K, v), 1e-13L * R);
        assert_near(out.value, value, rounding);
        assert_int_equal(ofw_domain_minimise(K, d, 1e-13, best, NULL, NULL), OFW_OK);
        assert_at_most(value, slow_dot(N, d, best) + out.error + rounding);
        int hit = out.atom.n == 1 && out.atom.term->kind == OFW_VEC_DENSE && out.error > 0.0 && out.passes == 0;
        hits += (size_t)hit;
        saved[scale] += (size_t)hit;
        if (hit)
          assert_at_most(out.error, wanted[a] * fabsl(value) * (1.0L + 1e-9L) + 0x1p-1070L);
      }
      if (a == 0)
        for (size_t s = 0; s < 5; s++)
          assert_true(saved[s] > 100);
      assert_true(a < 2 || hits < 150);
      ofw_domain_free(K);
      shut(o);
    }
}

static int counts_calls(void *ctx, const double *d, double *v)
{
  ++*(int *)ctx;
  for (size_t i = 0; i < 2; i++)
    v[i] = d[i] > 0.0 ? -1.0 : 1.0;
  return 0;
}

/* A cached box [-1, 1]^2 whose own oracle counts how often it is asked. */
static ofw_domain *cached_counting(int *calls)
{
  ofw_domain_callbacks own = {.size = sizeof own, .dim = 2, .R = 1.5, .r = 1.0, .minimise = counts_calls, .ctx = calls};
  ofw_domain *of = ofw_domain_create_own(&own, NULL), *K = cached("box:dim=2,lower=-1,upper=1", ",atoms=2");
  ofw_domain *box = K->of; /* what it wraps gives way */
  K->of = of;
  ofw_domain_free(box);
  return K;
}

/* The same direction at another length, or one nearby, is not asked for again; another is, and so is the same where its
 * error is not allowed. */
static void when_it_asks(void **state)
{
  (void)state;
  int calls = 0;
  ofw_domain *K = cached_counting(&calls);
  opened o = open_seeded(K, 1);
  ofw_answer out;
  static const struct {
    double d[2], relative, absolute;
    int calls;
  } step[] = {
      {{1.0, 2.0}, 1e-3, INFINITY, 1},       {{1.0, 2.0}, 1e-3, INFINITY, 1},   {{3e200, 6e200}, 1e-3, INFINITY, 1},
      {{1e-310, 2e-310}, 1e-3, INFINITY, 1}, {{1.0, 2.001}, 1e-2, INFINITY, 1}, {{1.0, 2.001}, 1e-6, INFINITY, 2},
      {{1.0, 2.002}, 1e-2, 1e-5, 3},         {{-1.0, -2.0}, 1e-2, INFINITY, 4}, {{-1.0, -2.0}, 1e-2, INFINITY, 4},
      {{1.0, -2.0}, 0.5, INFINITY, 5},       {{0.0, 0.0}, 1e-2, INFINITY, 5},   {{1.0, -2.001}, 1e-2, INFINITY, 5}};
  for (size_t t = 0; t < sizeof step / sizeof *step; t++) {
    assert_int_equal(answer(o, step[t].d, step[t].relative, step[t].absolute, &out), OFW_OK);
    if (calls != step[t].calls)
      fail_msg("step %zu: %d calls, not %d", t, calls, step[t].calls);
  }
  shut(o);
}

/* An answer that was good enough for who asked first may be off by what its oracle said, and more is not claimed for it. */
static void a_coarse_answer_stays_coarse(void **state)
{
  (void)state;
  enum { ROWS = 60, COLS = 50, DIM = ROWS * COLS };
  static double d[DIM], v[DIM], best[DIM];
  ofw_domain *K = domain_of("trace-ball:rows=60,cols=50");
  opened o = open_seeded(cached("trace-ball:rows=60,cols=50", ""), 3);
  int coarse = 0;
  for (uint64_t k = 1; k <= 10; k++) {
    chance c = {k};
    chance_normals(&c, DIM, d);
    assert_int_equal(ofw_domain_minimise(K, d, 1e-13, best, NULL, NULL), OFW_OK);
    long double least = slow_dot(DIM, d, best);
    for (int again = 0; again < 2; again++) {
      ofw_answer out;
      assert_int_equal(answer(o, d, again ? 1e-6 : 0.3, INFINITY, &out), OFW_OK);
      ofw_sum_dense(out.atom, DIM, v);
      long double off = slow_dot(DIM, d, v) - least;
      assert_at_most(off, out.error + 1e-12L * fabsl(least));
      coarse += !again && off > 1e-4L * fabsl(least);
    }
  }
  assert_true(coarse > 5);
  ofw_domain_free(K);
  shut(o);
}

/* What memory answered first was never asked of K: a sharper answer about it is not the continuation of an older search. */
static void a_sharper_answer_behind_memory(void **state)
{
  (void)state;
  enum { ROWS = 40, COLS = 20, DIM = ROWS * COLS };
  static double d[DIM], v[DIM], best[DIM];
  ofw_domain *K = domain_of("trace-ball:rows=40,cols=20");
  opened o = open_seeded(cached("trace-ball:rows=40,cols=20", ""), 3);
  chance c = {5};
  ofw_answer out;
  chance_normals(&c, DIM, d);
  assert_int_equal(answer(o, d, 1e-3, INFINITY, &out), OFW_OK);
  for (size_t i = 0; i < DIM; i++)
    d[i] += 0.02 * chance_normal(&c);
  assert_int_equal(answer(o, d, 0.3, INFINITY, &out), OFW_OK);
  assert_int_equal(out.passes, 0); /* from memory */
  ofw_direction sharper = ofw_direction_dense(o.K, d, (ofw_accuracy){1e-9, INFINITY, 1});
  assert_int_equal(o.K->ops->minimise(o.K, o.work, &sharper, &out, NULL), OFW_OK);
  assert_true(out.passes > 0);
  ofw_sum_dense(out.atom, DIM, v);
  assert_int_equal(ofw_domain_minimise(K, d, 1e-13, best, NULL, NULL), OFW_OK);
  assert_at_most(slow_dot(DIM, d, v) - slow_dot(DIM, d, best), out.error + 1e-12L);
  ofw_domain_free(K);
  shut(o);
}

/* Of what is remembered the best is taken, and the oldest is forgotten. */
static void the_best_that_is_remembered(void **state)
{
  (void)state;
  opened o = open_seeded(cached("l1-ball:dim=3", ",atoms=2"), 1);
  ofw_answer out;
  double v[3];
  answer(o, (double[]){1.0, 0.0, 0.0}, 1e-3, INFINITY, &out);
  answer(o, (double[]){0.0, 1.0, 0.0}, 1e-3, INFINITY, &out);
  assert_int_equal(answer(o, (double[]){1.001, 1.0, 0.0}, 10.0, INFINITY, &out), OFW_OK); /* anything will do */
  ofw_sum_dense(out.atom, 3, v);
  assert_true(v[0] == -1.0 && v[1] == 0.0 && out.error > 0.0);
  answer(o, (double[]){0.0, 0.0, 1.0}, 1e-3, INFINITY, &out); /* in the place of the first */
  assert_int_equal(answer(o, (double[]){1.001, 1.0, 0.0}, 10.0, INFINITY, &out), OFW_OK);
  ofw_sum_dense(out.atom, 3, v);
  assert_true(v[0] == 0.0 && v[1] == -1.0);
  shut(o);
}

typedef struct words {
  uint64_t word[600];
  size_t n;
  int load;
} words;

static ofw_status walk(void *ctx, const char *name, void *item, size_t n)
{
  (void)name;
  words *w = ctx;
  assert_true(w->n + n <= 600);
  if (w->load)
    memcpy(item, w->word + w->n, 8 * n);
  else
    memcpy(w->word + w->n, item, 8 * n);
  w->n += n;
  return OFW_OK;
}

/* What it remembers is its state: put into another, the two go on alike. */
static void the_state_round_trips(void **state)
{
  (void)state;
  for (size_t k = 0; k < SETS; k++)
    for (int rounds = 0; rounds < 12; rounds += 3) {
      opened a = open_seeded(cached(inner[k], ",atoms=5"), 3), b = open_seeded(cached(inner[k], ",atoms=5"), 3);
      words w = {.n = 0};
      ofw_visitor visitor = {.words = walk, .ctx = &w};
      chance c = {k};
      double d[N], v[N], u[N];
      ofw_answer out, other;
      chance_normals(&c, N, d);
      assert_int_equal(answer(b, d, 0.1, INFINITY, &other), OFW_OK); /* into a used one */
      for (int t = 0; t < rounds; t++) {
        turn(&c, t % 2 ? 0.01 : 1.0, d);
        assert_int_equal(answer(a, d, 0.1, INFINITY, &out), OFW_OK);
      }
      assert_int_equal(a.K->ops->visit(a.work, &visitor), OFW_OK);
      w.n = 0;
      w.load = 1;
      assert_int_equal(b.K->ops->visit(b.work, &visitor), OFW_OK);
      for (int t = 0; t < 20; t++) {
        turn(&c, t % 4 ? 0.01 : 1.0, d);
        assert_int_equal(answer(a, d, 0.1, INFINITY, &out), OFW_OK);
        assert_int_equal(answer(b, d, 0.1, INFINITY, &other), OFW_OK);
        assert_true(out.value == other.value && out.error == other.error && out.passes == other.passes);
        ofw_sum_dense(out.atom, N, v);
        ofw_sum_dense(other.atom, N, u);
        assert_memory_equal(v, u, sizeof v);
      }
      shut(a);
      shut(b);
    }
}

/* A learner over it gets where it would, and most of its calls are answered from memory. */
static void a_learner_asks_less(void **state)
{
  (void)state;
  enum { ROUNDS = 400 };
  int calls = 0;
  ofw_domain *K = cached_counting(&calls);
  ofw_learner_settings settings = {.size = sizeof settings, .horizon = ROUNDS, .lipschitz = 2.0};
  ofw_learner *l = ofw_learner_create_over("ofw-ada", K, &settings, NULL);
  ofw_vec gradient = ofw_vec_dense(2, (double[]){1.5, -1.0});
  double x[2] = {0};
  for (int t = 0; t < ROUNDS; t++) {
    const ofw_point *at;
    assert_int_equal(ofw_learner_decide(l, &at), OFW_OK);
    assert_int_equal(ofw_point_dense(at, x), OFW_OK);
    ofw_full seen = {.values = {.loss = 1.5 * x[0] - x[1]}, .loss_gradient = {1, &gradient}};
    assert_int_equal(ofw_learner_observe(l, &seen), OFW_OK);
  }
  ofw_info info = {.size = sizeof info};
  assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
  assert_int_equal(info.oracle_calls, ROUNDS); /* answers from memory are calls */
  assert_true(calls >= 1 && calls < ROUNDS / 4);
  assert_true(x[0] < -0.5 && x[1] > 0.5);
  ofw_learner_free(l);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("cached", "", ": of is required (the set K, as (spec))");
  misused("cached", ":of=(l1-ball:dim=2),atoms=0", ": atoms=0 is not in [1, 65536]");
  misused("cached", ":of=(l1-ball:dim=2),atoms=65537", ": atoms=65537 is not in [1, 65536]");
  misused("cached", ":of=(l1-ball:dim=2),atom=3", ": no option 'atom'; did you mean 'atoms'?");
  misused("cached", ":of=(l1-ball:dim=0)", ": l1-ball: dim=0 is not in [1, 1e+12]");
}

/* More than any machine has: refused when a workspace is opened, before any of it is written. */
static void too_much_to_remember(void **state)
{
  (void)state;
  ofw_domain *K = cached("l1-ball:dim=1e11", ",atoms=65536");
  void *work = NULL;
  ofw_error err = {0};
  assert_int_equal(K->ops->open(K, 1, &work, &err), OFW_FAILED);
  assert_non_null(strstr(err.message, "out of memory"));
  K->ops->close(work);
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(within_what_it_says),          cmocka_unit_test(when_it_asks),
      cmocka_unit_test(a_coarse_answer_stays_coarse), cmocka_unit_test(a_sharper_answer_behind_memory),
      cmocka_unit_test(the_best_that_is_remembered),  cmocka_unit_test(the_state_round_trips),
      cmocka_unit_test(a_learner_asks_less),          cmocka_unit_test(bad_specs),
      cmocka_unit_test(too_much_to_remember),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
