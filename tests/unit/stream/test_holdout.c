/* What matrix-completion holds out: no round shows it, and the error on it is as a slow count has it. */
#include "unit/run/played.h"
#include "unit/stream/rated.h"

enum { USERS = 11, ITEMS = 9, CELLS = USERS * ITEMS };

static char spec[200];
static double rated[CELLS]; /* the file's; 0: none */
static size_t ratings;

/* A file of ratings 1.25 .. 9.25 with times, in any order. */
static void write_ratings(uint64_t seed)
{
  char text[40 * CELLS];
  size_t length = 0;
  ratings = 0;
  memset(rated, 0, sizeof rated);
  while (ratings < 47) {
    size_t cell = any_below(&seed, CELLS);
    if (rated[cell] != 0.0)
      continue;
    rated[cell] = 1.25 + (double)any_below(&seed, 9);
    length += (size_t)sprintf(text + length, "%zu %zu %.2f %zu\n", cell / ITEMS, cell % ITEMS, rated[cell],
                              any_below(&seed, 30));
    ratings++;
  }
  write_text(text);
}

static const char *spec_with(const char *more)
{
  snprintf(spec, sizeof spec, "matrix-completion:file=%s,base=0,users=11,items=9,%s", path, more);
  return spec;
}

/* Which cells two passes show, one a round; each twice. */
static void shown_by(ofw_stream *s, size_t in_play, int *shown)
{
  held h = hold(ofw_stream_domain(s));
  memset(shown, 0, CELLS * sizeof *shown);
  for (uint64_t t = 1; t <= 2 * in_play; t++)
    shown[reveal(s, t, &h).loss_gradient.term->as.sparse.index[0]]++;
  for (size_t i = 0; i < CELLS; i++)
    assert_true(shown[i] == 0 || shown[i] == 2);
  let_go(&h);
}

static double slow_rmse(const int *shown, const double *x, size_t *n)
{
  double sum = 0.0;
  *n = 0;
  for (size_t i = 0; i < CELLS; i++)
    if (rated[i] != 0.0 && !shown[i]) {
      sum += pow(x[i] - rated[i], 2.0);
      ++*n;
    }
  return sqrt(sum / (double)*n);
}

/* Of the mean of what is shown, and of the mean of what is shown of the same item. */
static void slow_baselines(const int *shown, double *mean, double *item_mean)
{
  double all = 0.0, of_all[CELLS], of_item[CELLS];
  size_t n, in_play = 0;
  for (size_t i = 0; i < CELLS; i++)
    if (shown[i]) {
      all += rated[i];
      in_play++;
    }
  for (size_t i = 0; i < CELLS; i++) {
    double sum = 0.0;
    int times = 0;
    for (size_t k = i % ITEMS; k < CELLS; k += ITEMS)
      if (shown[k]) {
        sum += rated[k];
        times++;
      }
    of_all[i] = all / (double)in_play;
    of_item[i] = times ? sum / times : of_all[i];
  }
  *mean = slow_rmse(shown, of_all, &n);
  *item_mean = slow_rmse(shown, of_item, &n);
}

static void check_baselines(ofw_stream *s, const int *shown)
{
  double mean, item_mean, wanted, item_wanted;
  slow_baselines(shown, &wanted, &item_wanted);
  assert_int_equal(ofw_stream_held_out_baselines(s, &mean, &item_mean), OFW_OK);
  assert_near(mean, wanted, 1e-12 * wanted);
  assert_near(item_mean, item_wanted, 1e-12 * item_wanted);
}

static void test_apart(void **state)
{
  (void)state;
  static const struct {
    const char *share;
    size_t held;
  } part[] = {{"0.001", 1}, {"0.1", 5}, {"0.5", 24}, {"0.9", 42}};
  static const char *const order[] = {"shuffled", "file", "time"};
  for (size_t i = 0; i < 4; i++) {
    int shown[3][CELLS];
    for (size_t k = 0; k < 3; k++) {
      char more[80];
      snprintf(more, sizeof more, "batch=1,holdout=%s,order=%s", part[i].share, order[k]);
      write_ratings(3);
      ofw_stream *s = stream(spec_with(more), NULL, 10, 4);
      unlink(path);
      shown_by(s, ratings - part[i].held, shown[k]);
      check_baselines(s, shown[k]);
      held h = hold(ofw_stream_domain(s));
      for (uint64_t seed = 1; seed <= 3; seed++) {
        size_t n;
        double rmse;
        any_point(&seed, ofw_stream_domain(s), 0, h.x);
        assert_int_equal(ofw_stream_held_out(s, &h.at, &rmse), OFW_OK);
        assert_near(rmse, slow_rmse(shown[k], h.x, &n), 1e-12 * rmse);
        assert_int_equal(n, part[i].held);
      }
      let_go(&h);
      ofw_stream_free(s);
    }
    assert_memory_equal(shown[0], shown[1], sizeof shown[0]); /* the same ones, whatever the order */
    assert_memory_equal(shown[0], shown[2], sizeof shown[0]);
  }
}

/* batch=all: every round shows what is in play, in the order of its cells, and so does a batch of that many. */
static void check_all(const char *batch, const char *share, const char *order, const int *shown, size_t in_play)
{
  char more[80];
  snprintf(more, sizeof more, "batch=%s,holdout=%s,order=%s", batch, share, order);
  ofw_stream *s = stream(spec_with(more), NULL, 10, 4);
  held h = hold(ofw_stream_domain(s));
  snprintf(more, sizeof more, " batch=%s ", batch);
  assert_non_null(strstr(ofw_stream_config(s), more));
  double L = ofw_stream_domain(s)->R + 9.25 * sqrt((double)in_play);
  assert_near(ofw_stream_constants(s)->loss_bound, L * L / 2.0, 1e-12 * L * L);
  for (uint64_t t = 1; t <= 4; t++) {
    uint64_t seed = t;
    any_point(&seed, ofw_stream_domain(s), 0, h.x);
    ofw_full fb = reveal(s, 3 * t % 5, &h); /* in any order: 3, 1, 4, 2 */
    const ofw_vec *v = fb.loss_gradient.term;
    double loss = 0.0;
    size_t k = 0;
    for (size_t i = 0; i < CELLS; i++)
      if (shown[i]) {
        assert_int_equal(v->as.sparse.index[k], i);
        assert_bits(v->as.sparse.value[k++], h.x[i] - rated[i]);
        loss += (h.x[i] - rated[i]) * (h.x[i] - rated[i]) / 2.0;
      }
    assert_true(k == in_play && v->as.sparse.nnz == in_play);
    assert_bits(fb.values.loss, loss);
  }
  let_go(&h);
  ofw_stream_free(s);
}

static void test_all(void **state)
{
  (void)state;
  static const struct {
    const char *share, *count;
  } part[] = {{"0", "47"}, {"0.1", "42"}, {"0.9", "5"}};
  static const char *const order[] = {"shuffled", "file", "time"};
  write_ratings(3);
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < 3; k++) {
      char more[80];
      int shown[CELLS];
      snprintf(more, sizeof more, "batch=1,holdout=%s", part[i].share);
      ofw_stream *single = stream(spec_with(more), NULL, 10, 4);
      size_t in_play = (size_t)atoi(part[i].count);
      shown_by(single, in_play, shown);
      ofw_stream_free(single);
      check_all("all", part[i].share, order[k], shown, in_play);
      check_all(part[i].count, part[i].share, order[k], shown, in_play);
    }
  unlink(path);
}

/* Another seed holds others out; each is as likely as any. */
static void test_drawn(void **state)
{
  (void)state;
  enum { SEEDS = 400, RATINGS = 30 };
  int times[72] = {0};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    char text[40 * RATINGS];
    size_t length = 0;
    for (int k = 0; k < RATINGS; k++)
      length += (size_t)sprintf(text + length, "%d %d 1\n", 1 + k / 6, 1 + k % 6);
    write_text(text);
    snprintf(spec, sizeof spec, "matrix-completion:file=%s,batch=24,holdout=0.2", path);
    ofw_stream *s = stream(spec, NULL, 1, seed);
    unlink(path);
    held h = hold(ofw_stream_domain(s));
    const ofw_vec *v = reveal(s, 1, &h).loss_gradient.term;
    for (size_t k = 0; k < 24; k++)
      times[v->as.sparse.index[k]]++;
    let_go(&h);
    ofw_stream_free(s);
  }
  for (int k = 0; k < RATINGS; k++) /* in play with probability 0.8 */
    assert_near(times[k] / (double)SEEDS, 0.8, 4.5 * sqrt(0.16 / SEEDS));
}

/* At the end of a run: the learner's next decision, a bandit's without its probe; and nothing has changed. */
static void test_after_a_run(void **state)
{
  (void)state;
  static const char *const learners[] = {"ofw-tvc", "scofw-tvc", "bfw-tvc", "scbfw-tvc"};
  for (size_t i = 0; i < 4; i++) {
    write_ratings(6);
    spec_with("batch=1,holdout=0.25");
    ofw_stream *s = stream(spec, NULL, 30, 5);
    ofw_learner_settings settings = {
        .size = sizeof settings, .horizon = 30, .lipschitz = 0.01, .loss_bound = 0.01, .strong_convexity = 1e-3};
    played g = {NULL, s, ofw_learner_create_over(learners[i], ofw_stream_domain(s), &settings, NULL), NULL};
    unlink(path);
    assert_non_null(g.l);
    g.run = ofw_run_create(g.l, s, NULL);
    int shown[CELLS];
    shown_by(s, ratings - 12, shown);
    ofw_state before = {0}, after = {0};
    double rmse, again, x[CELLS], at_start;
    size_t n;
    assert_int_equal(ofw_run_held_out(g.run, &at_start), OFW_OK);
    assert_int_equal(ofw_run_play(g.run, 30, NULL, NULL), OFW_OK);
    assert_int_equal(ofw_run_save(g.run, &before), OFW_OK);
    assert_int_equal(ofw_run_held_out(g.run, &rmse), OFW_OK);
    assert_int_equal(ofw_run_save(g.run, &after), OFW_OK);
    assert_true(before.size == after.size && memcmp(before.bytes, after.bytes, before.size) == 0);
    const ofw_point *next;
    assert_int_equal(ofw_learner_decide(g.l, &next), OFW_OK);
    assert_int_equal(ofw_point_centre(next, x), OFW_OK);
    assert_near(rmse, slow_rmse(shown, x, &n), 1e-12 * rmse);
    assert_int_equal(n, 12);
    assert_true(rmse != at_start);
    assert_int_equal(ofw_run_held_out(g.run, &again), OFW_OK); /* also where the decision has been asked for */
    assert_bits(again, rmse);
    ofw_state_free(&before), ofw_state_free(&after);
    clear_away(&g);
  }
}

static void test_none(void **state)
{
  (void)state;
  static const char *const specs[] = {"linear", "quadratic", "matrix-completion:users=3,items=2,ratings=3,batch=1"};
  for (size_t i = 0; i < 3; i++) {
    plan p = {"ofw-tvc", "trace-ball:rows=3,cols=2", specs[i], NULL, 4, 1};
    played g = set_up(&p);
    double rmse = 7.0;
    assert_int_equal(ofw_run_held_out(g.run, &rmse), OFW_UNSUPPORTED);
    assert_string_equal(ofw_run_error(g.run), "the stream has no held-out data");
    assert_bits(rmse, 7.0);
    assert_int_equal(ofw_stream_held_out_baselines(g.s, &rmse, &rmse), OFW_UNSUPPORTED);
    assert_string_equal(ofw_stream_error(g.s), "the stream has no held-out data");
    assert_bits(rmse, 7.0);
    clear_away(&g);
  }
  ofw_stream *s = stream("matrix-completion:users=3,items=4,ratings=5,batch=1,holdout=0.5", NULL, 1, 1);
  ofw_domain *K = domain("l2-ball:dim=11");
  held h = hold(K);
  double rmse;
  assert_int_equal(ofw_stream_held_out(s, &h.at, &rmse), OFW_USAGE);
  assert_string_equal(ofw_stream_error(s), "the decision has dimension 11, but the stream has 12");
  let_go(&h);
  ofw_domain_free(K);
  ofw_stream_free(s);
}

static void test_refusals(void **state)
{
  (void)state;
  stream_refused("matrix-completion:users=10,items=10,ratings=50,batch=41,holdout=0.2", NULL,
                 "matrix-completion: batch=41 is more than the 40 ratings that holdout leaves");
  stream_refused("matrix-completion:users=10,items=10,ratings=1,batch=1,holdout=0.2", NULL,
                 "matrix-completion: batch=1 is more than the 0 ratings that holdout leaves");
  stream_refused("matrix-completion:holdout=1", NULL, "matrix-completion: holdout=1 is not in [0, 0.9]");
  ofw_stream_free(stream("matrix-completion:users=10,items=10,ratings=50,batch=40,holdout=0.2", NULL, 1, 1));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_apart),       cmocka_unit_test(test_all),  cmocka_unit_test(test_drawn),
      cmocka_unit_test(test_after_a_run), cmocka_unit_test(test_none), cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
