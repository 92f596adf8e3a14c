/* spectraplex.c — {X in R^(n x n) : X = X', no eigenvalue below 0, trace s}
 *
 * Oracle  s v v' with v the eigenvector of the least eigenvalue of (D + D')/2, by Lanczos (linalg/lanczos.h) from a seeded
 *         random start at each call. The answer's error is a bound if `proven`; otherwise it holds with probability
 *         1 - 1e-3 per call. Ties: what the start leads to.
 * Project a full decomposition of the symmetric part; every eigenvalue less the same amount, at least 0
 * R = s   r = s / sqrt(n (n-1)) in its hull, 0 beyond n = 916 (spectra.h)   centre (s/n) I
 */
#include "domain/matrix/spectra.h"

#include <math.h>

/* Eigenvalues are those of a point of a simplex. */
static double beyond(const ofw_spectra *s, const double *w)
{
  return ofw_sum_excess(s->n, w, s->total, 0);
}

static int nearest(const ofw_spectra *s, const double *w, double *p, double *shift)
{
  *shift = -ofw_sum_nearest(s->n, w, s->total, 0, p);
  return p[0] > 0.0;
}

static const ofw_spectrum spectrum = {"spectraplex", beyond, nearest};
static const ofw_domain_ops ops = {ofw_spectra_open,   ofw_spectra_least,        ofw_spectra_visit,   ofw_work_close,
                                   ofw_spectra_excess, ofw_spectra_work_project, ofw_spectra_reserve, NULL};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_spectra_options *o = options;
  double n = (double)o->dim;
  K->R = o->trace;
  K->r = o->dim > 1 ? o->trace / sqrt(n * (n - 1.0)) : 0.0;
  K->from_centre = 1;
  return ofw_spectra_build(K, &ops, &spectrum, (size_t)o->dim, o->trace, o->trace / n, 1, err);
}

const ofw_domain_kind ofw_spectraplex_kind = {
    {.name = "spectraplex",
     .summary = "symmetric matrices with no negative eigenvalue and a given trace; coordinates row by row",
     .example = "spectraplex:dim=3,trace=2",
     .options = ofw_spectra_options_table},
    build};
