/* spectrum.c — one top pair after the other: what has been found is taken off, A - sum_k sigma_k u_k v_k' */
#include "lab/data/spectrum.h"

#include "base/owned.h"
#include "linalg/kernels.h"
#include "linalg/lanczos.h"
#include "linalg/rng.h"

#include <math.h>
#include <string.h>

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
  ofw_status st = ofw_lanczos_open(&own, r->users, r->items, &l, err);
  if (st == OFW_OK)
    st = find(&a, l, most, err);
  *found = a.found;
  ofw_owned_free(&own);
  return st;
}
