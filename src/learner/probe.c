/* probe.c — a bandit learner's probes: drawn by key, taken into the hull, scaled to length delta */
#include "learner/probe.h"

#include "linalg/rng.h"

#include <math.h>
#include <string.h>

double ofw_probe_balanced(const ofw_learner *l, double m)
{
  double D = l->D, n = l->n;
  return fmin(l->r * pow(l->T, 0.25) / 2.0, sqrt(n * m * D / (D / l->r + 3.0 + 2.0 * D / (n * m))));
}

ofw_status ofw_probe_reach(ofw_learner *l, double c, double delta)
{
  l->delta = delta;
  if (delta < l->r)
    return OFW_OK;
  return ofw_fail(&l->err, OFW_USAGE,
                  "%s: c=%g probes %g away, but the set contains only a ball of radius %g; make c smaller",
                  l->method->type.name, c, delta, l->r);
}

void ofw_probe_set(ofw_learner *l, double delta)
{
  if (delta == l->delta)
    return;
  l->delta = l->info.delta = delta;
  l->probe_round = 0; /* the one at hand has the old length */
  ofw_domain_reshrink(l->shrunk, 1.0 - delta / l->r);
}

ofw_status ofw_probe_open(ofw_learner *l, const ofw_domain *K)
{
  l->normals = K->normals;
  l->probe = ofw_owned_array(&l->own, 1 + K->normals, sizeof *l->probe);
  OFW_TRY(ofw_owned_check(&l->own, &l->err));
  l->probe[0] = ofw_vec_random(K->dim, (ofw_rng_key){l->seed, OFW_RNG_PROBE, 0}, OFW_NORMAL);
  if (K->normals)
    memcpy(l->probe + 1, K->normal, K->normals * sizeof *l->probe);
  return OFW_OK;
}

/* <z, n_i> for a normal of the hull */
static double along(const ofw_learner *l, size_t i)
{
  ofw_vec unit = l->probe[i];
  unit.scale = 1.0;
  return l->engine->ops->inner(l->engine, (ofw_sum){1, l->probe}, (ofw_sum){1, &unit});
}

void ofw_probe_make(ofw_learner *l, uint64_t t)
{
  ofw_sum probe = {1 + l->normals, l->probe};
  if (l->probe_round == t)
    return;
  l->probe[0].as.random.key.round = t;
  l->probe[0].scale = 1.0;
  for (size_t i = 1; i <= l->normals; i++)
    l->probe[i].scale = -along(l, i);
  double scale = l->delta / sqrt(l->engine->ops->inner(l->engine, probe, probe));
  for (size_t i = 0; i <= l->normals; i++)
    l->probe[i].scale *= scale;
  l->point.probe = probe;
  l->probe_round = t;
}

double ofw_probe_most(const ofw_learner *l)
{
  return ofw_storage_has_floats(l) ? 1e20 : 1e200;
}

void ofw_probe_scales(const ofw_learner *l, double *scale)
{
  for (size_t i = 0; i <= l->normals; i++)
    scale[i] = l->probe[i].scale;
}

void ofw_probe_pull(ofw_learner *l, uint64_t t, const double *scale, double c)
{
  for (size_t i = 0; i <= l->normals; i++) {
    ofw_vec term = l->probe[i];
    term.scale = scale[i];
    if (i == 0)
      term.as.random.key.round = t;
    l->engine->ops->pull(l->engine, 1.0, 0.0, c, (ofw_sum){1, &term});
  }
}
