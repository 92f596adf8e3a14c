/* spectra.h — shared by the sets of symmetric matrices: {X = X', conditions on its eigenvalues}, n^2 coordinates
 *
 * d need not be symmetric: only its symmetric part counts. The hull's normals are (E_ij - E_ji)/sqrt(2) for i < j, and
 * I/sqrt(n) if the trace is fixed: n(n-1)/2 or one more. If they would be more than OFW_MOST_NORMAL_NUMBERS stored
 * numbers (n > 916) they are left out and r is 0: bandit learners are refused there.
 */
#pragma once

#include "domain/set.h"
#include "linalg/lanczos.h"
#include "linalg/symmetric.h"

#define OFW_MOST_NORMAL_NUMBERS 4194304.0

/* The data of such a set. */
typedef struct ofw_spectra {
  const struct ofw_spectrum *of;
  size_t n;
  double total; /* the trace, or the most that it may be */
} ofw_spectra;

/* Conditions on the n eigenvalues w, ascending; they do not mind the order of what they are asked about. */
typedef struct ofw_spectrum {
  const char *name;                                        /* of the set */
  double (*beyond)(const ofw_spectra *s, const double *w); /* how far w is from meeting them; 0: it does */
  /* p meets them and is nearest to w. 1: p_l = w_l + shift for all l, so that no eigenvector is needed */
  int (*nearest)(const ofw_spectra *s, const double *w, double *p, double *shift);
} ofw_spectrum;

/* Everything but R, r and the rest that is the set's own: the shape, the centre `diagonal` I, the normals. r becomes 0 if
 * there are too many of them. */
ofw_status ofw_spectra_build(ofw_domain *K, const ofw_domain_ops *ops, const ofw_spectrum *of, size_t n, double total,
                             double diagonal, int fixed_trace, ofw_error *err);

/* The options of those whose size is a trace. */
typedef struct ofw_spectra_options {
  uint64_t dim;
  double trace;
} ofw_spectra_options;
extern const ofw_option ofw_spectra_options_table[];

/* How far out x is, by its asymmetry and its eigenvalues; by a full decomposition. */
double ofw_spectra_excess(const ofw_domain *K, const double *x);
/* What is outside by no more than a decomposition's rounding stays as it is. */
ofw_status ofw_spectra_project(const ofw_domain *K, ofw_eigen *room, double *x, ofw_error *err);

/* The workspace of an oracle that asks for the least eigenpair of d's symmetric part, with room for projections. */
typedef struct ofw_spectra_work {
  ofw_owned own;
  ofw_symmetric direction;
  ofw_lanczos *lanczos;
  uint64_t seed, calls; /* which start vector is next */
  double *v;            /* sqrt(total) times the eigenvector, so that the atom v v' is symmetric bit for bit */
  ofw_vec atom;
  ofw_eigen eigen; /* empty if nothing is projected */
} ofw_spectra_work;

ofw_status ofw_spectra_open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err);
ofw_status ofw_spectra_visit(void *work, ofw_visitor *v);
ofw_status ofw_spectra_reserve(const ofw_domain *K, void *work, ofw_error *err);
ofw_status ofw_spectra_work_project(const ofw_domain *K, void *work, double *x, ofw_error *err);
/* The answer total v v', whatever its value's sign; with total e_1 e_1' if the symmetric part is 0. */
ofw_status ofw_spectra_least(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err);
