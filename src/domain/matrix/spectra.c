/* spectra.c — a set of symmetric matrices: normals of its hull, membership, projection, least eigenpair */
#include "domain/matrix/spectra.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the set ---- */

/* A normal off the diagonal takes its vec and two indices, the last one an index and a number for each row. */
static int too_many_normals(size_t n)
{
  double m = (double)n, vec = (double)sizeof(ofw_vec) / sizeof(double);
  return m * (m - 1.0) / 2.0 * (vec + 2.0) + 2.0 * m > OFW_MOST_NORMAL_NUMBERS;
}

static ofw_status make_normals(ofw_domain *K, ofw_spectra *s, int fixed_trace, ofw_error *err)
{
  size_t n = s->n, pairs = n * (n - 1) / 2, count = pairs + (fixed_trace ? 1 : 0), at = 0;
  s->half[0] = M_SQRT1_2;
  s->half[1] = -M_SQRT1_2;
  s->even = ofw_doubles(n);
  s->index = ofw_array(2 * pairs + n, sizeof *s->index);
  s->normal = ofw_array(count, sizeof *s->normal);
  if (!s->even || !s->index || !s->normal)
    return ofw_fail_memory(err, count * sizeof *s->normal);
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++, at++) {
      s->index[2 * at] = i * n + j;
      s->index[2 * at + 1] = j * n + i;
      s->normal[at] = ofw_vec_sparse(2, s->index + 2 * at, s->half);
    }
  for (size_t i = 0; i < n; i++) {
    s->index[2 * pairs + i] = i * n + i;
    s->even[i] = 1.0 / sqrt((double)n);
  }
  if (fixed_trace)
    s->normal[pairs] = ofw_vec_sparse(n, s->index + 2 * pairs, s->even);
  K->normals = count;
  K->normal = s->normal;
  return OFW_OK;
}

ofw_status ofw_spectra_build(ofw_domain *K, const ofw_domain_ops *ops, const char *name, size_t n, double total,
                             double diagonal, int fixed_trace, ofw_error *err)
{
  ofw_spectra fresh = {.name = name, .n = n, .total = total};
  OFW_TRY(ofw_domain_set_vector(K, ops, n * n, &fresh, sizeof fresh, err));
  K->rows = K->cols = n;
  K->centre = ofw_doubles(K->dim);
  if (!K->centre)
    return ofw_fail_memory(err, K->dim * sizeof(double));
  for (size_t i = 0; i < n; i++)
    K->centre[i * n + i] = diagonal;
  if (!too_many_normals(n))
    return make_normals(K, K->data, fixed_trace, err);
  K->r = 0.0;
  return OFW_OK;
}

void ofw_spectra_destroy(void *data)
{
  ofw_spectra *s = data;
  if (s) {
    free(s->even);
    free(s->index);
    free(s->normal);
    free(s);
  }
}

const ofw_option ofw_spectra_options_table[] = {
    OFW_COUNT_ROW(offsetof(ofw_spectra_options, dim), "dim", NULL, NULL, 1, OFW_MOST_SIDE, "rows n"),
    OFW_RADIUS_ROW(offsetof(ofw_spectra_options, trace), "trace", "trace s"),
    {0},
};

/* ---- membership and projections, by a full decomposition ---- */

/* The eigenvalues of x's symmetric part; how far out x is. */
static ofw_status look(const ofw_domain *K, const ofw_spectrum *of, ofw_eigen *room, const double *x, double *out,
                       ofw_error *err)
{
  const ofw_spectra *s = K->data;
  OFW_TRY(ofw_eigen_set(room, x, err));
  for (size_t l = 0; l < s->n; l++)
    room->value[l] = ofw_eigen_value(room, l);
  *out = fmax(ofw_asymmetry(s->n, x), of->beyond(s, room->value));
  return OFW_OK;
}

double ofw_spectra_excess(const ofw_domain *K, const ofw_spectrum *of, const double *x)
{
  ofw_eigen room;
  double out = OFW_NO_MEMORY;
  if (ofw_eigen_open(K->rows, 0, "", &room, NULL) != OFW_OK)
    return out;
  if (look(K, of, &room, x, &out, NULL) != OFW_OK)
    out = -1.0;
  ofw_eigen_close(&room);
  return out;
}

/* x = S + shift I */
static void move(size_t n, double shift, double *x)
{
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++)
      x[i * n + j] = x[j * n + i] = x[i * n + j] / 2 + x[j * n + i] / 2;
    x[i * n + i] += shift;
  }
}

/* Of a matrix far larger than K's the eigenvalues say too little about the shift. */
ofw_status ofw_spectra_project(const ofw_domain *K, const ofw_spectrum *of, ofw_eigen *room, double *x, ofw_error *err)
{
  double out, shift, *p = room->work; /* which is free between two decompositions */
  OFW_TRY(look(K, of, room, x, &out, err));
  if (out <= (double)(4 * K->rows + 8) * DBL_EPSILON * K->R)
    return OFW_OK;
  if (of->nearest(K->data, room->value, p, &shift) && ofw_norm(K->dim, x) <= 2.0 * K->R)
    move(K->rows, shift, x);
  else
    ofw_eigen_compose(room, p, x);
  return OFW_OK;
}

/* ---- the oracle ---- */

ofw_status ofw_spectra_open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  ofw_spectra_work *w = calloc(1, sizeof *w);
  *work = w;
  if (!w)
    return ofw_fail_memory(err, sizeof *w);
  w->seed = seed;
  w->v = ofw_doubles(K->rows);
  if (!w->v)
    return ofw_fail_memory(err, K->rows * sizeof(double));
  w->atom = ofw_vec_rank_one(K->rows, K->rows, w->v, w->v);
  OFW_TRY(ofw_symmetric_open(K->rows, &w->direction, err));
  return ofw_lanczos_open(0, K->rows, &w->lanczos, err);
}

void ofw_spectra_close(void *work)
{
  ofw_spectra_work *w = work;
  ofw_symmetric_close(&w->direction);
  ofw_lanczos_close(w->lanczos);
  ofw_eigen_close(&w->eigen);
  free(w->v);
  free(w);
}

ofw_status ofw_spectra_visit(void *work, ofw_visitor *v)
{
  return ofw_visit_u64(v, "eigenpair.calls", &((ofw_spectra_work *)work)->calls, 1);
}

ofw_status ofw_spectra_reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  ofw_eigen *room = &((ofw_spectra_work *)work)->eigen;
  return room->value ? OFW_OK : ofw_eigen_open(K->rows, 1, ((const ofw_spectra *)K->data)->name, room, err);
}

ofw_status ofw_spectra_least(const ofw_domain *K, void *work, const ofw_direction *d, ofw_accuracy wanted,
                             ofw_answer *out, ofw_error *err)
{
  ofw_spectra_work *w = work;
  ofw_symmetric *S = &w->direction;
  double total = ((const ofw_spectra *)K->data)->total, length = sqrt(total);
  ofw_rng_key start = {w->seed, OFW_RNG_ORACLE, w->calls++};
  ofw_eigenpair least;
  ofw_symmetric_set(S, d->dense);
  *out = (ofw_answer){.atom = {1, &w->atom}, .proven = 1};
  memset(w->v, 0, K->rows * sizeof *w->v);
  w->v[0] = length;
  if (S->size == 0.0)
    return OFW_OK;
  OFW_TRY(ofw_lanczos_least(w->lanczos, ofw_symmetric_times, S, S->size, S->trace, start, wanted.relative,
                            ldexp(wanted.absolute / total, -S->exponent), &least, err));
  for (size_t i = 0; i < K->rows; i++)
    w->v[i] = length * least.v[i];
  out->value = total * ldexp(least.value, S->exponent);
  out->error = total * ldexp(least.above, S->exponent);
  out->proven = least.proven;
  out->passes = least.passes;
  return OFW_OK;
}
