/* paired.c — the sign-flip test, exact by Gray code or sampled, and Holm's correction */
#include "lab/paired.h"

#include "base/basics.h"
#include "linalg/rng.h"

#include <math.h>
#include <stdlib.h>

/* What rounding may take from a sum: the one seen must count as at least as far from 0 as itself. */
#define SLACK 1e-9

/* Gray code: from one choice to the next a single sign turns. The last sign stays, by symmetry. */
static double exact_share(size_t n, const double *d, double far)
{
  double sum = 0.0;
  size_t all = (size_t)1 << (n - 1), count = 0;
  for (size_t k = 0; k < n; k++)
    sum += d[k];
  for (size_t i = 1;; i++) {
    count += fabs(sum) >= far;
    if (i == all)
      return (double)count / (double)all;
    size_t turned = (size_t)__builtin_ctzll(i), gray = i ^ (i >> 1);
    sum += gray >> turned & 1 ? -2.0 * d[turned] : 2.0 * d[turned];
  }
}

static double sampled_share(size_t n, const double *d, double far, uint64_t seed)
{
  size_t count = 1; /* the one seen */
  for (uint64_t i = 0; i < OFW_PAIRED_RESAMPLES; i++) {
    ofw_rng_key key = {seed, OFW_RNG_FLIP, i};
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
      sum += ofw_rng_unit(key, k) < 0.5 ? d[k] : -d[k];
    count += fabs(sum) >= far;
  }
  return (double)count / (1.0 + OFW_PAIRED_RESAMPLES);
}

ofw_status ofw_paired_of(size_t n, const double *a, const double *b, uint64_t seed, ofw_paired *out)
{
  double sum = 0.0, size = 0.0, square = 0.0, *d = ofw_doubles(n);
  *out = (ofw_paired){.mean = NAN, .deviation = NAN, .effect = NAN, .p = 1.0};
  if (!d)
    return OFW_FAILED;
  for (size_t k = 0; k < n; k++)
    if (!isnan(a[k] - b[k])) {
      d[out->n++] = a[k] - b[k];
      sum += a[k] - b[k];
      size += fabs(a[k] - b[k]);
    }
  if (out->n > 0) {
    double far = fabs(sum) - SLACK * size;
    out->mean = sum / (double)out->n;
    out->p = out->n <= OFW_PAIRED_EXACT ? exact_share(out->n, d, far) : sampled_share(out->n, d, far, seed);
  }
  for (size_t k = 0; k < out->n; k++)
    square += (d[k] - out->mean) * (d[k] - out->mean);
  if (out->n > 1) {
    out->deviation = sqrt(square / ((double)out->n - 1.0));
    out->effect = out->mean == 0.0 ? 0.0 : out->mean / out->deviation;
  }
  free(d);
  return OFW_OK;
}

double ofw_paired_least(size_t n)
{
  return n == 0 ? 1.0 : n <= OFW_PAIRED_EXACT ? ldexp(1.0, 1 - (int)n) : 1.0 / (1.0 + OFW_PAIRED_RESAMPLES);
}

/* Beyond OFW_PAIRED_EXACT the least p is that of the sample, which is larger: more games are no help. */
size_t ofw_paired_games(size_t tests)
{
  for (size_t n = 1; n <= OFW_PAIRED_EXACT; n++)
    if ((double)tests * ofw_paired_least(n) < OFW_PAIRED_LEVEL)
      return n;
  return 0;
}

typedef struct ranked {
  double p;
  size_t at;
} ranked;

static int by_p(const void *a, const void *b)
{
  const ranked *x = a, *y = b;
  return (x->p > y->p) - (x->p < y->p);
}

ofw_status ofw_holm(size_t n, double *p)
{
  ranked *sorted = ofw_array(n, sizeof *sorted);
  double least = 0.0;
  if (!sorted)
    return OFW_FAILED;
  for (size_t i = 0; i < n; i++)
    sorted[i] = (ranked){p[i], i};
  qsort(sorted, n, sizeof *sorted, by_p);
  for (size_t i = 0; i < n; i++) {
    least = fmax(least, fmin(1.0, (double)(n - i) * sorted[i].p));
    p[sorted[i].at] = least;
  }
  free(sorted);
  return OFW_OK;
}
