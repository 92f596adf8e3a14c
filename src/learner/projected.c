/* projected.c — shared by the learners that project: their refusals and their step */
#include "learner/projected.h"

#include "linalg/kernels.h"

ofw_status ofw_projected_start(ofw_learner *l, int *losses)
{
  const char *name = l->method->type.name;
  l->projects = 1;
  if (*losses < 0)
    *losses = l->alpha > 0.0 ? OFW_LOSSES_STRONGLY_CONVEX : OFW_LOSSES_CONVEX;
  if (*losses == OFW_LOSSES_STRONGLY_CONVEX && !(l->alpha > 0.0))
    return ofw_fail(&l->err, OFW_USAGE, "%s: losses=strongly-convex needs a strong convexity above 0", name);
  return OFW_OK;
}

ofw_status ofw_projected_open(ofw_learner *l)
{
  const char *name = l->method->type.name;
  if (!l->K->ops->project)
    return ofw_fail(&l->err, OFW_UNSUPPORTED,
                    "%s needs a projection, and no projection onto %.200s is known; choose another learner or set",
                    name, l->K->spec);
  if (l->common.sample)
    return ofw_fail(&l->err, OFW_UNSUPPORTED,
                    "%s cannot sample: its decisions are projections, not mixtures of vertices; leave sample out",
                    name);
  if (l->common.storage != OFW_STORE_DOUBLE)
    return ofw_fail(&l->err, OFW_UNSUPPORTED, "%s does not support storage=%s; leave storage out", name,
                    ofw_storage_name(l));
  return l->K->ops->reserve(l->K, l->work, &l->err); /* K is counted, and passes it on */
}

ofw_status ofw_project(ofw_learner *l)
{
  ofw_engine *E = l->engine;
  const ofw_direction *d = E->ops->direction(E);
  if (d && ofw_first_not_finite(d->dim, d->dense) < d->dim)
    return ofw_fail(&l->err, OFW_NUMERICAL, "%s: the step is not finite", l->method->type.name);
  return E->ops->project(E, l->K, l->work, &l->err);
}
