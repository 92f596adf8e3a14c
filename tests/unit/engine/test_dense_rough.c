/* test_dense_rough.c — the copies of d that searches read, in shorts and floats: its passes, its range, and what an oracle finds by it */
#include "linalg/kernels.h"
#include "linalg/lanczos.h"
#include "linalg/rng.h"
#include "unit/engine/stated.h"

#include <malloc.h>

enum { ROWS = 263, COLS = 251, CELLS = ROWS * COLS };
static double numbers[CELLS];

/* An engine whose d is these numbers. */
static ofw_engine *about(const ofw_domain *K, int floats, size_t threads, const double *d)
{
  ofw_engine *E = ofw_engine_open_dense(K, 0, floats, threads, NULL);
  ofw_vec whole = ofw_vec_dense(CELLS, d);
  assert_non_null(E);
  E->ops->pull(E, 0.0, 0.0, 1.0, (ofw_sum){1, &whole});
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
  return domain("trace-ball:rows=263,cols=251,radius=2");
}

/* What whole numbers of 16 bits are off by at most, relative to |d|: half of one in each number, of which the largest of its row is 32767. */
static long double half_of_one(void)
{
  long double square = 0.0L;
  for (size_t i = 0; i < ROWS; i++) {
    double most = 0.0;
    for (size_t j = 0; j < COLS; j++)
      most = fmax(most, fabs(numbers[i * COLS + j]));
    square += powl((long double)most / 65534.0L, 2) * COLS;
  }
  return sqrtl(square) / slow_norm(CELLS, numbers);
}

static void the_copy(void **state)
{
  (void)state;
  static const struct {
    double scale;
    int fits;
  } cases[] = {{1.0, 1},   {1e15, 1},  {1e-8, 1},   {0x1p59, 0}, {1e-15, 0}, {1e30, 0},
               {1e-30, 0}, {1e200, 0}, {1e-200, 0}, {1e305, 0},  {1e-320, 0}};
  chance c = {31};
  ofw_domain *K = ball();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double norm, also[2], v[COLS], u[2][ROWS], w[2][COLS];
    chance_normals(&c, CELLS, numbers);
    chance_normals(&c, COLS, v);
    for (size_t i = 0; i < CELLS; i++)
      numbers[i] *= cases[k].scale;
    ofw_engine *E = about(K, 0, 1, numbers);
    const ofw_direction *d = E->ops->direction(E);
    d->size(d, &also[0], &also[1]);
    for (int fine = 0; fine < 2; fine++) {
      ofw_direction asked = *d;
      ofw_rough off;
      asked.wanted.relative = 1e-2;
      assert_int_equal(asked.copy(&asked, fine, &off, &norm), cases[k].fits ? 2 - fine : 0);
      if (!cases[k].fits)
        continue;
      if (fine)
        assert_true(off.apart == OFW_FLOATS_APART);
      else /* and rounding on the way there */
        assert_near(off.apart, 1.01L * half_of_one(), 0.01L * half_of_one());
      assert_true(off.grain == OFW_ROUGH_GRAIN);
      double most = off.apart + off.grain;
      assert_near(norm / also[1], 1.0L, fine ? 1e-13L : 1e-6L);
      d->pass(d, 0, v, u[0], w[0]);
      d->rough(d, v, u[1], w[1]);
      long double apart = 0.0L;
      for (size_t i = 0; i < ROWS; i++)
        apart += powl((long double)u[0][i] - u[1][i], 2);
      assert_at_most(sqrtl(apart), most * norm * slow_norm(COLS, v));
      assert_at_most(most * norm * 1e-4, sqrtl(apart)); /* it is another pass */
    }
    E->ops->close(E);
  }
  ofw_domain_free(K);
}

/* What a play does to d in its turn t; the same for all engines. */
static void move_on(chance *c, ofw_engine *const *E, size_t n, int t)
{
  static double left[ROWS], right[COLS];
  size_t index[] = {chance_below(c, CELLS), CELLS - 1};
  double value[] = {ldexp(chance_normal(c), t), 1.0};
  chance_normals(c, ROWS, left);
  chance_normals(c, COLS, right);
  ofw_vec terms[] = {ofw_vec_sparse(2, index, value), ofw_vec_dense(CELLS, numbers),
                     ofw_vec_rank_one(ROWS, COLS, left, right),
                     ofw_vec_random(CELLS, (ofw_rng_key){1, OFW_RNG_CONSTRAINT, (uint64_t)t}, OFW_UNIFORM)};
  ofw_sum one = {1, &terms[t % 4]}, atom = {1, &terms[2]};
  for (size_t k = 0; k < n; k++) {
    if (t % 7 == 3)
      E[k]->ops->step(E[k], atom, 0.1, 2.0);
    else if (t % 7 == 5)
      E[k]->ops->restart(E[k], numbers);
    if (t % 5 < 3)
      E[k]->ops->pull(E[k], t % 11 ? 1.0 : 0.5, 0.0, 1.0, one);
  }
}

/* d as doubles */
static void read_direction(const ofw_engine *E, double *out)
{
  ofw_direction d = *E->ops->direction(E);
  static double v[COLS], u[ROWS], w[COLS];
  for (size_t j = 0; j < COLS; j++) {
    memset(v, 0, sizeof v);
    v[j] = 1.0;
    d.pass(&d, 0, v, u, w);
    for (size_t i = 0; i < ROWS; i++)
      out[i * COLS + j] = u[i];
  }
}

/* Whatever d has been through, its copy is that of a new engine with the same numbers; and d is that of an engine of which nobody ever
 * asked a copy. */
static void the_copy_follows(void **state)
{
  (void)state;
  static double d[2][CELLS], v[COLS], u[2][ROWS], w[2][COLS];
  ofw_domain *K = ball();
  for (int floats = 0; floats < 2; floats++) {
    chance c = {35};
    size_t compared = 0;
    chance_normals(&c, CELLS, numbers);
    chance_normals(&c, COLS, v);
    ofw_engine *E[] = {about(K, floats, 2, numbers), about(K, floats, 1, numbers)};
    for (int t = 0; t < 40; t++) {
      move_on(&c, E, 2, t);
      if (t % 3 == 1)
        continue; /* nobody asks */
      if (!E[0]->ops->direction(E[0]))
        continue;
      read_direction(E[0], d[0]);
      read_direction(E[1], d[1]);
      assert_memory_equal(d[0], d[1], sizeof d[0]);
      ofw_engine *fresh = about(K, floats, 1, d[0]);
      ofw_direction now = *E[0]->ops->direction(E[0]), other = *fresh->ops->direction(fresh);
      ofw_rough off;
      double norm[2];
      now.wanted.relative = other.wanted.relative = t % 4 == 2 ? 2e-4 : 1e-2;
      int has = now.copy(&now, 0, &off, &norm[0]);
      assert_int_equal(has, other.copy(&other, 0, &off, &norm[1]));
      assert_true(norm[0] == norm[1]);
      if (has) {
        now.rough(&now, v, u[0], w[0]);
        other.rough(&other, v, u[1], w[1]);
        assert_memory_equal(u[0], u[1], sizeof u[0]);
        assert_memory_equal(w[0], w[1], sizeof w[0]);
        compared++;
      }
      fresh->ops->close(fresh);
    }
    assert_true(compared > 10);
    E[0]->ops->close(E[0]);
    E[1]->ops->close(E[1]);
  }
  ofw_domain_free(K);
}

/* A small matrix has none, nor has one of few columns, or a set whose oracle reads all of d. */
static void who_has_a_copy(void **state)
{
  (void)state;
  static const char *const specs[] = {"trace-ball:rows=30,cols=20", "trace-ball:rows=70000,cols=1",
                                      "trace-ball:rows=3000,cols=32", "l2-ball:dim=70000"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    ofw_domain *K = domain(specs[k]);
    ofw_engine *E = ofw_engine_open_dense(K, 0, 0, 1, NULL);
    double one = 1.0;
    ofw_vec first = ofw_vec_dense(1, &one);
    E->ops->pull(E, 0.0, 0.0, 1.0, (ofw_sum){1, &first});
    assert_null(E->ops->direction(E)->copy);
    E->ops->close(E);
    ofw_domain_free(K);
  }
}

/* Gaussian, with a top that is there twice, of rank one, with one entry alone, far too large for shorts, far too small: sigma_1 */
static double make_matrix(chance *c, int kind)
{
  static double s[COLS];
  double scale = kind == 4 ? 1e200 : kind == 5 ? 1e-200 : 1.0;
  for (size_t i = 0; i < COLS; i++)
    s[i] = kind == 2 ? (double)(i == 0) : i < 2 ? 1.0 : 0.95 - 0.9 * (double)i / COLS;
  memset(numbers, 0, sizeof numbers);
  if (kind == 3)
    numbers[CELLS - 2] = -3.0;
  else if (kind == 1 || kind == 2)
    with_spectrum(c, ROWS, COLS, s, numbers);
  else
    chance_normals(c, CELLS, numbers);
  double sigma = largest_singular(ROWS, COLS, numbers);
  for (size_t i = 0; i < CELLS; i++)
    numbers[i] *= scale;
  return scale * sigma;
}

/* What the oracle states of its answer holds for d itself, and is as accurate as was asked. */
static void what_the_oracle_finds(void **state)
{
  (void)state;
  static const double relatives[] = {1e-2, 1e-3, 1e-4, 1e-6, 1e-10};
  static double atom[CELLS];
  chance c = {32};
  stated found = {0};
  ofw_domain *K = ball();
  for (int kind = 0; kind < 6; kind++) {
    double sigma = make_matrix(&c, kind);
    ofw_engine *E = about(K, 0, 1, numbers);
    ask_about(K, E, numbers, sigma, relatives, 30, atom, &found);
    E->ops->close(E);
  }
  assert_at_most(found.wrong, 2.0); /* of 360, where one in 1000 may be */
  assert_at_most(found.far, 10.0);
  ofw_domain_free(K);
}

static void what_is_refused(void **state)
{
  (void)state;
  chance c = {33};
  ofw_domain *K = ball();
  ofw_error err = {0};
  ofw_answer got;
  void *work = NULL;
  chance_normals(&c, CELLS, numbers);
  numbers[CELLS / 2] = (double)NAN;
  ofw_engine *E = about(K, 0, 1, numbers);
  ofw_direction d = *E->ops->direction(E);
  d.wanted = (ofw_accuracy){1e-2, INFINITY, 0};
  assert_int_equal(K->ops->open(K, 5, &work, NULL), OFW_OK);
  assert_int_equal(K->ops->minimise(K, work, &d, &got, &err), OFW_NUMERICAL);
  assert_string_equal(err.message, "the singular value is not a finite number");
  K->ops->close(work);
  E->ops->close(E);
  ofw_domain_free(K);
}

/* Threads change no bit of a search. */
static void threads_and_floats(void **state)
{
  (void)state;
  chance c = {34};
  ofw_domain *K = ball();
  chance_normals(&c, CELLS, numbers);
  for (int floats = 0; floats < 2; floats++) {
    ofw_answer got[2];
    for (size_t k = 0; k < 2; k++) {
      ofw_engine *E = about(K, floats, 1 + 2 * k, numbers);
      ofw_direction d = *E->ops->direction(E);
      void *work = NULL;
      d.wanted = (ofw_accuracy){1e-3, INFINITY, 0};
      assert_int_equal(K->ops->open(K, 5, &work, NULL), OFW_OK);
      assert_int_equal(K->ops->minimise(K, work, &d, &got[k], NULL), OFW_OK);
      K->ops->close(work);
      E->ops->close(E);
    }
    assert_true(got[0].value == got[1].value && got[0].error == got[1].error && got[0].passes == got[1].passes);
  }
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_copy),        cmocka_unit_test(who_has_a_copy),     cmocka_unit_test(what_the_oracle_finds),
      cmocka_unit_test(what_is_refused), cmocka_unit_test(threads_and_floats), cmocka_unit_test(the_copy_follows),
  };
  mallopt(M_PERTURB, 0x100); /* memory begins with bytes 0xff, which are no numbers */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
