/* fuzz_polytope.c — polytopes as text and as MPS: what is accepted has rows in order; small ones are made, and minimised over
 *
 * Input: the file.
 */
#include "fuzz.h"

#include "domain/polytope/constraints.h"

#include <math.h>

enum { MOST_COLUMNS = 6, MOST_ROWS = 8 };
static const double LEAST_RADIUS =
    1e-6; /* an implied box takes a point this near to the origin for rounding: docs/domains.md */

static int is_bound(double x)
{
  double size = fabs(x);
  return size == OFW_NO_BOUND || size == 0.0 || isfinite(x);
}

static void must_hold(const ofw_constraints *c)
{
  MUST(c->dim >= 1 && c->dim <= OFW_MOST_POLYTOPE_DIM && c->rows <= OFW_MOST_POLYTOPE_ROWS);
  MUST(c->terms == (c->rows ? c->end[c->rows - 1] : 0));
  for (size_t j = 0; j < c->dim; j++)
    MUST(c->low[j] <= c->high[j] && is_bound(c->low[j]) && is_bound(c->high[j]));
  for (size_t i = 0, k = 0; i < c->rows; i++) {
    MUST(c->end[i] >= k + 2 && c->row_low[i] <= c->row_high[i] && is_bound(c->row_low[i]) && is_bound(c->row_high[i]));
    for (size_t first = k; k < c->end[i]; k++) {
      double size = fabs(c->term[k].value);
      MUST(c->term[k].index < c->dim && (k == first || c->term[k].index > c->term[k - 1].index));
      MUST(size >= OFW_LEAST_COEFFICIENT && size <= OFW_LARGEST_COEFFICIENT);
    }
  }
}

static double along(size_t n, const double *d, const double *x)
{
  double sum = 0.0;
  for (size_t j = 0; j < n; j++)
    sum += d[j] * x[j];
  return sum;
}

/* Nothing that is known of K is better than the vertex that is found. */
static void minimise(const ofw_domain *K)
{
  double d[MOST_COLUMNS], v[MOST_COLUMNS], centre[MOST_COLUMNS], error, R = K->R;
  size_t n = ofw_domain_dim(K);
  MUST(R > 0.0 && isfinite(R) && K->r >= 0.0 && K->r <= R * (1.0 + 1e-9));
  ofw_domain_centre(K, centre);
  MUST(ofw_domain_excess(K, centre) <= 1e-10 * R);
  for (int k = 0; k < 4; k++) {
    ofw_error err = {0};
    for (size_t j = 0; j < n; j++)
      d[j] = k == 0 ? 0.0 : sin((double)(7 * k) + 1.7 * (double)j);
    ofw_status st = ofw_domain_minimise(K, d, 1e-6, v, &error, &err);
    if (st != OFW_OK) {
      must_explain(st, err.message);
      continue;
    }
    MUST(error >= 0.0 && ofw_domain_excess(K, v) <= 1e-10 * R);
    MUST(along(n, d, v) <= along(n, d, centre) + error + 1e-10 * R);
  }
}

/* With the smallest box around it and with the one that the constraints imply, which is no smaller. */
static void make(const char *spec)
{
  char implied[96];
  snprintf(implied, sizeof implied, "%s,box=implied", spec);
  ofw_error err = {0}, why = {0};
  ofw_domain *K = ofw_domain_create(spec, &err), *other = ofw_domain_create(implied, &why);
  if (K)
    minimise(K);
  else
    must_explain(err.status, err.message);
  if (other && other->R > LEAST_RADIUS)
    minimise(other);
  else if (other)
    MUST(isfinite(other->R));
  else
    must_explain(why.status, why.message);
  MUST(!K || !other || K->R <= other->R * (1.0 + 1e-9));
  ofw_domain_free(K);
  ofw_domain_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_file file = fuzz_keep(data, size);
  char spec[64];
  snprintf(spec, sizeof spec, "polytope:rows=@%s", file.path);
  uint32_t content = 0;
  ofw_constraints c;
  ofw_error err = {0};
  ofw_status st = ofw_constraints_read("polytope", strchr(spec, '@'), &content, &c, &err);
  if (st == OFW_OK)
    must_hold(&c);
  else
    must_explain(st, err.message);
  int small = c.dim <= MOST_COLUMNS && c.rows <= MOST_ROWS;
  ofw_constraints_free(&c);
  if (st == OFW_OK && small)
    make(spec);
  fuzz_drop(file);
  return 0;
}
