/* generated.h — what the two generators with a known comparator x* promise alike: half-spaces that hold x*, rounds that
 * depend on (seed, t) alone, and gradients that are the slopes of what they come with */
#ifndef OFW_TEST_GENERATED_H
#define OFW_TEST_GENERATED_H

#include "stream/generator.h"
#include "unit/engine/held.h"
#include "vector/vec_arithmetic.h"

static inline ofw_stream *stream(const char *spec, const ofw_domain *K, uint64_t rounds, uint64_t seed)
{
  ofw_error err = {0};
  ofw_stream *s = ofw_stream_create(spec, K, rounds, seed, &err);
  if (!s)
    fail_msg("%s: %s", spec, err.message);
  return s;
}

static inline void stream_refused(const char *spec, const ofw_domain *K, const char *message)
{
  ofw_error err = {0};
  assert_null(ofw_stream_create(spec, K, 10, 1, &err));
  assert_string_equal(err.message, message);
  assert_int_equal(err.status, OFW_USAGE);
}

static inline ofw_full reveal(ofw_stream *s, uint64_t t, const held *h)
{
  ofw_full out = {0};
  assert_int_equal(ofw_stream_reveal(s, t, &h->at, &out), OFW_OK);
  return out;
}

static inline double *room(size_t n)
{
  double *x = calloc(n, sizeof *x);
  assert_non_null(x);
  return x;
}

/* Every g_t holds x*, tight in about the share asked for and else with a slack uniform in (0, G R). */
static inline void check_half_spaces(const ofw_domain *K, ofw_stream *s, const double *best, double share, uint64_t T)
{
  held h = hold(K);
  size_t n = ofw_domain_dim(K);
  double G = ofw_stream_constants(s)->lipschitz, most = G * K->R, *b = room(n);
  double tight = 0.0, slack = 0.0, rounds = (double)T;
  memcpy(h.x, best, n * sizeof *best);
  for (uint64_t t = 1; t <= T; t++) {
    ofw_full now = reveal(s, t, &h);
    assert_int_equal(now.values.constraints, 1);
    double g = now.values.constraint[0];
    assert_true(g <= 1e-9 * most && g >= -most);
    tight += g > -1e-9 * most;
    slack -= g;
    ofw_sum_dense(now.constraint_gradient[0], n, b);
    assert_near(slow_norm(n, b), G, 1e-12 * G);
  }
  assert_near(tight / rounds, share, 4.0 * sqrt(share * (1.0 - share) / rounds) + 1e-12);
  if (share < 1.0)
    assert_near(slack / (rounds - tight) / most, 0.5, 4.0 * sqrt(1.0 / 12.0 / (rounds - tight)));
  free(b);
  let_go(&h);
}

/* f_t(y) = f_t(x) + <grad, y - x> + alpha/2 |y - x|^2 and g_t(y) = g_t(x) + <grad, y - x>, for any x and y of K; no
 * gradient there is longer than G and no loss larger than M. */
static inline void check_slopes(const ofw_domain *K, ofw_stream *s, uint64_t T)
{
  size_t n = ofw_domain_dim(K);
  const ofw_constants *c = ofw_stream_constants(s);
  double *a = room(n), *b = room(n), *step = room(n), R = K->R;
  held x = hold(K), y = hold(K);
  uint64_t seed = T;
  for (uint64_t t = 1; t <= T; t++) {
    any_point(&seed, K, t % 2 == 0, x.x);
    any_point(&seed, K, t % 3 == 0, y.x);
    for (size_t i = 0; i < n; i++)
      step[i] = y.x[i] - x.x[i];
    ofw_full at_x = reveal(s, t, &x);
    double f = at_x.values.loss, g = at_x.values.constraint[0];
    ofw_sum_dense(at_x.loss_gradient, n, a);
    ofw_sum_dense(at_x.constraint_gradient[0], n, b);
    ofw_full at_y = reveal(s, t, &y);
    double curved = c->strong_convexity / 2.0 * slow_dot(n, step, step);
    assert_near(at_y.values.loss, f + slow_dot(n, a, step) + curved, 1e-11 * c->loss_bound);
    assert_near(at_y.values.constraint[0], g + slow_dot(n, b, step), 1e-11 * c->lipschitz * R);
    assert_at_most(slow_norm(n, a), c->lipschitz * (1.0 + 1e-12));
    assert_at_most(slow_norm(n, b), c->lipschitz * (1.0 + 1e-12));
    assert_at_most(fabs(f), c->loss_bound * (1.0 + 1e-12));
  }
  free(a), free(b), free(step);
  let_go(&x);
  let_go(&y);
}

static inline void check_same_bits(const ofw_full *a, const ofw_full *b, size_t n)
{
  double *x = room(n), *y = room(n);
  assert_bits(a->values.loss, b->values.loss);
  ofw_sum_dense(a->loss_gradient, n, x);
  ofw_sum_dense(b->loss_gradient, n, y);
  assert_memory_equal(x, y, n * sizeof *x);
  assert_int_equal(a->values.constraints, b->values.constraints);
  if (a->values.constraints) {
    assert_bits(a->values.constraint[0], b->values.constraint[0]);
    ofw_sum_dense(a->constraint_gradient[0], n, x);
    ofw_sum_dense(b->constraint_gradient[0], n, y);
    assert_memory_equal(x, y, n * sizeof *x);
  }
  free(x), free(y);
}

/* The gradients of loss and constraint are slopes, by central differences: exact for
 * parabolas but for rounding. */
static inline void check_central_differences(const char *spec, const char *set, uint64_t T)
{
  ofw_domain *K = domain(set);
  size_t n = ofw_domain_dim(K);
  ofw_stream *s = stream(spec, K, T, 1);
  held h = hold(K);
  uint64_t seed = 4;
  double *a = room(n), *b = room(n), step = 0.25;
  any_point(&seed, K, 0, h.x);
  for (uint64_t t = 1; t <= 20; t++) {
    ofw_full fb = reveal(s, t, &h);
    ofw_sum_dense(fb.loss_gradient, n, a);
    ofw_sum_dense(fb.constraint_gradient[0], n, b);
    for (size_t i = 0; i < n; i++) {
      double at = h.x[i];
      h.x[i] = at + step;
      ofw_full above = reveal(s, t, &h);
      double f = above.values.loss, g = above.values.constraint[0];
      h.x[i] = at - step;
      ofw_full below = reveal(s, t, &h);
      f -= below.values.loss, g -= below.values.constraint[0];
      h.x[i] = at;
      assert_near(f / (2 * step), a[i], 1e-11);
      assert_near(g / (2 * step), b[i], 1e-11);
    }
  }
  free(a), free(b);
  let_go(&h);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

/* One stream is asked from 1 to T, its twin backwards and between other questions. */
static inline void check_same_rounds(const char *spec, const ofw_domain *K, uint64_t T)
{
  size_t n = ofw_domain_dim(K);
  ofw_stream *first = stream(spec, K, T, 3), *twin = stream(spec, K, T, 3), *other = stream(spec, K, T, 4);
  held x = hold(K), elsewhere = hold(K);
  uint64_t seed = 1;
  any_point(&seed, K, 0, x.x);
  for (uint64_t t = 1; t <= T; t++) {
    double loss, again;
    ofw_full a = reveal(first, t, &x);
    reveal(twin, T + 1 - t, &elsewhere);
    assert_int_equal(ofw_stream_comparator(twin, 1 + t % 7, &loss), OFW_OK);
    ofw_full b = reveal(twin, t, &x);
    check_same_bits(&a, &b, n);
    assert_int_equal(ofw_stream_comparator(first, t, &loss), OFW_OK);
    assert_int_equal(ofw_stream_comparator(twin, t, &again), OFW_OK);
    assert_bits(loss, again);
    b = reveal(other, t, &x); /* another seed, another round */
    assert_true(a.values.loss != b.values.loss);
    if (a.values.constraints && b.values.constraints)
      assert_true(a.values.constraint[0] != b.values.constraint[0]);
  }
  ofw_stream_free(first), ofw_stream_free(twin), ofw_stream_free(other);
  let_go(&x), let_go(&elsewhere);
}

/* Whether a round is tight must not depend on which way its half-space faces: in tight and in other rounds alike, the
 * last coordinate of b is positive half the time, and all are of one size. `edges` is the same stream with tight=1. */
static inline void check_tight_is_independent(const char *spec, const char *edges, const char *set, uint64_t T)
{
  ofw_domain *K = domain(set);
  size_t n = ofw_domain_dim(K);
  ofw_stream *s = stream(spec, K, T, 1), *all = stream(edges, K, T, 1);
  held h = hold(K);
  double *b = room(n), *square[2] = {room(n), room(n)}, rounds[2] = {0}, positive[2] = {0};
  double G = ofw_stream_constants(s)->lipschitz;
  for (uint64_t t = 1; t <= T; t++) {
    double edge = reveal(all, t, &h).values.constraint[0]; /* the same half-space without slack */
    ofw_full now = reveal(s, t, &h);
    int tight = fabs(now.values.constraint[0] - edge) < 1e-12;
    ofw_sum_dense(now.constraint_gradient[0], n, b);
    rounds[tight]++;
    positive[tight] += b[n - 1] > 0.0;
    for (size_t i = 0; i < n; i++)
      square[tight][i] += b[i] * b[i] / G / G;
  }
  for (int k = 0; k < 2; k++) {
    assert_near(positive[k] / rounds[k], 0.5, 4.0 * 0.5 / sqrt(rounds[k]));
    for (size_t i = 0; i < n; i++)
      assert_near((double)n * square[k][i] / rounds[k], 1.0, 5.0 * 2.0 / sqrt(rounds[k]));
  }
  free(b), free(square[0]), free(square[1]);
  let_go(&h);
  ofw_stream_free(s), ofw_stream_free(all);
  ofw_domain_free(K);
}

#endif
