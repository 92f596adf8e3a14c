/* capped.c — oracle and projection of the sets with caps, without sorting
 *
 * The oracle finds the last coordinate to be filled by selecting on 8 bits of d at a time: work proportional to n, no
 * matter how many d_i are equal.
 */
#include "domain/simplex/capped.h"

#include "base/sort.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BITS = 8, DIGITS = 1 << BITS, WIDTH = 64 };
/* An atom with more coordinates is dense: an engine looks at all of a sparse one for each 512 coordinates of its own. */
enum { MOST_SPARSE = 512 };

static double cap(const ofw_capped *c, size_t i)
{
  return c->caps ? c->caps[i] : 1.0;
}

/* ---- oracle ---- */

typedef struct capped_work {
  ofw_dense_atom dense; /* this or the next is empty */
  ofw_sparse_atom sparse;
  size_t *agree; /* room for all coordinates */
} capped_work;

static uint64_t place(const ofw_capped *c, double d)
{
  return ofw_sort_key(c->signs ? -fabs(d) : d);
}

/* What of `list` has this digit, in its order; NULL: of all n. */
static size_t narrow(const ofw_capped *c, const double *d, size_t n, const size_t *list, unsigned at, size_t digit,
                     size_t *out)
{
  size_t count = 0;
  for (size_t k = 0; k < n; k++) {
    size_t i = list ? list[k] : k;
    out[count] = i; /* written over by the next unless it counts */
    count += (place(c, d[i]) >> at) % DIGITS == digit;
  }
  return count;
}

/* The place of the last coordinate that is filled: digit by digit, the highest first, of those that agree so far. All
 * before it are full, and if several are at it, they share what is left. */
static uint64_t last_place(const ofw_capped *c, size_t n, const double *d, size_t *agree)
{
  uint64_t found = 0;
  double left = c->sum;
  const size_t *list = NULL;
  for (unsigned at = WIDTH - BITS;; at -= BITS) {
    double room[DIGITS] = {0};
    size_t digit = 0;
    for (size_t k = 0; k < n; k++) {
      size_t i = list ? list[k] : k;
      room[(place(c, d[i]) >> at) % DIGITS] += cap(c, i);
    }
    while (digit < DIGITS - 1 && room[digit] < left)
      left -= room[digit++];
    found = found << BITS | digit;
    if (at == 0)
      return found;
    if (room[digit] == left) /* all that agree are full */
      return found << at | (((uint64_t)1 << at) - 1);
    n = narrow(c, d, n, list, at, digit, agree);
    list = agree;
  }
}

static void put(capped_work *w, size_t i, double x)
{
  if (w->dense.value) {
    w->dense.value[i] = x;
    return;
  }
  w->sparse.index[w->sparse.count] = i;
  w->sparse.value[w->sparse.count++] = x;
}

/* Gives <d, v>. */
static double fill(const ofw_capped *c, size_t n, const double *d, capped_work *w)
{
  uint64_t last = last_place(c, n, d, w->agree);
  double left = c->sum, dot = 0.0;
  w->sparse.count = 0;
  if (w->dense.value)
    memset(w->dense.value, 0, n * sizeof *w->dense.value);
  for (size_t i = 0; i < n; i++)
    left -= place(c, d[i]) < last ? cap(c, i) : 0.0;
  for (size_t i = 0; i < n; i++) {
    uint64_t key = place(c, d[i]);
    double x = key < last ? cap(c, i) : key == last ? fmax(0.0, fmin(cap(c, i), left)) : 0.0;
    left -= key == last ? x : 0.0;
    if (x == 0.0 || (c->at_most && !(c->signs ? d[i] != 0.0 : d[i] < 0.0)))
      continue;
    x = c->signs ? -copysign(x, d[i]) : x;
    dot += d[i] * x;
    put(w, i, c->unit * x);
  }
  return c->unit * dot;
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  capped_work *w = work;
  double dot = fill(K->data, d->dim, d->dense, w);
  *out = w->dense.value ? ofw_dense_atom_answer(&w->dense, dot) : ofw_sparse_atom_answer(&w->sparse, dot);
  return OFW_OK;
}

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  const ofw_capped *c = K->data;
  size_t most = c->caps ? K->dim : (size_t)c->sum;
  if (most > MOST_SPARSE)
    OFW_TRY(ofw_dense_work_open(K, sizeof(capped_work), work, err));
  else
    OFW_TRY(ofw_work_open(sizeof(capped_work), work, err));
  capped_work *w = *work;
  w->agree = ofw_owned_array(&w->dense.own, K->dim, sizeof *w->agree);
  OFW_TRY(ofw_owned_check(&w->dense.own, err));
  return most > MOST_SPARSE ? OFW_OK : ofw_sparse_atom_make(&w->dense.own, most, &w->sparse, err);
}

/* ---- inside and outside ---- */

static double size(const ofw_capped *c, double x)
{
  return c->signs ? fabs(x) : x;
}

/* By how much a coordinate leaves its bounds, at most; *total is the sum. */
static double off_bounds(const ofw_domain *K, const double *x, double *total)
{
  const ofw_capped *c = K->data;
  double off = 0.0;
  *total = 0.0;
  for (size_t i = 0; i < K->dim; i++) {
    double s = size(c, x[i]);
    *total += s;
    off = fmax(off, fmax(-s, s - c->unit * cap(c, i)));
  }
  return off;
}

/* The largest distance from what a bound, or the sum, allows. */
static double excess(const ofw_domain *K, const double *x)
{
  const ofw_capped *c = K->data;
  double total, off = off_bounds(K, x, &total), over = (total - c->unit * c->sum) / sqrt((double)K->dim);
  return fmax(off, c->at_most ? over : fabs(over));
}

/* ---- projection ---- */

static double clip(double x, double high)
{
  return x < 0.0 ? 0.0 : x > high ? high : x;
}

/* The sum of all clip(y_i - t, 0, u_i), and how many y_i are between low and t, and between t and high. */
static double filled_at(const ofw_capped *c, size_t n, const double *y, double t, double low, double high,
                        size_t between[2])
{
  double total = 0.0;
  between[0] = between[1] = 0;
  for (size_t i = 0; i < n; i++) {
    double s = size(c, y[i]);
    total += clip(s - t, c->unit * cap(c, i));
    between[0] += s > low && s < t;
    between[1] += s > t && s < high;
  }
  return total;
}

/* A number not below the threshold such that no y_i is between the two. */
static double above_threshold(const ofw_capped *c, size_t n, const double *y)
{
  double low = INFINITY, high = -INFINITY, sum = c->unit * c->sum;
  size_t between[2];
  for (size_t i = 0; i < n; i++) {
    low = fmin(low, size(c, y[i]));
    high = fmax(high, size(c, y[i]));
  }
  if (filled_at(c, n, y, low, low, high, between) <= sum)
    return low;
  uint64_t a = ofw_sort_key(low), b = ofw_sort_key(high);
  for (size_t inside = 1; inside > 0 && b - a > 1;) {
    uint64_t half = a + (b - a) / 2;
    double t = ofw_sort_number(half);
    int enough = filled_at(c, n, y, t, low, high, between) <= sum;
    inside = between[!enough];
    *(enough ? &b : &a) = half;
    *(enough ? &high : &low) = t;
  }
  return high;
}

/* The threshold is top + t. Of the y_i from top on none has yet been emptied, so what they hold is concave in t and
 * Newton's steps from 0 down never go too far: each pass caps some more, until none. */
static double below_top(const ofw_capped *c, size_t n, const double *y, double top)
{
  double t = 0.0;
  for (size_t loose = 0, before = SIZE_MAX;; before = loose) {
    double held = 0.0;
    loose = 0;
    for (size_t i = 0; i < n; i++) {
      double z = size(c, y[i]) - top, u = c->unit * cap(c, i);
      int full = z - t >= u;
      held += z < 0.0 ? 0.0 : full ? u : z;
      loose += z >= 0.0 && !full;
    }
    if (loose == 0 || loose >= before)
      return t;
    t = (held - c->unit * c->sum) / (double)loose;
  }
}

static void clip_all(const ofw_capped *c, size_t n, double top, double t, double *x)
{
  for (size_t i = 0; i < n; i++) {
    double s = clip((size(c, x[i]) - top) - t, c->unit * cap(c, i));
    x[i] = c->signs ? copysign(s, x[i]) : s;
  }
}

/* Inside is what a sum of n numbers cannot tell from it; if the sum may be less, that of what the bounds leave may
 * do. */
static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  (void)work, (void)err;
  const ofw_capped *c = K->data;
  double total, off = off_bounds(K, x, &total), sum = c->unit * c->sum;
  size_t between[2];
  if (off == 0.0 && (c->at_most ? total <= sum : fabs(total - sum) <= (double)K->dim * (DBL_EPSILON / 2) * sum))
    return OFW_OK;
  if (c->at_most && filled_at(c, K->dim, x, 0.0, 0.0, 0.0, between) <= sum) {
    clip_all(c, K->dim, 0.0, 0.0, x);
    return OFW_OK;
  }
  double top = above_threshold(c, K->dim, x);
  clip_all(c, K->dim, top, below_top(c, K->dim, x, top), x);
  return OFW_OK;
}

static const ofw_domain_ops ops = {
    .open = open, .minimise = minimise, .close = ofw_work_close, .excess = excess, .project = project};

/* ---- building ---- */

ofw_status ofw_capped_build(ofw_domain *K, size_t dim, ofw_capped c, ofw_error *err)
{
  OFW_TRY(ofw_domain_set_vector(K, &ops, dim, &c, sizeof c, err));
  return c.at_most ? OFW_OK : ofw_domain_set_sum_hull(K, err);
}

const ofw_option ofw_capped_table[] = {
    OFW_COUNT_ROW(offsetof(ofw_capped_options, dim), "dim", NULL, NULL, 1, OFW_MOST_DIM, "dimension n"),
    OFW_COUNT_ROW(offsetof(ofw_capped_options, k), "k", NULL, NULL, 1, OFW_MOST_DIM, "k, from 1 to n"),
    OFW_RADIUS_ROW(offsetof(ofw_capped_options, radius), "radius", "radius a"),
    {0},
};

ofw_status ofw_capped_check(const char *owner, const ofw_capped_options *o, ofw_error *err)
{
  if (o->k > o->dim)
    return ofw_fail(err, OFW_USAGE, "%s: k=%llu is more than dim=%llu", owner, (unsigned long long)o->k,
                    (unsigned long long)o->dim);
  return OFW_OK;
}
