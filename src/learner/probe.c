#include "learner/probe.h"

#include "base/rng.h"
#include "base/vec.h"
#include "linalg/kernels.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 512 };

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
  return ofw_fail(&l->err, OFW_USAGE, "%s: c=%g probes %g away, but the set holds only a ball of radius %g",
                  l->method->type.name, c, delta, l->r);
}

ofw_status ofw_probe_open(ofw_learner *l, const ofw_domain *K)
{
  l->normals = K->normals;
  l->probe = ofw_array(1 + K->normals, sizeof *l->probe);
  if (!l->probe)
    return ofw_fail_memory(&l->err, (1 + K->normals) * sizeof *l->probe);
  l->probe[0] = ofw_vec_random(K->dim, (ofw_rng_key){l->seed, OFW_RNG_PROBE, 0}, OFW_NORMAL);
  if (K->normals)
    memcpy(l->probe + 1, K->normal, K->normals * sizeof *l->probe);
  return OFW_OK;
}

/* <z, n_i>, into the scales of the normals */
static void measure_normals(ofw_vec *probe, size_t normals, size_t dim)
{
  double z[CHUNK], n[CHUNK];
  for (size_t i = 1; i <= normals; i++)
    probe[i].scale = 0.0;
  for (size_t from = 0; from < dim && normals > 0; from += CHUNK) {
    size_t run = dim - from < CHUNK ? dim - from : CHUNK;
    ofw_rng_normal(probe[0].as.random.key, from, run, z);
    for (size_t i = 1; i <= normals; i++) {
      ofw_vec unit = probe[i];
      unit.scale = 1.0;
      memset(n, 0, run * sizeof *n);
      ofw_sum_add((ofw_sum){1, &unit}, 1.0, from, run, n);
      probe[i].scale += ofw_dot(run, z, n);
    }
  }
}

static double length(ofw_sum sum, size_t dim)
{
  double part[CHUNK], square = 0.0;
  for (size_t from = 0; from < dim; from += CHUNK) {
    size_t run = dim - from < CHUNK ? dim - from : CHUNK;
    memset(part, 0, run * sizeof *part);
    ofw_sum_add(sum, 1.0, from, run, part);
    square += ofw_dot(run, part, part);
  }
  return sqrt(square);
}

void ofw_probe_make(ofw_learner *l, uint64_t t)
{
  ofw_sum probe = {1 + l->normals, l->probe};
  if (l->probe_round == t)
    return;
  l->probe[0].as.random.key.round = t;
  l->probe[0].scale = 1.0;
  measure_normals(l->probe, l->normals, l->engine->dim);
  for (size_t i = 1; i <= l->normals; i++)
    l->probe[i].scale = -l->probe[i].scale;
  double scale = l->delta / length(probe, l->engine->dim);
  for (size_t i = 0; i <= l->normals; i++)
    l->probe[i].scale *= scale;
  l->point.probe = probe;
  l->probe_round = t;
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
