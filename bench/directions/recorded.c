/* recorded.c — the same set, whose oracle shows what it is asked
 *
 * Like counting (src/domain/wrapper/counted.c) this is a wrapper, so that neither oracles nor learners carry it.
 */
#include "bench/directions/directions.h"
#include "domain/set.h"

#include <stdlib.h>

typedef struct recorded {
  ofw_domain *of;
  recorder see;
  void *ctx;
} recorded;

/* The workspace is the inner set's, but for whose it is. */
typedef struct recorded_work {
  const ofw_domain *of;
  void *inner;
} recorded_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  const recorded *r = K->data;
  recorded_work *w = calloc(1, sizeof *w);
  *work = w;
  if (!w)
    return ofw_fail_memory(err, sizeof *w);
  w->of = r->of;
  return r->of->ops->open(r->of, seed, &w->inner, err);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  const recorded *r = K->data;
  if (!d->dense)
    return ofw_fail(err, OFW_UNSUPPORTED, "only directions stored as doubles can be recorded; leave storage out");
  if (!d->wanted.again)
    OFW_TRY(r->see(r->ctx, d->dense, err));
  return r->of->ops->minimise(r->of, ((recorded_work *)work)->inner, d, out, err);
}

static ofw_status visit(void *work, ofw_visitor *v)
{
  recorded_work *w = work;
  return w->of->ops->visit ? w->of->ops->visit(w->inner, v) : OFW_OK;
}

static void close(void *work)
{
  recorded_work *w = work;
  if (w->inner)
    w->of->ops->close(w->inner);
  free(w);
}

static double excess(const ofw_domain *K, const double *x)
{
  return ofw_domain_excess(((const recorded *)K->data)->of, x);
}

/* A learner that projects asks the oracle nothing, so that nothing is recorded. */
static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  const ofw_domain *of = ((const recorded *)K->data)->of;
  return of->ops->project(of, ((recorded_work *)work)->inner, x, err);
}

static ofw_status reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  const ofw_domain *of = ((const recorded *)K->data)->of;
  return of->ops->reserve ? of->ops->reserve(of, ((recorded_work *)work)->inner, err) : OFW_OK;
}

static void destroy(void *data)
{
  recorded *r = data;
  if (r)
    ofw_domain_free(r->of);
  free(r);
}

static const ofw_domain_ops ops = {open, minimise, visit, close, excess, NULL, NULL, destroy};
static const ofw_domain_ops projecting_ops = {open, minimise, visit, close, excess, project, reserve, destroy};

static ofw_status build(ofw_domain *K, const ofw_domain *of, recorder see, void *ctx, ofw_error *err)
{
  recorded *r = calloc(1, sizeof *r);
  if (!r)
    return ofw_fail_memory(err, sizeof *r);
  *r = (recorded){ofw_domain_keep(of), see, ctx};
  K->ops = of->ops->project ? &projecting_ops : &ops;
  K->data = r;
  return ofw_domain_set_like(K, of, err);
}

ofw_domain *recorded_domain(const ofw_domain *of, recorder see, void *ctx, ofw_error *err)
{
  ofw_domain *K = ofw_domain_alloc(of->spec, err);
  return K ? ofw_domain_built(K, build(K, of, see, ctx, err)) : NULL;
}
