/* shrunk.c — (1 - f) c + f K: the set K pulled towards its centre c by a factor f
 *
 * Oracle  (1 - f) c + f v with K's v, its error times f
 * Project (1 - f) c + f p with K's projection p of (x - (1 - f) c)/f
 * R^2 <= f^2 R_K^2 + 2 f (1 - f) max_K <c, v> + (1 - f)^2 |c|^2   r = f r_K   centre c
 */
#include "domain/domain.h"

#include "linalg/kernels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_FACTOR 1e-12

typedef struct shrunk {
  ofw_domain *of;
  double factor;
} shrunk;

typedef struct shrunk_work {
  const ofw_domain *of;
  void *inner;
  ofw_vec *term; /* the inner atom's terms, scaled, then the centre's */
  double *point; /* what is projected on K; NULL: nothing has been */
} shrunk_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  const shrunk *s = K->data;
  shrunk_work *w = calloc(1, sizeof *w);
  *work = w;
  if (!w)
    return ofw_fail_memory(err, sizeof *w);
  w->of = s->of;
  w->term = ofw_array(1 + K->shifts, sizeof *w->term);
  if (!w->term)
    return ofw_fail_memory(err, (1 + K->shifts) * sizeof *w->term);
  return s->of->ops->open(s->of, seed, &w->inner, err);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_accuracy wanted,
                           ofw_answer *out, ofw_error *err)
{
  const shrunk *s = K->data;
  shrunk_work *w = work;
  wanted.absolute /= s->factor;
  OFW_TRY(s->of->ops->minimise(s->of, w->inner, d, wanted, out, err));
  size_t n = out->atom.n;
  for (size_t k = 0; k < n; k++) {
    w->term[k] = out->atom.term[k];
    w->term[k].scale *= s->factor;
  }
  out->value *= s->factor;
  out->error *= s->factor;
  if (K->centre) {
    w->term[n] = ofw_vec_dense(K->dim, K->centre);
    w->term[n++].scale = 1.0 - s->factor;
    out->value += (1.0 - s->factor) * ofw_dot(K->dim, K->centre, d->dense);
  }
  out->atom = (ofw_sum){n, w->term};
  return OFW_OK;
}

static ofw_status visit(void *work, ofw_visitor *v)
{
  shrunk_work *w = work;
  return w->of->ops->visit ? w->of->ops->visit(w->inner, v) : OFW_OK;
}

static void close(void *work)
{
  shrunk_work *w = work;
  if (w->inner)
    w->of->ops->close(w->inner);
  free(w->term);
  free(w->point);
  free(w);
}

/* x is inside where c + (x - c)/f is inside K. */
static double excess(const ofw_domain *K, const double *x)
{
  const shrunk *s = K->data;
  double *y = ofw_doubles(K->dim);
  if (!y)
    return OFW_NO_MEMORY;
  for (size_t i = 0; i < K->dim; i++) {
    double c = K->centre ? K->centre[i] : 0.0;
    y[i] = c + (x[i] - c) / s->factor;
  }
  double out = ofw_domain_excess(s->of, y);
  free(y);
  return out > 0.0 ? out * s->factor : out;
}

static ofw_status reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  const shrunk *s = K->data;
  shrunk_work *w = work;
  if (!w->point)
    w->point = ofw_doubles(K->dim);
  if (!w->point)
    return ofw_fail_memory(err, K->dim * sizeof(double));
  return s->of->ops->reserve ? s->of->ops->reserve(s->of, w->inner, err) : OFW_OK;
}

/* The coordinate i of what x stands for in K, or the nearest double. */
static double stretched(const ofw_domain *K, size_t i, double x)
{
  double f = ((const shrunk *)K->data)->factor, c = K->centre ? (1.0 - f) * K->centre[i] : 0.0;
  return fmax(-DBL_MAX, fmin((x - c) / f, DBL_MAX));
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  const shrunk *s = K->data;
  shrunk_work *w = work;
  size_t same = 0;
  for (size_t i = 0; i < K->dim; i++)
    w->point[i] = stretched(K, i, x[i]);
  OFW_TRY(s->of->ops->project(s->of, w->inner, w->point, err));
  while (same < K->dim && w->point[same] == stretched(K, same, x[same]))
    same++;
  for (size_t i = 0; i < K->dim && same < K->dim; i++)
    x[i] = (K->centre ? (1.0 - s->factor) * K->centre[i] : 0.0) + s->factor * w->point[i];
  return OFW_OK;
}

static void destroy(void *data)
{
  shrunk *s = data;
  if (s) {
    ofw_domain_free(s->of);
    free(s);
  }
}

static const ofw_domain_ops ops = {open, minimise, visit, close, excess, NULL, NULL, destroy};
static const ofw_domain_ops projecting_ops = {open, minimise, visit, close, excess, project, reserve, destroy};

static ofw_status outer_radius(ofw_domain *K, const shrunk *s, ofw_error *err)
{
  double f = s->factor;
  K->R = f * s->of->R;
  if (!K->centre)
    return OFW_OK;
  double *away = ofw_doubles(K->dim), *v = ofw_doubles(K->dim);
  ofw_status st = OFW_OK;
  if (!away || !v)
    st = ofw_fail_memory(err, K->dim * sizeof(double));
  for (size_t i = 0; i < K->dim && st == OFW_OK; i++)
    away[i] = -K->centre[i];
  double error = 0.0;
  if (st == OFW_OK)
    st = ofw_domain_minimise(s->of, away, 1e-9, v, &error, err);
  if (st == OFW_OK) {
    double R = s->of->R, reach = (error - ofw_dot(K->dim, away, v)) / R / R, c = ofw_norm(K->dim, K->centre) / R;
    K->R = R * sqrt(f * f + 2 * f * (1 - f) * reach + (1 - f) * (1 - f) * c * c);
  }
  free(away);
  free(v);
  return st;
}

static ofw_status build_around(ofw_domain *K, const ofw_domain *of, double factor, ofw_error *err)
{
  shrunk *s = malloc(sizeof *s);
  if (!s)
    return ofw_fail_memory(err, sizeof *s);
  *s = (shrunk){ofw_domain_keep(of), factor};
  K->ops = of->ops->project ? &projecting_ops : &ops;
  K->data = s;
  OFW_TRY(ofw_domain_set_like(K, of, err));
  K->shifts += K->centre != NULL;
  K->passes_only &= !K->centre;
  K->r = factor * of->r;
  OFW_TRY(ofw_domain_set_start(K, err)); /* the origin may have been shrunk away */
  return outer_radius(K, s, err);
}

ofw_domain *ofw_domain_create_shrunk(const ofw_domain *of, double factor, ofw_error *err)
{
  if (!(factor >= LEAST_FACTOR && factor <= 1.0)) {
    ofw_fail(err, OFW_USAGE, "shrunk: factor=%g is not in [%g, 1]", factor, LEAST_FACTOR);
    return NULL;
  }
  ofw_text spec = {0};
  char number[OFW_REAL_TEXT];
  ofw_text_add(&spec, "shrunk:factor=%s,of=(%s)", ofw_print_real(factor, number), of->spec);
  ofw_domain *K = NULL;
  if (spec.failed)
    ofw_fail_memory(err, strlen(of->spec));
  else
    K = ofw_domain_alloc(spec.chars, err);
  free(spec.chars);
  if (K && build_around(K, of, factor, err) != OFW_OK) {
    ofw_domain_free(K);
    K = NULL;
  }
  return K;
}

void ofw_domain_reshrink(ofw_domain *K, double factor)
{
  ((shrunk *)K->data)->factor = factor;
}

typedef struct shrunk_options {
  double factor;
  char *of;
} shrunk_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const shrunk_options *o = options;
  ofw_domain *of;
  OFW_TRY(ofw_domain_create_nested(K, o->of, "shrunk", &of, err));
  ofw_status st = build_around(K, of, o->factor, err);
  ofw_domain_free(of);
  return st;
}

static const ofw_option options[] = {
    OFW_REAL_ROW(offsetof(shrunk_options, factor), "factor", NULL, NULL, LEAST_FACTOR, 1, "factor f"),
    OFW_TEXT_ROW(offsetof(shrunk_options, of), "of", "the set K, as (spec)"),
    {0},
};

const ofw_domain_kind ofw_shrunk_kind = {{.name = "shrunk",
                                          .summary = "another set pulled towards its centre",
                                          .example = "shrunk:factor=0.75,of=(simplex:dim=5,sum=2)",
                                          .options = options},
                                         sizeof(shrunk_options),
                                         build};
