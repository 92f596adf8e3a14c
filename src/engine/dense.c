/* dense.c — x and d as two arrays
 *
 * An atom is never stored whole. A matrix of rank one meets x and d row by row as a multiple of its v; any other is
 * written out by chunks that stay in the first-level cache, next to the chunks of x and d that it meets there.
 */
#include "base/vec.h"
#include "engine/engine.h"
#include "linalg/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 512 };

typedef struct dense_engine {
  ofw_engine base;
  double *x, *d;
  ofw_direction direction;
} dense_engine;

static size_t chunk_at(size_t dim, size_t from)
{
  return dim - from < CHUNK ? dim - from : CHUNK;
}

static void write_out(ofw_sum v, size_t from, size_t n, double *out)
{
  memset(out, 0, n * sizeof *out);
  ofw_sum_add(v, 1.0, from, n, out);
}

static void pull(ofw_engine *E, double a, double b, double c, ofw_sum terms)
{
  dense_engine *e = (dense_engine *)E;
  if (a == 0.0)
    memset(e->d, 0, E->dim * sizeof *e->d);
  else if (a != 1.0)
    for (size_t i = 0; i < E->dim; i++)
      e->d[i] *= a;
  if (b != 0.0)
    ofw_axpy(E->dim, b, e->x, e->d);
  ofw_sum_add(terms, c, 0, E->dim, e->d);
}

/* The matrix of rank one that is all of the sum; NULL: it is another. */
static const ofw_vec *rank_one(const ofw_engine *E, ofw_sum v)
{
  return v.n == 1 && v.term->kind == OFW_VEC_RANK_ONE && ofw_vec_extent(v.term) == E->dim ? v.term : NULL;
}

static void step(ofw_engine *E, ofw_sum v, double sig, double curv)
{
  dense_engine *e = (dense_engine *)E;
  const ofw_vec *one = rank_one(E, v);
  double atom[CHUNK];
  for (size_t i = 0; one && i < one->as.rank_one.rows; i++) {
    size_t n = one->as.rank_one.cols;
    ofw_step(n, e->x + i * n, e->d + i * n, one->scale * one->as.rank_one.u[i], one->as.rank_one.v, sig, curv * sig);
  }
  for (size_t from = 0; !one && from < E->dim; from += CHUNK) {
    size_t n = chunk_at(E->dim, from);
    write_out(v, from, n, atom);
    ofw_step(n, e->x + from, e->d + from, 1.0, atom, sig, curv * sig);
  }
}

static void segment(ofw_engine *E, ofw_sum v, double *slope, double *length2)
{
  dense_engine *e = (dense_engine *)E;
  const ofw_vec *one = rank_one(E, v);
  double atom[CHUNK];
  *slope = *length2 = 0.0;
  for (size_t i = 0; one && i < one->as.rank_one.rows; i++) {
    size_t n = one->as.rank_one.cols;
    ofw_segment(n, e->x + i * n, e->d + i * n, one->scale * one->as.rank_one.u[i], one->as.rank_one.v, slope, length2);
  }
  for (size_t from = 0; !one && from < E->dim; from += CHUNK) {
    size_t n = chunk_at(E->dim, from);
    write_out(v, from, n, atom);
    ofw_segment(n, e->x + from, e->d + from, 1.0, atom, slope, length2);
  }
}

static ofw_status dot(const ofw_engine *E, ofw_sum a, double *out)
{
  *out = ofw_sum_dot(a, ((const dense_engine *)E)->x);
  return OFW_OK;
}

static ofw_status entries(const ofw_engine *E, size_t n, const size_t *index, double *out)
{
  const dense_engine *e = (const dense_engine *)E;
  for (size_t k = 0; k < n; k++)
    if (index[k] >= E->dim)
      return OFW_USAGE;
  for (size_t k = 0; k < n; k++)
    out[k] = e->x[index[k]];
  return OFW_OK;
}

static ofw_status dense(const ofw_engine *E, double *out)
{
  memcpy(out, ((const dense_engine *)E)->x, E->dim * sizeof *out);
  return OFW_OK;
}

static void put(ofw_engine *E, const double *x)
{
  dense_engine *e = (dense_engine *)E;
  memcpy(e->x, x, E->dim * sizeof *x);
  memset(e->d, 0, E->dim * sizeof *e->d);
}

static const ofw_direction *direction(const ofw_engine *E)
{
  return &((const dense_engine *)E)->direction;
}

static int still(const ofw_engine *E)
{
  const double *d = ((const dense_engine *)E)->d;
  for (size_t i = 0; i < E->dim; i++)
    if (d[i] != 0.0)
      return 0;
  return 1;
}

static double norm(const ofw_engine *E)
{
  return ofw_norm(E->dim, ((const dense_engine *)E)->d);
}

/* By chunks, each as safe from overflow as the whole. */
static double apart(const ofw_engine *E)
{
  const dense_engine *e = (const dense_engine *)E;
  double part[CHUNK], total = 0.0;
  for (size_t from = 0; from < E->dim; from += CHUNK) {
    size_t n = chunk_at(E->dim, from);
    for (size_t i = 0; i < n; i++)
      part[i] = e->x[from + i] - e->d[from + i];
    total = hypot(total, ofw_norm(n, part));
  }
  return total;
}

static ofw_status project(ofw_engine *E, const ofw_domain *K, void *work, ofw_error *err)
{
  dense_engine *e = (dense_engine *)E;
  memcpy(e->x, e->d, E->dim * sizeof *e->x);
  return K->ops->project(K, work, e->x, err);
}

static ofw_status visit(ofw_engine *E, ofw_visitor *v)
{
  dense_engine *e = (dense_engine *)E;
  OFW_TRY(ofw_visit_f64(v, "x", e->x, E->dim));
  return ofw_visit_f64(v, "d", e->d, E->dim);
}

static void close(ofw_engine *E)
{
  dense_engine *e = (dense_engine *)E;
  free(e->x);
  free(e->d);
  free(e);
}

static const ofw_engine_ops ops = {pull,      step,  segment, dot,   entries, dense, put,
                                   direction, still, norm,    apart, project, visit, close};

ofw_engine *ofw_engine_open_dense(const ofw_domain *K, int from_centre, ofw_error *err)
{
  dense_engine *e = calloc(1, sizeof *e);
  if (!e) {
    ofw_fail_memory(err, sizeof *e);
    return NULL;
  }
  e->base = (ofw_engine){&ops, K->dim};
  e->x = ofw_doubles(K->dim);
  e->d = ofw_doubles(K->dim);
  if (!e->x || !e->d) {
    close(&e->base);
    ofw_fail_memory(err, K->dim * sizeof(double));
    return NULL;
  }
  if (from_centre)
    ofw_domain_centre(K, e->x);
  e->direction = ofw_direction_dense(K, e->d);
  return &e->base;
}
