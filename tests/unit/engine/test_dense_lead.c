/* test_dense_lead.c — y, by which x is ahead of a mean: in doubles and floats, or in floats beside doubles if it is large, by any number of threads, next to plain loops */
#include "unit/engine/held.h"
#include "vector/vec_arithmetic.h"

#include <stdio.h>

/* Below and above the size from which arrays are dealt with in parts. */
static const struct {
  size_t rows, cols;
} shapes[] = {{1, 1}, {7, 73}, {26, 50}, {263, 251}};
enum { SHAPES = 4, MOST = 263 * 251, TERMS = 4, STEPS = 6 };

static double x[MOST], y[MOST], atom[MOST], values[MOST], u[MOST], v[MOST];
static size_t nth[MOST];

typedef struct setting {
  ofw_domain *K;
  ofw_engine *E;
  size_t n;
  ofw_vec term[TERMS];
} setting;

static setting begin(size_t shape, int floats, size_t threads)
{
  uint64_t seed = 11 + shape;
  char spec[64];
  size_t rows = shapes[shape].rows, cols = shapes[shape].cols, n = rows * cols;
  snprintf(spec, sizeof spec, "trace-ball:rows=%zu,cols=%zu,radius=3e6", rows, cols);
  setting s = {.K = domain(spec), .n = n};
  s.E = ofw_engine_open_dense(s.K, 0, floats, threads, NULL);
  assert_non_null(s.E);
  assert_int_equal(s.E->ops->lead->keep(s.E, NULL), OFW_OK);
  any_reals(&seed, n, x);
  any_reals(&seed, n, values);
  any_reals(&seed, n, u);
  any_reals(&seed, n, v);
  s.E->ops->restart(s.E, x);
  for (size_t i = 0; i < n; i++)
    nth[i] = n - 1 - i;
  s.term[0] = ofw_vec_dense(n, values);
  s.term[1] = ofw_vec_sparse((n + 1) / 2, nth, values);
  s.term[2] = ofw_vec_rank_one(rows, cols, u, v);
  s.term[3] = ofw_vec_random(n, (ofw_rng_key){1, 4, 2}, OFW_UNIFORM);
  for (size_t k = 0; k < TERMS; k++)
    s.term[k].scale = 1.5 - (double)k;
  return s;
}

static void end(setting *s)
{
  s->E->ops->close(s->E);
  ofw_domain_free(s->K);
}

/* Each kind alone, then all of them, then the zero vector. */
static ofw_sum choice(setting *s, size_t k)
{
  return k < TERMS ? (ofw_sum){1, &s->term[k]} : (ofw_sum){k == TERMS ? TERMS : 0, s->term};
}

static double exact_dot(size_t n, const double *a, const double *b)
{
  long double sum = 0.0L;
  for (size_t i = 0; i < n; i++)
    sum += (long double)a[i] * b[i];
  return (double)sum;
}

/* The words of the random term are kept once x has met it, and then y meets those. */
static void check_dots(setting *s, double near)
{
  for (int met = 0; met < 2; met++) {
    for (size_t k = 0; k < TERMS + 2; k++) {
      ofw_sum_dense(choice(s, k), s->n, atom);
      double want = exact_dot(s->n, atom, y), size = sqrt(exact_dot(s->n, atom, atom) * exact_dot(s->n, y, y));
      assert_near(s->E->ops->lead->dot(s->E, choice(s, k)), want, near * (size + 1.0));
    }
    double unused;
    assert_int_equal(s->E->ops->view->dot(s->E, choice(s, 3), &unused), OFW_OK);
  }
}

static void check(size_t shape, int floats, size_t threads)
{
  static double got[MOST];
  setting s = begin(shape, floats, threads);
  double near = floats ? 1e-5 : 1e-12, near_y = floats || s.n < OFW_LARGE ? near : 1e-6;
  memset(y, 0, sizeof y);
  for (size_t k = 0; k < STEPS; k++) {
    double sig = 0.3 + 0.1 * (double)k, keep = 1.0 - 1.0 / (1.0 + (double)k);
    ofw_sum_dense(choice(&s, k), s.n, atom);
    for (size_t i = 0; i < s.n; i++) {
      y[i] = keep * y[i] + sig * (atom[i] - x[i]);
      x[i] += sig * (atom[i] - x[i]);
    }
    double want = exact_dot(s.n, y, y);
    assert_near(s.E->ops->lead->step(s.E, choice(&s, k), sig, keep), want, near_y * (want + 1.0));
    s.E->ops->step(s.E, choice(&s, k), sig, 2.0);
    check_dots(&s, near_y);
  }
  assert_int_equal(s.E->ops->view->dense(s.E, got), OFW_OK); /* x went its own way */
  for (size_t i = 0; i < s.n; i++)
    assert_near(got[i], x[i], near * 10.0);
  s.E->ops->restart(s.E, x);
  assert_true(s.E->ops->lead->dot(s.E, choice(&s, 0)) == 0.0);
  end(&s);
}

static void test_lead(void **unused)
{
  (void)unused;
  for (size_t shape = 0; shape < SHAPES; shape++)
    for (int floats = 0; floats < 2; floats++)
      check(shape, floats, 2);
}

static void test_threads_change_no_bit(void **unused)
{
  (void)unused;
  setting one = begin(SHAPES - 1, 0, 1), three = begin(SHAPES - 1, 0, 3);
  for (size_t k = 0; k < TERMS + 1; k++) {
    double a = one.E->ops->lead->step(one.E, choice(&one, k), 0.5, 0.5);
    double b = three.E->ops->lead->step(three.E, choice(&three, k), 0.5, 0.5);
    assert_memory_equal(&a, &b, sizeof a);
    a = one.E->ops->lead->dot(one.E, choice(&one, 2));
    b = three.E->ops->lead->dot(three.E, choice(&three, 2));
    assert_memory_equal(&a, &b, sizeof a);
  }
  end(&one);
  end(&three);
}

static ofw_status count_items(void *ctx, const char *name, void *item, size_t n)
{
  (void)name;
  (void)item;
  (void)n;
  ++*(size_t *)ctx;
  return OFW_OK;
}

static void test_only_what_is_kept_is_saved(void **unused)
{
  (void)unused;
  size_t with = 0, without = 0;
  setting s = begin(1, 0, 1);
  ofw_engine *plain = ofw_engine_open_dense(s.K, 0, 0, 1, NULL);
  assert_non_null(plain);
  assert_int_equal(s.E->ops->visit(s.E, &(ofw_visitor){.words = count_items, .ctx = &with}), OFW_OK);
  assert_int_equal(plain->ops->visit(plain, &(ofw_visitor){.words = count_items, .ctx = &without}), OFW_OK);
  assert_int_equal(without, 2);
  assert_int_equal(with, 3);
  plain->ops->close(plain);
  end(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lead),
      cmocka_unit_test(test_threads_change_no_bit),
      cmocka_unit_test(test_only_what_is_kept_is_saved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
