/* moved.c — oracle, membership and projection of w c + f K, by those of K
 *
 * For sets that read d by passes alone -d is never formed: each pass turns the sign of its first product.
 */
#include "domain/wrapper/moved.h"

#include "linalg/kernels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct moved_work {
  ofw_around around;
  ofw_vec *term; /* the inner atom's terms, scaled, then the shift's */
  double *minus; /* -d; NULL: it is not needed */
  double *point; /* what is projected on K; NULL: nothing has been */
} moved_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  const ofw_moved *m = K->data;
  OFW_TRY(ofw_around_open(K, sizeof(moved_work), seed, work, err));
  moved_work *w = *work;
  w->term = ofw_owned_array(&w->around.own, 1 + K->shifts, sizeof *w->term);
  if (m->factor < 0.0 && !K->of->passes_only)
    w->minus = ofw_owned_doubles(&w->around.own, K->dim);
  return ofw_owned_check(&w->around.own, err);
}

/* ---- oracle ---- */

static void pass_minus(const ofw_direction *d, int exponent, const double *v, double *u, double *w)
{
  const ofw_direction *plain = d->ctx;
  plain->pass(plain, exponent, v, u, w);
  for (size_t i = 0; i < d->rows; i++)
    u[i] = -u[i];
}

static void size_minus(const ofw_direction *d, double *largest, double *norm)
{
  const ofw_direction *plain = d->ctx;
  plain->size(plain, largest, norm);
}

static ofw_direction turned(const moved_work *w, const ofw_direction *d)
{
  for (size_t i = 0; w->minus && i < d->dim; i++)
    w->minus[i] = -d->dense[i];
  return (ofw_direction){.dim = d->dim,
                         .rows = d->rows,
                         .cols = d->cols,
                         .dense = w->minus,
                         .pass = pass_minus,
                         .size = size_minus,
                         .ctx = d,
                         .wanted = d->wanted};
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  const ofw_moved *m = K->data;
  moved_work *w = work;
  double size = fabs(m->factor);
  ofw_direction asked = m->factor < 0.0 ? turned(w, d) : *d;
  asked.wanted.absolute /= size;
  OFW_TRY(ofw_around_minimise(K, work, &asked, out, err));
  size_t n = out->atom.n;
  for (size_t k = 0; k < n; k++) {
    w->term[k] = out->atom.term[k];
    w->term[k].scale *= m->factor;
  }
  out->value *= size;
  out->error *= size;
  if (m->shift) {
    w->term[n] = ofw_vec_dense(K->dim, m->shift);
    w->term[n++].scale = m->weight;
    out->value += m->weight * ofw_dot(K->dim, m->shift, d->dense);
  }
  out->atom = (ofw_sum){n, w->term};
  return OFW_OK;
}

/* ---- inside, outside, projection ---- */

/* Coordinate i of what x stands for in K, or the nearest double. */
static double back(const ofw_moved *m, size_t i, double x)
{
  return fmax(-DBL_MAX, fmin((x - (m->shift ? m->weight * m->shift[i] : 0.0)) / m->factor, DBL_MAX));
}

static double excess(const ofw_domain *K, const double *x)
{
  const ofw_moved *m = K->data;
  double *y = ofw_doubles(K->dim);
  if (!y)
    return OFW_NO_MEMORY;
  for (size_t i = 0; i < K->dim; i++)
    y[i] = back(m, i, x[i]);
  double out = ofw_around_excess(K, y);
  free(y);
  return out > 0.0 ? out * fabs(m->factor) : out;
}

static ofw_status reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  moved_work *w = work;
  if (!w->point)
    w->point = ofw_owned_doubles(&w->around.own, K->dim);
  OFW_TRY(ofw_owned_check(&w->around.own, err));
  return ofw_around_reserve(K, work, err);
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  const ofw_moved *m = K->data;
  moved_work *w = work;
  size_t same = 0;
  for (size_t i = 0; i < K->dim; i++)
    w->point[i] = back(m, i, x[i]);
  OFW_TRY(ofw_around_project(K, work, w->point, err));
  while (same < K->dim && w->point[same] == back(m, same, x[same]))
    same++;
  for (size_t i = 0; i < K->dim && same < K->dim; i++)
    x[i] = (m->shift ? m->weight * m->shift[i] : 0.0) + m->factor * w->point[i];
  return OFW_OK;
}

static const ofw_domain_ops ops[2] = {
    {open, minimise, ofw_around_visit, ofw_around_close, excess, NULL, NULL, NULL},
    {open, minimise, ofw_around_visit, ofw_around_close, excess, project, reserve, NULL}};

/* ---- building ---- */

/* max <along * c, v> over K->of, and what its oracle may be off by. */
static ofw_status reach_along(ofw_domain *K, double along, const double *c, double *reach, ofw_error *err)
{
  size_t n = K->of->dim;
  double *away = ofw_owned_doubles(&K->room, n), *v = ofw_owned_doubles(&K->room, n), error = 0.0;
  OFW_TRY(ofw_owned_check(&K->room, err));
  for (size_t i = 0; i < n; i++)
    away[i] = -along * c[i];
  OFW_TRY(ofw_domain_minimise(K->of, away, 1e-9, v, &error, err));
  *reach = error - ofw_dot(n, away, v);
  return OFW_OK;
}

ofw_status ofw_moved_radius(ofw_domain *K, ofw_moved m, double *R, ofw_error *err)
{
  const ofw_domain *of = K->of;
  double f = fabs(m.factor), w = fabs(m.weight), reach, c = m.shift ? ofw_norm(of->dim, m.shift) : 0.0;
  *R = f * of->R;
  if (!m.shift)
    return OFW_OK;
  OFW_TRY(reach_along(K, m.factor * m.weight < 0.0 ? -1.0 : 1.0, m.shift, &reach, err));
  double unit = fmax(of->R, c), a = f * (of->R / unit), b = c / unit, cross = 2.0 * f * w * (reach / unit / unit);
  double square = a * a + cross + w * w * b * b;
  if (cross < 0.0) /* what cancels leaves its rounding */
    square = fmax(0.0, square) + 4.0 * DBL_EPSILON * (a * a - cross + w * w * b * b);
  *R = unit * sqrt(square);
  return OFW_OK;
}

ofw_status ofw_moved_build(ofw_domain *K, ofw_moved m, ofw_error *err)
{
  OFW_TRY(ofw_around_build(K, ops, &m, sizeof m, err));
  K->shifts += m.shift != NULL;
  K->passes_only &= !m.shift;
  K->r = fabs(m.factor) * K->of->r;
  return ofw_moved_radius(K, m, &K->R, err);
}
