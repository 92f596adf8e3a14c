/* dense.c — x and d as two arrays
 *
 * An atom is never stored whole. A matrix of rank one meets x and d row by row as a multiple of its v; any other is
 * written out by chunks that stay in the first-level cache, next to the chunks of x and d that it meets there.
 */
#include "base/rng.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "linalg/kernels.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 512 };

/* The words of the random vec that x met last: often the next that d meets is the same. A cache and no part of the
 * state. Its memory is not touched, and so does not count, until it is needed. */
typedef struct kept_words {
  ofw_rng_key key;
  int there;
  uint32_t word[];
} kept_words;

typedef struct dense_engine {
  ofw_engine base;
  double *x, *d;
  ofw_direction direction;
  kept_words *kept;
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

/* The uniform draws that are all of the sum; NULL: it is another. */
static const ofw_vec *uniform(const ofw_engine *E, ofw_sum v)
{
  int is = v.n == 1 && v.term->kind == OFW_VEC_RANDOM && v.term->as.random.dist == OFW_UNIFORM;
  return is && v.term->offset == 0 && v.term->as.random.n == E->dim ? v.term : NULL;
}

static int same_key(ofw_rng_key a, ofw_rng_key b)
{
  return a.seed == b.seed && a.purpose == b.purpose && a.round == b.round;
}

static int has_words(const kept_words *kept, const ofw_vec *random)
{
  return random && kept->there && same_key(kept->key, random->as.random.key);
}

static void pull(ofw_engine *E, double a, double b, double c, ofw_sum terms)
{
  dense_engine *e = (dense_engine *)E;
  const ofw_vec *random = uniform(E, terms);
  if (a == 0.0)
    memset(e->d, 0, E->dim * sizeof *e->d);
  else if (a != 1.0)
    for (size_t i = 0; i < E->dim; i++)
      e->d[i] *= a;
  if (b != 0.0)
    ofw_axpy(E->dim, b, e->x, e->d);
  if (has_words(e->kept, random))
    ofw_kernels_chosen()->uniform_axpy(E->dim, c * random->scale, e->kept->word, e->d);
  else
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
    ofw_kernels_chosen()->step(n, e->x + i * n, e->d + i * n, one->scale * one->as.rank_one.u[i], one->as.rank_one.v,
                               sig, curv * sig);
  }
  for (size_t from = 0; !one && from < E->dim; from += CHUNK) {
    size_t n = chunk_at(E->dim, from);
    write_out(v, from, n, atom);
    ofw_kernels_chosen()->step(n, e->x + from, e->d + from, 1.0, atom, sig, curv * sig);
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
    ofw_kernels_chosen()->segment(n, e->x + i * n, e->d + i * n, one->scale * one->as.rank_one.u[i], one->as.rank_one.v,
                                  slope, length2);
  }
  for (size_t from = 0; !one && from < E->dim; from += CHUNK) {
    size_t n = chunk_at(E->dim, from);
    write_out(v, from, n, atom);
    ofw_kernels_chosen()->segment(n, e->x + from, e->d + from, 1.0, atom, slope, length2);
  }
}

/* <random, x>, its words kept */
static double dot_words(const dense_engine *e, const ofw_vec *random)
{
  const ofw_kernels *kernels = ofw_kernels_chosen();
  kept_words *kept = e->kept;
  size_t dim = e->base.dim;
  double total = 0.0;
  kept->key = random->as.random.key;
  for (size_t from = 0; from < dim; from += CHUNK) {
    size_t n = chunk_at(dim, from);
    ofw_rng_words(kept->key, from, n, kept->word + from);
    total += kernels->uniform_dot(n, kept->word + from, e->x + from);
  }
  kept->there = 1;
  return random->scale * total;
}

static ofw_status dot(const ofw_engine *E, ofw_sum a, double *out)
{
  const dense_engine *e = (const dense_engine *)E;
  const ofw_vec *random = uniform(E, a);
  *out = random ? dot_words(e, random) : ofw_sum_dot(a, e->x);
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
  free(e->kept);
  free(e);
}

static const ofw_engine_ops ops = {pull, step, segment, dot, entries, dense, put, direction, still, norm, visit, close};

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
  e->kept = K->dim < SIZE_MAX / 8 ? malloc(sizeof *e->kept + K->dim * sizeof *e->kept->word) : NULL;
  if (!e->x || !e->d || !e->kept) {
    close(&e->base);
    ofw_fail_memory(err, K->dim * sizeof(double));
    return NULL;
  }
  e->kept->there = 0;
  if (from_centre)
    ofw_domain_centre(K, e->x);
  e->direction = ofw_direction_dense(K, e->d);
  return &e->base;
}
