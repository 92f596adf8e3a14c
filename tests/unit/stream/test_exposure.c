/* matrix-completion's other constraints: the cap on a group of items against slow sums over a file that is known, and
 * none at all. */
#include "learner/method.h"
#include "unit/run/played.h"
#include "unit/stream/rated.h"

enum { USERS = 9, ITEMS = 8, CELLS = USERS * ITEMS, RATINGS = 40, BATCH = 6 };

static char spec[240];
static int is_rated[CELLS];
static double mean_size;

/* 40 cells rated -4 .. 5; item 3 has the most, and several have equally many. */
static void write_ratings(uint64_t seed)
{
  char text[20 * RATINGS];
  size_t length = 0, n = 0;
  memset(is_rated, 0, sizeof is_rated);
  mean_size = 0.0;
  while (n < RATINGS) {
    size_t cell = n < USERS ? n * ITEMS + 3 : any_below(&seed, CELLS);
    if (is_rated[cell]++)
      continue;
    int value = (int)any_below(&seed, 10) - 4;
    mean_size += abs(value) / (double)RATINGS;
    length += (size_t)sprintf(text + length, "%zu,%zu,%d\n", cell / ITEMS, cell % ITEMS, value);
    n++;
  }
  write_text(text);
}

static ofw_stream *stream_over(const char *more, uint64_t seed)
{
  write_ratings(seed);
  snprintf(spec, sizeof spec, "matrix-completion:file=%s,base=0,users=9,items=8,batch=6%s", path, more);
  ofw_stream *s = stream(spec, NULL, 10, seed);
  unlink(path);
  return s;
}

/* The `n` items with the most marks, of two alike the first, by looking for the largest n times. */
static void slow_group(const int *marked, size_t n, int *in)
{
  int times[ITEMS] = {0};
  memset(in, 0, ITEMS * sizeof *in);
  for (size_t i = 0; i < CELLS; i++)
    times[i % ITEMS] += marked[i] != 0;
  for (; n > 0; n--) {
    size_t best = ITEMS;
    for (size_t j = 0; j < ITEMS; j++)
      if (!in[j] && (best == ITEMS || times[j] > times[best]))
        best = j;
    in[best] = 1;
  }
}

/* The mean of x over the batch's users and the group. */
static double slow_mean(const ofw_vec *batch, const int *in, const double *x)
{
  double sum = 0.0, n = 0.0;
  for (size_t i = 0; i < USERS; i++) {
    int here = 0;
    for (size_t k = 0; k < batch->as.sparse.nnz; k++)
      here |= batch->as.sparse.index[k] / ITEMS == i;
    for (size_t j = 0; j < ITEMS && here; j++)
      if (in[j]) {
        sum += x[i * ITEMS + j];
        n++;
      }
  }
  return sum / n;
}

static void test_against_slow_sums(void **state)
{
  (void)state;
  static const struct {
    const char *more;
    size_t group;
    double cap, swing, period, weight;
  } with[] = {
      {",constraint=exposure,group=0.01,cap=0.75,swing=0,period=7,weight=3", 1, 0.75, 0, 7, 3},
      {",constraint=exposure,group=0.4,cap=2,swing=0.99,period=12.5", 3, 2, 0.99, 12.5, 1},
      {",constraint=exposure,group=1,cap=0.1,swing=0.5,weight=1e-3", 8, 0.1, 0.5, 100, 1e-3},
  };
  for (size_t k = 0; k < sizeof with / sizeof *with; k++) {
    ofw_stream *s = stream_over(with[k].more, 3 + k);
    const ofw_domain *K = ofw_stream_domain(s);
    const ofw_constants *c = ofw_stream_constants(s);
    held h = hold(K), y = hold(K);
    uint64_t seed = k;
    int in[ITEMS];
    slow_group(is_rated, with[k].group, in);
    assert_true(in[3]);
    for (uint64_t t = 1; t <= 60; t++) {
      double gradient[CELLS], slope[CELLS], weight = with[k].weight;
      double cap = with[k].cap * (1.0 + with[k].swing * sin(2.0 * M_PI * (double)t / with[k].period));
      any_point(&seed, K, t % 2 == 0, h.x);
      any_point(&seed, K, t % 3 == 0, y.x);
      ofw_full fb = reveal(s, t, &h);
      assert_int_equal(fb.values.constraints, 1);
      double mean = slow_mean(fb.loss_gradient.term, in, h.x), g = fb.values.constraint[0];
      assert_near(g, weight * (mean - cap), 1e-11 * weight * (fabs(mean) + 1.0));
      assert_int_equal(fb.constraint_gradient[0].n, 1);
      assert_int_equal(fb.constraint_gradient[0].term->kind, OFW_VEC_RANK_ONE);
      assert_int_equal(ofw_sum_check(fb.constraint_gradient[0], CELLS, "g", NULL), OFW_OK);
      ofw_sum_dense(fb.constraint_gradient[0], CELLS, gradient);
      assert_at_most(slow_norm(CELLS, gradient), weight / sqrt((double)with[k].group) * (1.0 + 1e-12));
      assert_at_most(slow_norm(CELLS, gradient), c->lipschitz);
      for (size_t i = 0; i < CELLS; i++) { /* by differences: g is linear */
        double before = h.x[i];
        h.x[i] = before + 1.0;
        slope[i] = reveal(s, t, &h).values.constraint[0] - g;
        h.x[i] = before;
        assert_near(slope[i], gradient[i], 1e-11 * weight * (fabs(mean) + 1.0));
      }
      double there = reveal(s, t, &y).values.constraint[0], change = 0.0;
      for (size_t i = 0; i < CELLS; i++)
        change += gradient[i] * (y.x[i] - h.x[i]);
      assert_near(there, g + change, 1e-11 * weight * (1.0 + K->R));
    }
    let_go(&h), let_go(&y);
    ofw_stream_free(s);
  }
}

/* Whatever the round, X = 0 is below the cap. */
static void test_zero_is_feasible(void **state)
{
  (void)state;
  ofw_stream *s = stream_over(",constraint=exposure,swing=0.99,period=40", 1);
  held h = hold(ofw_stream_domain(s));
  double lowest = INFINITY, highest = 0.0;
  for (uint64_t t = 1; t <= 400; t++) {
    double cap = -reveal(s, t, &h).values.constraint[0];
    lowest = fmin(lowest, cap);
    highest = fmax(highest, cap);
  }
  assert_near(lowest, mean_size / 2.0 * 0.01, 1e-12); /* a quarter and three quarters of a period are rounds */
  assert_near(highest, mean_size / 2.0 * 1.99, 1e-12);
  assert_true(reveal(s, UINT64_MAX, &h).values.constraint[0] < 0.0);
  let_go(&h);
  ofw_stream_free(s);
}

/* What is held out counts neither for the group nor for the cap. */
static void test_group_is_of_those_in_play(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    ofw_stream *s = stream_over(",constraint=exposure,group=0.5,holdout=0.4", seed);
    held h = hold(ofw_stream_domain(s));
    int shown[CELLS] = {0}, in[ITEMS];
    double size = 0.0;
    for (uint64_t t = 1; t <= 4; t++) {
      const ofw_vec *v = reveal(s, t, &h).loss_gradient.term;
      for (size_t k = 0; k < BATCH; k++) {
        shown[v->as.sparse.index[k]] = 1;
        size += fabs(v->as.sparse.value[k]) / 24.0;
      }
    }
    slow_group(shown, 4, in);
    double v[CELLS];
    ofw_full fb = reveal(s, 100, &h); /* the cap itself, but for rounding */
    assert_near(fb.values.constraint[0], -size / 2.0, 1e-12);
    ofw_sum_dense(fb.constraint_gradient[0], CELLS, v);
    for (size_t i = 0; i < CELLS; i++)
      assert_true(v[i] == 0.0 || in[i % ITEMS]);
    let_go(&h);
    ofw_stream_free(s);
  }
}

static void test_constants(void **state)
{
  (void)state;
  ofw_stream *s = stream_over(",constraint=exposure,radius=0.5", 2);
  double L = 0.5 + 5.0 * sqrt(BATCH);
  assert_near(ofw_stream_constants(s)->lipschitz, L, 1e-12);
  assert_near(ofw_stream_constants(s)->loss_bound, L * L / 2.0, 1e-10);
  assert_non_null(strstr(ofw_stream_config(s), " constraint=exposure group=0.1"));
  assert_non_null(strstr(ofw_stream_config(s), " swing=0.2"));
  assert_non_null(strstr(ofw_stream_config(s), " period=100 weight=1 holdout=0 "));
  ofw_stream_free(s);
  s = stream_over(",constraint=exposure,radius=0.5,group=0.5,weight=1000", 2);
  assert_near(ofw_stream_constants(s)->lipschitz, 500.0, 1e-9);
  assert_near(ofw_stream_constants(s)->loss_bound, L * L / 2.0, 1e-10);
  ofw_stream_free(s);
  s = stream_over(",constraint=none,radius=1e-3", 2);
  L = 1e-3 + 5.0 * sqrt(BATCH);
  assert_near(ofw_stream_constants(s)->lipschitz, L, 1e-12);
  assert_null(strstr(ofw_stream_config(s), "cap="));
  ofw_stream_free(s);
  write_text("1 1 0\n2 2 0\n"); /* no size at all */
  snprintf(spec, sizeof spec, "matrix-completion:file=%s,batch=2,constraint=exposure", path);
  s = stream(spec, NULL, 10, 1);
  unlink(path);
  assert_non_null(strstr(ofw_stream_config(s), " cap=0.5 "));
  ofw_stream_free(s);
}

static void test_same_rounds(void **state)
{
  (void)state;
  ofw_stream *first = stream_over(",constraint=exposure,cap=1", 5),
             *twin = stream_over(",constraint=exposure,cap=1", 5);
  held h = hold(ofw_stream_domain(first)), elsewhere = hold(ofw_stream_domain(first));
  uint64_t seed = 10;
  any_point(&seed, ofw_stream_domain(first), 0, h.x);
  for (uint64_t t = 1; t <= 30; t++) {
    ofw_full a = reveal(first, t, &h);
    reveal(twin, 31 - t, &elsewhere);
    ofw_full b = reveal(twin, t, &h);
    check_same_bits(&a, &b, CELLS);
  }
  let_go(&h), let_go(&elsewhere);
  ofw_stream_free(first), ofw_stream_free(twin);
}

static played set_up_learner(const char *name, const char *constraint)
{
  static char text[160];
  snprintf(text, sizeof text, "matrix-completion:users=9,items=8,ratings=36,batch=6,radius=9,%s", constraint);
  ofw_stream *s = stream(text, NULL, 80, 2);
  ofw_learner_settings settings = {
      .size = sizeof settings, .horizon = 80, .lipschitz = 0.5, .loss_bound = 5.0, .strong_convexity = 0.01};
  played g = {NULL, s, ofw_learner_create_over(name, ofw_stream_domain(s), &settings, NULL), NULL};
  assert_non_null(g.l);
  g.run = ofw_run_create(g.l, s, NULL);
  assert_non_null(g.run);
  return g;
}

/* Every learner plays both, saved and loaded on the way. */
static void test_learners(void **state)
{
  (void)state;
  static const char *const with[] = {"constraint=none", "constraint=exposure,cap=0.01,weight=10"};
  for (size_t i = 0; i < ofw_learner_types(); i++)
    for (size_t k = 0; k < 2; k++) {
      const char *name = ofw_learner_type(i)->name;
      played whole = set_up_learner(name, with[k]), second = set_up_learner(name, with[k]);
      ofw_state s = {0};
      assert_int_equal(ofw_run_play(whole.run, 33, NULL, NULL), OFW_OK);
      assert_int_equal(ofw_run_save(whole.run, &s), OFW_OK);
      assert_int_equal(ofw_run_load(second.run, &s), OFW_OK);
      assert_int_equal(ofw_run_play(whole.run, 47, NULL, NULL), OFW_OK);
      assert_int_equal(ofw_run_play(second.run, 47, NULL, NULL), OFW_OK);
      const ofw_trace_row *row = ofw_run_account(whole.run);
      check_same_row(ofw_run_account(second.run), row);
      int breaks = k == 1 && strcmp(name, "still") != 0; /* X = 0 keeps every cap */
      assert_true(isnan(row->constraint) == (k == 0) && (row->ccv > 0.0) == breaks);
      ofw_state_free(&s);
      clear_away(&whole), clear_away(&second);
    }
}

/* The same ratings without the constraint: losses and gradients are as before. */
static void test_none(void **state)
{
  (void)state;
  ofw_stream *none = stream_over(",constraint=none", 4), *uniform = stream_over("", 4);
  held h = hold(ofw_stream_domain(none));
  for (uint64_t t = 1; t <= 20; t++) {
    double a[CELLS], b[CELLS];
    ofw_full fb = reveal(none, t, &h);
    assert_int_equal(fb.values.constraints, 0);
    ofw_sum_dense(fb.loss_gradient, CELLS, a);
    assert_bits(fb.values.loss, reveal(uniform, t, &h).values.loss);
    ofw_sum_dense(reveal(uniform, t, &h).loss_gradient, CELLS, b);
    assert_memory_equal(a, b, sizeof a);
  }
  let_go(&h);
  ofw_stream_free(none), ofw_stream_free(uniform);
}

static void test_refusals(void **state)
{
  (void)state;
  static const char *const option[] = {"group=0.5", "cap=1", "swing=0", "period=3", "weight=2"};
  for (size_t i = 0; i < 5; i++)
    for (size_t k = 0; k < 2; k++) {
      snprintf(spec, sizeof spec, "matrix-completion:%s%s", option[i], k ? ",constraint=none" : "");
      stream_refused(spec, NULL, "matrix-completion: group, cap, swing, period and weight need constraint=exposure");
    }
  stream_refused("matrix-completion:constraint=exposure,cap=0", NULL,
                 "matrix-completion: cap=0 is not in [1e-100, 1e+100]");
  stream_refused("matrix-completion:constraint=exposure,swing=1", NULL,
                 "matrix-completion: swing=1 is not in [0, 0.99]");
  stream_refused("matrix-completion:constraint=exposure,group=0", NULL,
                 "matrix-completion: group=0 is not in [1e-06, 1]");
  stream_refused("matrix-completion:constraint=fair", NULL,
                 "matrix-completion: constraint=fair is not one of uniform|exposure|none");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_slow_sums),
      cmocka_unit_test(test_zero_is_feasible),
      cmocka_unit_test(test_group_is_of_those_in_play),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_same_rounds),
      cmocka_unit_test(test_learners),
      cmocka_unit_test(test_none),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
