/* dense.c — x and d as two arrays, of doubles or of floats
 *
 * An atom is never stored whole. A dense one meets x and d as it is, a matrix of rank one row by row as a multiple of
 * its v; any other is written out by chunks that stay in the first-level cache, next to those of x and d that it meets.
 *
 * Large arrays are cut into parts, which threads share out. The parts are the same however many threads there are, and
 * what they find is added up in their order, so that the bits are the same too.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "base/vec.h"
#include "engine/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  CHUNK = 512,     /* coordinates that are written out at a time */
  NEAR = 4096,     /* coordinates whose numbers stay in the caches for a second loop */
  LARGE = 1 << 16, /* coordinates: below that another thread is not worth waking */
  PARTS = 16,      /* of a large array */
  EDGE = 64,       /* parts begin at multiples of it */
  BAND = 32        /* rows: a band of a matrix has no fewer, so that its share of w is small beside it */
};

/* The words of the random vec that x met last: often the next that d meets is the same. A cache and no part of the
 * state. Its memory is not touched, and so does not count, until it is needed. */
typedef struct kept_words {
  ofw_rng_key key;
  int there;
  uint32_t word[];
} kept_words;

typedef struct dense_engine {
  ofw_engine base;
  const ofw_kernels *kernels; /* over doubles or over floats */
  void *x, *d;
  ofw_direction direction;
  ofw_pool *pool;
  size_t parts, bands; /* of the coordinates; of the rows, in a pass */
  double *shares;      /* of w, one a band; NULL: there is one band */
  kept_words *kept;
} dense_engine;

static void *x_at(const dense_engine *e, size_t i)
{
  return ofw_at(e->kernels, e->x, i);
}

static void *d_at(const dense_engine *e, size_t i)
{
  return ofw_at(e->kernels, e->d, i);
}

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* ---- parts ---- */

/* An operation, what it needs and what its parts find. */
typedef struct task {
  const dense_engine *e;
  void (*over)(const struct task *t, size_t from, size_t to, double found[2]);
  ofw_sum sum, other;
  const ofw_vec *one; /* the term that is all of the sum, where that is easier */
  double a, b, c;
  double (*found)[2];
} task;

static size_t begin_of(const dense_engine *e, size_t part)
{
  size_t edges = (e->base.dim + EDGE - 1) / EDGE;
  return least(edges * part / e->parts * EDGE, e->base.dim);
}

static void do_part(void *ctx, size_t part)
{
  const task *t = ctx;
  double *found = t->found[part];
  found[0] = found[1] = 0.0;
  t->over(t, begin_of(t->e, part), begin_of(t->e, part + 1), found);
}

static void run(task *t, double found[PARTS][2])
{
  t->found = found;
  if (t->e->parts > 1) {
    ofw_pool_run(t->e->pool, t->e->parts, do_part, t);
    return;
  }
  found[0][0] = found[0][1] = 0.0;
  t->over(t, 0, t->e->base.dim, found[0]);
}

/* The same for what is to be added up. */
static double run_sum(task *t, double *second)
{
  double found[PARTS][2], first = 0.0;
  run(t, found);
  if (second)
    *second = 0.0;
  for (size_t part = 0; part < t->e->parts; part++) {
    first += found[part][0];
    if (second)
      *second += found[part][1];
  }
  return first;
}

/* ---- what the sums may be ---- */

static void write_out(ofw_sum v, size_t from, size_t n, double *out)
{
  memset(out, 0, n * sizeof *out);
  ofw_sum_add(v, 1.0, from, n, out);
}

/* The uniform draws that are all of x's coordinates; NULL: it is something else. */
static const ofw_vec *uniform(const ofw_engine *E, const ofw_vec *v)
{
  int is = v->kind == OFW_VEC_RANDOM && v->as.random.dist == OFW_UNIFORM && v->as.random.n == E->dim;
  return is ? v : NULL;
}

static int has_words(const kept_words *kept, const ofw_vec *random)
{
  ofw_rng_key a = kept->key, b = random->as.random.key;
  return kept->there && a.seed == b.seed && a.purpose == b.purpose && a.round == b.round;
}

/* The one term that is all of the sum and need not be written out: dense, or of rank one. NULL: it is another. */
static const ofw_vec *whole(const ofw_engine *E, ofw_sum v)
{
  int easy = v.n == 1 && (v.term->kind == OFW_VEC_DENSE || v.term->kind == OFW_VEC_RANK_ONE);
  return easy && ofw_vec_extent(v.term) == E->dim ? v.term : NULL;
}

/* The coordinates from `at` on, before `to` and in one row, that are c times n numbers v. */
typedef struct multiple {
  size_t n;
  double c;
  const double *v;
} multiple;

static multiple multiple_at(const ofw_vec *one, size_t at, size_t to)
{
  if (one->kind == OFW_VEC_DENSE)
    return (multiple){to - at, one->scale, one->as.dense.value + at};
  size_t cols = one->as.rank_one.cols, row = at / cols, col = at % cols;
  return (multiple){least(cols - col, to - at), one->scale * one->as.rank_one.u[row], one->as.rank_one.v + col};
}

/* ---- the operations ---- */

static void pull_over(const task *t, size_t from, size_t to, double found[2])
{
  (void)found;
  const dense_engine *e = t->e;
  const ofw_kernels *kernels = e->kernels;
  for (size_t n; from < to; from += n) {
    n = least(to - from, NEAR);
    if (t->a != 1.0 || t->b != 0.0)
      kernels->blend(n, t->a, d_at(e, from), t->b, x_at(e, from));
    for (size_t k = 0; k < t->sum.n; k++) {
      const ofw_vec *v = &t->sum.term[k], *random = uniform(&e->base, v);
      if (random && has_words(e->kept, random))
        kernels->uniform_axpy(n, t->c * v->scale, e->kept->word + from, d_at(e, from));
      else if (v->kind != OFW_VEC_SPARSE)
        ofw_vec_add(kernels, v, t->c, from, n, d_at(e, from));
    }
  }
}

/* Sparse terms come last, by one thread: a part cannot tell which of their numbers are its own without looking at all
 * of them. */
static void pull(ofw_engine *E, double a, double b, double c, ofw_sum terms)
{
  dense_engine *e = (dense_engine *)E;
  size_t sparse = 0;
  if (c == 0.0)
    terms.n = 0;
  for (size_t k = 0; k < terms.n; k++)
    sparse += terms.term[k].kind == OFW_VEC_SPARSE;
  if (a == 0.0 && b == 0.0)
    memset(e->d, 0, E->dim * e->kernels->size);
  int blends = !(a == 0.0 && b == 0.0) && !(a == 1.0 && b == 0.0);
  if (blends || sparse < terms.n) {
    task t = {.e = e, .over = pull_over, .sum = terms, .a = blends ? a : 1.0, .b = b, .c = c};
    run_sum(&t, NULL);
  }
  for (size_t k = 0; k < terms.n && sparse > 0; k++)
    if (terms.term[k].kind == OFW_VEC_SPARSE)
      ofw_vec_add(e->kernels, &terms.term[k], c, 0, E->dim, e->d);
}

static void step_over(const task *t, size_t from, size_t to, double found[2])
{
  (void)found;
  double atom[CHUNK];
  for (size_t n; from < to; from += n) {
    multiple r = {least(to - from, CHUNK), 1.0, atom};
    if (t->one)
      r = multiple_at(t->one, from, to);
    else
      write_out(t->sum, from, r.n, atom);
    n = r.n;
    t->e->kernels->step(n, x_at(t->e, from), d_at(t->e, from), r.c, r.v, t->a, t->b);
  }
}

static void step(ofw_engine *E, ofw_sum v, double sig, double curv)
{
  task t = {(dense_engine *)E, step_over, .sum = v, .one = whole(E, v), .a = sig, .b = curv * sig};
  run_sum(&t, NULL);
}

static void segment_over(const task *t, size_t from, size_t to, double found[2])
{
  double atom[CHUNK];
  for (size_t n; from < to; from += n) {
    multiple r = {least(to - from, CHUNK), 1.0, atom};
    if (t->one)
      r = multiple_at(t->one, from, to);
    else
      write_out(t->sum, from, r.n, atom);
    n = r.n;
    t->e->kernels->segment(n, x_at(t->e, from), d_at(t->e, from), r.c, r.v, &found[0], &found[1]);
  }
}

static void segment(ofw_engine *E, ofw_sum v, double *slope, double *length2)
{
  task t = {(dense_engine *)E, segment_over, .sum = v, .one = whole(E, v)};
  *slope = run_sum(&t, length2);
}

static void dot_over(const task *t, size_t from, size_t to, double found[2])
{
  found[0] = ofw_vec_dot(t->e->kernels, t->one, from, to - from, x_at(t->e, from));
}

/* The words stay where they are drawn. */
static void dot_words_over(const task *t, size_t from, size_t to, double found[2])
{
  uint32_t *word = t->e->kept->word;
  for (size_t n; from < to; from += n) {
    n = least(to - from, CHUNK);
    ofw_rng_words(t->one->as.random.key, from, n, word + from);
    found[0] += t->e->kernels->uniform_dot(n, word + from, x_at(t->e, from));
  }
}

static double dot_one(const dense_engine *e, const ofw_vec *v)
{
  if (v->kind == OFW_VEC_SPARSE)
    return ofw_vec_dot(e->kernels, v, 0, e->base.dim, e->x);
  int keep = uniform(&e->base, v) != NULL;
  task t = {e, keep ? dot_words_over : dot_over, .one = v};
  double sum = run_sum(&t, NULL);
  if (keep) {
    e->kept->key = v->as.random.key;
    e->kept->there = 1;
  }
  return sum;
}

static ofw_status dot(const ofw_engine *E, ofw_sum a, double *out)
{
  *out = 0.0;
  for (size_t k = 0; k < a.n; k++)
    *out += a.term[k].scale * dot_one((const dense_engine *)E, &a.term[k]);
  return OFW_OK;
}

static void inner_over(const task *t, size_t from, size_t to, double found[2])
{
  double a[CHUNK], b[CHUNK];
  int same = t->sum.term == t->other.term && t->sum.n == t->other.n;
  for (size_t n; from < to; from += n) {
    n = least(to - from, CHUNK);
    write_out(t->sum, from, n, a);
    if (!same)
      write_out(t->other, from, n, b);
    found[0] += ofw_dot(n, a, same ? a : b);
  }
}

static double inner(const ofw_engine *E, ofw_sum a, ofw_sum b)
{
  task t = {(const dense_engine *)E, inner_over, .sum = a, .other = b};
  return run_sum(&t, NULL);
}

static void size_over(const task *t, size_t from, size_t to, double found[2])
{
  t->e->kernels->measure(to - from, d_at(t->e, from), &found[0], &found[1]);
}

static void size(const ofw_direction *d, double *largest, double *norm)
{
  const dense_engine *e = d->ctx;
  double found[PARTS][2], square = 0.0;
  task t = {e, size_over, .a = 0.0};
  run(&t, found);
  *largest = 0.0;
  for (size_t part = 0; part < e->parts; part++) {
    *largest = fmax(*largest, found[part][0]);
    square += found[part][1];
  }
  *norm = ofw_norm_measured(e->kernels, e->base.dim, e->d, *largest, square);
}

static double norm(const ofw_engine *E)
{
  double largest, length;
  size(&((const dense_engine *)E)->direction, &largest, &length);
  return length;
}

/* No part of it overflows where the whole does not. */
static void apart_over(const task *t, size_t from, size_t to, double found[2])
{
  double x[CHUNK], d[CHUNK];
  for (size_t n; from < to; from += n) {
    n = least(to - from, CHUNK);
    t->e->kernels->read(n, x_at(t->e, from), x);
    t->e->kernels->read(n, d_at(t->e, from), d);
    for (size_t i = 0; i < n; i++)
      x[i] -= d[i];
    found[0] = hypot(found[0], ofw_norm(n, x));
  }
}

static double apart(const ofw_engine *E)
{
  double found[PARTS][2], total = 0.0;
  task t = {(const dense_engine *)E, apart_over, .a = 0.0};
  run(&t, found);
  for (size_t part = 0; part < t.e->parts; part++)
    total = hypot(total, found[part][0]);
  return total;
}

static ofw_status project(ofw_engine *E, const ofw_domain *K, void *work, ofw_error *err)
{
  dense_engine *e = (dense_engine *)E;
  memcpy(e->x, e->d, E->dim * sizeof(double));
  return K->ops->project(K, work, e->x, err);
}

static int still(const ofw_engine *E)
{
  const dense_engine *e = (const dense_engine *)E;
  if (ofw_number(e->kernels, e->d, 0) != 0.0) /* almost always the first tells */
    return 0;
  for (size_t from = 0; from < E->dim; from += NEAR) {
    double largest, square; /* NaN shows in the second alone, the least numbers in the first */
    e->kernels->measure(least(E->dim - from, NEAR), d_at(e, from), &largest, &square);
    if (largest != 0.0 || square != 0.0)
      return 0;
  }
  return 1;
}

/* ---- the pass ---- */

typedef struct pass_task {
  const dense_engine *e;
  const double *v;
  double *u, *w;
} pass_task;

static size_t row_of(const dense_engine *e, size_t band)
{
  size_t blocks = (e->direction.rows + OFW_PASS_ROWS - 1) / OFW_PASS_ROWS;
  return least(blocks * band / e->bands * OFW_PASS_ROWS, e->direction.rows);
}

static void pass_band(void *ctx, size_t band)
{
  const pass_task *t = ctx;
  const dense_engine *e = t->e;
  size_t from = row_of(e, band), to = row_of(e, band + 1), cols = e->direction.cols;
  double *w = e->shares ? e->shares + band * cols : t->w;
  e->kernels->pass(to - from, cols, d_at(e, from * cols), t->v, t->u + from, w);
}

/* A float needs no scaling on the way: its square is a double. */
static void scale_pass(const ofw_direction *d, int exponent, double *u, double *w)
{
  for (size_t i = 0; i < d->rows; i++)
    u[i] = ldexp(u[i], -exponent);
  for (size_t j = 0; j < d->cols; j++)
    w[j] = ldexp(w[j], -2 * exponent);
}

static void pass(const ofw_direction *d, int exponent, const double *v, double *u, double *w)
{
  const dense_engine *e = d->ctx;
  if (exponent != 0 && d->dense) {
    ofw_pass(d->rows, d->cols, d->dense, exponent, v, u, w);
    return;
  }
  ofw_pool_run(e->pool, e->bands, pass_band, &(pass_task){e, v, u, w});
  if (e->shares)
    memcpy(w, e->shares, d->cols * sizeof *w);
  for (size_t band = 1; band < e->bands; band++)
    ofw_axpy(d->cols, 1.0, e->shares + band * d->cols, w);
  if (exponent != 0)
    scale_pass(d, exponent, u, w);
}

static const ofw_direction *direction(const ofw_engine *E)
{
  return &((const dense_engine *)E)->direction;
}

/* ---- as others see it ---- */

static ofw_status entries(const ofw_engine *E, size_t n, const size_t *index, double *out)
{
  const dense_engine *e = (const dense_engine *)E;
  for (size_t k = 0; k < n; k++)
    if (index[k] >= E->dim)
      return OFW_USAGE;
  for (size_t k = 0; k < n; k++)
    out[k] = ofw_number(e->kernels, e->x, index[k]);
  return OFW_OK;
}

static ofw_status dense(const ofw_engine *E, double *out)
{
  const dense_engine *e = (const dense_engine *)E;
  e->kernels->read(E->dim, e->x, out);
  return OFW_OK;
}

static void put(ofw_engine *E, const double *x)
{
  dense_engine *e = (dense_engine *)E;
  e->kernels->write(E->dim, x, e->x);
  memset(e->d, 0, E->dim * e->kernels->size);
}

/* Words of 8 bytes that hold the numbers. */
static size_t words_for(size_t dim, const ofw_kernels *kernels)
{
  size_t in_one = sizeof(uint64_t) / kernels->size;
  return dim / in_one + (dim % in_one > 0);
}

static ofw_status visit(ofw_engine *E, ofw_visitor *v)
{
  dense_engine *e = (dense_engine *)E;
  size_t words = words_for(E->dim, e->kernels);
  OFW_TRY(ofw_visit_u64(v, "x", e->x, words));
  return ofw_visit_u64(v, "d", e->d, words);
}

static void close(ofw_engine *E)
{
  dense_engine *e = (dense_engine *)E;
  ofw_pool_close(e->pool);
  free(e->x);
  free(e->d);
  free(e->shares);
  free(e->kept);
  free(e);
}

static const ofw_engine_ops ops = {pull,      step,  segment, dot,   inner,   entries, dense, put,
                                   direction, still, norm,    apart, project, visit,   close};

static ofw_status open_arrays(dense_engine *e, const ofw_domain *K, ofw_error *err)
{
  size_t words = words_for(K->dim, e->kernels);
  e->parts = K->dim < LARGE ? 1 : PARTS;
  e->bands = K->dim < LARGE || K->rows < 2 * BAND ? 1 : least(K->rows / BAND, PARTS);
  e->x = ofw_doubles(words);
  e->d = ofw_doubles(words);
  e->kept = K->dim < SIZE_MAX / 8 ? malloc(sizeof *e->kept + K->dim * sizeof *e->kept->word) : NULL;
  e->shares = e->bands > 1 ? ofw_doubles(e->bands * K->cols) : NULL;
  if (!e->x || !e->d || !e->kept || (e->bands > 1 && !e->shares))
    return ofw_fail_memory(err, 2 * words * sizeof(uint64_t));
  e->kept->there = 0;
  return OFW_OK;
}

ofw_engine *ofw_engine_open_dense(const ofw_domain *K, int from_centre, int floats, size_t threads, ofw_error *err)
{
  dense_engine *e = calloc(1, sizeof *e);
  if (!e) {
    ofw_fail_memory(err, sizeof *e);
    return NULL;
  }
  e->base = (ofw_engine){&ops, K->dim};
  e->kernels = floats ? ofw_kernels_chosen()->floats : ofw_kernels_chosen();
  if (open_arrays(e, K, err) != OFW_OK || ofw_pool_open(e->parts > 1 ? threads : 1, &e->pool, err) != OFW_OK) {
    close(&e->base);
    return NULL;
  }
  if (from_centre && K->centre)
    e->kernels->write(K->dim, K->centre, e->x);
  e->direction = (ofw_direction){K->dim, K->rows, K->cols, floats ? NULL : e->d, pass, size, e};
  return &e->base;
}
