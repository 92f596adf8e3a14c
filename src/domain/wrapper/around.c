/* around.c — functions of a wrapper that just call those of the set inside */
#include "domain/wrapper/around.h"

#include <stdlib.h>
#include <string.h>

static const ofw_domain *inside(const ofw_domain *K)
{
  return ((const ofw_wrapped *)K->data)->of;
}

ofw_status ofw_around_build(ofw_domain *K, const ofw_domain *of, const ofw_domain_ops ops[2], const void *data,
                            size_t size, ofw_error *err)
{
  ofw_wrapped *w = malloc(size);
  if (!w)
    return ofw_fail_memory(err, size);
  memcpy(w, data, size);
  w->of = ofw_domain_keep(of);
  K->ops = &ops[of->ops->project != NULL];
  K->data = w;
  return ofw_domain_set_like(K, of, err);
}

ofw_status ofw_around_open(const ofw_domain *K, size_t size, uint64_t seed, void **work, ofw_error *err)
{
  const ofw_domain *of = inside(K);
  ofw_around *w = calloc(1, size);
  *work = w;
  if (!w)
    return ofw_fail_memory(err, size);
  w->of = of;
  return of->ops->open(of, seed, &w->inner, err);
}

ofw_status ofw_around_minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_accuracy wanted,
                               ofw_answer *out, ofw_error *err)
{
  const ofw_domain *of = inside(K);
  return of->ops->minimise(of, ((ofw_around *)work)->inner, d, wanted, out, err);
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
  free(w);
}

double ofw_around_excess(const ofw_domain *K, const double *x)
{
  return ofw_domain_excess(inside(K), x);
}

ofw_status ofw_around_project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  const ofw_domain *of = inside(K);
  return of->ops->project(of, ((ofw_around *)work)->inner, x, err);
}

ofw_status ofw_around_reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  const ofw_domain *of = inside(K);
  return of->ops->reserve ? of->ops->reserve(of, ((ofw_around *)work)->inner, err) : OFW_OK;
}

void ofw_around_destroy(void *data)
{
  ofw_wrapped *w = data;
  if (w)
    ofw_domain_free(w->of);
  free(w);
}

const ofw_option ofw_around_table[] = {
    OFW_AROUND_ROW(offsetof(ofw_around_options, of)),
    {0},
};
