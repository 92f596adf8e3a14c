/* spectrum.c — one top pair after the other: what has been found is taken off, A - sum_k sigma_k u_k v_k' */
#include "data/spectrum.h"

#include "base/rng.h"
#include "linalg/kernels.h"
#include "linalg/lanczos.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct rest {
  const ofw_ratings *r;
  double less;
  size_t found;
  double *sigma, *u, *v; /* those found; the vectors one after the other */
} rest;

/* y -= (sigma <x, from>) to */
static void take_off(size_t n, double sigma, const double *x, const double *from, size_t m, const double *to, double *y)
{
  double share = sigma * ofw_dot(n, x, from);
  for (size_t k = 0; k < m; k++)
    y[k] -= share * to[k];
}

static void pass(const void *ctx, const double *v, double *u, double *w)
{
  const rest *a = ctx;
  const ofw_ratings *r = a->r;
  size_t m = r->users, n = r->items;
  memset(u, 0, m * sizeof *u);
  memset(w, 0, n * sizeof *w);
  for (size_t k = 0; k < r->count; k++)
    u[r->cell[k] / n] += (r->value[k] - a->less) * v[r->cell[k] % n];
  for (size_t k = 0; k < a->found; k++)
    take_off(n, a->sigma[k], v, a->v + k * n, m, a->u + k * m, u);
  for (size_t k = 0; k < r->count; k++)
    w[r->cell[k] % n] += (r->value[k] - a->less) * u[r->cell[k] / n];
  for (size_t k = 0; k < a->found; k++)
    take_off(m, a->sigma[k], u, a->u + k * m, n, a->v + k * n, w);
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
  most = most < r->users ? most : r->users;
  most = most < r->items ? most : r->items;
  a.u = ofw_doubles(most * r->users);
  a.v = ofw_doubles(most * r->items);
  ofw_status st = a.u && a.v ? OFW_OK : ofw_fail_memory(err, most * (r->users + r->items) * sizeof *a.u);
  if (st == OFW_OK)
    st = ofw_lanczos_open(r->users, r->items, &l, err);
  if (st == OFW_OK)
    st = find(&a, l, most, err);
  *found = a.found;
  ofw_lanczos_close(l);
  free(a.u);
  free(a.v);
  return st;
}
