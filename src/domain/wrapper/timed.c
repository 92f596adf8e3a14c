/* timed.c — the same set, whose answers say how many seconds its oracle took
 *
 * Sets around it pass the seconds on, and learners add them up. They are no part of a state and change no decision.
 */
#include "domain/wrapper/around.h"
static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  return ofw_around_open(K, sizeof(ofw_around), seed, work, err);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  double begun = ofw_now();
  OFW_TRY(ofw_around_minimise(K, work, d, out, err));
  out->seconds = ofw_now() - begun; /* in which are those of a timed set inside */
  return OFW_OK;
}

static const ofw_domain_ops ops[2] = {
    {open, minimise, ofw_around_visit, ofw_around_close, ofw_around_excess, NULL, NULL, NULL},
    {open, minimise, ofw_around_visit, ofw_around_close, ofw_around_excess, ofw_around_project, ofw_around_reserve,
     NULL}};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  OFW_TRY(ofw_domain_create_nested(K, ((const ofw_around_options *)options)->of, "timed", &K->of, err));
  return ofw_around_build(K, ops, NULL, 0, err);
}

const ofw_domain_kind ofw_timed_kind = {{.name = "timed",
                                         .summary = "another set that times its oracle",
                                         .example = "timed:of=(l1-ball:dim=5,radius=2)",
                                         .options = ofw_around_table},
                                        build};
