#include "engine/dense.h"
#include "unit/engine/held.h"
#include "vector/vec_arithmetic.h"

#include <stdio.h>

/* Dimensions around the length of a chunk, 512, each as rows * cols. */
static const struct {
  size_t rows, cols;
} shapes[] = {{1, 1}, {7, 73}, {16, 32}, {27, 19}, {26, 50}};
enum { SHAPES = 5, MOST = 1300, TERMS = 4 };

typedef struct setting {
  size_t n;
  held h;
  ofw_domain *K;
  double dense[MOST], u[MOST], v[MOST], value[MOST];
  size_t index[MOST];
  ofw_vec term[TERMS];
} setting;

static setting now;

/* x and d random, and one term of each kind. */
static void begin(size_t shape)
{
  uint64_t seed = 100 + shape;
  char spec[64];
  size_t rows = shapes[shape].rows, cols = shapes[shape].cols, n = rows * cols, nnz = (n + 2) / 3;
  snprintf(spec, sizeof spec, "trace-ball:rows=%zu,cols=%zu", rows, cols);
  now.n = n;
  now.K = domain(spec);
  now.h = hold(now.K);
  any_reals(&seed, n, now.h.x);
  any_reals(&seed, n, now.h.d);
  any_reals(&seed, MOST, now.dense);
  any_reals(&seed, MOST, now.u);
  any_reals(&seed, MOST, now.v);
  any_reals(&seed, MOST, now.value);
  for (size_t k = 0; k < nnz; k++)
    now.index[k] = n - 1 - 3 * k;
  now.term[0] = ofw_vec_dense(n - n / 4, now.dense);
  now.term[0].offset = n / 4;
  now.term[1] = ofw_vec_sparse(nnz, now.index, now.value);
  now.term[2] = ofw_vec_rank_one(rows, cols, now.u, now.v);
  now.term[3] = ofw_vec_random(n, (ofw_rng_key){1, 4, 2}, OFW_UNIFORM);
  for (size_t k = 0; k < TERMS; k++)
    now.term[k].scale = 1.5 - (double)k;
}

static void end(void)
{
  let_go(&now.h);
  ofw_domain_free(now.K);
}

/* Each kind alone, then all of them, then the zero vector. */
static ofw_sum choice(size_t k)
{
  return k < TERMS ? (ofw_sum){1, &now.term[k]} : (ofw_sum){k == TERMS ? TERMS : 0, now.term};
}
#define EACH_CASE(shape, k)                       \
  for (size_t shape = 0; shape < SHAPES; shape++) \
    for (size_t k = 0; k < TERMS + 2; k++)

static void test_pull(void **state)
{
  (void)state;
  static const double abc[][3] = {{1, 0, 1}, {0, 0, 2}, {0.5, 0, -1}, {0.25, 1.5, 3}, {1, -2, 0}, {0, 1, 1}};
  static double v[MOST], want[MOST], x[MOST];
  EACH_CASE(shape, k)
  for (size_t j = 0; j < sizeof abc / sizeof *abc; j++) {
    const double *c = abc[j];
    begin(shape);
    ofw_sum_dense(choice(k), now.n, v);
    for (size_t i = 0; i < now.n; i++)
      want[i] = c[0] * now.h.d[i] + c[1] * now.h.x[i] + c[2] * v[i];
    memcpy(x, now.h.x, now.n * sizeof *x);
    now.h.E->ops->pull(now.h.E, c[0], c[1], c[2], choice(k));
    for (size_t i = 0; i < now.n; i++)
      assert_near(now.h.d[i], want[i], 1e-14);
    assert_memory_equal(x, now.h.x, now.n * sizeof *x);
    end();
  }
}

static void test_zero_clears_anything(void **state)
{
  (void)state;
  static const double bad[] = {INFINITY, -INFINITY, (double)NAN};
  static double v[MOST];
  EACH_CASE(shape, k)
  {
    begin(shape);
    for (size_t i = 0; i < now.n; i++)
      now.h.d[i] = bad[i % 3];
    now.h.E->ops->pull(now.h.E, 0.0, 0.0, 1.0, choice(k));
    ofw_sum_dense(choice(k), now.n, v);
    for (size_t i = 0; i < now.n; i++)
      assert_near(now.h.d[i], v[i], 1e-14);
    end();
  }
}

static void test_step(void **state)
{
  (void)state;
  static const double steps[][2] = {{0.3, 2.0}, {1.0, 2.0}, {0.0, 2.0}, {0.7, 0.0}, {1e-9, 1e6}};
  static double v[MOST], x[MOST], d[MOST];
  EACH_CASE(shape, k)
  for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
    double sig = steps[j][0], curv = steps[j][1];
    begin(shape);
    ofw_sum_dense(choice(k), now.n, v);
    for (size_t i = 0; i < now.n; i++) {
      double e = v[i] - now.h.x[i];
      x[i] = now.h.x[i] + sig * e;
      d[i] = now.h.d[i] + curv * sig * e;
    }
    now.h.E->ops->step(now.h.E, choice(k), sig, curv);
    for (size_t i = 0; i < now.n; i++) {
      assert_near(now.h.x[i], x[i], 1e-14);
      assert_near(now.h.d[i], d[i], 1e-13);
    }
    end();
  }
}

static void test_segment(void **state)
{
  (void)state;
  static double e[MOST];
  EACH_CASE(shape, k)
  {
    double slope = (double)NAN, length2 = (double)NAN;
    begin(shape);
    ofw_sum_dense(choice(k), now.n, e);
    for (size_t i = 0; i < now.n; i++)
      e[i] -= now.h.x[i];
    now.h.E->ops->segment(now.h.E, choice(k), &slope, &length2);
    assert_near(slope, slow_dot(now.n, now.h.d, e), 1e-11);
    assert_near(length2, slow_dot(now.n, e, e), 1e-11);
    end();
  }
}

static void test_point(void **state)
{
  (void)state;
  static double v[MOST], out[MOST];
  EACH_CASE(shape, k)
  {
    double dot;
    begin(shape);
    const ofw_point *x = &now.h.at;
    assert_int_equal(x->at->dim, now.n);
    ofw_sum_dense(choice(k), now.n, v);
    assert_int_equal(ofw_point_dot(x, choice(k), &dot), OFW_OK);
    assert_near(dot, slow_dot(now.n, v, now.h.x), 1e-12);
    assert_int_equal(ofw_point_dense(x, out), OFW_OK);
    assert_memory_equal(out, now.h.x, now.n * sizeof *out);
    size_t index[] = {now.n - 1, 0, now.n / 2, now.n - 1};
    assert_int_equal(ofw_point_entries(x, 4, index, out), OFW_OK);
    for (size_t i = 0; i < 4; i++)
      assert_bits(out[i], now.h.x[index[i]]);
    end();
  }
}

/* d meets the random vec that x met last, another, and that one again: the numbers are its own each time. */
static void test_random_again(void **state)
{
  (void)state;
  static const uint64_t rounds[] = {2, 2, 3, 2, 3, 3};
  static double want[MOST], p[MOST];
  for (size_t shape = 0; shape < SHAPES; shape++)
    for (size_t met = 0; met < 3; met++) { /* what x meets before: nothing, the first, the second */
      begin(shape);
      ofw_vec *random = &now.term[3];
      double dot;
      random->as.random.key.round = met + 1;
      if (met > 0)
        assert_int_equal(now.h.E->ops->view->dot(now.h.E, choice(3), &dot), OFW_OK);
      memcpy(want, now.h.d, now.n * sizeof *want);
      for (size_t k = 0; k < sizeof rounds / sizeof *rounds; k++) {
        random->as.random.key.round = rounds[k];
        random->scale = 1.0 + (double)k;
        now.h.E->ops->pull(now.h.E, 1.0, 0.0, 0.5, choice(3));
        ofw_sum_dense(choice(3), now.n, p);
        for (size_t i = 0; i < now.n; i++)
          want[i] += 0.5 * p[i];
      }
      for (size_t i = 0; i < now.n; i++)
        assert_near(now.h.d[i], want[i], 1e-13);
      end();
    }
}

/* A probe is kept once its length is taken, up to a number of coordinates: the bits are those of one that is drawn anew
 * each time, at its own rounds and at others. */
static void test_probe_again(void **state)
{
  (void)state;
  static const size_t dims[] = {3, 1300, 70001, OFW_KEPT_NORMALS + 17};
  static const uint64_t rounds[] = {2, 3, 2};
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    size_t n = dims[k];
    char spec[64];
    snprintf(spec, sizeof spec, "l2-ball:dim=%zu", n);
    ofw_domain *K = domain(spec);
    held keeps = hold_with(K, 2), never = hold_with(K, 1);
    ofw_vec probe = ofw_vec_random(n, (ofw_rng_key){1, 4, 2}, OFW_NORMAL);
    ofw_vec uniform = ofw_vec_random(n, (ofw_rng_key){1, 5, 2}, OFW_UNIFORM);
    ofw_sum z = {1, &probe}, p = {1, &uniform};
    double unkept = never.E->ops->inner(never.E, p, z), square = keeps.E->ops->inner(keeps.E, z, z), dot;
    assert_true(fabs(square / (double)n - 1.0) <= 6.0 * sqrt(2.0 / (double)n));
    assert_bits(keeps.E->ops->inner(keeps.E, z, z), square);
    assert_bits(keeps.E->ops->inner(keeps.E, p, z), unkept);
    assert_int_equal(keeps.E->ops->view->dot(keeps.E, p, &dot), OFW_OK); /* from here on the words are kept too */
    assert_bits(keeps.E->ops->inner(keeps.E, p, z), unkept);
    probe.scale = 0.75;
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
      probe.as.random.key.round = rounds[i];
      keeps.E->ops->pull(keeps.E, 1.0, 0.0, 0.1, z);
      never.E->ops->pull(never.E, 1.0, 0.0, 0.1, z);
    }
    assert_memory_equal(keeps.d, never.d, n * sizeof(double));
    let_go(&keeps), let_go(&never);
    ofw_domain_free(K);
  }
}

static void test_point_refusals(void **state)
{
  (void)state;
  begin(1);
  const ofw_point *x = &now.h.at;
  double out[2] = {7, 7};
  size_t bad[] = {0, now.n};
  assert_int_equal(ofw_point_entries(x, 2, bad, out), OFW_USAGE);
  assert_bits(out[0], 7.0); /* nothing written */
  ofw_vec over = now.term[0];
  over.offset++;
  assert_int_equal(ofw_point_dot(x, (ofw_sum){1, &over}, out), OFW_USAGE);
  over.offset = now.n + 1;
  assert_int_equal(ofw_point_dot(x, (ofw_sum){1, &over}, out), OFW_USAGE);
  ofw_vec outside = ofw_vec_sparse(2, bad, out);
  assert_int_equal(ofw_point_dot(x, (ofw_sum){1, &outside}, out), OFW_USAGE);
  end();
}

static void test_still(void **state)
{
  (void)state;
  for (size_t shape = 0; shape < SHAPES; shape++) {
    begin(shape);
    const ofw_engine *E = now.h.E;
    assert_non_null(E->ops->direction(E));
    memset(now.h.d, 0, now.n * sizeof *now.h.d);
    assert_null(E->ops->direction(E));
    now.h.d[now.n - 1] = 0x1p-1074;
    assert_non_null(E->ops->direction(E));
    now.h.d[now.n - 1] = (double)NAN;
    assert_non_null(E->ops->direction(E));
    const ofw_direction *d = E->ops->direction(E);
    assert_int_equal(d->dim, now.n);
    assert_int_equal(d->rows, shapes[shape].rows);
    assert_int_equal(d->cols, shapes[shape].cols);
    assert_ptr_equal(d->dense, now.h.d);
    end();
  }
}

/* |d| and |x - d|, also where their squares are no doubles. */
static void test_norms(void **state)
{
  (void)state;
  static const double scales[] = {1.0, 1e-200, 1e200, 1e-310, 1e300};
  static double e[MOST];
  for (size_t shape = 0; shape < SHAPES; shape++)
    for (size_t k = 0; k < 5; k++) {
      begin(shape);
      const ofw_engine *E = now.h.E;
      double scale = scales[k];
      for (size_t i = 0; i < now.n; i++) {
        now.h.x[i] *= scale;
        now.h.d[i] *= scale;
        e[i] = now.h.x[i] / scale - now.h.d[i] / scale;
      }
      assert_near(E->ops->apart(E) / scale, slow_norm(now.n, e), 1e-12);
      for (size_t i = 0; i < now.n; i++)
        e[i] = now.h.d[i] / scale;
      assert_near(E->ops->norm(E) / scale, slow_norm(now.n, e), 1e-12);
      end();
    }
}

/* x is what the set makes of d, which stays. */
static void test_project(void **state)
{
  (void)state;
  static double x[MOST], d[MOST];
  for (size_t shape = 0; shape < SHAPES; shape++) {
    void *work = NULL;
    begin(shape);
    memcpy(d, now.h.d, now.n * sizeof *d);
    assert_int_equal(ofw_domain_project(now.K, d, x, NULL), OFW_OK);
    assert_int_equal(now.K->ops->open(now.K, 1, &work, NULL), OFW_OK);
    assert_int_equal(now.K->ops->reserve(now.K, work, NULL), OFW_OK);
    assert_int_equal(now.h.E->ops->project(now.h.E, now.K, work, NULL), OFW_OK);
    assert_memory_equal(now.h.x, x, now.n * sizeof *x);
    assert_memory_equal(now.h.d, d, now.n * sizeof *d);
    now.K->ops->close(work);
    end();
  }
}

static void starts_at(const char *spec, double each)
{
  ofw_domain *K = domain(spec);
  held h = hold(K);
  for (size_t i = 0; i < ofw_domain_dim(K); i++) {
    assert_bits(h.x[i], each);
    assert_bits(h.d[i], 0.0);
  }
  let_go(&h);
  ofw_domain_free(K);
}

static void test_start(void **state)
{
  (void)state;
  starts_at("simplex:dim=600,sum=3", 3.0 / 600);
  starts_at("l1-ball:dim=9,radius=3", 0.0);
  starts_at("l2-ball:dim=600", 0.0);
  starts_at("linf-ball:dim=5", 0.0);
  starts_at("trace-ball:rows=3,cols=4", 0.0);
  starts_at("box:dim=4,lower=-1,upper=2", 0.0); /* the origin, where K holds it */
  starts_at("box:dim=4,lower=1,upper=2", 1.5);
  starts_at("box:dim=4,lower=-3,upper=-1", -2.0);
}

/* ---- arrays so large that they are dealt with in parts ---- */

enum { ROWS = 263, COLS = 251, WIDE = ROWS * COLS, ODD = 37 };

typedef struct large {
  ofw_domain *K;
  held h;
  double *dense, *u, *v, *value, *x, *d, *sum, *atom;
  size_t *index;
  ofw_vec term[6];
} large;

/* One term of each kind and both distributions, two of them not over all coordinates; x, d, and the sum of the terms
 * written out. */
static large begin_large(size_t threads)
{
  uint64_t seed = 9;
  large g = {.K = domain("trace-ball:rows=263,cols=251")};
  double **all[] = {&g.dense, &g.u, &g.v, &g.value, &g.x, &g.d, &g.sum, &g.atom};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    *all[k] = malloc(WIDE * sizeof **all[k]);
    assert_non_null(*all[k]);
    any_reals(&seed, WIDE, *all[k]);
  }
  g.index = malloc(WIDE * sizeof *g.index);
  assert_non_null(g.index);
  for (size_t k = 0; k < WIDE; k++)
    g.index[k] = WIDE - 1 - k;
  g.h = hold_with(g.K, threads);
  memcpy(g.h.x, g.x, WIDE * sizeof *g.x);
  memcpy(g.h.d, g.d, WIDE * sizeof *g.d);
  g.term[0] = ofw_vec_dense(WIDE - ODD, g.dense);
  g.term[1] = ofw_vec_sparse(WIDE / 3, g.index, g.value);
  g.term[2] = ofw_vec_rank_one(ROWS, COLS, g.u, g.v);
  g.term[3] = ofw_vec_random(WIDE, (ofw_rng_key){1, 4, 2}, OFW_UNIFORM);
  g.term[4] = ofw_vec_random(WIDE - ODD, (ofw_rng_key){1, 4, 3}, OFW_NORMAL);
  g.term[5] = ofw_vec_rank_one(ROWS - 1, COLS, g.u + 1, g.v);
  g.term[0].offset = g.term[4].offset = ODD;
  for (size_t k = 0; k < 6; k++)
    g.term[k].scale = 1.5 - (double)k / 3.0;
  return g;
}

static void end_large(large *g)
{
  let_go(&g->h);
  free(g->dense), free(g->u), free(g->v), free(g->value), free(g->x), free(g->d), free(g->sum), free(g->atom);
  free(g->index);
  ofw_domain_free(g->K);
}

/* Everything that reads and writes x and d, once, against the same in the obvious way. */
static void play_large(large *g)
{
  ofw_engine *E = g->h.E;
  ofw_sum terms = {6, g->term}, one = {1, &g->term[2]};
  double dot, slope, length2, largest, norm, most = 0.0;
  ofw_sum_dense(terms, WIDE, g->sum);
  ofw_sum_dense(one, WIDE, g->atom);
  assert_int_equal(E->ops->view->dot(E, terms, &dot), OFW_OK);
  assert_near(dot, slow_dot(WIDE, g->sum, g->x), 1e-9);
  assert_near(E->ops->inner(E, terms, one), slow_dot(WIDE, g->sum, g->atom), 1e-9);
  assert_near(E->ops->inner(E, terms, terms), slow_dot(WIDE, g->sum, g->sum), 1e-8);
  E->ops->pull(E, 0.5, 2.0, 3.0, terms);
  for (size_t i = 0; i < WIDE; i++) {
    g->d[i] = 0.5 * g->d[i] + 2.0 * g->x[i] + 3.0 * g->sum[i];
    assert_near(g->h.d[i], g->d[i], 1e-13);
    most = fmax(most, fabs(g->h.d[i]));
  }
  const ofw_direction *d = E->ops->direction(E);
  d->size(d, &largest, &norm);
  assert_bits(largest, most);
  assert_near(norm, slow_norm(WIDE, g->h.d), 1e-9);
  assert_bits(E->ops->norm(E), norm);
  const ofw_sum atoms[] = {one, terms};
  for (size_t k = 0; k < 2; k++) { /* row by row, and written out */
    ofw_sum_dense(atoms[k], WIDE, g->atom);
    for (size_t i = 0; i < WIDE; i++)
      g->atom[i] -= g->x[i];
    E->ops->segment(E, atoms[k], &slope, &length2);
    assert_near(slope, slow_dot(WIDE, g->atom, g->h.d), 1e-8);
    assert_near(length2, slow_dot(WIDE, g->atom, g->atom), 1e-8);
    E->ops->step(E, atoms[k], 0.25, 2.0);
    for (size_t i = 0; i < WIDE; i++) {
      g->x[i] += 0.25 * g->atom[i];
      g->d[i] += 0.5 * g->atom[i];
      assert_near(g->h.x[i], g->x[i], 1e-13);
      assert_near(g->h.d[i], g->d[i], 1e-12);
    }
  }
}

/* u = D v, w = D' u, where D is scaled by a power of two or not. */
static void pass_large(large *g, int exponent)
{
  const ofw_direction *d = g->h.E->ops->direction(g->h.E);
  double *u = g->sum, *w = g->atom;
  d->pass(d, exponent, g->v, u, w);
  for (size_t i = 0; i < ROWS; i++)
    assert_near(u[i], ldexp(slow_dot(COLS, g->h.d + i * COLS, g->v), -exponent), 1e-11);
  for (size_t j = 0; j < COLS; j++) {
    double want = 0.0;
    for (size_t i = 0; i < ROWS; i++)
      want += ldexp(g->h.d[i * COLS + j], -exponent) * u[i];
    assert_near(w[j], want, 1e-10 * (1.0 + fabs(want)));
  }
}

static void test_large(void **state)
{
  (void)state;
  for (size_t threads = 1; threads <= 3; threads++) {
    large g = begin_large(threads);
    play_large(&g);
    pass_large(&g, 0);
    pass_large(&g, 3);
    assert_non_null(g.h.E->ops->direction(g.h.E));
    g.h.E->ops->pull(g.h.E, 0.0, 0.0, 1.0, (ofw_sum){0, NULL});
    assert_null(g.h.E->ops->direction(g.h.E));
    g.h.d[WIDE - 1] = 0x1p-1074;
    assert_non_null(g.h.E->ops->direction(g.h.E));
    end_large(&g);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pull),         cmocka_unit_test(test_zero_clears_anything),
      cmocka_unit_test(test_step),         cmocka_unit_test(test_segment),
      cmocka_unit_test(test_point),        cmocka_unit_test(test_point_refusals),
      cmocka_unit_test(test_still),        cmocka_unit_test(test_norms),
      cmocka_unit_test(test_project),      cmocka_unit_test(test_start),
      cmocka_unit_test(test_random_again), cmocka_unit_test(test_probe_again),
      cmocka_unit_test(test_large),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
