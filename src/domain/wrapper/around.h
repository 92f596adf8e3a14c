/* around.h — a set around one other, K->of: its workspace around the other's, and what it passes on as it is */
#pragma once

#include "domain/set.h"

/* How such a workspace begins. */
typedef struct ofw_around {
  ofw_owned own;
  const ofw_domain *of;
  void *inner;
} ofw_around;

/* K like K->of, with a copy of `data`, NULL: none; the second functions are for a set with a projection. */
ofw_status ofw_around_build(ofw_domain *K, const ofw_domain_ops ops[2], const void *data, size_t size, ofw_error *err);
/* A workspace of `size` bytes, zero behind its beginning. */
ofw_status ofw_around_open(const ofw_domain *K, size_t size, uint64_t seed, void **work, ofw_error *err);

static inline ofw_status ofw_around_minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out,
                                             ofw_error *err)
{
  return K->of->ops->minimise(K->of, ((ofw_around *)work)->inner, d, out, err);
}

ofw_status ofw_around_visit(void *work, ofw_visitor *v);
void ofw_around_close(void *work);
double ofw_around_excess(const ofw_domain *K, const double *x);
ofw_status ofw_around_project(const ofw_domain *K, void *work, double *x, ofw_error *err);
ofw_status ofw_around_reserve(const ofw_domain *K, void *work, ofw_error *err);

/* The option that says around which set, for those that have no other. */
typedef struct ofw_around_options {
  char *of;
} ofw_around_options;
#define OFW_AROUND_ROW(at) OFW_TEXT_ROW(at, "of", "the set K, as (spec)")
extern const ofw_option ofw_around_table[];
