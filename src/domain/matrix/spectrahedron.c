/* spectrahedron.c — {X in R^(n x n) : X = X', no eigenvalue below 0, trace at most s}
 *
 * Oracle  s v v' with v the eigenvector of the least eigenvalue of (D + D')/2 if that is below 0, else 0; by Lanczos, as
 *         for the spectraplex. If the eigenvalue is so near 0 that its sign is not certain, the error says so.
 * Project a full decomposition of the symmetric part; every eigenvalue at least 0 and, if their sum is above s, less the
 *         same amount
 * R = s   r = s / (n + sqrt(n)) in its hull, 0 beyond n = 916 (spectra.h)   centre r I; play starts at 0
 */
#include "domain/matrix/spectra.h"

#include <math.h>

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  OFW_TRY(ofw_spectra_least(K, work, d, out, err));
  if (out->value >= 0.0) {
    out->atom = (ofw_sum){0, NULL};
    out->error = fmax(0.0, out->error - out->value);
    out->value = 0.0;
  }
  return OFW_OK;
}

static double beyond(const ofw_spectra *s, const double *w)
{
  return ofw_sum_excess(s->n, w, s->total, 1);
}

/* Without its negative numbers w is nearest, unless the sum is still too large. */
static int nearest(const ofw_spectra *s, const double *w, double *p, double *shift)
{
  *shift = -ofw_sum_nearest(s->n, w, s->total, 1, p);
  return *shift < 0.0 ? p[0] > 0.0 : w[0] >= 0.0;
}

static const ofw_spectrum spectrum = {"spectrahedron", beyond, nearest};
static const ofw_domain_ops ops = {
    ofw_spectra_open,    minimise, ofw_spectra_visit, ofw_work_close, ofw_spectra_excess, ofw_spectra_work_project,
    ofw_spectra_reserve, NULL};

/* t I is t away from matrices with an eigenvalue 0, and (s - n t)/sqrt(n) from those of trace s. */
static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_spectra_options *o = options;
  double n = (double)o->dim;
  K->R = o->trace;
  K->r = o->trace / (n + sqrt(n));
  return ofw_spectra_build(K, &ops, &spectrum, (size_t)o->dim, o->trace, K->r, 0, err);
}

const ofw_domain_kind ofw_spectrahedron_kind = {
    {.name = "spectrahedron",
     .summary = "symmetric matrices with no negative eigenvalue and at most a given trace; coordinates row by row",
     .example = "spectrahedron:dim=3,trace=2",
     .options = ofw_spectra_options_table},
    build};
