/* domain.h — a convex set K, immutable and shared, with its linear minimisation oracle
 *
 * You make a domain from a spec such as "l1-ball:dim=9,radius=3" or from your own functions. It is reference-counted: a
 * learner keeps its own reference, so you may free a domain as soon as the learner is made. Everything that an oracle
 * changes (a start vector, counters) is in a workspace of the learner, never in the domain, so threads may share a domain.
 */
#ifndef OFW_DOMAIN_H
#define OFW_DOMAIN_H

#include <ofw/option.h>
#include <ofw/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle on a set. */
typedef struct ofw_domain ofw_domain;

/* Your own set. Only minimise or minimise_sparse, a dimension and a radius are required. ofw_domain_check tests whether they
 * fit together. */
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
  void *ctx;                                    /* passed to all */
  /* Like minimise, for points with few coordinates that are not 0: writes their number, their distinct indices and their
   * values; there is room for dim of each. If both functions are set, this one is called. */
  int (*minimise_sparse)(void *ctx, const double *d, size_t *count, size_t *index, double *value);
  /* Writes to x the point of K nearest to y, which is y itself if y is in K; y has any finite numbers. Returns 0, or else it
   * failed. NULL: the set has no projection, and learners that project refuse it. */
  int (*project)(void *ctx, const double *y, double *x);
  void (*close)(void *ctx); /* called once, when the last reference to the set is freed; may be NULL */
} ofw_domain_callbacks;

/* Makes such sets by name and options, for plugin.h. Texts, options and the memory behind ctx belong to the caller. */
typedef struct ofw_domain_factory {
  size_t size;               /* sizeof(ofw_domain_factory) */
  const char *name;          /* small letters, digits and '-', beginning with a letter; not a name of the library */
  const char *summary;       /* one line; NULL: none */
  const char *source;        /* its publication; NULL: none */
  const char *example;       /* a small spec that works; NULL: the name alone works */
  const ofw_option *options; /* ends with {0}; NULL: none */
  /* Fills in *out, whose size is set, for these values of the options. out->close frees the memory behind out->ctx. If it
   * fails, it sets err->message. */
  ofw_status (*make)(void *ctx, const void *options, ofw_domain_callbacks *out, ofw_error *err);
  void *ctx; /* for make */
} ofw_domain_factory;

/* Makes the set that a spec describes. Returns NULL on failure; err says why. */
OFW_API ofw_domain *ofw_domain_create(const char *spec, ofw_error *err);
/* The same from your functions. `own` is copied, the memory behind its ctx is not. If it is refused, close is not called. */
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

/* x = the point of K nearest to y, which is y itself if y is in K; x may be y. OFW_UNSUPPORTED: the set has no projection.
 * Every call opens a workspace. */
OFW_API ofw_status ofw_domain_project(const ofw_domain *K, const double *y, double *x, ofw_error *err);

/* What ofw_domain_check found. */
typedef struct ofw_domain_report {
  size_t size;        /* sizeof(ofw_domain_report), set by the caller */
  size_t directions;  /* that the oracle was asked for */
  const char *failed; /* the name of the first check that failed, as below; NULL: none did */
  size_t at;          /* the direction for which it failed, from 1 */
  double found;       /* the number that was found */
  double bound;       /* the bound that it exceeds */
} ofw_domain_report;

/* Tests a set as the library's own sets are tested. It calls the oracle with random directions of all sizes, with zeros and
 * ties, and compares the answers with each other and with the set's own radii, centre, excess and projection.
 *
 *     answer       the oracle failed, or returned a number that is not finite
 *     radius       an answer is outside the ball of radius R about the origin
 *     feasible     an answer or the centre is outside the set, by its own excess
 *     minimal      another answer, or the centre, has a smaller <d, v>
 *     scale        d and 2^k d have answers with different <d, v>
 *     inner ball   the ball of radius r about the centre is not in the set; your own set counts as full-dimensional
 *     project      a projection is not in the set, moves a point of the set, or is not the nearest point
 *     zero         the answer for d = 0 is not in the set. Learners never ask for it, but products of sets do
 *
 * Equal seeds try the same directions. OFW_OK: every check passed. OFW_BAD_DATA: a check failed; err says which in one line,
 * *report (may be NULL) in numbers. */
OFW_API ofw_status ofw_domain_check(const ofw_domain *K, uint64_t seed, ofw_domain_report *report, ofw_error *err);

/* The i-th registered set: all sets in alphabetical order, then those that are made of others; NULL after the last. */
OFW_API const ofw_type *ofw_domain_type(size_t i);

#ifdef __cplusplus
}
#endif
#endif
