/* domain.h — a convex set K, immutable and shared, known by its linear minimisation oracle
 *
 * A domain is made from a spec such as "l1-ball:dim=9,radius=3" or from a caller's own functions. It is counted by
 * reference: a learner keeps its own, so a domain may be freed as soon as the learner is made. What an oracle changes
 * while it works (a start vector, counters) is in a workspace that belongs to the learner, never in the domain, so
 * threads may share one.
 */
#ifndef OFW_DOMAIN_H
#define OFW_DOMAIN_H

#include <ofw/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle on a set. */
typedef struct ofw_domain ofw_domain;

/* A set of the caller's own. minimise is all it must bring, next to a dimension and a radius. */
typedef struct ofw_domain_callbacks {
  size_t size;          /* sizeof(ofw_domain_callbacks) */
  size_t dim;           /* how many coordinates */
  double R;             /* K lies in the ball of this radius about the origin; the smallest such is best */
  double r;             /* K holds a ball of this radius about its centre, inside its affine hull; 0: not known */
  const double *centre; /* dim numbers, copied; NULL: the origin */
  /* Writes to v a point of K that minimises <d, v>; not 0: it failed. Several threads may call it at once where several
   * learners share the domain. */
  int (*minimise)(void *ctx, const double *d, double *v);
  double (*excess)(void *ctx, const double *x); /* 0 inside K, else how far out; NULL: not known */
  void *ctx;                                    /* handed to both */
} ofw_domain_callbacks;

/* The set that a spec describes. NULL where it cannot be made; err says why. */
OFW_API ofw_domain *ofw_domain_create(const char *spec, ofw_error *err);
/* The same from the caller's functions. `own` is copied, what its ctx points to is not. */
OFW_API ofw_domain *ofw_domain_create_own(const ofw_domain_callbacks *own, ofw_error *err);
/* Gives up this reference; NULL is accepted. */
OFW_API void ofw_domain_free(ofw_domain *K);

/* How many coordinates a point of K has. */
OFW_API size_t ofw_domain_dim(const ofw_domain *K);
/* K lies in the ball of radius `outer` about the origin. It holds the ball of radius `inner` about its centre, inside its
 * affine hull; 0: not known. The centre is ofw_domain_dim numbers. Each of the three may be NULL. */
OFW_API void ofw_domain_balls(const ofw_domain *K, double *outer, double *inner, double *centre);

/* How far x is outside K, in the set's own measure (a norm's surplus, a bound's overshoot); 0 inside, negative: not
 * known. */
OFW_API double ofw_domain_excess(const ofw_domain *K, const double *x);

/* v = argmin over K of <d, v>, to the relative accuracy `tolerance` where the oracle is iterative; for users of the
 * oracles alone. `error`, if not NULL, is what <d, v> may be above the minimum (0: exact). Opens a workspace at each
 * call. */
OFW_API ofw_status ofw_domain_minimise(const ofw_domain *K, const double *d, double tolerance, double *v, double *error,
                                       ofw_error *err);

/* x = the point of K nearest to y, and y itself where that is in K; x may be y. OFW_UNSUPPORTED where the set has no
 * projection, as a caller's own. Opens a workspace at each call. */
OFW_API ofw_status ofw_domain_project(const ofw_domain *K, const double *y, double *x, ofw_error *err);

/* The i-th registered set: all sets in alphabetical order, then those that are made of others; NULL beyond the last. */
OFW_API const ofw_type *ofw_domain_type(size_t i);

#ifdef __cplusplus
}
#endif
#endif
