/* test_factored.c — the same calls of a factored engine and of a dense one make the same x, d and y */
#include "engine/dense.h"
#include "engine/factored.h"
#include "unit/engine/held.h"
#include "vector/vec_arithmetic.h"

#include <stdio.h>
#include <stdlib.h>

/* One row; more rows or more columns; so large that threads share it out; one column. */
static const struct {
  size_t rows, cols;
} shapes[] = {{1, 1}, {1, 9}, {30, 21}, {12, 40}, {4200, 16}, {11, 1}};
enum { SHAPES = 6, MOST = 4200 * 16, FULL = 4096, TERMS = 3 };

static double u[2][4200], v[2][4200], value[MOST], got[MOST], want[MOST], passed[2][2][4200], start[4200];
static size_t nth[MOST];

typedef struct pair {
  ofw_domain *K;
  size_t n, rows, cols;
  ofw_engine *F;
  held D;
  ofw_vec term[TERMS], atom;
} pair;

static pair begin(size_t shape, size_t rank, size_t threads)
{
  char spec[64];
  size_t rows = shapes[shape].rows, cols = shapes[shape].cols;
  snprintf(spec, sizeof spec, "trace-ball:rows=%zu,cols=%zu,radius=2", rows, cols);
  pair p = {.K = domain(spec), .n = rows * cols, .rows = rows, .cols = cols};
  p.D = hold(p.K);
  p.F = ofw_engine_open_factored(p.K, rank, threads, NULL);
  assert_non_null(p.F);
  assert_int_equal(p.F->ops->lead->keep(p.F, NULL), OFW_OK);
  assert_int_equal(p.D.E->ops->lead->keep(p.D.E, NULL), OFW_OK);
  return p;
}

static void end(pair *p)
{
  p->F->ops->close(p->F);
  let_go(&p->D);
  ofw_domain_free(p->K);
}

/* A sparse vector and two matrices of rank one, one of which has a v that comes again and again; an atom of length 2. */
static ofw_full any_terms(pair *p, uint64_t *seed)
{
  size_t step = 1 + any_below(seed, 3 + p->n / 20), n = 0;
  for (size_t at = any_below(seed, step); at < p->n; at += step)
    nth[n++] = at;
  any_reals(seed, n, value);
  p->term[0] = ofw_vec_sparse(n, nth, value);
  for (size_t k = 0; k < 2; k++) {
    any_reals(seed, p->rows, u[k]);
    if (k == 1)
      any_reals(seed, p->cols, v[k]);
    p->term[1 + k] = ofw_vec_rank_one(p->rows, p->cols, u[k], v[k]);
  }
  for (size_t k = 0; k < TERMS; k++)
    p->term[k].scale = any_real(seed) / (double)p->rows;
  return (ofw_full){.loss_gradient = {TERMS, p->term}};
}

static ofw_sum any_atom(pair *p, uint64_t *seed)
{
  static double a[4200], b[4200];
  if (any_below(seed, 8) == 0)
    return (ofw_sum){0, NULL}; /* the 0 that an oracle gives for d = 0 */
  any_reals(seed, p->rows, a);
  any_reals(seed, p->cols, b);
  p->atom = ofw_vec_rank_one(p->rows, p->cols, a, b);
  p->atom.scale = 2.0 / (slow_norm(p->rows, a) * slow_norm(p->cols, b));
  return (ofw_sum){1, &p->atom};
}

/* One of the rounds that learners are made of. */
static void any_round(pair *p, uint64_t *seed, double tolerance)
{
  ofw_engine *E[] = {p->F, p->D.E};
  ofw_full fb = any_terms(p, seed);
  ofw_sum some = {any_below(seed, TERMS + 1), p->term};
  double a = any_below(seed, 12) == 0 ? 0.0 : any_below(seed, 3) ? 1.0 : any_real(seed);
  double b = any_below(seed, 2) ? 0.0 : any_real(seed), c = any_real(seed), found[2][4];
  double sig = fabs(any_real(seed)), curv = any_real(seed), keep = fabs(any_real(seed));
  assert_int_equal(p->F->ops->admit(p->F, &fb, NULL), OFW_OK);
  for (size_t k = 0; k < 2; k++)
    E[k]->ops->pull(E[k], a, b, c, some);
  ofw_sum atom = any_atom(p, seed);
  for (size_t k = 0; k < 2; k++) {
    E[k]->ops->segment(E[k], atom, &found[k][0], &found[k][1]);
    found[k][2] = E[k]->ops->lead->step(E[k], atom, sig, keep);
    found[k][3] = E[k]->ops->norm(E[k]);
    E[k]->ops->step(E[k], atom, sig, curv);
  }
  for (size_t k = 0; k < 4; k++)
    assert_near(found[0][k], found[1][k], tolerance * (1.0 + fabs(found[1][k])));
}

static void assert_same(size_t n, const double *a, const double *b, double tolerance)
{
  for (size_t i = 0; i < n; i++)
    assert_near(a[i], b[i], tolerance);
}

/* d as oracles read it, also where it is 0 and no oracle is asked. */
static const ofw_direction *direction_of(const ofw_engine *F)
{
  return &((const ofw_factored *)F)->direction;
}

/* As they are read. */
static void compare(pair *p, uint64_t *seed, double tolerance)
{
  ofw_engine *F = p->F, *D = p->D.E;
  const ofw_direction *f = direction_of(F), *g = &((const ofw_dense *)D)->direction;
  double a, b;
  assert_int_equal(F->ops->view->dense(F, got), OFW_OK);
  assert_same(p->n, got, p->D.x, tolerance);
  any_terms(p, seed);
  for (size_t k = 0; k < TERMS; k++) {
    assert_int_equal(F->ops->view->dot(F, (ofw_sum){1, &p->term[k]}, &a), OFW_OK);
    assert_int_equal(D->ops->view->dot(D, (ofw_sum){1, &p->term[k]}, &b), OFW_OK);
    assert_near(a, b, tolerance * (double)p->n);
    assert_near(F->ops->lead->dot(F, (ofw_sum){1, &p->term[k]}), D->ops->lead->dot(D, (ofw_sum){1, &p->term[k]}),
                tolerance * (double)p->n);
  }
  assert_near(F->ops->apart(F), D->ops->apart(D), sqrt(tolerance));
  assert_int_equal(F->ops->direction(F) == NULL, D->ops->direction(D) == NULL);
  any_reals(seed, p->cols, start);
  for (int exponent = 0; exponent < 5; exponent += 4) {
    f->pass(f, exponent, start, passed[0][0], passed[0][1]);
    g->pass(g, exponent, start, passed[1][0], passed[1][1]);
    assert_same(p->rows, passed[0][0], passed[1][0], tolerance * (double)p->n);
    assert_same(p->cols, passed[0][1], passed[1][1], tolerance * (double)p->n);
  }
  double largest, norm, exact = D->ops->norm(D);
  f->size(f, &largest, &norm);
  assert_near(norm, exact, sqrt(tolerance) * (1.0 + exact));
  assert_true(norm >= exact * (1.0 - 1e-12) && largest >= ofw_largest(p->n, p->D.d) * (1.0 - 1e-12));
}

/* Entries in any order, also the same one twice; a row. */
static void compare_entries(pair *p, uint64_t *seed)
{
  size_t n = p->n < 500 ? p->n : 500;
  const ofw_vec drawn = ofw_vec_random(p->n, (ofw_rng_key){*seed, OFW_RNG_PROBE, 1}, OFW_NORMAL);
  const ofw_sum probe = {*seed % 2, &drawn};
  for (size_t k = 0; k < n; k++)
    nth[k] = any_below(seed, p->n);
  assert_int_equal(p->F->ops->view->entries(p->F, probe, n, nth, got), OFW_OK);
  assert_int_equal(p->D.E->ops->view->entries(p->D.E, probe, n, nth, want), OFW_OK);
  assert_same(n, got, want, 1e-11);
  size_t row = any_below(seed, p->F->rows), cols = p->F->cols;
  assert_int_equal(cols, p->D.E->cols);
  assert_int_equal(p->F->ops->view->row(p->F, row, got), OFW_OK);
  assert_same(cols, got, p->D.x + row * cols, 1e-11);
  nth[0] = p->n;
  assert_int_equal(ofw_point_entries(&(ofw_point){.at = p->F}, 1, nth, got), OFW_USAGE);
}

static void test_without_compression(void **state)
{
  (void)state;
  for (size_t shape = 0; shape < SHAPES; shape++) {
    uint64_t seed = 100 + shape;
    pair p = begin(shape, FULL, 1 + shape % 3);
    any_reals(&seed, p.cols, v[0]);
    compare(&p, &seed, 1e-11);
    for (int round = 0; round < (p.n > 10000 ? 25 : 80); round++) {
      any_round(&p, &seed, 1e-9);
      compare(&p, &seed, 1e-11);
      compare_entries(&p, &seed);
    }
    ofw_extent extent = p.F->ops->extent(p.F);
    assert_int_equal(extent.compressions, 0);
    assert_at_most(extent.lost_x, 1e-10);
    assert_at_most(extent.lost_d, 1e-10);
    assert_true(extent.left <= p.rows && extent.right <= p.cols);
    end(&p);
  }
}

/* S changes so often that its inner products are worked out anew. */
static void test_long_play(void **state)
{
  (void)state;
  uint64_t seed = 8;
  pair p = begin(2, FULL, 1);
  any_reals(&seed, p.cols, v[0]);
  for (int round = 0; round < 1500; round++)
    any_round(&p, &seed, 1e-7);
  compare(&p, &seed, 1e-10);
  end(&p);
}

/* A huge number comes into S and goes again, without a trace there: what rounding left of it in the inner products with S is
 * gone once they have been worked out anew. */
static void test_after_a_huge_number(void **state)
{
  (void)state;
  uint64_t seed = 9;
  pair p = begin(2, FULL, 1);
  ofw_engine *E[] = {p.F, p.D.E};
  size_t there = 7 * 21 + 3, here = 8 * 21 + 5;
  double huge = 0x1p70, small = 0.25, slope[2], length2[2];
  ofw_vec passing = ofw_vec_sparse(1, &there, &huge), staying = ofw_vec_sparse(1, &here, &small);
  for (int round = 0; round < 300; round++) {
    ofw_full fb = {.loss_gradient = {1, round ? &staying : &passing}};
    assert_int_equal(p.F->ops->admit(p.F, &fb, NULL), OFW_OK);
    ofw_sum atom = any_atom(&p, &seed);
    for (size_t k = 0; k < 2; k++) {
      E[k]->ops->pull(E[k], 1.0, 0.0, 1.0, fb.loss_gradient);
      E[k]->ops->step(E[k], atom, 1e-3, 0.0);
      if (round == 0)
        E[k]->ops->pull(E[k], 1.0, 0.0, -1.0, fb.loss_gradient);
      E[k]->ops->segment(E[k], atom, &slope[k], &length2[k]);
    }
  }
  assert_near(slope[0], slope[1], 1e-9);
  end(&p);
}

static double distance(size_t n, const double *a, const double *b)
{
  for (size_t i = 0; i < n; i++)
    want[i] = a[i] - b[i];
  return slow_norm(n, want);
}

/* d as a dense matrix, column by column. */
static void read_direction(const pair *p, double *out)
{
  const ofw_direction *f = direction_of(p->F);
  for (size_t j = 0; j < p->cols; j++) {
    memset(start, 0, p->cols * sizeof *start);
    start[j] = 1.0;
    f->pass(f, 0, start, passed[0][0], passed[0][1]);
    for (size_t i = 0; i < p->rows; i++)
      out[i * p->cols + j] = passed[0][0][i];
  }
}

/* What compressions lose is at most what is reported, and not reported as more than all there is. */
static void test_compression(void **state)
{
  (void)state;
  size_t seen = 0;
  for (size_t shape = 2; shape < 4; shape++)
    for (size_t rank = 1; rank <= 10; rank += 3) {
      uint64_t seed = 7 * rank + shape;
      pair p = begin(shape, rank, 1);
      any_reals(&seed, p.cols, v[0]);
      for (int round = 0; round < 60; round++) {
        ofw_full fb = any_terms(&p, &seed);
        assert_int_equal(p.F->ops->admit(p.F, &fb, NULL), OFW_OK);
        double c = any_real(&seed), sig = fabs(any_real(&seed)) / 2.0;
        p.F->ops->pull(p.F, 0.9, 0.1, c, fb.loss_gradient);
        p.D.E->ops->pull(p.D.E, 0.9, 0.1, c, fb.loss_gradient);
        ofw_sum atom = any_atom(&p, &seed);
        p.F->ops->step(p.F, atom, sig, 2.0);
        p.D.E->ops->step(p.D.E, atom, sig, 2.0);
        ofw_extent extent = p.F->ops->extent(p.F);
        assert_int_equal(p.F->ops->view->dense(p.F, got), OFW_OK);
        assert_at_most(distance(p.n, got, p.D.x), extent.lost_x * (1.0 + 1e-9) + 1e-12);
        assert_at_most(ofw_domain_excess(p.K, got), 1e-12);
        read_direction(&p, got);
        assert_at_most(distance(p.n, got, p.D.d), extent.lost_d * (1.0 + 1e-9) + 1e-12);
        assert_at_most(extent.lost_x, 4.0 * 2.0); /* twice the diameter */
        seen += extent.compressions > 0 && extent.lost_x > 0.0;
      }
      end(&p);
    }
  assert_true(seen > 100);
}

/* Atoms from few directions lose nothing, however often they are compressed. */
static void test_low_rank(void **state)
{
  (void)state;
  uint64_t seed = 77;
  static double a[4][4200], b[4][4200];
  pair p = begin(2, 6, 1);
  for (size_t k = 0; k < 4; k++) {
    any_reals(&seed, p.rows, a[k]);
    any_reals(&seed, p.cols, b[k]);
  }
  for (int round = 0; round < 300; round++) {
    double left[30], right[30];
    for (size_t i = 0; i < p.rows; i++)
      left[i] = a[0][i] + a[1][i] * (double)(round % 7) - a[2][i] * (double)(round % 5);
    for (size_t j = 0; j < p.cols; j++)
      right[j] = b[0][j] - b[3][j] * (double)(round % 3);
    p.atom = ofw_vec_rank_one(p.rows, p.cols, left, right);
    p.atom.scale = 0.1;
    p.F->ops->step(p.F, (ofw_sum){1, &p.atom}, 0.3, 1.5);
    p.D.E->ops->step(p.D.E, (ofw_sum){1, &p.atom}, 0.3, 1.5);
  }
  ofw_extent extent = p.F->ops->extent(p.F);
  assert_int_equal(extent.left, 3);
  assert_int_equal(extent.right, 2);
  assert_at_most(extent.lost_x, 1e-9);
  assert_int_equal(p.F->ops->view->dense(p.F, got), OFW_OK);
  assert_same(p.n, got, p.D.x, 1e-10);
  end(&p);
}

/* Every third round x and y forget what they were, and d its part over the bases: the bases fill with what nothing needs any
 * more, which compressions drop between a lead and its step too. Nothing is lost by that. */
static void test_compression_of_what_is_gone(void **state)
{
  (void)state;
  for (size_t shape = 2; shape < 4; shape++) {
    uint64_t seed = 90 + shape;
    pair p = begin(shape, 7, 1);
    ofw_engine *E[] = {p.F, p.D.E};
    any_reals(&seed, p.cols, v[0]);
    for (int round = 0; round < 150; round++) {
      int fresh = round % 3 == 0;
      ofw_full fb = any_terms(&p, &seed);
      ofw_sum sparse = {1, p.term};
      double sig = fresh ? 1.0 : 0.3, c = any_real(&seed), found[2][3];
      assert_int_equal(p.F->ops->admit(p.F, &fb, NULL), OFW_OK);
      ofw_sum atom = any_atom(&p, &seed);
      for (size_t k = 0; k < 2; k++) {
        E[k]->ops->pull(E[k], fresh ? 0.0 : 0.9, fresh ? 0.0 : 0.1, c, sparse);
        E[k]->ops->segment(E[k], atom, &found[k][0], &found[k][1]);
        found[k][2] = E[k]->ops->lead->step(E[k], atom, sig, fresh ? 0.0 : 0.7);
        E[k]->ops->step(E[k], atom, sig, 1.5);
      }
      for (size_t k = 0; k < 3; k++)
        assert_near(found[0][k], found[1][k], 1e-11 * (1.0 + fabs(found[1][k])));
      compare(&p, &seed, 1e-11);
    }
    ofw_extent extent = p.F->ops->extent(p.F);
    assert_true(extent.compressions > 5);
    assert_at_most(extent.lost_x, 1e-10);
    assert_at_most(extent.lost_d, 1e-10);
    end(&p);
  }
}

/* By how much the factored x and d differ from the dense ones is lost, and told to be. */
static void assert_lost(const pair *p)
{
  static double d[MOST];
  ofw_extent extent = p->F->ops->extent(p->F);
  assert_int_equal(p->F->ops->view->dense(p->F, got), OFW_OK);
  read_direction(p, d);
  double x_off = distance(p->n, got, p->D.x), d_off = distance(p->n, d, p->D.d);
  assert_at_most(x_off, extent.lost_x * (1.0 + 1e-3));
  assert_at_most(d_off, extent.lost_d * (1.0 + 1e-3));
}

/* A vector that is so little outside the basis that it is not worth a column: what is left out is told, and goes the way
 * of x and d. */
static void test_what_is_left_out_is_told(void **state)
{
  (void)state;
  pair p = begin(2, 6, 1);
  ofw_engine *E[] = {p.F, p.D.E};
  double left[30] = {1.0}, beside[30] = {1.0, 9e-13}, right[21] = {1.0};
  ofw_vec atom = ofw_vec_rank_one(30, 21, left, right), off = ofw_vec_rank_one(30, 21, beside, right);
  atom.scale = off.scale = 2.0;
  const struct {
    double a, b, c, sig, curv; /* of a pull, and of a step by which it is followed */
  } calls[] = {{1.0, 0.0, 1.0, 0.0, 0.0}, {-0.5, 0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 1.0, 0.0},
               {0.0, 3.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.5, 2.0},  {0.25, -1.0, -4.0, 0.5, 1.0}};
  for (size_t k = 0; k < 2; k++)
    E[k]->ops->step(E[k], (ofw_sum){1, &atom}, 1.0, 0.0);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    for (size_t k = 0; k < 2; k++) {
      E[k]->ops->pull(E[k], calls[i].a, calls[i].b, calls[i].c, (ofw_sum){1, &off});
      if (calls[i].sig > 0.0)
        E[k]->ops->step(E[k], (ofw_sum){1, &off}, calls[i].sig, calls[i].curv);
    }
    assert_lost(&p);
  }
  ofw_extent extent = p.F->ops->extent(p.F);
  assert_int_equal(extent.left, 1);
  assert_true(extent.lost_x > 1e-13 && extent.lost_x < 1e-11 && extent.lost_d > 1e-13 && extent.lost_d < 1e-10);
  end(&p);
}

/* What S has and what is over the bases cancel: d is 0, to the last digit or but for it. */
static void test_cancelling(void **state)
{
  (void)state;
  for (size_t k = 0; k < 2; k++) {
    pair p = begin(2, 8, 1);
    double left[30] = {0}, right[21] = {0}, number[2] = {0.7, -1.1};
    size_t at[2] = {4 * 21 + 5, 4 * 21 + 9};
    ofw_vec sparse = ofw_vec_sparse(1 + k, at, number), matrix = ofw_vec_rank_one(30, 21, left, right);
    ofw_full fb = {.loss_gradient = {1, &sparse}};
    left[4] = 1.0;
    right[5] = 0.7;
    right[9] = k ? -1.1 : 0.0;
    assert_int_equal(p.F->ops->admit(p.F, &fb, NULL), OFW_OK);
    p.F->ops->pull(p.F, 1.0, 0.0, 3.0, fb.loss_gradient);
    assert_non_null(p.F->ops->direction(p.F));
    p.F->ops->pull(p.F, 1.0, 0.0, -3.0, (ofw_sum){1, &matrix});
    assert_null(p.F->ops->direction(p.F));
    p.F->ops->pull(p.F, 1.0, 0.0, 1e-12, (ofw_sum){1, &matrix});
    assert_non_null(p.F->ops->direction(p.F));
    end(&p);
  }
}

/* Where the two parts of d cancel but for a little, its size is told as no less than it is, whatever rounding made of it. */
static void test_size_of_what_is_left(void **state)
{
  (void)state;
  static double d[MOST];
  pair p = begin(2, 8, 1);
  uint64_t seed = 61;
  for (int k = 0; k < 100; k++) {
    double left[30] = {0}, right[21], entry[21], largest, norm;
    size_t at[21];
    any_reals(&seed, 21, right);
    left[k % 30] = 1.0;
    for (size_t j = 0; j < 21; j++) {
      at[j] = (size_t)(k % 30) * 21 + j;
      entry[j] = right[j] * (1.0 + 1e-11 * any_real(&seed));
    }
    ofw_vec sparse = ofw_vec_sparse(21, at, entry), matrix = ofw_vec_rank_one(30, 21, left, right);
    ofw_full fb = {.loss_gradient = {1, &sparse}};
    assert_int_equal(p.F->ops->admit(p.F, &fb, NULL), OFW_OK);
    p.F->ops->pull(p.F, 0.0, 0.0, 3.0, fb.loss_gradient);
    p.F->ops->pull(p.F, 1.0, 0.0, -3.0, (ofw_sum){1, &matrix});
    const ofw_direction *f = direction_of(p.F);
    f->size(f, &largest, &norm);
    read_direction(&p, d);
    assert_at_most(slow_norm(p.n, d), norm);
  }
  end(&p);
}

/* Refused with the reason, before anything changes. */
static void test_admission(void **state)
{
  (void)state;
  pair p = begin(2, 8, 1);
  uint64_t seed = 5;
  any_reals(&seed, p.n, value);
  ofw_vec dense = ofw_vec_dense(p.n, value), random = ofw_vec_random(p.n, (ofw_rng_key){1, 2, 3}, OFW_UNIFORM),
          part = ofw_vec_rank_one(3, p.cols, u[0], v[0]), shifted = ofw_vec_rank_one(p.rows, p.cols, u[0], v[0]);
  shifted.offset = 1;
  const ofw_vec *bad[] = {&dense, &random, &part, &shifted};
  static const char *const name[] = {"a dense vector", "a random one", "a block of one", "a block of one"};
  double g = 1.0, out;
  for (size_t k = 0; k < 4; k++) {
    ofw_sum sum = {1, bad[k]};
    ofw_full of_loss = {.loss_gradient = sum};
    ofw_full of_constraint = {.values = {0.0, 1, &g}, .constraint_gradient = &sum};
    ofw_error err = {0};
    char message[160];
    assert_int_equal(p.F->ops->admit(p.F, &of_loss, &err), OFW_UNSUPPORTED);
    snprintf(message, sizeof message,
             "loss_gradient: storage=factored takes sparse vectors and whole matrices of rank one, found %s", name[k]);
    assert_string_equal(err.message, message);
    assert_int_equal(p.F->ops->admit(p.F, &of_constraint, &err), OFW_UNSUPPORTED);
    assert_memory_equal(err.message, "constraint_gradient: ", 21);
    assert_int_equal(p.F->ops->view->dot(p.F, sum, &out), OFW_UNSUPPORTED);
  }
  assert_null(p.F->ops->direction(p.F));
  end(&p);
}

/* ---- state ---- */

static const ofw_packed *held_item;
static ofw_packed item_room;

static ofw_status grab_packed(void *ctx, const char *name, const ofw_packed *item)
{
  (void)ctx;
  assert_string_equal(name, "factored");
  item_room = *item;
  held_item = &item_room;
  return OFW_OK;
}

static uint64_t *saved(ofw_engine *E, size_t *n)
{
  ofw_visitor visitor = {.packed = grab_packed};
  assert_int_equal(E->ops->visit(E, &visitor), OFW_OK);
  *n = held_item->size(E);
  uint64_t *words = malloc(*n * sizeof *words);
  assert_non_null(words);
  held_item->save(E, words);
  return words;
}

/* `to` becomes what `from` is. */
static void load_from(ofw_engine *to, ofw_engine *from)
{
  size_t n, unused;
  uint64_t *words = saved(from, &n);
  free(saved(to, &unused)); /* the item is its own from here on */
  assert_int_equal(held_item->check(to, words, n, NULL), OFW_OK);
  held_item->load(to, words);
  free(words);
}

static void assert_same_state(ofw_engine *a, ofw_engine *b)
{
  size_t n, m;
  uint64_t *one = saved(a, &n), *other = saved(b, &m);
  assert_int_equal(m, n);
  assert_memory_equal(other, one, n * sizeof *one);
  free(one);
  free(other);
}

/* An engine goes on from another's state bit for bit, also one that holds something else. */
static void test_state(void **state)
{
  (void)state;
  for (size_t rank = 3; rank < 40; rank += 30) {
    uint64_t seed = 21, twin;
    pair p = begin(2, rank, 1), q = begin(2, rank, 1);
    for (int round = 0; round < 30; round++)
      any_round(&p, &seed, 1e3);
    for (int round = 0; round < 50; round++)
      any_round(&q, &seed, 1e3);
    load_from(q.F, p.F);
    assert_same_state(p.F, q.F);
    twin = seed;
    for (int round = 0; round < 30; round++) {
      any_round(&p, &seed, 1e3);
      any_round(&q, &twin, 1e9);
    }
    assert_same_state(p.F, q.F);
    end(&p);
    end(&q);
  }
}

/* Nothing that a load does not bring decides a bit: the same matrix comes again and again, and S stays. */
static void test_state_of_repeats(void **state)
{
  (void)state;
  uint64_t seed = 51;
  pair p = begin(2, 6, 1), q = begin(2, 6, 1);
  any_reals(&seed, p.rows, u[0]);
  any_reals(&seed, p.cols, v[0]);
  p.term[0] = ofw_vec_rank_one(p.rows, p.cols, u[0], v[0]);
  p.term[0].scale = 0.3;
  for (int round = 0; round < 12; round++) {
    ofw_sum same = {1, p.term};
    load_from(q.F, p.F);
    for (ofw_engine *E = p.F; E; E = E == p.F ? q.F : NULL) {
      double sig = round % 3 ? 0.4 : 0.0;
      if (round % 4 == 0)
        E->ops->pull(E, 1.0, 0.0, 0.7, same);
      E->ops->lead->step(E, same, sig, 0.9);
      if (sig > 0.0)
        E->ops->step(E, same, sig, 2.0);
    }
    assert_same_state(p.F, q.F);
  }
  end(&p);
  end(&q);
}

/* What an engine had looked at before a load is not where it was. */
static void test_state_forgets_what_was_placed(void **state)
{
  (void)state;
  uint64_t seed = 71;
  pair p = begin(2, 6, 1), q = begin(2, 6, 1);
  for (int round = 0; round < 5; round++) {
    any_round(&p, &seed, 1e3);
    any_round(&q, &seed, 1e3);
  }
  any_reals(&seed, p.rows, u[0]);
  any_reals(&seed, p.cols, v[0]);
  p.term[0] = ofw_vec_rank_one(p.rows, p.cols, u[0], v[0]);
  double slope[2], length2[2];
  q.F->ops->segment(q.F, (ofw_sum){1, p.term}, &slope[1], &length2[1]);
  load_from(q.F, p.F);
  p.F->ops->segment(p.F, (ofw_sum){1, p.term}, &slope[0], &length2[0]);
  q.F->ops->segment(q.F, (ofw_sum){1, p.term}, &slope[1], &length2[1]);
  assert_true(slope[0] == slope[1] && length2[0] == length2[1]);
  end(&p);
  end(&q);
}

static void test_bad_state(void **state)
{
  (void)state;
  uint64_t seed = 31;
  size_t n, m;
  pair p = begin(2, 6, 1);
  for (int round = 0; round < 20; round++)
    any_round(&p, &seed, 1e3);
  uint64_t *words = saved(p.F, &n), *before = saved(p.F, &m);
  for (size_t short_of = 1; short_of < n; short_of++)
    assert_int_equal(held_item->check(p.F, words, n - short_of, NULL), OFW_BAD_DATA);
  for (size_t k = 0; k < 2; k++) {
    uint64_t kept = words[k], wrong[] = {UINT64_MAX, 6 + 3 + 8, kept + 1, kept - 1}; /* 17 would leave no room */
    for (size_t w = 0; w < 4; w++) {
      words[k] = wrong[w];
      assert_int_equal(held_item->check(p.F, words, n, NULL), OFW_BAD_DATA);
    }
    words[k] = kept;
  }
  uint64_t *after = saved(p.F, &m);
  assert_memory_equal(after, before, n * sizeof *before);
  free(words);
  free(before);
  free(after);
  end(&p);
}

/* How many threads there are changes no bit. */
static void test_threads(void **state)
{
  (void)state;
  uint64_t *first = NULL;
  size_t n, m;
  for (size_t threads = 1; threads <= 3; threads++) {
    uint64_t seed = 41;
    pair p = begin(4, 6, threads);
    any_reals(&seed, p.cols, v[0]);
    for (int round = 0; round < 12; round++)
      any_round(&p, &seed, 1e3);
    uint64_t *words = saved(p.F, &m);
    if (!first) {
      first = words;
      n = m;
    } else {
      assert_int_equal(m, n);
      assert_memory_equal(words, first, n * sizeof *words);
      free(words);
    }
    end(&p);
  }
  free(first);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_without_compression),
      cmocka_unit_test(test_long_play),
      cmocka_unit_test(test_after_a_huge_number),
      cmocka_unit_test(test_compression),
      cmocka_unit_test(test_low_rank),
      cmocka_unit_test(test_compression_of_what_is_gone),
      cmocka_unit_test(test_what_is_left_out_is_told),
      cmocka_unit_test(test_cancelling),
      cmocka_unit_test(test_size_of_what_is_left),
      cmocka_unit_test(test_admission),
      cmocka_unit_test(test_state),
      cmocka_unit_test(test_state_of_repeats),
      cmocka_unit_test(test_state_forgets_what_was_placed),
      cmocka_unit_test(test_bad_state),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
