/* registry.c — every set by name, in alphabetical order; a new one is one row here */
#include "domain/domain.h"

#define OFW_DOMAINS(row)                                                                                          \
  row(box) row(counted) row(hull) row(l1_ball) row(l2_ball) row(linf_ball) row(polytope) row(shrunk) row(simplex) \
      row(trace_ball)

#define DECLARE(name) extern const ofw_domain_kind ofw_##name##_kind;
#define ADDRESS(name) &ofw_##name##_kind,

OFW_DOMAINS(DECLARE)
const ofw_domain_kind *const ofw_domain_kinds[] = {OFW_DOMAINS(ADDRESS)};
const size_t ofw_domain_kinds_count = sizeof ofw_domain_kinds / sizeof ofw_domain_kinds[0];
