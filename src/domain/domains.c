/* domains.c — every set by name, in alphabetical order; a new one is one row here */
#include "domain/set.h"

/* clang-format off */
#define OFW_DOMAINS(row) \
  row(birkhoff) \
  row(box) \
  row(cached) \
  row(capped_simplex) \
  row(counted) \
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
  row(product) \
  row(scaled) \
  row(shifted) \
  row(shrunk) \
  row(simplex) \
  row(spanning_trees) \
  row(spectrahedron) \
  row(spectraplex) \
  row(timed) \
  row(trace_ball) \
  row(transport) \
  row(unit_hypersimplex) \
  row(unit_simplex)
/* clang-format on */

#define DECLARE(name) extern const ofw_domain_kind ofw_##name##_kind;
#define ADDRESS(name) &ofw_##name##_kind,

OFW_DOMAINS(DECLARE)
const ofw_domain_kind *const ofw_domain_kinds[] = {OFW_DOMAINS(ADDRESS)};
const size_t ofw_domain_kinds_count = sizeof ofw_domain_kinds / sizeof ofw_domain_kinds[0];
