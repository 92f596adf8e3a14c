/* counted.c — the same set, whose workspace counts the oracle's calls, passes and seconds, and projections
 *
 * Counting is a wrapper so that neither oracles nor learners carry it. The counters are part of the saved state; the
 * seconds are not, for they are never the same.
 */
#include "domain/wrapper/around.h"
#include "domain/wrapper/wrapper.h"

#include "base/fields.h"

typedef struct counted_work {
  ofw_around around;
  ofw_counts counts;
} counted_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  return ofw_around_open(K, sizeof(counted_work), seed, work, err);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  counted_work *w = work;
  OFW_TRY(ofw_around_minimise(K, work, d, out, err));
  w->counts.calls += !d->wanted.again;
  w->counts.passes += out->passes;
  w->counts.seconds += out->seconds;
  return OFW_OK;
}

static const ofw_field fields[] = {
    {OFW_WORD("oracle.calls", counted_work, counts.calls)},
    {OFW_WORD("oracle.passes", counted_work, counts.passes)},
    {OFW_WORD("projections", counted_work, counts.projections)},
    {0},
};

static ofw_status visit(void *work, ofw_visitor *v)
{
  OFW_TRY(ofw_visit_fields(fields, work, v));
  return ofw_around_visit(work, v);
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  OFW_TRY(ofw_around_project(K, work, x, err));
  ((counted_work *)work)->counts.projections++;
  return OFW_OK;
}

static const ofw_domain_ops ops[2] = {
    {open, minimise, visit, ofw_around_close, ofw_around_excess, NULL, NULL, NULL},
    {open, minimise, visit, ofw_around_close, ofw_around_excess, project, ofw_around_reserve, NULL}};

ofw_counts ofw_counted_read(const void *work)
{
  return ((const counted_work *)work)->counts;
}

void ofw_counted_write(void *work, ofw_counts counts)
{
  ((counted_work *)work)->counts = counts;
}

ofw_domain *ofw_domain_create_counted(const ofw_domain *of, ofw_error *err)
{
  ofw_domain *K = ofw_domain_alloc(of->spec, err);
  if (!K)
    return NULL;
  K->of = ofw_domain_keep(of);
  return ofw_domain_built(K, ofw_around_build(K, ops, NULL, 0, err));
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  OFW_TRY(ofw_domain_create_nested(K, ((const ofw_around_options *)options)->of, "counted", &K->of, err));
  return ofw_around_build(K, ops, NULL, 0, err);
}

const ofw_domain_kind ofw_counted_kind = {{.name = "counted",
                                           .summary = "another set that counts its oracle calls and projections",
                                           .example = "counted:of=(l1-ball:dim=4)",
                                           .options = ofw_around_table},
                                          build};
