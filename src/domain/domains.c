/* domains.c — every set by name, in alphabetical order, then the wrappers; a new one is one row here */
#include "domain/set.h"

/* clang-format off */
#define OFW_DOMAINS(row) \
  row(birkhoff) \
  row(box) \
  row(capped_simplex) \
  row(diamond) \
  row(ellipsoid) \
  row(fantope) \
  row(flows) \
  row(group_ball) \
  row(hull) \
  row(hypercube01) \
  row(hypersimplex) \
  row(k_norm_ball) \
  row(k_sparse) \
  row(l1_ball) \
  row(l2_ball) \
  row(linf_ball) \
  row(lp_ball) \
  row(matchings) \
  row(operator_ball) \
  row(owl_ball) \
  row(paths) \
  row(perfect_matchings) \
  row(polytope) \
  row(simplex) \
  row(spanning_trees) \
  row(spectrahedron) \
  row(spectraplex) \
  row(trace_ball) \
  row(transport) \
  row(unit_hypersimplex) \
  row(unit_simplex)

#define OFW_WRAPPERS(row) \
  row(cached) \
  row(counted) \
  row(product) \
  row(scaled) \
  row(shifted) \
  row(shrunk) \
  row(timed)
/* clang-format on */

#define DECLARE(name) extern const ofw_domain_kind ofw_##name##_kind;
#define ADDRESS(name) &ofw_##name##_kind,
#define COUNT(name)   +1

OFW_DOMAINS(DECLARE)
OFW_WRAPPERS(DECLARE)
const ofw_domain_kind *const ofw_domain_kinds[] = {OFW_DOMAINS(ADDRESS) OFW_WRAPPERS(ADDRESS)};
const size_t ofw_domain_kinds_count = sizeof ofw_domain_kinds / sizeof ofw_domain_kinds[0];
const size_t ofw_domain_sets_count = 0 OFW_DOMAINS(COUNT);
