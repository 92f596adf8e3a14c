/* test_conformance.c — every operation of every engine beside plain loops over plain arrays
 *
 * An engine is a black box here: it is opened, told, and asked. The plain version is three arrays of doubles and the formulas
 * of engine.h. A run of random operations goes to both, and after each of them all that can be asked is compared, relative to
 * the size of what goes into it. storage=cuda is whatever library of its name is found: tests/CMakeLists.txt has one that this
 * processor runs, and on a machine with a GPU the same test is run with the real one.
 */
#include "base/owned.h"
#include "engine/cuda_table.h"
#include "linalg/rng.h"
#include "unit/engine/held.h"
#include "vector/vec_arithmetic.h"

#include <dlfcn.h>
#include <stdio.h>

static const struct {
  size_t rows, cols;
} shapes[] = {{1, 1}, {1, 7}, {5, 1}, {3, 2}, {7, 73}, {26, 50}, {33, 131}, {9, 2100}, {263, 251}};
enum { SHAPES = 9, MOST = 263 * 251, STEPS = 40, TERMS = 9, WHOLE = 2 };

typedef struct kind {
  const char *name;
  double tolerance;
  int whole; /* it takes whole matrices of rank one and sparse vectors alone */
} kind;

enum { DOUBLE, FLOAT, FACTORED, CUDA, CUDA_FLOAT, KINDS };
static const kind kinds[KINDS] = {[DOUBLE] = {"double", 1e-12, 0},
                                  [FLOAT] = {"float", 1e-5, 0},
                                  [FACTORED] = {"factored", 1e-12, 1},
                                  [CUDA] = {"cuda", 1e-12, 0},
                                  [CUDA_FLOAT] = {"cuda-float", 1e-5, 0}};

static ofw_engine *open_kind(const kind *k, const ofw_domain *K)
{
  ofw_error err = {0};
  ptrdiff_t which = k - kinds;
  ofw_engine *E = which == FACTORED                      ? ofw_engine_open_factored(K, 200, 1, &err)
                  : which == CUDA || which == CUDA_FLOAT ? ofw_engine_open_cuda(K, 0, which == CUDA_FLOAT, &err)
                                                         : ofw_engine_open_dense(K, 0, which == FLOAT, 1, &err);
  if (!E)
    fail_msg("%s: %s", k->name, err.message);
  return E;
}

/* ---- the plain version, and what both are told ---- */

static double x[MOST], d[MOST], y[MOST], atom[MOST], other[350 * 360], got[MOST], numbers[MOST], u[MOST], v[MOST];
static size_t nth[MOST], some[8];
static size_t rows, cols, n;
static ofw_vec term[TERMS];

/* The first two are those that a factored engine takes. */
static void make_terms(uint64_t *seed, uint64_t round)
{
  ofw_rng_key key = {7, OFW_RNG_CONSTRAINT, round};
  any_reals(seed, n, numbers);
  any_reals(seed, n, u);
  any_reals(seed, n, v);
  size_t few = n > 2 ? (n - 1) / 3 : 1, part = n > 5 ? 3 : 0;
  for (size_t i = 0; i < few; i++)
    nth[i] = n - 1 - 2 * i;
  term[0] = ofw_vec_rank_one(rows, cols, u, v);
  term[1] = ofw_vec_sparse(few, nth, numbers);
  term[2] = ofw_vec_dense(n, numbers);
  term[3] = ofw_vec_dense(n - part, numbers);
  term[3].offset = part;
  term[4] = ofw_vec_rank_one(1, n - part, u, v);
  term[4].offset = part;
  term[5] = ofw_vec_random(n, key, OFW_UNIFORM);
  term[6] = ofw_vec_random(n - part, key, OFW_UNIFORM);
  term[6].offset = part;
  term[7] = ofw_vec_random(n, key, OFW_NORMAL);
  term[8] = ofw_vec_random(n - part, key, OFW_NORMAL);
  term[8].offset = part;
  for (size_t k = 0; k < TERMS; k++)
    term[k].scale = any_real(seed);
}

/* One term, several, or none. */
static ofw_sum any_sum(uint64_t *seed, const kind *k)
{
  size_t terms = k->whole ? WHOLE : TERMS, which = any_below(seed, terms + 2);
  if (which < terms)
    return (ofw_sum){1, &term[which]};
  return (ofw_sum){which == terms ? terms : 0, term};
}

/* Atoms of a factored engine are one matrix of rank one. */
static ofw_sum any_atom(uint64_t *seed, const kind *k)
{
  return k->whole ? (ofw_sum){1, term} : any_sum(seed, k);
}

/* ---- comparisons ---- */

static const kind *now;

static void as_near(const char *what, double found, double wanted, double size, double tolerance)
{
  if (!(fabs(found - wanted) <= tolerance * size))
    fail_msg("%s, %zu x %zu: %s is %.17g, and plainly %.17g; numbers of size %g", now->name, rows, cols, what, found,
             wanted, size);
}

static void near(const char *what, double found, double wanted, double size)
{
  as_near(what, found, wanted, size, now->tolerance);
}

/* What is found of y, which a dense engine keeps in floats if it is large. */
static void near_lead(const char *what, double found, double wanted, double size)
{
  int floats = now == &kinds[DOUBLE] && n >= OFW_LARGE;
  as_near(what, found, wanted, size, floats ? 1e-6 : now->tolerance);
}

static double size_of(const double *a, const double *b)
{
  return slow_norm(n, a) * slow_norm(n, b) + 1e-300;
}

static void all_near(const char *what, const double *found, const double *wanted, double size)
{
  for (size_t i = 0; i < n; i++)
    near(what, found[i], wanted[i], size);
}

/* Entries of x + probe at the places of `some`. */
static void check_entries(ofw_engine *E, ofw_sum probe, double size)
{
  assert_int_equal(E->ops->view->entries(E, probe, 8, some, got), OFW_OK);
  for (size_t i = 0; i < 8; i++)
    near("an entry", got[i], x[some[i]] + ofw_sum_entry(probe, some[i]), size);
  assert_int_equal(E->ops->view->entries(E, probe, 0, some, got), OFW_OK);
}

static void check_x(ofw_engine *E, uint64_t *seed)
{
  double size = slow_norm(n, x) + 1e-300;
  assert_int_equal(E->ops->view->dense(E, got), OFW_OK);
  all_near("x", got, x, size);
  assert_int_equal(E->ops->view->dense(E, NULL), OFW_OK);
  for (size_t i = 0; i < 8; i++)
    some[i] = any_below(seed, n);
  check_entries(E, (ofw_sum){0}, size);
  const ofw_vec probe[] = {ofw_vec_random(n, (ofw_rng_key){any_below(seed, 1000), OFW_RNG_PROBE, 3}, OFW_NORMAL),
                           ofw_vec_random(n, (ofw_rng_key){any_below(seed, 1000), OFW_RNG_PROBE, 4}, OFW_UNIFORM)};
  check_entries(E, (ofw_sum){1, probe}, size + 6.0);
  check_entries(E, (ofw_sum){1, probe + 1}, size + 1.0);
  check_entries(E, (ofw_sum){2, probe}, size + 7.0);
  if (E->ops->inner) /* it may keep what it has drawn */
    E->ops->inner(E, (ofw_sum){1, probe}, (ofw_sum){1, probe});
  check_entries(E, (ofw_sum){1, probe}, size + 6.0);
  size_t i = any_below(seed, E->rows);
  assert_int_equal(E->ops->view->row(E, i, got), OFW_OK);
  for (size_t j = 0; j < E->cols; j++)
    near("a row's number", got[j], x[i * E->cols + j], size);
}

static void check_products(ofw_engine *E, uint64_t *seed)
{
  ofw_sum a = any_sum(seed, now), b = any_sum(seed, now);
  double found;
  ofw_sum_dense(a, n, atom);
  ofw_sum_dense(b, n, other);
  assert_int_equal(E->ops->view->dot(E, a, &found), OFW_OK);
  near("<a, x>", found, slow_dot(n, atom, x), size_of(atom, x));
  near_lead("<a, y>", E->ops->lead->dot(E, b), slow_dot(n, other, y), size_of(other, y));
  if (E->ops->inner) {
    near("<a, b>", E->ops->inner(E, a, b), slow_dot(n, atom, other), size_of(atom, other));
    near("<a, a>", E->ops->inner(E, a, a), slow_dot(n, atom, atom), size_of(atom, atom));
  }
}

static void check_segment(ofw_engine *E, uint64_t *seed)
{
  ofw_sum a = any_atom(seed, now);
  double slope, length2;
  ofw_sum_dense(a, n, atom);
  double size = slow_norm(n, atom) + slow_norm(n, x) + 1e-300;
  for (size_t i = 0; i < n; i++)
    atom[i] -= x[i];
  E->ops->segment(E, a, &slope, &length2);
  near("<d, e>", slope, slow_dot(n, d, atom), slow_norm(n, d) * size);
  near("|e|^2", length2, slow_dot(n, atom, atom), size * size);
}

/* |d|, |x - d|, and two products with d. */
static void check_direction(ofw_engine *E, uint64_t *seed)
{
  double length = slow_norm(n, d), most = 0.0, largest, found;
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(d[i]));
    other[i] = x[i] - d[i];
  }
  const ofw_direction *at = E->ops->direction(E);
  assert_int_equal(at != NULL, most > 0.0);
  near("|d|", E->ops->norm(E), length, length);
  if (E->ops->apart)
    near("|x - d|", E->ops->apart(E), slow_norm(n, other), length + slow_norm(n, x));
  if (!at)
    return;
  assert_true(at->rows == rows && at->cols == cols && at->dim == n);
  at->size(at, &largest, &found);
  near("|d|, for an oracle", found, length, length);
  if (!now->whole) /* which says a bound */
    near("max |d|", largest, most, length);
  any_reals(seed, cols, u);
  for (int e = -3; e <= 3; e += 3) {
    double scale = ldexp(1.0, -e), size = scale * length * slow_norm(cols, u);
    at->pass(at, e, u, got, v);
    for (size_t i = 0; i < rows; i++) {
      other[i] = scale * slow_dot(cols, d + i * cols, u);
      near("D v", got[i], other[i], size);
    }
    for (size_t j = 0; j < cols; j++) {
      double sum = 0.0;
      for (size_t i = 0; i < rows; i++)
        sum += scale * d[i * cols + j] * other[i];
      near("D' u", v[j], sum, size * scale * length);
    }
  }
}

/* ---- operations ---- */

static void do_pull(ofw_engine *E, uint64_t *seed)
{
  static const double ab[][2] = {{1, 0}, {0, 0}, {0.5, 0}, {0.25, 1.5}, {1, -2}, {0, 1}};
  const double *f = ab[any_below(seed, 6)];
  double c = any_below(seed, 5) ? any_real(seed) : 0.0;
  ofw_sum a = any_sum(seed, now);
  ofw_sum_dense(a, n, atom);
  for (size_t i = 0; i < n; i++)
    d[i] = f[0] * d[i] + f[1] * x[i] + c * atom[i];
  const ofw_full fb = {.loss_gradient = a};
  if (E->ops->admit)
    assert_int_equal(E->ops->admit(E, &fb, NULL), OFW_OK);
  E->ops->pull(E, f[0], f[1], c, a);
}

static void do_step(ofw_engine *E, uint64_t *seed)
{
  static const double sigmas[] = {0.3, 1.0, 0.01};
  double sig = sigmas[any_below(seed, 3)], curv = 2.0 * (double)any_below(seed, 2), keep = fabs(any_real(seed));
  ofw_sum a = any_atom(seed, now);
  ofw_sum_dense(a, n, atom);
  double square = 0.0, size = slow_norm(n, atom) + slow_norm(n, x) + slow_norm(n, y) + 1e-300;
  for (size_t i = 0; i < n; i++) {
    double e = atom[i] - x[i];
    y[i] = keep * y[i] + sig * e;
    square += y[i] * y[i];
    x[i] += sig * e;
    d[i] += curv * sig * e;
  }
  near_lead("|y|^2", E->ops->lead->step(E, a, sig, keep), square, size * size);
  E->ops->step(E, a, sig, curv);
}

static void do_restart(ofw_engine *E, uint64_t *seed)
{
  if (!E->ops->restart)
    return;
  any_reals(seed, n, x);
  memset(d, 0, n * sizeof *d);
  memset(y, 0, n * sizeof *y);
  E->ops->restart(E, x);
}

static void test_operations(void **state)
{
  (void)state;
  for (size_t k = 0; k < KINDS; k++)
    for (size_t shape = 0; shape < SHAPES; shape++) {
      char spec[64];
      uint64_t seed = 100 * k + shape + 1;
      now = &kinds[k];
      rows = shapes[shape].rows;
      cols = shapes[shape].cols;
      n = rows * cols;
      snprintf(spec, sizeof spec, "trace-ball:rows=%zu,cols=%zu", rows, cols);
      ofw_domain *K = domain(spec);
      ofw_engine *E = open_kind(now, K);
      assert_int_equal(E->ops->lead->keep(E, NULL), OFW_OK);
      memset(x, 0, n * sizeof *x);
      memset(d, 0, n * sizeof *d);
      memset(y, 0, n * sizeof *y);
      check_direction(E, &seed); /* d = 0 */
      for (size_t step = 0; step < STEPS; step++) {
        make_terms(&seed, step);
        size_t which = any_below(&seed, 8);
        (which < 4 ? do_pull : which < 7 ? do_step : do_restart)(E, &seed);
        make_terms(&seed, step + 1000);
        check_x(E, &seed);
        check_products(E, &seed);
        check_segment(E, &seed);
        check_direction(E, &seed);
      }
      E->ops->close(E);
      ofw_domain_free(K);
    }
}

/* ---- numbers whose squares are no doubles, zeros that clear anything, the smallest d ---- */

static void test_extremes(void **state)
{
  (void)state;
  static const double scales[] = {1e-200, 1e200, 1e-310, 1e300};
  ofw_domain *K = domain("trace-ball:rows=26,cols=50");
  n = 1300;
  for (size_t k = 0; k < KINDS; k++) {
    if (kinds[k].whole || kinds[k].tolerance > 1e-12)
      continue; /* neither factors nor floats have such numbers */
    ofw_engine *E = open_kind(&kinds[k], K);
    for (size_t s = 0; s < 4; s++) {
      uint64_t seed = s + 1;
      any_reals(&seed, n, d);
      double wanted = slow_norm(n, d);
      for (size_t i = 0; i < n; i++)
        atom[i] = scales[s] * d[i];
      ofw_vec a = ofw_vec_dense(n, atom), bad = ofw_vec_dense(n, other);
      for (size_t i = 0; i < n; i++)
        other[i] = i % 2 ? INFINITY : (double)NAN;
      E->ops->pull(E, 1.0, 0.0, 1.0, (ofw_sum){1, &bad});
      assert_non_null(E->ops->direction(E));
      E->ops->pull(E, 0.0, 0.0, 0.0, (ofw_sum){0, NULL});
      assert_null(E->ops->direction(E));
      E->ops->pull(E, 1.0, 0.0, 1.0, (ofw_sum){1, &a});
      double least = 1e-11; /* of numbers below 1e-308 the last digits are missing */
      assert_near(E->ops->norm(E) / scales[s], wanted, least * wanted);
      assert_near(E->ops->apart(E) / scales[s], wanted, least * wanted);
    }
    memset(atom, 0, n * sizeof *atom);
    atom[n - 1] = 0x1p-1074;
    ofw_vec a = ofw_vec_dense(n, atom);
    E->ops->pull(E, 0.0, 0.0, 1.0, (ofw_sum){1, &a});
    assert_non_null(E->ops->direction(E));
    atom[n - 1] = (double)NAN;
    E->ops->pull(E, 0.0, 0.0, 1.0, (ofw_sum){1, &a});
    assert_non_null(E->ops->direction(E));
    E->ops->close(E);
  }
  ofw_domain_free(K);
}

/* ---- the oracle's search, with the vectors here and on the device ---- */

static double answer_of(const kind *k, const ofw_domain *K, ofw_sum gradient, double tolerance, uint64_t seed,
                        size_t *passes, double *v_out)
{
  void *work = NULL;
  ofw_answer answer = {0};
  ofw_engine *E = open_kind(k, K);
  E->ops->pull(E, 0.0, 0.0, 1.0, gradient);
  const ofw_direction *at = E->ops->direction(E);
  assert_non_null(at);
  ofw_direction asked = *at;
  asked.wanted = (ofw_accuracy){tolerance, INFINITY, 0};
  assert_int_equal(K->ops->open(K, seed, &work, NULL), OFW_OK);
  assert_int_equal(K->ops->minimise(K, work, &asked, &answer, NULL), OFW_OK);
  ofw_sum_dense(answer.atom, K->dim, v_out);
  double slope, length2, value = answer.value;
  E->ops->segment(E, answer.atom, &slope, &length2);
  ofw_sum_dense(gradient, K->dim, other);
  assert_near(slope, slow_dot(K->dim, other, v_out), 10.0 * k->tolerance * fabs(value));
  *passes = answer.passes;
  K->ops->close(work);
  E->ops->close(E);
  return value;
}

/* Random matrices, whose top values are near each other, up to restarts; and one of low rank, at which sequences end. Floats are read
 * as doubles on both sides. */
static void test_searches(void **state)
{
  (void)state;
  static const struct {
    size_t rows, cols, rank;
    double tolerance, size;
    int crowded; /* a diagonal, whose top is crowded */
  } cases[] = {{1, 1, 0, 1e-2, 1.0, 0},      {1, 40, 0, 1e-2, 1.0, 0},     {40, 1, 0, 1e-2, 1.0, 0},
               {20, 30, 0, 1e-13, 1.0, 0},   {60, 50, 0, 1e-2, 1.0, 0},    {60, 140, 3, 1e-12, 1.0, 0},
               {90, 70, 0, 1e-12, 1.0, 0},   {200, 300, 0, 1e-13, 1.0, 0}, {350, 360, 0, 1e-9, 1.0, 1},
               {50, 60, 0, 1e-2, 1e-200, 0}, {50, 60, 0, 1e-2, 1e250, 0}};
  static double a[2][350 * 360];
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    char spec[80];
    uint64_t seed = 17 + c;
    size_t r = cases[c].rows, s = cases[c].cols, passes[2];
    snprintf(spec, sizeof spec, "trace-ball:rows=%zu,cols=%zu,radius=3", r, s);
    ofw_domain *K = domain(spec);
    ofw_vec parts[3];
    ofw_sum gradient = {cases[c].rank ? cases[c].rank : 1, parts};
    any_reals(&seed, r * s < MOST ? r * s : MOST, numbers);
    any_reals(&seed, 1000, u);
    any_reals(&seed, 1000, v);
    parts[0] = ofw_vec_dense(r * s, numbers);
    for (size_t i = 0; i < r && cases[c].crowded; i++) {
      numbers[i] = i == 5 ? 1.0 + 1e-4 : 1.0 - (double)i / (double)r * (double)i / (double)r;
      nth[i] = i * s + i;
      parts[0] = ofw_vec_sparse(r, nth, numbers);
    }
    for (size_t k = 0; k < cases[c].rank; k++)
      parts[k] = ofw_vec_rank_one(r, s, u + k * r, v + k * s);
    for (size_t k = 0; k < gradient.n; k++)
      parts[k].scale = cases[c].size;
    for (int floats = 0; floats < (cases[c].size == 1.0 ? 2 : 1); floats++) {
      double here = answer_of(&kinds[floats ? FLOAT : DOUBLE], K, gradient, cases[c].tolerance, 5, &passes[0], a[0]);
      double there =
          answer_of(&kinds[floats ? CUDA_FLOAT : CUDA], K, gradient, cases[c].tolerance, 5, &passes[1], a[1]);
      assert_near(there, here, 1e-12 * fabs(here));
      double apart = 0.0;
      for (size_t i = 0; i < r * s; i++)
        apart = fmax(apart, fabs(a[0][i] - a[1][i]));
      assert_int_equal(passes[1], passes[0]);
      assert_at_most(apart,
                     cases[c].tolerance < 1e-10 ? 1e-6 : 1e-9); /* a vector is as good as the root of its value */
      if (cases[c].crowded)
        assert_true(passes[0] > 128); /* there was a restart */
    }
    ofw_domain_free(K);
  }
}

/* ---- what is refused ---- */

static void test_table(void **state)
{
  (void)state;
  void *library = dlopen(OFW_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  assert_non_null(library);
  const ofw_cuda_table *table = dlsym(library, OFW_CUDA_SYMBOL);
  assert_non_null(table);
  assert_int_equal(table->version, OFW_CUDA_VERSION);
  char why[OFW_CUDA_TEXT] = "";
  assert_null(table->open(1000000, 1000000, 0, why));
  assert_string_equal(why, "1000000 x 1000000 is more than 4294967292 numbers");
  dlclose(library);
  ofw_error err = {0};
  ofw_domain *K = domain("trace-ball:rows=1000000,cols=1000000");
  for (int floats = 0; floats < 2; floats++) {
    assert_null(ofw_engine_open_cuda(K, 0, floats, &err));
    assert_int_equal(err.status, OFW_UNSUPPORTED);
    assert_string_equal(err.message, floats ? "storage=cuda-float: 1000000 x 1000000 is more than 4294967292 numbers"
                                            : "storage=cuda: 1000000 x 1000000 is more than 4294967292 numbers");
  }
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operations),
      cmocka_unit_test(test_extremes),
      cmocka_unit_test(test_searches),
      cmocka_unit_test(test_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
