/* domain.h — a convex set K, immutable and shared, with its linear minimisation oracle
 *
 * You make a domain from a spec such as "l1-ball:dim=9,radius=3" or from your own functions. It is reference-counted: a
 * learner keeps its own reference, so you may free a domain as soon as the learner is made. Everything that an oracle
 * changes (a start vector, counters) is in a workspace of the learner, never in the domain, so threads may share a domain.
 */
#ifndef OFW_DOMAIN_H
#define OFW_DOMAIN_H

#include <ofw/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle on a set. */
typedef struct ofw_domain ofw_domain;

/* Your own set. Only minimise, a dimension and a radius are required. */
typedef struct ofw_domain_callbacks {
  size_t size;          /* sizeof(ofw_domain_callbacks) */
  size_t dim;           /* number of coordinates */
  double R;             /* K lies in the ball of this radius around the origin; the smallest is best */
  double r;             /* K contains a ball of this radius around its centre, in its affine hull; 0: not known */
  const double *centre; /* dim numbers, copied; NULL: the origin */
  /* Writes to v a point of K that minimises <d, v>; returns 0, or else it failed. If several learners share the domain,
   * several threads may call it at once. */
  int (*minimise)(void *ctx, const double *d, double *v);
  double (*excess)(void *ctx, const double *x); /* 0 inside K, else the distance; NULL: not known */
  void *ctx;                                    /* passed to both */
} ofw_domain_callbacks;

/* Makes the set that a spec describes. Returns NULL on failure; err says why. */
OFW_API ofw_domain *ofw_domain_create(const char *spec, ofw_error *err);
/* The same from your functions. `own` is copied, the memory behind its ctx is not. */
OFW_API ofw_domain *ofw_domain_create_own(const ofw_domain_callbacks *own, ofw_error *err);
/* Gives up this reference; NULL is accepted. */
OFW_API void ofw_domain_free(ofw_domain *K);

/* The number of coordinates of a point of K. */
OFW_API size_t ofw_domain_dim(const ofw_domain *K);
/* K lies in the ball of radius `outer` around the origin, and contains the ball of radius `inner` around its centre, in its
 * affine hull; 0: not known. The centre has ofw_domain_dim numbers. Each of the three may be NULL. */
OFW_API void ofw_domain_balls(const ofw_domain *K, double *outer, double *inner, double *centre);

/* How far x is outside K, in the set's own measure (the excess of a norm or of a bound); 0 inside, negative: not
 * known. */
OFW_API double ofw_domain_excess(const ofw_domain *K, const double *x);

/* v = argmin over K of <d, v>, with the relative accuracy `tolerance` if the oracle is iterative; for users of the oracles
 * alone. `error`, if not NULL, is how far <d, v> may be above the minimum (0: exact). Every call opens a workspace. */
OFW_API ofw_status ofw_domain_minimise(const ofw_domain *K, const double *d, double tolerance, double *v, double *error,
                                       ofw_error *err);

/* x = the point of K nearest to y, which is y itself if y is in K; x may be y. OFW_UNSUPPORTED: the set has no projection,
 * for instance your own set. Every call opens a workspace. */
OFW_API ofw_status ofw_domain_project(const ofw_domain *K, const double *y, double *x, ofw_error *err);

/* The i-th registered set: all sets in alphabetical order, then those that are made of others; NULL after the last. */
OFW_API const ofw_type *ofw_domain_type(size_t i);

#ifdef __cplusplus
}
#endif
#endif
