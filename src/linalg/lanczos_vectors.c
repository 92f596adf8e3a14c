/* lanczos_vectors.c — the vectors of a search: drawn, multiplied, made orthogonal, combined */
#include "linalg/lanczos_search.h"

#include "linalg/kernels.h"
#include "linalg/norm_over.h"
#include "linalg/rng.h"

#include <string.h>

/* Makes w orthogonal to the basis, twice for safety; its length then. */
static double orthogonalise(const ofw_lanczos *l, double *w)
{
  for (int again = 0; again < 2; again++)
    for (size_t j = 0; j < l->now.k; j++) {
      const double *q = l->basis + j * l->cols;
      ofw_axpy(l->cols, -ofw_dot(l->cols, q, w), q, w);
    }
  return ofw_norm(l->cols, w);
}

static void divide(size_t n, const double *x, double by, double *out)
{
  for (size_t i = 0; i < n; i++)
    out[i] = x[i] / by;
}

double ofw_search_draw(ofw_lanczos *l)
{
  const ofw_search *s = &l->now;
  if (s->at)
    return s->at->begin(s->at, s->grade, s->exponent, s->k, s->start);
  double *v = l->basis + s->k * l->cols;
  ofw_rng_direction(s->start, l->cols, v);
  if (l->split)
    return ofw_search_draw_shared(l, v);
  double length = orthogonalise(l, v);
  if (length >= 1e-8)
    divide(l->cols, v, length, v);
  return length;
}

/* w = M v for the next v of the basis; <v, w> */
static double multiply(ofw_lanczos *l)
{
  const ofw_search *s = &l->now;
  const double *v = l->basis + s->k * l->cols;
  if (s->singular) {
    double *u = l->image + s->k * l->rows;
    s->pass(s->ctx, v, u, l->w);
    return l->split ? NAN : ofw_dot(l->rows, u, u); /* ofw_search_orthogonalise_shared finds <v, w> */
  }
  s->times(s->ctx, v, l->w);
  for (size_t i = 0; i < l->cols; i++)
    l->w[i] = s->shift * v[i] - l->w[i];
  return ofw_dot(l->cols, v, l->w);
}

double ofw_search_extend(ofw_lanczos *l, double *b)
{
  ofw_search *s = &l->now;
  double a = s->at ? s->at->extend(s->at, s->k, b) : multiply(l);
  s->k++;
  if (!s->at)
    *b = l->split ? ofw_search_orthogonalise_shared(l, &a) : orthogonalise(l, l->w);
  return a;
}

void ofw_search_accept(ofw_lanczos *l, double b)
{
  const ofw_search *s = &l->now;
  if (s->at)
    s->at->accept(s->at, s->k);
  else if (l->split)
    ofw_search_accept_shared(l, b, l->basis + s->k * l->cols);
  else
    divide(l->cols, l->w, b, l->basis + s->k * l->cols);
}

/* out_i = sum_j y_ij x_j for the n vectors y_i of H, the largest first */
static void combine(const ofw_lanczos *l, size_t n, size_t length, const double *x, double *out)
{
  size_t k = l->now.k;
  memset(out, 0, n * length * sizeof *out);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < k; j++)
      ofw_axpy(length, l->vectors[(n - 1 - i) * k + j], x + j * length, out + i * length);
}

void ofw_search_rotate(ofw_lanczos *l)
{
  const ofw_search *s = &l->now;
  enum { KEPT = OFW_LANCZOS_KEPT };
  if (s->at) {
    s->at->rotate(s->at, s->k, KEPT, l->vectors);
    return;
  }
  combine(l, KEPT, l->cols, l->basis, l->spare);
  memcpy(l->basis, l->spare, KEPT * l->cols * sizeof *l->spare);
  combine(l, KEPT, l->rows, l->image, l->spare);
  memcpy(l->image, l->spare, KEPT * l->rows * sizeof *l->spare);
}

void ofw_search_compose(ofw_lanczos *l, const double **u, const double **v)
{
  const ofw_search *s = &l->now;
  if (s->at) {
    s->at->compose(s->at, s->k, l->vectors, u, v);
    return;
  }
  combine(l, 1, l->cols, l->basis, l->v);
  combine(l, 1, l->rows, l->image, l->u);
  divide(l->cols, l->v, ofw_norm(l->cols, l->v), l->v);
  divide(l->rows, l->u, ofw_norm_over(l->split, l->rows, l->u), l->u);
  *u = l->u;
  *v = l->v;
}
