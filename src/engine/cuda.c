/* cuda.c — x and d on a GPU, as doubles or as floats: the dense engine's operations, by libofw-cuda.so (cuda_table.h)
 *
 * The library is opened when the first learner asks for storage=cuda or cuda-float, and stays open. An operation that fails on the device
 * leaves NaN in whatever is asked of it next, by which the round fails; the next one is refused with the reason.
 */
#include "engine/cuda_library.h"
#include "engine/engine.h"
#include "linalg/kernels.h"
#include "linalg/lanczos.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdlib.h>

_Static_assert((int)OFW_CUDA_BASIS >= (int)OFW_LANCZOS_BASIS, "the library has room for every vector of a search");

typedef struct cuda {
  ofw_engine base;
  const ofw_cuda_table *on;
  ofw_cuda *c;
  ofw_direction direction;
  ofw_krylov krylov;
  const char *storage;    /* its name */
  int leads;              /* y is kept */
  int measured;           /* d is as it was when these two were found: */
  double largest, square; /* max |d_i|, the sum of d_i^2 */
} cuda;

static cuda *of(const ofw_engine *E)
{
  return (cuda *)(uintptr_t)E;
}

/* ---- the core ---- */

static void pull(ofw_engine *E, double a, double b, double c, ofw_sum terms)
{
  cuda *e = of(E);
  e->measured = 0;
  if (a == 0.0 && b == 0.0)
    e->on->clear(e->c, OFW_ON_D);
  else if (a != 1.0 || b != 0.0)
    e->on->blend(e->c, a, b);
  for (size_t k = 0; k < terms.n && c != 0.0; k++)
    e->on->add(e->c, c, &terms.term[k]);
}

static void measure(cuda *e)
{
  if (!e->measured)
    e->on->measure(e->c, OFW_ON_D, 0, &e->largest, &e->square);
  e->measured = 1;
}

/* NaN shows in the second number alone, the least numbers in the first. */
static const ofw_direction *direction(const ofw_engine *E)
{
  cuda *e = of(E);
  measure(e);
  return e->largest == 0.0 && e->square == 0.0 ? NULL : &e->direction;
}

static void segment(ofw_engine *E, ofw_sum v, double *slope, double *length2)
{
  of(E)->on->segment(of(E)->c, v, slope, length2);
}

static void step(ofw_engine *E, ofw_sum v, double sig, double curv)
{
  cuda *e = of(E);
  e->measured = 0;
  e->on->step(e->c, v, sig, curv * sig);
}

/* One array, through a copy of it here. */
static ofw_status visit_array(cuda *e, ofw_on which, const char *name, double *copy, ofw_visitor *v)
{
  size_t n = e->base.dim;
  if (!e->on->read(e->c, which, 0, n, copy))
    return OFW_FAILED;
  OFW_TRY(v->words(v->ctx, name, copy, n));
  return e->on->write(e->c, which, copy) ? OFW_OK : OFW_FAILED;
}

static ofw_status visit(ofw_engine *E, ofw_visitor *v)
{
  cuda *e = of(E);
  double *copy = ofw_doubles_unset(E->dim);
  e->measured = 0;
  ofw_status st = copy ? visit_array(e, OFW_ON_X, "x", copy, v) : OFW_FAILED;
  if (st == OFW_OK)
    st = visit_array(e, OFW_ON_D, "d", copy, v);
  if (st == OFW_OK && e->leads)
    st = visit_array(e, OFW_ON_Y, "y", copy, v);
  free(copy);
  return st;
}

static void close(ofw_engine *E)
{
  cuda *e = of(E);
  if (e->c)
    e->on->close(e->c);
  free(e);
}

/* ---- d as an oracle reads it ---- */

/* |a| of an array by what measure says of it, and once more if squares of its numbers are no doubles. */
static double norm_of(cuda *e, ofw_on what, double largest, double square)
{
  int exponent;
  if (square > 0x1p-900 && square < 0x1p1000)
    return sqrt(square);
  if (largest == 0.0 || !isfinite(largest))
    return largest == 0.0 ? sqrt(square) : largest; /* 0, or NaN */
  frexp(largest, &exponent);
  e->on->measure(e->c, what, exponent, &largest, &square);
  return ldexp(sqrt(square), exponent);
}

static double norm(const ofw_engine *E)
{
  cuda *e = of(E);
  measure(e);
  return norm_of(e, OFW_ON_D, e->largest, e->square);
}

static void size(const ofw_direction *d, double *largest, double *length)
{
  const cuda *e = d->ctx;
  *length = norm(&e->base);
  *largest = e->largest;
}

static void pass(const ofw_direction *d, int exponent, const double *v, double *u, double *w)
{
  const cuda *e = d->ctx;
  e->on->pass(e->c, exponent, v, u, w);
}

static const int bits_of[OFW_GRADES] = {[OFW_32_BITS] = 32, [OFW_16_BITS] = 16};

static double begin(const ofw_krylov *at, ofw_grade grade, int exponent, size_t k, ofw_rng_key start)
{
  const cuda *e = at->ctx;
  return e->on->begin(e->c, bits_of[grade], exponent, k, start);
}

static double extend(const ofw_krylov *at, size_t k, double *b)
{
  const cuda *e = at->ctx;
  return e->on->extend(e->c, k, b);
}

static void accept(const ofw_krylov *at, size_t k)
{
  const cuda *e = at->ctx;
  e->on->accept(e->c, k);
}

static void rotate(const ofw_krylov *at, size_t k, size_t n, const double *y)
{
  const cuda *e = at->ctx;
  e->on->rotate(e->c, k, n, y);
}

static void compose(const ofw_krylov *at, size_t k, const double *y, const double **u, const double **v)
{
  const cuda *e = at->ctx;
  e->on->compose(e->c, k, y, u, v);
}

/* ---- capabilities ---- */

static ofw_status alive(const ofw_engine *E, ofw_error *err)
{
  const char *why = of(E)->on->failed(of(E)->c);
  return why ? ofw_fail(err, OFW_FAILED, "storage=%s: %s", of(E)->storage, why) : OFW_OK;
}

static ofw_status dot(const ofw_engine *E, ofw_sum a, double *out)
{
  cuda *e = of(E);
  *out = 0.0;
  for (size_t k = 0; k < a.n; k++)
    *out += e->on->dot(e->c, OFW_ON_X, &a.term[k]);
  return alive(E, NULL);
}

/* The GPU draws a probe of one term; what has more is added here. */
static ofw_status entries(const ofw_engine *E, ofw_sum probe, size_t n, const size_t *index, double *out)
{
  int drawn = probe.n == 1 && probe.term->kind == OFW_VEC_RANDOM;
  if (!of(E)->on->entries(of(E)->c, drawn ? probe.term : NULL, n, index, out))
    return OFW_FAILED;
  for (size_t k = 0; k < n && probe.n > 0 && !drawn; k++)
    out[k] += ofw_sum_entry(probe, index[k]);
  return OFW_OK;
}

static ofw_status row(const ofw_engine *E, size_t row, double *out)
{
  return of(E)->on->read(of(E)->c, OFW_ON_X, row * E->cols, E->cols, out) ? OFW_OK : OFW_FAILED;
}

static ofw_status dense(const ofw_engine *E, double *out)
{
  return !out || of(E)->on->read(of(E)->c, OFW_ON_X, 0, E->dim, out) ? OFW_OK : OFW_FAILED;
}

static ofw_status keep_lead(ofw_engine *E, ofw_error *err)
{
  cuda *e = of(E);
  e->leads = e->on->keep_y(e->c);
  return alive(E, err);
}

static double step_lead(ofw_engine *E, ofw_sum v, double sig, double keep)
{
  return of(E)->on->lead(of(E)->c, v, sig, keep);
}

static double dot_lead(const ofw_engine *E, ofw_sum a)
{
  double sum = 0.0;
  for (size_t k = 0; k < a.n; k++)
    sum += of(E)->on->dot(of(E)->c, OFW_ON_Y, &a.term[k]);
  return sum;
}

static double apart(const ofw_engine *E)
{
  cuda *e = of(E);
  double largest, square;
  e->on->measure(e->c, OFW_ON_E, 0, &largest, &square);
  return norm_of(e, OFW_ON_E, largest, square);
}

static double inner(const ofw_engine *E, ofw_sum a, ofw_sum b)
{
  return of(E)->on->inner(of(E)->c, a, b);
}

static void restart(ofw_engine *E, const double *x)
{
  cuda *e = of(E);
  e->measured = 0;
  e->on->write(e->c, OFW_ON_X, x);
  e->on->clear(e->c, OFW_ON_D);
  e->on->clear(e->c, OFW_ON_Y);
}

static const ofw_engine_view view = {.dot = dot, .entries = entries, .row = row, .dense = dense};
static const ofw_engine_lead lead = {.keep = keep_lead, .step = step_lead, .dot = dot_lead};
static const ofw_engine_ops ops = {.pull = pull,
                                   .direction = direction,
                                   .segment = segment,
                                   .step = step,
                                   .visit = visit,
                                   .close = close,
                                   .view = &view,
                                   .lead = &lead,
                                   .alive = alive,
                                   .norm = norm,
                                   .apart = apart,
                                   .inner = inner,
                                   .restart = restart};

/* ---- opening ---- */

ofw_engine *ofw_engine_open_cuda(const ofw_domain *K, int from_centre, int floats, ofw_error *err)
{
  char why[OFW_CUDA_TEXT] = "";
  const ofw_cuda_table *on = ofw_cuda_library(err);
  cuda *e = on ? calloc(1, sizeof *e) : NULL;
  if (!e) {
    if (on)
      ofw_fail_memory(err, sizeof *e);
    return NULL;
  }
  e->base = (ofw_engine){.ops = &ops, .dim = K->dim};
  ofw_domain_rows(K, &e->base.rows, &e->base.cols);
  e->on = on;
  e->storage = floats ? "cuda-float" : "cuda";
  e->c = on->open(K->rows, K->cols, floats, why);
  if (!e->c || (from_centre && K->centre && !on->write(e->c, OFW_ON_X, K->centre))) {
    int too_large = K->rows > OFW_CUDA_MOST / K->cols; /* all else may be there the next time */
    ofw_fail(err, too_large ? OFW_UNSUPPORTED : OFW_FAILED, "storage=%s: %s", e->storage,
             e->c ? on->failed(e->c) : why);
    close(&e->base);
    return NULL;
  }
  e->krylov = (ofw_krylov){begin, extend, accept, rotate, compose, .ctx = e};
  for (ofw_grade grade = OFW_32_BITS; grade < OFW_GRADES; grade++)
    on->narrow(e->c, bits_of[grade], &e->krylov.rough[grade].apart, &e->krylov.rough[grade].grain);
  e->direction = (ofw_direction){K->dim, K->rows, K->cols, NULL, pass, size, .ctx = e, .krylov = &e->krylov};
  return &e->base;
}
