/* held.h — a decision at any x that a test likes, and points of any domain */
#ifndef OFW_TEST_HELD_H
#define OFW_TEST_HELD_H

#include "engine/engine.h"
#include "unit/base/check.h"

#include <stdlib.h>

/* An engine whose two arrays can be written to; `at` is what a stream reads. */
typedef struct held {
  ofw_engine *E;
  ofw_point at;
  double *x, *d;
} held;

static inline ofw_status grab(void *ctx, const char *name, void *item, size_t n)
{
  held *h = ctx;
  (void)n;
  if (strcmp(name, "x") == 0)
    h->x = item;
  if (strcmp(name, "d") == 0)
    h->d = item;
  return OFW_OK;
}

static inline held hold_with(const ofw_domain *K, size_t threads)
{
  held h = {.E = ofw_engine_open_dense(K, K->from_centre, 0, threads, NULL)};
  assert_non_null(h.E);
  ofw_visitor v = {.words = grab, .ctx = &h};
  assert_int_equal(h.E->ops->visit(h.E, &v), OFW_OK);
  assert_true(h.x && h.d && h.x != h.d);
  h.at.at = h.E;
  return h;
}

static inline held hold(const ofw_domain *K)
{
  return hold_with(K, 1);
}

static inline void let_go(held *h)
{
  h->E->ops->close(h->E);
}

static inline ofw_domain *domain(const char *spec)
{
  ofw_error err = {0};
  ofw_domain *K = ofw_domain_create(spec, &err);
  if (!K)
    fail_msg("%s: %s", spec, err.message);
  return K;
}

/* A point of K: a vertex, or a mixture of three. */
static inline void any_point(uint64_t *seed, const ofw_domain *K, int vertex, double *x)
{
  size_t n = ofw_domain_dim(K);
  double *d = malloc(n * sizeof *d), *v = malloc(n * sizeof *v), left = 1.0;
  assert_true(d && v);
  memset(x, 0, n * sizeof *x);
  for (int k = 0; k < (vertex ? 1 : 3); k++) {
    double share = vertex || k == 2 ? left : left * fabs(any_real(seed));
    any_reals(seed, n, d);
    assert_int_equal(ofw_domain_minimise(K, d, 1e-12, v, NULL, NULL), OFW_OK);
    for (size_t i = 0; i < n; i++)
      x[i] += share * v[i];
    left -= share;
  }
  free(d);
  free(v);
}

#endif
