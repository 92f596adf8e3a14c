#include "ratings/ratings.h"
#include "unit/stream/generated.h"

#include <stdio.h>
#include <sys/resource.h>

#define SPEC "matrix-completion:users=30,items=20,ratings=250,rank=2,batch=25"
enum { USERS = 30, ITEMS = 20, CELLS = USERS * ITEMS, RATINGS = 250, BATCH = 25, PASS = RATINGS / BATCH };

typedef struct setting {
  ofw_stream *s;
  const ofw_domain *K;
  held h;
} setting;

static setting begin(uint64_t seed)
{
  setting now = {.s = stream(SPEC, NULL, 1, seed)};
  now.K = ofw_stream_domain(now.s);
  now.h = hold(now.K);
  return now;
}

static void end(setting *now)
{
  let_go(&now->h);
  ofw_stream_free(now->s);
}

static void test_own_domain(void **state)
{
  (void)state;
  setting now = begin(1);
  size_t rows, cols;
  ofw_domain_shape(now.K, &rows, &cols);
  assert_int_equal(rows, USERS);
  assert_int_equal(cols, ITEMS);
  double a = 8.0 * sqrt(CELLS), G = a + 5.0 * sqrt(BATCH);
  assert_near(now.K->R, a, 1e-12 * a);
  const ofw_constants *c = ofw_stream_constants(now.s);
  assert_near(c->lipschitz, G, 1e-12 * G);
  assert_near(c->loss_bound, G * G / 2.0, 1e-12 * G * G);
  assert_bits(c->strong_convexity, 1.0);
  double loss;
  assert_int_equal(ofw_stream_comparator(now.s, 1, &loss), OFW_UNSUPPORTED);
  end(&now);
  ofw_stream *s = stream(SPEC ",radius=5", NULL, 1, 1);
  assert_bits(ofw_stream_domain(s)->R, 5.0);
  ofw_stream_free(s);
  s = stream("matrix-completion", NULL, 1, 1); /* the defaults: MovieLens-100k's shape */
  assert_int_equal(ofw_domain_dim(ofw_stream_domain(s)), 943 * 1682);
  ofw_stream_free(s);
}

/* At X = 0 the gradient is minus the ratings. A pass shows each of the 250 ratings once; the next shows the same ones
 * in another order. */
static void test_passes(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    setting now = begin(seed);
    double rating[3][CELLS] = {{0}};
    uint64_t when[3][CELLS] = {{0}};
    for (uint64_t t = 1; t <= 3 * PASS; t++) {
      uint64_t pass = (t - 1) / PASS;
      ofw_full fb = reveal(now.s, t, &now.h);
      const ofw_vec *v = fb.loss_gradient.term;
      assert_int_equal(fb.loss_gradient.n, 1);
      assert_int_equal(v->kind, OFW_VEC_SPARSE);
      assert_int_equal(v->as.sparse.nnz, BATCH);
      assert_int_equal(ofw_sum_check(fb.loss_gradient, CELLS, "f", NULL), OFW_OK); /* distinct and within */
      for (size_t k = 1; k < BATCH; k++)
        assert_true(v->as.sparse.index[k - 1] < v->as.sparse.index[k]);
      for (size_t k = 0; k < BATCH; k++) {
        size_t cell = v->as.sparse.index[k];
        double value = -v->scale * v->as.sparse.value[k];
        assert_true(value == 1 || value == 2 || value == 3 || value == 4 || value == 5);
        assert_bits(rating[pass][cell], 0.0);
        rating[pass][cell] = value;
        when[pass][cell] = t - pass * PASS;
      }
    }
    assert_memory_equal(rating[0], rating[1], sizeof rating[0]);
    assert_memory_equal(rating[0], rating[2], sizeof rating[0]);
    size_t rated = 0, moved = 0;
    for (size_t i = 0; i < CELLS; i++) {
      rated += rating[0][i] > 0.0;
      moved += when[0][i] != when[1][i];
    }
    assert_int_equal(rated, RATINGS);
    assert_true(moved > RATINGS / 2);
    end(&now);
  }
}

/* A batch that does not divide the ratings: what is left over at the end of a pass stays out of it. */
static void test_uneven_pass(void **state)
{
  (void)state;
  ofw_stream *s = stream("matrix-completion:users=9,items=8,ratings=30,rank=1,batch=7", NULL, 1, 2);
  held h = hold(ofw_stream_domain(s));
  for (uint64_t pass = 0; pass < 20; pass++) {
    int seen[72] = {0};
    for (uint64_t t = 1; t <= 4; t++) {
      ofw_full fb = reveal(s, 4 * pass + t, &h);
      for (size_t k = 0; k < 7; k++)
        assert_int_equal(seen[fb.loss_gradient.term->as.sparse.index[k]]++, 0);
    }
  }
  let_go(&h);
  ofw_stream_free(s);
}

static void test_loss_and_gradient(void **state)
{
  (void)state;
  setting now = begin(3);
  uint64_t seed = 8;
  double ratings[CELLS], gradient[CELLS];
  for (uint64_t t = 1; t <= 40; t++) {
    memset(now.h.x, 0, CELLS * sizeof *now.h.x);
    ofw_sum_dense(reveal(now.s, t, &now.h).loss_gradient, CELLS, ratings); /* minus M on the batch */
    any_point(&seed, now.K, t % 2 == 0, now.h.x);
    ofw_full fb = reveal(now.s, t, &now.h);
    ofw_sum_dense(fb.loss_gradient, CELLS, gradient);
    double loss = 0.0;
    for (size_t i = 0; i < CELLS; i++) {
      double miss = ratings[i] != 0.0 ? now.h.x[i] + ratings[i] : 0.0;
      assert_near(gradient[i], miss, 1e-12);
      loss += miss * miss / 2.0;
    }
    assert_near(fb.values.loss, loss, 1e-11 * fmax(1.0, loss));
    assert_at_most(slow_norm(CELLS, gradient), ofw_stream_constants(now.s)->lipschitz);
    assert_at_most(fb.values.loss, ofw_stream_constants(now.s)->loss_bound);
  }
  end(&now);
}

static void test_constraint(void **state)
{
  (void)state;
  setting now = begin(4);
  uint64_t seed = 9;
  enum { ROUNDS = 12 };
  static double P[ROUNDS + 1][CELLS];
  for (uint64_t t = 1; t <= ROUNDS; t++) {
    any_point(&seed, now.K, 0, now.h.x);
    ofw_full fb = reveal(now.s, t, &now.h);
    assert_int_equal(fb.values.constraints, 1);
    ofw_sum_dense(fb.constraint_gradient[0], CELLS, P[t]);
    assert_near(fb.values.constraint[0], slow_dot(CELLS, P[t], now.h.x), 1e-10);
    for (size_t i = 0; i < CELLS; i++)
      assert_true(P[t][i] > -1.0 && P[t][i] < 1.0);
    assert_near(slow_dot(CELLS, P[t], P[t]) / CELLS, 1.0 / 3.0, 4.0 * sqrt(4.0 / 45.0 / CELLS));
    for (uint64_t other = 1; other < t; other++) /* E P = 0, E P^2 = 1/3: standard deviation sqrt(n)/3 */
      assert_at_most(fabs(slow_dot(CELLS, P[t], P[other])), 4.5 * sqrt(CELLS) / 3.0);
  }
  end(&now);
}

static void test_same_rounds(void **state)
{
  (void)state;
  setting first = begin(5), twin = begin(5), other = begin(6);
  uint64_t seed = 10;
  any_point(&seed, first.K, 0, first.h.x);
  memcpy(twin.h.x, first.h.x, CELLS * sizeof *first.h.x);
  memcpy(other.h.x, first.h.x, CELLS * sizeof *first.h.x);
  for (uint64_t t = 1; t <= 3 * PASS; t++) {
    double loss, again;
    ofw_full a = reveal(first.s, t, &first.h);
    reveal(twin.s, 3 * PASS + 1 - t, &twin.h);
    assert_int_equal(ofw_stream_target(twin.s, 1 + t % 4, &loss), OFW_OK);
    ofw_full b = reveal(twin.s, t, &twin.h);
    check_same_bits(&a, &b, CELLS);
    assert_int_equal(ofw_stream_target(first.s, t, &loss), OFW_OK);
    assert_int_equal(ofw_stream_target(twin.s, t, &again), OFW_OK);
    assert_bits(loss, again);
    assert_true(a.values.loss != reveal(other.s, t, &other.h).values.loss);
  }
  end(&first), end(&twin), end(&other);
}

/* The target's loss against the ratings and truths as they are generated. */
static void test_target(void **state)
{
  (void)state;
  setting now = begin(7);
  ofw_ratings r;
  assert_int_equal(ofw_ratings_generate(&r, &(ofw_ratings_shape){USERS, ITEMS, RATINGS, 2}, NULL, 7, NULL), OFW_OK);
  double total = 0.0;
  for (uint64_t t = 1; t <= PASS; t++) {
    double loss, want = 0.0;
    assert_int_equal(ofw_stream_target(now.s, t, &loss), OFW_OK);
    const ofw_vec *v = reveal(now.s, t, &now.h).loss_gradient.term;
    for (size_t k = 0; k < BATCH; k++) {
      size_t at = 0;
      while (at < RATINGS && r.cell[at] != v->as.sparse.index[k])
        at++;
      assert_true(at < RATINGS);
      assert_bits(v->as.sparse.value[k], -r.value[at]);
      want += pow((double)r.truth[at] - r.value[at], 2.0) / 2.0;
    }
    assert_near(loss, want, 1e-12);
    total += loss;
  }
  assert_true(total / RATINGS < 0.5); /* noise of 0.7 and rounding, against 3.5^2/2 at X = 0 */
  ofw_ratings_free(&r);
  end(&now);
}

/* Ratings like a set's are what the generator makes of the stream's seed, and the truth behind them is not known. */
static void test_like_a_set(void **state)
{
  (void)state;
  ofw_stream *s = stream("matrix-completion:like=filmtrust,order=file,batch=50", NULL, 1, 9);
  held h = hold(ofw_stream_domain(s));
  ofw_ratings r;
  double loss;
  assert_int_equal(ofw_ratings_generate_like(&r, &ofw_likenesses[1], 9, NULL), OFW_OK);
  assert_int_equal(ofw_domain_dim(ofw_stream_domain(s)), r.users * r.items);
  for (uint64_t t = 1; t <= 3; t++) {
    const ofw_vec *v = reveal(s, t, &h).loss_gradient.term;
    for (size_t k = 0; k < 50; k++) {
      assert_int_equal(v->as.sparse.index[k], r.cell[50 * (t - 1) + k]);
      assert_bits(v->as.sparse.value[k], -r.value[50 * (t - 1) + k]);
    }
  }
  assert_int_equal(ofw_stream_target(s, 1, &loss), OFW_UNSUPPORTED);
  ofw_ratings_free(&r);
  let_go(&h);
  ofw_stream_free(s);
}

static void test_refusals(void **state)
{
  (void)state;
  stream_refused("matrix-completion:like=filmtrust,users=5", NULL,
                 "matrix-completion: users does not work with like; leave one of them out");
  stream_refused("matrix-completion:like=filmtrust,items=5", NULL,
                 "matrix-completion: items does not work with like; leave one of them out");
  stream_refused("matrix-completion:like=filmtrust,ratings=5", NULL,
                 "matrix-completion: ratings does not work with like; leave one of them out");
  stream_refused("matrix-completion:like=filmtrust,rank=5", NULL,
                 "matrix-completion: rank does not work with like; leave one of them out");
  stream_refused("matrix-completion:like=filmtrust,file=f", NULL,
                 "matrix-completion: file does not work with like; leave one of them out");
  stream_refused("matrix-completion:like=filmtrust,batch=35495", NULL,
                 "matrix-completion: batch=35495 is more than ratings=35494");
  ofw_domain *turned = domain("trace-ball:rows=20,cols=30"), *flat = domain("l2-ball:dim=600");
  stream_refused("matrix-completion:users=10,items=10,ratings=51,batch=5", NULL,
                 "matrix-completion: ratings=51 is more than half of users * items");
  stream_refused("matrix-completion:users=10,items=10,ratings=50,batch=51", NULL,
                 "matrix-completion: batch=51 is more than ratings=50");
  stream_refused("matrix-completion:users=0", NULL, "matrix-completion: users=0 is not in [1, 1e+09]");
  stream_refused("matrix-completion:batch=0", NULL, "matrix-completion: batch=0 is not in [1, 1e+09]");
  stream_refused("matrix-completion:batch=most", NULL,
                 "matrix-completion: batch=most is not a whole number >= 0 or all");
  stream_refused("matrix-completion:users=2,items=1,ratings=1,rank=1,holdout=0.5,batch=all", NULL,
                 "matrix-completion: holdout=0.5 leaves none of the 1 ratings to play");
  stream_refused("matrix-completion:rank=0", NULL, "matrix-completion: rank=0 is not in [1, 1000]");
  stream_refused("matrix-completion:radius=0", NULL, "matrix-completion: radius=0 is not in [1e-100, 1e+100]");
  stream_refused(SPEC, turned, "matrix-completion: the domain is 20 x 30, but the ratings are 30 x 20");
  stream_refused(SPEC, flat, "matrix-completion: the domain is 600 x 1, but the ratings are 30 x 20");
  ofw_domain_free(turned), ofw_domain_free(flat);
}

/* 10^12 cells, of which not even a bit each could be held: memory goes with users, items and ratings. */
static void test_memory(void **state)
{
  (void)state;
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  ofw_stream *s = stream("matrix-completion:users=1e6,items=1e6,ratings=20000,rank=1", NULL, 1, 1);
  double loss;
  for (uint64_t t = 1; t <= 100; t++)
    assert_int_equal(ofw_stream_target(s, t, &loss), OFW_OK);
  ofw_stream_free(s);
  getrusage(RUSAGE_SELF, &after);
  assert_true(after.ru_maxrss - before.ru_maxrss < 200 * 1024); /* in KiB */
}

static void test_round_zero(void **state)
{
  (void)state;
  setting now = begin(1);
  double loss = 0.0;
  assert_int_equal(ofw_stream_target(now.s, 0, &loss), OFW_USAGE); /* rounds are counted from 1 */
  end(&now);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_own_domain),  cmocka_unit_test(test_passes),
      cmocka_unit_test(test_uneven_pass), cmocka_unit_test(test_loss_and_gradient),
      cmocka_unit_test(test_constraint),  cmocka_unit_test(test_same_rounds),
      cmocka_unit_test(test_target),      cmocka_unit_test(test_like_a_set),
      cmocka_unit_test(test_refusals),    cmocka_unit_test(test_memory),
      cmocka_unit_test(test_round_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
