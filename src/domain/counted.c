/* counted.c — the same set, whose workspace counts the oracle's calls and passes, and projections
 *
 * Counting is a wrapper so that neither oracles nor learners carry it. The counters are part of the saved state.
 */
#include "domain/domain.h"

#include <stdlib.h>

typedef struct counted_work {
  const ofw_domain *of;
  void *inner;
  ofw_counts counts;
} counted_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  const ofw_domain *of = K->data;
  counted_work *w = calloc(1, sizeof *w);
  *work = w;
  if (!w)
    return ofw_fail_memory(err, sizeof *w);
  w->of = of;
  return of->ops->open(of, seed, &w->inner, err);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_accuracy wanted,
                           ofw_answer *out, ofw_error *err)
{
  const ofw_domain *of = K->data;
  counted_work *w = work;
  OFW_TRY(of->ops->minimise(of, w->inner, d, wanted, out, err));
  w->counts.calls += !wanted.again;
  w->counts.passes += out->passes;
  return OFW_OK;
}

static ofw_status visit(void *work, ofw_visitor *v)
{
  counted_work *w = work;
  OFW_TRY(ofw_visit_u64(v, "oracle.calls", &w->counts.calls, 1));
  OFW_TRY(ofw_visit_u64(v, "oracle.passes", &w->counts.passes, 1));
  OFW_TRY(ofw_visit_u64(v, "projections", &w->counts.projections, 1));
  return w->of->ops->visit ? w->of->ops->visit(w->inner, v) : OFW_OK;
}

static void close(void *work)
{
  counted_work *w = work;
  if (w->inner)
    w->of->ops->close(w->inner);
  free(w);
}

static double excess(const ofw_domain *K, const double *x)
{
  return ofw_domain_excess(K->data, x);
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  const ofw_domain *of = K->data;
  counted_work *w = work;
  OFW_TRY(of->ops->project(of, w->inner, x, err));
  w->counts.projections++;
  return OFW_OK;
}

static ofw_status reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  const ofw_domain *of = K->data;
  return of->ops->reserve ? of->ops->reserve(of, ((counted_work *)work)->inner, err) : OFW_OK;
}

static void destroy(void *data)
{
  ofw_domain_free(data);
}

static const ofw_domain_ops ops = {open, minimise, visit, close, excess, NULL, NULL, destroy};
static const ofw_domain_ops projecting_ops = {open, minimise, visit, close, excess, project, reserve, destroy};

ofw_counts ofw_counted_read(const void *work)
{
  return ((const counted_work *)work)->counts;
}

void ofw_counted_write(void *work, ofw_counts counts)
{
  ((counted_work *)work)->counts = counts;
}

static ofw_status build_around(ofw_domain *K, const ofw_domain *of, ofw_error *err)
{
  K->ops = of->ops->project ? &projecting_ops : &ops;
  K->data = ofw_domain_keep(of);
  return ofw_domain_set_like(K, of, err);
}

ofw_domain *ofw_domain_create_counted(const ofw_domain *of, ofw_error *err)
{
  ofw_domain *K = ofw_domain_alloc(of->spec, err);
  if (K && build_around(K, of, err) != OFW_OK) {
    ofw_domain_free(K);
    K = NULL;
  }
  return K;
}

typedef struct counted_options {
  char *of;
} counted_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  ofw_domain *of;
  OFW_TRY(ofw_domain_create_nested(K, ((const counted_options *)options)->of, "counted", &of, err));
  ofw_status st = build_around(K, of, err);
  ofw_domain_free(of);
  return st;
}

static const ofw_option options[] = {
    OFW_TEXT_ROW(offsetof(counted_options, of), "of", "the set K, as (spec)"),
    {0},
};

const ofw_domain_kind ofw_counted_kind = {{.name = "counted",
                                           .summary = "another set, its oracle's calls and its projections counted",
                                           .example = "counted:of=(l1-ball:dim=4)",
                                           .options = options},
                                          sizeof(counted_options),
                                          build};
