/* parts.c — shared by several sets: how a handle is filled in, the balls' options, a scale, a threshold,
 * workspaces */
#include "domain/set.h"

#include "linalg/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ofw_status ofw_domain_create_nested(const ofw_domain *K, const char *text, const char *wrapper, ofw_domain **out,
                                    ofw_error *err)
{
  size_t length = strlen(text);
  int bare = length < 2 || text[0] != '(' || text[length - 1] != ')';
  char *spec = ofw_copy_text(bare ? text : text + 1);
  if (!spec)
    return ofw_fail_memory(err, length + 1);
  if (!bare)
    spec[length - 2] = 0;
  ofw_error inner = {0};
  *out = ofw_domain_create_within(K->among, spec, K->depth + 1, &inner);
  free(spec);
  return *out ? OFW_OK : ofw_fail(err, inner.status, "%s: %.400s", wrapper, inner.message);
}

ofw_status ofw_domain_set_centre(ofw_domain *K, const double *centre, ofw_error *err)
{
  OFW_TRY(ofw_domain_set_even_centre(K, 0.0, err));
  memcpy(K->centre, centre, K->dim * sizeof(double));
  return OFW_OK;
}

ofw_status ofw_domain_set_even_centre(ofw_domain *K, double each, ofw_error *err)
{
  K->centre = ofw_owned_doubles(&K->own, K->dim);
  OFW_TRY(ofw_owned_check(&K->own, err));
  for (size_t i = 0; i < K->dim; i++)
    K->centre[i] = each;
  return OFW_OK;
}

ofw_status ofw_domain_set_normals(ofw_domain *K, size_t count, const double *rows, ofw_error *err)
{
  ofw_vec *normal = ofw_owned_array(&K->own, count, sizeof *normal);
  OFW_TRY(ofw_owned_check(&K->own, err));
  for (size_t k = 0; k < count; k++)
    normal[k] = ofw_vec_dense(K->dim, rows + k * K->dim);
  K->normals = count;
  K->normal = normal;
  return OFW_OK;
}

ofw_status ofw_domain_set_sum_hull(ofw_domain *K, ofw_error *err)
{
  double *ones = ofw_owned_doubles(&K->own, K->dim);
  OFW_TRY(ofw_owned_check(&K->own, err));
  for (size_t i = 0; i < K->dim; i++)
    ones[i] = 1.0 / sqrt((double)K->dim);
  return ofw_domain_set_normals(K, 1, ones, err);
}

ofw_status ofw_domain_set_start(ofw_domain *K, ofw_error *err)
{
  K->from_centre = 0;
  if (!K->centre)
    return OFW_OK;
  double *origin = ofw_owned_doubles(&K->room, K->dim);
  OFW_TRY(ofw_owned_check(&K->room, err));
  double out = ofw_domain_excess(K, origin);
  K->from_centre = out != 0.0; /* outside, or not known */
  return out == OFW_NO_MEMORY ? ofw_fail_memory(err, K->dim * sizeof(double)) : OFW_OK;
}

ofw_status ofw_domain_set_vector(ofw_domain *K, const ofw_domain_ops *ops, size_t dim, const void *data, size_t size,
                                 ofw_error *err)
{
  K->dim = K->rows = dim;
  K->cols = 1;
  K->data = size ? malloc(size) : NULL;
  if (size && !K->data)
    return ofw_fail_memory(err, size);
  if (size)
    memcpy(K->data, data, size);
  K->ops = ops;
  return OFW_OK;
}

ofw_status ofw_domain_set_like(ofw_domain *K, const ofw_domain *of, ofw_error *err)
{
  K->dim = of->dim;
  K->rows = of->rows;
  K->cols = of->cols;
  K->split = of->split; /* of outlives its wrapper, here and below */
  K->R = of->R;
  K->r = of->r;
  K->from_centre = of->from_centre;
  K->passes_only = of->passes_only;
  K->shifts = of->shifts;
  K->content = of->content;
  K->normals = of->normals;
  K->normal = of->normal;
  return of->centre ? ofw_domain_set_centre(K, of->centre, err) : OFW_OK;
}

double ofw_unit_scale(size_t n, const double *d)
{
  int e;
  frexp(ofw_largest(n, d), &e);
  return ldexp(1.0, e < -1000 ? 1000 : e > 1000 ? -1000 : -e);
}

/* t grows from its least value, -sum, as coordinates below it drop out: each pass is the t of those still above. None is
 * sorted and nothing is stored; the passes are few unless the y_i grow like powers (C. Michelot, 1986). */
double ofw_threshold(size_t n, const double *y, int sizes, double sum, double *top)
{
  *top = sizes ? 0.0 : -INFINITY;
  for (size_t i = 0; i < n; i++)
    *top = fmax(*top, sizes ? fabs(y[i]) : y[i]);
  double t = -sum;
  for (size_t above = 0, before = SIZE_MAX;; before = above) {
    double total = 0.0;
    above = 0;
    for (size_t i = 0; i < n; i++) {
      double z = (sizes ? fabs(y[i]) : y[i]) - *top;
      if (z > t) {
        total += z;
        above++;
      }
    }
    if (above >= before)
      return t;
    t = (total - sum) / (double)above;
  }
}

double ofw_sum_excess(size_t n, const double *x, double sum, int at_most)
{
  double total = 0.0, below = 0.0;
  for (size_t i = 0; i < n; i++) {
    total += x[i];
    below = fmax(below, -x[i]);
  }
  return fmax(below, at_most ? total - sum : fabs(total - sum));
}

double ofw_sum_nearest(size_t n, const double *x, double sum, int at_most, double *p)
{
  double left = 0.0, top = 0.0, t = 0.0;
  for (size_t i = 0; i < n; i++)
    left += fmax(0.0, x[i]);
  if (!at_most || left > sum)
    t = ofw_threshold(n, x, 0, sum, &top);
  for (size_t i = 0; i < n; i++)
    p[i] = fmax(0.0, (x[i] - top) - t);
  return top + t;
}

ofw_status ofw_work_open(size_t size, void **work, ofw_error *err)
{
  *work = calloc(1, size);
  return *work ? OFW_OK : ofw_fail_memory(err, size);
}

void ofw_work_close(void *work)
{
  ofw_owned_free(work);
  free(work);
}

ofw_status ofw_one_hot_open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)K, (void)seed;
  return ofw_work_open(sizeof(ofw_one_hot), work, err);
}

ofw_status ofw_sparse_atom_make(ofw_owned *own, size_t most, ofw_sparse_atom *out, ofw_error *err)
{
  *out =
      (ofw_sparse_atom){.index = ofw_owned_array(own, most, sizeof *out->index), .value = ofw_owned_doubles(own, most)};
  return ofw_owned_check(own, err);
}

ofw_status ofw_dense_work_open(const ofw_domain *K, size_t size, void **work, ofw_error *err)
{
  OFW_TRY(ofw_work_open(size, work, err));
  ofw_dense_atom *w = *work;
  w->value = ofw_owned_doubles(&w->own, K->dim);
  w->atom = ofw_vec_dense(K->dim, w->value);
  return ofw_owned_check(&w->own, err);
}

ofw_status ofw_dense_atom_open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  return ofw_dense_work_open(K, sizeof(ofw_dense_atom), work, err);
}
