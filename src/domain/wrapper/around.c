/* around.c — functions of a wrapper that just call those of the set inside */
#include "domain/wrapper/around.h"

ofw_status ofw_around_build(ofw_domain *K, const ofw_domain_ops ops[2], const void *data, size_t size, ofw_error *err)
{
  OFW_TRY(ofw_domain_set_vector(K, &ops[K->of->ops->project != NULL], K->of->dim, data, size, err));
  return ofw_domain_set_like(K, K->of, err);
}

ofw_status ofw_around_open(const ofw_domain *K, size_t size, uint64_t seed, void **work, ofw_error *err)
{
  OFW_TRY(ofw_work_open(size, work, err));
  ofw_around *w = *work;
  w->of = K->of;
  return K->of->ops->open(K->of, seed, &w->inner, err);
}

ofw_status ofw_around_visit(void *work, ofw_visitor *v)
{
  ofw_around *w = work;
  return w->of->ops->visit ? w->of->ops->visit(w->inner, v) : OFW_OK;
}

void ofw_around_close(void *work)
{
  ofw_around *w = work;
  if (w->inner)
    w->of->ops->close(w->inner);
  ofw_work_close(w);
}

double ofw_around_excess(const ofw_domain *K, const double *x)
{
  return ofw_domain_excess(K->of, x);
}

ofw_status ofw_around_project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  return K->of->ops->project(K->of, ((ofw_around *)work)->inner, x, err);
}

ofw_status ofw_around_reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  return K->of->ops->reserve ? K->of->ops->reserve(K->of, ((ofw_around *)work)->inner, err) : OFW_OK;
}

const ofw_option ofw_around_table[] = {
    OFW_AROUND_ROW(offsetof(ofw_around_options, of)),
    {0},
};
