/* test_factored_rough.c — passes over the bases' copies in floats: how far they are off, and what an oracle finds by them */
#include "engine/factored.h"
#include "unit/linalg/full_svd.h"
#include "vector/vec_arithmetic.h"

enum { ROWS = 521, COLS = 131, CELLS = ROWS * COLS, SPARSE = 400 };

static double whole[CELLS], atom[CELLS];

/* Some rounds of an engine, and its d as a matrix. With `apart`, d's two parts all but cancel at the end. */
static ofw_engine *played(const ofw_domain *K, chance *c, size_t rounds, size_t threads, int apart)
{
  ofw_engine *E = ofw_engine_open_factored(K, 8, threads, NULL);
  double u[ROWS], v[COLS], value[SPARSE];
  size_t index[SPARSE];
  assert_non_null(E);
  memset(whole, 0, sizeof whole);
  for (size_t t = 0; t < rounds; t++) {
    for (size_t k = 0; k < SPARSE; k++)
      index[k] = k * (CELLS / SPARSE) + chance_below(c, CELLS / SPARSE);
    chance_normals(c, SPARSE, value);
    chance_normals(c, ROWS, u);
    chance_normals(c, COLS, v);
    ofw_vec term[] = {ofw_vec_sparse(SPARSE, index, value), ofw_vec_rank_one(ROWS, COLS, u, v)};
    term[1].scale = 1.0 / (double)(1 + t);
    ofw_full fb = {.loss_gradient = {2, term}};
    assert_int_equal(E->ops->admit(E, &fb, NULL), OFW_OK);
    E->ops->pull(E, 1.0, 0.0, 1.0, fb.loss_gradient);
  }
  if (apart) { /* S that is a matrix of rank one in a few rows, and less of that matrix over the bases */
    memset(u, 0, sizeof u);
    size_t all[4 * COLS];
    double less[4 * COLS];
    for (size_t k = 0; k < (size_t)4 * COLS; k++) {
      all[k] = k;
      u[k / COLS] = 1e6;
      less[k] = -1e6 * v[k % COLS];
    }
    ofw_vec term[] = {ofw_vec_sparse((size_t)4 * COLS, all, less), ofw_vec_rank_one(ROWS, COLS, u, v)};
    ofw_full fb = {.loss_gradient = {2, term}};
    assert_int_equal(E->ops->admit(E, &fb, NULL), OFW_OK);
    E->ops->pull(E, 1.0, 0.0, 1.0, fb.loss_gradient);
  }
  const ofw_direction *d = E->ops->direction(E);
  double w[COLS];
  for (size_t j = 0; j < COLS; j++) {
    double at[COLS] = {0}, column[ROWS];
    at[j] = 1.0;
    d->pass(d, 0, at, column, w);
    for (size_t i = 0; i < ROWS; i++)
      whole[i * COLS + j] = column[i];
  }
  return E;
}

static ofw_domain *domain(const char *spec)
{
  ofw_domain *K = ofw_domain_create(spec, NULL);
  assert_non_null(K);
  return K;
}

static ofw_domain *ball(void)
{
  return domain("trace-ball:rows=521,cols=131,radius=2");
}

static ofw_direction asked(const ofw_engine *E, double relative)
{
  ofw_direction d = *E->ops->direction(E);
  d.wanted = (ofw_accuracy){relative, INFINITY, 0};
  return d;
}

/* Columns come, are compressed and come again; a pass over the copies is as near as is said, and not the same. */
static void a_pass_is_near(void **state)
{
  (void)state;
  chance c = {51};
  ofw_domain *K = ball();
  for (size_t rounds = 1; rounds < 40; rounds += 6) {
    ofw_engine *E = played(K, &c, rounds, 1 + rounds % 2, 0);
    for (int again = 0; again < 3; again++) {
      ofw_direction d = asked(E, 1e-3);
      double norm, size[2], v[COLS], u[2][ROWS], w[2][COLS];
      ofw_rough off;
      assert_int_equal(d.copy(&d, 0, &off, &norm), 1);
      d.size(&d, &size[0], &size[1]);
      assert_true(norm == size[1] && off.grain == 0.0 && off.apart < 1e-5);
      chance_normals(&c, COLS, v);
      d.pass(&d, 0, v, u[0], w[0]);
      d.rough(&d, v, u[1], w[1]);
      double most = off.apart * norm * (double)slow_norm(COLS, v), apart[ROWS], back[COLS];
      for (size_t i = 0; i < ROWS; i++)
        apart[i] = u[0][i] - u[1][i];
      for (size_t j = 0; j < COLS; j++)
        back[j] = w[0][j] - w[1][j];
      double far = (double)slow_norm(ROWS, apart);
      assert_at_most(far, most);
      assert_at_most(1e-4 * most, far);
      assert_at_most((double)slow_norm(COLS, back), 2.0 * most * norm);
      ofw_vec one = ofw_vec_rank_one(ROWS, COLS, u[0], w[0]);
      one.scale = 1e-3;
      E->ops->step(E, (ofw_sum){1, &one}, 0.1, 1.0);
    }
    E->ops->close(E);
  }
  ofw_domain_free(K);
}

/* What has been through other calls before has the same copy as what has not, and threads change no bit. */
static void the_copy_follows(void **state)
{
  (void)state;
  ofw_domain *K = ball();
  double left[ROWS], u[2][ROWS], w[2][COLS], v[COLS], norm;
  ofw_rough off;
  for (size_t rounds = 3; rounds < 30; rounds += 5) {
    for (size_t k = 0; k < 2; k++) {
      chance c = {60 + rounds};
      ofw_engine *E = played(K, &c, rounds, 1 + 2 * k, 0);
      for (size_t t = 0; t < 9; t++) {
        chance_normals(&c, ROWS, left);
        chance_normals(&c, COLS, v);
        ofw_vec one = ofw_vec_rank_one(ROWS, COLS, left, v);
        one.scale = 0.01;
        ofw_direction d = asked(E, 1e-3);
        if (k == 0) /* only one of the two asks every time */
          assert_int_equal(d.copy(&d, 0, &off, &norm), 1);
        E->ops->step(E, (ofw_sum){1, &one}, 0.1, 1.0);
      }
      ofw_direction d = asked(E, 1e-3);
      assert_int_equal(d.copy(&d, 0, &off, &norm), 1);
      d.rough(&d, v, u[k], w[k]);
      E->ops->close(E);
    }
    assert_memory_equal(u[0], u[1], sizeof u[0]);
    assert_memory_equal(w[0], w[1], sizeof w[0]);
  }
  ofw_domain_free(K);
}

/* Sharp answers, parts that cancel, sizes whose squares are no doubles, and small matrices are for doubles. */
static void who_reads_doubles(void **state)
{
  (void)state;
  chance c = {52};
  double norm;
  ofw_rough off;
  ofw_domain *K = ball(), *small = domain("trace-ball:rows=500,cols=131,radius=2");
  for (int apart = 0; apart < 2; apart++) {
    ofw_engine *E = played(K, &c, 5, 1, apart);
    ofw_direction rough = asked(E, 1e-3), sharp = asked(E, 1e-4);
    assert_int_equal(rough.copy(&rough, 0, &off, &norm), !apart);
    assert_int_equal(sharp.copy(&sharp, 0, &off, &norm), 0);
    E->ops->pull(E, 0x1p120, 0.0, 0.0, (ofw_sum){0, NULL});
    assert_int_equal(rough.copy(&rough, 0, &off, &norm), 0);
    E->ops->close(E);
  }
  ofw_engine *E = ofw_engine_open_factored(small, 8, 1, NULL);
  double one = 1.0;
  size_t at = 7;
  ofw_vec entry = ofw_vec_sparse(1, &at, &one);
  ofw_full fb = {.loss_gradient = {1, &entry}};
  assert_int_equal(E->ops->admit(E, &fb, NULL), OFW_OK);
  E->ops->pull(E, 1.0, 0.0, 1.0, fb.loss_gradient);
  assert_null(E->ops->direction(E)->copy);
  E->ops->close(E);
  ofw_domain_free(small);
  ofw_domain_free(K);
}

/* What the oracle states holds for d itself, and is about as accurate as was asked. */
static void what_the_oracle_finds(void **state)
{
  (void)state;
  chance c = {53};
  double wrong = 0.0, far = 0.0;
  ofw_domain *K = ball();
  for (size_t rounds = 1; rounds < 30; rounds += 4) {
    int apart = rounds % 8 == 5;
    ofw_engine *E = played(K, &c, rounds, 1, apart);
    double sigma = largest_singular(ROWS, COLS, whole), slack = (apart ? 1e-9 : 1e-12) * sigma; /* rounding's */
    void *work = NULL;
    assert_int_equal(K->ops->open(K, 5, &work, NULL), OFW_OK);
    for (int t = 0; t < 20; t++) {
      static const double relatives[] = {1e-2, 1e-3, 3e-4, 1e-4, 1e-10};
      ofw_direction d = asked(E, relatives[t % 5]);
      d.wanted.absolute = t % 2 ? 1e-2 * sigma : INFINITY;
      for (int again = 0; again < 2; again++) { /* sharper the second time */
        ofw_answer got;
        assert_int_equal(K->ops->minimise(K, work, &d, &got, NULL), OFW_OK);
        ofw_sum_dense(got.atom, CELLS, atom);
        double value = (double)slow_dot(CELLS, whole, atom), missing = value + 2.0 * sigma;
        wrong += missing > got.error + slack;
        far += missing > 4.0 * sigma * d.wanted.relative + slack;
        assert_near(value, got.value, got.error + slack);
        assert_at_most(got.error, fmax(d.wanted.absolute, 10.0 * slack));
        d.wanted.relative /= 30.0;
        d.wanted.again = 1;
      }
    }
    K->ops->close(work);
    E->ops->close(E);
  }
  assert_true(wrong <= 2.0 && far <= 10.0); /* of 320, of which one in 1000 may be wrong */
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pass_is_near),
      cmocka_unit_test(the_copy_follows),
      cmocka_unit_test(who_reads_doubles),
      cmocka_unit_test(what_the_oracle_finds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
