/* spectra.c — a set of symmetric matrices: normals of its hull, membership, projection, least eigenpair */
#include "domain/matrix/spectra.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- the set ---- */

/* A normal off the diagonal takes its vec and two indices, the last one an index and a number for each row. */
static int too_many_normals(size_t n)
{
  double m = (double)n, vec = (double)sizeof(ofw_vec) / sizeof(double);
  return m * (m - 1.0) / 2.0 * (vec + 2.0) + 2.0 * m > OFW_MOST_NORMAL_NUMBERS;
}

static ofw_status make_normals(ofw_domain *K, size_t n, int fixed_trace, ofw_error *err)
{
  size_t pairs = n * (n - 1) / 2, count = pairs + (fixed_trace ? 1 : 0), at = 0;
  double *half = ofw_owned_doubles(&K->own, 2), *even = ofw_owned_doubles(&K->own, n);
  size_t *index = ofw_owned_array(&K->own, 2 * pairs + n, sizeof *index);
  ofw_vec *normal = ofw_owned_array(&K->own, count, sizeof *normal);
  OFW_TRY(ofw_owned_check(&K->own, err));
  half[0] = M_SQRT1_2;
  half[1] = -M_SQRT1_2;
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++, at++) {
      index[2 * at] = i * n + j;
      index[2 * at + 1] = j * n + i;
      normal[at] = ofw_vec_sparse(2, index + 2 * at, half);
    }
  for (size_t i = 0; i < n; i++) {
    index[2 * pairs + i] = i * n + i;
    even[i] = 1.0 / sqrt((double)n);
  }
  if (fixed_trace)
    normal[pairs] = ofw_vec_sparse(n, index + 2 * pairs, even);
  K->normals = count;
  K->normal = normal;
  return OFW_OK;
}

ofw_status ofw_spectra_build(ofw_domain *K, const ofw_domain_ops *ops, const ofw_spectrum *of, size_t n, double total,
                             double diagonal, int fixed_trace, ofw_error *err)
{
  ofw_spectra fresh = {.of = of, .n = n, .total = total};
  OFW_TRY(ofw_domain_set_vector(K, ops, n * n, &fresh, sizeof fresh, err));
  K->rows = K->cols = n;
  OFW_TRY(ofw_domain_set_even_centre(K, 0.0, err));
  for (size_t i = 0; i < n; i++)
    K->centre[i * n + i] = diagonal;
  if (!too_many_normals(n))
    return make_normals(K, n, fixed_trace, err);
  K->r = 0.0;
  return OFW_OK;
}

const ofw_option ofw_spectra_options_table[] = {
    OFW_COUNT_ROW(offsetof(ofw_spectra_options, dim), "dim", NULL, NULL, 1, OFW_MOST_SIDE, "rows n"),
    OFW_RADIUS_ROW(offsetof(ofw_spectra_options, trace), "trace", "trace s"),
    {0},
};

/* ---- membership and projections, by a full decomposition ---- */

/* The eigenvalues of x's symmetric part; how far out x is. */
static ofw_status look(const ofw_domain *K, ofw_eigen *room, const double *x, double *out, ofw_error *err)
{
  const ofw_spectra *s = K->data;
  OFW_TRY(ofw_eigen_set(room, x, err));
  for (size_t l = 0; l < s->n; l++)
    room->value[l] = ofw_eigen_value(room, l);
  *out = fmax(ofw_asymmetry(s->n, x), s->of->beyond(s, room->value));
  return OFW_OK;
}

double ofw_spectra_excess(const ofw_domain *K, const double *x)
{
  ofw_owned own = {0};
  ofw_eigen room;
  double out = OFW_NO_MEMORY;
  if (ofw_eigen_open(&own, K->rows, 0, "", &room, NULL) == OFW_OK && look(K, &room, x, &out, NULL) != OFW_OK)
    out = -1.0;
  ofw_owned_free(&own);
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
ofw_status ofw_spectra_project(const ofw_domain *K, ofw_eigen *room, double *x, ofw_error *err)
{
  const ofw_spectra *s = K->data;
  double out, shift, *p = room->work; /* which is free between two decompositions */
  OFW_TRY(look(K, room, x, &out, err));
  if (out <= (double)(4 * K->rows + 8) * DBL_EPSILON * K->R)
    return OFW_OK;
  if (s->of->nearest(s, room->value, p, &shift) && ofw_norm(K->dim, x) <= 2.0 * K->R)
    move(K->rows, shift, x);
  else
    ofw_eigen_compose(room, p, x);
  return OFW_OK;
}

/* ---- the oracle ---- */

ofw_status ofw_spectra_open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  OFW_TRY(ofw_work_open(sizeof(ofw_spectra_work), work, err));
  ofw_spectra_work *w = *work;
  w->seed = seed;
  w->v = ofw_owned_doubles(&w->own, K->rows);
  w->atom = ofw_vec_rank_one(K->rows, K->rows, w->v, w->v);
  OFW_TRY(ofw_symmetric_open(&w->own, K->rows, &w->direction, err));
  return ofw_lanczos_open(&w->own, 0, K->rows, NULL, &w->lanczos, err);
}

ofw_status ofw_spectra_visit(void *work, ofw_visitor *v)
{
  return ofw_visit_u64(v, "eigenpair.calls", &((ofw_spectra_work *)work)->calls, 1);
}

ofw_status ofw_spectra_reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  ofw_spectra_work *w = work;
  return w->eigen.value ? ofw_owned_check(&w->own, err)
                        : ofw_eigen_open(&w->own, K->rows, 1, ((const ofw_spectra *)K->data)->of->name, &w->eigen, err);
}

ofw_status ofw_spectra_work_project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  return ofw_spectra_project(K, &((ofw_spectra_work *)work)->eigen, x, err);
}

ofw_status ofw_spectra_least(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  ofw_spectra_work *w = work;
  ofw_symmetric *S = &w->direction;
  double total = ((const ofw_spectra *)K->data)->total, length = sqrt(total);
  ofw_rng_key start = {w->seed, OFW_RNG_ORACLE, w->calls++};
  ofw_singular least;
  ofw_symmetric_set(S, d->dense);
  *out = (ofw_answer){.atom = {1, &w->atom}, .proven = 1};
  memset(w->v, 0, K->rows * sizeof *w->v);
  w->v[0] = length;
  if (S->size == 0.0)
    return OFW_OK;
  OFW_TRY(ofw_lanczos_least(w->lanczos, ofw_symmetric_times, S, S->size, S->trace, start, d->wanted.relative,
                            ldexp(d->wanted.absolute / total, -S->exponent), &least, err));
  for (size_t i = 0; i < K->rows; i++)
    w->v[i] = length * least.v[i];
  out->value = total * ldexp(least.value, S->exponent);
  out->error = total * ldexp(least.above, S->exponent);
  out->proven = least.proven;
  out->chances = 1;
  out->passes = least.passes;
  return OFW_OK;
}
