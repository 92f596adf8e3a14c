/* wrapper.h — wrappers that learners use: a set that counts, and a set that can be shrunk again */
#pragma once

#include "domain/set.h"

/* counted.c: the same set, whose workspace counts. A learner opens its domain through this. */
typedef struct ofw_counts {
  uint64_t calls, passes; /* of the oracle */
  uint64_t projections;
  double seconds; /* of the oracle, if the set is timed; no part of a state */
} ofw_counts;

ofw_domain *ofw_domain_create_counted(const ofw_domain *K, ofw_error *err);
ofw_counts ofw_counted_read(const void *work);
void ofw_counted_write(void *work, ofw_counts counts);

/* shrunk.c: what was made by ofw_domain_create_shrunk, at another factor; for who has it alone. Its spec and its radii stay
 * those of the factor that it was made with. */
void ofw_domain_reshrink(ofw_domain *K, double factor);
