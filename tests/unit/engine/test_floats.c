/* test_floats.c — an engine over floats does what one over doubles does with the same numbers, and then rounds */
#include "unit/engine/held.h"
#include "vector/vec_arithmetic.h"

#include <stdio.h>

/* Below and above the size from which arrays are dealt with in parts; an odd number of coordinates in one. */
static const struct {
  size_t rows, cols;
} shapes[] = {{1, 1}, {7, 73}, {263, 251}};
enum { SHAPES = 3, MOST = 263 * 251, TERMS = 4 };

static float *fx, *fd; /* the floats themselves */
static double x[MOST], d[MOST], u[MOST], v[MOST], value[MOST], size[MOST], out[2][MOST];
static size_t nth[MOST];

static ofw_status grab_floats(void *ctx, const char *name, void *item, size_t n)
{
  size_t dim = *(size_t *)ctx;
  assert_int_equal(n, (dim + 1) / 2); /* half the words */
  *(name[0] == 'x' ? &fx : &fd) = item;
  return OFW_OK;
}

typedef struct pair {
  ofw_domain *K;
  size_t n;
  ofw_engine *F;
  held D; /* over doubles */
  ofw_vec term[TERMS];
} pair;

/* Both engines hold the same numbers, all of them floats. */
static pair begin(size_t shape, size_t threads)
{
  uint64_t seed = 5 + shape;
  char spec[64];
  size_t rows = shapes[shape].rows, cols = shapes[shape].cols, n = rows * cols;
  snprintf(spec, sizeof spec, "trace-ball:rows=%zu,cols=%zu", rows, cols);
  pair p = {.K = domain(spec), .n = n};
  p.D = hold(p.K);
  p.F = ofw_engine_open_dense(p.K, 0, 1, threads, NULL);
  assert_non_null(p.F);
  ofw_visitor visitor = {.words = grab_floats, .ctx = &n};
  assert_int_equal(p.F->ops->visit(p.F, &visitor), OFW_OK);
  any_reals(&seed, n, x);
  any_reals(&seed, n, d);
  any_reals(&seed, n, u);
  any_reals(&seed, n, v);
  any_reals(&seed, n, value);
  for (size_t i = 0; i < n; i++) {
    nth[i] = n - 1 - i;
    p.D.x[i] = fx[i] = (float)x[i];
    p.D.d[i] = fd[i] = (float)d[i];
  }
  p.term[0] = ofw_vec_dense(n, value);
  p.term[1] = ofw_vec_sparse((n + 1) / 2, nth, value);
  p.term[2] = ofw_vec_rank_one(rows, cols, u, v);
  p.term[3] = ofw_vec_random(n, (ofw_rng_key){1, 4, 2}, OFW_UNIFORM);
  for (size_t k = 0; k < TERMS; k++)
    p.term[k].scale = 1.5 - (double)k;
  return p;
}

static void end(pair *p)
{
  p->F->ops->close(p->F);
  let_go(&p->D);
  ofw_domain_free(p->K);
}

static ofw_sum choice(const pair *p, size_t k)
{
  return k < TERMS ? (ofw_sum){1, &p->term[k]} : (ofw_sum){TERMS, p->term};
}
#define EACH_CASE(shape, k)                       \
  for (size_t shape = 0; shape < SHAPES; shape++) \
    for (size_t k = 0; k <= TERMS; k++)

/* As read, the two differ in the order of sums, and those of moves are floats for a while. */
static void test_reading(void **state)
{
  (void)state;
  EACH_CASE(shape, k)
  {
    pair p = begin(shape, 1 + k % 3);
    ofw_engine *F = p.F, *D = p.D.E;
    double a[2], b[2], order = 1e-12 * (double)p.n;
    size_t index[] = {p.n - 1, 0};
    F->ops->view->dot(F, choice(&p, k), &a[0]);
    D->ops->view->dot(D, choice(&p, k), &b[0]);
    int draws = k >= TERMS - 1; /* they are multiplied as floats, too */
    assert_near(a[0], b[0], draws ? OFW_ROUGH_GRAIN * ofw_norm(p.n, p.D.x) * ofw_sum_norm(choice(&p, k)) : order);
    F->ops->segment(F, choice(&p, k), &a[0], &a[1]);
    D->ops->segment(D, choice(&p, k), &b[0], &b[1]);
    assert_near(a[0], b[0], OFW_ROUGH_GRAIN * D->ops->norm(D) * sqrt(b[1]));
    assert_near(a[1], b[1], OFW_ROUGH_GRAIN * b[1]);
    assert_near(F->ops->norm(F), D->ops->norm(D), order);
    assert_int_equal(F->ops->view->dense(F, out[0]), OFW_OK);
    assert_memory_equal(out[0], p.D.x, p.n * sizeof *out[0]);
    assert_int_equal(F->ops->view->entries(F, (ofw_sum){0}, 2, index, a), OFW_OK);
    assert_bits(a[0], p.D.x[p.n - 1]);
    assert_bits(a[1], p.D.x[0]);
    end(&p);
  }
}

static void test_direction(void **state)
{
  (void)state;
  static const int exponents[] = {0, 3, -200, 250};
  for (size_t shape = 0; shape < SHAPES; shape++)
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
      pair p = begin(shape, 2);
      const ofw_direction *f = p.F->ops->direction(p.F), *g = p.D.E->ops->direction(p.D.E);
      double largest[2], norm[2], *w[2] = {out[0] + f->rows, out[1] + f->rows};
      assert_null(f->dense);
      assert_true(f->dim == g->dim && f->rows == g->rows && f->cols == g->cols);
      f->size(f, &largest[0], &norm[0]);
      g->size(g, &largest[1], &norm[1]);
      assert_bits(largest[0], largest[1]);
      assert_near(norm[0], norm[1], 1e-12 * norm[1]);
      f->pass(f, exponents[e], v, out[0], w[0]);
      g->pass(g, exponents[e], v, out[1], w[1]);
      double unit = ldexp((double)p.n, -exponents[e]);
      for (size_t i = 0; i < f->rows; i++)
        assert_near(out[0][i], out[1][i], 1e-14 * unit);
      for (size_t j = 0; j < f->cols; j++)
        assert_near(w[0][j], w[1][j], 1e-14 * unit * unit);
      end(&p);
    }
}

/* What the numbers of x and d are computed from, at most. */
static void sizes_of(const pair *p, ofw_sum s)
{
  ofw_sum_dense(s, p->n, size);
  for (size_t i = 0; i < p->n; i++)
    size[i] = 2.0 * fabs(p->D.x[i]) + fabs(p->D.d[i]) + 2.0 * fabs(size[i]);
}

/* Each number of x and d, once computed, has been rounded so often, and the double next to it has been, too. */
static void assert_rounded(const pair *p, double times)
{
  for (size_t i = 0; i < p->n; i++) {
    assert_near((double)fx[i], p->D.x[i], times * 0x1.001p-24 * size[i]);
    assert_near((double)fd[i], p->D.d[i], times * 0x1.001p-24 * size[i]);
  }
}

static void test_writing(void **state)
{
  (void)state;
  EACH_CASE(shape, k)
  {
    static const double pulls[][3] = {{1.0, 0.0, 0.7}, {0.5, -2.0, 0.0}};
    pair p = begin(shape, 1 + k % 3);
    sizes_of(&p, choice(&p, k));
    p.F->ops->step(p.F, choice(&p, k), 0.3, 2.0);
    p.D.E->ops->step(p.D.E, choice(&p, k), 0.3, 2.0);
    assert_rounded(&p, 4.0);
    end(&p);
    for (size_t i = 0; i < 2 && k < TERMS; i++) { /* several terms are rounded one by one */
      const double *by = pulls[i];
      p = begin(shape, 2);
      sizes_of(&p, choice(&p, k));
      p.F->ops->pull(p.F, by[0], by[1], by[2], choice(&p, k));
      p.D.E->ops->pull(p.D.E, by[0], by[1], by[2], choice(&p, k));
      assert_rounded(&p, p.term[k].kind == OFW_VEC_RANDOM ? 3.0 : 1.0);
      end(&p);
    }
  }
}

static void test_beginning_anew(void **state)
{
  (void)state;
  for (size_t shape = 0; shape < SHAPES; shape++) {
    pair p = begin(shape, 1);
    assert_non_null(p.F->ops->direction(p.F));
    p.F->ops->restart(p.F, value);
    for (size_t i = 0; i < p.n; i++)
      assert_true(fx[i] == (float)value[i] && fd[i] == 0.0f);
    assert_null(p.F->ops->direction(p.F));
    fd[p.n - 1] = 0x1p-149f; /* the least of them */
    assert_non_null(p.F->ops->direction(p.F));
    fd[p.n - 1] = (float)NAN;
    assert_non_null(p.F->ops->direction(p.F));
    p.F->ops->pull(p.F, 0.0, 0.0, 1.0, (ofw_sum){0, NULL});
    assert_null(p.F->ops->direction(p.F));
    end(&p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reading),
      cmocka_unit_test(test_direction),
      cmocka_unit_test(test_writing),
      cmocka_unit_test(test_beginning_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
