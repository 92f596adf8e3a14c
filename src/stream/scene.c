/* scene.c — losses of generated rounds: their value and gradient at a decision, and at a point that is written out */
#include "stream/scene.h"

#include "linalg/kernels.h"
#include "stream/place.h"

ofw_status ofw_loss_open(ofw_loss *l, ofw_stream *s, double alpha, double G, ofw_error *err)
{
  double *a = ofw_owned_doubles(&s->own, s->K->dim);
  *l = (ofw_loss){alpha, a, alpha > 0.0 ? ofw_owned_doubles(&s->own, s->K->dim) : a, {0}};
  l->term = ofw_vec_dense(s->K->dim, l->gradient);
  s->constants = (ofw_constants){
      .lipschitz = G, .loss_bound = alpha > 0.0 ? G * G / (2.0 * alpha) : G * s->K->R, .strong_convexity = alpha};
  return ofw_owned_check(&s->own, err);
}

double ofw_loss_at(const ofw_loss *l, const double *x)
{
  size_t n = l->term.as.dense.n;
  return l->alpha > 0.0 ? l->alpha / 2.0 * ofw_place_square(n, x, l->a) : ofw_dot(n, l->a, x);
}

ofw_status ofw_loss_reveal(ofw_loss *l, const ofw_point *x, ofw_full *out)
{
  out->loss_gradient = (ofw_sum){1, &l->term};
  if (l->alpha == 0.0)
    return ofw_point_dot(x, out->loss_gradient, &out->values.loss);
  OFW_TRY(ofw_point_dense(x, l->gradient));
  out->values.loss = ofw_loss_at(l, l->gradient);
  for (size_t i = 0; i < l->term.as.dense.n; i++)
    l->gradient[i] = l->alpha * (l->gradient[i] - l->a[i]);
  return OFW_OK;
}

ofw_status ofw_loss_comparator(ofw_stream *s, uint64_t t, double *loss)
{
  (void)t;
  *loss = ofw_loss_at(s->data, s->best);
  return OFW_OK;
}

ofw_status ofw_scene_open(ofw_stream *s, double alpha, double G, double tight, ofw_error *err)
{
  ofw_scene *scene = s->data;
  OFW_TRY(ofw_loss_open(&scene->loss, s, alpha, G, err));
  return ofw_half_space_open(&scene->half, s, 0, G, tight, err);
}

ofw_status ofw_scene_reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  ofw_scene *scene = s->data;
  OFW_TRY(ofw_loss_reveal(&scene->loss, x, out));
  return ofw_half_space_reveal(&scene->half, t, x, out);
}
