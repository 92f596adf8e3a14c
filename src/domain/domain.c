/* domain.c — a domain's handle: made from a spec, counted, asked, freed
 *
 * Checks of arguments are here, once for all sets; a set's own functions see finite numbers of the right length.
 */
#include "domain/set.h"

#include "linalg/kernels.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t ofw_domain_types(void)
{
  return ofw_domain_kinds_count;
}

const ofw_type *ofw_domain_type(size_t i)
{
  return i < ofw_domain_kinds_count ? &ofw_domain_kinds[i]->type : NULL;
}

ofw_domain *ofw_domain_alloc(const char *spec, ofw_error *err)
{
  ofw_domain *K = calloc(1, sizeof *K);
  if (!K) {
    ofw_fail_memory(err, sizeof *K);
    return NULL;
  }
  atomic_init(&K->references, 1);
  K->spec = ofw_copy_text(spec);
  if (!K->spec) {
    ofw_fail_memory(err, strlen(spec) + 1);
    ofw_domain_free(K);
    return NULL;
  }
  return K;
}

ofw_domain *ofw_domain_built(ofw_domain *K, ofw_status st)
{
  ofw_owned_free(&K->room);
  K->among = NULL;
  if (st == OFW_OK)
    return K;
  ofw_domain_free(K);
  return NULL;
}

static ofw_status build(ofw_domain *K, const ofw_domain_kind *kind, const char *pairs, ofw_error *err)
{
  ofw_options o;
  ofw_status st = ofw_options_make(&kind->type, pairs, &o, err);
  if (st == OFW_OK)
    st = kind->build(K, o.values, err);
  ofw_options_drop(&o);
  return st;
}

ofw_domain *ofw_domain_create(const char *spec, ofw_error *err)
{
  return ofw_domain_create_within(NULL, spec, 0, err);
}

ofw_domain *ofw_domain_create_among(const ofw_own_sets *among, const char *spec, ofw_error *err)
{
  return ofw_domain_create_within(among, spec, 0, err);
}

ofw_domain *ofw_domain_create_within(const ofw_own_sets *among, const char *spec, unsigned depth, ofw_error *err)
{
  size_t length;
  if (depth > OFW_MOST_NESTING) {
    ofw_fail(err, OFW_USAGE, "domains are nested more than %d deep", OFW_MOST_NESTING);
    return NULL;
  }
  const char *pairs = ofw_spec_split(spec, &length);
  const ofw_own_set *own = ofw_own_set_find(among, spec, length);
  int i = own ? 0 : ofw_type_find(spec, length, ofw_domain_kinds_count, ofw_domain_type, "domain", err);
  if (i < 0)
    return NULL;
  ofw_domain *K = ofw_domain_alloc(spec, err);
  if (!K)
    return NULL;
  K->depth = depth;
  K->among = among;
  return ofw_domain_built(K, own ? ofw_own_set_build(own, pairs, K, err) : build(K, ofw_domain_kinds[i], pairs, err));
}

void ofw_domain_free(ofw_domain *K)
{
  if (!K || atomic_fetch_sub(&K->references, 1) > 1)
    return;
  if (K->ops && K->ops->destroy)
    K->ops->destroy(K->data);
  else
    free(K->data);
  ofw_owned_free(&K->own);
  ofw_domain_free(K->of);
  free(K->spec);
  free(K);
}

/* The count is the one thing about a domain that changes, and it is atomic. */
ofw_domain *ofw_domain_keep(const ofw_domain *K)
{
  ofw_domain *kept = (ofw_domain *)(uintptr_t)K;
  atomic_fetch_add(&kept->references, 1);
  return kept;
}

size_t ofw_domain_dim(const ofw_domain *K)
{
  return K->dim;
}

void ofw_domain_shape(const ofw_domain *K, size_t *rows, size_t *cols)
{
  *rows = K->rows;
  *cols = K->cols;
}

void ofw_domain_rows(const ofw_domain *K, size_t *rows, size_t *cols)
{
  *rows = K->cols == 1 ? 1 : K->rows;
  *cols = K->cols == 1 ? K->dim : K->cols;
}

ofw_sum ofw_domain_centre_sum(const ofw_domain *K, ofw_vec *room)
{
  if (!K->centre)
    return (ofw_sum){0, NULL};
  *room = ofw_vec_dense(K->dim, K->centre);
  return (ofw_sum){1, room};
}

void ofw_domain_centre(const ofw_domain *K, double *out)
{
  ofw_vec room;
  ofw_sum_dense(ofw_domain_centre_sum(K, &room), K->dim, out);
}

void ofw_domain_balls(const ofw_domain *K, double *outer, double *inner, double *centre)
{
  if (outer)
    *outer = K->R;
  if (inner)
    *inner = K->r;
  if (centre)
    ofw_domain_centre(K, centre);
}

double ofw_domain_excess(const ofw_domain *K, const double *x)
{
  if (ofw_first_not_finite(K->dim, x) < K->dim)
    return INFINITY;
  return K->ops->excess ? K->ops->excess(K, x) : -1.0;
}

static void pass_dense(const ofw_direction *d, int exponent, const double *v, double *u, double *w)
{
  ofw_pass(d->rows, d->cols, d->dense, exponent, v, u, w);
}

static void size_dense(const ofw_direction *d, double *largest, double *norm)
{
  const ofw_kernels *kernels = ofw_kernels_chosen();
  double square;
  kernels->measure(d->dim, d->dense, largest, &square);
  *norm = ofw_norm_measured(kernels, d->dim, d->dense, *largest, square);
}

ofw_direction ofw_direction_dense(const ofw_domain *K, const double *d, ofw_accuracy wanted)
{
  return (ofw_direction){.dim = K->dim,
                         .rows = K->rows,
                         .cols = K->cols,
                         .dense = d,
                         .pass = pass_dense,
                         .size = size_dense,
                         .wanted = wanted};
}

static ofw_status project_checked(const ofw_domain *K, const double *y, double *x, ofw_error *err)
{
  void *work = NULL;
  double *point = ofw_doubles(K->dim);
  ofw_status st = point ? K->ops->open(K, 1, &work, err) : ofw_fail_memory(err, K->dim * sizeof(double));
  if (st == OFW_OK && K->ops->reserve)
    st = K->ops->reserve(K, work, err);
  if (st == OFW_OK) {
    memcpy(point, y, K->dim * sizeof *y);
    st = K->ops->project(K, work, point, err);
  }
  if (st == OFW_OK)
    memcpy(x, point, K->dim * sizeof *x);
  if (work)
    K->ops->close(work);
  free(point);
  return st;
}

ofw_status ofw_domain_project(const ofw_domain *K, const double *y, double *x, ofw_error *err)
{
  if (!K->ops->project)
    return ofw_fail(err, OFW_UNSUPPORTED, "no projection onto %.200s is known", K->spec);
  size_t bad = ofw_first_not_finite(K->dim, y);
  if (bad < K->dim)
    return ofw_fail(err, OFW_BAD_DATA, "point: number %zu is not finite", bad + 1);
  return project_checked(K, y, x, err);
}

ofw_status ofw_domain_minimise(const ofw_domain *K, const double *d, double tolerance, double *v, double *error,
                               ofw_error *err)
{
  if (!(tolerance > 0.0))
    return ofw_fail(err, OFW_USAGE, "the oracle's tolerance must be positive");
  size_t bad = ofw_first_not_finite(K->dim, d);
  if (bad < K->dim)
    return ofw_fail(err, OFW_BAD_DATA, "direction: number %zu is not finite", bad + 1);
  void *work = NULL;
  ofw_answer answer = {0};
  ofw_direction direction = ofw_direction_dense(K, d, (ofw_accuracy){tolerance, INFINITY, 0});
  ofw_status st = K->ops->open(K, 1, &work, err);
  if (st == OFW_OK)
    st = K->ops->minimise(K, work, &direction, &answer, err);
  if (st == OFW_OK) {
    ofw_sum_dense(answer.atom, K->dim, v);
    if (error)
      *error = answer.error;
  }
  if (work)
    K->ops->close(work);
  return st;
}
