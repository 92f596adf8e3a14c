/* hand.h — a learner on [-1, 1] whose rounds can be followed by hand */
#ifndef OFW_TEST_HAND_H
#define OFW_TEST_HAND_H

#include "property/everything.h"

#include <math.h>

typedef struct hand {
  ofw_domain *K;
  ofw_learner *l;
} hand;

/* D = 2, so with G = 1 the constants of the theorems are short. */
static inline hand open_hand(const char *name, uint64_t horizon, double alpha, size_t sets, const char *const *set)
{
  hand h = {make_domain("l2-ball:dim=1"), NULL};
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = horizon,
                            .lipschitz = 1.0,
                            .strong_convexity = alpha,
                            .options = sets,
                            .option = set};
  ofw_error err = {0};
  h.l = ofw_learner_create_over(name, h.K, &s, &err);
  if (!h.l)
    fail_msg("%s", err.message);
  return h;
}

static inline void close_hand(hand *h)
{
  ofw_learner_free(h->l);
  ofw_domain_free(h->K);
}

static inline double decision(hand *h)
{
  const ofw_point *x;
  double at;
  assert_int_equal(ofw_learner_decide(h->l, &x), OFW_OK);
  assert_int_equal(ofw_point_dense(x, &at), OFW_OK);
  return at;
}

/* One round with slopes f and, where g is not NaN, a constraint of value g and slope `slope`. */
static inline void feed(hand *h, double f, double g, double slope)
{
  ofw_vec vf = ofw_vec_dense(1, &f), vg = ofw_vec_dense(1, &slope);
  ofw_sum grad_g = {1, &vg};
  ofw_full fb = {{0.0, isnan(g) ? 0u : 1u, &g}, {1, &vf}, &grad_g};
  decision(h);
  if (ofw_learner_observe(h->l, &fb) != OFW_OK)
    fail_msg("%s", ofw_learner_error(h->l));
}

static inline ofw_info info_of(const hand *h)
{
  ofw_info info = {.size = sizeof info};
  assert_int_equal(ofw_learner_info(h->l, &info), OFW_OK);
  return info;
}

static inline void assert_near(double got, double expected)
{
  if (!(fabs(got - expected) <= 1e-14 * (1.0 + fabs(expected))))
    fail_msg("%.17g, not %.17g", got, expected);
}

#endif
