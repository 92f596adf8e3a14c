/* own.c — a caller's set: a dimension, a radius and a minimise function */
#include "domain/set.h"

#include "linalg/kernels.h"

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  const ofw_domain_callbacks *own = K->data;
  ofw_dense_atom *w = work;
  int failed = own->minimise(own->ctx, d->dense, w->value);
  if (failed)
    return ofw_fail(err, OFW_NUMERICAL, "the domain's own minimise returned %d, expected 0", failed);
  size_t bad = ofw_first_not_finite(K->dim, w->value);
  if (bad < K->dim)
    return ofw_fail(err, OFW_NUMERICAL,
                    "the domain's own minimise returned a number that is not finite at coordinate %zu", bad + 1);
  *out = ofw_dense_atom_answer(w, ofw_dot(K->dim, d->dense, w->value));
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  const ofw_domain_callbacks *own = K->data;
  double out = own->excess ? own->excess(own->ctx, x) : -1.0;
  return out < 0.0 ? -1.0 : out;
}

static const ofw_domain_ops ops = {
    .open = ofw_dense_atom_open, .minimise = minimise, .close = ofw_work_close, .excess = excess};

static ofw_status build(ofw_domain *K, const ofw_domain_callbacks *own, ofw_error *err)
{
  ofw_domain_callbacks copy = *own;
  copy.centre = NULL; /* the caller's array may go away */
  K->R = own->R;
  K->r = own->r;
  OFW_TRY(ofw_domain_set_vector(K, &ops, own->dim, &copy, sizeof copy, err));
  if (own->centre)
    OFW_TRY(ofw_domain_set_centre(K, own->centre, err));
  return ofw_domain_set_start(K, err);
}

static ofw_status check(const ofw_domain_callbacks *own, ofw_error *err)
{
  if (!own->minimise || own->dim == 0 || !(own->R >= OFW_LEAST_RADIUS && own->R <= OFW_LARGEST_RADIUS) ||
      !(own->r >= 0.0 && own->r <= own->R))
    return ofw_fail(err, OFW_USAGE,
                    "own domain: dim, minimise, an R in [1e-100, 1e100] and an r in [0, R] must be set");
  if (own->centre && ofw_first_not_finite(own->dim, own->centre) < own->dim)
    return ofw_fail(err, OFW_USAGE, "own domain: its centre is not finite");
  return OFW_OK;
}

ofw_domain *ofw_domain_create_own(const ofw_domain_callbacks *given, ofw_error *err)
{
  ofw_domain_callbacks own;
  if (ofw_take_sized(&own, sizeof own, given, "ofw_domain_callbacks", err) != OFW_OK || check(&own, err) != OFW_OK)
    return NULL;
  ofw_domain *K = ofw_domain_alloc("own", err);
  return K ? ofw_domain_built(K, build(K, &own, err)) : NULL;
}
