/* describe.c — counts per user and item, values and their frequencies, and the leading singular values
 *
 * Those come one top pair after the other: what has been found is taken off, A - sum_k sigma_k u_k v_k'.
 */
#include "lab/data/describe.h"

#include "base/owned.h"
#include "lab/quantile.h"
#include "linalg/kernels.h"
#include "linalg/lanczos.h"
#include "linalg/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the `n` whose numbers are cell / over % n. */
static ofw_status count(const ofw_ratings *r, size_t over, size_t n, data_counts *out, ofw_error *err)
{
  double *counts = ofw_doubles(n);
  if (!counts)
    return ofw_fail_memory(err, n * sizeof *counts);
  for (size_t k = 0; k < r->count; k++)
    counts[r->cell[k] / over % n] += 1.0;
  qsort(counts, n, sizeof *counts, ofw_ascending);
  out->least = (size_t)counts[0];
  out->most = (size_t)counts[n - 1];
  for (int q = 0; q < 3; q++)
    out->quartile[q] = ofw_quantile(counts, n, 0.25 * (q + 1));
  free(counts);
  return OFW_OK;
}

/* Where x is, or would be, among the values found so far, which increase. */
static size_t place_of(const data_description *d, double x)
{
  size_t at = 0;
  while (at < d->values && d->value[at] < x)
    at++;
  return at;
}

/* 0: there is no room for another value. */
static int list_value(data_description *d, double x)
{
  size_t at = place_of(d, x);
  if (at == d->values || d->value[at] != x) {
    if (d->values == DATA_MOST_VALUES)
      return 0;
    memmove(d->value + at + 1, d->value + at, (d->values - at) * sizeof *d->value);
    memmove(d->of_value + at + 1, d->of_value + at, (d->values - at) * sizeof *d->of_value);
    d->value[at] = x;
    d->of_value[at] = 0;
    d->values++;
  }
  d->of_value[at]++;
  return 1;
}

static void describe_values(const ofw_ratings *r, data_description *out)
{
  double sum = 0.0, square = 0.0;
  int few = 1;
  out->lowest = out->highest = r->value[0];
  for (size_t k = 0; k < r->count; k++) {
    sum += r->value[k];
    out->lowest = fmin(out->lowest, r->value[k]);
    out->highest = fmax(out->highest, r->value[k]);
    few = few && list_value(out, r->value[k]);
  }
  out->values = few ? out->values : 0;
  out->mean = sum / (double)r->count;
  for (size_t k = 0; k < r->count; k++)
    square += (r->value[k] - out->mean) * (r->value[k] - out->mean);
  out->deviation = sqrt(square / (double)r->count);
}

/* ---- singular values ---- */

typedef struct rest {
  const ofw_ratings *r;
  double less;
  size_t found;
  double *sigma, *u, *v; /* those found; the vectors one after the other */
  double *share;         /* sigma <v_k, v> of each, in a pass over v */
} rest;

/* u_i = (A v)_i for the user i, whose ratings are `from` to before the one returned, and w += u_i A_i'. */
static size_t pass_user(const rest *a, size_t i, size_t from, const double *v, double *u, double *w)
{
  const ofw_ratings *r = a->r;
  const size_t first = i * r->items;
  size_t k = from;
  for (; k < r->count && r->cell[k] - first < r->items; k++)
    u[i] += (r->value[k] - a->less) * v[r->cell[k] - first];
  for (size_t f = 0; f < a->found; f++)
    u[i] -= a->share[f] * a->u[f * r->users + i];
  for (size_t h = from; h < k; h++)
    w[r->cell[h] - first] += (r->value[h] - a->less) * u[i];
  return k;
}

static void pass(const void *ctx, const double *v, double *u, double *w)
{
  const rest *a = ctx;
  size_t m = a->r->users, n = a->r->items, at = 0;
  memset(u, 0, m * sizeof *u);
  memset(w, 0, n * sizeof *w);
  for (size_t f = 0; f < a->found; f++)
    a->share[f] = a->sigma[f] * ofw_dot(n, v, a->v + f * n);
  for (size_t i = 0; i < m; i++)
    at = pass_user(a, i, at, v, u, w);
  for (size_t f = 0; f < a->found; f++) {
    double share = a->sigma[f] * ofw_dot(m, u, a->u + f * m);
    for (size_t j = 0; j < n; j++)
      w[j] -= share * a->v[f * n + j];
  }
}

/* Whether what is left is more than rounding; `square` is its squared Frobenius norm. */
static ofw_status find(rest *a, ofw_lanczos *l, size_t most, ofw_error *err)
{
  const ofw_ratings *r = a->r;
  double whole = 0.0, square;
  for (size_t k = 0; k < r->count; k++)
    whole += (r->value[k] - a->less) * (r->value[k] - a->less);
  square = whole;
  while (a->found < most && square > 1e-9 * whole) {
    ofw_singular top;
    ofw_rng_key start = {1, OFW_RNG_ORACLE, a->found};
    OFW_TRY(ofw_lanczos_top(l, pass, a, square, start, 1e-5, INFINITY, &top, err));
    memcpy(a->u + a->found * r->users, top.u, r->users * sizeof *a->u);
    memcpy(a->v + a->found * r->items, top.v, r->items * sizeof *a->v);
    a->sigma[a->found++] = top.value;
    square -= top.value * top.value;
  }
  return OFW_OK;
}

ofw_status data_spectrum(const ofw_ratings *r, double less, size_t most, double *out, size_t *found, ofw_error *err)
{
  rest a = {.r = r, .less = less, .sigma = out};
  ofw_lanczos *l = NULL;
  ofw_owned own = {0};
  most = most < r->users ? most : r->users;
  most = most < r->items ? most : r->items;
  a.u = ofw_owned_doubles(&own, most * r->users);
  a.v = ofw_owned_doubles(&own, most * r->items);
  a.share = ofw_owned_doubles(&own, most);
  ofw_status st = ofw_lanczos_open(&own, r->users, r->items, NULL, &l, err);
  if (st == OFW_OK)
    st = find(&a, l, most, err);
  *found = a.found;
  ofw_owned_free(&own);
  return st;
}

/* ---- all of it ---- */

ofw_status data_describe(const ofw_ratings *r, data_description *out, ofw_error *err)
{
  *out = (data_description){.rows = r->count + r->duplicates,
                            .duplicates = r->duplicates,
                            .users = r->users,
                            .items = r->items,
                            .density = (double)r->count / ((double)r->users * (double)r->items)};
  describe_values(r, out);
  OFW_TRY(count(r, r->items, r->users, &out->per_user, err));
  OFW_TRY(count(r, 1, r->items, &out->per_item, err));
  OFW_TRY(data_spectrum(r, 0.0, DATA_SINGULAR, out->singular_value, &out->singular, err));
  return data_spectrum(r, out->mean, DATA_SINGULAR, out->centred_singular_value, &out->centred_singular, err);
}
